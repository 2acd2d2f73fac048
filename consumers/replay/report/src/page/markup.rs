//! Texts and links as HTML.

use std::path::{Component, Path};

use contract::plain;

/// A text of anybody, on one line.
pub fn text(text: &str) -> String {
    let text = plain::line(text);
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// The address of a file, as seen from a folder.
pub fn link(folder: &Path, file: &str) -> String {
    let file = Path::new(file);
    let (from, to) = (parts(folder), parts(file));
    let same = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - same);
    let down = to.iter().skip(same).map(|part| spelt(part));
    up.chain(down).collect::<Vec<_>>().join("/")
}

fn parts(path: &Path) -> Vec<String> {
    let named = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    path.components().filter_map(named).collect()
}

/// A name as it stands in an address.
fn spelt(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_linked_as_seen_from_the_folder() {
        for (folder, file, expected) in [
            ("/a/run", "/a/run/x/trace.html", "x/trace.html"),
            ("/a/run", "/a/other/trace.html", "../other/trace.html"),
            ("/", "/t.html", "t.html"),
            ("/a", "/a/ü #1?.html", "%C3%BC%20%231%3F.html"),
        ] {
            assert_eq!(link(Path::new(folder), file), expected);
        }
    }
}
