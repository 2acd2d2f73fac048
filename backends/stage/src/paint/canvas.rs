//! Shapes and letters on pixels. All coordinates are px of the display; the canvas scales them.

use ab_glyph::{Font, ScaleFont, point};
use contract::{Rect, Size};
use tiny_skia::{
    Color, FillRule, LineCap, Mask, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform,
};

use super::text::{self, Face};

/// A colour: red, green, blue, and how opaque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink(pub u8, pub u8, pub u8, pub f32);

impl Ink {
    /// Opaque.
    pub const fn rgb(rgb: [u8; 3]) -> Self {
        Ink(rgb[0], rgb[1], rgb[2], 1.0)
    }

    /// The same, more transparent.
    #[must_use]
    pub fn faded(self, by: f32) -> Self {
        Ink(self.0, self.1, self.2, self.3 * by)
    }

    fn color(self) -> Color {
        Color::from_rgba8(self.0, self.1, self.2, (self.3.clamp(0.0, 1.0) * 255.0).round() as u8)
    }
}

/// Where a text stands in its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At the left edge.
    Left,
    /// In the middle.
    Centre,
}

/// A picture in the making.
#[derive(Debug)]
pub struct Canvas {
    pixmap: Pixmap,
    scale: f32,
    clip: Rect,
    mask: Option<Mask>,
}

impl Canvas {
    /// An empty picture.
    ///
    /// # Errors
    /// A size without area, or one that no picture can have.
    pub fn new(size: Size, scale: f64) -> Result<Self, String> {
        let (width, height) = ((size.width * scale).round(), (size.height * scale).round());
        let pixmap = Pixmap::new(width as u32, height as u32)
            .ok_or_else(|| format!("no picture can be {width} x {height} pixels"))?;
        Ok(Canvas { pixmap, scale: scale as f32, clip: size.bounds(), mask: None })
    }

    /// PNG.
    ///
    /// # Errors
    /// The encoder's own.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        encoded(&self.pixmap).map_err(|error| error.to_string())
    }

    /// The colour of a picture pixel: red, green, blue, alpha.
    #[cfg(test)]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let pixel = self.pixmap.pixel(x, y)?.demultiply();
        Some([pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()])
    }

    /// Picture pixels across and down.
    #[cfg(test)]
    pub fn size(&self) -> (u32, u32) {
        (self.pixmap.width(), self.pixmap.height())
    }

    /// From here on only this part is drawn on.
    pub fn clip(&mut self, clip: Rect) {
        let all = Rect::new(0.0, 0.0, f64::from(self.pixmap.width()), f64::from(self.pixmap.height()));
        let whole = Rect::new(0.0, 0.0, all.width / f64::from(self.scale), all.height / f64::from(self.scale));
        let clip = clip.intersect(whole);
        if clip == self.clip {
            return;
        }
        self.clip = clip;
        self.mask = if clip.close_to(whole, 0.01) { None } else { self.mask_for(clip) };
    }

    fn mask_for(&self, clip: Rect) -> Option<Mask> {
        let mut mask = Mask::new(self.pixmap.width(), self.pixmap.height())?;
        if let Some(path) = plain(clip) {
            mask.fill_path(&path, FillRule::Winding, false, self.transform());
        }
        Some(mask)
    }

    const fn transform(&self) -> Transform {
        Transform { sx: self.scale, kx: 0.0, ky: 0.0, sy: self.scale, tx: 0.0, ty: 0.0 }
    }

    /// A filled box with rounded corners.
    pub fn fill(&mut self, rect: Rect, radius: f64, ink: Ink) {
        self.fill_path(rounded(rect, radius), ink);
    }

    /// The line around a box with rounded corners, inside its edge.
    pub fn outline(&mut self, rect: Rect, radius: f64, width: f64, ink: Ink) {
        let inner = Rect::new(rect.x + width / 2.0, rect.y + width / 2.0, rect.width - width, rect.height - width);
        self.stroke_path(rounded(inner, radius), width, ink);
    }

    /// A filled circle.
    pub fn disc(&mut self, x: f64, y: f64, radius: f64, ink: Ink) {
        self.fill_path(PathBuilder::from_circle(x as f32, y as f32, radius as f32), ink);
    }

    /// The line around a circle.
    pub fn ring(&mut self, x: f64, y: f64, radius: f64, width: f64, ink: Ink) {
        self.stroke_path(PathBuilder::from_circle(x as f32, y as f32, radius as f32), width, ink);
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], width: f64, ink: Ink) {
        let mut builder = PathBuilder::new();
        for (place, (x, y)) in points.iter().enumerate() {
            if place == 0 {
                builder.move_to(*x as f32, *y as f32);
            } else {
                builder.line_to(*x as f32, *y as f32);
            }
        }
        self.stroke_path(builder.finish(), width, ink);
    }

    /// A filled shape with these corners.
    pub fn shape(&mut self, corners: &[(f64, f64)], ink: Ink) {
        let mut builder = PathBuilder::new();
        for (place, (x, y)) in corners.iter().enumerate() {
            if place == 0 {
                builder.move_to(*x as f32, *y as f32);
            } else {
                builder.line_to(*x as f32, *y as f32);
            }
        }
        builder.close();
        self.fill_path(builder.finish(), ink);
    }

    /// A soft shadow below a box: many faint boxes, each a little larger.
    pub fn shadow(&mut self, rect: Rect, radius: f64, reach: f64) {
        let steps = 12;
        for step in 0..steps {
            let out = reach * f64::from(step) / f64::from(steps);
            let grown =
                Rect::new(rect.x - out, rect.y - out + reach * 0.3, rect.width + 2.0 * out, rect.height + 2.0 * out);
            self.fill(grown, radius + out, Ink(0, 0, 0, 0.022));
        }
    }

    /// One line of text in a box, in its middle from top to bottom.
    pub fn text(&mut self, line: &str, rect: Rect, face: Face, size: f64, align: Align, ink: Ink) {
        let line = text::fit(face, size, line, rect.width);
        let x = match align {
            Align::Left => rect.x,
            Align::Centre => rect.x + (rect.width - text::width(face, size, &line)) / 2.0,
        };
        let Some(font) = text::font(face) else { return };
        let scaled = font.as_scaled(text::scale(font, size * f64::from(self.scale)));
        let middle = (rect.y + rect.height / 2.0) as f32 * self.scale;
        let baseline = (middle + (scaled.ascent() + scaled.descent()) / 2.0).round();
        let mut cursor = x as f32 * self.scale;
        for letter in line.chars() {
            let mut glyph = scaled.scaled_glyph(letter);
            glyph.position = point(cursor, baseline);
            cursor += scaled.h_advance(glyph.id);
            if let Some(outline) = scaled.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|dx, dy, cover| {
                    self.blend(bounds.min.x as i64 + i64::from(dx), bounds.min.y as i64 + i64::from(dy), ink, cover);
                });
            }
        }
    }

    /// Mixes one pixel with a colour, where the clip allows it.
    fn blend(&mut self, x: i64, y: i64, ink: Ink, cover: f32) {
        let scale = f64::from(self.scale);
        let centre = contract::Point { x: (x as f64 + 0.5) / scale, y: (y as f64 + 0.5) / scale };
        let (Ok(across), Ok(down)) = (usize::try_from(x), usize::try_from(y)) else { return };
        let width = self.pixmap.width() as usize;
        if !self.clip.contains(centre) || across >= width {
            return;
        }
        let Some(pixel) = self.pixmap.pixels_mut().get_mut(down * width + across) else { return };
        let alpha = (cover * ink.3).clamp(0.0, 1.0);
        let mix = |old: u8, new: u8| (f32::from(old) * (1.0 - alpha) + f32::from(new) * alpha).round() as u8;
        let opaque = mix(pixel.alpha(), 255);
        let channel = |old: u8, new: u8| mix(old, new).min(opaque);
        let mixed = PremultipliedColorU8::from_rgba(
            channel(pixel.red(), ink.0),
            channel(pixel.green(), ink.1),
            channel(pixel.blue(), ink.2),
            opaque,
        );
        if let Some(mixed) = mixed {
            *pixel = mixed;
        }
    }

    fn fill_path(&mut self, path: Option<Path>, ink: Ink) {
        let Some(path) = path else { return };
        let mut paint = Paint::default();
        paint.set_color(ink.color());
        let transform = self.transform();
        self.pixmap.fill_path(&path, &paint, FillRule::Winding, transform, self.mask.as_ref());
    }

    fn stroke_path(&mut self, path: Option<Path>, width: f64, ink: Ink) {
        let Some(path) = path else { return };
        let mut paint = Paint::default();
        paint.set_color(ink.color());
        let stroke = Stroke { width: width as f32, line_cap: LineCap::Round, ..Stroke::default() };
        let transform = self.transform();
        self.pixmap.stroke_path(&path, &paint, &stroke, transform, self.mask.as_ref());
    }
}

fn plain(rect: Rect) -> Option<Path> {
    tiny_skia::Rect::from_xywh(rect.x as f32, rect.y as f32, rect.width as f32, rect.height as f32)
        .map(PathBuilder::from_rect)
}

/// A box whose corners are quarter circles, as near as cubic curves come.
fn rounded(rect: Rect, radius: f64) -> Option<Path> {
    let radius = radius.min(rect.width / 2.0).min(rect.height / 2.0).max(0.0) as f32;
    if radius < 0.1 {
        return plain(rect);
    }
    let (left, top) = (rect.x as f32, rect.y as f32);
    let (right, bottom) = (rect.right() as f32, rect.bottom() as f32);
    // Distance of a control point from the corner: (1 - 4/3 (sqrt 2 - 1)) of the radius.
    let near = radius * 0.447_715;
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - near, top, right, top + near, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - near, right - near, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + near, bottom, left, bottom - near, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + near, left + near, top, left + radius, top);
    path.close();
    path.finish()
}

/// The picture as PNG, fast rather than small. Every screen is painted over its whole area, so nothing of it is
/// transparent, and its colours are what they are with or without the factor of their opacity.
fn encoded(pixmap: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let opaque: Vec<u8> = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut out = Vec::with_capacity(256 << 10);
    let mut encoder = png::Encoder::new(&mut out, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&opaque)?;
    writer.finish()?;
    Ok(out)
}
