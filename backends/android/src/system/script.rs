//! Several programs in one round trip: each one's output and exit code apart.

use std::fmt::Write as _;

use contract::{Effect, Failure};
use wire::{Answered, Context};

use crate::adb::Phone;

/// What stands on a line of its own after each program's output; its number and its exit code follow.
const MARK: &str = "--agent-device-part";

/// Lines of shell that run one after the other, whatever becomes of the ones before.
#[derive(Debug, Clone, Default)]
pub struct Script {
    line: String,
    parts: usize,
}

/// What one of them did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Its output and its errors, as they came.
    pub text: String,
    /// Its exit code.
    pub exit: i32,
}

impl Part {
    /// Whether the program says itself that it did not do what it was told; several end with 0 all the same. An exit
    /// code alone proves nothing: a program that is killed has one as well.
    pub fn refuses(&self) -> bool {
        const WORDS: &[&str] = &[
            "SecurityException",
            "Permission Denial",
            "Unknown command",
            "No shell command implementation",
            "Can't find service",
            "Error:",
            "Exception occurred",
        ];
        // A shell that does not find the program at all.
        self.exit == 127 || WORDS.iter().any(|words| self.text.contains(words))
    }
}

impl Script {
    /// One line. What it takes from a caller has to be quoted already.
    pub fn of(line: impl AsRef<str>) -> Self {
        Self::default().then(line)
    }

    /// One line more.
    #[must_use]
    pub fn then(mut self, line: impl AsRef<str>) -> Self {
        if !self.line.is_empty() {
            self.line.push_str("; ");
        }
        // Its output may end in the middle of a line: the mark begins a new one in any case.
        let _infallible = write!(self.line, "{{ {}; }} 2>&1; r=$?; echo; echo {MARK} {} $r", line.as_ref(), self.parts);
        self.parts += 1;
        self
    }

    /// The line for the device's shell.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Runs it as a look.
    ///
    /// # Errors
    /// No way to the device, or the answer was lost.
    pub async fn look(&self, context: &Context, phone: &Phone) -> Result<Vec<Part>, Failure> {
        Ok(self.send(context, phone, Effect::Observes).await?.completed())
    }

    /// Runs it as a change, for the caller to judge.
    ///
    /// # Errors
    /// No way to the device, or its end was lost.
    pub async fn change(&self, context: &Context, phone: &Phone) -> Result<Answered<Vec<Part>>, Failure> {
        self.send(context, phone, Effect::Mutates).await
    }

    async fn send(&self, context: &Context, phone: &Phone, effect: Effect) -> Result<Answered<Vec<Part>>, Failure> {
        let answered = phone.shell(context, effect, &self.line).await?;
        Ok(answered.map(|output| self.read(&output.text())))
    }

    /// Takes the output apart. Always one part for each line; one that never came to its end has exit code -1.
    pub fn read(&self, output: &str) -> Vec<Part> {
        let mut parts = vec![Part { text: String::new(), exit: -1 }; self.parts];
        let mut open = String::new();
        for line in output.split_inclusive('\n') {
            let mark = line.trim_end().strip_prefix(MARK).and_then(|rest| rest.trim_start().split_once(' '));
            let ended = mark.and_then(|(number, exit)| Some((number.parse::<usize>().ok()?, exit.parse().ok()?)));
            let Some((number, exit)) = ended else {
                open.push_str(line);
                continue;
            };
            let mut text = std::mem::take(&mut open);
            // The empty line that was put before the mark.
            let kept = text.strip_suffix('\n').map_or(text.len(), |text| text.strip_suffix('\r').unwrap_or(text).len());
            text.truncate(kept);
            if let Some(part) = parts.get_mut(number) {
                *part = Part { text, exit };
            }
        }
        if let Some(part) = parts.iter_mut().find(|part| part.exit == -1).filter(|_| !open.trim().is_empty()) {
            part.text = open;
        }
        parts
    }
}

/// The text of one part; empty where there is none.
pub fn text(parts: &[Part], number: usize) -> &str {
    parts.get(number).map_or("", |part| part.text.as_str())
}

/// The trimmed text of one part, where it is not empty and not the `null` of a setting that is not set.
pub fn value(parts: &[Part], number: usize) -> Option<&str> {
    Some(text(parts, number).trim()).filter(|text| !text.is_empty() && *text != "null")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(script: &Script) -> Vec<Part> {
        let output = std::process::Command::new("/bin/sh").args(["-c", script.line()]).output().unwrap();
        script.read(&String::from_utf8_lossy(&output.stdout))
    }

    #[test]
    fn a_real_shell_tells_each_part_apart() {
        let script =
            Script::of("echo one; echo two").then("printf 'no end'").then("false").then("echo bad >&2; (exit 7)");
        let part = |text: &str, exit| Part { text: text.to_owned(), exit };
        assert_eq!(ran(&script), [part("one\ntwo\n", 0), part("no end", 0), part("", 1), part("bad\n", 7)]);
    }

    #[test]
    fn a_script_that_is_cut_says_so() {
        let script = Script::of("a").then("b").then("c");
        let parts = script.read("first\n\n--agent-device-part 0 0\r\nhalf of the sec");
        assert_eq!(parts.iter().map(|part| part.exit).collect::<Vec<_>>(), [0, -1, -1]);
        assert_eq!(text(&parts, 0), "first\n");
        assert_eq!(text(&parts, 1), "half of the sec");
    }

    #[test]
    fn a_program_that_refuses_is_heard_whatever_its_exit_code() {
        for (text, exit, refused) in [
            ("", 0, false),
            (
                "Broadcasting: Intent { act=android.intent.action.AIRPLANE_MODE flg=0x400000 (has extras) }\nBroadcast completed: result=0\n",
                0,
                false,
            ),
            (
                "java.lang.SecurityException: Permission Denial: not allowed to send broadcast android.intent.action.AIRPLANE_MODE from pid=1, uid=2000\n",
                0,
                true,
            ),
            ("Unknown command: set-location-enabled\n", 0, true),
            ("cmd: Can't find service: connectivity\n", 20, true),
            ("/system/bin/sh: svc: inaccessible or not found\n", 127, true),
            ("No shell command implementation.\n", 0, true),
            ("Killed \n", 137, false),
            ("", -1, false),
            ("", 1, false),
        ] {
            assert_eq!(Part { text: text.into(), exit }.refuses(), refused, "{text}");
        }
    }

    #[test]
    fn a_setting_that_is_not_set_has_no_value() {
        let parts = [Part { text: "null\n".into(), exit: 0 }, Part { text: " 1\n".into(), exit: 0 }];
        assert_eq!(value(&parts, 0), None);
        assert_eq!(value(&parts, 1), Some("1"));
        assert_eq!(value(&parts, 2), None);
    }
}
