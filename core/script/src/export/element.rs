//! Selectors as the elements of a Maestro flow.

use screen::{
    Selector,
    selector::{Alternative, Flag, Pick, Relation, Side, Term, TextKey},
};

use super::{
    text::Marks,
    yaml::{Yaml, word},
};

/// An element, and what of the selector is not in it.
#[derive(Debug)]
pub(super) struct Element {
    pub fields: Vec<(String, Yaml)>,
    pub lost: Vec<String>,
}

impl Element {
    pub(super) fn yaml(&self) -> Yaml {
        Yaml::Map(self.fields.clone())
    }

    pub(super) fn with(mut self, key: &str, value: Yaml) -> Self {
        self.fields.push((key.to_owned(), value));
        self
    }
}

/// The first alternative of a selector that can be said wholly.
///
/// # Errors
/// Why none can.
pub(super) fn element(selector: &str, marks: &Marks) -> Result<Element, String> {
    let parsed = Selector::parse(selector).map_err(|why| why.to_string())?;
    of(&parsed, marks)
}

fn of(selector: &Selector, marks: &Marks) -> Result<Element, String> {
    let mut refused = Vec::new();
    for (place, alternative) in selector.alternatives.iter().enumerate() {
        match fields(alternative, marks) {
            Ok(Element { fields, mut lost }) => {
                let others: Vec<_> = selector
                    .alternatives
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != place)
                    .map(|(_, other)| other.to_string())
                    .collect();
                if !others.is_empty() {
                    lost.push(format!("there is one way to name an element; not taken: {}", others.join(" || ")));
                }
                return Ok(Element { fields, lost });
            }
            Err(why) => refused.push(why),
        }
    }
    Err(refused.into_iter().next().unwrap_or_else(|| "the selector is empty".to_owned()))
}

fn fields(alternative: &Alternative, marks: &Marks) -> Result<Element, String> {
    let mut element = Element { fields: Vec::new(), lost: Vec::new() };
    let mut descendants = Vec::new();
    let mut traits = Vec::new();
    let mut tolerance = None;
    for term in &alternative.terms {
        let no_equivalent = || Err(format!("{term:?} has no equivalent", term = said(alternative, term)));
        let (key, value) = match term {
            Term::Text(key, value) => match named(*key) {
                Some(name) => {
                    if marks.in_text(value) {
                        element.lost.push("the variable's value is taken for a regular expression".to_owned());
                    }
                    (name, Yaml::Text(marks.exactly(value)))
                }
                None => return no_equivalent(),
            },
            Term::Pattern(key, pattern) => match named(*key) {
                Some(name) => (name, Yaml::Text(marks.pattern(pattern.text()))),
                None => return no_equivalent(),
            },
            Term::Flag(flag, holds) => match (flag, holds) {
                // Only what can be seen is found there.
                (Flag::Visible, true) | (Flag::Hidden, false) => continue,
                (Flag::Enabled, holds) => ("enabled", word(holds)),
                (Flag::Disabled, holds) => ("enabled", word(!holds)),
                (Flag::Checked, holds) => ("checked", word(holds)),
                (Flag::Selected, holds) => ("selected", word(holds)),
                (Flag::Focused, holds) => ("focused", word(holds)),
                (Flag::HasText, true) => {
                    traits.push("text");
                    continue;
                }
                (Flag::LongText, true) => {
                    traits.push("long-text");
                    continue;
                }
                (Flag::Square, true) => {
                    traits.push("square");
                    continue;
                }
                _ => return no_equivalent(),
            },
            Term::Relation(relation, anchor) => {
                let mut anchor = of(anchor, marks)?;
                element.lost.append(&mut anchor.lost);
                let key = match relation {
                    Relation::Below => "below",
                    Relation::Above => "above",
                    Relation::LeftOf => "leftOf",
                    Relation::RightOf => "rightOf",
                    Relation::ChildOf => "childOf",
                    Relation::ContainsChild => "containsChild",
                    Relation::ContainsDescendant => {
                        descendants.push(anchor.yaml());
                        continue;
                    }
                };
                (key, anchor.yaml())
            }
            Term::Size(side, span) => {
                let spread = span.most.saturating_sub(span.least);
                if span.most == u32::MAX
                    || !spread.is_multiple_of(2)
                    || tolerance.is_some_and(|known| known != spread / 2)
                {
                    return no_equivalent();
                }
                tolerance = Some(spread / 2);
                let key = match side {
                    Side::Width => "width",
                    Side::Height => "height",
                };
                (key, word(span.least + spread / 2))
            }
            // The first is what is taken there anyway.
            Term::Pick(Pick::First) => continue,
            Term::Pick(Pick::Index(index)) => ("index", word(index)),
        };
        if element.fields.iter().any(|(known, _)| known == key) {
            return Err(format!("{key} can be said once"));
        }
        element.fields.push((key.to_owned(), value));
    }
    if element.fields.is_empty() && descendants.is_empty() && traits.is_empty() {
        return Err("nothing is left that names an element".to_owned());
    }
    if !descendants.is_empty() {
        element = element.with("containsDescendants", Yaml::List(descendants));
    }
    if !traits.is_empty() {
        element = element.with("traits", Yaml::Text(traits.join(" ")));
    }
    if let Some(tolerance) = tolerance.filter(|tolerance| *tolerance > 0) {
        element = element.with("tolerance", word(tolerance));
    }
    Ok(element)
}

/// The term as the selector has it.
fn said(alternative: &Alternative, term: &Term) -> String {
    match term {
        Term::Text(key, _) | Term::Pattern(key, _) => key.word().to_owned(),
        Term::Flag(flag, holds) => format!("{}={holds}", flag.word()),
        _ => alternative.to_string(),
    }
}

const fn named(key: TextKey) -> Option<&'static str> {
    match key {
        TextKey::Id => Some("id"),
        TextKey::Text | TextKey::Label | TextKey::AnyText => Some("text"),
        TextKey::Role | TextKey::Value | TextKey::AppName | TextKey::WindowTitle => None,
    }
}
