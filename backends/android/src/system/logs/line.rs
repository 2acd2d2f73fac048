//! One line of `logcat -v threadtime`: `MM-DD HH:MM:SS.mmm  PID  TID LEVEL TAG: TEXT`.

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The process.
    pub process: u32,
    /// `ActivityManager`, ...
    pub tag: &'a str,
    /// What it says.
    pub text: &'a str,
}

impl<'a> Line<'a> {
    /// Reads a line; `None` for what is none, like `--------- beginning of main`.
    pub fn parse(line: &'a str) -> Option<Self> {
        let mut rest = line;
        let mut word = || {
            rest = rest.trim_start();
            let end = rest.find(' ')?;
            let (word, after) = rest.split_at(end);
            rest = after;
            Some(word)
        };
        let (date, time, process, thread, level) = (word()?, word()?, word()?, word()?, word()?);
        let digits = |text: &str, mark: char| text.chars().all(|c| c.is_ascii_digit() || c == mark || c == '.');
        if !digits(date, '-') || !digits(time, ':') || thread.parse::<u32>().is_err() || level.len() != 1 {
            return None;
        }
        let (tag, text) = rest.trim_start().split_once(": ").unwrap_or((rest.trim_start().trim_end_matches(':'), ""));
        Some(Self { process: process.parse().ok()?, tag: tag.trim_end(), text })
    }

    /// The process and its name, where the line announces a process that starts:
    /// `ActivityManager: Start proc 4321:com.example/u0a58 for activity ...`, the words of Android 5.1 to 16.
    pub fn started(&self) -> Option<(u32, &'a str)> {
        if self.tag != "ActivityManager" {
            return None;
        }
        let (process, rest) = self.text.strip_prefix("Start proc ")?.split_once(':')?;
        let name = rest.split(['/', ' ']).next().filter(|name| !name.is_empty())?;
        Some((process.parse().ok()?, name))
    }
}

/// Whether a process belongs to an app: its own name, or that with a colon and more.
pub fn belongs(name: &str, app: &str) -> bool {
    name.strip_prefix(app).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_headings_are_none() {
        let line = Line::parse("05-21 10:00:00.123  4321  4345 I MyTag   : hello: world").unwrap();
        assert_eq!(line, Line { process: 4321, tag: "MyTag", text: "hello: world" });
        let empty = Line::parse("05-21 10:00:00.123  4321  4345 E AndroidRuntime: ").unwrap();
        assert_eq!((empty.tag, empty.text), ("AndroidRuntime", ""));
        for none in ["--------- beginning of main", "", "hello", "05-21 10:00:00.123 x y I T: z", "a b 1 2 I T: z"] {
            assert_eq!(Line::parse(none), None, "{none}");
        }
    }

    #[test]
    fn a_start_of_a_process_is_seen_in_every_format() {
        for (line, expected) in [
            (
                "05-21 10:00:00.123  1234  1250 I ActivityManager: Start proc 4321:com.example/u0a58 for activity com.example/.Main",
                Some((4321, "com.example")),
            ),
            (
                "05-21 10:00:00.123  1234  1250 I ActivityManager: Start proc 77:com.example:remote/u0a58 for service {com.example/com.example.S}",
                Some((77, "com.example:remote")),
            ),
            (
                "05-21 10:00:00.123  1234  1250 I ActivityManager: Start proc 5:com.example/u10a58 for next-top-activity {com.example/com.example.Main}",
                Some((5, "com.example")),
            ),
            ("05-21 10:00:00.123  1234  1250 I ActivityManager: Process com.example (pid 4321) has died", None),
            ("05-21 10:00:00.123  4321  4321 I MyTag: Start proc 1:com.example/u0", None),
        ] {
            assert_eq!(Line::parse(line).unwrap().started(), expected, "{line}");
        }
        assert!(belongs("com.example", "com.example") && belongs("com.example:remote", "com.example"));
        assert!(!belongs("com.example2", "com.example"));
    }
}
