//! Which crate may depend on which: the folder list is the architecture.

use std::{collections::BTreeMap, fs, path::Path};

use toml::{Table, Value};

/// A crate of the workspace: its folder, and the crates of the workspace that it depends on (tests left out).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// From the workspace's folder on: `core/contract`.
    pub folder: String,
    /// The folders of what it depends on.
    pub needs: Vec<String>,
}

/// What a crate may depend on: folders, `backends/*` for all in it.
const RULES: &[(&str, &[&str])] = &[
    ("core/contract", &[]),
    ("core/screen", &["core/contract"]),
    ("core/observe", &["core/contract"]),
    ("core/wire", &["core/contract"]),
    ("core/script", &["core/contract", "core/screen"]),
    ("core/backend", &["core/contract", "core/screen", "core/wire"]),
    ("backends/*", &["core/*"]),
    ("daemon", &["core/*", "backends/*"]),
    ("consumers/replay/flow", &["core/contract"]),
    ("consumers/replay/javascript", &[]),
    ("consumers/replay/maestro", &["core/contract", "consumers/replay/flow", "consumers/replay/javascript"]),
    ("consumers/replay/*", &["core/contract", "consumers/replay/flow"]),
    ("consumers/replay", &["core/contract", "core/script", "daemon", "consumers/caller", "consumers/replay/*"]),
    // The program: every consumer is a word of it.
    ("consumers/cli", &["core/contract", "daemon", "consumers/*"]),
    ("consumers/*", &["core/contract", "daemon", "consumers/caller", "consumers/replay", "consumers/replay/*"]),
    ("proof", &["core/*", "backends/*", "daemon", "consumers/*", "proof/android-lab", "proof/cut", "proof/simulate"]),
    ("proof/android-lab", &["core/*", "backends/*"]),
    ("proof/cut", &[]),
    ("proof/simulate", &["core/*", "backends/stage", "daemon", "proof/cut"]),
    ("proof/*", &["core/*", "backends/*", "daemon", "consumers/*", "proof", "proof/android-lab"]),
];

/// What breaks the rule, one sentence each.
pub fn broken(members: &[Member]) -> Vec<String> {
    let mut broken = Vec::new();
    for member in members {
        let Some((_, allowed)) = RULES.iter().find(|(room, _)| fits(room, &member.folder)) else {
            broken.push(format!("{}: no rule says what it may depend on", member.folder));
            continue;
        };
        for need in member.needs.iter().filter(|need| !allowed.iter().any(|room| fits(room, need))) {
            broken.push(format!("{} depends on {need}; it may depend on {}", member.folder, list(allowed)));
        }
    }
    broken
}

fn list(allowed: &[&str]) -> String {
    if allowed.is_empty() { "nothing of ours".to_owned() } else { allowed.join(", ") }
}

fn fits(room: &str, folder: &str) -> bool {
    match room.strip_suffix("/*") {
        Some(parent) => folder.strip_prefix(parent).is_some_and(|rest| rest.starts_with('/')),
        None => room == folder,
    }
}

/// The crates of the workspace, read from its manifests.
pub fn members(workspace: &Path) -> Vec<Member> {
    let root = manifest(workspace);
    let folders: Vec<String> = root["workspace"]["members"]
        .as_array()
        .expect("the workspace lists its members")
        .iter()
        .map(|member| member.as_str().expect("a member is a folder").to_owned())
        .collect();
    let manifests: Vec<(String, Table)> =
        folders.into_iter().map(|folder| (folder.clone(), manifest(&workspace.join(&folder)))).collect();
    let by_name: BTreeMap<&str, &str> = manifests
        .iter()
        .map(|(folder, manifest)| (manifest["package"]["name"].as_str().expect("a crate has a name"), folder.as_str()))
        .collect();
    manifests
        .iter()
        .map(|(folder, manifest)| {
            let needs = tables(manifest)
                .flat_map(|dependencies| dependencies.keys())
                .filter_map(|name| by_name.get(name.as_str()))
                .map(|folder| (*folder).to_owned())
                .collect();
            Member { folder: folder.clone(), needs }
        })
        .collect()
}

/// `[dependencies]`, `[build-dependencies]` and those of targets.
fn tables(manifest: &Table) -> impl Iterator<Item = &Table> {
    let of_targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(|targets| targets.values());
    ["dependencies", "build-dependencies"]
        .into_iter()
        .filter_map(|name| manifest.get(name))
        .chain(of_targets.filter_map(|target| target.get("dependencies")))
        .filter_map(Value::as_table)
}

fn manifest(folder: &Path) -> Table {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    text.parse().unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}
