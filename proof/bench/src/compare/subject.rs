//! How each tool is asked for the same thing.

use crate::{
    call::{Called, Tool},
    site::{BUTTONS, LABEL, Site},
};

/// Whose words are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ours,
    AgentDevice,
    AgentBrowser,
}

/// A tool with the page open in it.
pub struct Subject<'a> {
    pub kind: Kind,
    tool: &'a Tool,
    site: &'a Site,
    presses: usize,
    /// Commands so far.
    pub commands: usize,
}

impl Kind {
    /// As the page's server knows it.
    const fn visitor(self) -> &'static str {
        match self {
            Kind::Ours => "ours",
            Kind::AgentDevice => "agent-device-npm",
            Kind::AgentBrowser => "agent-browser",
        }
    }

    /// As the table names it.
    pub const fn title(self) -> &'static str {
        match self {
            Kind::Ours => "ours",
            Kind::AgentDevice => "agent-device 0.21.5 (npm)",
            Kind::AgentBrowser => "agent-browser 0.27.1",
        }
    }
}

impl<'a> Subject<'a> {
    /// Opens the page.
    ///
    /// # Errors
    /// What the tool said.
    pub fn open(kind: Kind, tool: &'a Tool, site: &'a Site) -> Result<Self, String> {
        let mut subject = Self { kind, tool, site, presses: 0, commands: 0 };
        let address = site.address(kind.visitor());
        match kind {
            Kind::Ours | Kind::AgentDevice => subject.must(&["open", &address, "--platform", "web"])?,
            Kind::AgentBrowser => subject.must(&["open", &address])?,
        };
        Ok(subject)
    }

    /// A command that needs the daemon and no device; agent-browser's own list of sessions does not ask its daemon.
    ///
    /// # Errors
    /// What the tool said.
    pub fn sessions(&mut self) -> Result<Called, String> {
        self.must(&["session", "list"])
    }

    /// Everything on the page that takes input, in full.
    ///
    /// # Errors
    /// What the tool said, or that buttons are missing.
    pub fn snapshot(&mut self) -> Result<Called, String> {
        let called = match self.kind {
            // In full even if nothing changed, as the others do.
            Kind::Ours => self.must(&["snapshot", "-i", "--force-full"])?,
            Kind::AgentDevice => self.must(&["snapshot", "-i", "--platform", "web"])?,
            Kind::AgentBrowser => self.must(&["snapshot", "-i"])?,
        };
        let shown = called.out.lines().filter(|line| line.contains("button")).count();
        if shown == BUTTONS {
            Ok(called)
        } else {
            Err(format!("{}: the snapshot shows {shown} of {BUTTONS} buttons", self.kind.title()))
        }
    }

    /// A press by a ref from a snapshot just taken, which is not part of the time.
    ///
    /// # Errors
    /// What the tool said, or that the press did not arrive exactly once.
    pub fn click_ref(&mut self) -> Result<Called, String> {
        let snapshot = self.snapshot()?;
        let target = self.target(&snapshot.out)?;
        self.click(&match self.kind {
            Kind::Ours | Kind::AgentBrowser => vec!["click", &target],
            Kind::AgentDevice => vec!["click", &target, "--platform", "web"],
        })
    }

    /// A press by what the button says.
    ///
    /// # Errors
    /// What the tool said, or that the press did not arrive exactly once.
    pub fn click_label(&mut self) -> Result<Called, String> {
        let selector = format!("label={LABEL:?}");
        self.click(&match self.kind {
            Kind::Ours => vec!["click", &selector],
            Kind::AgentDevice => vec!["click", &selector, "--platform", "web"],
            Kind::AgentBrowser => vec!["find", "role", "button", "click", "--name", LABEL],
        })
    }

    /// The same where the tool may fail at it: how long it took either way.
    ///
    /// # Errors
    /// Where the tool cannot be started.
    pub fn click_label_if_it_can(&mut self) -> Result<Called, String> {
        let selector = format!("label={LABEL:?}");
        self.commands += 1;
        let called = self.tool.call(&["click", &selector, "--platform", "web"])?;
        self.presses = self.site.presses(self.kind.visitor());
        Ok(called)
    }

    fn click(&mut self, words: &[&str]) -> Result<Called, String> {
        let called = self.must(words)?;
        self.presses += 1;
        self.site.arrived(self.kind.visitor(), self.presses)?;
        Ok(called)
    }

    fn must(&mut self, words: &[&str]) -> Result<Called, String> {
        self.commands += 1;
        self.tool.must(words)
    }

    /// The button's ref, as a word of the command line.
    fn target(&self, snapshot: &str) -> Result<String, String> {
        let quoted = format!("{LABEL:?}");
        let line = snapshot.lines().find(|line| line.contains(&quoted));
        let found = line.and_then(|line| match self.kind {
            Kind::Ours | Kind::AgentDevice => {
                line.split_whitespace().find(|word| word.starts_with("@e")).map(str::to_owned)
            }
            Kind::AgentBrowser => line.split_once("ref=").map(|(_, rest)| format!("@{}", rest.trim_end_matches(']'))),
        });
        found.ok_or_else(|| format!("{}: the snapshot does not show {quoted}", self.kind.title()))
    }
}
