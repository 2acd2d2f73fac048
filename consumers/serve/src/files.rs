//! The content of files, in and out of a lease.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use contract::{
    Code, Failure, Row,
    hop::{FILE_LIMIT, File, SHA256_HEADER, is_file_name},
};
use http_body_util::BodyExt;
use hyper::{
    Method, Request, StatusCode,
    body::{Body, Incoming},
    header::HeaderValue,
};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use crate::{
    leases::{Lease, private_folder},
    reply::{self, Refusal, Reply},
};

/// All files of a lease at most, bytes.
const LEASE_BYTES: u64 = 4 << 30;
/// How long a body may stand still.
pub const STANDS_STILL: Duration = Duration::from_secs(30);

/// Answers a request for a file. `name` is decoded.
///
/// # Errors
/// No such name, file or method; no room; content that is not what its name says.
pub async fn answer(request: Request<Incoming>, name: &str, lease: &Lease) -> Result<Reply, Refusal> {
    if !is_file_name(name) || name.ends_with('/') {
        return Err(Refusal::bad(StatusCode::BAD_REQUEST, format!("{name:?} is no name of a file of a lease")));
    }
    let path = lease.folder.join(name);
    match *request.method() {
        Method::PUT => put(request, name, &path, lease).await,
        Method::GET => get(name, path).await,
        // What was uploaded has the hash of its name: it was looked at then.
        Method::HEAD => match fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            true => Ok(reply::json(StatusCode::OK, "")),
            false => Ok(reply::json(StatusCode::NOT_FOUND, "")),
        },
        Method::DELETE => {
            // Gone already is as good: to remove again is safe.
            match fs::remove_file(&path) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => Err(unstored(&why).into()),
                _ => Ok(reply::json(StatusCode::OK, "{}")),
            }
        }
        _ => Err(Refusal::bad(StatusCode::METHOD_NOT_ALLOWED, "a file takes GET, HEAD, PUT and DELETE")),
    }
}

async fn put(request: Request<Incoming>, name: &str, path: &Path, lease: &Lease) -> Result<Reply, Refusal> {
    let Some(wanted) = name.strip_prefix("in/").and_then(|rest| rest.split('/').next()) else {
        return Err(Refusal::bad(StatusCode::BAD_REQUEST, "files are uploaded under in/HASH/NAME"));
    };
    let Some(bytes) = request.body().size_hint().exact() else {
        return Err(Refusal::bad(StatusCode::LENGTH_REQUIRED, "an upload says its Content-Length"));
    };
    if bytes > FILE_LIMIT {
        let why = format!("a file of more than {} MiB", FILE_LIMIT >> 20);
        return Err(Refusal::bad(StatusCode::PAYLOAD_TOO_LARGE, why));
    }
    let (_, stored) = stored(&lease.folder);
    if stored + bytes > LEASE_BYTES {
        let why = format!("the files of this lease would be larger than {} MiB", LEASE_BYTES >> 20);
        return Err(no_room(&why).into());
    }
    let part = part_of(path, lease);
    let received = receive(request.into_body(), &part).await.and_then(|(received, hash)| {
        if received != bytes || hash != wanted {
            let why = format!("the content of {name} is {received} bytes with the hash {hash}");
            return Err(Refusal::bad(StatusCode::UNPROCESSABLE_ENTITY, why));
        }
        fs::rename(&part, path).map_err(|why| unstored(&why).into())
    });
    // Moved, or of no use to anybody.
    let _gone = fs::remove_file(&part);
    received?;
    Ok(reply::json(StatusCode::CREATED, json!({"name": name, "bytes": bytes, "sha256": wanted}).to_string()))
}

/// Another for each upload: the same file may be sent twice at once.
fn part_of(path: &Path, lease: &Lease) -> PathBuf {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    path.parent().unwrap_or(&lease.folder).join(format!(".part-{number}"))
}

async fn receive(mut body: Incoming, part: &Path) -> Result<(u64, String), Refusal> {
    let stored = |why: io::Error| Refusal::from(unstored(&why));
    part.parent().map_or(Ok(()), private_folder).map_err(stored)?;
    let mut file = tokio::fs::File::create(part).await.map_err(stored)?;
    let (mut received, mut hash) = (0, Sha256::new());
    while let Some(chunk) = next(&mut body).await? {
        hash.update(&chunk);
        received += chunk.len() as u64;
        file.write_all(&chunk).await.map_err(stored)?;
    }
    file.flush().await.map_err(stored)?;
    Ok((received, hex(&hash.finalize())))
}

/// The next part of a body; `None` at its end.
///
/// # Errors
/// It stands still, or its connection breaks.
pub async fn next(body: &mut Incoming) -> Result<Option<bytes::Bytes>, Refusal> {
    loop {
        let frame = match tokio::time::timeout(STANDS_STILL, body.frame()).await {
            Err(_) => return Err(Refusal::bad(StatusCode::REQUEST_TIMEOUT, "the body stands still")),
            Ok(None) => return Ok(None),
            Ok(Some(Err(why))) => {
                return Err(Refusal::bad(StatusCode::BAD_REQUEST, format!("the body breaks off: {why}")));
            }
            Ok(Some(Ok(frame))) => frame,
        };
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
}

async fn get(name: &str, path: PathBuf) -> Result<Reply, Refusal> {
    let found = name.to_owned();
    let described = tokio::task::spawn_blocking(move || described(&found, &path).map(|file| (file, path)));
    let Ok(Some((file, path))) = described.await else { return Err(none(name)) };
    let open = tokio::fs::File::open(&path).await.map_err(|why| Refusal::from(unstored(&why)))?;
    let mut reply = reply::file(open, file.bytes);
    if let Ok(hash) = HeaderValue::from_str(&file.sha256) {
        reply.headers_mut().insert(SHA256_HEADER, hash);
    }
    Ok(reply)
}

fn none(name: &str) -> Refusal {
    Refusal::bad(StatusCode::NOT_FOUND, format!("there is no file {name} under this lease"))
}

/// A file with size and hash; `None` where there is no ordinary one.
pub fn described(name: &str, path: &Path) -> Option<File> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut hash = Sha256::new();
    let mut file = fs::File::open(path).ok()?;
    let mut chunk = vec![0; 256 << 10];
    loop {
        match io::Read::read(&mut file, &mut chunk).ok()? {
            0 => break,
            read => hash.update(chunk.get(..read)?),
        }
    }
    Some(File { name: name.to_owned(), bytes: found.len(), sha256: hex(&hash.finalize()) })
}

/// How many files lie in a folder, and their size.
pub fn stored(folder: &Path) -> (u64, u64) {
    let mut sum = (0, 0);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
        let (files, bytes) = if found.is_dir() { stored(&entry.path()) } else { (1, found.len()) };
        sum = (sum.0 + files, sum.1 + bytes);
    }
    sum
}

/// The failure of a disk.
pub fn unstored(why: &io::Error) -> Failure {
    no_room(&format!("the device host cannot store it: {why}"))
}

fn no_room(why: &str) -> Failure {
    Failure::refused(Row::ServeNoRoom, Code::StorageFailed, why)
        .reason("no_room")
        .hint("remove files of the lease (DELETE /files/NAME), or make room on the device host")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
