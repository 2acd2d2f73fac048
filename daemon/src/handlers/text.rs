//! fill and type.

use std::time::Duration;

use backend::Input;
use contract::{
    Claim, Code, Dispatched, Failure, Row, Target,
    command::{AfterArgs, Fill, Type},
    request::Answer,
};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use screen::{NodeKey, States, guard, guard::Purpose};
use serde_json::{Map, json};

use super::{acting, answer, receipt_facts};
use crate::{
    disclosure::after_steps,
    interaction::{after, aim, described::Located, resolve},
    run::{MAX_NODES, Run},
};

/// When a filled field is read back, ms after the input: at once, then twice more for fields that take their time
/// (the field's defaults are looks at 0, 150 and 350 ms).
const READ_BACK_INTERVAL: Duration = Duration::from_millis(150);
const READ_BACK_BUDGET: Duration = Duration::from_millis(350);
/// Characters of a text that a message quotes at most.
const QUOTED: usize = 200;

/// `fill`: replaces a field's content and reads it back.
///
/// # Errors
/// `TEXT_MISMATCH` with both strings where the field then holds something else.
pub async fn fill(run: &mut Run<'_>, args: &Fill) -> Result<Answer, Failure> {
    let target = &args.words.target;
    let located = match target {
        Target::Point { .. } => aim::on_editable_at(run, target).await?,
        _ => aim::at(run, target, Purpose::Fill).await?,
    };
    fill_at(run, target, located, args).await
}

/// The same once its field is found.
///
/// # Errors
/// As [`fill`].
pub async fn fill_at(run: &mut Run<'_>, target: &Target, located: Located, args: &Fill) -> Result<Answer, Failure> {
    // A page may show what is typed into a password field. That is no reason to tell it.
    let was_masked = run.session.tree.as_ref().is_some_and(|tree| {
        located
            .node
            .and_then(|key| tree.place_of(key))
            .and_then(|place| tree.get(place))
            .is_some_and(|node| node.is(States::PASSWORD))
    });
    let before = after::before(run, &args.after.settle, args.after.verify).await?;
    if was_masked {
        run.note_secret();
    }
    let input = Input::Fill { aim: located.aim(), text: args.words.text.clone(), delay_ms: args.delay_ms.unwrap_or(0) };
    let receipt = run.perform(input).await?;
    // Behind a dialog that the field opened nothing can be read.
    let hidden = was_masked || args.record_as.is_some();
    let held = receipt.opened.is_none() && read_back(run, &located, &args.words.text, hidden).await?;
    let mut answer = acting::finish(run, "Filled", target, &located, &receipt, &args.after, before).await?;
    if let Some(facts) = answer.data.as_object_mut() {
        facts.insert("characters".into(), args.words.text.chars().count().into());
        facts.insert("verified".into(), held.into());
    }
    Ok(answer)
}

/// Looks at the field until it holds the text. Says whether it could be read at all.
async fn read_back(run: &mut Run<'_>, located: &Located, wanted: &str, hidden: bool) -> Result<bool, Failure> {
    let Some(key) = located.node else { return Ok(false) };
    let schedule = Schedule {
        interval: READ_BACK_INTERVAL,
        budget: READ_BACK_BUDGET,
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: run.context.deadline,
    };
    let mut last = None;
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let observation = observe_until(
        schedule,
        &run.context.cancel,
        || read_field(&*device, &context, key),
        |field| {
            let Some(field) = field else { return Verdict::Done(false) };
            let holds = if field.masked {
                field.value.chars().count() == wanted.chars().count()
            } else {
                same_text(&field.value, wanted)
            };
            last = Some(field);
            if holds { Verdict::Done(true) } else { Verdict::Continue }
        },
    )
    .await;
    run.note_polls(&observation);
    if last.as_ref().is_some_and(|field| field.masked) {
        run.note_secret();
    }
    match (observation.end, last) {
        (End::Done(verified), _) => Ok(verified),
        (End::Unseen(failure) | End::Stopped(failure), _) => Err(failure),
        (_, Some(field)) => {
            let masked = field.masked || hidden;
            let actual = if masked { "*".repeat(field.value.chars().count()) } else { field.value };
            let expected = if masked { "*".repeat(wanted.chars().count()) } else { wanted.to_owned() };
            Err(Failure::new(
                Code::TextMismatch,
                format!("the field holds {} after {} was filled in", quoted(&actual), quoted(&expected)),
            )
            .under(Claim { row: Row::DaemonFillMismatch, dispatched: Dispatched::Unknown })
            .reason("text_mismatch")
            .detail("expected", expected)
            .detail("actual", actual))
        }
        (_, None) => Err(resolve::cancelled(&run.context)),
    }
}

/// A text as a message quotes it: its beginning says which it is; the whole of it is in the details.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => {
            format!("{:?}... ({} characters)", text.get(..end).unwrap_or_default(), text.chars().count())
        }
        None => format!("{text:?}"),
    }
}

/// Line ends differ between platforms and say nothing about the text.
fn same_text(held: &str, wanted: &str) -> bool {
    held == wanted || held.replace("\r\n", "\n") == wanted.replace("\r\n", "\n")
}

/// The field's content, live or from a capture.
async fn read_field(
    device: &dyn backend::Device,
    context: &wire::Context,
    key: NodeKey,
) -> Result<Option<backend::Field>, Failure> {
    if let Some(field) = device.field(context, key).await? {
        return Ok(Some(field));
    }
    let tree = device.capture(context, MAX_NODES).await?;
    let node = tree.place_of(key).and_then(|place| tree.get(place));
    Ok(node.map(|node| backend::Field {
        value: node.value.as_deref().unwrap_or_default().to_owned(),
        masked: node.is(States::PASSWORD),
    }))
}

/// `type`: text to whatever has the focus.
///
/// # Errors
/// Refused where nothing that takes text has the focus.
pub async fn type_text(run: &mut Run<'_>, args: &Type) -> Result<Answer, Failure> {
    guard::text_given(&args.text)?;
    run.context.check()?;
    match run.session.device.text_focus(&run.context).await? {
        Some(true) => {}
        Some(false) => return Err(no_focus()),
        None => {
            let tree = run.capture().await?;
            guard::typing_target(&tree)?;
        }
    }
    run.note_focus().await;
    let receipt = send_text(run, &args.text, args.delay_ms.unwrap_or(0)).await?;
    let mut facts = Map::new();
    let mut lines = Vec::new();
    let count = args.text.chars().count();
    facts.insert("characters".into(), json!(count));
    receipt_facts(&receipt, &mut facts, &mut lines);
    Ok(answer(facts, format!("Typed {count} character{}", if count == 1 { "" } else { "s" }), lines))
}

fn no_focus() -> Failure {
    Failure::refused(Row::DaemonRefusalNoFocus, Code::ElementNotEditable, "nothing that takes text has the focus")
        .reason("no_focus")
        .hint("press the field first, or use fill: agent-device fill <target> <text>")
}

/// Text in one piece, or character by character with pauses; each piece is one send.
async fn send_text(run: &mut Run<'_>, text: &str, delay_ms: u64) -> Result<backend::Receipt, Failure> {
    if delay_ms == 0 {
        return run.perform(Input::Type { text: text.to_owned() }).await;
    }
    let mut receipt = backend::Receipt::default();
    for (done, character) in text.chars().enumerate() {
        let sent = async {
            if done > 0 {
                acting::pause(run, delay_ms).await?;
            }
            run.perform(Input::Type { text: character.to_string() }).await
        };
        let one = sent.await.map_err(|failure| after_steps(failure, done, Row::DaemonTypeLaterChunkRefused))?;
        receipt = receipt.and(one);
    }
    Ok(receipt)
}

/// `find ... type`: a focusing press, then the text.
///
/// # Errors
/// After the press everything is `unknown`.
pub async fn focus_and_type(
    run: &mut Run<'_>,
    target: &Target,
    located: &Located,
    text: &str,
) -> Result<Answer, Failure> {
    guard::text_given(text)?;
    let press = Input::Press { aim: located.aim(), button: contract::command::Button::Primary, hold_ms: 0 };
    let pressed = run.perform(press).await?;
    let typed = async {
        match run.session.device.text_focus(&run.context).await? {
            Some(false) => return Err(no_focus()),
            Some(true) => {}
            None => {
                let tree = run.capture().await?;
                guard::typing_target(&tree)?;
            }
        }
        run.note_focus().await;
        send_text(run, text, 0).await
    };
    let receipt = typed.await.map_err(|failure| after_steps(failure, 1, Row::DaemonFindRefusedAfterFocus))?;
    let receipt = pressed.and(receipt);
    acting::finish(run, "Typed into", target, located, &receipt, &AfterArgs::default(), None).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_quotes_the_beginning_of_a_long_text() {
        assert_eq!(quoted("a\"b"), r#""a\"b""#);
        let long = quoted(&"ä".repeat(100_000));
        assert!(long.ends_with("\"... (100000 characters)") && long.chars().count() < 240, "{long}");
    }
}
