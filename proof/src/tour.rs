//! A site that nobody of this project wrote, driven by what a new user types.

use std::{env, path::Path};

use serde_json::Value;

use crate::{
    pages::{
        archive::{Cache, Missing},
        listing,
        server::Server,
    },
    program::{Ended, Program},
    seen::Told,
};

/// The site, served on this machine, and the real program.
#[derive(Debug)]
pub struct Tour {
    program: Program,
    server: Server,
}

impl Tour {
    /// `None`, with the reason on standard output: there is no browser here, or the archives cannot be had.
    ///
    /// # Panics
    /// Where an archive should be there and is not.
    pub async fn of(site: &str) -> Option<Self> {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        if is_set("AGENT_DEVICE_TEST_WITHOUT_BROWSER") {
            println!("skipped: there is no browser (AGENT_DEVICE_TEST_WITHOUT_BROWSER)");
            return None;
        }
        let (site, archives) = listing::site(site);
        let folder = match Cache::from_environment().unpacked(&archives).await {
            Ok(folder) => folder,
            Err(Missing::LeftOut(why)) => {
                println!("skipped: {why}");
                return None;
            }
            Err(Missing::Broken(why)) => panic!("{}: {why}", site.id),
        };
        Some(Self { program: Program::new(), server: Server::of(&folder, site.aliases).await })
    }

    /// The folder that the user works in.
    pub fn folder(&self) -> &Path {
        self.program.folder()
    }

    /// Opens a page of the site; `more`: further flags.
    pub async fn open(&self, page: &str, more: &str) -> String {
        self.types(&format!("open {}/{page} {more}", self.server.url)).await
    }

    /// Types a command that must work: what it prints.
    ///
    /// # Panics
    /// Where it fails.
    pub async fn types(&self, line: &str) -> String {
        let ended = self.program.run(&words(line)).await;
        assert_eq!(ended.code, 0, "$ agent-device {line}\n{}{}", ended.out, ended.err);
        ended.out
    }

    /// The data of a command that must work, with `--json`.
    pub async fn asks(&self, line: &str) -> Value {
        self.program.does(&words(line)).await
    }

    /// A command that must be refused with nothing sent, typed twice: for people and with `--json`.
    ///
    /// # Panics
    /// Where it works, or either answer does not say that nothing was sent.
    pub async fn is_refused(&self, line: &str, code: &str) -> Told {
        let words = words(line);
        let Ended { code: exit, err, .. } = self.program.run(&words).await;
        assert!(exit == 1 || exit == 2, "$ agent-device {line}: exit code {exit}\n{err}");
        assert!(err.contains(&format!("Error ({code})")), "$ agent-device {line}\n{err}");
        assert!(err.contains("Dispatched: no\n"), "$ agent-device {line}\n{err}");
        let (exit_with_json, told) = self.program.fails(&words).await;
        assert_eq!(
            (exit_with_json, told.code.as_str(), told.dispatched.as_str()),
            (exit, code, "no"),
            "{:#}",
            told.error
        );
        told
    }

    /// The full snapshot.
    pub async fn screen(&self) -> String {
        self.types("snapshot --force-full").await
    }

    /// The ref at the beginning of the `nth` line (from 0) of the full snapshot that holds `text`.
    ///
    /// # Panics
    /// Where there is none.
    pub async fn nth_ref(&self, text: &str, nth: usize) -> String {
        let screen = self.screen().await;
        let line = screen.lines().filter(|line| line.contains(text)).nth(nth);
        let line = line.unwrap_or_else(|| panic!("no line {nth} with {text} in\n{screen}"));
        line.split_whitespace().next().unwrap_or_default().to_owned()
    }

    /// The middle of an element, px.
    ///
    /// # Panics
    /// Where it has no box.
    pub async fn middle(&self, target: &str) -> (i64, i64) {
        let rect = &self.asks(&format!("get attrs {target}")).await["rect"];
        let number = |key: &str| rect[key].as_f64().unwrap_or_else(|| panic!("{target}: {rect}"));
        ((number("x") + number("width") / 2.0).round() as i64, (number("y") + number("height") / 2.0).round() as i64)
    }

    /// Closes everything, and checks that nothing stays and that every failure said what it must.
    pub async fn end(self) {
        self.types("close").await;
        self.program.end().await;
    }
}

/// The words of a line, as a shell takes them apart.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start_matches(' ');
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '\'' | '"' => rest[1..].split_once(first).unwrap_or_else(|| panic!("no end of {first} in {line}")),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word);
        rest = after.trim_start_matches(' ');
    }
    words
}
