//! The files that a command's arguments name: what has to travel where the caller's files are not the device host's.

use super::{Batch, Command, RecordWords, Step, StepCall};
use crate::Failure;

/// What becomes of a file that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// The command reads it.
    Read,
    /// What is to be opened: a file only where it names one.
    Opened,
    /// The command, or a later one of the session, writes it.
    Written,
    /// The same, or it is a folder in which the daemon chooses the name.
    WrittenIn,
}

impl Command {
    /// Shows every such argument, to be changed; those in the steps of a batch too.
    ///
    /// # Errors
    /// What `visit` says; a batch with a step that cannot be read.
    pub fn named_files(
        &mut self,
        visit: &mut dyn FnMut(Named, &mut String) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Command::Open(open) => {
                open.app.iter_mut().try_for_each(|app| visit(Named::Opened, app))?;
                open.save_script.iter_mut().try_for_each(|script| visit(Named::WrittenIn, script))
            }
            Command::Upload(upload) => upload.words.0.files.iter_mut().try_for_each(|file| visit(Named::Read, file)),
            Command::Install(install) => visit(Named::Read, &mut install.path),
            Command::Reinstall(install) => visit(Named::Read, &mut install.path),
            Command::Push(push) => visit(Named::Read, &mut push.path),
            Command::Pull(pull) => pull.path.iter_mut().try_for_each(|path| visit(Named::Written, path)),
            Command::Screenshot(shot) => {
                shot.out.iter_mut().chain(&mut shot.path).try_for_each(|path| visit(Named::Written, path))
            }
            Command::Record(record) => match &mut record.words.0 {
                RecordWords::Start { path } => path.iter_mut().try_for_each(|path| visit(Named::Written, path)),
                RecordWords::Stop => Ok(()),
            },
            Command::Session(session) => session.path.iter_mut().try_for_each(|script| visit(Named::WrittenIn, script)),
            Command::Batch(batch) => in_steps(batch, visit),
            _ => Ok(()),
        }
    }
}

/// A step stays as it is written unless a file of it was changed.
fn in_steps(
    batch: &mut Batch,
    visit: &mut dyn FnMut(Named, &mut String) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let commands = batch.commands()?;
    let steps = batch.steps.iter_mut().flat_map(|steps| &mut steps.0);
    for (step, mut command) in steps.zip(commands) {
        let before = command.clone();
        command.named_files(visit)?;
        if command != before {
            *step = Step::Call(StepCall { command: command.spec().name.to_owned(), args: command.to_args() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(line: &str) -> Vec<(Named, String)> {
        let mut seen = Vec::new();
        let mut command = Command::from_line(line).unwrap();
        command
            .named_files(&mut |what, file| {
                seen.push((what, file.clone()));
                Ok(())
            })
            .unwrap();
        seen
    }

    #[test]
    fn every_argument_that_names_a_file_is_shown() {
        let one = |what: Named, file: &str| vec![(what, file.to_owned())];
        for (line, seen) in [
            ("open a.toml", one(Named::Opened, "a.toml")),
            ("open demo --save-script=/x.ad", [one(Named::Opened, "demo"), one(Named::WrittenIn, "/x.ad")].concat()),
            ("upload id=f /a /b", [one(Named::Read, "/a"), one(Named::Read, "/b")].concat()),
            ("install /a.apk", one(Named::Read, "/a.apk")),
            ("reinstall com.a /a.apk", one(Named::Read, "/a.apk")),
            ("push /a /sdcard/a", one(Named::Read, "/a")),
            ("pull /sdcard/a /a", one(Named::Written, "/a")),
            ("screenshot /a.png", one(Named::Written, "/a.png")),
            ("screenshot --out /a.png", one(Named::Written, "/a.png")),
            ("record start /a.mp4", one(Named::Written, "/a.mp4")),
            ("record stop", Vec::new()),
            ("session save-script /a.ad", one(Named::WrittenIn, "/a.ad")),
            ("press id=x", Vec::new()),
        ] {
            assert_eq!(named(line), seen, "{line}");
        }
    }

    #[test]
    fn files_in_a_batch_are_changed_and_the_other_steps_stay() {
        let steps = super::super::parse_steps(r#"["screenshot /a.png", "press id=x"]"#).unwrap();
        let mut command = Command::Batch(Batch { steps: Some(steps), steps_file: None });
        command
            .named_files(&mut |_, file| {
                *file = "/b.png".into();
                Ok(())
            })
            .unwrap();
        let Command::Batch(batch) = command else { unreachable!() };
        let steps = batch.steps.unwrap().0;
        assert!(matches!(&steps[0], Step::Call(call) if call.args["path"] == "/b.png"), "{steps:?}");
        assert_eq!(steps[1], Step::Line("press id=x".into()));
    }
}
