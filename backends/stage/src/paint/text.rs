//! Text: how wide it is, where it breaks, what it looks like.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

/// DejaVu Sans, in the subset that `assets/subset-fonts.sh` makes.
const REGULAR: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../../assets/DejaVuSans-Bold.ttf");

/// A weight of the embedded font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// For reading.
    Regular,
    /// For titles and buttons.
    Bold,
}

/// The font of a face; `None` only where the embedded file were broken, which a test rules out.
pub fn font(face: Face) -> Option<&'static FontRef<'static>> {
    static LOADED: OnceLock<[Option<FontRef<'static>>; 2]> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| [REGULAR, BOLD].map(|bytes| FontRef::try_from_slice(bytes).ok()));
    match face {
        Face::Regular => loaded[0].as_ref(),
        Face::Bold => loaded[1].as_ref(),
    }
}

/// The scale at which a font's em is `size` px high. `PxScale` means ascent to descent, which is larger.
pub fn scale(font: &FontRef<'_>, size: f64) -> PxScale {
    let em = font.units_per_em().unwrap_or(2048.0);
    PxScale::from(size as f32 * font.height_unscaled() / em)
}

/// How wide a line is, px.
pub fn width(face: Face, size: f64, line: &str) -> f64 {
    let Some(font) = font(face) else { return 0.0 };
    let scaled = font.as_scaled(scale(font, size));
    line.chars().map(|letter| f64::from(scaled.h_advance(scaled.glyph_id(letter)))).sum()
}

/// Breaks a text into lines of at most `most` px, at spaces; a word that is longer stands alone.
pub fn wrap(face: Face, size: f64, text: &str, most: f64) -> Vec<String> {
    let space = width(face, size, " ");
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut filled = 0.0;
        for word in paragraph.split(' ') {
            let wide = width(face, size, word);
            if !line.is_empty() && filled + space + wide > most {
                lines.push(std::mem::take(&mut line));
                filled = 0.0;
            }
            if !line.is_empty() {
                line.push(' ');
                filled += space;
            }
            line.push_str(word);
            filled += wide;
        }
        lines.push(line);
    }
    lines
}

/// A line cut so that it fits into `most` px, with an ellipsis where something is left out.
pub fn fit(face: Face, size: f64, line: &str, most: f64) -> String {
    if width(face, size, line) <= most {
        return line.to_owned();
    }
    let mut cut = String::new();
    let mut filled = width(face, size, "…");
    for letter in line.chars() {
        filled += width(face, size, letter.encode_utf8(&mut [0; 4]));
        if filled > most {
            break;
        }
        cut.push(letter);
    }
    cut.push('…');
    cut
}
