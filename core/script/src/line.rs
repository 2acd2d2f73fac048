//! Commands as lines of a script.

use contract::{
    Command,
    command::{AfterArgs, ClipboardWords, SettleArgs},
};

use crate::{
    quote::quote,
    standing::{Aim, aims, may_stand},
};

/// Stands for a text until its variable is written: no characters, so in nobody's text.
const MARK: &str = "\u{fdd1}\u{fdd1}\u{fdd1}";

/// The line of a command, in the spelling of the command line. `None` for what cannot stand in a script: commands about
/// the daemon, refs, what no words can say.
///
/// A command that says which variable stands for its text (`--record-as`) is written with that variable.
pub fn line_of(command: &Command) -> Option<String> {
    if may_stand(command).is_err() || aims(command).iter().any(|aim| matches!(aim, Aim::Ref(_))) {
        return None;
    }
    if let Some(variable) = recorded_as(command) {
        return line_with(command, variable);
    }
    let words: Vec<_> = command.to_words()?.iter().map(|word| quote(word)).collect();
    Some(words.join(" "))
}

/// The line of a command with `${variable}` in the place of the text that it enters: for what is nobody's to read.
/// `None` where [`line_of`] is, and for commands that enter no text.
pub fn line_with(command: &Command, variable: &str) -> Option<String> {
    let marked = with_text(command, MARK)?;
    let line = line_of(&marked)?;
    let written = line.split(' ').any(|word| word == MARK);
    written.then(|| line.replace(MARK, &format!("${{{variable}}}")))
}

/// The command without what only says how it was recorded or what was to be printed: `--settle`, `--verify`,
/// `--save-script`. Replayed, it does the same to the app.
#[must_use]
pub fn plainly(command: &Command) -> Command {
    let mut command = command.clone();
    match &mut command {
        Command::Press(press) => press.after = AfterArgs::default(),
        Command::Fill(fill) => fill.after = AfterArgs::default(),
        Command::Longpress(press) => press.settle = SettleArgs::default(),
        Command::Hover(hover) => hover.settle = SettleArgs::default(),
        Command::Scroll(scroll) => scroll.settle = SettleArgs::default(),
        Command::Gesture(gesture) => gesture.settle = SettleArgs::default(),
        Command::Back(back) => back.settle = SettleArgs::default(),
        Command::Open(open) => {
            open.save_script = None;
            open.force = false;
        }
        _ => {}
    }
    command
}

fn recorded_as(command: &Command) -> Option<&str> {
    match command {
        Command::Fill(fill) => fill.record_as.as_deref(),
        Command::Type(typed) => typed.record_as.as_deref(),
        _ => None,
    }
}

/// The command with another text to enter, recorded as it stands.
fn with_text(command: &Command, text: &str) -> Option<Command> {
    let mut command = command.clone();
    let place = match &mut command {
        Command::Fill(fill) => {
            fill.record_as = None;
            Some(&mut fill.words.0.text)
        }
        Command::Type(typed) => {
            typed.record_as = None;
            Some(&mut typed.text)
        }
        Command::Find(find) => find.words.0.value.as_mut(),
        Command::Alert(alert) => alert.text.as_mut(),
        Command::Clipboard(clipboard) => match &mut clipboard.words.0 {
            ClipboardWords::Write { text } => Some(text),
            ClipboardWords::Read => None,
        },
        _ => None,
    };
    *place? = text.to_owned();
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        Command::from_line(line).unwrap()
    }

    #[test]
    fn a_command_is_written_as_a_person_would() {
        for (given, line) in [
            ("press 'label=\"Save all\"' --count 2", "press 'label=\"Save all\"' --count 2"),
            ("tap id=save", "press id=save"),
            ("fill id=name 'Ada Lovelace'", "fill id=name \"Ada Lovelace\""),
            ("fill id=name ''", "fill id=name \"\""),
            ("type -- -5", "type -- -5"),
            ("swipe 1 2 3 -4", "swipe 1 2 3 -4"),
        ] {
            assert_eq!(line_of(&command(given)).as_deref(), Some(line), "{given}");
        }
    }

    #[test]
    fn what_cannot_stand_in_a_script_is_not_written() {
        for line in
            ["press @e5", "gesture drag id=a @e5", "wait @e5", "scroll down --in @e5", "daemon stop", "close --all"]
        {
            assert_eq!(line_of(&command(line)), None, "{line}");
        }
    }

    #[test]
    fn a_text_that_nobody_may_read_is_written_as_its_variable() {
        for (given, line) in [
            ("fill id=password hunter2", "fill id=password ${PASSWORD}"),
            ("type 'hunter2 \"'", "type ${PASSWORD}"),
            ("type hunter2 --record-as PASSWORD", "type ${PASSWORD}"),
            ("find label Password fill hunter2", "find label Password fill ${PASSWORD}"),
            ("clipboard write hunter2", "clipboard write ${PASSWORD}"),
            ("alert accept --text hunter2", "alert accept --text ${PASSWORD}"),
        ] {
            assert_eq!(line_with(&command(given), "PASSWORD").as_deref(), Some(line), "{given}");
        }
        assert_eq!(line_of(&command("fill id=p hunter2 --record-as P")).as_deref(), Some("fill id=p ${P}"));
        assert_eq!(line_with(&command("press id=a"), "P"), None);
    }

    #[test]
    fn what_was_only_to_be_shown_is_left_out() {
        let shown = command("press id=a --settle --settle-quiet-ms 5 --verify --count 2");
        assert_eq!(line_of(&plainly(&shown)).as_deref(), Some("press id=a --count 2"));
        let armed = command("open demo --relaunch --save-script=x.ad --force");
        assert_eq!(line_of(&plainly(&armed)).as_deref(), Some("open demo --relaunch"));
        assert_eq!(line_of(&armed), None);
    }
}
