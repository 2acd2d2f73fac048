//! press, longpress, hover, focus: one contact at one place.

use std::time::Duration;

use backend::{Input, Receipt};
use contract::{
    Code, Failure, Row, Target,
    command::{AfterArgs, Button, Hover, LONGPRESS_MS, Longpress, Press, SettleArgs},
    request::Answer,
};
use screen::guard::Purpose;

use super::{able, answer, receipt_facts};
use crate::{
    disclosure::after_steps,
    interaction::{after, aim, described::Located},
    run::Run,
};

/// `press`: once, or a series. Each press of a series is found and judged anew: the screen may have changed.
///
/// # Errors
/// Refusals before the first press are `no`; after it everything is `unknown`, with the number of presses made.
pub async fn press(run: &mut Run<'_>, args: &Press) -> Result<Answer, Failure> {
    let button = args.button.unwrap_or_default();
    if button != Button::Primary {
        able(run, contract::Capability::MouseButtons)?;
    }
    if args.double_tap && (args.hold_ms.is_some() || button != Button::Primary) {
        return Err(Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            "--double-tap goes neither with --hold-ms nor with --button",
        )
        .reason("invalid_arguments"));
    }
    let input = |located: &Located| match args.double_tap {
        true => Input::DoublePress { aim: located.aim() },
        false => Input::Press { aim: located.aim(), button, hold_ms: args.hold_ms.unwrap_or(0) },
    };
    let count = args.count.unwrap_or(1).max(1);
    let located = aim::at(run, &args.target, Purpose::Press).await?;
    let before = after::before(run, &args.after.settle, args.after.verify).await?;
    let mut receipt = perform(run, input(&located)).await?;
    for done in 1..count {
        let next = async {
            pause(run, args.interval_ms.unwrap_or(0)).await?;
            let located = aim::at(run, &args.target, Purpose::Press).await?;
            perform(run, input(&located)).await
        };
        let next =
            next.await.map_err(|failure| after_steps(failure, done as usize, Row::DaemonSeriesLaterPressRefused))?;
        receipt = receipt.and(next);
    }
    let verb = match (args.double_tap, count) {
        (true, _) => "Double-pressed".to_owned(),
        (false, 1) => "Pressed".to_owned(),
        (false, count) => format!("Pressed {count} times"),
    };
    finish(run, &verb, &args.target, &located, &receipt, &args.after, before).await
}

/// A double press is two sends on devices without one of their own: the second can be refused after the first.
async fn perform(run: &mut Run<'_>, input: Input) -> Result<Receipt, Failure> {
    let (double, before) = (matches!(input, Input::DoublePress { .. }), run.context.ledger.sends().completed);
    let done = run.perform(input).await;
    let halves = run.context.ledger.sends().completed - before;
    done.map_err(|failure| match double && halves > 0 {
        true => after_steps(failure, halves as usize, Row::DaemonDoubleTapSecondRefused),
        false => failure,
    })
}

/// A pause that the caller asked for between two steps. Ends early for a caller that is gone or out of time.
pub async fn pause(run: &Run<'_>, ms: u64) -> Result<(), Failure> {
    if ms > 0 {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(ms)) => {}
            () = run.context.cancel.cancelled() => {}
            () = tokio::time::sleep_until(run.context.deadline) => {}
        }
    }
    run.context.check()
}

/// The answer to an action: what was hit, what came of it.
pub async fn finish(
    run: &mut Run<'_>,
    verb: &str,
    target: &Target,
    located: &Located,
    receipt: &Receipt,
    args: &AfterArgs,
    before: Option<after::Before>,
) -> Result<Answer, Failure> {
    let mut facts = located.facts(target);
    let mut lines = Vec::new();
    if let Some(changed) = &located.changed {
        lines.push(format!("Note: {target} was called {:?} when it was shown, now {:?}", changed.was, changed.now));
    }
    receipt_facts(receipt, &mut facts, &mut lines);
    let (seen, shown) = after::after(run, args, before).await;
    facts.extend(seen);
    lines.extend(shown);
    Ok(answer(facts, format!("{verb} {}", located.sentence(target)), lines))
}

fn settle_only(settle: &SettleArgs) -> AfterArgs {
    AfterArgs { settle: settle.clone(), verify: false }
}

/// `longpress`.
///
/// # Errors
/// As `press`.
pub async fn longpress(run: &mut Run<'_>, args: &Longpress) -> Result<Answer, Failure> {
    let target = &args.words.target;
    let hold_ms = args.words.duration_ms.unwrap_or(LONGPRESS_MS);
    let located = aim::at(run, target, Purpose::Longpress).await?;
    let before = after::before(run, &args.settle, false).await?;
    let receipt = run.perform(Input::Press { aim: located.aim(), button: Button::Primary, hold_ms }).await?;
    finish(run, &format!("Pressed for {hold_ms} ms:"), target, &located, &receipt, &settle_only(&args.settle), before)
        .await
}

/// `hover`.
///
/// # Errors
/// As `press`.
pub async fn hover(run: &mut Run<'_>, args: &Hover) -> Result<Answer, Failure> {
    let located = aim::at(run, &args.target, Purpose::Hover).await?;
    let before = after::before(run, &args.settle, false).await?;
    let receipt = run.perform(Input::Hover { aim: located.aim() }).await?;
    finish(run, "Pointing at", &args.target, &located, &receipt, &settle_only(&args.settle), before).await
}

/// `focus`: a press on what is to have the focus.
///
/// # Errors
/// As `press`.
pub async fn focus(run: &mut Run<'_>, target: &Target) -> Result<Answer, Failure> {
    let located = aim::at(run, target, Purpose::Press).await?;
    let receipt = run.perform(Input::Press { aim: located.aim(), button: Button::Primary, hold_ms: 0 }).await?;
    finish(run, "Focused", target, &located, &receipt, &AfterArgs::default(), None).await
}
