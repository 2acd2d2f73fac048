//! YAML in which every part knows its place.
//!
//! Scalars keep the text that was written: `007` and `1.10` stay what they are, since most of them are typed into an app
//! or held against a screen. What a scalar means is decided where it is read.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span};

/// Parts of a file at most, those that aliases repeat included.
const MOST_NODES: usize = 100_000;

/// A place in a file, from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub line: u32,
    pub column: u32,
}

/// A part of a document.
#[derive(Debug, Clone)]
pub struct Node {
    pub at: At,
    pub value: Yaml,
}

/// What a part is.
#[derive(Debug, Clone)]
pub enum Yaml {
    /// Nothing, `~` or `null`.
    Null,
    /// A text, as written.
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: String,
    pub at: At,
    pub value: Node,
}

impl Yaml {
    /// For messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Yaml::Null => "nothing",
            Yaml::Scalar(_) => "a text",
            Yaml::List(_) => "a list",
            Yaml::Map(_) => "a map",
        }
    }

    fn size(&self) -> usize {
        match self {
            Yaml::Null | Yaml::Scalar(_) => 1,
            Yaml::List(nodes) => 1 + nodes.iter().map(|node| node.value.size()).sum::<usize>(),
            Yaml::Map(entries) => 1 + entries.iter().map(|entry| 1 + entry.value.value.size()).sum::<usize>(),
        }
    }
}

/// What is no YAML, or YAML that no flow needs.
#[derive(Debug)]
pub struct NoYaml {
    pub at: At,
    pub message: String,
}

/// A list or map that is not yet whole.
struct Open {
    at: At,
    anchor: usize,
    kind: Collecting,
}

enum Collecting {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, key: Option<(String, At)> },
}

struct Builder {
    documents: Vec<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
}

/// The documents of a file.
pub fn documents(text: &str) -> Result<Vec<Node>, NoYaml> {
    let mut builder = Builder { documents: Vec::new(), open: Vec::new(), anchors: HashMap::new(), nodes: 0 };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|why| scan(&why))?;
        builder.take(event, at(&span))?;
    }
    Ok(builder.documents)
}

fn scan(why: &ScanError) -> NoYaml {
    let mark = why.marker();
    NoYaml { at: place(mark.line(), mark.col()), message: format!("this is no YAML: {}", why.info()) }
}

fn at(span: &Span) -> At {
    place(span.start.line(), span.start.col())
}

/// The parser counts lines from 1 and columns from 0.
fn place(line: usize, column: usize) -> At {
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    At { line: small(line.max(1)), column: small(column.saturating_add(1)) }
}

impl Builder {
    fn take(&mut self, event: Event<'_>, at: At) -> Result<(), NoYaml> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let empty = matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                let value = match style {
                    ScalarStyle::Plain if empty => Yaml::Null,
                    _ => Yaml::Scalar(text.into_owned()),
                };
                self.add(Node { at, value }, anchor)
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open.push(Open { at, anchor, kind: Collecting::List(Vec::new()) });
                Ok(())
            }
            Event::MappingStart(_, anchor, _) => {
                self.open.push(Open { at, anchor, kind: Collecting::Map { entries: Vec::new(), key: None } });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else { return Ok(()) };
                let value = match open.kind {
                    Collecting::List(nodes) => Yaml::List(nodes),
                    Collecting::Map { entries, .. } => Yaml::Map(entries),
                };
                self.add(Node { at: open.at, value }, open.anchor)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor) {
                Some(node) => {
                    let node = Node { at, value: node.value.clone() };
                    self.nodes += node.value.size();
                    self.add(node, 0)
                }
                None => Err(NoYaml { at, message: "this alias repeats something that it is part of".to_owned() }),
            },
            _ => Ok(()),
        }
    }

    fn add(&mut self, node: Node, anchor: usize) -> Result<(), NoYaml> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(NoYaml { at: node.at, message: format!("the file has more than {MOST_NODES} parts") });
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.documents.push(node),
            Some(Collecting::List(nodes)) => nodes.push(node),
            Some(Collecting::Map { entries, key }) => match key.take() {
                Some((name, at)) => {
                    if entries.iter().any(|entry| entry.key == name) {
                        return Err(NoYaml { at, message: format!("{name:?} stands here a second time") });
                    }
                    entries.push(Entry { key: name, at, value: node });
                }
                None => match node.value {
                    Yaml::Scalar(text) => *key = Some((text, node.at)),
                    Yaml::Null => *key = Some((String::new(), node.at)),
                    other => {
                        let message = format!("a key is a text, not {}", other.kind());
                        return Err(NoYaml { at: node.at, message });
                    }
                },
            },
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Node {
        documents(text).unwrap().remove(0)
    }

    #[test]
    fn scalars_keep_what_was_written_and_every_part_its_place() {
        let Yaml::Map(entries) = one("a: 007\nb:\n  - 1.10\n  - 'null'\n  - ~\n").value else { panic!() };
        assert!(matches!(&entries[0].value.value, Yaml::Scalar(text) if text == "007"));
        assert_eq!(entries[0].value.at, At { line: 1, column: 4 });
        let Yaml::List(items) = &entries[1].value.value else { panic!() };
        assert!(matches!(&items[0].value, Yaml::Scalar(text) if text == "1.10"));
        assert!(matches!(&items[1].value, Yaml::Scalar(text) if text == "null"));
        assert!(matches!(items[2].value, Yaml::Null));
        assert_eq!(items[1].at, At { line: 4, column: 5 });
    }

    #[test]
    fn what_is_no_yaml_says_where() {
        let why = documents("a: [1, 2\nb: 3").unwrap_err();
        assert!(why.at.line >= 1 && why.message.contains("no YAML"), "{why:?}");
        let twice = documents("a: 1\na: 2").unwrap_err();
        assert_eq!(twice.at, At { line: 2, column: 1 });
    }

    #[test]
    fn aliases_repeat_and_are_bounded() {
        let Yaml::List(items) = one("- &x {a: b}\n- *x").value else { panic!() };
        assert!(matches!(&items[1].value, Yaml::Map(entries) if entries[0].key == "a"));
        let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..12 {
            let part = format!("*a{}", level - 1);
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", [part.as_str(); 10].join(",")));
        }
        assert!(documents(&bomb).unwrap_err().message.contains("parts"));
    }
}
