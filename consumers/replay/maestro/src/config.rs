//! What a folder's `config.yaml` says of the flows in it.

use std::path::{Path, PathBuf};

use flow::Place;

use crate::{
    problem::{Problem, Problems},
    read::{Reading, text_of},
    yaml::{self, At, Entry, Node, Yaml},
};

/// The rules of a folder of flows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Which files are flows to run: globs from the folder; `*` where nothing is said.
    pub flows: Vec<String>,
    /// Only flows with one of these tags.
    pub include_tags: Vec<String>,
    /// No flow with one of these tags.
    pub exclude_tags: Vec<String>,
    /// Names of flows that run first, one after another.
    pub order: Vec<String>,
    /// Whether the rest runs although one of `order` failed.
    pub continue_on_failure: bool,
    /// Where files go, from the folder.
    pub output: Option<String>,
    /// Keys that speak of a service and change nothing here.
    pub ignored: Vec<String>,
}

/// Keys that speak of Maestro's own service, or of nothing any more.
const SERVICE: &[&str] = &["baselineBranch", "notifications", "disableRetries", "local", "platform", "pathAliases"];
const KEYS: &[&str] = &["flows", "includeTags", "excludeTags", "executionOrder", "testOutputDir"];

impl Config {
    /// The file of a folder, if it has one.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        ["config.yaml", "config.yml"].iter().map(|name| folder.join(name)).find(|path| path.is_file())
    }

    /// Reads one.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(path: &Path, reading: &Reading) -> Result<Self, Problems> {
        let file = reading.shown(path);
        match text_of(path) {
            Ok(text) => Self::parse(&text, &file),
            Err(why) => {
                let mut judge = Judge { file, problems: Vec::new() };
                judge.wrong(At { line: 1, column: 1 }, format!("the file cannot be read: {why}"));
                Err(Problems(judge.problems))
            }
        }
    }

    /// Reads one from its text; `file` is what people are told of it.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn parse(text: &str, file: &str) -> Result<Self, Problems> {
        let mut judge = Judge { file: file.to_owned(), problems: Vec::new() };
        let config = judge.config(text);
        if judge.problems.is_empty() { Ok(config) } else { Err(Problems(judge.problems)) }
    }

    /// Whether a file, named from the folder with `/`, is one of the flows.
    pub fn names(&self, relative: &str) -> bool {
        if self.flows.is_empty() {
            return matches("*", relative);
        }
        self.flows.iter().any(|glob| matches(glob, relative))
    }

    /// Whether a flow with these tags runs, the caller's own wishes included.
    pub fn wants(&self, tags: &[String], include: &[String], exclude: &[String]) -> bool {
        let asked = !self.include_tags.is_empty() || !include.is_empty();
        let has = |tag: &String| tags.contains(tag);
        (!asked || self.include_tags.iter().chain(include).any(has))
            && !self.exclude_tags.iter().chain(exclude).any(has)
    }
}

/// Whether a glob matches a path: `*` and `?` within a name, `**` across folders, `{a,b}`.
pub fn matches(glob: &str, path: &str) -> bool {
    if let Some((before, rest)) = glob.split_once('{')
        && let Some((choices, after)) = rest.split_once('}')
    {
        return choices.split(',').take(64).any(|choice| matches(&format!("{before}{choice}{after}"), path));
    }
    let glob: Vec<&str> = glob.trim_start_matches("./").split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    whole(&glob, &path)
}

fn whole(glob: &[&str], path: &[&str]) -> bool {
    match (glob.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            (0..=path.len()).any(|skipped| path.get(skipped..).is_some_and(|left| whole(rest, left)))
        }
        (Some((glob, globs)), Some((name, names))) => name_matches(glob, name) && whole(globs, names),
        _ => false,
    }
}

/// Linear but for one place to go back to: the last `*`.
fn name_matches(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    let (mut g, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        match glob.get(g) {
            Some('*') => {
                back = Some((g, n));
                g += 1;
            }
            Some(letter) if *letter == '?' || Some(letter) == name.get(n) => {
                g += 1;
                n += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    g = star + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    glob.iter().skip(g).all(|letter| *letter == '*')
}

struct Judge {
    file: String,
    problems: Vec<Problem>,
}

impl Judge {
    fn wrong(&mut self, at: At, message: String) {
        let place = Place { file: self.file.clone(), line: at.line };
        self.problems.push(Problem { place, column: at.column, message, hint: None });
    }

    fn config(&mut self, text: &str) -> Config {
        let mut config = Config { continue_on_failure: true, ..Config::default() };
        let documents = match yaml::documents(text.trim_start_matches('\u{feff}')) {
            Ok(documents) => documents,
            Err(why) => {
                self.wrong(why.at, why.message);
                return config;
            }
        };
        let entries = match documents.as_slice() {
            [] => return config,
            [Node { value: Yaml::Null, .. }] => return config,
            [Node { value: Yaml::Map(entries), .. }] => entries,
            [node, ..] => {
                self.wrong(node.at, "a config is one document with keys such as flows and includeTags".to_owned());
                return config;
            }
        };
        for entry in entries {
            match entry.key.as_str() {
                "flows" => config.flows = self.texts(&entry.value, "flows"),
                "includeTags" => config.include_tags = self.texts(&entry.value, "includeTags"),
                "excludeTags" => config.exclude_tags = self.texts(&entry.value, "excludeTags"),
                "testOutputDir" => config.output = self.texts(&entry.value, "testOutputDir").into_iter().next(),
                "executionOrder" => self.order(&entry.value, &mut config),
                key if SERVICE.contains(&key) => config.ignored.push(key.to_owned()),
                key => {
                    let near = contract::command::nearest(key, KEYS.iter().copied());
                    let near = near.map_or_else(|| KEYS.join(", "), |near| format!("did you mean {near}?"));
                    self.wrong(entry.at, format!("a config has no key {key:?}: {near}"));
                }
            }
        }
        config
    }

    fn order(&mut self, node: &Node, config: &mut Config) {
        let Yaml::Map(entries) = &node.value else {
            return self.wrong(node.at, "executionOrder takes flowsOrder and continueOnFailure".to_owned());
        };
        for Entry { key, at, value } in entries {
            match (key.as_str(), &value.value) {
                ("flowsOrder", _) => config.order = self.texts(value, "flowsOrder"),
                ("continueOnFailure", Yaml::Scalar(text)) if text == "true" => config.continue_on_failure = true,
                ("continueOnFailure", Yaml::Scalar(text)) if text == "false" => config.continue_on_failure = false,
                ("continueOnFailure", _) => self.wrong(value.at, "continueOnFailure is true or false".to_owned()),
                _ => self.wrong(*at, format!("executionOrder has no key {key:?}")),
            }
        }
    }

    fn texts(&mut self, node: &Node, what: &str) -> Vec<String> {
        let one = std::slice::from_ref(node);
        let nodes = match &node.value {
            Yaml::List(nodes) => nodes.as_slice(),
            Yaml::Null => &[],
            _ => one,
        };
        let mut texts = Vec::new();
        for node in nodes {
            match &node.value {
                Yaml::Scalar(text) => texts.push(text.clone()),
                other => self.wrong(node.at, format!("{what} takes texts, not {}", other.kind())),
            }
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, Problems> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.yaml");
        std::fs::write(&path, text).unwrap();
        assert_eq!(Config::find(folder.path()), Some(path.clone()));
        Config::read(&path, &Reading { root: folder.path().to_owned() })
    }

    #[test]
    fn a_config_says_which_flows_run_and_in_which_order() {
        let config = config(
            "flows: ['*', 'smoke/**']\nincludeTags: [smoke]\nexcludeTags: wip\n\
             executionOrder:\n  continueOnFailure: false\n  flowsOrder: [login, pay]\ndisableRetries: true\n",
        )
        .unwrap();
        assert!(config.names("login.yaml") && config.names("smoke/a/b.yaml") && !config.names("other/a.yaml"));
        let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        assert!(config.wants(&tags(&["smoke"]), &[], &[]));
        assert!(!config.wants(&tags(&["smoke", "wip"]), &[], &[]));
        assert!(!config.wants(&tags(&["slow"]), &[], &[]));
        assert!(config.wants(&tags(&["slow"]), &tags(&["slow"]), &[]));
        assert_eq!((config.order.len(), config.continue_on_failure), (2, false));
        assert_eq!(config.ignored, ["disableRetries"]);
    }

    #[test]
    fn what_a_config_cannot_say_is_named_with_its_place() {
        let problems = config("flow: [a]\nexecutionOrder: x\nincludeTags: [{a: b}]\n").unwrap_err();
        let said = problems.to_string();
        assert!(said.contains("config.yaml:1:1: a config has no key \"flow\": did you mean flows?"), "{said}");
        assert!(said.contains("config.yaml:2:17:") && said.contains("config.yaml:3:15:"), "{said}");
        assert_eq!(problems.0.len(), 3);
    }

    #[test]
    fn globs_match_names_and_folders() {
        for (glob, path, expected) in [
            ("*", "a.yaml", true),
            ("*", "a/b.yaml", false),
            ("a/*.yaml", "a/b.yaml", true),
            ("**/*.yaml", "a/b/c.yaml", true),
            ("**", "a/b", true),
            ("{a,b}/*", "b/x", true),
            ("a?c*e", "abcde", true),
            ("a?c*e", "abcdf", false),
            ("*a*a*a*a*a*b", &"a".repeat(2_000), false),
        ] {
            assert_eq!(matches(glob, path), expected, "{glob} {path}");
        }
    }
}
