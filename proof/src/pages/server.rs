//! An unpacked archive as a web site.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::{
    io::{AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::cut::message;

/// The web site. It ends with its owner.
#[derive(Debug)]
pub struct Server {
    /// `http://127.0.0.1:PORT`.
    pub url: String,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Content {
    root: PathBuf,
    aliases: BTreeMap<String, String>,
}

impl Server {
    /// Serves the files below `root`; the keys of `aliases` are paths that stand for others.
    ///
    /// # Panics
    /// Where there is no such folder.
    pub async fn of(root: &Path, aliases: BTreeMap<String, String>) -> Self {
        let root = root.canonicalize().unwrap_or_else(|why| panic!("{}: {why}", root.display()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("a bound socket has an address"));
        let content = Arc::new(Content { root, aliases });
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let content = content.clone();
                connections.spawn(async move { serve(client, &content).await });
            }
        });
        Self { url, task }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(client: TcpStream, content: &Content) -> Option<()> {
    let mut client = BufReader::new(client);
    loop {
        let request = message(&mut client).await?;
        let target = request.first.split(' ').nth(1)?;
        let (status, kind, body) = match content.file(target) {
            Some(file) => ("200 OK", kind(&file), tokio::fs::read(&file).await.ok()?),
            None => ("404 Not Found", "text/plain", Vec::new()),
        };
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncache-control: no-store\r\ncontent-length: {length}\r\n\r\n"
        );
        client.get_mut().write_all(head.as_bytes()).await.ok()?;
        client.get_mut().write_all(&body).await.ok()?;
    }
}

impl Content {
    /// The file that is meant by the target of a request; `None` where there is none below the root.
    fn file(&self, target: &str) -> Option<PathBuf> {
        let path = decoded(target.split(['?', '#']).next()?)?;
        let path = self.aliases.get(&path).unwrap_or(&path);
        let mut file = self.root.join(path.trim_start_matches('/'));
        if file.is_dir() {
            file.push("index.html");
        }
        let file = file.canonicalize().ok()?;
        (file.starts_with(&self.root) && file.is_file()).then_some(file)
    }
}

/// A path without percent signs; `None` where it is malformed.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut parts = path.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The content type that a file's ending stands for.
fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript",
        "css" => "text/css",
        "json" | "map" => "application/json",
        "txt" => "text/plain",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_the_root_are_found_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("a b")).unwrap();
        for file in ["secret", "root/a b/index.html", "root/x.js"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let root = root.canonicalize().unwrap();
        let aliases = BTreeMap::from([("/old.js".to_owned(), "/x.js".to_owned())]);
        let content = Content { root: root.clone(), aliases };
        for (target, file) in [
            ("/x.js", Some("x.js")),
            ("/x.js?v=1", Some("x.js")),
            ("/old.js", Some("x.js")),
            ("/a%20b/", Some("a b/index.html")),
            ("/a%20b", Some("a b/index.html")),
            ("/", None),
            ("/../secret", None),
            ("/%2e%2e/secret", None),
            ("/a%2", None),
            ("/%zz", None),
        ] {
            assert_eq!(content.file(target), file.map(|file| root.join(file)), "{target}");
        }
    }
}
