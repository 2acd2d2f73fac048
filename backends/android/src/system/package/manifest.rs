//! Android's binary XML, as far as the name of a package needs it (`ResourceTypes.h` of the platform: chunks of type,
//! head size and size, everything little endian).

/// `RES_STRING_POOL_TYPE`.
const STRING_POOL: u16 = 0x0001;
/// `RES_XML_START_ELEMENT_TYPE`.
const START_ELEMENT: u16 = 0x0102;
/// The head of the whole file, `RES_XML_TYPE`.
const FILE_HEAD: usize = 8;
/// `ResStringPool_header::UTF8_FLAG`.
const UTF8: u32 = 1 << 8;
/// `ResXMLTree_node`: the chunk's head, line number, comment. The element's own part follows.
const NODE_HEAD: usize = 16;

/// The value of `package` in `<manifest>`.
pub fn package(xml: &[u8]) -> Option<String> {
    let mut strings: &[u8] = &[];
    let mut rest = xml.get(FILE_HEAD..)?;
    loop {
        let size = usize::try_from(u32_at(rest, 4)?).ok().filter(|size| *size >= 8)?;
        let chunk = rest.get(..size)?;
        match u16_at(chunk, 0)? {
            STRING_POOL => strings = chunk,
            START_ELEMENT => return attribute(chunk, strings),
            _ => {}
        }
        rest = rest.get(size..)?;
    }
}

/// The attribute `package` of an element that has to be `manifest`.
fn attribute(chunk: &[u8], strings: &[u8]) -> Option<String> {
    let text = |index: u32| string(strings, index);
    // `ResXMLTree_attrExt`: namespace, name, then where the attributes begin, their size and their number.
    let element = chunk.get(NODE_HEAD..)?;
    if text(u32_at(element, 4)?)? != "manifest" {
        return None;
    }
    let (start, size, count) = (u16_at(element, 8)?, u16_at(element, 10)?, u16_at(element, 12)?);
    for number in 0..usize::from(count) {
        // Namespace, name, the value as written.
        let attribute = element.get(usize::from(start) + number * usize::from(size)..)?;
        if text(u32_at(attribute, 4)?)? == "package" {
            return text(u32_at(attribute, 8)?).filter(|name| !name.is_empty());
        }
    }
    None
}

/// One string of a pool. Only what is asked for is read: a pool may name one long string a million times.
fn string(pool: &[u8], index: u32) -> Option<String> {
    let head = usize::from(u16_at(pool, 2)?);
    let (count, flags, begin) = (u32_at(pool, 8)?, u32_at(pool, 16)?, usize::try_from(u32_at(pool, 20)?).ok()?);
    let number = usize::try_from(index).ok().filter(|_| index < count)?;
    let offset = usize::try_from(u32_at(pool, head.checked_add(number.checked_mul(4)?)?)?).ok()?;
    let bytes = pool.get(begin.checked_add(offset)?..)?;
    if flags & UTF8 != 0 { utf8(bytes) } else { utf16(bytes) }
}

/// Length in characters, length in bytes, each in one byte or, with the high bit, in two; then the bytes.
fn utf8(bytes: &[u8]) -> Option<String> {
    let length = |at: usize| -> Option<(usize, usize)> {
        let first = usize::from(*bytes.get(at)?);
        if first & 0x80 == 0 {
            return Some((first, at + 1));
        }
        Some(((first & 0x7f) << 8 | usize::from(*bytes.get(at + 1)?), at + 2))
    };
    let (_characters, next) = length(0)?;
    let (size, begin) = length(next)?;
    Some(String::from_utf8_lossy(bytes.get(begin..begin + size)?).into_owned())
}

/// Length in one unit of two bytes or, with the high bit, in two; then the units.
fn utf16(bytes: &[u8]) -> Option<String> {
    let first = usize::from(u16_at(bytes, 0)?);
    let (length, begin) =
        if first & 0x8000 == 0 { (first, 2) } else { ((first & 0x7fff) << 16 | usize::from(u16_at(bytes, 2)?), 4) };
    let units: Vec<_> =
        bytes.get(begin..begin + length * 2)?.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    Some(String::from_utf16_lossy(&units))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use std::{fs::File, path::Path};

    use super::*;
    use crate::system::package::{id, zip};

    /// A chunk: type, head size, size, the rest.
    fn chunk(kind: u16, head: u16, rest: &[u8]) -> Vec<u8> {
        [&kind.to_le_bytes()[..], &head.to_le_bytes(), &(8 + rest.len() as u32).to_le_bytes(), rest].concat()
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn file(strings: &[&str], utf8: bool) -> Vec<u8> {
        let mut data = Vec::new();
        let mut offsets = Vec::new();
        for text in strings {
            offsets.push(data.len() as u32);
            if utf8 {
                data.extend([text.chars().count() as u8, text.len() as u8]);
                data.extend(text.bytes().chain([0]));
            } else {
                data.extend((text.encode_utf16().count() as u16).to_le_bytes());
                data.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
            }
        }
        let count = strings.len() as u32;
        let begin = 28 + count * 4;
        let flags = if utf8 { UTF8 } else { 0 };
        let pool = [words(&[count, 0, flags, begin, 0]), words(&offsets), data].concat();
        // One attribute without namespace: name 1, value 2, typed value.
        let element = [
            words(&[1, u32::MAX, u32::MAX, 0]),
            20_u16.to_le_bytes().into(),
            20_u16.to_le_bytes().into(),
            1_u16.to_le_bytes().into(),
            vec![0; 6],
            words(&[u32::MAX, 1, 2, 0x0300_0008, 2]),
        ]
        .concat();
        let body = [chunk(STRING_POOL, 28, &pool), chunk(0x0180, 8, &[]), chunk(START_ELEMENT, 16, &element)].concat();
        chunk(0x0003, 8, &body)
    }

    #[test]
    fn the_name_is_read_in_both_spellings() {
        for utf8 in [true, false] {
            assert_eq!(
                package(&file(&["manifest", "package", "com.example.äpp"], utf8)).as_deref(),
                Some("com.example.äpp")
            );
            assert_eq!(package(&file(&["application", "package", "com.example"], utf8)), None);
        }
        let whole = file(&["manifest", "package", "com.example"], true);
        for cut in 0..whole.len() {
            assert_eq!(package(whole.get(..cut).unwrap()), None, "cut at {cut}");
        }
    }

    #[test]
    fn a_pool_that_names_one_long_string_for_ever_costs_nothing() {
        // 4 million entries that all mean the same 32 KB: 128 GB if they were read.
        let count = 4_000_000_u32;
        let begin = 28 + count * 4;
        let long = [&[0xff, 0xff, 0xff, 0xff][..], &[b'x'; 0x7fff]].concat();
        let pool = [words(&[count, 0, UTF8, begin, 0]), vec![0; count as usize * 4], long].concat();
        let element = chunk(START_ELEMENT, 16, &[words(&[1, u32::MAX, u32::MAX, 0]), vec![0; 8]].concat());
        let xml = chunk(0x0003, 8, &[chunk(STRING_POOL, 28, &pool), element].concat());
        let began = std::time::Instant::now();
        assert_eq!(package(&xml), None);
        assert!(began.elapsed() < std::time::Duration::from_secs(2));
    }

    #[test]
    fn the_helpers_own_package_is_read() {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../on-device/android-helper/dist");
        let packages: Vec<_> = std::fs::read_dir(dist)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "apk"))
            .collect();
        assert!(!packages.is_empty());
        for path in packages {
            assert_eq!(id(&path).unwrap(), "com.callstack.agentdevice.snapshothelper", "{}", path.display());
            let missing = zip::entry(&mut File::open(&path).unwrap(), "no/such").unwrap_err();
            assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
        }
    }
}
