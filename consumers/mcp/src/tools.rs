//! Which tools there are: the commands of the contract, those of every day by themselves and the rest behind `more`.

use std::sync::Arc;

use contract::{
    Command, Effect, Spec,
    command::{SPECS, SessionNeed},
};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::arguments::ARGUMENTS;

/// The tool that reaches what is not listed.
pub const MORE: &str = "more";

/// The commands that an agent uses all day. `diff` is there since it costs a tenth of a second snapshot; `batch` and
/// `gesture` are not: their arguments are the longest, and a model reaches them by `more` when it needs them.
pub const CORE: &[&str] = &[
    "open",
    "close",
    "snapshot",
    "diff",
    "screenshot",
    "press",
    "fill",
    "type",
    "scroll",
    "swipe",
    "find",
    "get",
    "is",
    "wait",
    "back",
    "alert",
];

/// Which commands are tools of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// The 16 of every day.
    #[default]
    Core,
    /// All of them.
    Full,
    /// All of them, for programs: each with the schema of its answer, which comes as data.
    Typed,
}

impl Profile {
    /// Whether a command is listed as a tool.
    pub fn lists(self, name: &str) -> bool {
        offered().any(|spec| spec.name == name) && (self != Profile::Core || CORE.contains(&name))
    }
}

/// Every command that is offered over MCP.
pub fn offered() -> impl Iterator<Item = &'static Spec> {
    SPECS.iter().filter(|spec| spec.mcp)
}

/// The tools of a profile, in the order of the contract, `more` last.
pub fn list(profile: Profile) -> Vec<Tool> {
    offered().filter(|spec| profile.lists(spec.name)).map(|spec| tool(spec, profile)).chain([more(profile)]).collect()
}

/// One tool by its name.
pub fn named(name: &str, profile: Profile) -> Option<Tool> {
    match name {
        MORE => Some(more(profile)),
        _ => offered().find(|spec| spec.name == name).map(|spec| tool(spec, profile)),
    }
}

fn tool(spec: &Spec, profile: Profile) -> Tool {
    let Some(arguments) = ARGUMENTS.get(spec.name) else { return Tool::default() };
    let mut schema = arguments.schema();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        beside(spec, properties);
    }
    let mut tool =
        Tool::new(spec.name, arguments.summary.clone(), Arc::new(schema)).with_annotations(annotations(spec));
    if profile == Profile::Typed {
        tool.output_schema = answer_of(spec).map(Arc::new);
    }
    tool
}

/// The schema of a command's answer. The protocol wants an object at its root, also where there are several forms.
fn answer_of(spec: &Spec) -> Option<Map<String, Value>> {
    let Some(Value::Object(mut schema)) = contract::answer::schema(spec.name) else { return None };
    schema.entry("type").or_insert_with(|| "object".into());
    Some(schema)
}

/// What the MCP server adds to a command's own arguments.
fn beside(spec: &Spec, properties: &mut Map<String, Value>) {
    if spec.session == SessionNeed::Opens {
        let words = |description: &str| json!({"type": "string", "description": description});
        properties.insert(
            "platform".into(),
            json!({"enum": ["stage", "web", "android"], "description": "Where [default: as the app says]"}),
        );
        properties.insert("device".into(), words("Which device: more devices"));
        properties.insert("session".into(), words("A second session; every tool takes its name as session"));
    }
    if spec.name == "snapshot" {
        properties.insert(
            "interactiveOnly".into(),
            json!({"type": "boolean", "default": true, "description": "false: texts and structure too, as a tree"}),
        );
    }
}

/// What a client may think of a tool, from the effect that the contract declares. A client that asks before it acts asks
/// by these; `destructive` is said of everything that acts, since an app may do anything when it is pressed.
fn annotations(spec: &Spec) -> ToolAnnotations {
    let only_looks = spec.effect == Effect::Observes;
    let acts = spec.effect == Effect::Mutates;
    // To look twice, or to take what is there away twice, is the same as once.
    let idempotent = only_looks || matches!(spec.name, "fill" | "close" | "open");
    ToolAnnotations::from_raw(
        None,
        Some(only_looks),
        (!only_looks).then_some(acts),
        (!only_looks).then_some(idempotent),
        Some(acts || spec.session == SessionNeed::Opens),
    )
}

/// Stands before a topic, which is written for a terminal.
pub const ABOUT_LINES: &str =
    "(Lines below are command lines. Call the tool of that name, or more {\"command\": \"the line\"}.)\n\n";

/// Commands by name and line, for `more` without anything.
pub fn overview(profile: Profile) -> String {
    let mut text = String::from("Call one: {\"command\": NAME, \"args\": {...}} or {\"command\": \"a whole line\"}.\n");
    for spec in offered().filter(|spec| !profile.lists(spec.name)) {
        let summary = ARGUMENTS.get(spec.name).map(|known| known.summary.as_str()).unwrap_or_default();
        text.push_str(&format!("  {:<14} {summary}\n", spec.name));
    }
    text.push_str(&format!("  {:<14} {}\n", crate::replays::NAME, crate::replays::SUMMARY));
    text.push_str("\nArguments of a command, or a topic: {\"help\": NAME}.\n");
    text
}

/// The arguments of one command for a model, as JSON Schema.
pub fn explained(name: &str) -> Option<String> {
    let name = crate::arguments::canonical(name)?;
    let tool = offered().find(|spec| spec.name == name).map(|spec| tool(spec, Profile::Core))?;
    Some(format!(
        "{name}: {}\nargs: {}",
        tool.description.unwrap_or_default(),
        Value::Object(tool.input_schema.as_ref().clone())
    ))
}

fn more(profile: Profile) -> Tool {
    let names = offered().map(|spec| spec.name).filter(|name| !profile.lists(name));
    let names: Vec<&str> = names.chain([crate::replays::NAME]).collect();
    let rest = format!("Other commands ({}) and help", names.join(", "));
    let schema = json!({
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "A command's name, or a whole line: \"keyboard dismiss\""},
            "args": {"type": "object", "description": "Its arguments; help names them"},
            "help": {"type": "string", "description": "A command or a topic: workflow, selectors, errors, web, android, ..."},
        },
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(MORE, rest, Arc::new(schema)).with_annotations(ToolAnnotations::from_raw(
        None,
        Some(false),
        Some(true),
        Some(false),
        Some(true),
    ))
}

/// Whether a command is one of those that are not for a model.
pub fn withheld(command: &Command) -> bool {
    !command.spec().mcp
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_is_sixteen_commands_of_the_contract_and_the_list_is_small() {
        assert_eq!(CORE.len(), 16);
        let tools = list(Profile::Core);
        assert_eq!(tools.len(), 17);
        let bytes = serde_json::to_vec(&tools).unwrap().len();
        assert!(bytes <= 20_000, "{bytes}");
        println!("tools/list, core: {bytes} bytes; full: {}", serde_json::to_vec(&list(Profile::Full)).unwrap().len());
        assert_eq!(list(Profile::Full).len(), offered().count() + 1);
    }

    #[test]
    fn programs_are_told_of_every_answer_and_models_of_none() {
        for tool in list(Profile::Typed).iter().filter(|tool| tool.name != MORE) {
            let schema = tool.output_schema.as_ref().unwrap_or_else(|| panic!("{} has none", tool.name));
            assert_eq!(schema.get("type"), Some(&"object".into()), "{}", tool.name);
        }
        assert!(list(Profile::Full).iter().all(|tool| tool.output_schema.is_none()));
    }

    #[test]
    fn what_only_looks_is_read_only_and_what_acts_is_not() {
        for tool in list(Profile::Full) {
            let said = tool.annotations.clone().unwrap();
            let Some(spec) = offered().find(|spec| spec.name == tool.name) else { continue };
            assert_eq!(said.read_only_hint, Some(spec.effect == Effect::Observes), "{}", tool.name);
            assert_eq!(said.destructive_hint == Some(true), spec.effect == Effect::Mutates, "{}", tool.name);
        }
    }

    #[test]
    fn the_rest_can_be_found_by_more() {
        let text = overview(Profile::Core);
        for spec in offered() {
            assert_eq!(text.contains(&format!("  {} ", spec.name)), !CORE.contains(&spec.name), "{}", spec.name);
            assert!(explained(spec.name).unwrap().contains("properties"));
        }
        assert!(explained("daemon").is_none());
    }
}
