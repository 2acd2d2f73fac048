//! Everything in this crate that reads what a device or an adb server wrote, under one roof: for the fuzz targets, which
//! come from outside the crate. Nothing in the product calls it.

use std::io::{self, Cursor};

use bytes::BytesMut;
use tokio::io::AsyncRead;

use crate::{
    adb::{Event, ShellOutput, devices, forward, legacy, network, protocol, running, shell, sync},
    helper::{features::Features, package::Manifest, verdict},
    launch, system,
    system::foreground::Component,
};

pub use crate::adb::{devices::Listed, forward::Forwarded, sync::Entry};

/// One reply to a word, and a text with its length.
///
/// # Errors
/// A stream that ends early, or does not keep to the protocol.
pub async fn smart_socket(mut stream: impl AsyncRead + Unpin) -> io::Result<(protocol::Status, String)> {
    let status = protocol::status(&mut stream).await?;
    Ok((status, protocol::block(&mut stream).await?))
}

/// A program run to its end.
///
/// # Errors
/// As [`smart_socket`].
pub async fn shell_v2(stream: impl AsyncRead + Unpin) -> io::Result<ShellOutput> {
    shell::packets(stream).await
}

/// What a running program did, from its bytes in pieces of this size.
///
/// # Errors
/// As [`smart_socket`].
pub fn running_v2(bytes: &[u8], piece: usize) -> io::Result<Vec<Event>> {
    let (mut received, mut events) = (BytesMut::new(), Vec::new());
    for piece in bytes.chunks(piece.max(1)) {
        received.extend_from_slice(piece);
        while let Some(event) = running::event(&mut received)? {
            events.push(event);
        }
    }
    Ok(events)
}

/// A program on a device without exit codes.
///
/// # Errors
/// As [`smart_socket`].
pub fn shell_v1(bytes: &[u8]) -> io::Result<ShellOutput> {
    legacy::parse(bytes.to_vec())
}

/// A pulled file of at most `limit` bytes; `Err` inside is the device's own refusal.
///
/// # Errors
/// As [`smart_socket`].
pub async fn pulled(stream: impl AsyncRead + Unpin, limit: u64) -> io::Result<Result<Vec<u8>, String>> {
    let mut content = Vec::new();
    let received = sync::pull::receive(stream, &mut content, limit).await?;
    Ok(received.map(|_| content))
}

/// A folder's list, of the first or the second version of the protocol.
///
/// # Errors
/// As [`smart_socket`].
pub async fn folder(stream: impl AsyncRead + Unpin, second: bool) -> io::Result<Result<Vec<Entry>, String>> {
    sync::stat::entries(stream, second).await
}

/// The list of devices.
pub fn devices(list: &str) -> Vec<Listed> {
    devices::parse(list)
}

/// The list of forwarded ports.
pub fn forwards(list: &str) -> Vec<Forwarded> {
    forward::listed(list)
}

/// The name in a package's manifest, read out of an archive.
///
/// # Errors
/// What is no archive, or has no such entry.
pub fn package_in(archive: &[u8]) -> io::Result<Option<String>> {
    let manifest = system::package::zip::entry(&mut Cursor::new(archive), "AndroidManifest.xml")?;
    Ok(system::package::manifest::package(&manifest))
}

/// Reads a text as every kind of dump and list that Android's programs print; how many facts were found.
pub fn dumps(text: &str) -> usize {
    let app = text.lines().next().unwrap_or_default();
    let component = Component { package: app.to_owned(), class: app.to_owned() };
    let found = [
        text.lines().filter_map(network::announced).count(),
        text.lines()
            .filter(|line| system::logs::line::Line::parse(line).is_some_and(|l| l.started().is_some()))
            .count(),
        usize::from(system::perf::frames::read(text, app).is_some()),
        usize::from(system::perf::memory::read(text, app).is_some()),
        usize::from(system::settings::granting::Permissions::read(text, 0).is_some()),
        usize::from(system::keyboard::read(text, Some(app)).visible),
        usize::from(system::foreground::focus(text).app.is_some()),
        usize::from(system::foreground::under(text, &component).is_some()),
        system::apps::packages(text).len(),
        crate::adb::Features::parse(text).names().count(),
        usize::from(verdict::package_path(text).is_some()),
        usize::from(Manifest::parse(text).is_ok()),
        usize::from(launch::Target::parse(text).is_some()),
        usize::from(system::record::mp4::finished(text.as_bytes())),
        usize::from(Features::of(&text.lines().filter_map(|line| line.split_once('=')).collect()) != Features::empty()),
    ];
    found.iter().sum()
}
