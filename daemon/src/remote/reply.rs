//! The head of an HTTP reply, read.

use contract::hop::SERVER_HEADER;

/// The head of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Where its body ends.
    pub length: Length,
    /// The connection ends after it.
    pub closes: bool,
    headers: Vec<(String, String)>,
}

/// Where a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// After so many bytes.
    Known(u64),
    /// Where its last chunk says so.
    Chunked,
    /// With the connection.
    UntilClosed,
}

impl Reply {
    /// Reads one, up to and including the empty line.
    pub fn read(head: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(head).ok()?;
        let mut lines = text.strip_suffix("\r\n\r\n")?.split("\r\n");
        let mut first = lines.next()?.splitn(3, ' ');
        let version = first.next()?;
        if !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
            return None;
        }
        let status = first.next().filter(|status| status.len() == 3)?.parse().ok()?;
        let headers: Vec<_> = lines
            .map(|line| {
                let (name, value) = line.split_once(':')?;
                Some((name.to_ascii_lowercase(), value.trim().to_owned()))
            })
            .collect::<Option<_>>()?;
        let found = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let connection = found("connection").unwrap_or_default().to_ascii_lowercase();
        let length = match (found("transfer-encoding"), found("content-length")) {
            (Some(coding), _) if coding.eq_ignore_ascii_case("chunked") => Length::Chunked,
            // Another coding: only the end of the connection tells.
            (Some(_), _) => Length::UntilClosed,
            (None, Some(length)) => Length::Known(length.parse().ok()?),
            (None, None) if matches!(status, 204 | 304) => Length::Known(0),
            (None, None) => Length::UntilClosed,
        };
        let closes = connection == "close"
            || length == Length::UntilClosed
            || (version == "HTTP/1.0" && connection != "keep-alive");
        Some(Self { status, length, closes, headers })
    }

    /// One of its headers; names in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether `serve` has written it.
    pub fn is_ours(&self) -> bool {
        self.header(SERVER_HEADER).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_reply_says_where_its_body_ends() {
        let read = |text: &str| Reply::read(text.replace('\n', "\r\n").as_bytes());
        let ours = read("HTTP/1.1 200 OK\nAgent-Device: 0.1.0\nContent-Length: 12\n\n").unwrap();
        assert_eq!((ours.status, ours.length, ours.closes, ours.is_ours()), (200, Length::Known(12), false, true));
        let page = read("HTTP/1.1 502 Bad Gateway\nTransfer-Encoding: chunked\nConnection: close\n\n").unwrap();
        assert_eq!((page.length, page.closes, page.is_ours()), (Length::Chunked, true, false));
        assert_eq!(read("HTTP/1.0 200 OK\n\n").unwrap().length, Length::UntilClosed);
        assert_eq!(read("HTTP/1.1 204 No Content\n\n").unwrap().length, Length::Known(0));
        for bad in [
            "",
            "\n\n",
            "HTTP/2 200\n\n",
            "HTTP/1.1 OK\n\n",
            "HTTP/1.1 200 OK\nno colon\n\n",
            "HTTP/1.1 200 OK\nContent-Length: -1\n\n",
            "SSH-2.0-x\n\n",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }
}
