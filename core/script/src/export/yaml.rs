//! YAML as it is written here: every text in double quotes, so that nothing in it is taken for anything else.

use contract::plain;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Yaml {
    /// A text, quoted.
    Text(String),
    /// A number or a word of the format's own, unquoted.
    Word(String),
    /// `- ...`
    List(Vec<Yaml>),
    /// `key: ...`, in order.
    Map(Vec<(String, Yaml)>),
}

/// A map of one key.
pub(super) fn one(key: &str, value: Yaml) -> Yaml {
    Yaml::Map(vec![(key.to_owned(), value)])
}

/// A word of the format's own.
pub(super) fn word(word: impl ToString) -> Yaml {
    Yaml::Word(word.to_string())
}

impl Yaml {
    /// Appends the value behind `key:` or `-`, whose line is at `indent`.
    pub(super) fn write(&self, out: &mut String, indent: usize) {
        match self {
            Yaml::Text(text) => {
                out.push(' ');
                out.push_str(&quoted(text));
                out.push('\n');
            }
            Yaml::Word(word) => {
                out.push(' ');
                out.push_str(word);
                out.push('\n');
            }
            Yaml::List(items) => {
                out.push('\n');
                items.iter().for_each(|item| item.write_item(out, indent + 4));
            }
            Yaml::Map(pairs) => {
                out.push('\n');
                write_pairs(pairs, out, indent + 4);
            }
        }
    }

    /// Appends the value as an item of a list.
    pub(super) fn write_item(&self, out: &mut String, indent: usize) {
        out.push_str(&" ".repeat(indent));
        out.push('-');
        match self {
            // The first key stands behind the hyphen.
            Yaml::Map(pairs) => {
                let mut inner = String::new();
                write_pairs(pairs, &mut inner, indent + 2);
                out.push(' ');
                out.push_str(inner.trim_start());
            }
            other => other.write(out, indent),
        }
    }
}

pub(super) fn write_pairs(pairs: &[(String, Yaml)], out: &mut String, indent: usize) {
    for (key, value) in pairs {
        out.push_str(&" ".repeat(indent));
        out.push_str(key);
        out.push(':');
        value.write(out, indent);
    }
}

/// A double-quoted scalar: JSON's strings are YAML's.
fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    plain::json(&json).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_shown_by_indentation() {
        let step = one(
            "repeat",
            Yaml::Map(vec![
                ("times".into(), word(2)),
                ("commands".into(), Yaml::List(vec![word("back"), one("inputText", Yaml::Text("a: \"b\"\n#".into()))])),
            ]),
        );
        let mut out = String::new();
        step.write_item(&mut out, 0);
        assert_eq!(
            out,
            "- repeat:\n      times: 2\n      commands:\n          - back\n          - inputText: \"a: \\\"b\\\"\\n#\"\n"
        );
    }
}
