//! What the documents tell people to type can be typed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Parser;

use crate::{
    arguments::{Arguments, Sub},
    topics,
};

/// Words of a shell line that end the command.
const SHELL: &[&str] = &["|", "||", "&&", ";", ">", ">>", "<", "2>", "2>&1"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README, CONTRIBUTING and every page of docs/, but for the generated ones.
fn documents() -> Vec<(String, String)> {
    let mut files = vec![
        root().join("README.md"),
        root().join("CONTRIBUTING.md"),
        root().join("docs/README.md"),
        root().join("docs/develop.md"),
    ];
    let guide = fs::read_dir(root().join("docs/guide")).unwrap().map(|entry| entry.unwrap().path());
    files.extend(guide.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    files.into_iter().map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap())).collect()
}

/// The command lines in a text's fenced blocks: those that begin with the program's name. In a block of a terminal's
/// output (`console`) only what stands behind a prompt is typed.
fn lines(text: &str) -> Vec<String> {
    let mut prompt = None;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if let Some(language) = line.strip_prefix("```") {
            prompt = if prompt.is_some() { None } else { Some(if language == "console" { "$ " } else { "" }) };
        } else if let Some(typed) = prompt.and_then(|prompt| line.strip_prefix(prompt))
            && typed.starts_with("agent-device ")
        {
            found.push(typed.to_owned());
        }
    }
    found
}

fn check(source: &str, line: &str) {
    let words = shlex::split(line).unwrap_or_else(|| panic!("{source}: a quote is not closed: {line}"));
    let words: Vec<_> = words.into_iter().take_while(|word| !SHELL.contains(&word.as_str())).collect();
    let parsed = Arguments::try_parse_from(&words);
    match parsed {
        Err(error)
            if !matches!(
                error.kind(),
                clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion
            ) =>
        {
            panic!("{source}: {line}\n{error}")
        }
        Ok(Arguments { command: Sub::Help { topic: Some(topic) }, .. }) => {
            assert!(topics::knows(&topic), "{source}: {line}")
        }
        Ok(Arguments { command: Sub::Device(contract::Command::Batch(batch)), .. }) if batch.steps.is_some() => {
            batch.commands().unwrap_or_else(|why| panic!("{source}: {line}\n{why}"));
        }
        _ => {}
    }
}

#[test]
fn every_command_line_in_the_documents_is_understood() {
    let mut count = 0;
    for (source, text) in documents() {
        for line in lines(&text) {
            check(&source, &line);
            count += 1;
        }
    }
    assert!(count > 50, "only {count} command lines were found: the search is broken");
}

#[test]
fn every_command_line_in_the_help_topics_is_understood() {
    for (name, _, text) in topics::TOPICS {
        let mut count = 0;
        for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("agent-device ")) {
            // What is said about a line stands behind two spaces.
            let command = line.split("  ").next().unwrap_or(line);
            check(&format!("help {name}"), command);
            count += 1;
        }
        let height = text.lines().count();
        assert!(count > 2 && (15..=60).contains(&height), "help {name}: {count} commands on {height} lines");
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "help {name} has a line of more than 100 characters"
        );
    }
}

#[test]
fn a_line_that_cannot_be_typed_is_found() {
    let text = "agent-device nothing\n```console\n$ agent-device press @e5 | head -1\nagent-device 0.1.0\n```\n```sh\nagent-device pres @e5\n```\n";
    assert_eq!(lines(text), ["agent-device press @e5 | head -1", "agent-device pres @e5"]);
    check("here", "agent-device press @e5 | head -1");
    assert!(std::panic::catch_unwind(|| check("here", "agent-device pres @e5")).is_err());
}

#[test]
fn links_between_the_documents_lead_somewhere() {
    for (source, text) in documents() {
        let folder = Path::new(&source).parent().unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !target.is_empty() && !target.contains("://") {
                assert!(folder.join(target).exists(), "{source} links to {target}");
            }
        }
    }
}

/// The first block of a language.
fn block(text: &str, language: &str) -> Option<String> {
    let (_, from) = text.split_once(&format!("```{language}\n"))?;
    Some(from.split_once("\n```")?.0.to_owned())
}

/// What is shown here is run where it stands first: by the checks of the packages, and by the tests of the MCP server.
#[test]
fn the_readmes_examples_are_those_that_are_run() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let readme = read("README.md");
    let pages = [
        ("consumers/typescript/README.md", "ts"),
        ("consumers/python/README.md", "python"),
        ("docs/guide/mcp.md", "json"),
        ("docs/guide/mcp.md", "text"),
    ];
    for (path, language) in pages {
        let run = block(&read(path), language).unwrap_or_else(|| panic!("{path} has no block of {language}"));
        let shown = format!("```{language}\n{run}\n```");
        assert!(readme.contains(&shown), "README.md does not show what {path} does:\n{shown}");
    }
}
