//! Uploads and downloads.

use std::path::Path;

use backend::{Download, Receipt};
use contract::{Code, Failure, Row};
use screen::NodeKey;
use serde_json::{Value, json};
use wire::Context;

use crate::{agent::Ask, input::press::gone, page::Page, routes::Route};

/// Chooses files for a file field, its label, or what holds it.
///
/// # Errors
/// A file that is not there (looked at where the browser runs on this machine: `local`), and an element that takes
/// none, are refused before anything is sent.
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
    if !page.enter(context, &document.hops).await? {
        page.top(context).await?;
        return Err(gone());
    }
    let uploaded = upload_here(page, context, &document.token, node.id, files).await;
    let back = page.top(context).await;
    uploaded?;
    back?;
    Ok(Receipt::default())
}

async fn upload_here(
    page: &mut Page,
    context: &Context,
    token: &str,
    id: u64,
    files: &[String],
) -> Result<(), Failure> {
    let heard = page.line.ask_present(context, Ask::FileField, &[token.into(), id.into()]).await?.ok_or_else(gone)?;
    let (field,): (i64,) = heard.read()?;
    if field == 0 {
        return Err(Failure::refused(
            Row::DaemonRefusalNotEditable,
            Code::ElementNotEditable,
            "the element takes no files",
        )
        .reason("not_a_file_field"));
    }
    let field = u64::try_from(field).map_err(|_| gone())?;
    let (field, _) = page.element(context, token, field).await?.ok_or_else(gone)?;
    page.line.act::<Value>(context, Route::Keys, &field, Some(json!({"text": files.join("\n")}))).await.map(|_null| ())
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
