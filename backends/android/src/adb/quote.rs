//! Quoting for the device's shell, which reads every command line once more.

/// A line that the shell splits into exactly these arguments.
pub fn line<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> String {
    let mut line = String::new();
    for argument in arguments {
        if !line.is_empty() {
            line.push(' ');
        }
        push(&mut line, argument.as_ref());
    }
    line
}

/// One argument, quoted where it needs to be.
pub fn quote(argument: &str) -> String {
    let mut quoted = String::new();
    push(&mut quoted, argument);
    quoted
}

fn push(line: &mut String, argument: &str) {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | ',' | '@' | '+' | '%');
    if !argument.is_empty() && argument.chars().all(plain) {
        line.push_str(argument);
        return;
    }
    line.push('\'');
    // A quote ends the quoted part, stands for itself, and begins the next one.
    line.push_str(&argument.replace('\'', r"'\''"));
    line.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_readable() {
        assert_eq!(line(["am", "start", "-n", "com.example/.Main"]), "am start -n com.example/.Main");
        assert_eq!(line(["echo", "", "a b", "it's"]), r"echo '' 'a b' 'it'\''s'");
    }

    #[test]
    fn a_real_shell_gives_every_argument_back() {
        let nasty = [
            "", "a b", "it's", "$HOME", "`id`", "a\\b", "*", "~", "a=b", "#x", "\"", "x\ny", "é😀", "a;b&c|d", "!!",
            "-n",
        ];
        let script = format!("for a in {}; do printf '%s\\0' \"$a\"; done", line(nasty));
        let output = std::process::Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
        let back: Vec<_> = output.stdout.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        assert_eq!(back.get(..nasty.len()).unwrap(), nasty);
    }
}
