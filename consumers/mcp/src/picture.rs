//! A screenshot as a model is given it: a PNG of bounded size. A larger one is made smaller; the file on disk stays
//! whole.

use std::{fs::File, io::BufReader, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use rmcp::model::ContentBlock;

/// The longest side, px: what models look at; a larger picture is made smaller on their side and only costs more.
pub const LONGEST_SIDE: u32 = 1568;
/// Bytes of the PNG at most. Clients refuse messages of a few megabytes, and base64 adds a third.
pub const LARGEST: usize = 2 << 20;

/// A picture that fits, and whether it was made smaller: its size now.
pub fn of(file: &Path) -> Result<(ContentBlock, Option<(u32, u32)>), String> {
    let bytes = std::fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let (width, height) = size(file)?;
    let side = width.max(height);
    if side <= LONGEST_SIDE && bytes.len() <= LARGEST {
        return Ok((content(&bytes), None));
    }
    let picture = Picture::read(file)?;
    let mut longest = side.min(LONGEST_SIDE);
    loop {
        let small = picture.scaled(longest)?;
        let written = small.written()?;
        if written.len() <= LARGEST || longest < 64 {
            return Ok((content(&written), Some((small.width, small.height))));
        }
        longest /= 2;
    }
}

fn content(bytes: &[u8]) -> ContentBlock {
    ContentBlock::image(STANDARD.encode(bytes), "image/png")
}

fn size(file: &Path) -> Result<(u32, u32), String> {
    let reader = decoder(file)?.read_info().map_err(|why| why.to_string())?;
    Ok(reader.info().size())
}

fn decoder(file: &Path) -> Result<png::Decoder<BufReader<File>>, String> {
    let file = File::open(file).map_err(|why| why.to_string())?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    Ok(decoder)
}

/// Pixels in four channels, or two where the picture is grey.
struct Picture {
    width: u32,
    height: u32,
    color: png::ColorType,
    samples: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn read(file: &Path) -> Result<Self, String> {
        let mut reader = decoder(file)?.read_info().map_err(|why| why.to_string())?;
        let room = reader.output_buffer_size().ok_or("the picture is too large")?;
        let mut pixels = vec![0; room];
        let frame = reader.next_frame(&mut pixels).map_err(|why| why.to_string())?;
        pixels.truncate(frame.buffer_size());
        Ok(Self {
            width: frame.width,
            height: frame.height,
            color: frame.color_type,
            samples: frame.color_type.samples(),
            pixels,
        })
    }

    /// The same with its longest side so long: each pixel the mean of those that it stands for.
    fn scaled(&self, longest: u32) -> Result<Self, String> {
        let side = self.width.max(self.height).max(1);
        let to = |length: u32| (u64::from(length) * u64::from(longest) / u64::from(side)).max(1);
        let (width, height) = (to(self.width), to(self.height));
        let mut pixels = Vec::with_capacity(usize::try_from(width * height).unwrap_or(0) * self.samples);
        let span = |at: u64, of: u64, length: u32| {
            let length = u64::from(length);
            let from = at * length / of;
            (from, ((at + 1) * length).div_ceil(of).clamp(from + 1, length.max(from + 1)))
        };
        for y in 0..height {
            let (top, bottom) = span(y, height, self.height);
            for x in 0..width {
                let (left, right) = span(x, width, self.width);
                let mut sums = [0u64; 4];
                for row in top..bottom {
                    let start = usize::try_from(row * u64::from(self.width) + left).unwrap_or(usize::MAX);
                    let length = usize::try_from(right - left).unwrap_or(0);
                    let from = start.saturating_mul(self.samples);
                    let inside = self.pixels.get(from..from.saturating_add(length * self.samples));
                    for pixel in inside.ok_or("the picture ends early")?.chunks_exact(self.samples) {
                        for (sum, sample) in sums.iter_mut().zip(pixel) {
                            *sum += u64::from(*sample);
                        }
                    }
                }
                let count = (bottom - top) * (right - left);
                pixels.extend(sums.iter().take(self.samples).map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX)));
            }
        }
        let narrow = |length: u64| u32::try_from(length).map_err(|why| why.to_string());
        Ok(Self { width: narrow(width)?, height: narrow(height)?, color: self.color, samples: self.samples, pixels })
    }

    fn written(&self) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_color(self.color);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|why| why.to_string())?;
        writer.write_image_data(&self.pixels).map_err(|why| why.to_string())?;
        writer.finish().map_err(|why| why.to_string())?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(folder: &Path, width: u32, height: u32) -> std::path::PathBuf {
        let mut state = 1u32;
        let pixels = (0..width * height * 3)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        let picture = Picture { width, height, color: png::ColorType::Rgb, samples: 3, pixels };
        let file = folder.join("noise.png");
        std::fs::write(&file, picture.written().unwrap()).unwrap();
        file
    }

    #[test]
    fn a_small_picture_goes_as_it_is_and_a_large_one_is_made_to_fit() {
        let folder = tempfile::tempdir().unwrap();
        let small = noise(folder.path(), 30, 20);
        let (block, scaled) = of(&small).unwrap();
        assert_eq!(scaled, None);
        assert_eq!(STANDARD.decode(&block.as_image().unwrap().data).unwrap(), std::fs::read(&small).unwrap());

        let wide = noise(folder.path(), 3136, 10);
        assert_eq!(of(&wide).unwrap().1, Some((1568, 5)));

        // Noise does not compress: it is the bytes that are too many.
        let heavy = noise(folder.path(), 1500, 1000);
        let (block, scaled) = of(&heavy).unwrap();
        assert_eq!(scaled, Some((750, 500)));
        assert!(STANDARD.decode(&block.as_image().unwrap().data).unwrap().len() <= LARGEST);
        assert!(of(&folder.path().join("none.png")).is_err());
    }

    #[test]
    fn the_mean_is_taken_and_no_pixel_is_left_out() {
        let picture = Picture {
            width: 4,
            height: 2,
            color: png::ColorType::Grayscale,
            samples: 1,
            pixels: vec![0, 100, 50, 50, 100, 200, 50, 50],
        };
        let small = picture.scaled(2).unwrap();
        assert_eq!((small.width, small.height, small.pixels), (2, 1, vec![100, 50]));
    }
}
