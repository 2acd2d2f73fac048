//! What is said: before anything is written, and afterwards.

use contract::request::Answer;
use serde_json::{Value, json};

use crate::{
    Agent, Place,
    agents::NAME,
    plan::{File, Outcome, Plan, What},
};

/// `--print`: every file, and the lines that would change.
pub fn plan(plan: &Plan, place: &Place) -> Answer {
    Answer::new(data(plan, place, false), shown(plan, place))
}

/// The same as a question.
pub fn question(plan: &Plan, place: &Place) -> String {
    let count = plan.files.iter().filter(|file| file.changes()).count();
    let files = if count == 1 { "this file".to_owned() } else { format!("these {count} files") };
    format!("{}\nWrite {files}? [y/N] ", shown(plan, place))
}

/// Somebody said no.
pub fn nothing() -> Answer {
    Answer::new(json!({"written": false, "files": []}), "Nothing was written")
}

/// What was done.
pub fn done(plan: &Plan, place: &Place) -> Answer {
    let mut text = String::new();
    for file in &plan.files {
        let (path, what) = (place.shown(&file.path), what(file));
        text.push_str(&match &file.outcome {
            Outcome::New => format!("Wrote {path}: {what}\n"),
            Outcome::Changed => format!("Added to {path}: {what}\n"),
            Outcome::Replaced(there) => format!("Replaced in {path}: {what}, which was {there}\n"),
            Outcome::Same => format!("Unchanged {path}: it has {what}\n"),
            Outcome::Kept(_) => kept(file, place),
        });
    }
    text.push_str(&notes(plan, place));
    Answer::new(data(plan, place, true), text)
}

fn shown(plan: &Plan, place: &Place) -> String {
    let mut text = String::new();
    for file in &plan.files {
        let path = place.shown(&file.path);
        match &file.outcome {
            Outcome::Same => text.push_str(&format!("{path}: has {} already\n", what(file))),
            Outcome::Kept(_) => text.push_str(&kept(file, place)),
            Outcome::New => text.push_str(&format!("{path}: new, {}\n{}", what(file), lines("+ ", file.after.lines()))),
            Outcome::Changed | Outcome::Replaced(_) => {
                text.push_str(&format!("{path}: {}\n{}", what(file), difference(file)));
            }
        }
    }
    text + &notes(plan, place)
}

/// What was there and is kept, and how it can be replaced.
fn kept(file: &File, place: &Place) -> String {
    let Outcome::Kept(there) = &file.outcome else { return String::new() };
    let path = place.shown(&file.path);
    match file.what {
        What::Server => {
            format!("Kept {path}: it has another server named {NAME}, {there}; --force replaces it\n")
        }
        What::Skill => format!("Kept {path}: it is not this version's skill; --force replaces it\n"),
    }
}

fn what(file: &File) -> String {
    let names: Vec<_> = file.agents.iter().map(|agent| agent.name()).collect();
    let what = match file.what {
        What::Server => "the MCP server",
        What::Skill => "the skill",
    };
    format!("{what}, for {}", names.join(", "))
}

fn notes(plan: &Plan, place: &Place) -> String {
    let mut text = String::new();
    for agent in &plan.by_hand {
        text.push_str(&format!(
            "For {}, the MCP server of all projects is registered by its own command:\n  {}\n",
            agent.name(),
            agent.habits().by_hand
        ));
    }
    let servers = || plan.files.iter().filter(|file| file.what == What::Server && file.changes());
    if servers().next().is_some() && place.program != NAME {
        text.push_str(&format!(
            "The entry names {}, since a shell does not find it as {NAME}: other machines will not have it there\n",
            place.program
        ));
    }
    let next: Vec<Agent> =
        plan.agents.iter().copied().filter(|agent| servers().any(|file| file.agents.contains(agent))).collect();
    for agent in next {
        text.push_str(&format!("Next, in {}: {}\n", agent.name(), agent.habits().next));
    }
    text
}

fn lines<'a>(sign: &str, lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(|line| format!("  {sign}{line}\n")).collect()
}

/// The lines between those that stay at the beginning and at the end.
fn difference(file: &File) -> String {
    let before: Vec<_> = file.before.as_deref().unwrap_or_default().lines().collect();
    let after: Vec<_> = file.after.lines().collect();
    let same = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    let most = before.len().min(after.len()) - same;
    let end = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let middle = |lines: &[&str], sign: &str| {
        let inner = lines.get(same..lines.len() - end).unwrap_or_default();
        self::lines(sign, inner.iter().copied())
    };
    format!("  line {}:\n{}{}", same + 1, middle(&before, "- "), middle(&after, "+ "))
}

fn data(plan: &Plan, place: &Place, written: bool) -> Value {
    let files: Vec<_> = plan
        .files
        .iter()
        .map(|file| {
            let (outcome, there) = match &file.outcome {
                Outcome::New => ("new", None),
                Outcome::Changed => ("changed", None),
                Outcome::Replaced(there) => ("replaced", Some(there)),
                Outcome::Same => ("same", None),
                Outcome::Kept(there) => ("kept", Some(there)),
            };
            let mut data = json!({
                "path": file.path.display().to_string(),
                "what": match file.what { What::Server => "server", What::Skill => "skill" },
                "agents": file.agents.iter().map(|agent| agent.name()).collect::<Vec<_>>(),
                "outcome": outcome,
            });
            if let Some(there) = there {
                data["was"] = json!(there);
            }
            if !written {
                data["text"] = json!(file.after);
            }
            data
        })
        .collect();
    let by_hand: Vec<_> =
        plan.by_hand.iter().map(|agent| json!({"agent": agent.name(), "command": agent.habits().by_hand})).collect();
    json!({"written": written && plan.changes(), "program": place.program, "files": files, "byHand": by_hand})
}
