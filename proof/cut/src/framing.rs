//! Where a message ends, and what it is called.

use serde_json::Value;

/// How the bytes between two programs fall into messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// HTTP/1.1: a head, and a body with a `content-length` or in chunks. Replies come in the order of the requests.
    Http,
    /// One JSON value per line, as JSON-RPC has it. Replies belong to requests by their `id`.
    Lines,
}

/// What of a request tells it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Its kind: `POST /session/ID/actions`, `run press`.
    pub label: String,
    /// As the request itself has it: `POST /session/3f/actions HTTP/1.1`, the line's `method`.
    pub first: String,
    /// Which reply belongs to it; `None`: the next one.
    pub id: Option<Value>,
}

impl Framing {
    /// The length of the first message in `bytes`, once it is whole.
    pub fn length(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Framing::Http => http_length(bytes),
            Framing::Lines => bytes.iter().position(|byte| *byte == b'\n').map(|end| end + 1),
        }
    }

    /// What a request is called.
    pub fn name(self, request: &[u8]) -> Name {
        match self {
            Framing::Http => {
                let first = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
                let first = String::from_utf8_lossy(first).into_owned();
                let mut words = first.split(' ');
                let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                let label = format!("{method} {}", without_ids(path));
                Name { label, first, id: None }
            }
            Framing::Lines => {
                let value: Value = serde_json::from_slice(request).unwrap_or_default();
                let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
                let (method, command) = (text("/method"), text("/params/command"));
                let label = format!("{method} {command}").trim_end().to_owned();
                Name { label, first: method.to_owned(), id: self.reply_id(request) }
            }
        }
    }

    /// Which request a reply belongs to; `None`: the oldest that has none yet.
    pub fn reply_id(self, reply: &[u8]) -> Option<Value> {
        match self {
            Framing::Http => None,
            Framing::Lines => {
                let value: Value = serde_json::from_slice(reply).ok()?;
                value.get("id").filter(|id| !id.is_null()).cloned()
            }
        }
    }
}

/// A path in which what is different each time is replaced by what it is: the parts after `session`, `element`,
/// `shadow` and the like, where they are no word of the protocol.
fn without_ids(path: &str) -> String {
    let mut after = "";
    let mut parts = Vec::new();
    for part in path.split('/') {
        let is_id = matches!(after, "session" | "element" | "shadow") && !matches!(part, "active" | "");
        parts.push(if is_id { "ID" } else { part });
        after = part;
    }
    parts.join("/")
}

fn http_length(bytes: &[u8]) -> Option<usize> {
    let head = find(bytes, b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..head]);
    let header = |wanted: &str| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then(|| value.trim().to_owned())
        })
    };
    if header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        return chunks(bytes, head);
    }
    let body = header("content-length").and_then(|length| length.parse::<usize>().ok()).unwrap_or(0);
    (bytes.len() >= head + body).then_some(head + body)
}

/// The end of a body in chunks (RFC 9112, section 7.1) that begins at `at`.
fn chunks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let line = find(bytes.get(at..)?, b"\r\n")?;
        let size = String::from_utf8_lossy(&bytes[at..at + line]);
        let size = usize::from_str_radix(size.split(';').next()?.trim(), 16).ok()?;
        at += line + 2;
        if size == 0 {
            // The trailer: lines up to an empty one.
            loop {
                let line = find(bytes.get(at..)?, b"\r\n")?;
                at += line + 2;
                if line == 0 {
                    return Some(at);
                }
            }
        }
        at += size + 2;
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_whole_with_its_last_byte_and_not_before() {
        let plain = b"POST /session/3f/actions HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
        let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
        let bare = b"GET /status HTTP/1.1\r\nhost: x\r\n\r\n";
        for (framing, whole) in [
            (Framing::Http, &plain[..]),
            (Framing::Http, &chunked[..]),
            (Framing::Http, &bare[..]),
            (Framing::Lines, &b"{\"id\":1}\n"[..]),
        ] {
            for end in 0..whole.len() {
                assert_eq!(framing.length(&whole[..end]), None, "{}", String::from_utf8_lossy(&whole[..end]));
            }
            let more = [whole, b"GET"].concat();
            assert_eq!(framing.length(&more), Some(whole.len()));
        }
    }

    #[test]
    fn a_kind_of_request_has_one_label() {
        let label = |request: &[u8]| Framing::Http.name(request).label;
        assert_eq!(label(b"POST /session HTTP/1.1\r\n\r\n"), "POST /session");
        assert_eq!(label(b"DELETE /session/3f HTTP/1.1\r\n\r\n"), "DELETE /session/ID");
        assert_eq!(
            label(b"POST /wd/hub/session/3f/element/f.1/value HTTP/1.1"),
            "POST /wd/hub/session/ID/element/ID/value"
        );
        let line = br#"{"jsonrpc":"2.0","id":7,"method":"run","params":{"command":"press","args":{}}}"#;
        let name = Framing::Lines.name(line);
        assert_eq!((name.label.as_str(), name.id), ("run press", Some(7.into())));
        assert_eq!(Framing::Lines.name(br#"{"id":1,"method":"hello"}"#).label, "hello");
        assert_eq!(Framing::Lines.name(b"no json\n").label, "");
    }
}
