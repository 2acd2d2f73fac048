//! Tables and bars, printed as they come.

use std::{
    io::{self, Write},
    process::ExitCode,
};

/// What was printed so far, and whether every bar held.
pub struct Report {
    missed: Vec<String>,
    held: usize,
}

/// A Markdown table under way.
pub struct Table {
    columns: usize,
}

impl Report {
    pub const fn new() -> Self {
        Self { missed: Vec::new(), held: 0 }
    }

    /// A line of text.
    pub fn line(&self, text: &str) {
        print(text);
    }

    /// A heading, and what kind of machine the durations below it come from.
    pub fn timed_heading(&self, text: &str) {
        self.heading(text);
        print(&format!("{}\n", crate::process::machine()));
    }

    /// A heading.
    pub fn heading(&self, text: &str) {
        print(&format!("\n## {text}\n"));
    }

    /// Opens a table; the first column is text, the others are figures.
    pub fn table(&self, columns: &[&str]) -> Table {
        print(&format!("| {} |\n|{}", columns.join(" | "), " --- |".repeat(columns.len())));
        Table { columns: columns.len() }
    }

    /// Notes a bar and says how it stands, for the cell beside the figure.
    pub fn bar(&mut self, what: &str, holds: bool) -> String {
        if holds {
            self.held += 1;
            "pass".to_owned()
        } else {
            self.missed.push(what.to_owned());
            "**FAIL**".to_owned()
        }
    }

    /// Says how many bars held; the exit code is 1 if one did not.
    pub fn end(self) -> ExitCode {
        if self.missed.is_empty() {
            print(&format!("\n{} of {} bars hold.", self.held, self.held));
            return ExitCode::SUCCESS;
        }
        print(&format!(
            "\n{} of {} bars hold. Missed: {}.",
            self.held,
            self.held + self.missed.len(),
            self.missed.join("; ")
        ));
        ExitCode::FAILURE
    }
}

impl Table {
    /// One row; missing cells stay empty.
    pub fn row(&self, cells: &[String]) {
        let empty = String::new();
        let cells: Vec<&str> =
            cells.iter().chain(std::iter::repeat(&empty)).take(self.columns).map(String::as_str).collect();
        print(&format!("| {} |", cells.join(" | ")));
    }
}

/// What goes on, for whoever waits; not part of the table.
pub fn progress(text: &str) {
    let _nobody_looks = writeln!(io::stderr().lock(), "{text}");
}

/// Why there is no result.
pub fn complain(why: &str) {
    progress(&format!("bench: {why}"));
}

fn print(text: &str) {
    let mut out = io::stdout().lock();
    // Nobody reads it any more: the exit code still tells.
    let _broken = writeln!(out, "{text}").and_then(|()| out.flush());
}
