//! upload, downloads, windows.

use std::{path::Path, sync::Arc};

use backend::{Device, Download, Input, Window};
use contract::{
    Code, Failure, Row,
    command::{Downloads, Upload, Windows},
    plain,
    request::Answer,
};
use observe::Verdict;
use screen::{States, describe};
use serde_json::{Map, Value, json};
use wire::Context;

use super::{answer, receipt_facts};
use crate::{
    interaction::{
        resolve,
        watch::{Wish, outcome, watch},
    },
    run::Run,
};

/// Pause between two looks at the folder of downloads, ms. A look costs no round trip to the browser.
const DOWNLOAD_INTERVAL_MS: u64 = 100;

/// `upload`: chooses files for a file field.
///
/// # Errors
/// Refused before anything is sent where a file cannot be read or the target takes no files.
pub async fn upload(run: &mut Run<'_>, args: &Upload) -> Result<Answer, Failure> {
    for file in &args.words.files {
        readable(Path::new(file)).map_err(|failure| failure.detail("file", file.as_str()))?;
    }
    let found = resolve::on_capture(run, &args.words.target).await?;
    let node =
        found.tree.get(found.place).ok_or_else(|| Failure::new(Code::Internal, "a place outside its own capture"))?;
    let what = describe::describe(node);
    let key = node.key.filter(|_| node.is(States::FILE)).ok_or_else(|| {
        Failure::refused(Row::DaemonRefusalNotEditable, Code::ElementNotEditable, format!("{what} takes no files"))
            .reason("not_a_file_field")
            .hint("aim at the file field itself (input type=file), not at a button that opens it")
    })?;
    let receipt = run.perform(Input::Upload { node: key, files: args.words.files.clone() }).await?;
    let (mut facts, mut lines) = (Map::new(), Vec::new());
    facts.insert("files".into(), json!(args.words.files));
    facts.insert("element".into(), what.as_str().into());
    receipt_facts(&receipt, &mut facts, &mut lines);
    let count = args.words.files.len();
    Ok(answer(facts, format!("Chose {count} file{} for {what}", if count == 1 { "" } else { "s" }), lines))
}

/// Refuses a file of the caller's that cannot be read, before a device is asked for anything.
///
/// # Errors
/// `INVALID_ARGS` naming the file.
pub fn readable(path: &Path) -> Result<(), Failure> {
    let readable =
        path.is_absolute() && std::fs::File::open(path).is_ok_and(|open| open.metadata().is_ok_and(|of| of.is_file()));
    if readable {
        return Ok(());
    }
    Err(Failure::refused(
        Row::DaemonRefusalUploadFileMissing,
        Code::InvalidArgs,
        format!("{}: not a file that can be read", path.display()),
    )
    .reason("file_unreadable")
    .hint("give the path of an existing file"))
}

/// `downloads`: what the page saved.
///
/// # Errors
/// `WAIT_TIMEOUT` where `--wait-ms` passes without a complete file.
pub async fn downloads(run: &mut Run<'_>, args: &Downloads) -> Result<Answer, Failure> {
    run.context.check()?;
    let files = match args.wait_ms {
        None => run.session.device.downloads(&run.context).await?,
        Some(limit_ms) => {
            let wish = Wish { interval_ms: DOWNLOAD_INTERVAL_MS, ..Wish::new("a complete download", limit_ms) };
            let look = |device: Arc<dyn Device>, context: Context| async move { device.downloads(&context).await };
            let seen = watch(run, wish, look, |files: Vec<Download>| {
                let done = !files.is_empty() && files.iter().all(|file| file.complete);
                if done { Verdict::Done(files) } else { Verdict::Continue }
            })
            .await;
            outcome(run, wish, seen)?.value
        }
    };
    let text = match files.as_slice() {
        [] => "No downloads".to_owned(),
        files => files
            .iter()
            .map(|file| {
                format!(
                    "{} ({} bytes{})",
                    plain::line(&file.path),
                    file.bytes,
                    if file.complete { "" } else { ", not complete" }
                )
            })
            .collect::<Vec<_>>()
            .join("\n"),
    };
    Ok(Answer::new(json!({"downloads": files}), text))
}

/// `windows`: lists, switches, closes. Windows are numbered from 1 in the order the device lists them.
///
/// # Errors
/// `INVALID_ARGS` for a number that is not in the list.
pub async fn windows(run: &mut Run<'_>, args: &Windows) -> Result<Answer, Failure> {
    run.context.check()?;
    let windows = run.session.device.windows(&run.context).await?;
    let chosen = |number: u32| -> Result<&Window, Failure> {
        (number as usize).checked_sub(1).and_then(|place| windows.get(place)).ok_or_else(|| {
            Failure::refused(
                Row::DaemonProtocolBadArguments,
                Code::InvalidArgs,
                format!("there is no window {number}: the session has {}", windows.len()),
            )
            .reason("invalid_arguments")
            .hint("agent-device windows lists them")
        })
    };
    let (mut facts, mut lines) = (Map::new(), Vec::new());
    if let Some(number) = args.switch {
        let window = chosen(number)?;
        run.session.device.switch_window(&run.context, &window.id).await?;
    } else if let Some(number) = args.close {
        let id = chosen(number)?.id.clone();
        receipt_facts(&run.perform(Input::CloseWindow { id }).await?, &mut facts, &mut lines);
    }
    let now = if args.switch.is_some() || args.close.is_some() {
        run.session.tree = None;
        run.session.viewport = None;
        run.session.device.windows(&run.context).await?
    } else {
        windows
    };
    let text = now
        .iter()
        .zip(1..)
        .map(|(window, number)| {
            let (title, address) = (plain::line(&window.title), plain::line(&window.address));
            format!("{} {number}: {title} ({address})", if window.active { "*" } else { " " })
        })
        .chain(lines)
        .collect::<Vec<_>>()
        .join("\n");
    facts.insert("windows".into(), json!(now));
    Ok(Answer::new(Value::Object(facts), text))
}
