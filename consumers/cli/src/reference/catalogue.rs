//! `contracts/schemas/commands.json`: everything that a client in another language is generated from.
//!
//! Commands that the command line answers itself (replay, test, help, completions) are not in it: no daemon can be asked
//! for them.

use clap::CommandFactory;
use contract::{
    Code, Disclosed, Request, Spec,
    answer::{self, schema_of, written_schema_of},
    command::{READINESS_CAP_MS, Readiness, SPECS, SessionNeed},
    request::{Answer, Hello, LINE_LIMIT, RetainedQuery, Welcome},
};
use serde_json::{Value, json};

use super::effects;
use crate::arguments::Arguments;

/// The name of the file.
pub const FILE: &str = "commands.json";

/// The catalogue as it stands in the file.
///
/// # Errors
/// What serde says; no value of ours is one that JSON cannot hold.
pub fn text() -> Result<String, serde_json::Error> {
    let program = Arguments::command();
    let about = |name: &str| {
        program
            .find_subcommand(name)
            .and_then(|command| command.get_about())
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let commands: Vec<Value> = SPECS.iter().map(|spec| command(spec, &about(spec.name))).collect();
    let codes: Vec<Value> = Code::ALL
        .iter()
        .map(|code| json!({"code": code.as_str(), "meaning": code.meaning(), "hint": code.default_hint()}))
        .collect();
    let catalogue = json!({
        "version": contract::VERSION,
        "commands": commands,
        "protocol": {
            "request": schema_of::<Request>(),
            "answer": written_schema_of::<Answer>(),
            "failure": written_schema_of::<Disclosed>(),
            "hello": schema_of::<Hello>(),
            "welcome": written_schema_of::<Welcome>(),
            "retainedQuery": schema_of::<RetainedQuery>(),
            "lineLimit": LINE_LIMIT,
            "readinessCapMs": READINESS_CAP_MS,
        },
        "codes": codes,
    });
    serde_json::to_string_pretty(&catalogue).map(|text| text + "\n")
}

fn command(spec: &Spec, about: &str) -> Value {
    json!({
        "name": spec.name,
        "aliases": spec.aliases,
        "summary": about,
        "effect": effects::word(spec.effect),
        "effects": effects::of(spec.name),
        "readiness": spec.readiness == Readiness::Budgeted,
        "session": match spec.session {
            SessionNeed::None => "none",
            SessionNeed::Opens => "opens",
            SessionNeed::Open => "open",
        },
        "timeoutMs": spec.timeout_ms,
        "batchable": spec.batchable,
        "mcp": spec.mcp,
        "args": arguments(spec.name),
        "result": answer::schema(spec.name),
    })
}

/// The daemon refuses a field that a command does not know; its parts are flattened into one object, so that is said of
/// the whole.
fn arguments(name: &str) -> Value {
    let mut schema = contract::command::schema(name).unwrap_or_default();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("unevaluatedProperties".into(), false.into());
    }
    schema
}
