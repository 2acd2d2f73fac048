//! TOML, changed at one place: a table is put at the end, or one of that name is replaced. Every other byte stays.

use serde_json::Value;
use toml::Table;

/// What a text says.
///
/// # Errors
/// What is wrong, with line and column.
pub fn table(text: &str) -> Result<Table, String> {
    text.trim_start_matches('\u{feff}').parse().map_err(|why: toml::de::Error| {
        let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        format!("line {}: {}", before.matches('\n').count() + 1, why.message())
    })
}

/// The entry of a table of tables, as JSON.
pub fn entry(table: &Table, container: &str, name: &str) -> Option<Value> {
    let entry = table.get(container)?.as_table()?.get(name)?;
    serde_json::to_value(entry).ok()
}

/// The text with `[container.name]`, anew or in the place of the old one. Whoever calls reads it again and compares: a
/// container that is written in another form (`container = { ... }`) cannot be added to in this way.
pub fn put(text: &str, container: &str, name: &str, entry: &[(&str, Value)]) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut section = format!("[{container}.{name}]{end}");
    for (key, value) in entry {
        section.push_str(&format!("{key} = {}{end}", written(value)));
    }
    match place(text, container, name) {
        Some((before, after)) => format!("{before}{section}{after}"),
        None if text.trim().is_empty() => format!("{text}{section}"),
        None => {
            let newline = if text.ends_with('\n') { "" } else { end };
            let blank = if text.trim_end_matches([' ', '\t']).ends_with(&format!("{end}{end}")) { "" } else { end };
            format!("{text}{newline}{blank}{section}")
        }
    }
}

/// A string or a list of strings; JSON's escapes are TOML's.
fn written(value: &Value) -> String {
    match value.as_array() {
        Some(items) => format!("[{}]", items.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")),
        None => value.to_string(),
    }
}

/// What stands before and behind the table of that name and its own tables.
fn place<'a>(text: &'a str, container: &str, name: &str) -> Option<(&'a str, &'a str)> {
    let ours = |line: &str| {
        let Some(inner) = line.trim_start().strip_prefix('[') else { return false };
        let inner = inner.replace([' ', '\t', '"', '\''], "");
        let path = format!("{container}.{name}");
        inner.strip_prefix(&path).is_some_and(|rest| rest.starts_with([']', '.']))
    };
    let mut at = 0;
    let mut span: Option<(usize, usize)> = None;
    for line in text.split_inclusive('\n') {
        let (start, trimmed) = (at, line.trim());
        at += line.len();
        match &mut span {
            None if ours(line) => span = Some((start, at)),
            None => {}
            Some(_) if trimmed.starts_with('[') && !ours(line) => break,
            // Comments and blank lines at the end belong to what follows.
            Some(_) if trimmed.is_empty() || trimmed.starts_with('#') => {}
            Some((_, end)) => *end = at,
        }
    }
    let (start, end) = span?;
    Some((text.get(..start)?, text.get(end..)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ours() -> Vec<(&'static str, Value)> {
        vec![("command", json!("agent-device")), ("args", json!(["mcp"]))]
    }

    #[test]
    fn a_table_is_put_at_the_end_and_the_rest_stays() {
        let old = "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"o\"";
        let new = put(old, "mcp_servers", "agent-device", &ours());
        assert_eq!(new, format!("{old}\n\n[mcp_servers.agent-device]\ncommand = \"agent-device\"\nargs = [\"mcp\"]\n"));
        assert_eq!(entry(&table(&new).unwrap(), "mcp_servers", "agent-device").unwrap()["args"], json!(["mcp"]));
    }

    #[test]
    fn an_empty_file_begins_with_it_and_line_ends_are_kept() {
        assert!(put("", "mcp_servers", "agent-device", &ours()).starts_with("[mcp_servers.agent-device]\n"));
        let new = put("a = 1\r\n", "mcp_servers", "agent-device", &ours());
        assert!(new.starts_with("a = 1\r\n\r\n[mcp_servers.agent-device]\r\ncommand") && new.ends_with("\r\n"));
    }

    #[test]
    fn an_old_table_gives_way_with_its_own_tables_and_nothing_else() {
        let old = "[mcp_servers.agent-device]\ncommand = \"npx\"\n[mcp_servers.\"agent-device\".env]\nA = \"1\"\n\n# next\n[mcp_servers.agent-device-too]\ncommand = \"t\"\n";
        let new = put(old, "mcp_servers", "agent-device", &ours());
        assert_eq!(
            new,
            "[mcp_servers.agent-device]\ncommand = \"agent-device\"\nargs = [\"mcp\"]\n\n# next\n[mcp_servers.agent-device-too]\ncommand = \"t\"\n"
        );
    }

    #[test]
    fn a_problem_names_its_line() {
        assert!(table("a = 1\nb = = 2\n").unwrap_err().starts_with("line 2: "));
    }
}
