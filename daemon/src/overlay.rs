//! Refs drawn over a picture: a box around each element, its number in a corner.

use contract::Rect;

/// One box.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// `e5`.
    pub label: String,
    /// In picture pixels.
    pub rect: Rect,
}

/// Letters of a label: 3 x 5 pixels each, a row a number, the highest bit of three is the left one.
const GLYPHS: &[(char, [u8; 5])] = &[
    ('e', [0b111, 0b101, 0b111, 0b100, 0b111]),
    ('0', [0b111, 0b101, 0b101, 0b101, 0b111]),
    ('1', [0b010, 0b110, 0b010, 0b010, 0b111]),
    ('2', [0b111, 0b001, 0b111, 0b100, 0b111]),
    ('3', [0b111, 0b001, 0b111, 0b001, 0b111]),
    ('4', [0b101, 0b101, 0b111, 0b001, 0b001]),
    ('5', [0b111, 0b100, 0b111, 0b001, 0b111]),
    ('6', [0b111, 0b100, 0b111, 0b101, 0b111]),
    ('7', [0b111, 0b001, 0b010, 0b010, 0b010]),
    ('8', [0b111, 0b101, 0b111, 0b101, 0b111]),
    ('9', [0b111, 0b101, 0b111, 0b001, 0b111]),
];

/// Colours of boxes in turn: neighbours are told apart on light and on dark pages.
const COLOURS: [[u8; 3]; 6] =
    [[214, 39, 40], [31, 119, 180], [22, 140, 60], [148, 80, 200], [200, 100, 0], [0, 130, 140]];

/// Pixels that a picture may have to be drawn on: 4 bytes each once it is unpacked. A whole page of 2560 px width may be
/// 50,000 px tall.
const PIXELS: u64 = 1 << 27;

/// Draws the marks; gives the picture back as a PNG with its width and height, px. Without marks the bytes stay as
/// they are.
///
/// # Errors
/// Where `png` is none.
pub fn draw(png: &[u8], marks: &[Mark]) -> Result<(Vec<u8>, (u32, u32)), String> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|why| why.to_string())?;
    let size = (reader.info().width, reader.info().height);
    if marks.is_empty() {
        return Ok((png.to_vec(), size));
    }
    if u64::from(size.0) * u64::from(size.1) > PIXELS {
        return Err(format!("{} x {} pixels are too many to draw on", size.0, size.1));
    }
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let info = reader.next_frame(&mut pixels).map_err(|why| why.to_string())?;
    let channels = info.color_type.samples();
    let mut canvas = Canvas { pixels, width: size.0, height: size.1, channels };
    let unit = (size.0.max(size.1) / 700).max(1);
    for (mark, colour) in marks.iter().zip(COLOURS.iter().cycle()) {
        canvas.frame(mark.rect, unit, *colour);
    }
    for (mark, colour) in marks.iter().zip(COLOURS.iter().cycle()) {
        canvas.label(mark, unit * 2, *colour);
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, size.0, size.1);
    encoder.set_color(info.color_type);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(|why| why.to_string())?;
    writer.write_image_data(&canvas.pixels).map_err(|why| why.to_string())?;
    writer.finish().map_err(|why| why.to_string())?;
    Ok((out, size))
}

struct Canvas {
    pixels: Vec<u8>,
    width: u32,
    height: u32,
    channels: usize,
}

impl Canvas {
    fn fill(&mut self, x: i64, y: i64, width: u32, height: u32, colour: [u8; 3]) {
        let columns = x.max(0)..x.saturating_add(width.into()).min(i64::from(self.width));
        for row in y.max(0)..y.saturating_add(height.into()).min(i64::from(self.height)) {
            for column in columns.clone() {
                let start = (row as usize * self.width as usize + column as usize) * self.channels;
                let Some(pixel) = self.pixels.get_mut(start..start + self.channels) else { continue };
                match pixel {
                    [grey] | [grey, _] => {
                        *grey = colour.iter().map(|part| u32::from(*part)).sum::<u32>().div_euclid(3) as u8
                    }
                    [red, green, blue, rest @ ..] => {
                        (*red, *green, *blue) = (colour[0], colour[1], colour[2]);
                        rest.fill(255);
                    }
                    [] => {}
                }
            }
        }
    }

    fn frame(&mut self, rect: Rect, unit: u32, colour: [u8; 3]) {
        let (x, y) = (rect.x.round() as i64, rect.y.round() as i64);
        let (width, height) = (rect.width.round().max(1.0) as u32, rect.height.round().max(1.0) as u32);
        self.fill(x, y, width, unit, colour);
        self.fill(x, y.saturating_add(i64::from(height) - i64::from(unit)), width, unit, colour);
        self.fill(x, y, unit, height, colour);
        self.fill(x.saturating_add(i64::from(width) - i64::from(unit)), y, unit, height, colour);
    }

    /// A filled tab left of the box, where it hides least of the box's own text, else above it; kept inside the picture.
    fn label(&mut self, mark: &Mark, dot: u32, colour: [u8; 3]) {
        let letters = mark.label.chars().count() as u32;
        let (width, height) = ((letters * 4 + 1) * dot, 7 * dot);
        let (left, top) = (mark.rect.x.round() as i64, mark.rect.y.round() as i64);
        let beside = left >= i64::from(width);
        let x =
            if beside { left - i64::from(width) } else { left }.clamp(0, i64::from(self.width.saturating_sub(width)));
        let y = if beside { top } else { top.saturating_sub(height.into()) }
            .clamp(0, i64::from(self.height.saturating_sub(height)));
        self.fill(x, y, width, height, colour);
        for (place, letter) in mark.label.chars().enumerate() {
            let Some((_, rows)) = GLYPHS.iter().find(|(known, _)| *known == letter) else { continue };
            for (row, bits) in rows.iter().enumerate() {
                for column in 0..3u32 {
                    if bits & (0b100 >> column) != 0 {
                        let left = x + i64::from(dot * (1 + place as u32 * 4 + column));
                        self.fill(left, y + i64::from(dot) * (1 + row as i64), dot, dot, [255, 255, 255]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(width: u32, height: u32, colour: png::ColorType) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(colour);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![255; (width * height) as usize * colour.samples()]).unwrap();
        writer.finish().unwrap();
        out
    }

    #[test]
    fn a_box_and_its_number_are_drawn_and_stay_inside_the_picture() {
        for colour in [png::ColorType::Rgb, png::ColorType::Rgba, png::ColorType::Grayscale] {
            let marks = [
                Mark { label: "e12".into(), rect: Rect::new(20.0, 30.0, 40.0, 20.0) },
                Mark { label: "e3".into(), rect: Rect::new(-5.0, -5.0, 4000.0, 10.0) },
            ];
            let (out, size) = draw(&white(100, 80, colour), &marks).unwrap();
            assert_eq!(size, (100, 80));
            let mut reader = png::Decoder::new(std::io::Cursor::new(out)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            let at = |x: usize, y: usize| pixels[(y * 100 + x) * colour.samples()];
            assert_ne!(at(20, 40), 255, "left edge of the box");
            assert_eq!(at(40, 40), 255, "inside of the box");
        }
    }

    #[test]
    fn what_is_no_png_is_an_error_and_no_marks_leave_the_bytes_alone() {
        assert!(draw(b"x", &[]).is_err());
        let picture = white(3, 3, png::ColorType::Rgb);
        assert_eq!(draw(&picture, &[]).unwrap().0, picture);
    }
}
