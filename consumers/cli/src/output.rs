//! What is printed, and the exit code.
//!
//! Text goes to standard output when a command worked and to standard error when it failed; with `--json` one envelope
//! goes to standard output either way. What others wrote (a page, an app, a device) goes through [`contract::plain`]
//! first: it never reaches the terminal as it is, and never stands where a line of ours begins.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
    time::Duration,
};

use contract::{Code, Disclosed, Dispatched, Response, plain, request::Answer};
use daemon::audit;
use serde_json::{Value, json};

/// Wrong usage: the command line, or arguments that the daemon refused.
const USAGE: u8 = 2;

/// Prints the outcome of a request.
pub fn finish(response: Response, json: bool) -> ExitCode {
    match response {
        Ok(answer) => done(&answer, json),
        Err(failed) => self::failed(&failed, json),
    }
}

/// As [`finish`]; a daemon that is not there has nothing to stop and no status to tell.
pub fn daemon_answer(response: Response, json: bool) -> ExitCode {
    match response {
        Err(failed) if failed.failure().message.starts_with("no daemon is running") => {
            done(&Answer::new(json!({"running": false}), "No daemon is running"), json)
        }
        other => finish(other, json),
    }
}

/// What tells a person at a terminal that a command is still running; nothing for programs and logs.
pub fn progress(json: bool) -> Option<fn(Duration)> {
    let told: fn(Duration) = |waited| {
        let _gone =
            writeln!(io::stderr().lock(), "... still running after {} s (--timeout MS ends it)", waited.as_secs());
    };
    (!json && io::stderr().is_terminal()).then_some(told)
}

/// Puts a question at the terminal; anything but a yes is a no.
pub fn confirmed(question: &str) -> bool {
    let mut answer = String::new();
    let asked = io::stderr().lock().write_all(plain::text(question).as_bytes());
    asked.is_ok()
        && io::stdin().read_line(&mut answer).is_ok()
        && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// Prints bytes as they are.
pub fn raw(bytes: &[u8]) -> ExitCode {
    written(io::stdout().lock().write_all(bytes))
}

/// Prints what a command answered.
pub fn done(answer: &Answer, json: bool) -> ExitCode {
    let mut out = io::stdout().lock();
    written(match (json, &answer.text) {
        (true, _) => writeln!(out, "{}", plain::json(&json!({"success": true, "data": answer.data}).to_string())),
        (false, Some(text)) if text.is_empty() => Ok(()),
        (false, Some(text)) => writeln!(out, "{}", plain::text(text.trim_end_matches('\n'))),
        (false, None) => writeln!(out, "{}", plain::json(&format!("{:#}", answer.data))),
    })
}

/// Prints what became of a suite.
pub fn suite(done: &replay::suite::command::Done, json: bool) -> ExitCode {
    let mut out = io::stdout().lock();
    let printed = match json {
        true => {
            let success = done.exit == 0;
            writeln!(out, "{}", plain::json(&json!({"success": success, "data": done.data}).to_string()))
        }
        false => writeln!(out, "{}", plain::text(done.text.trim_end_matches('\n'))),
    };
    // The suite's own code tells more than that nobody read to the end.
    let _read = written(printed);
    ExitCode::from(done.exit)
}

/// Prints what went wrong.
pub fn failed(failed: &Disclosed, json: bool) -> ExitCode {
    let said = if json { format!("{}\n", json!({"success": false, "error": failed})) } else { text(failed) };
    let said = if json { plain::json(&said) } else { plain::text(&said) };
    audit::note(audit::Door::Output, &said);
    let shown = match json {
        true => io::stdout().lock().write_all(said.as_bytes()),
        false => io::stderr().lock().write_all(said.as_bytes()),
    };
    // Nobody reads it any more: the exit code still tells.
    let _broken = shown;
    ExitCode::from(exit_code(failed))
}

/// 1: nothing reached the device. 2: wrong usage. 3: it may have reached the device.
pub fn exit_code(failed: &Disclosed) -> u8 {
    match (failed.dispatched(), failed.failure().code) {
        (Dispatched::Unknown, _) => 3,
        (Dispatched::No, Code::InvalidArgs) => USAGE,
        (Dispatched::No, _) => 1,
    }
}

fn text(failed: &Disclosed) -> String {
    let failure = failed.failure();
    let mut text = format!("Error ({}): {}\n", failure.code, plain::line(&failure.message));
    text.push_str(&match failed.steps() {
        0 => format!("Dispatched: {}\n", failed.dispatched()),
        steps => format!("Dispatched: {} ({steps} sent before)\n", failed.dispatched()),
    });
    for (title, key) in [("Candidates", "candidates"), ("Near", "near"), ("Checks", "report")] {
        let lines: Vec<_> = failure
            .details
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("{title}:\n"));
            for line in lines {
                text.push_str(&format!("  {}\n", plain::line(line)));
            }
        }
    }
    // Drawings of several lines, as compilers make them.
    for problem in failure.details.get("problems").and_then(Value::as_array).into_iter().flatten() {
        if let Some(shown) = problem.get("shown").and_then(Value::as_str) {
            let lines: Vec<_> = shown.lines().map(plain::line).collect();
            text.push_str(&format!("\n{}\n", lines.join("\n")));
        }
    }
    if let Some(hint) = &failure.hint {
        // A drawing of several lines keeps its columns only on lines of its own.
        match hint.contains('\n') {
            true => text.push_str(&format!("Hint:\n  {}\n", hint.replace('\n', "\n  "))),
            false => text.push_str(&format!("Hint: {hint}\n")),
        }
    }
    text
}

/// A reader that has gone away (`| head`) is no failure of the command.
fn written(result: io::Result<()>) -> ExitCode {
    match result {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}
