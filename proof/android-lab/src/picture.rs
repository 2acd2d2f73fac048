//! A picture of the display: the status bar, and below it what the stage paints.

use std::{io::Cursor, sync::Arc};

use backend::Device;

use crate::{
    core::Core,
    display::{SCALE, STATUS_BAR},
};

/// Colour of the status bar.
const BAR: [u8; 3] = [32, 33, 36];

/// As PNG, in display px.
///
/// # Errors
/// No app is there, it paints nothing, or its picture cannot be read.
pub async fn of(core: &Arc<Core>) -> Result<Vec<u8>, String> {
    let Some((_, running)) = core.on_screen().await.into_iter().next_back() else {
        return Err("nothing is on the screen".to_owned());
    };
    let painted = running.device.screenshot(&Core::context(), false).await.map_err(|failure| failure.message)?;
    let (width, height) = core.state().display.size();
    let awake = core.state().awake;
    let done = tokio::task::spawn_blocking(move || {
        let drawn = if awake { Some(read(&painted.png)?) } else { None };
        let (width, height) = (usize::try_from(width).unwrap_or(1), usize::try_from(height).unwrap_or(1));
        write(width, height, drawn.as_ref(), painted.scale / SCALE)
    });
    done.await.map_err(|cause| cause.to_string())?
}

struct Drawn {
    width: usize,
    pixel: usize,
    bytes: Vec<u8>,
}

impl Drawn {
    /// A row of px: what of it is there.
    fn row(&self, y: usize) -> &[u8] {
        let length = self.width * self.pixel;
        self.bytes.get(y * length..(y + 1) * length).unwrap_or_default()
    }
}

fn read(png: &[u8]) -> Result<Drawn, String> {
    let said = |cause: png::DecodingError| cause.to_string();
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().map_err(said)?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("a picture that is too large")?];
    let info = reader.next_frame(&mut bytes).map_err(said)?;
    Ok(Drawn { width: info.width as usize, pixel: info.color_type.samples(), bytes })
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a picture has few px")]
fn write(width: usize, height: usize, drawn: Option<&Drawn>, to_drawn: f64) -> Result<Vec<u8>, String> {
    let bar = STATUS_BAR as usize;
    let mut pixels = Vec::with_capacity(width * height * 3);
    let mut last: Option<(usize, usize)> = None;
    for y in 0..height {
        let start = pixels.len();
        let from = y.checked_sub(bar).map(|below| (below as f64 * to_drawn) as usize);
        match (from, drawn) {
            // Rows that show the same row of the picture are alike.
            (Some(from), Some(_)) if last.is_some_and(|(row, _)| row == from) => {
                let (_, begin) = last.unwrap_or_default();
                pixels.extend_from_within(begin..begin + width * 3);
            }
            (Some(from), Some(drawn)) => {
                let row = drawn.row(from);
                for x in 0..width {
                    let at = (x as f64 * to_drawn) as usize * drawn.pixel;
                    pixels.extend_from_slice(row.get(at..at + 3).unwrap_or(&[0; 3]));
                }
                last = Some((from, start));
            }
            (None, _) => pixels.extend_from_slice(&BAR.repeat(width)),
            (_, None) => pixels.resize(start + width * 3, 0),
        }
    }
    let mut out = Vec::new();
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let mut encoder = png::Encoder::new(&mut out, side(width), side(height));
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let said = |cause: png::EncodingError| cause.to_string();
    encoder.write_header().map_err(said)?.write_image_data(&pixels).map_err(said)?;
    Ok(out)
}
