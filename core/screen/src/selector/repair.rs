//! What was probably meant by a text that is no selector.

use super::{Flag, Relation, SelectorError, SelectorProblem, Side, TextKey};
use crate::text::quoted;

impl SelectorError {
    /// A selector, or part of one, that was probably meant.
    pub fn suggestion(&self) -> Option<String> {
        match &self.problem {
            SelectorProblem::BareWord(word) => match closest_key(word) {
                Some(key) if stands_alone(key) => Some(key.to_owned()),
                _ => Some(format!("label={}", quoted(self.bare_words_from(word)))),
            },
            SelectorProblem::UnknownKey(key) => {
                let written = self.text.get(self.position + key.len()..).unwrap_or_default();
                closest_key(key).map(|key| match Relation::of(key) {
                    Some(_) => format!("{key}=(...)"),
                    None if key == "first" => key.to_owned(),
                    None if written.starts_with('~') => format!("{key}~="),
                    None => format!("{key}="),
                })
            }
            SelectorProblem::NoSelector(relation) => {
                // `below="Total"`: the text alone cannot say what is compared with it; the label mostly is.
                let value = self.text.get(self.position..)?.trim();
                let value = value.strip_prefix(['"', '\'']).and_then(|value| value.strip_suffix(['"', '\'']))?;
                let plain = !value.contains(['"', '\'', '\\', '(', ')', '|']);
                plain.then(|| format!("{}=(label={})", relation.word(), quoted(value)))
            }
            _ => None,
        }
    }

    /// Where the bare word goes on with more of its kind up to the end (`Save all`), they are meant together.
    fn bare_words_from<'a>(&'a self, word: &'a str) -> &'a str {
        match self.text.get(self.position..) {
            Some(rest) if !rest.contains(['=', '|', '"', '\'', '\\', ')']) => rest.trim_end(),
            _ => word,
        }
    }
}

fn stands_alone(key: &str) -> bool {
    Flag::of(key).is_some() || key == "first"
}

/// The key spelt most alike: one that a slip of two letters turns into another, never across more than a third of it.
fn closest_key(word: &str) -> Option<&'static str> {
    if word.len() > 24 {
        return None;
    }
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "name" | "title" | "aria-label" => return Some("label"),
        "identifier" | "testid" | "test-id" => return Some("id"),
        "inside" | "in" | "within" | "parent" => return Some("child-of"),
        "contains" | "has" | "around" => return Some("contains-descendant"),
        "nth" => return Some("index"),
        _ => {}
    }
    let keys = TextKey::ALL
        .iter()
        .map(|key| key.word())
        .chain(Flag::ALL.iter().map(|flag| flag.word()))
        .chain(Relation::ALL.iter().map(|relation| relation.word()))
        .chain(Side::ALL.iter().map(|side| side.word()))
        .chain(["first", "index"]);
    keys.map(|key| (strsim::osa_distance(&word, key), key))
        .filter(|(distance, key)| *distance <= 2 && *distance * 3 <= key.len() + 1)
        .min()
        .map(|(_, key)| key)
}
