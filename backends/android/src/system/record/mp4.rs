//! Whether an MP4 file was finished (ISO/IEC 14496-12, 4.2: boxes of size and type).

/// Whether the file has its index, the box `moov`, whole. A recorder that was killed leaves none.
pub fn finished(film: &[u8]) -> bool {
    let mut rest = film;
    let mut data = false;
    while let (Some(size), Some(kind)) = (rest.first_chunk::<4>(), rest.get(4..8)) {
        let (head, size) = match u32::from_be_bytes(*size) {
            // Up to the end of the file.
            0 => (8, rest.len() as u64),
            // In 64 bits behind the type.
            1 => match rest.get(8..).and_then(|rest| rest.first_chunk::<8>()) {
                Some(size) => (16, u64::from_be_bytes(*size)),
                None => return false,
            },
            size => (8, size.into()),
        };
        let whole = size >= head && size <= rest.len() as u64;
        match kind {
            b"moov" => return whole && (data || holds_data(rest, size)),
            b"mdat" => data = whole,
            _ => {}
        }
        if !whole {
            return false;
        }
        rest = rest.get(usize::try_from(size).unwrap_or(usize::MAX)..).unwrap_or_default();
    }
    false
}

/// Whether the pictures come behind the index, as in a file made to be streamed.
fn holds_data(from_moov: &[u8], size: u64) -> bool {
    let behind = usize::try_from(size).ok().and_then(|size| from_moov.get(size..)).unwrap_or_default();
    behind.windows(4).any(|kind| kind == b"mdat")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&(8 + content.len() as u32).to_be_bytes()[..], kind, content].concat()
    }

    #[test]
    fn a_film_without_its_index_is_not_finished() {
        let (kind, data, index) = (a(b"ftyp", b"isom"), a(b"mdat", &[1; 100]), a(b"moov", &[2; 50]));
        let long = [&1_u32.to_be_bytes()[..], b"mdat", &116_u64.to_be_bytes(), &[3; 100]].concat();
        for (film, expected) in [
            ([kind.clone(), data.clone(), index.clone()].concat(), true),
            ([kind.clone(), index.clone(), data.clone()].concat(), true),
            ([kind.clone(), long, index.clone()].concat(), true),
            ([kind.clone(), data.clone()].concat(), false),
            ([kind.clone(), index.clone()].concat(), false),
            ([kind.clone(), data.clone(), index[..20].to_vec()].concat(), false),
            (kind, false),
            (Vec::new(), false),
            (b"\0\0\0\0mdat----".to_vec(), false),
        ] {
            assert_eq!(finished(&film), expected, "{} bytes", film.len());
        }
    }
}
