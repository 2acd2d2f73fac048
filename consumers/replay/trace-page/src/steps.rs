//! Which steps the page shows, and which commands each of them sent.

use std::collections::{HashMap, HashSet};

use contract::trace::{Aimed, Entry, Network, Screen, Timing};
use flow::{AskRecord, Status, StepRecord};
use serde::Serialize;

use crate::{explain::Explained, page::Run, pictures::Pictures, pictures::Want, trees::Trees};

/// Pictures of so many steps before a failure are wanted more than others.
const BEFORE_FAILURE: usize = 3;

/// A step on the page. Its place in the list is its number for the page.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// As the flow counts; `None` for a command that no step of the flow sent.
    pub number: Option<u32>,
    /// Place in the list of the step that it is part of.
    pub parent: Option<usize>,
    /// `login.ad:12`; empty where it stands in no file.
    pub place: String,
    /// As a person reads it.
    pub text: String,
    /// How it ended.
    pub status: Status,
    /// ms since the run began.
    pub started_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// What else is to be said.
    pub notes: Vec<String>,
    /// Why it failed or was let pass.
    pub failure: Option<Explained>,
    /// What it sent, in order.
    pub calls: Vec<Call>,
}

/// A command that a step sent.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// The request's id.
    pub request: String,
    /// The command's name.
    pub command: String,
    /// As a person would type it; empty where the trace does not have it.
    pub line: String,
    /// ms since the run began.
    pub started_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// Whether it worked.
    pub ok: bool,
    /// What was done, or how it failed.
    pub message: String,
    /// How it failed.
    pub failure: Option<Explained>,
    /// Where the time went; `None` where the trace does not have it.
    pub timing: Option<Timing>,
    /// What it aimed at.
    pub target: Option<Aimed>,
    /// The screen before.
    pub before: Option<Seen>,
    /// The screen after.
    pub after: Option<Seen>,
    /// Lines that the app's log gained.
    pub log: Vec<String>,
    /// What the app asked of the network; `None` where nobody knows.
    pub network: Option<Network>,
    /// What a reader should know of the trace here: a picture that could not be taken.
    pub notes: Vec<String>,
}

/// A screen on the page.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// ms since the run began.
    pub at_ms: u64,
    /// Number in the page.
    pub picture: Option<usize>,
    /// Number in the page.
    pub tree: Option<usize>,
    /// Width and height that boxes and points are counted in.
    pub viewport: Option<[f64; 2]>,
    /// Title of the page or window.
    pub title: Option<String>,
}

/// What a page keeps of the folders, and what it could not.
#[derive(Debug, Default)]
pub struct Kept {
    /// Each once.
    pub pictures: Pictures,
    /// Each once.
    pub trees: Trees,
    /// One sentence each.
    pub problems: Vec<String>,
}

/// The steps of a run in the order in which they began.
pub fn steps(run: &Run, kept: &mut Kept) -> Vec<Shown> {
    let entries: &[Entry] = run.trace.as_ref().map(|trace| trace.entries.as_slice()).unwrap_or_default();
    let by_request: HashMap<&str, &Entry> = entries.iter().map(|entry| (entry.request_id.as_str(), entry)).collect();
    let of_steps: HashSet<&str> =
        run.steps.iter().flat_map(|step| &step.asks).map(|ask| ask.request_id.as_str()).collect();
    let mut maker = Maker { run, kept };
    let mut shown = of_flow(&mut maker, &by_request);
    for entry in entries.iter().filter(|entry| !of_steps.contains(entry.request_id.as_str())) {
        insert(&mut shown, maker.alone(entry));
    }
    want_most(&shown, maker.kept);
    shown
}

fn of_flow(maker: &mut Maker<'_>, by_request: &HashMap<&str, &Entry>) -> Vec<Shown> {
    let places: HashMap<u32, usize> = maker.run.steps.iter().enumerate().map(|(at, step)| (step.number, at)).collect();
    let mut shown = Vec::new();
    for (at, step) in maker.run.steps.iter().enumerate() {
        let calls = step.asks.iter().map(|ask| match by_request.get(ask.request_id.as_str()) {
            Some(entry) => maker.call(entry),
            None => asked(ask),
        });
        let calls = calls.collect();
        // A parent stands before its parts; anything else would send the page round in a circle.
        let parent = step.parent.and_then(|number| places.get(&number).copied()).filter(|&parent| parent < at);
        shown.push(Shown {
            number: Some(step.number),
            parent,
            place: place(step),
            text: step.text.clone(),
            status: step.status,
            started_ms: step.started_ms,
            duration_ms: step.duration_ms,
            notes: step.notes.clone(),
            failure: step.failure.as_ref().map(Explained::of),
            calls,
        });
    }
    shown
}

fn place(step: &StepRecord) -> String {
    match (step.place.file.as_str(), step.place.line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}

/// Before the first step of the outermost level that began later.
fn insert(shown: &mut Vec<Shown>, step: Shown) {
    let at = shown.iter().position(|other| other.parent.is_none() && other.started_ms > step.started_ms);
    let at = at.unwrap_or(shown.len());
    for later in &mut *shown {
        later.parent = later.parent.map(|parent| if parent >= at { parent + 1 } else { parent });
    }
    shown.insert(at, step);
}

/// Says which pictures show failures.
fn want_most(shown: &[Shown], kept: &mut Kept) {
    for (at, _) in shown.iter().enumerate().filter(|(_, step)| step.status == Status::Failed) {
        for step in at.saturating_sub(BEFORE_FAILURE)..=at {
            let want = if step == at { Want::Failure } else { Want::NearFailure };
            let calls = shown.get(step).map(|step| step.calls.as_slice()).unwrap_or_default();
            for seen in calls.iter().flat_map(|call| [&call.before, &call.after]).flatten() {
                if let Some(picture) = seen.picture {
                    kept.pictures.want(picture, want);
                }
            }
        }
    }
}

/// A request that the trace does not have.
fn asked(ask: &AskRecord) -> Call {
    let failure = ask.failure.as_ref().map(Explained::of);
    Call {
        request: ask.request_id.clone(),
        command: ask.command.clone(),
        line: String::new(),
        started_ms: ask.started_ms,
        duration_ms: ask.duration_ms,
        ok: failure.is_none(),
        message: failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default(),
        failure,
        timing: ask.waited.map(|[_, wait_ms]| Timing { wait_ms, ..Timing::default() }),
        target: None,
        before: None,
        after: None,
        log: Vec::new(),
        network: None,
        notes: Vec::new(),
    }
}

struct Maker<'a> {
    run: &'a Run,
    kept: &'a mut Kept,
}

impl Maker<'_> {
    fn call(&mut self, entry: &Entry) -> Call {
        let failure = match (&entry.failure, entry.ok) {
            (Some(failure), _) => Some(Explained::of(failure)),
            (None, false) => Some(Explained::said(&entry.message)),
            (None, true) => None,
        };
        Call {
            request: entry.request_id.clone(),
            command: entry.command.clone(),
            line: entry.line.clone(),
            started_ms: entry.at_ms.saturating_sub(self.run.started_at_ms),
            duration_ms: entry.duration_ms,
            ok: entry.ok,
            message: entry.message.clone(),
            failure,
            timing: Some(entry.timing.clone()),
            target: entry.target.clone(),
            before: entry.before.as_ref().map(|screen| self.seen(screen)),
            after: entry.after.as_ref().map(|screen| self.seen(screen)),
            log: entry.log.clone(),
            network: entry.network.clone(),
            notes: entry.notes.clone(),
        }
    }

    /// A command that is a step of its own.
    fn alone(&mut self, entry: &Entry) -> Shown {
        let call = self.call(entry);
        Shown {
            number: self.run.steps.is_empty().then_some(entry.number),
            parent: None,
            place: String::new(),
            text: entry.line.clone(),
            status: if entry.ok { Status::Passed } else { Status::Failed },
            started_ms: call.started_ms,
            duration_ms: entry.duration_ms,
            notes: Vec::new(),
            failure: call.failure.clone(),
            calls: vec![call],
        }
    }

    fn seen(&mut self, screen: &Screen) -> Seen {
        let folder = self.run.trace.as_ref();
        let find = |name: &str| {
            let missing = || format!("{name:?} is no file of the trace's folder.");
            folder.and_then(|trace| trace.file(name)).ok_or_else(missing)
        };
        let picture = screen.picture.as_deref().map(|name| self.kept.pictures.add(&find(name)?));
        let tree = screen.tree.as_deref().map(|name| self.kept.trees.add(&find(name)?));
        Seen {
            at_ms: screen.at_ms.saturating_sub(self.run.started_at_ms),
            picture: self.kept.or_problem(picture),
            tree: self.kept.or_problem(tree),
            viewport: screen.viewport.map(|size| [size.width, size.height]),
            title: screen.title.clone(),
        }
    }
}

impl Kept {
    fn or_problem(&mut self, found: Option<Result<usize, String>>) -> Option<usize> {
        match found? {
            Ok(number) => Some(number),
            Err(problem) => {
                if !self.problems.contains(&problem) {
                    self.problems.push(problem);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use contract::trace::Header;
    use flow::Place;
    use serde_json::json;

    use super::*;
    use crate::Trace;

    fn entry(number: u32, at_ms: u64) -> Entry {
        Entry {
            number,
            request_id: format!("r{number}"),
            command: "press".into(),
            line: format!("press @e{number}"),
            at_ms: 1000 + at_ms,
            ok: true,
            ..Entry::default()
        }
    }

    fn step(number: u32, parent: Option<u32>, started_ms: u64, asks: &[&str]) -> StepRecord {
        let ask = |id: &&str| AskRecord {
            request_id: (*id).to_owned(),
            command: "press".into(),
            started_ms,
            duration_ms: 3,
            waited: Some([4, 600]),
            failure: None,
        };
        StepRecord {
            number,
            parent,
            place: Place { file: "a.ad".into(), line: number },
            text: format!("step {number}"),
            status: Status::Passed,
            started_ms,
            duration_ms: 3,
            asks: asks.iter().map(ask).collect(),
            failure: None,
            notes: Vec::new(),
        }
    }

    fn shown(steps_of_flow: Vec<StepRecord>, entries: Vec<Entry>) -> (Vec<Shown>, Kept) {
        let trace = Trace { header: None::<Header>, entries, ..Trace::default() };
        let run = Run { started_at_ms: 1000, steps: steps_of_flow, trace: Some(trace), ..Run::default() };
        let mut kept = Kept::default();
        let shown = steps(&run, &mut kept);
        (shown, kept)
    }

    #[test]
    fn without_a_flow_every_command_is_a_step() {
        let mut failed = entry(2, 30);
        (failed.ok, failed.message) = (false, "it broke".into());
        let (shown, _) = shown(Vec::new(), vec![entry(1, 10), failed]);
        let told: Vec<_> =
            shown.iter().map(|step| (step.number, step.text.as_str(), step.status, step.started_ms)).collect();
        assert_eq!(told, [(Some(1), "press @e1", Status::Passed, 10), (Some(2), "press @e2", Status::Failed, 30)]);
        assert_eq!(shown[1].failure.as_ref().unwrap().message, "It broke.");
    }

    #[test]
    fn requests_link_steps_with_what_the_trace_saw() {
        let (shown, _) = shown(vec![step(1, None, 5, &["r2", "lost"])], vec![entry(2, 6)]);
        assert_eq!(shown.len(), 1);
        let lines: Vec<_> = shown[0].calls.iter().map(|call| call.line.as_str()).collect();
        assert_eq!(lines, ["press @e2", ""]);
        assert_eq!(shown[0].calls[1].timing.as_ref().unwrap().wait_ms, 600);
    }

    #[test]
    fn what_no_step_sent_stands_between_the_steps_and_parts_keep_their_step() {
        let flow = vec![
            step(1, None, 10, &[]),
            step(2, Some(1), 11, &["r2"]),
            step(3, None, 40, &["r3"]),
            step(4, Some(3), 41, &[]),
        ];
        let (shown, _) = shown(flow, vec![entry(9, 30), entry(2, 12), entry(3, 42), entry(8, 0)]);
        let told: Vec<_> = shown.iter().map(|step| (step.number, step.parent)).collect();
        assert_eq!(
            told,
            [(None, None), (Some(1), None), (Some(2), Some(1)), (None, None), (Some(3), None), (Some(4), Some(4))]
        );
    }

    #[test]
    fn a_step_that_names_itself_or_a_later_one_as_its_whole_is_one_of_the_outermost() {
        let (shown, _) =
            shown(vec![step(1, Some(1), 1, &[]), step(2, Some(3), 2, &[]), step(3, Some(7), 3, &[])], Vec::new());
        assert!(shown.iter().all(|step| step.parent.is_none()));
    }

    #[test]
    fn a_screen_that_cannot_be_shown_is_named_once() {
        let mut one = entry(1, 1);
        let screen =
            Screen { picture: Some("../../x.png".into()), tree: Some("none.json".into()), ..Screen::default() };
        (one.before, one.after) = (Some(screen.clone()), Some(screen));
        let (shown, kept) = shown(Vec::new(), vec![one]);
        assert_eq!(shown[0].calls[0].before.as_ref().unwrap().picture, None);
        let told =
            ["\"../../x.png\" is no file of the trace's folder.", "\"none.json\" is no file of the trace's folder."];
        assert_eq!(kept.problems, told);
    }

    #[test]
    fn a_failure_that_the_request_alone_knows_is_shown() {
        let mut flow = step(1, None, 5, &["lost"]);
        flow.asks[0].failure =
            Some(json!({"code": "SESSION_LOST", "message": "it is gone", "details": {"dispatched": "unknown"}}));
        let (shown, _) = shown(vec![flow], Vec::new());
        let call = &shown[0].calls[0];
        assert_eq!((call.ok, call.failure.as_ref().unwrap().dispatched.as_str()), (false, "unknown"));
    }
}
