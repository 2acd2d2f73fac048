//! How a selector is written, so that reading it gives the same selector again.

use std::fmt::{Display, Formatter, Result};

use contract::quote;

use super::{Alternative, Pick, Selector, Span, Term};

/// A value that needs no quotes, also between parentheses: it reads back as itself.
fn is_bare(value: &str) -> bool {
    !value.is_empty()
        && value.chars().all(|c| {
            !c.is_whitespace() && contract::plain::is_shown(c) && !matches!(c, '"' | '\'' | '\\' | '|' | '(' | ')')
        })
}

fn write_selector(selector: &Selector, out: &mut String) {
    for (place, alternative) in selector.alternatives.iter().enumerate() {
        if place > 0 {
            out.push_str(" || ");
        }
        write_alternative(alternative, out);
    }
}

fn write_alternative(alternative: &Alternative, out: &mut String) {
    for (place, term) in alternative.terms.iter().enumerate() {
        if place > 0 {
            out.push(' ');
        }
        write_term(term, out);
    }
}

fn write_term(term: &Term, out: &mut String) {
    match term {
        Term::Text(key, value) => {
            out.push_str(key.word());
            out.push('=');
            if is_bare(value) { out.push_str(value) } else { quote::value_into(out, value) }
        }
        Term::Pattern(key, pattern) => {
            out.push_str(key.word());
            out.push_str("~=");
            out.push_str(&quote::pattern(pattern.text()));
        }
        Term::Flag(flag, true) => out.push_str(flag.word()),
        Term::Flag(flag, false) => {
            out.push_str(flag.word());
            out.push_str("=false");
        }
        Term::Relation(relation, anchor) => {
            out.push_str(relation.word());
            out.push_str("=(");
            write_selector(anchor, out);
            out.push(')');
        }
        Term::Size(side, span) => {
            out.push_str(side.word());
            out.push('=');
            out.push_str(&span.to_string());
        }
        Term::Pick(Pick::First) => out.push_str("first"),
        Term::Pick(Pick::Index(index)) => out.push_str(&format!("index={index}")),
    }
}

impl Display for Selector {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut out = String::new();
        write_selector(self, &mut out);
        f.write_str(&out)
    }
}

impl Display for Alternative {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut out = String::new();
        write_alternative(self, &mut out);
        f.write_str(&out)
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            Span { least, most } if least == most => write!(f, "{least}"),
            Span { least: 0, most: u32::MAX } => f.write_str("0.."),
            Span { least: 0, most } => write!(f, "..{most}"),
            Span { least, most: u32::MAX } => write!(f, "{least}.."),
            Span { least, most } => write!(f, "{least}..{most}"),
        }
    }
}
