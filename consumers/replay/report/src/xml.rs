//! Tags and their escaping.

/// An XML document that grows.
#[derive(Debug)]
pub struct Writer {
    out: String,
    open: Vec<&'static str>,
}

impl Writer {
    /// With its declaration.
    pub fn new() -> Self {
        Self { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), open: Vec::new() }
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, String)]) {
        self.out.push_str(&"  ".repeat(self.open.len()));
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes {
            self.out.push(' ');
            self.out.push_str(key);
            self.out.push_str("=\"");
            escape(&mut self.out, value, true);
            self.out.push('"');
        }
    }

    /// Opens one that has others inside.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, String)]) {
        self.tag(name, attributes);
        self.out.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the innermost.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.out.push_str(&"  ".repeat(self.open.len()));
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push_str(">\n");
        }
    }

    /// One with a text inside, or nothing.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, String)], text: &str) {
        self.tag(name, attributes);
        if text.is_empty() {
            self.out.push_str("/>\n");
            return;
        }
        self.out.push('>');
        escape(&mut self.out, text, false);
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    /// The document, with everything closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }
}

/// Whether XML 1.0 has this letter at all, escaped or not. The controls of Latin-1 are in it, but no reader likes them.
const fn exists(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn escape(out: &mut String, text: &str, attribute: bool) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            // Readers turn these into other white space unless they are spelt.
            '\r' => out.push_str("&#13;"),
            '\n' if attribute => out.push_str("&#10;"),
            '\t' if attribute => out.push_str("&#9;"),
            letter if exists(letter) => out.push(letter),
            _ => out.push('\u{fffd}'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced_and_the_rest_is_escaped() {
        let mut xml = Writer::new();
        xml.open("a", &[("b", "\"<&>\"\n\u{1b}[0m".to_owned())]);
        xml.leaf("c", &[], "]]>\r\n\u{0}\u{fffe}\u{1f600}é");
        xml.leaf("d", &[], "");
        assert_eq!(
            xml.finish(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&quot;&lt;&amp;&gt;&quot;&#10;\u{fffd}[0m\">\n  \
             <c>]]&gt;&#13;\n\u{fffd}\u{fffd}\u{1f600}é</c>\n  <d/>\n</a>\n"
        );
    }
}
