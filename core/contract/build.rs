//! Generates `Row`, one variant per row of the golden table.
//!
//! Only the ids are read. What a row must disclose is deliberately left out: the code makes its own claim and the
//! gate holds the claim against the table, so a wrong value in either shows.

use std::{env, error::Error, fmt::Write as _, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let table =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../contracts/fixtures/dispatch-disclosure.json");
    println!("cargo:rerun-if-changed={}", table.display());
    let rows: Vec<serde_json::Value> = serde_json::from_str(&fs::read_to_string(&table)?)?;
    let mut ids = Vec::new();
    for row in &rows {
        let id = row.get("id").and_then(|id| id.as_str()).ok_or("a row without an id")?;
        let trigger = row.get("trigger").and_then(|text| text.as_str()).ok_or("a row without a trigger")?;
        if ids.iter().any(|(seen, _)| seen == id) {
            return Err(format!("duplicate row id {id}").into());
        }
        ids.push((id.to_owned(), trigger.to_owned()));
    }
    let mut out = String::from(
        "/// One way in which a producer can fail: a row of `contracts/fixtures/dispatch-disclosure.json`.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\npub enum Row {\n",
    );
    for (id, trigger) in &ids {
        writeln!(out, "    /// `{id}`: {trigger}\n    {},", variant(id))?;
    }
    out.push_str(
        "}\n\nimpl Row {\n    /// Every row, in the order of the table.\n    pub const ALL: &'static [Row] = &[\n",
    );
    for (id, _) in &ids {
        writeln!(out, "        Row::{},", variant(id))?;
    }
    out.push_str("    ];\n\n    /// The id as the table spells it.\n    pub const fn id(self) -> &'static str {\n        match self {\n");
    for (id, _) in &ids {
        writeln!(out, "            Row::{} => {id:?},", variant(id))?;
    }
    out.push_str("        }\n    }\n}\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("row.rs"), out)?;
    Ok(())
}

/// `daemon.refusal.ref-expired` becomes `DaemonRefusalRefExpired`.
fn variant(id: &str) -> String {
    id.split(['.', '-', '_', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
        })
        .collect()
}
