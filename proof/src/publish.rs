//! The page `docs/reference/reliability.md`, written from the figures of earlier runs.

use std::{fmt::Write, fs, io, path::Path};

use cut::{Figures, Line, Measures};

/// The page, from the workspace's folder on.
pub const PAGE: &str = "docs/reference/reliability.md";

const HEAD: &str = "<!-- Written by `cargo run -p proof -- publish`. A test compares it with proof/figures. -->

# Reliability, measured

What is promised in [failures](../guide/failures.md) is tried here: faults are injected between the program and real parts, and what the
*device itself* counted is held against what the caller was told. Each table names the command that makes it again, and writes its
figures to `proof/figures`.

Five promises are counted. A figure other than 0 in their columns is a fault of the program:

| column | broken when |
| --- | --- |
| twice | more reached the device than was asked for |
| false `no` | the caller was told `no`, and something reached the device |
| false success | the caller was told that it worked, and the device did not do all of it |
| stuck | the session could not be used afterwards, and nothing said how to recover |
| hangs | no answer within the command's limit |

`no`, `unknown` and *resolved* are outcomes, not faults: *resolved* is a lost reply whose real result was found out afterwards, without
sending anything again.
";

const QUICK: &str = "
## In ten minutes

A share of everything, on a machine where `./test` has run once:

```sh
cargo run --release -p proof -- cut all --places 6
cargo run --release -p proof -- simulate --seeds 2000
cargo run --release -p proof -- resolve --places 6
```

Both a seed and a place decide a trial completely: a broken promise is printed with the command that repeats it.
";

/// Everything that is to stand on the page.
#[derive(Debug, Default)]
pub struct Published {
    /// Faults between two programs, and the simulation.
    pub faults: Vec<Figures>,
    /// How many lost replies were resolved.
    pub resolved: Vec<Figures>,
    /// Whatever else was measured.
    pub measures: Vec<Measures>,
}

impl Published {
    /// Reads a folder of figures. What kind a file is stands in its name: `cut-*` and `simulate*` are faults, `resolve-*`
    /// resolutions, all others measures.
    ///
    /// # Errors
    /// A file that does not fit its kind.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut published = Self::default();
        let mut paths: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let told = |why: io::Error| io::Error::new(why.kind(), format!("{}: {why}", path.display()));
            if name.starts_with("cut-") || name.starts_with("simulate") {
                published.faults.push(Figures::read(path).map_err(told)?);
            } else if name.starts_with("resolve-") {
                published.resolved.push(Figures::read(path).map_err(told)?);
            } else {
                published.measures.push(Measures::read(path).map_err(told)?);
            }
        }
        Ok(published)
    }

    /// The page.
    pub fn page(&self) -> String {
        let mut page = HEAD.to_owned();
        page.push_str("\n## All of it\n\n");
        page.push_str(TABLE_HEAD);
        for figures in &self.faults {
            row(&mut page, &figures.part, &sum(figures));
        }
        page.push_str(QUICK);
        for figures in &self.faults {
            section(&mut page, figures);
            page.push_str(TABLE_HEAD);
            for line in &figures.lines {
                row(&mut page, &format!("`{}`", line.operation), line);
            }
        }
        if !self.resolved.is_empty() {
            page.push_str(RESOLVE_HEAD);
        }
        for figures in &self.resolved {
            section(&mut page, figures);
            resolutions(&mut page, figures);
        }
        for measures in &self.measures {
            measured(&mut page, measures);
        }
        page
    }
}

const TABLE_HEAD: &str =
    "| | faults | done | resolved | `no` | `unknown` | twice | false `no` | false success | stuck | hangs |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

const RESOLVE_HEAD: &str = "
## Lost replies that were resolved

The device lives, it was handed a command, and the reply never comes. A journal on the device, or a key that the server honours, can
still tell what became of it. Counted as certain: the real result, or a proven `no`. *Wrong* is a result that the device contradicts.
";

fn sum(figures: &Figures) -> Line {
    let mut all = Line::default();
    for line in &figures.lines {
        all.injected += line.injected;
        all.done += line.done;
        all.resolved += line.resolved;
        all.no += line.no;
        all.unknown += line.unknown;
        all.twice += line.twice;
        all.false_no += line.false_no;
        all.false_success += line.false_success;
        all.stuck += line.stuck;
        all.hangs += line.hangs;
        all.malformed += line.malformed;
    }
    all
}

fn row(page: &mut String, name: &str, line: &Line) {
    let Line { injected, done, resolved, no, unknown, twice, false_no, false_success, stuck, hangs, .. } = line;
    let counts = [injected, done, resolved, no, unknown, twice, false_no, false_success, stuck, hangs]
        .map(|count| grouped(*count))
        .join(" | ");
    let _ = writeln!(page, "| {name} | {counts} |");
}

fn section(page: &mut String, figures: &Figures) {
    let Figures { part, faults, real, command, sampled, seconds, .. } = figures;
    let _ = write!(page, "\n### {part}\n\n{faults}\n\nReal: {real}\n\n");
    if let Some(sampled) = sampled {
        let _ = write!(page, "Not every place was tried: {sampled}\n\n");
    }
    let _ = write!(page, "`{command}` ({})\n\n", time(*seconds));
}

fn resolutions(page: &mut String, figures: &Figures) {
    page.push_str("| | lost replies | result | proven `no` | left `unknown` | certain | wrong |\n");
    page.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    let all = sum(figures);
    for (name, line) in
        figures.lines.iter().map(|line| (format!("`{}`", line.operation), line)).chain([("all".into(), &all)])
    {
        let certain = line.done + line.resolved + line.no;
        let share = if line.injected == 0 { 0.0 } else { certain as f64 * 100.0 / line.injected as f64 };
        let wrong = line.twice + line.false_no + line.false_success;
        let _ = writeln!(
            page,
            "| {name} | {} | {} | {} | {} | {share:.2} % | {} |",
            grouped(line.injected),
            grouped(line.done + line.resolved),
            grouped(line.no),
            grouped(line.unknown),
            grouped(wrong),
        );
    }
}

fn measured(page: &mut String, measures: &Measures) {
    let Measures { part, how, real, command, seconds, lines } = measures;
    let _ = write!(page, "\n## {part}\n\n{how}\n\nReal: {real}\n\n`{command}` ({})\n\n", time(*seconds));
    page.push_str("| | value | asked for | holds |\n| --- | --- | --- | --- |\n");
    for line in lines {
        let holds = if line.holds { "yes" } else { "**no**" };
        let _ = writeln!(page, "| {} | {} | {} | {holds} |", line.name, line.value, line.bar);
    }
}

/// `1,234,567`, as a reader can take it in.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn time(seconds: u64) -> String {
    if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_and_times_are_rounded_up() {
        assert_eq!((grouped(0), grouped(999), grouped(1_234_567)), ("0".into(), "999".into(), "1,234,567".into()));
        assert_eq!((time(119), time(121)), ("119 s".into(), "3 min".into()));
    }

    #[test]
    fn a_broken_promise_stands_in_the_sums() {
        let line =
            |operation: &str, false_no| Line { operation: operation.into(), injected: 5, false_no, ..Line::default() };
        let figures = Figures {
            part: "Part".into(),
            faults: "x".into(),
            real: "x".into(),
            command: "x".into(),
            sampled: None,
            seconds: 1,
            lines: vec![line("press", 0), line("fill", 2)],
        };
        let page = Published { faults: vec![figures], ..Published::default() }.page();
        assert!(page.contains("| Part | 10 | 0 | 0 | 0 | 0 | 0 | 2 | 0 | 0 | 0 |"), "{page}");
        assert!(page.contains("| `fill` | 5 | 0 | 0 | 0 | 0 | 0 | 2 |"), "{page}");
    }
}
