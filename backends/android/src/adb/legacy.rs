//! A program run to its end on a device that does not tell exit codes (before Android 7).
//!
//! It goes over `exec:`, which such devices have, and not over `shell:`, whose terminal turns every line feed into two
//! bytes. The line runs in a subshell, and a trailer after its output tells its exit code; without the trailer the end
//! was lost.

use std::io;

use tokio::io::AsyncWriteExt;

use super::{phone::whole, protocol::garbled, shell::ShellOutput, socket::Socket};

/// Stands before the exit code: the record separator of ASCII, which no tool prints.
const MARK: char = '\u{1e}';

/// The service word for a line whose program gets so many bytes of input, and then its end: the connection itself
/// cannot tell a program where its input ends.
pub(super) fn service(line: &str, input: usize) -> String {
    let (before, after) = match input {
        0 => (String::new(), "</dev/null"),
        count => (format!("dd bs=1 count={count} 2>/dev/null | "), ""),
    };
    format!("exec:{before}( {line}\n) {after} 2>&1; echo \"{MARK}$?\"")
}

/// Feeds the program and reads up to the trailer.
pub(super) async fn run(stream: Socket, input: &[u8]) -> io::Result<ShellOutput> {
    let (from, mut to) = tokio::io::split(stream);
    let feeding = async {
        // A program that ends before it has read all closes the stream: its trailer tells how it ended.
        if to.write_all(input).await.is_ok() {
            let _gone_already = to.flush().await;
        }
        std::future::pending().await
    };
    tokio::select! {
        biased;
        all = whole(from) => parse(all?),
        never = feeding => never,
    }
}

pub(crate) fn parse(mut all: Vec<u8>) -> io::Result<ShellOutput> {
    let mark = all.iter().rposition(|byte| u32::from(*byte) == u32::from(MARK));
    let Some(mark) = mark else { return Err(io::ErrorKind::UnexpectedEof.into()) };
    let trailer = all.split_off(mark);
    let code = String::from_utf8_lossy(trailer.get(1..).unwrap_or_default()).into_owned();
    if !code.ends_with('\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let exit = code.trim().parse().map_err(|_| garbled(format!("'{}' is no exit code", code.trim().escape_debug())))?;
    Ok(ShellOutput { stdout: all, stderr: Vec::new(), exit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trailer_ends_the_output_and_without_it_the_end_was_lost() {
        let output = parse(b"a\x1eb\n\x1e3\n".to_vec()).unwrap();
        assert_eq!((output.stdout.as_slice(), output.exit), (&b"a\x1eb\n"[..], 3));
        let whole = b"hello\n\x1e137\n";
        assert_eq!(parse(whole.to_vec()).unwrap().exit, 137);
        for cut in 0..whole.len() {
            let end = parse(whole.get(..cut).unwrap().to_vec()).unwrap_err();
            assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof, "{cut}");
        }
        assert_eq!(parse(b"\x1esh: not found\n".to_vec()).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
