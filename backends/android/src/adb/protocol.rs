//! How words are framed: four hexadecimal digits of length, then the text; `OKAY` or `FAIL` and a text in return.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest word that four hexadecimal digits can announce, bytes.
pub const LONGEST_WORD: usize = 0xffff;

/// What comes back for a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Accepted.
    Okay,
    /// Refused, in adb's words.
    Fail(String),
}

/// Frames a word.
///
/// # Errors
/// One that is too long to be framed, or that holds a NUL: adbd hands a line to the shell as a C string, which would
/// run what stands before it.
pub fn word(service: &str) -> Result<Vec<u8>, String> {
    if service.contains('\0') {
        return Err("it holds a NUL, which no shell takes".to_owned());
    }
    if service.len() > LONGEST_WORD {
        return Err(format!("{} bytes are too long for adb, which takes up to {LONGEST_WORD}", service.len()));
    }
    Ok(format!("{:04x}{service}", service.len()).into_bytes())
}

/// Reads `OKAY`, or `FAIL` and why.
///
/// # Errors
/// A broken stream, or `InvalidData`.
pub async fn status(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Status> {
    let mut word = [0; 4];
    stream.read_exact(&mut word).await?;
    match &word {
        b"OKAY" => Ok(Status::Okay),
        b"FAIL" => Ok(Status::Fail(block(stream).await?)),
        other => Err(garbled(format!("'{}' is neither OKAY nor FAIL", String::from_utf8_lossy(other).escape_debug()))),
    }
}

/// Reads a text with its length before it.
///
/// # Errors
/// A broken stream, or `InvalidData`.
pub async fn block(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await?;
    block_of(stream, digits).await
}

/// Reads a text whose length has been read.
pub(super) async fn block_of(stream: &mut (impl AsyncRead + Unpin), digits: [u8; 4]) -> io::Result<String> {
    let mut text = vec![0; length(digits)?];
    stream.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Reads four hexadecimal digits.
pub(super) fn length(digits: [u8; 4]) -> io::Result<usize> {
    std::str::from_utf8(&digits)
        .ok()
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .and_then(|text| usize::from_str_radix(text, 16).ok())
        .ok_or_else(|| garbled(format!("'{}' is no length", String::from_utf8_lossy(&digits).escape_debug())))
}

/// The other side does not keep to its protocol.
pub fn garbled(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_carries_its_length() {
        assert_eq!(word("host:version").unwrap(), b"000chost:version");
        assert_eq!(word(&"x".repeat(LONGEST_WORD)).unwrap().get(..4), Some(&b"ffff"[..]));
        assert!(word(&"x".repeat(LONGEST_WORD + 1)).is_err());
        assert!(word("shell:echo a\0b").is_err());
    }

    #[tokio::test]
    async fn replies_are_read_to_the_byte() {
        assert_eq!(status(&mut &b"OKAY"[..]).await.unwrap(), Status::Okay);
        let refused = status(&mut &b"FAIL0017device 'nope' not found"[..]).await.unwrap();
        assert_eq!(refused, Status::Fail("device 'nope' not found".into()));
        for (bytes, kind) in [
            (&b"HTTP/1.1 400"[..], io::ErrorKind::InvalidData),
            (b"FAIL00+1x", io::ErrorKind::InvalidData),
            (b"FAIL0004abc", io::ErrorKind::UnexpectedEof),
            (b"OKA", io::ErrorKind::UnexpectedEof),
        ] {
            assert_eq!(status(&mut &bytes[..]).await.unwrap_err().kind(), kind);
        }
    }
}
