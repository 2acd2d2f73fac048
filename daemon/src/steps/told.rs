//! What an answer says of the script.

use contract::{plain, request::Answer};
use serde_json::{Value, json};

use super::{Published, Recording};

/// What became of a script, in a sentence.
pub fn sentence(written: &Result<Published, String>) -> String {
    match written {
        Ok(published) => {
            let steps = published.steps;
            format!("the script of {steps} step{} is {}", if steps == 1 { "" } else { "s" }, published.path.display())
        }
        Err(why) => why.clone(),
    }
}

/// An answer that also says what became of the script.
pub fn said(mut answer: Answer, written: &Result<Published, String>) -> Answer {
    let sentence = plain::line(&sentence(written)).into_owned();
    if let Some(data) = answer.data.as_object_mut() {
        match written {
            Ok(published) => {
                data.insert("script".into(), published.path.display().to_string().into());
                data.insert("scriptSteps".into(), published.steps.into());
                if !published.variables.is_empty() {
                    data.insert("scriptVariables".into(), json!(published.variables));
                }
                warn(data, &published.warnings);
            }
            Err(why) => warn(data, std::slice::from_ref(why)),
        }
    }
    if let Some(text) = &mut answer.text {
        let mut lines = text.lines();
        // On the first line: that is the one the timeline has.
        let first = format!("{}; {sentence}", lines.next().unwrap_or_default());
        let rest: Vec<&str> = lines.collect();
        let more = written.as_ref().ok().map(needed).unwrap_or_default();
        *text = std::iter::once(first.as_str())
            .chain(rest)
            .chain(more.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join("\n");
    }
    answer
}

fn needed(published: &Published) -> Vec<String> {
    let mut lines: Vec<String> = published.warnings.iter().map(|warning| format!("Warning: {warning}")).collect();
    if !published.variables.is_empty() {
        let given: Vec<String> = published.variables.iter().map(|name| format!("-e {name}=...")).collect();
        lines
            .push(format!("Note: what was typed there is not in it; give it when it is replayed: {}", given.join(" ")));
    }
    lines
}

fn warn(data: &mut serde_json::Map<String, Value>, warnings: &[String]) {
    if warnings.is_empty() {
        return;
    }
    let entry = data.entry("warnings").or_insert_with(|| json!([]));
    if let Some(list) = entry.as_array_mut() {
        list.extend(warnings.iter().map(|warning| Value::from(warning.as_str())));
    }
}

/// Says what the caller should know beside the answer.
pub fn tell_warning(answer: &mut Answer, warning: &str) {
    let warning = plain::line(warning).into_owned();
    if let Some(text) = &mut answer.text {
        text.push_str(&format!("\nWarning: {warning}"));
    }
    if let Some(data) = answer.data.as_object_mut() {
        warn(data, &[warning]);
    }
}

/// Says that what was typed stands as a variable in the script.
pub fn tell_hidden(answer: &mut Answer, variable: &str) {
    if let Some(data) = answer.data.as_object_mut() {
        data.insert("recordedAs".into(), variable.into());
    }
    if let Some(text) = &mut answer.text {
        text.push_str(&format!("\nNote: the field hides what is typed, so the script says ${{{variable}}}; give it when it is replayed: -e {variable}=..."));
    }
}

/// Says that steps are recorded from now on, and for which file.
pub fn tell_recording(answer: &mut Answer, recording: &Recording) {
    let shown = recording.target.display().to_string();
    if let Some(text) = &mut answer.text {
        text.push_str(&format!("\nRecording the steps for {}", plain::line(&shown)));
    }
    if let Some(data) = answer.data.as_object_mut() {
        data.insert("script".into(), shown.into());
    }
}
