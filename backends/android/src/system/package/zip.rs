//! One file out of a zip archive (APPNOTE 6.3.9, as far as Android's packages use it: no encryption, no zip64).

use std::io::{self, Read, Seek, SeekFrom};

use flate2::read::DeflateDecoder;

/// The record at the end of an archive: signature, then the number of entries at 10, size and place of the directory at
/// 12 and 16 (4.3.16).
const END: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
/// A comment of at most this many bytes follows it.
const COMMENT: u64 = 65_535;
/// A directory entry (4.3.12).
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;
/// The head before an entry's data (4.3.7).
const LOCAL_SIZE: usize = 30;
/// No directory or entry is larger, bytes: a guard against a broken file.
const LIMIT: u64 = 64 << 20;

/// The content of the entry with this name.
///
/// # Errors
/// `NotFound` where the archive has no such entry, `InvalidData` where it is no archive.
pub fn entry(archive: &mut (impl Read + Seek), name: &str) -> io::Result<Vec<u8>> {
    let size = archive.seek(SeekFrom::End(0))?;
    let tail = read(archive, size.saturating_sub(COMMENT + END_SIZE as u64), COMMENT + END_SIZE as u64)?;
    let end =
        tail.windows(END_SIZE).rev().find(|end| end.starts_with(END)).ok_or_else(|| broken("it is no zip archive"))?;
    let directory = read(archive, u32_at(end, 16)?.into(), u32_at(end, 12)?.into())?;
    let mut rest = directory.as_slice();
    while rest.starts_with(ENTRY) {
        let length = |at| u16_at(rest, at).map(usize::from);
        let (named, extra, comment) = (length(28)?, length(30)?, length(32)?);
        if rest.get(ENTRY_SIZE..ENTRY_SIZE + named) == Some(name.as_bytes()) {
            return content(archive, u16_at(rest, 10)?, u32_at(rest, 20)?.into(), u32_at(rest, 42)?.into());
        }
        rest = rest.get(ENTRY_SIZE + named + extra + comment..).unwrap_or_default();
    }
    Err(io::Error::new(io::ErrorKind::NotFound, format!("it has no {name}")))
}

/// The data behind a local head. The sizes there may be zero, those of the directory are right.
fn content(archive: &mut (impl Read + Seek), method: u16, packed: u64, at: u64) -> io::Result<Vec<u8>> {
    let local = read(archive, at, LOCAL_SIZE as u64)?;
    let begin = at + LOCAL_SIZE as u64 + u64::from(u16_at(&local, 26)?) + u64::from(u16_at(&local, 28)?);
    let data = read(archive, begin, packed)?;
    match method {
        0 => Ok(data),
        8 => {
            let mut plain = Vec::new();
            DeflateDecoder::new(data.as_slice()).take(LIMIT).read_to_end(&mut plain)?;
            Ok(plain)
        }
        other => Err(broken(&format!("an entry is packed by method {other}"))),
    }
}

fn read(archive: &mut (impl Read + Seek), at: u64, length: u64) -> io::Result<Vec<u8>> {
    if length > LIMIT {
        return Err(broken("a part of it is too large"));
    }
    archive.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    archive.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> io::Result<u16> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<2>());
    found.map(|bytes| u16::from_le_bytes(*bytes)).ok_or_else(|| broken("it is cut off"))
}

fn u32_at(bytes: &[u8], at: usize) -> io::Result<u32> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    found.map(|bytes| u32::from_le_bytes(*bytes)).ok_or_else(|| broken("it is cut off"))
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}
