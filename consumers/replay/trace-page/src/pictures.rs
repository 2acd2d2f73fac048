//! Which pictures go into a page.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// What a PNG file begins with: its signature, and the chunk that says how large the picture is.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";

/// How much a picture is wanted, where not all fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    /// It shows a failure.
    Failure,
    /// It shows what led to a failure.
    NearFailure,
    /// Any other.
    Plain,
}

/// One picture in the page's data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// Width, px of the picture.
    pub width: u32,
    /// Height, px of the picture.
    pub height: u32,
    /// Whether its content is in the page.
    pub kept: bool,
    #[serde(skip)]
    path: PathBuf,
    #[serde(skip)]
    bytes: u64,
    #[serde(skip)]
    want: Want,
}

/// The pictures of a page, each once whatever the number of steps that show it.
#[derive(Debug, Default)]
pub struct Pictures {
    list: Vec<Picture>,
    by_path: HashMap<PathBuf, usize>,
    by_content: HashMap<Vec<u8>, usize>,
}

impl Pictures {
    /// The number of a picture in the page.
    ///
    /// # Errors
    /// A sentence that says why it cannot be shown.
    pub fn add(&mut self, path: &Path) -> Result<usize, String> {
        if let Some(&number) = self.by_path.get(path) {
            return Ok(number);
        }
        let content = fs::read(path).map_err(|why| format!("The picture {} cannot be read: {why}.", shown(path)))?;
        let (width, height) = size(&content).ok_or_else(|| format!("{} is not a PNG picture.", shown(path)))?;
        let number = *self.by_content.entry(Sha256::digest(&content).to_vec()).or_insert(self.list.len());
        if number == self.list.len() {
            let bytes = content.len() as u64;
            self.list.push(Picture { width, height, kept: false, path: path.to_owned(), bytes, want: Want::Plain });
        }
        self.by_path.insert(path.to_owned(), number);
        Ok(number)
    }

    /// Says that a picture is wanted at least so much.
    pub fn want(&mut self, number: usize, want: Want) {
        if let Some(picture) = self.list.get_mut(number) {
            picture.want = picture.want.min(want);
        }
    }

    /// Chooses those whose content fits: the failures first, then what led to them, then a sample spread evenly over the
    /// rest. Says how many are left out.
    pub fn choose(&mut self, limit: u64) -> usize {
        let bits = usize::BITS - self.list.len().leading_zeros();
        let spread = |number: usize| number.reverse_bits() >> (usize::BITS - bits.max(1));
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&number| (self.list.get(number).map(|picture| picture.want), spread(number)));
        let (mut left, mut out) = (limit, 0);
        for number in order {
            let Some(picture) = self.list.get_mut(number) else { continue };
            picture.kept = picture.bytes <= left;
            if picture.kept {
                left -= picture.bytes;
            } else {
                out += 1;
            }
        }
        out
    }

    /// All of them, for the page's data.
    pub fn list(&self) -> &[Picture] {
        &self.list
    }

    /// Writes the content of those that were chosen, base64, one element each. One that can no longer be read is empty.
    ///
    /// # Errors
    /// Of `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        for (number, picture) in self.list.iter().enumerate().filter(|(_, picture)| picture.kept) {
            write!(out, "<script type=\"text/plain\" id=\"picture-{number}\">")?;
            out.write_all(STANDARD.encode(fs::read(&picture.path).unwrap_or_default()).as_bytes())?;
            out.write_all(b"</script>\n")?;
        }
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Width and height of a PNG file.
fn size(content: &[u8]) -> Option<(u32, u32)> {
    let rest = content.strip_prefix(SIGNATURE)?;
    let number = |from: usize| Some(u32::from_be_bytes(rest.get(from..from + 4)?.try_into().ok()?));
    Some((number(0)?, number(4)?)).filter(|&(width, height)| width > 0 && height > 0)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::{Pictures, SIGNATURE, Want};

    fn png(folder: &std::path::Path, name: &str, tail: &str) -> PathBuf {
        let mut content = SIGNATURE.to_vec();
        content.extend([0, 0, 0, 3, 0, 0, 0, 2]);
        content.extend(tail.as_bytes());
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn written(pictures: &Pictures) -> String {
        let mut out = Vec::new();
        pictures.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn equal_pictures_go_in_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut pictures = Pictures::default();
        let numbers: Vec<_> = [("a", "x"), ("b", "x"), ("c", "y"), ("a", "x")]
            .map(|(name, tail)| pictures.add(&png(folder.path(), name, tail)).unwrap())
            .to_vec();
        assert_eq!(numbers, [0, 0, 1, 0]);
        assert_eq!(pictures.choose(u64::MAX), 0);
        assert_eq!((pictures.list()[0].width, pictures.list()[0].height), (3, 2));
        assert_eq!(written(&pictures).matches("<script").count(), 2);
    }

    #[test]
    fn what_is_no_picture_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, "<svg onload=alert(1)>").unwrap();
        let mut pictures = Pictures::default();
        assert_eq!(pictures.add(&path), Err("a.png is not a PNG picture.".into()));
        assert!(pictures.add(&folder.path().join("b.png")).unwrap_err().contains("b.png cannot be read"));
    }

    #[test]
    fn failures_stay_and_the_rest_is_thinned_evenly() {
        let folder = tempfile::tempdir().unwrap();
        let mut pictures = Pictures::default();
        for number in 0..64 {
            pictures.add(&png(folder.path(), &format!("{number}.png"), &format!("{number:04}"))).unwrap();
        }
        for want in [Want::NearFailure, Want::Failure, Want::NearFailure, Want::Plain] {
            pictures.want(49, want);
        }
        pictures.want(51, Want::NearFailure);
        let each = pictures.list()[0].bytes;
        assert_eq!(pictures.choose(each * 17), 47);
        let kept: Vec<_> =
            pictures.list().iter().enumerate().filter(|(_, one)| one.kept).map(|(number, _)| number).collect();
        assert!(kept.contains(&49) && kept.contains(&51), "{kept:?}");
        let gaps = kept.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(gaps <= 8, "{kept:?}");
        assert_eq!(pictures.choose(each), 63);
        assert!(pictures.list()[49].kept);
    }
}
