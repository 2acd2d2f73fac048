//! Uploads and downloads.

use std::path::Path;

use backend::{Download, Receipt};
use contract::{Code, Failure, Row};
use screen::NodeKey;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::Context;

use crate::{
    agent::{Ask, Said, call},
    input::press::gone,
    page::Page,
    routes::Route,
};

/// Chooses files for a file field, its label, or what holds it.
///
/// # Errors
/// A file that is not there (looked at where the browser runs on this machine: `local`), an element that takes none,
/// and a field that is disabled or inert, are refused before anything is sent. `TEXT_MISMATCH` where the field holds
/// other files then.
pub async fn upload(
    page: &mut Page,
    context: &Context,
    node: NodeKey,
    files: &[String],
    local: bool,
) -> Result<Receipt, Failure> {
    for file in files.iter().filter(|_| local) {
        let readable = std::fs::File::open(file).and_then(|open| open.metadata()).map(|found| found.is_file());
        if !matches!(readable, Ok(true)) {
            let why = readable.err().map_or_else(|| "it is no file".to_owned(), |why| why.to_string());
            return Err(Failure::refused(
                Row::DaemonRefusalUploadFileMissing,
                Code::InvalidArgs,
                format!("{file} cannot be uploaded: {why}"),
            )
            .reason("upload_file_missing")
            .detail("file", file.clone()));
        }
    }
    let document = page.document(node).ok_or_else(gone)?;
    page.armed = None;
    if !page.enter(context, &document.hops).await? {
        page.top(context).await?;
        return Err(gone());
    }
    let uploaded = upload_here(page, context, &document.token, node.id, files).await;
    let back = page.top(context).await;
    let receipt = uploaded?;
    // A page may ask something about the files: it is the caller's next look that says so.
    if let Err(failure) = back
        && failure.reason_str() != Some("alert_open")
    {
        return Err(failure);
    }
    Ok(receipt)
}

/// A file field, as the page agent sees it.
#[derive(Debug, Deserialize)]
struct FileField {
    id: u64,
    disabled: bool,
    inert: bool,
    multiple: bool,
    names: Vec<String>,
}

/// Names of the files that a field holds after it was emptied.
#[derive(Debug, Deserialize)]
struct Emptied {
    names: Vec<String>,
}

async fn upload_here(
    page: &mut Page,
    context: &Context,
    token: &str,
    id: u64,
    files: &[String],
) -> Result<Receipt, Failure> {
    let field = file_field(page, context, token, id).await?.ok_or_else(gone)?;
    if field.id == 0 {
        return Err(Failure::refused(
            Row::DaemonRefusalNotEditable,
            Code::ElementNotEditable,
            "the element takes no files",
        )
        .reason("not_a_file_field"));
    }
    if field.disabled || field.inert {
        let (what, reason) =
            if field.disabled { ("disabled", "disabled") } else { ("inert, like all around it", "inert") };
        return Err(Failure::refused(
            Row::DaemonRefusalDisabled,
            Code::ElementDisabled,
            format!("the file field is {what}"),
        )
        .reason(reason));
    }
    // A driver adds to what a field of several files holds already.
    if field.multiple && !field.names.is_empty() {
        let calls = Value::Array(vec![call("clearFiles", json!({"id": field.id}))]);
        let emptied = page.line.alter(context, Ask::Calls, &[token.into(), calls], |_: &Emptied| None).await?;
        let left = emptied.ok_or_else(gone)?.said.names;
        if !left.is_empty() {
            return Err(mismatch(&[], &left));
        }
    }
    let (element, _) = page.element(context, token, field.id).await?.ok_or_else(gone)?;
    let paths = json!({"text": files.join("\n")});
    let _null: Value = page.line.act(context, Route::Keys, &element, Some(paths)).await?;
    chosen(page, context, token, field.id, files).await
}

/// Reads the field back.
async fn chosen(
    page: &mut Page,
    context: &Context,
    token: &str,
    id: u64,
    files: &[String],
) -> Result<Receipt, Failure> {
    let name = |file: &String| Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    let wanted: Vec<String> = files.iter().filter_map(name).collect();
    let mut receipt = Receipt::default();
    match file_field(page, context, token, id).await {
        Ok(Some(held)) if held.names == wanted => {}
        // Pages empty the field to be told of the same file again, or put another in its place.
        Ok(Some(held)) if held.names.is_empty() => {
            receipt.warnings.push("the field is empty again: the page took the files, or dropped them".into());
        }
        Ok(Some(held)) => return Err(mismatch(&wanted, &held.names)),
        Ok(None) => {
            receipt.warnings.push("the field left the page when it got the files: they cannot be read back".into())
        }
        Err(failure) if failure.reason_str() == Some("alert_open") => {
            receipt.opened = failure.details.get("alertText").and_then(Value::as_str).map(str::to_owned);
        }
        Err(failure) => return Err(failure),
    }
    Ok(receipt)
}

fn mismatch(wanted: &[String], held: &[String]) -> Failure {
    Failure::lost(
        Row::DaemonFillMismatch,
        Code::TextMismatch,
        format!("the field holds [{}] after [{}] was chosen", held.join(", "), wanted.join(", ")),
    )
    .reason("files_mismatch")
    .detail("expected", wanted.to_vec())
    .detail("actual", held.to_vec())
}

/// `None`: it is gone. Commands run in the frame of the document or one inside it.
async fn file_field(page: &mut Page, context: &Context, token: &str, id: u64) -> Result<Option<FileField>, Failure> {
    let calls = Value::Array(vec![call("fileField", json!({"id": id}))]);
    let Some(heard) = page.line.ask_present(context, Ask::Calls, &[token.into(), calls]).await? else {
        return Ok(None);
    };
    let (said,): (Said<FileField>,) = heard.read()?;
    Ok(match said {
        Said::Ok(field) => Some(field),
        Said::Error(_) => None,
    })
}

/// Endings of files that are still being written.
const PARTIAL: &[&str] = &[".crdownload", ".part", ".download"];

/// The files in a folder of downloads, oldest first. What a browser is still writing is named as it will be.
///
/// # Errors
/// A folder that cannot be read.
pub fn downloads(folder: &Path) -> std::io::Result<Vec<Download>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // Renamed or removed meanwhile: the next listing has it.
        let Ok(facts) = entry.metadata() else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        if facts.is_file() && !name.starts_with('.') {
            found.push((facts.modified().unwrap_or(std::time::UNIX_EPOCH), name, facts.len()));
        }
    }
    found.sort();
    let final_name = |name: &str| PARTIAL.iter().find_map(|ending| name.strip_suffix(ending)).map(str::to_owned);
    let writing: Vec<String> = found.iter().filter_map(|(_, name, _)| final_name(name)).collect();
    Ok(found
        .into_iter()
        // Firefox puts an empty file in the final place while it writes beside it.
        .filter(|(_, name, _)| !writing.contains(name))
        .map(|(_, name, bytes)| {
            let target = final_name(&name);
            let complete = target.is_none();
            let path = folder.join(target.unwrap_or(name)).to_string_lossy().into_owned();
            Download { path, bytes, complete }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_still_being_written_is_listed_once_and_not_complete() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("done.txt"), "1234").unwrap();
        std::fs::write(folder.path().join("big.zip"), "").unwrap();
        std::fs::write(folder.path().join("big.zip.part"), "12").unwrap();
        std::fs::write(folder.path().join("other.bin.crdownload"), "1").unwrap();
        std::fs::write(folder.path().join(".org.chromium.x"), "1").unwrap();
        let mut listed: Vec<_> = downloads(folder.path())
            .unwrap()
            .into_iter()
            .map(|one| (one.path.rsplit('/').next().unwrap().to_owned(), one.bytes, one.complete))
            .collect();
        listed.sort();
        assert_eq!(
            listed,
            [("big.zip".to_owned(), 2, false), ("done.txt".to_owned(), 4, true), ("other.bin".to_owned(), 1, false)]
        );
    }
}
