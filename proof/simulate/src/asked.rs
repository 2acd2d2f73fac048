//! How often a command may, and where it says that it is done must, have made the device do something.

use std::ops::RangeInclusive;

use contract::{
    Command, Effect,
    command::{AlertAction, FindAction, SCROLL_UNTIL_PASSES},
};

/// The least that was done where the command says so, and the most that may ever have been done.
pub fn asked(command: &Command) -> RangeInclusive<u32> {
    let once = 1..=1;
    match command {
        _ if command.effect() != Effect::Mutates => 0..=0,
        Command::Press(press) => {
            let each = if press.double_tap { 2 } else { 1 };
            let all = press.count.unwrap_or(1) * each;
            all..=all
        }
        Command::Swipe(swipe) => swipe.count.unwrap_or(1)..=swipe.count.unwrap_or(1),
        Command::Type(text) => {
            let all = if text.delay_ms.unwrap_or(0) == 0 { 1 } else { text.text.chars().count() as u32 };
            all..=all
        }
        Command::Scroll(scroll) if scroll.until.is_some() => 0..=SCROLL_UNTIL_PASSES,
        Command::Find(find) if find.words.action == FindAction::Type => 2..=2,
        Command::Alert(alert) if matches!(alert.action, AlertAction::Get | AlertAction::Wait) => 0..=0,
        // Nothing where what is asked for is open, or closed, already.
        Command::Open(open) => 0..=if open.relaunch { 2 } else { 1 },
        Command::Close(close) if close.all => 0..=u32::from(u8::MAX),
        Command::Batch(batch) => {
            let steps = batch.commands().unwrap_or_default();
            steps.iter().map(asked).fold(0..=0, |sum, one| sum.start() + one.start()..=sum.end() + one.end())
        }
        _ => once,
    }
}

/// Whether closing is a part of it, which goes on beyond the request's limit.
pub fn closes(command: &Command) -> bool {
    match command {
        Command::Close(_) => true,
        Command::Open(open) => open.relaunch,
        Command::Batch(batch) => batch.commands().unwrap_or_default().iter().any(closes),
        _ => false,
    }
}
