//! JSON as editors keep it, with comments and trailing commas: read with places, and changed at one place.
//!
//! Every byte that is not part of the change stays: comments, order, indentation, line ends.

use std::ops::Range;

use serde_json::{Map, Value};

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    /// From the beginning, in bytes.
    at: usize,
    what: &'static str,
}

impl Problem {
    /// Line, column and what is wrong.
    pub fn tell(&self, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("line {line}, column {column}: {}", self.what)
    }
}

/// A value and where it stands.
struct Node {
    span: Range<usize>,
    value: Value,
    /// Of an object: its members, in order.
    members: Option<Vec<Member>>,
}

struct Member {
    key: String,
    start: usize,
    node: Node,
}

/// What a text says, without its comments.
pub fn value(text: &str) -> Result<Value, Problem> {
    read(text).map(|node| node.value)
}

/// What became of a change.
#[derive(Debug, PartialEq, Eq)]
pub enum Changed {
    /// The text with the new entry.
    Text(String),
    /// The container is there and is no object.
    NoObject,
}

/// Puts `entry` under `container` and `name`; an entry of that name is replaced.
pub fn put(text: &str, container: &str, name: &str, entry: &[(&str, Value)]) -> Result<Changed, Problem> {
    let style = Style::of(text);
    if blank(text) {
        let inner = style.object(&[(container, style.object(&[(name, style.entry(entry, 2))], 1))], 0);
        return Ok(Changed::Text(format!("{text}{inner}{}", style.end)));
    }
    let root = read(text)?;
    let Some(members) = &root.members else { return Ok(Changed::NoObject) };
    let Some(list) = members.iter().rfind(|member| member.key == container) else {
        let list = style.object(&[(name, style.entry(entry, 2))], 1);
        return Ok(Changed::Text(added(text, &root, members, &style, 1, container, &list)));
    };
    let Some(entries) = &list.node.members else { return Ok(Changed::NoObject) };
    let entry = style.entry(entry, 2);
    Ok(Changed::Text(match entries.iter().rfind(|member| member.key == name) {
        Some(old) => splice(text, &old.node.span, &entry),
        None => added(text, &list.node, entries, &style, 2, name, &entry),
    }))
}

/// Whether nothing stands in a text but spaces and a byte order mark.
fn blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn splice(text: &str, span: &Range<usize>, new: &str) -> String {
    let (before, after) = (text.get(..span.start).unwrap_or(text), text.get(span.end..).unwrap_or_default());
    format!("{before}{new}{after}")
}

/// The text with one member more at the end of an object.
fn added(text: &str, object: &Node, members: &[Member], style: &Style, depth: usize, key: &str, value: &str) -> String {
    let close = object.span.end - 1;
    let member = format!("{}: {value}", quoted(key));
    let indent = members
        .iter()
        .find_map(|member| own_line(text, member.start))
        .map_or_else(|| style.unit.repeat(depth), str::to_owned);
    let line = format!("{}{indent}{member}", style.end);
    let outer = style.unit.repeat(depth - 1);
    let Some(last) = members.last() else {
        let inside = text.get(object.span.start + 1..close).unwrap_or_default();
        let kept = inside.trim_end();
        return splice(text, &(object.span.start + 1..close), &format!("{kept}{line}{}{outer}", style.end));
    };
    let after = last.node.span.end;
    let comma = comma_after(text, after, close);
    let place = rest_of_line(text, comma.map_or(after, |comma| comma + 1), close);
    let between = text.get(after..place).unwrap_or_default();
    let closed = text.get(place..close).is_some_and(|rest| rest.contains('\n'));
    let line = if closed { line } else { format!("{line}{}{outer}", style.end) };
    match comma {
        // Whoever ends a list with a comma goes on doing so.
        Some(_) => splice(text, &(place..place), &format!("{line},")),
        None => splice(text, &(after..place), &format!(",{between}{line}")),
    }
}

/// The spaces before a place, if nothing else stands before it on its line.
fn own_line(text: &str, at: usize) -> Option<&str> {
    let line = text.get(..at)?.rsplit_once('\n')?.1;
    line.chars().all(char::is_whitespace).then_some(line)
}

/// Where the comma behind a value stands, comments between them passed over.
fn comma_after(text: &str, from: usize, close: usize) -> Option<usize> {
    let mut reader = Reader { text, at: from };
    reader.skip().ok()?;
    (reader.at < close && reader.peek() == Some(b',')).then_some(reader.at)
}

/// The end of what stands on the same line, if that is only spaces and comments: a comment stays with its line.
fn rest_of_line(text: &str, from: usize, close: usize) -> usize {
    let rest = text.get(from..close).unwrap_or_default();
    let Some(line) = rest.find('\n').and_then(|end| rest.get(..end)) else { return from };
    let line = line.trim_end();
    let begin = line.trim_start();
    let whole_comment =
        begin.starts_with("//") || begin.starts_with("/*") && begin.find("*/") == begin.len().checked_sub(2);
    if whole_comment { from + line.len() } else { from }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// How the text is laid out.
struct Style {
    unit: String,
    end: &'static str,
}

impl Style {
    fn of(text: &str) -> Self {
        let unit = read(text)
            .ok()
            .and_then(|root| root.members?.iter().find_map(|member| own_line(text, member.start)).map(str::to_owned))
            .filter(|unit| !unit.is_empty());
        Self { unit: unit.unwrap_or_else(|| "  ".to_owned()), end: if text.contains("\r\n") { "\r\n" } else { "\n" } }
    }

    /// An object over several lines; the values are written already.
    fn object(&self, members: &[(&str, String)], depth: usize) -> String {
        let (inner, outer) = (self.unit.repeat(depth + 1), self.unit.repeat(depth));
        let lines: Vec<_> = members.iter().map(|(key, value)| format!("{inner}{}: {value}", quoted(key))).collect();
        let end = self.end;
        format!("{{{end}{}{end}{outer}}}", lines.join(&format!(",{end}")))
    }

    fn entry(&self, entry: &[(&str, Value)], depth: usize) -> String {
        let members: Vec<_> = entry
            .iter()
            .map(|(key, value)| {
                let items = value.as_array().map(|items| items.iter().map(Value::to_string).collect::<Vec<_>>());
                (*key, items.map_or_else(|| value.to_string(), |items| format!("[{}]", items.join(", "))))
            })
            .collect();
        self.object(&members, depth)
    }
}

fn read(text: &str) -> Result<Node, Problem> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    reader.skip()?;
    let node = reader.node(0)?;
    reader.skip()?;
    if reader.at < text.len() {
        return Err(reader.wrong("nothing may follow the value"));
    }
    Ok(node)
}

/// Deeper than any file of settings.
const DEEPEST: usize = 100;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &'static str) -> Problem {
        Problem { at: self.at, what }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over spaces and comments.
    fn skip(&mut self) -> Result<(), Problem> {
        loop {
            let spaces = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
            self.at += spaces;
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                let end = self.rest().find("*/").ok_or_else(|| self.wrong("this comment does not end"))?;
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node, Problem> {
        if depth > DEEPEST {
            return Err(self.wrong("this is nested too deep"));
        }
        let start = self.at;
        let (value, members) = match self.peek() {
            Some(b'{') => {
                let members = self.members(depth)?;
                let map: Map<_, _> =
                    members.iter().map(|member| (member.key.clone(), member.node.value.clone())).collect();
                (Value::Object(map), Some(members))
            }
            Some(b'[') => (Value::Array(self.items(depth)?), None),
            Some(b'"') => (Value::String(self.string()?), None),
            Some(_) => (self.word()?, None),
            None => return Err(self.wrong("a value is missing")),
        };
        Ok(Node { span: start..self.at, value, members })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<Member>, Problem> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(members);
                }
                Some(b'"') => {}
                _ => return Err(self.wrong("a name in quotes or } is expected")),
            }
            let start = self.at;
            let key = self.string()?;
            self.skip()?;
            if self.peek() != Some(b':') {
                return Err(self.wrong("a : is expected"));
            }
            self.at += 1;
            self.skip()?;
            members.push(Member { key, start, node: self.node(depth + 1)? });
            self.separator(b'}', "a , or } is expected")?;
        }
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Value>, Problem> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(items);
            }
            items.push(self.node(depth + 1)?.value);
            self.separator(b']', "a , or ] is expected")?;
        }
    }

    /// A comma, or the end that is yet to come.
    fn separator(&mut self, end: u8, what: &'static str) -> Result<(), Problem> {
        self.skip()?;
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(byte) if byte == end => {}
            _ => return Err(self.wrong(what)),
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, Problem> {
        let mut escaped = false;
        let end = self.rest().bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let literal = end.and_then(|end| self.rest().get(..end + 2));
        let read = literal.and_then(|literal| Some((literal.len(), serde_json::from_str(literal).ok()?)));
        let (length, string) = read.ok_or_else(|| self.wrong("this string does not end, or has a bad escape"))?;
        self.at += length;
        Ok(string)
    }

    /// A number, true, false or null.
    fn word(&mut self) -> Result<Value, Problem> {
        let length = self
            .rest()
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .unwrap_or(self.rest().len());
        let value = self.rest().get(..length).and_then(|word| serde_json::from_str(word).ok());
        let value = value.ok_or_else(|| self.wrong("a value is expected"))?;
        self.at += length;
        Ok(value)
    }
}

#[cfg(test)]
#[path = "jsonc_tests.rs"]
mod tests;
