//! Texts with counters and field contents in them: `Pressed {taps} times`, `Hello {value:name}`, `Row {n}`.

/// A piece of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it stands.
    Text(&'a str),
    /// The number of the generated row.
    Row,
    /// A counter.
    Counter(&'a str),
    /// What a field holds.
    Value(&'a str),
}

/// Splits a template. `{{` and `}}` are braces; a brace that opens nothing is one as well.
pub fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some(start) = rest.find(['{', '}']) {
        let (text, from) = rest.split_at(start);
        found.push(Piece::Text(text));
        let double = from.starts_with("{{") || from.starts_with("}}");
        let name = from.strip_prefix('{').and_then(|inner| inner.split_once('}')).map(|(name, _)| name);
        let (piece, taken) = match name {
            _ if double => (Piece::Text(from.get(..1).unwrap_or_default()), 2),
            Some("n") => (Piece::Row, 3),
            Some(name) if is_word(name) => (Piece::Counter(name), name.len() + 2),
            Some(name) if name.strip_prefix("value:").is_some_and(is_word) => {
                (Piece::Value(name.strip_prefix("value:").unwrap_or_default()), name.len() + 2)
            }
            _ => (Piece::Text(from.get(..1).unwrap_or_default()), 1),
        };
        found.push(piece);
        rest = from.get(taken..).unwrap_or_default();
    }
    found.push(Piece::Text(rest));
    found.retain(|piece| *piece != Piece::Text(""));
    found
}

/// The text with every piece replaced. A row number is left out where there is none.
pub fn render(
    template: &str,
    row: Option<u32>,
    counter: impl Fn(&str) -> Option<i64>,
    value: impl Fn(&str) -> Option<String>,
) -> String {
    if !template.contains(['{', '}']) {
        return template.to_owned();
    }
    pieces(template)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Row => row.map(|row| row.to_string()).unwrap_or_default(),
            Piece::Counter(name) => counter(name).map(|count| count.to_string()).unwrap_or_default(),
            Piece::Value(id) => value(id).unwrap_or_default(),
        })
        .collect()
}

/// An id with the row's number in it.
pub fn with_row(id: &str, row: Option<u32>) -> String {
    match row {
        Some(row) if id.contains("{n}") => id.replace("{n}", &row.to_string()),
        _ => id.to_owned(),
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_shows_counters_values_and_row_numbers() {
        let text = render(
            "{n}: {taps} taps by {value:name}, {{kept}} { too",
            Some(7),
            |name| (name == "taps").then_some(3),
            |id| (id == "name").then(|| "Ann".to_owned()),
        );
        assert_eq!(text, "7: 3 taps by Ann, {kept} { too");
    }

    #[test]
    fn an_id_gets_the_number_of_its_row() {
        assert_eq!(with_row("row-{n}", Some(12)), "row-12");
        assert_eq!(with_row("row-{n}", None), "row-{n}");
    }
}
