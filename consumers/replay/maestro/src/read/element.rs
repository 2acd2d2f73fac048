//! Elements and points.

use regex_syntax::{Parser, ast::ErrorKind};

use super::{Reader, Scope, fields::Fields};
use crate::{
    model::{Element, Text},
    yaml::{At, Node, Yaml},
};

/// Elements in elements at most; the selector's own limit is a little higher.
const DEEPEST: usize = 7;
/// Flags, as Maestro and as selectors spell them.
const FLAGS: &[&str] = &["enabled", "checked", "focused", "selected"];
/// Relations, as Maestro and as selectors spell them.
const RELATIONS: &[(&str, &str)] = &[
    ("below", "below"),
    ("above", "above"),
    ("leftOf", "left-of"),
    ("rightOf", "right-of"),
    ("childOf", "child-of"),
    ("containsChild", "contains-child"),
];
/// Traits, as Maestro and as selectors spell them.
const TRAITS: &[(&str, &str)] = &[("text", "has-text"), ("long-text", "long-text"), ("square", "square")];
/// What no screen is larger than, px.
const PX: f64 = 100_000.0;

impl Reader<'_> {
    /// An element: a text, or keys.
    pub fn element(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<Element> {
        self.element_at_depth(scope, node, what, 0)
    }

    fn element_at_depth(&mut self, scope: &Scope, node: &Node, what: &str, depth: usize) -> Option<Element> {
        if depth > DEEPEST {
            self.wrong(scope, node.at, format!("elements stand more than {DEEPEST} deep in each other"), None);
            return None;
        }
        if let Yaml::Scalar(_) = node.value {
            let text = self.pattern(scope, node, what)?;
            return Some(Element { text: Some(text), ..Element::default() });
        }
        let before = self.problems.len();
        let mut fields = self.fields(scope, node, what)?;
        let mut element = self.element_keys(scope, &mut fields, depth);
        // Flows say so of the element as well as of the step.
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        element = self.naming(scope, element, at, what, before)?;
        element.optional = outer.optional;
        Some(element)
    }

    /// An element that names something. `before` is how many problems there were: what is wrong with its keys is said
    /// already.
    pub fn naming(&mut self, scope: &Scope, element: Element, at: At, what: &str, before: usize) -> Option<Element> {
        if element != Element::default() {
            return Some(element);
        }
        if self.problems.len() == before {
            let hint = "name it by text, id, a state or its place".to_owned();
            self.wrong(scope, at, format!("{what} does not say which element"), hint);
        }
        None
    }

    /// The keys of an element among those of a command.
    pub fn element_keys(&mut self, scope: &Scope, fields: &mut Fields<'_>, depth: usize) -> Element {
        let mut element = Element {
            text: fields.take("text").and_then(|node| self.pattern(scope, node, "text")),
            id: fields.take("id").and_then(|node| self.pattern(scope, node, "id")),
            index: fields.take("index").and_then(|node| self.index(scope, node)),
            width: self.number_at(scope, fields, "width", 0.0..=PX),
            height: self.number_at(scope, fields, "height", 0.0..=PX),
            tolerance: self.number_at(scope, fields, "tolerance", 0.0..=PX),
            ..Element::default()
        };
        for flag in FLAGS {
            if let Some(value) = self.switch(scope, fields, flag) {
                element.flags.push((flag, value));
            }
        }
        for (key, term) in RELATIONS {
            if let Some(node) = fields.take(key)
                && let Some(other) = self.element_at_depth(scope, node, key, depth + 1)
            {
                element.relations.push((term, other));
            }
        }
        if let Some(node) = fields.take("containsDescendants") {
            let one = std::slice::from_ref(node);
            let nodes = if let Yaml::List(nodes) = &node.value { nodes.as_slice() } else { one };
            for node in nodes {
                if let Some(other) = self.element_at_depth(scope, node, "containsDescendants", depth + 1) {
                    element.relations.push(("contains-descendant", other));
                }
            }
        }
        if let Some(node) = fields.take("traits") {
            self.traits(scope, node, &mut element);
        }
        self.refuse(scope, fields, "css", "name it by text, id or place, which hold on phones too");
        self.refuse(scope, fields, "displayId", "a device has one display here");
        element
    }

    fn traits(&mut self, scope: &Scope, node: &Node, element: &mut Element) {
        for name in self.names(scope, node, "traits") {
            for word in name.split_whitespace() {
                match TRAITS.iter().find(|(known, _)| *known == word.replace('_', "-").to_ascii_lowercase()) {
                    Some((_, term)) => element.traits.push(term),
                    None => {
                        let hint = "traits are text, long-text and square".to_owned();
                        self.wrong(scope, node.at, format!("there is no trait {word:?}"), hint);
                    }
                }
            }
        }
    }

    fn index(&mut self, scope: &Scope, node: &Node) -> Option<Text> {
        let text = self.text(scope, node, "index")?;
        if let Some(plain) = text.plain()
            && read_index(plain).is_none()
        {
            let hint = "0 is the first from the top, -1 the last".to_owned();
            self.wrong(scope, node.at, format!("index is a whole number, not {plain:?}"), hint);
            return None;
        }
        Some(text)
    }

    /// A text that is held against others as a regular expression.
    fn pattern(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<Text> {
        let text = self.text(scope, node, what)?;
        if let Some(plain) = text.plain() {
            if plain.trim().is_empty() {
                let hint = "an empty text is everywhere: say which is meant".to_owned();
                self.wrong(scope, node.at, format!("{what} is empty"), hint);
                return None;
            }
            if let Err(why) = expression(plain) {
                let hint = "say the same without it, or write the text letter by letter".to_owned();
                self.wrong(scope, node.at, why, hint);
                return None;
            }
        }
        Some(text)
    }

    /// A point: `10, 20` in px, or `50%, 20%` of the screen or element.
    pub fn point(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<Text> {
        let text = self.text(scope, node, what)?;
        if let Some(plain) = text.plain()
            && let Err(why) = PointText::read(plain)
        {
            self.wrong(scope, node.at, format!("{what}: {why}"), None);
            return None;
        }
        Some(text)
    }
}

/// A whole number; `1.0` counts, since that is how scripts write one.
pub(crate) fn read_index(text: &str) -> Option<i32> {
    let text = text.trim();
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

/// Escapes that Maestro's engine knows and the one here does not.
const ESCAPES: &[char] = &['h', 'H', 'R', 'X', 'N', 'k', 'c', 'G', 'Z', 'e'];

/// The regular expression that a text is; a text that is none is meant letter by letter.
///
/// # Errors
/// What the text asks for and the engine here cannot do, since each match takes bounded time.
pub(crate) fn expression(text: &str) -> Result<String, String> {
    let text = &unquoted(text);
    let Err(why) = Parser::new().parse(text) else { return Ok(text.clone()) };
    if let regex_syntax::Error::Translate(why) = &why {
        // Well written, so it is no text by accident: the engine lacks what it names.
        return Err(format!("{text:?} asks for what the engine does not have: {}", why.kind()));
    }
    if let regex_syntax::Error::Parse(why) = &why {
        match why.kind() {
            ErrorKind::UnsupportedLookAround => {
                return Err(format!("{text:?} looks ahead or behind: the engine has no look-around"));
            }
            ErrorKind::UnsupportedBackreference => {
                return Err(format!("{text:?} repeats a group: the engine has no back-references"));
            }
            ErrorKind::EscapeUnrecognized => {
                let escape = text.get(why.span().start.offset..).and_then(|rest| rest.chars().nth(1));
                if let Some(letter) = escape.filter(|letter| ESCAPES.contains(letter)) {
                    return Err(format!("{text:?} holds \\{letter}, which the engine does not know"));
                }
            }
            _ => {}
        }
    }
    Ok(regex_syntax::escape(text))
}

/// `\Q...\E` written out: what stands between is meant letter by letter.
fn unquoted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, quoted)) = rest.split_once("\\Q") {
        let (quoted, after) = quoted.split_once("\\E").unwrap_or((quoted, ""));
        out.push_str(before);
        out.push_str(&regex_syntax::escape(quoted));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A point, px or percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PointText {
    Px(f64, f64),
    Percent(f64, f64),
}

impl PointText {
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = || format!("a point is \"10, 20\" in px or \"50%, 20%\", not {text:?}");
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let (x, y) = (x.trim(), y.trim());
        let number = |word: &str| word.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        match (x.strip_suffix('%'), y.strip_suffix('%')) {
            (Some(x), Some(y)) => {
                let (x, y) = (number(x)?, number(y)?);
                let within = |share: f64| (-100.0..=100.0).contains(&share);
                if within(x) && within(y) {
                    Ok(PointText::Percent(x, y))
                } else {
                    Err("percent go up to 100".to_owned())
                }
            }
            (None, None) => Ok(PointText::Px(number(x)?, number(y)?)),
            _ => Err("a point is px on both sides or percent on both sides".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_an_expression_or_meant_letter_by_letter() {
        assert_eq!(expression("Item \\d+").unwrap(), "Item \\d+");
        assert_eq!(expression("Total (USD").unwrap(), "Total \\(USD");
        assert_eq!(expression("*new*").unwrap(), "\\*new\\*");
        assert!(expression("(?!Log).*").unwrap_err().contains("look-around"));
        assert!(expression("(a)\\1").unwrap_err().contains("back-references"));
        assert!(expression("\\p{Klingon}+").unwrap_err().contains("does not have"));
        assert!(expression("a\\hb").unwrap_err().contains("\\h"));
        assert_eq!(expression("\\Q1+1\\E = .*").unwrap(), "1\\+1 = .*");
        assert_eq!(expression("C:\\Users").unwrap(), "C:\\\\Users");
    }

    #[test]
    fn points_are_px_or_percent() {
        assert_eq!(PointText::read("10,20"), Ok(PointText::Px(10.0, 20.0)));
        assert_eq!(PointText::read("50%, 12.5%"), Ok(PointText::Percent(50.0, 12.5)));
        for bad in ["", "10", "10,", "50%,20", "150%,0%", "a,b", "nan,1"] {
            assert!(PointText::read(bad).is_err(), "{bad}");
        }
    }
}
