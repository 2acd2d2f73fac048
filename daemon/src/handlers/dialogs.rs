//! alert: the dialog that blocks the app.

use std::sync::Arc;

use backend::{Device, Dialog, Input};
use contract::{
    Code, Failure, Row,
    command::{Alert, AlertAction, WAIT_TIMEOUT_MS},
    plain,
    request::Answer,
};
use observe::Verdict;
use serde_json::json;
use wire::Context;

use super::{answer, receipt_facts};
use crate::{
    interaction::watch::{Wish, outcome, watch},
    run::Run,
};

/// `alert get|accept|dismiss|wait`.
///
/// # Errors
/// `ALERT_NOT_FOUND` where none is open.
pub async fn alert(run: &mut Run<'_>, args: &Alert) -> Result<Answer, Failure> {
    run.context.check()?;
    match args.action {
        AlertAction::Get => match run.session.device.dialog(&run.context).await? {
            Some(dialog) => Ok(shown(&dialog)),
            None => Err(absent()),
        },
        AlertAction::Wait => wait(run, args.wait_ms.unwrap_or(WAIT_TIMEOUT_MS)).await,
        AlertAction::Accept | AlertAction::Dismiss => {
            let accept = args.action == AlertAction::Accept;
            if !accept && args.text.is_some() {
                return Err(Failure::refused(
                    Row::DaemonProtocolBadArguments,
                    Code::InvalidArgs,
                    "--text goes with accept only",
                )
                .reason("invalid_arguments"));
            }
            let dialog = run.session.device.dialog(&run.context).await?.ok_or_else(absent)?;
            let receipt = run.perform(Input::AnswerDialog { accept, text: args.text.clone() }).await?;
            let verb = if accept { "Accepted" } else { "Dismissed" };
            let mut facts = json!(dialog).as_object().cloned().unwrap_or_default();
            facts.insert("action".into(), verb.to_lowercase().into());
            let mut lines = Vec::new();
            receipt_facts(&receipt, &mut facts, &mut lines);
            Ok(answer(facts, format!("{verb} [{}] {:?}", dialog.kind, dialog.text), lines))
        }
    }
}

fn shown(dialog: &Dialog) -> Answer {
    let buttons =
        if dialog.buttons.is_empty() { String::new() } else { format!("\nButtons: {}", named(&dialog.buttons)) };
    Answer::new(json!(dialog), format!("[{}] {:?}{buttons}", dialog.kind, dialog.text))
}

fn named(buttons: &[String]) -> String {
    buttons.iter().map(|button| plain::line(button)).collect::<Vec<_>>().join(", ")
}

fn absent() -> Failure {
    Failure::refused(Row::DaemonRefusalAlertAbsent, Code::AlertNotFound, "no dialog is open").reason("alert_not_found").hint(
        "a dialog that the page draws itself is an element like any other: press its button, agent-device snapshot -i",
    )
}

async fn wait(run: &mut Run<'_>, limit: u64) -> Result<Answer, Failure> {
    let wish = Wish::new("a dialog", limit);
    let look = |device: Arc<dyn Device>, context: Context| async move { device.dialog(&context).await };
    let seen = watch(run, wish, look, |dialog| dialog.map_or(Verdict::Continue, Verdict::Done)).await;
    let got = outcome(run, wish, seen)?;
    let mut answer = shown(&got.value);
    answer.data["waitedMs"] = got.waited_ms.into();
    Ok(answer)
}
