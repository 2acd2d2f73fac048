//! An MP4 file whose frames are PNG pictures (ISO 14496-12 and -14; object type 0x6D is PNG): valid, without an encoder.

use std::time::Duration;

/// Ticks to a second.
const TICKS: u32 = 1000;
/// PNG as an MPEG-4 object type.
const PNG: u8 = 0x6d;

/// A film in the making.
#[derive(Debug)]
pub struct Film {
    size: (i64, i64),
    pictures: Vec<(u32, Vec<u8>)>,
}

impl Film {
    /// An empty one.
    pub const fn new(size: (i64, i64)) -> Self {
        Self { size, pictures: Vec::new() }
    }

    /// Adds a picture; one that equals the last is left out.
    pub fn picture(&mut self, at: Duration, png: Vec<u8>) {
        if self.pictures.last().is_none_or(|(_, last)| *last != png) {
            self.pictures.push((ticks(at), png));
        }
    }

    /// The file.
    pub fn finish(self, length: Duration) -> Vec<u8> {
        let end = ticks(length).max(self.pictures.last().map_or(0, |(at, _)| at + 1));
        let mut file = atom(b"ftyp", &[b"isom", &words(&[512])[..], b"isom", b"mp42"].concat());
        let data: Vec<u8> = self.pictures.iter().flat_map(|(_, png)| png.iter().copied()).collect();
        let first = u32::try_from(file.len() + 8).unwrap_or(u32::MAX);
        file.extend(atom(b"mdat", &data));
        file.extend(self.index(first, end));
        file
    }

    fn index(&self, first: u32, end: u32) -> Vec<u8> {
        let (width, height) = (side(self.size.0), side(self.size.1));
        let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
        let mvhd = full(
            b"mvhd",
            0,
            &[
                &words(&[0, 0, TICKS, end, 0x1_0000, 0x0100_0000, 0, 0]),
                &words(&matrix),
                &words(&[0, 0, 0, 0, 0, 0, 2]),
            ],
        );
        let tkhd = full(
            b"tkhd",
            7,
            &[&words(&[0, 0, 1, 0, end, 0, 0, 0, 0]), &words(&matrix), &words(&[width << 16, height << 16])],
        );
        let mdhd = full(b"mdhd", 0, &[&words(&[0, 0, TICKS, end, 0x55c4_0000])]);
        let hdlr = full(b"hdlr", 0, &[&words(&[0]), b"vide", &words(&[0, 0, 0]), b"screen\0"]);
        let dref = full(b"dref", 0, &[&words(&[1]), &full(b"url ", 1, &[])]);
        let dinf = atom(b"dinf", &dref);
        let vmhd = full(b"vmhd", 1, &[&words(&[0, 0])]);
        let config = [&[PNG, 0x11, 0, 0, 0][..], &words(&[0, 0])].concat();
        let decoder = descriptor(4, &config);
        let es = descriptor(3, &[&[0, 1, 0][..], &decoder, &descriptor(6, &[2])].concat());
        let mut entry = words(&[0, 1, 0, 0, 0, 0]);
        let small = |side: u32| u16::try_from(side).unwrap_or(u16::MAX).to_be_bytes();
        entry.extend([small(width), small(height)].concat());
        entry.extend(words(&[0x48_0000, 0x48_0000, 0]));
        entry.extend([0, 1]);
        entry.extend([0; 32]);
        entry.extend([0, 24, 0xff, 0xff]);
        entry.extend(full(b"esds", 0, &[&es]));
        let stsd = full(b"stsd", 0, &[&words(&[1]), &atom(b"mp4v", &entry)]);
        let count = u32::try_from(self.pictures.len()).unwrap_or(u32::MAX);
        let times: Vec<u32> = self.pictures.iter().map(|(at, _)| *at).chain([end]).collect();
        let lasts: Vec<u32> = times
            .windows(2)
            .flat_map(|pair| [1, pair.iter().rev().fold(0, |end, at| if end == 0 { *at } else { end - at })])
            .collect();
        let stts = full(b"stts", 0, &[&words(&[count]), &words(&lasts)]);
        let sizes: Vec<u32> =
            self.pictures.iter().map(|(_, png)| u32::try_from(png.len()).unwrap_or(u32::MAX)).collect();
        let stsz = full(b"stsz", 0, &[&words(&[0, count]), &words(&sizes)]);
        let chunks: Vec<u32> = if count == 0 { Vec::new() } else { vec![1, 1, count, 1] };
        let stsc = full(b"stsc", 0, &[&words(if count == 0 { &[0] } else { &chunks })]);
        let stco = full(b"stco", 0, &[&words(&if count == 0 { vec![0] } else { vec![1, first] })]);
        let stbl = atom(b"stbl", &[stsd, stts, stsz, stsc, stco].concat());
        let minf = atom(b"minf", &[vmhd, dinf, stbl].concat());
        let mdia = atom(b"mdia", &[mdhd, hdlr, minf].concat());
        atom(b"moov", &[mvhd, atom(b"trak", &[tkhd, mdia].concat())].concat())
    }
}

fn ticks(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

fn side(px: i64) -> u32 {
    u32::try_from(px).unwrap_or_default()
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn atom(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 8).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], name, body].concat()
}

fn full(name: &[u8; 4], flags: u32, parts: &[&[u8]]) -> Vec<u8> {
    atom(name, &[&flags.to_be_bytes()[..], &parts.concat()].concat())
}

fn descriptor(tag: u8, body: &[u8]) -> Vec<u8> {
    [&[tag, u8::try_from(body.len()).unwrap_or(u8::MAX)][..], body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_made_of_whole_atoms_and_holds_its_pictures() {
        let mut film = Film::new((10, 20));
        film.picture(Duration::ZERO, vec![1; 5]);
        film.picture(Duration::from_millis(100), vec![1; 5]);
        film.picture(Duration::from_millis(200), vec![2; 7]);
        let file = film.finish(Duration::from_millis(500));
        let mut names = Vec::new();
        let mut rest = file.as_slice();
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            names.push(String::from_utf8_lossy(&after[..4]).into_owned());
            rest = &rest[u32::from_be_bytes(*length) as usize..];
        }
        assert_eq!(names, ["ftyp", "mdat", "moov"]);
        assert!(file.windows(12).any(|window| window == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]));
        // Two frames: one for 200 ms, one for 300.
        let stts = words(&[2, 1, 200, 1, 300]);
        assert!(file.windows(stts.len()).any(|window| window == stts));
    }
}
