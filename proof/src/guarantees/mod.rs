//! Scenarios made from the table of guarantees: one or more for every cell that is kept, on every platform.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | what a scenario is, which cells have which, and how one is played |
//! | [`refused`] | what must be turned down, by each way |
//! | [`done`] | what must be done once, and what the answer says of it |
//! | [`ground`] | the three platforms with the screens of `assets/guarantees.toml` |
//! | [`pages`] | those screens as pages |
//!
//! Guarantees and ways are matched case by case: a new one of either compiles only once its scenarios are decided.

pub mod done;
pub mod ground;
pub mod pages;
pub mod refused;

use contract::{Row, view::Platform};
use daemon::interaction::guarantees::{Cell, Guarantee, Path};

use crate::{drivers, seen::Told};
use ground::Ground;

/// One thing that a cell promises, played on one platform.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Which screen is shown.
    pub screen: &'static str,
    /// Lines that must work first.
    pub before: Vec<String>,
    /// The line. `{ref NAME}` stands for a pinned ref, taken before the lines that go first; `{point ID}` for the middle of
    /// an element.
    pub line: String,
    /// What must come of it.
    pub expect: Expect,
    /// Platforms that have no such thing.
    pub not_on: Vec<Platform>,
}

/// What must come of a line.
#[derive(Debug, Clone)]
pub enum Expect {
    /// Turned down under this row, `dispatched: no`; the app saw nothing.
    Refused(Row),
    /// As [`Expect::Refused`], under whichever of these rows comes first: a device that holds a press against the screen itself
    /// sees a change before the daemon looks again.
    RefusedAs(&'static [Row]),
    /// A failure under this row although something was sent.
    Failed(Row),
    /// The same as [`Expect::Refused`] with a screen that comes back empty.
    Empty(Row),
    /// Done; the answer holds something at each of these pointers.
    Answers(&'static [&'static str]),
    /// Done, by so many contacts that came down on this element.
    Touches(&'static str, u32),
    /// Done, and this line then holds.
    Then(&'static str),
    /// As [`Expect::Touches`], by a script's request that may wait.
    Waits(&'static str, u32),
    /// The drivers of these rows, which the test of the golden table runs, bring it about: it takes a change at a moment that no
    /// line can choose.
    Rows(&'static [Row]),
}

/// The scenarios of a cell: none where nothing is promised.
pub fn scenarios(path: Path, guarantee: Guarantee) -> Vec<Scenario> {
    if !path.guarantees().of(guarantee).is_kept() {
        return Vec::new();
    }
    match guarantee {
        Guarantee::Disambiguation
        | Guarantee::Identity
        | Guarantee::Occlusion
        | Guarantee::KeyboardOcclusion
        | Guarantee::TouchPoint
        | Guarantee::OffScreen
        | Guarantee::Viewport
        | Guarantee::Usable
        | Guarantee::Screen
        | Guarantee::Disclosure => refused::scenarios(path, guarantee),
        Guarantee::Readiness | Guarantee::Once | Guarantee::Resolution | Guarantee::Evidence | Guarantee::Settle => {
            done::scenarios(path, guarantee)
        }
    }
}

/// Whether the cell holds on a platform: the way exists there, and no exception names it.
pub fn holds_on(path: Path, guarantee: Guarantee, platform: Platform) -> bool {
    let mut of = *path.guarantees().of(guarantee);
    // The exceptions of a delegated cell are those of the cell it is delegated to.
    for _ in Path::ALL {
        if let Cell::Delegated(to) = of {
            of = *to.guarantees().of(guarantee);
        }
    }
    let excepted = matches!(of, Cell::Kept { except, .. } if except.iter().any(|(on, _)| *on == platform));
    path.platforms().contains(&platform) && of.is_kept() && !excepted
}

/// Plays a scenario; what was wrong.
pub async fn play(ground: &mut Ground<'_>, scenario: &Scenario) -> Result<(), String> {
    if let Expect::Rows(rows) = scenario.expect {
        let driven = |row: &&Row| drivers::all().any(|driver| driver.row == **row);
        let missing: Vec<_> = rows.iter().filter(|row| !driven(row)).collect();
        return if missing.is_empty() { Ok(()) } else { Err(format!("no driver for {missing:?}")) };
    }
    ground.show(scenario.screen).await;
    let line = written(ground, &scenario.line).await;
    for before in &scenario.before {
        ground.session().run(before).await.map_err(|told| format!("{before}, before {line}: {:#}", told.error))?;
    }
    let landed = ground.landed();
    match &scenario.expect {
        Expect::Refused(row) => refused(&line, ground.session().run(&line).await, &[*row])?,
        Expect::RefusedAs(rows) => refused(&line, ground.session().run(&line).await, rows)?,
        Expect::Empty(row) => {
            if !ground.empties() {
                return Ok(());
            }
            refused(&line, ground.session().run(&line).await, &[*row])?;
        }
        Expect::Failed(row) => match ground.session().run(&line).await {
            Err(told) if told.row.as_deref() == Some(row.id()) => return Ok(()),
            other => return Err(format!("{line}: {row} is meant, it came to {other:?}")),
        },
        Expect::Answers(pointers) => {
            let answer = ground.session().run(&line).await.map_err(|told| format!("{line}: {:#}", told.error))?;
            let missing: Vec<_> =
                pointers.iter().filter(|at| answer.pointer(at).is_none_or(|it| it.is_null())).collect();
            return if missing.is_empty() { Ok(()) } else { Err(format!("{line}: no {missing:?} in {answer:#}")) };
        }
        Expect::Touches(id, times) | Expect::Waits(id, times) => {
            let before = ground.touches(id);
            let waits = matches!(scenario.expect, Expect::Waits(..));
            let run = if waits { ground.scripted(&line).await } else { ground.session().run(&line).await };
            let answer = run.map_err(|told| format!("{line}: {:#}", told.error))?;
            if waits && answer.pointer("/readiness/polls").is_none() {
                return Err(format!("{line}: it did not have to wait: {answer}"));
            }
            let touched = ground.touches(id) - before;
            return if touched == *times { Ok(()) } else { Err(format!("{line}: {touched} contacts on {id}")) };
        }
        Expect::Then(then) => {
            ground.session().run(&line).await.map_err(|told| format!("{line}: {:#}", told.error))?;
            let held = ground.session().run(then).await;
            return held.map(drop).map_err(|told| format!("{line}, then {then}: {:#}", told.error));
        }
        Expect::Rows(_) => {}
    }
    let after = ground.landed();
    if after != landed {
        return Err(format!("{line}: turned down, and {} inputs reached the app", after - landed));
    }
    Ok(())
}

fn refused(line: &str, told: Result<serde_json::Value, Told>, rows: &[Row]) -> Result<(), String> {
    let meant = |row: &Option<String>| rows.iter().any(|meant| row.as_deref() == Some(meant.id()));
    match told {
        Err(told) if meant(&told.row) && told.dispatched == "no" => Ok(()),
        Err(told) => Err(format!("{line}: {rows:?} is meant, it was turned down as {:#}", told.error)),
        Ok(answer) => Err(format!("{line}: {rows:?} is meant, it was done: {answer}")),
    }
}

/// The line with its refs and points filled in.
async fn written(ground: &Ground<'_>, line: &str) -> String {
    let mut line = line.to_owned();
    while let Some((start, end)) = line.find('{').zip(line.find('}')) {
        let word = line.get(start + 1..end).unwrap_or_default();
        let value = match word.split_once(' ') {
            Some(("ref", name)) => ground.pinned(name).await,
            Some(("point", id)) => ground.point(id).await,
            _ => panic!("{line}: {word:?} stands for nothing"),
        };
        line.replace_range(start..=end, &value);
    }
    line
}
