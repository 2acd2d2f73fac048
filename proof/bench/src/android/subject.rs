//! How each tool is asked for the same thing.

use super::phone::Phone;
use crate::call::{Called, Tool};

/// Whose words are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ours,
    Npm,
}

/// A tool with the app open on its device.
pub struct Subject<'a> {
    kind: Kind,
    tool: &'a Tool,
    phone: &'a Phone,
    presses: u32,
    /// Commands so far.
    pub commands: usize,
}

impl<'a> Subject<'a> {
    /// Opens the app and goes to the screen that is measured.
    ///
    /// # Errors
    /// What the tool said.
    pub fn open(kind: Kind, tool: &'a Tool, phone: &'a Phone) -> Result<Self, String> {
        let mut subject = Self { kind, tool, phone, presses: phone.presses(), commands: 0 };
        match kind {
            Kind::Ours => {
                subject.must(&["open", phone.app.package(), "--platform", "android", "--device", phone.serial()])?
            }
            Kind::Npm => subject.must(&["open", phone.app.package()])?,
        };
        if let Some(way) = phone.app.way() {
            subject.must(&["press", &format!("label={way:?}")])?;
        }
        Ok(subject)
    }

    /// A command that needs the daemon and no device.
    ///
    /// # Errors
    /// What the tool said.
    pub fn sessions(&mut self) -> Result<Called, String> {
        self.must(&["session", "list"])
    }

    /// What is in front.
    ///
    /// # Errors
    /// What the tool said.
    pub fn appstate(&mut self) -> Result<Called, String> {
        let called = self.must(&["appstate"])?;
        if called.out.contains(self.phone.app.package()) {
            Ok(called)
        } else {
            Err(format!("appstate: {}", called.out))
        }
    }

    /// Everything in view that takes input, in full.
    ///
    /// # Errors
    /// What the tool said, or that buttons are missing.
    pub fn snapshot(&mut self) -> Result<Called, String> {
        let called = match self.kind {
            // In full even if nothing changed, as the other does.
            Kind::Ours => self.must(&["snapshot", "-i", "--force-full"])?,
            Kind::Npm => self.must(&["snapshot", "-i"])?,
        };
        let (shown, wanted) =
            (called.out.lines().filter(|line| line.contains("[button]")).count(), self.phone.app.buttons());
        if shown == wanted {
            Ok(called)
        } else {
            Err(format!("{:?}: the snapshot shows {shown} of {wanted} buttons", self.kind))
        }
    }

    /// A press by a ref from a snapshot just taken, which is not part of the time.
    ///
    /// # Errors
    /// What the tool said, or that the press did not arrive exactly once.
    pub fn press(&mut self) -> Result<Called, String> {
        let target = self.target()?;
        self.press_at(&target)
    }

    /// A press by a ref that is known.
    ///
    /// # Errors
    /// As [`Self::press`].
    pub fn press_at(&mut self, target: &str) -> Result<Called, String> {
        let called = self.must(&["press", target])?;
        self.presses += 1;
        self.phone.arrived(self.presses).map_err(|why| format!("{:?}: {why}", self.kind))?;
        Ok(called)
    }

    /// The ref of the button that is pressed, from a new snapshot.
    ///
    /// # Errors
    /// As [`Self::snapshot`].
    pub fn target(&mut self) -> Result<String, String> {
        let snapshot = self.snapshot()?;
        let quoted = format!("{:?}", self.phone.app.target().0);
        let line = snapshot.out.lines().find(|line| line.contains(&quoted));
        let word = line.and_then(|line| line.split_whitespace().find(|word| word.starts_with("@e")));
        word.map(str::to_owned).ok_or_else(|| format!("{:?}: the snapshot does not show {quoted}", self.kind))
    }

    fn must(&mut self, words: &[&str]) -> Result<Called, String> {
        self.commands += 1;
        let words = match self.kind {
            Kind::Ours => words.to_vec(),
            Kind::Npm => [words, ["--platform", "android", "--serial", self.phone.serial()].as_slice()].concat(),
        };
        self.tool.must(&words)
    }
}
