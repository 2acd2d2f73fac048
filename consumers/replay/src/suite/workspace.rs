//! Folders with a `config.yaml` of Maestro's: which of their flows run, and which of them first.

use std::path::{Path, PathBuf};

use contract::Failure;
use maestro::{Config, Reading};

use super::runner::Entry;
use crate::source::{Body, Source, of_flow};

/// Flows that run before the others, one after another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct First {
    /// So many, at the beginning.
    pub count: usize,
    /// Whether the others run although one of them failed.
    pub go_on: bool,
}

/// A folder, and what its file says.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    config: Config,
}

/// Those of the folders that were named.
///
/// # Errors
/// Everything that is wrong with a file, before anything has been run.
pub fn named(paths: &[String], caller: &Path) -> Result<Vec<Folder>, Failure> {
    let reading = Reading { root: caller.to_owned() };
    let mut folders = Vec::new();
    for path in paths.iter().map(|path| caller::absolute(caller, Path::new(path))).filter(|path| path.is_dir()) {
        if let Some(file) = Config::find(&path) {
            let config = Config::read(&file, &reading).map_err(|problems| of_flow(&problems))?;
            folders.push(Folder { path, config });
        }
    }
    Ok(folders)
}

/// Whether a file is one of the flows of its folder. Scripts are, always.
pub fn names(folders: &[Folder], path: &Path) -> bool {
    let script = path.extension().is_some_and(|extension| extension == "ad");
    let inside = |folder: &Folder| path.strip_prefix(&folder.path).ok().map(|rest| rest.to_string_lossy().into_owned());
    script || folders.iter().all(|folder| inside(folder).is_none_or(|rest| folder.config.names(&rest)))
}

/// Whether the tags of a flow are wanted where it lies.
pub fn wants(folders: &[Folder], source: &Source) -> bool {
    let Body::Flow(flow) = &source.body else { return true };
    let inside = |folder: &&Folder| source.path.starts_with(&folder.path);
    folders.iter().filter(inside).all(|folder| folder.config.wants(flow.tags(), &[], &[]))
}

/// The flows that are to run first, in their order, before the others.
pub fn ordered(folders: &[Folder], mut entries: Vec<Entry>) -> (Vec<Entry>, First) {
    let order: Vec<&String> = folders.iter().flat_map(|folder| &folder.config.order).collect();
    let place = |entry: &Entry| {
        let stem = Path::new(&entry.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = entry.source.as_ref().ok().map(Source::name);
        order.iter().position(|first| Some(*first) == name.as_ref() || Some(*first) == stem.as_ref())
    };
    entries.sort_by_key(|entry| place(entry).unwrap_or(order.len()));
    let count = entries.iter().filter(|entry| place(entry).is_some()).count();
    let go_on = folders.iter().any(|folder| folder.config.continue_on_failure);
    (entries, First { count, go_on })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_which_flows_run_and_which_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let flow = |name: &str, tag: &str| format!("appId: demo\nname: {name}\ntags: [{tag}]\n---\n- launchApp\n");
        file("config.yaml", "flows: ['**']\nexcludeTags: [slow]\nexecutionOrder:\n  flowsOrder: [Second, first]\n");
        file("a.yaml", &flow("A", "fast"));
        file("first.yaml", &flow("F", "fast"));
        file("deep/second.yaml", &flow("Second", "fast"));
        file("slow.yaml", &flow("S", "slow"));
        let folders = named(&[".".to_owned()], folder.path()).unwrap();
        let files = super::super::select::files(&[".".to_owned()], folder.path()).unwrap();
        let entries: Vec<Entry> = files
            .into_iter()
            .filter(|path| names(&folders, path))
            .map(|path| Entry { file: path.display().to_string(), source: Source::read(&path, folder.path()) })
            .filter(|entry| wants(&folders, entry.source.as_ref().unwrap()))
            .collect();
        let (entries, first) = ordered(&folders, entries);
        let names: Vec<String> = entries.iter().map(|entry| entry.source.as_ref().unwrap().name()).collect();
        assert_eq!(names, ["Second", "F", "A"]);
        assert_eq!(first.count, 2);
    }
}
