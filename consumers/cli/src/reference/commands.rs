//! Every command: arguments, flags, effect, limits.

use clap::{Arg, ArgAction, CommandFactory, ValueEnum};
use contract::{
    Command, Effect, Spec,
    command::{
        AlertAction, FindAction, KeyboardAction, READINESS_CAP_MS, Readiness, SPECS, SessionAction, SessionNeed,
    },
};

use super::{cell, codes, effects, schema};
use crate::arguments::Arguments;

/// How a target is written, on the command line and in JSON.
const TARGETS: &str = "\n## Targets\n\n\
    What a command aims at. See [selectors](../guide/selectors.md).\n\n\
    | on the command line | in JSON |\n| --- | --- |\n\
    | `@e5`, or pinned to a generation: `@e5~s3` | `{\"kind\":\"ref\",\"ref\":\"@e5\"}` |\n\
    | `'label=\"Save\" role=button'` | `{\"kind\":\"selector\",\"selector\":\"label=\\\"Save\\\" role=button\"}` |\n\
    | `10 20`: x and y in the viewport, px | `{\"kind\":\"point\",\"x\":10,\"y\":20}` |\n";

/// The page.
pub fn page() -> String {
    let mut all = Arguments::command();
    all.build();
    let mut text = String::from(
        "# Commands\n\n\
         What every command takes and does. For the why and the how see the [guide](../README.md); for what can go wrong, \
         [failures](failures.md).\n\n\
         | command | | effect |\n| --- | --- | --- |\n",
    );
    let listed: Vec<_> = all.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    for command in &listed {
        let name = command.get_name();
        text.push_str(&format!(
            "| [`{name}`](#{name}) | {} | {} |\n",
            about(command),
            spec(name).map_or("none", |spec| effects::word(spec.effect))
        ));
    }
    text.push_str(
        "\n*observes*: looks only; a failure is always `dispatched: no`. *mutates*: may act on the app. *manages*: speaks of \
         the daemon or the host, touches no app.\n\n",
    );
    text.push_str("## Options of every command\n\n| option | |\n| --- | --- |\n");
    for arg in all.get_arguments().filter(|arg| arg.is_global_set()) {
        text.push_str(&option(arg));
    }
    text.push_str(TARGETS);
    for command in listed {
        text.push_str(&section(command));
    }
    text
}

fn spec(name: &str) -> Option<&'static Spec> {
    SPECS.iter().find(|spec| spec.name == name)
}

fn about(command: &clap::Command) -> String {
    cell(&command.get_about().map(ToString::to_string).unwrap_or_default())
}

fn section(command: &clap::Command) -> String {
    let name = command.get_name();
    let own = || command.get_arguments().filter(|arg| !arg.is_global_set() && !is_help(arg));
    let mut usage = format!("agent-device {name}");
    for arg in own().filter(|arg| arg.is_positional()) {
        usage.push_str(&format!(" {}", positional(arg)));
    }
    if own().any(|arg| !arg.is_positional()) {
        usage.push_str(" [OPTIONS]");
    }
    let mut text = format!("\n## {name}\n\n{}.\n\n```text\n{usage}\n```\n\n", about(command));
    let rows: String = own()
        .filter(|arg| arg.is_positional())
        .map(argument)
        .chain(own().filter(|arg| !arg.is_positional()).map(option))
        .collect();
    if !rows.is_empty() {
        text.push_str(&format!("| argument | |\n| --- | --- |\n{rows}\n"));
    }
    match spec(name) {
        Some(spec) => text.push_str(&facts(spec)),
        None => text.push_str("Answered by the command line itself; no daemon is asked.\n"),
    }
    text
}

fn is_help(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version)
}

fn value_name(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    if names.is_empty() { arg.get_id().as_str().to_uppercase() } else { names.join(" ") }
}

/// How a positional argument stands in the usage line. One that is made of several words says itself what it needs.
fn positional(arg: &Arg) -> String {
    let name = value_name(arg);
    if arg.is_required_set() || name.contains('[') { name } else { format!("[{name}]") }
}

fn argument(arg: &Arg) -> String {
    format!("| {} | {} |\n", codes([value_name(arg).as_str()]), help(arg))
}

fn option(arg: &Arg) -> String {
    let mut names: Vec<String> = arg.get_short().map(|short| format!("-{short}")).into_iter().collect();
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    names.extend(arg.get_visible_aliases().unwrap_or_default().into_iter().map(|alias| format!("--{alias}")));
    if arg.get_action().takes_values()
        && let Some(last) = names.last_mut()
    {
        last.push_str(&format!(" {}", value_name(arg)));
    }
    format!("| {} | {} |\n", codes(names.iter().map(String::as_str)), help(arg))
}

fn help(arg: &Arg) -> String {
    let mut text = cell(&arg.get_help().map(ToString::to_string).unwrap_or_default());
    let values: Vec<String> = match arg.get_action().takes_values() {
        true => arg.get_possible_values().iter().filter(|value| !value.is_hide_set()).map(possible).collect(),
        false => Vec::new(),
    };
    if !values.is_empty() {
        text.push_str(&format!(": {}", values.join("; ")));
    }
    if let Some(variable) = arg.get_env() {
        text.push_str(&format!(" (or `{}`)", variable.to_string_lossy()));
    }
    text
}

fn possible(value: &clap::builder::PossibleValue) -> String {
    match value.get_help() {
        Some(help) => format!("`{}` {}", value.get_name(), cell(&help.to_string()).trim_end_matches('.')),
        None => format!("`{}`", value.get_name()),
    }
}

fn facts(spec: &Spec) -> String {
    let mut rows = vec![("effect", effect(spec))];
    rows.push((
        "session",
        match spec.session {
            SessionNeed::None => "needs none".to_owned(),
            SessionNeed::Opens => "opens one, or goes on in the open one".to_owned(),
            SessionNeed::Open => "needs one with something open".to_owned(),
        },
    ));
    rows.push(("time limit", limit(spec)));
    if spec.readiness == Readiness::Budgeted {
        rows.push(("readiness", format!("waits for an absent target if the request carries `readinessTimeoutMs` (at most {READINESS_CAP_MS}); the command line never does")));
    }
    rows.push(("in a batch", if spec.batchable { "yes" } else { "no" }.to_owned()));
    if !spec.requires.is_empty() {
        let needs: Vec<String> = spec
            .requires
            .iter()
            .filter_map(|one| serde_json::to_value(one).ok()?.as_str().map(str::to_owned))
            .collect();
        rows.push(("device must have", codes(needs.iter().map(String::as_str))));
    }
    if !spec.aliases.is_empty() {
        rows.push(("also called", codes(spec.aliases.iter().copied())));
    }
    let forms = schema::arguments(spec.name);
    if !forms.is_empty() {
        let forms: Vec<String> = forms.iter().map(|form| cell(form)).collect();
        rows.push(("JSON arguments", forms.join("<br>")));
    }
    let rows: String = rows.into_iter().map(|(what, text)| format!("| {what} | {text} |\n")).collect();
    format!("| | |\n| --- | --- |\n{rows}")
}

/// What the command does to the app; where that depends on its arguments, on which.
fn effect(spec: &Spec) -> String {
    fn split<T: ValueEnum>(effect: impl Fn(&T) -> Effect) -> String {
        [Effect::Observes, Effect::Mutates, Effect::Manages]
            .into_iter()
            .filter_map(|wanted| {
                let words: Vec<String> = T::value_variants()
                    .iter()
                    .filter(|action| effect(action) == wanted)
                    .filter_map(|action| action.to_possible_value().map(|value| value.get_name().to_owned()))
                    .collect();
                let said = format!("{} with {}", effects::word(wanted), codes(words.iter().map(String::as_str)));
                (!words.is_empty()).then_some(said)
            })
            .collect::<Vec<_>>()
            .join("; ")
    }
    let with = |line: &str| Command::from_line(line).map_or("unknown", |command| effects::word(command.effect()));
    match spec.name {
        "find" => split(|action: &FindAction| action.effect()),
        "alert" => split(|action: &AlertAction| action.effect()),
        "keyboard" => split(|action: &KeyboardAction| action.effect()),
        "session" => split(|action: &SessionAction| action.effect()),
        "clipboard" => format!("{} with `read`; {} with `write`", with("clipboard read"), with("clipboard write x")),
        "windows" => format!(
            "{} alone and with `--switch`; {} with `--close`",
            with("windows --switch 1"),
            with("windows --close 1")
        ),
        "batch" => "the most that one of its steps does".to_owned(),
        _ => effects::word(spec.effect).to_owned(),
    }
}

/// The limit that holds when nobody says `--timeout`. Waits, pauses and series that are asked for come on top.
fn limit(spec: &Spec) -> String {
    let seconds = spec.timeout_ms / 1000;
    let more = match spec.name {
        "press" | "fill" | "longpress" | "hover" | "back" | "scroll" | "type" | "swipe" => {
            ", and the waits and pauses that its flags ask for"
        }
        "wait" | "find" | "alert" | "downloads" => ", and what it is to wait",
        "open" => ", and `--load-timeout-ms`",
        _ => "",
    };
    format!("{seconds} s{more}")
}
