//! Flows that were written for Maestro, the config of their folder, and the JavaScript in both.

use std::{path::Path, time::Duration};

use javascript::{Engine, Limits, template};
use maestro::{Config, Flow, Problems, Reading};

/// What a script of the fuzzer may use: enough for what people write, and little enough that most inputs end early.
const LIMITS: Limits = Limits { memory_bytes: 4 << 20, time: Duration::from_millis(100), stack_bytes: 128 << 10 };
/// Where a flow of the fuzzer lies: nothing is there, so it names no file that can be read.
const NOWHERE: &str = "/nowhere/of/fuzzing";

/// A flow: what is wrong is said at a place that there is, and what is right has a name.
pub fn maestro_flow(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A flow may name any file of this machine; the fuzzer's may not.
    if text.contains('/') && ["/dev", "/proc", "/sys"].iter().any(|folder| text.contains(folder)) {
        return;
    }
    match Flow::parse(text, Path::new("flow.yaml"), &Reading { root: NOWHERE.into() }) {
        Ok(flow) => {
            assert_eq!(flow.file(), "flow.yaml");
            let _shown = (flow.name(), flow.is_empty(), format!("{flow:?}"));
        }
        Err(problems) => wrong(text, &problems),
    }
}

/// A config: as a flow; and its globs answer for every name.
pub fn maestro_config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Config::parse(text, "config.yaml") {
        Ok(config) => {
            let _run = ["a.yaml", "a/b.yaml", ""].map(|name| config.names(name));
            let _wanted = config.wants(&["smoke".to_owned()], &[], &config.exclude_tags);
        }
        Err(problems) => wrong(text, &problems),
    }
}

/// A text with `${...}` in it: its pieces are the text again, and what scripts do ends within their limits.
pub fn flow_script(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match template::parts(text) {
        Ok(parts) => {
            let again: String = parts
                .iter()
                .map(|part| match part {
                    template::Part::Text(text) => text.replace("${", "\\${"),
                    template::Part::Code { code, at } => {
                        assert_eq!(text.get(*at..at + code.len()), Some(code.as_str()));
                        format!("${{{code}}}")
                    }
                })
                .collect();
            assert_eq!(again, text);
        }
        Err(at) => assert!(text.get(at..).is_some_and(|rest| rest.starts_with("${")), "{at}"),
    }
    let Ok(mut engine) = Engine::new(LIMITS, None) else { return };
    engine.at("flow.yaml", 1, 1);
    for said in [engine.interpolate(text).map(|_| ()), engine.eval(text, "script.js", 1).map(|_| ())] {
        if let Err(why) = said {
            assert!(why.line >= 1 && why.column >= 1 && !why.message.is_empty(), "{why:?}");
        }
    }
}

fn wrong(text: &str, problems: &Problems) {
    assert!(!problems.0.is_empty(), "refused without a word");
    for problem in &problems.0 {
        assert!(is_line(text, problem.place.line) && problem.column >= 1, "{problem:?}");
        assert!(!problem.message.is_empty());
    }
    assert!(!problems.failure().message.is_empty());
}

/// The place just behind the last line is where something is missing. YAML ends lines as [`str::lines`] does, and at a
/// lone carriage return as well.
fn is_line(text: &str, line: u32) -> bool {
    let lines = text.matches(['\n', '\r']).count() + 2;
    (1..=lines).contains(&usize::try_from(line).unwrap_or(usize::MAX))
}
