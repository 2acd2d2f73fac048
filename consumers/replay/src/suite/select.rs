//! Which files a suite is made of: files, folders and patterns, in the order in which they were named.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use contract::{Code, Failure, Row};

/// Files that hold flows.
const EXTENSIONS: &[&str] = &["ad", "yaml", "yml"];
/// Files of one suite at most: a pattern that was meant otherwise is found out at once.
const MOST: usize = 20_000;
/// Folders within folders at most.
const DEEPEST: usize = 32;

/// Whether a file holds a flow, by its name. A workspace's `config.yaml` is none.
pub fn is_flow(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    EXTENSIONS.contains(&extension) && !(extension != "ad" && stem == "config")
}

/// The files that are meant, each once, absolute.
///
/// # Errors
/// `INVALID_ARGS` naming the path or pattern that means nothing.
pub fn files(named: &[String], folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut files, mut known) = (Vec::new(), BTreeSet::new());
    for name in named {
        let found = meant(name, folder)?;
        if found.is_empty() {
            return Err(refused(name, "there is no flow: files end in .ad, .yaml or .yml"));
        }
        files.extend(found.into_iter().filter(|file| known.insert(file.clone())));
        if files.len() > MOST {
            return Err(refused(name, &format!("a suite has at most {MOST} flows")));
        }
    }
    Ok(files)
}

fn meant(name: &str, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let path = caller::absolute(folder, Path::new(name));
    if path.is_dir() {
        let mut found = Vec::new();
        walk(&path, 0, &mut found).map_err(|why| refused(name, &why.to_string()))?;
        return Ok(found);
    }
    // Named by itself, a file is meant whatever its name is.
    if path.is_file() {
        return Ok(vec![path]);
    }
    if !name.contains(['*', '?', '[']) {
        return Err(refused(name, "there is no such file or folder"));
    }
    let pattern = path.to_str().ok_or_else(|| refused(name, "a pattern has to be UTF-8"))?;
    let paths = glob::glob(pattern).map_err(|why| refused(name, &format!("no pattern: {why}")))?;
    Ok(paths.filter_map(Result::ok).filter(|path| path.is_file() && is_flow(path)).collect())
}

/// The flows of a folder and the folders in it, by name; hidden ones and the artifacts of earlier runs left out.
fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if depth > DEEPEST || found.len() > MOST {
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        if path.is_dir() {
            walk(&path, depth + 1, found)?;
        } else if is_flow(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn refused(name: &str, why: &str) -> Failure {
    Failure::refused(Row::ReplayScriptUnreadable, Code::InvalidArgs, format!("{name}: {why}")).reason("file_unreadable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_patterns_are_found_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "b.ad",
            "a.yaml",
            "config.yaml",
            "deep/c.yml",
            "deep/note.txt",
            ".hidden/d.ad",
            "node_modules/e.ad",
            "config.ad",
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let names = |named: &[&str]| -> Vec<String> {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            files(&named, folder.path())
                .unwrap()
                .iter()
                .map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string())
                .collect()
        };
        assert_eq!(names(&["."]), ["a.yaml", "b.ad", "config.ad", "deep/c.yml"]);
        assert_eq!(names(&["deep", "b.ad", "*.yaml", "**/*.yml"]), ["deep/c.yml", "b.ad", "a.yaml"]);
        assert_eq!(names(&["deep/note.txt"]), ["deep/note.txt"], "named by itself");
        for nothing in ["no.ad", "*.feature", "[", ".hidden"] {
            let asked = files(&[nothing.to_owned()], folder.path());
            if nothing == ".hidden" {
                assert_eq!(asked.unwrap().len(), 1, "named by itself");
            } else {
                assert!(asked.unwrap_err().message.starts_with(nothing));
            }
        }
    }
}
