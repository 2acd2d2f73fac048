//! Bytes and tokens: of the list of tools, of snapshots on pages of others.
//!
//! Tokens are counted as a current OpenAI model counts them (o200k_base). Other models count otherwise; the shares
//! hardly differ.

use proof::pages::{
    archive::{Cache, Missing},
    listing,
    server::Server,
};
use serde_json::{Value, json};

use super::client::{Client, text};
use crate::{
    program::Program,
    report::{Report, progress},
    site::{BUTTONS, Site},
};

/// Bytes of `tools/list` at most, as it is started by default.
const LIST_LIMIT: usize = 20_000;
/// Our share of the bytes that the npm tool's snapshot of the page with 490 buttons takes, at most.
const SNAPSHOT_SHARE: f64 = 0.6;

/// Pages of others, from `proof/pages`: forms, tables, documentation, an editor, an application.
const PAGES: &[&str] = &[
    "python-argparse",
    "django-admin",
    "sphinx-directives",
    "postgres-select",
    "jqueryui-datepicker",
    "spectre-elements",
    "adminlte-forms",
    "adminlte-mailbox",
    "sbadmin-tables",
    "uikit-form",
    "ckeditor-toolbar",
    "todomvc-react",
    "semantic-input",
    "pdf-viewer",
];

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

fn cell(text: &str) -> String {
    format!("{} B, {} tokens", text.len(), tokens(text))
}

/// The table of the tools.
///
/// # Errors
/// Where a server does not answer.
pub fn tools(
    program: &Program,
    ours: &mut Client,
    theirs: Option<&mut Client>,
    report: &mut Report,
) -> Result<(), String> {
    progress("tools");
    let listed = |client: &mut Client| client.ask("tools/list", json!({})).map(|(result, _)| result);
    let count = |list: &Value| list.get("tools").and_then(Value::as_array).map_or(0, Vec::len).to_string();
    let table = report.table(&["`tools/list`", "tools", "size", "bar", ""]);
    let core = listed(ours)?;
    let verdict = report.bar("tools/list of the default profile", core.to_string().len() <= LIST_LIMIT);
    table.row(&["core".into(), count(&core), cell(&core.to_string()), format!("<= {LIST_LIMIT} B"), verdict]);
    let full = listed(&mut Client::start(program.tool(), &["mcp", "--profile", "full"])?)?;
    table.row(&["full".into(), count(&full), cell(&full.to_string()), String::new(), String::new()]);
    if let Some(theirs) = theirs {
        let all = listed(theirs)?;
        table.row(&["npm".into(), count(&all), cell(&all.to_string()), String::new(), String::new()]);
    }
    Ok(())
}

/// What a snapshot of one page costs.
struct Cost {
    /// What a model reads.
    text: String,
    /// The whole result as it stands on the wire.
    whole: usize,
}

fn cost(client: &mut Client, args: Value) -> Result<Cost, String> {
    let (result, _) = client.must("snapshot", args)?;
    Ok(Cost { text: text(&result), whole: result.to_string().len() })
}

/// The table of the snapshots.
///
/// # Errors
/// Where a page cannot be opened.
pub fn snapshots(
    wanted: usize,
    site: &Site,
    ours: &mut Client,
    mut theirs: Option<&mut Client>,
    report: &mut Report,
) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|why| why.to_string())?;
    report.line("\nSnapshots of what takes input, and what a whole result is on the wire:\n");
    let table = report.table(&["page", "nodes", "ours", "npm", "ours / npm, text", "ours / npm, wire"]);
    let mut row = |name: &str, address: &str, report: &mut Report| -> Result<(), String> {
        progress(&format!("snapshot of {name}"));
        ours.must("open", json!({"app": address}))?;
        // What a page builds when it is there already is part of it; one that never rests is taken as it is.
        ours.call("wait", json!({"kind": "stable", "quietMs": 1000}))?;
        let our = cost(ours, json!({"forceFull": true}))?;
        let nodes = our.text.lines().filter(|line| line.trim_start().starts_with("@e")).count();
        let their = match theirs.as_deref_mut() {
            None => None,
            Some(theirs) => {
                theirs.must("open", json!({"app": address, "platform": "web"}))?;
                let cost = cost(theirs, json!({"platform": "web", "interactiveOnly": true}));
                // It opens another page only in a new session.
                theirs.call("close", json!({"platform": "web"}))?;
                Some(cost?)
            }
        };
        let share = |ours: usize, theirs: usize| ours as f64 / theirs.max(1) as f64;
        let shares =
            their.as_ref().map(|their| (share(our.text.len(), their.text.len()), share(our.whole, their.whole)));
        let percent =
            |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", share * 100.0));
        table.row(&[
            name.to_owned(),
            nodes.to_string(),
            cell(&our.text),
            their.as_ref().map_or_else(|| "-".to_owned(), |their| cell(&their.text)),
            percent(shares.map(|shares| shares.0)),
            percent(shares.map(|shares| shares.1)),
        ]);
        if let (Some((text, _)), true) = (shares, nodes >= BUTTONS && address.contains("economy")) {
            let _said = report.bar("a snapshot of 490 buttons in 60 % of the bytes", text <= SNAPSHOT_SHARE);
        }
        Ok(())
    };
    row(&format!("{BUTTONS} buttons"), &site.address("economy"), report)?;
    let cache = Cache::from_environment();
    let mut left_out = Vec::new();
    let mut shown = 0;
    for (page, archives) in listing::pages().into_iter().filter(|(page, _)| PAGES.contains(&page.id.as_str())) {
        if shown == wanted {
            break;
        }
        let folder = match runtime.block_on(cache.unpacked(&archives)) {
            Ok(folder) => folder,
            Err(Missing::LeftOut(why) | Missing::Broken(why)) => {
                left_out.push(format!("{}: {why}", page.id));
                continue;
            }
        };
        let server = runtime.block_on(Server::of(&folder, page.aliases.clone()));
        // A page of others that one of the tools cannot open is no failure of this table.
        match row(&page.id, &format!("{}/{}", server.url, page.file), report) {
            Ok(()) => shown += 1,
            Err(why) => left_out.push(format!("{}: {why}", page.id)),
        }
    }
    for why in left_out {
        report.line(&format!("\n- left out: {why}"));
    }
    Ok(())
}
