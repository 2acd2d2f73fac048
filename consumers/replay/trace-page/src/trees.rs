//! How trees go into a page: each once, as short arrays, packed in chunks that the page unpacks when it needs one.

use std::{collections::HashMap, fs, io, io::Write as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

/// A chunk is closed once it holds so much, bytes. Trees that follow each other are alike: together they pack far better, and
/// one is unpacked in about a millisecond.
const CHUNK: usize = 256 * 1024;
/// What stands for the content of a field that hides it.
const MASK: &str = "••••••";

/// The trees of a page.
#[derive(Debug, Default)]
pub struct Trees {
    /// Chunk and place in it, by number.
    places: Vec<[usize; 2]>,
    by_text: HashMap<Vec<u8>, usize>,
    open: Vec<String>,
    open_bytes: usize,
    chunks: Vec<String>,
}

impl Trees {
    /// The number of a tree in the page.
    ///
    /// # Errors
    /// A sentence that says why it cannot be shown.
    pub fn add(&mut self, path: &Path) -> Result<usize, String> {
        let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read(path).map_err(|why| format!("The tree {} cannot be read: {why}.", name()))?;
        let nodes: Vec<Value> = serde_json::from_slice(&text)
            .map_err(|why| format!("The tree {} is not a list of nodes: {why}.", name()))?;
        Ok(self.keep(&nodes))
    }

    fn keep(&mut self, nodes: &[Value]) -> usize {
        let text = Value::from(nodes.iter().enumerate().map(|(place, node)| short(place, node)).collect::<Vec<_>>())
            .to_string();
        let number = *self.by_text.entry(Sha256::digest(&text).to_vec()).or_insert(self.places.len());
        if number < self.places.len() {
            return number;
        }
        self.places.push([self.chunks.len(), self.open.len()]);
        self.open_bytes += text.len();
        self.open.push(text);
        if self.open_bytes >= CHUNK {
            self.close();
        }
        number
    }

    fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let text = format!("[{}]", self.open.join(","));
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        // Writing into memory does not fail; if it did, the chunk would be empty and the page would say that it cannot unpack it.
        let packed = packer.write_all(text.as_bytes()).and_then(|()| packer.finish()).unwrap_or_default();
        self.chunks.push(STANDARD.encode(packed));
        self.open.clear();
        self.open_bytes = 0;
    }

    /// Chunk and place in it of every tree, for the page's data.
    pub fn places(&self) -> &[[usize; 2]] {
        &self.places
    }

    /// Writes the chunks: raw deflate, base64, one element each.
    ///
    /// # Errors
    /// Of `out`.
    pub fn write(&mut self, out: &mut impl io::Write) -> io::Result<()> {
        self.close();
        for (number, chunk) in self.chunks.iter().enumerate() {
            writeln!(out, "<script type=\"text/plain\" id=\"trees-{number}\">{chunk}</script>")?;
        }
        Ok(())
    }
}

/// `[index, depth, role, label, id, [x, y, width, height], flags, more]` of a node as `snapshot --json` shows it; the page's
/// `tree.js` reads it. A fact that is missing was left out by the writer because it is false or not known.
fn short(place: usize, node: &Value) -> Value {
    let fact = |name: &str| node.get(name).unwrap_or(&Value::Null);
    let is = |name: &str| fact(name) == &Value::Bool(true);
    let text = |name: &str| fact(name).as_str().unwrap_or_default();
    let flags = [
        is("enabled"),
        is("visibleToUser"),
        is("hittable"),
        fact("hittable") == &Value::Bool(false),
        is("focused"),
        is("selected"),
        is("editable"),
        is("password"),
        is("interactive"),
        is("scrollable"),
    ];
    let flags = flags.iter().enumerate().fold(0_u32, |sum, (bit, &set)| sum | u32::from(set) << bit);
    let mut more = Map::new();
    for (name, shown) in MORE {
        let value = match (name, fact(name)) {
            (_, Value::Null) => continue,
            // What is masked already stays as it is; this is for a backend that forgot.
            ("value", _) if is("password") => json!(MASK),
            ("ref", Value::String(reference)) => json!(format!("@{reference}")),
            (_, Value::Bool(set)) => json!(if *set { "yes" } else { "no" }),
            (_, Value::Number(number)) => length(number.as_f64().unwrap_or_default()),
            (_, other) => other.clone(),
        };
        more.insert(shown.to_owned(), value);
    }
    let rect = ["x", "y", "width", "height"]
        .map(|side| length(fact("rect").get(side).and_then(Value::as_f64).unwrap_or_default()));
    json!([
        fact("index").as_u64().unwrap_or(place as u64),
        fact("depth").as_u64().unwrap_or_default(),
        text("role"),
        text("label"),
        text("identifier"),
        rect,
        flags,
        more,
    ])
}

/// Facts that are shown of a node that is chosen, and their names there.
const MORE: [(&str, &str); 14] = [
    ("ref", "ref"),
    ("type", "type"),
    ("value", "value"),
    ("description", "description"),
    ("placeholder", "placeholder"),
    ("coveredBy", "covered by"),
    ("checked", "checked"),
    ("expanded", "expanded"),
    ("level", "level"),
    ("href", "leads to"),
    ("hiddenAbove", "hidden above"),
    ("hiddenBelow", "hidden below"),
    ("moreAbove", "more above"),
    ("moreBelow", "more below"),
];

/// Half a pixel is seen by nobody: two decimals at most, none where there are none.
#[expect(clippy::cast_possible_truncation, reason = "lengths of a screen are small, and larger ones saturate")]
fn length(px: f64) -> Value {
    let rounded = (px * 100.0).round() / 100.0;
    if rounded.fract() == 0.0 { json!(rounded as i64) } else { json!(rounded) }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use contract::{
        Rect,
        view::{Checked, NodeView},
    };

    use super::*;

    /// As the daemon writes it.
    fn node(label: &str) -> Value {
        let node = NodeView {
            role: "button".into(),
            label: Some(label.into()),
            rect: Rect::new(1.0, 2.004, 3.5, 4.0),
            enabled: true,
            interactive: true,
            checked: Some(Checked::Mixed),
            level: Some(2),
            ..NodeView::default()
        };
        serde_json::to_value(node).unwrap()
    }

    fn unpacked(trees: &mut Trees) -> Vec<Value> {
        let mut out = Vec::new();
        trees.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines()
            .map(|line| {
                let packed = line.split(['>', '<']).nth(2).unwrap();
                let mut json = String::new();
                flate2::read::DeflateDecoder::new(&STANDARD.decode(packed).unwrap()[..])
                    .read_to_string(&mut json)
                    .unwrap();
                serde_json::from_str(&json).unwrap()
            })
            .collect()
    }

    #[test]
    fn equal_trees_go_in_once_and_come_out_as_they_were() {
        let mut trees = Trees::default();
        let numbers = [trees.keep(&[node("a")]), trees.keep(&[node("b")]), trees.keep(&[node("a")])];
        assert_eq!(numbers, [0, 1, 0]);
        let chunks = unpacked(&mut trees);
        assert_eq!(trees.places(), [[0, 0], [0, 1]]);
        assert_eq!(
            chunks[0][1][0],
            json!([0, 0, "button", "b", "", [1, 2, 3.5, 4], 0b1_0000_0001, {"checked": "mixed", "level": 2}])
        );
    }

    #[test]
    fn chunks_are_closed_and_every_tree_is_found_by_its_place() {
        let mut trees = Trees::default();
        let wide: Vec<_> = (0..500).map(|_| node("a label of some length, as they are")).collect();
        for number in 0..40 {
            let mut nodes = wide.clone();
            nodes.push(node(&format!("tree {number}")));
            trees.keep(&nodes);
        }
        let chunks = unpacked(&mut trees);
        assert!(chunks.len() > 1);
        for (number, &[chunk, place]) in trees.places().iter().enumerate() {
            assert_eq!(chunks[chunk][place][500][3], format!("tree {number}"));
        }
    }

    #[test]
    fn a_password_is_masked_even_where_the_backend_forgot() {
        let secret = json!({"role": "text-field", "value": "hunter2", "password": true});
        assert_eq!(short(0, &secret)[7]["value"], MASK);
        assert!(!short(0, &secret).to_string().contains("hunter2"));
    }
}
