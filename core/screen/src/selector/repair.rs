//! What was probably meant by a text that is no selector.

use super::{Flag, Relation, Selector, SelectorError, SelectorProblem, Side, TextKey};
use crate::text::quoted;

impl SelectorError {
    /// A selector, or part of one, that was probably meant.
    pub fn suggestion(&self) -> Option<String> {
        match &self.problem {
            SelectorProblem::BareWord(word) if joined_by(word).is_some() => self.without_joints(),
            SelectorProblem::BareWord(word) => match closest_key(word) {
                Some(key) if stands_alone(key) => Some(key.to_owned()),
                _ if is_css_or_xpath(word) => None,
                _ => Some(
                    self.ref_meant(word)
                        .or_else(|| self.as_printed())
                        .or_else(|| other_notation(self.bare_words_from(word)))
                        .unwrap_or_else(|| format!("label={}", quoted(self.bare_words_from(word)))),
                ),
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

    /// `role=button && label=Save` and the like, as it is written here. Nothing where that is no selector either.
    fn without_joints(&self) -> Option<String> {
        let mut text = self.text.clone();
        // Each turn takes one of them out; a selector that has more is none that anybody wrote.
        for _ in 0..super::MOST_PASSES {
            let error = match Selector::parse(&text) {
                Ok(_) => return Some(text),
                Err(error) => error,
            };
            let SelectorProblem::BareWord(word) = &error.problem else { return None };
            let joint = joined_by(word)?;
            let (before, after) = text.split_at_checked(error.position)?;
            let after = after.strip_prefix(word.as_str())?;
            let parts = [before.trim_end(), joint, after.trim_start()];
            text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        }
        None
    }

    /// `e5` for `@e5`.
    fn ref_meant(&self, word: &str) -> Option<String> {
        let number = word.strip_prefix('e')?.split('~').next()?;
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        (is_number && self.text.trim() == word).then(|| format!("@{word}"))
    }

    /// `[button] "Save"` as a snapshot prints it, or `button "Save"`.
    fn as_printed(&self) -> Option<String> {
        let (role, label) = self.text.get(self.position..)?.trim().split_once(' ')?;
        let role = role.strip_prefix('[').and_then(|role| role.strip_suffix(']')).unwrap_or(role);
        let label = label.trim().strip_prefix('"')?.strip_suffix('"')?;
        let plain = role.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'-');
        (plain && !role.is_empty() && !label.contains(['"', '\\']))
            .then(|| format!("role={role} label={}", quoted(label)))
    }

    /// Where the bare word goes on with more of its kind up to the end (`Save all`), they are meant together.
    fn bare_words_from<'a>(&'a self, word: &'a str) -> &'a str {
        match self.text.get(self.position..) {
            Some(rest) if !rest.contains(['=', '|', '"', '\'', '\\', ')']) => rest.trim_end(),
            _ => word,
        }
    }
}

/// What stands here for a word that joins terms in other languages: nothing for "and", `||` for "or".
fn joined_by(word: &str) -> Option<&'static str> {
    match word {
        "&&" | "&" | "AND" => Some(""),
        "OR" => Some("||"),
        _ => None,
    }
}

/// `#save` and `label:Save`.
fn other_notation(words: &str) -> Option<String> {
    let plain = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    if let Some(id) = words.strip_prefix('#').filter(|id| !id.is_empty() && plain(id)) {
        return Some(format!("id={}", quoted(id)));
    }
    let (key, value) = words.split_once(':')?;
    let key = TextKey::ALL.iter().find(|known| known.word() == key)?;
    (!value.is_empty()).then(|| format!("{}={}", key.word(), quoted(value)))
}

/// `.save`, `button.save`, `form > button`, `//button`: neither is understood, and neither is anybody's label.
fn is_css_or_xpath(word: &str) -> bool {
    let letters = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
    };
    let tag_and_class = |word: &str| {
        word.split_once('.').is_some_and(|(tag, class)| {
            letters(class)
                && (tag.is_empty() || tag.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit()))
        })
    };
    word.starts_with("//") || word == ">" || word.contains("::") || tag_and_class(word)
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
        "name" | "title" | "aria-label" | "content-desc" => return Some("label"),
        "placeholder" | "hint" | "description" => return Some("anytext"),
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
