//! Which rows the sources speak of. A row that nobody claims is a row that nobody can fail under.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use contract::Row;

/// Folders with product code.
const ROOMS: &[&str] = &["core", "backends", "daemon", "consumers"];

/// The ids of all rows that product code names, its tests left out.
pub fn used_rows(workspace: &Path) -> BTreeSet<String> {
    let mut files = Vec::new();
    for room in ROOMS {
        collect(&workspace.join(room), &mut files);
    }
    let mut used = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        used.extend(named(&text));
    }
    used
}

/// The ids of the rows that a source text names before its tests.
pub fn named(text: &str) -> BTreeSet<String> {
    // Tests that stand in the same file are the last thing in it; `mod tests;` may stand anywhere.
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let words = product.split("Row::").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    });
    let words: BTreeSet<&str> = words.collect();
    Row::ALL.iter().filter(|row| words.contains(format!("{row:?}").as_str())).map(|row| row.id().to_owned()).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let listing = fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    for entry in listing.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !["tests", "target", "examples", "benches"].contains(&name.as_ref()) {
                collect(&path, files);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" && name != "build.rs" {
            files.push(path);
        }
    }
}
