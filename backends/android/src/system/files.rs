//! Files to and from a device.

use std::path::Path;

use contract::{Code, Effect, Failure, Row};
use wire::Context;

use crate::adb::{Phone, sync::push::Attributes};

/// Copies a file onto the device; where `to` is a folder, into it. How many bytes it has.
///
/// # Errors
/// No way to the device; `adb.command-failed` where the device does not write it.
pub async fn push(context: &Context, phone: &Phone, from: &Path, to: &str) -> Result<u64, Failure> {
    let bytes = std::fs::metadata(from).map(|of| of.len()).map_err(|why| {
        Failure::refused(Row::DaemonRefusalUploadFileMissing, Code::InvalidArgs, format!("{}: {why}", from.display()))
            .reason("file_unreadable")
    })?;
    let name = from.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // With a slash behind it, so that a link to a folder, as /sdcard is one, counts as a folder on old devices too.
    let inside = format!("{}/", to.trim_end_matches('/'));
    let folder = to.ends_with('/') || phone.stat(context, &inside).await?.is_some_and(|stat| stat.is_folder());
    let target = if folder { format!("{}/{name}", to.trim_end_matches('/')) } else { to.to_owned() };
    phone.push_file(context, Effect::Mutates, from, &target, Attributes::default()).await?;
    Ok(bytes)
}

/// Copies a file from the device. How many bytes it has.
///
/// # Errors
/// `adb.look-failed` where there is no such file, or it is a folder.
pub async fn pull(context: &Context, phone: &Phone, from: &str, to: &Path) -> Result<u64, Failure> {
    let missing = |why: &str| {
        Failure::refused(Row::AdbLookFailed, Code::InvalidArgs, format!("{from} on the device: {why}"))
            .reason("device_file_unreadable")
    };
    match phone.stat(context, from).await? {
        None => Err(missing("there is no such file, or the shell may not see it")
            .hint("an app's own files are out of reach; /sdcard and /data/local/tmp are not")),
        Some(stat) if stat.is_folder() => Err(missing("it is a folder").hint("name a file in it")),
        Some(_) => phone.pull_to(context, from, to).await,
    }
}
