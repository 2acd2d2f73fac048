//! What each kind of element looks like.

use contract::Rect;

use super::canvas::{Align, Canvas, Ink};
use super::sheet::{Part, Sheet};
use super::text::{self, Face};
use crate::scene::measure::{LINE, PANEL_TITLE, SMALL_SIZE, TEXT_SIZE, heading_size};
use crate::script::spec::{Kind, OverlayRole};

const GROUND: Ink = Ink(0xf4, 0xf5, 0xf7, 1.0);
const PAPER: Ink = Ink(0xff, 0xff, 0xff, 1.0);
const TEXT: Ink = Ink(0x1b, 0x1f, 0x24, 1.0);
const FAINT: Ink = Ink(0x6a, 0x72, 0x7d, 1.0);
const HAIR: Ink = Ink(0xd5, 0xd9, 0xdf, 1.0);
const WRONG: Ink = Ink(0xc6, 0x28, 0x28, 1.0);
/// How much of its colour a disabled element keeps.
const DISABLED: f32 = 0.38;

/// Draws a whole display.
pub fn draw(canvas: &mut Canvas, sheet: &Sheet) {
    canvas.fill(sheet.size.bounds(), 0.0, GROUND);
    for layer in sheet.parts.chunk_by(|one, next| one.layer == next.layer) {
        for part in layer {
            if part.dims {
                canvas.clip(sheet.size.bounds());
                canvas.fill(sheet.size.bounds(), 0.0, Ink(0, 0, 0, 0.42));
            }
            canvas.clip(part.clip);
            Pen { canvas, part, accent: Ink::rgb(sheet.accent) }.draw();
        }
        // Scroll bars lie over what they belong to, and below the next layer.
        for part in layer {
            if let Some((at, content)) = part.scroll {
                canvas.clip(part.clip.intersect(part.rect));
                scroll_bar(canvas, part.rect, at, content);
            }
        }
    }
}

fn scroll_bar(canvas: &mut Canvas, rect: Rect, at: f64, content: f64) {
    let length = (rect.height * rect.height / content).max(28.0).min(rect.height - 8.0);
    let way = (content - rect.height).max(1.0);
    let top = rect.y + 4.0 + (rect.height - 8.0 - length) * (at / way);
    canvas.fill(Rect::new(rect.right() - 7.0, top, 4.0, length), 2.0, Ink(0, 0, 0, 0.3));
}

struct Pen<'a> {
    canvas: &'a mut Canvas,
    part: &'a Part,
    accent: Ink,
}

impl Pen<'_> {
    fn draw(&mut self) {
        match self.part.kind {
            Kind::Button if self.part.back => self.back_arrow(),
            Kind::Button => self.button(),
            Kind::Link => self.link(),
            Kind::Text => self.paragraph(),
            Kind::Heading => self.heading(),
            Kind::Image => self.image(),
            Kind::TextField | Kind::TextView | Kind::Search => self.field(),
            Kind::Checkbox => self.checkbox(),
            Kind::Switch => self.switch(),
            Kind::Radio => self.radio(),
            Kind::Tab => self.tab(),
            Kind::Menuitem => self.row(false),
            Kind::Listitem => self.row(true),
            Kind::Separator => self.canvas.fill(self.part.rect, 0.0, HAIR),
            Kind::Status => self.notice(self.accent.faded(0.12), TEXT),
            Kind::Alert => self.notice(WRONG.faded(0.12), WRONG),
            Kind::Progressbar => self.progress(),
            Kind::Bar => self.bar(),
            Kind::Panel(role) => self.panel(role),
            Kind::Keyboard => self.keyboard(),
            Kind::List => self.canvas.fill(self.part.rect, 10.0, PAPER),
            Kind::Scroll | Kind::Group | Kind::Form | Kind::Tablist | Kind::Window | Kind::Main => {}
        }
    }

    fn ink(&self, ink: Ink) -> Ink {
        if self.part.disabled { ink.faded(DISABLED) } else { ink }
    }

    /// The ring around what has the focus.
    fn focus_ring(&mut self, rect: Rect, radius: f64) {
        if self.part.focused {
            let out = Rect::new(rect.x - 3.0, rect.y - 3.0, rect.width + 6.0, rect.height + 6.0);
            self.canvas.outline(out, radius + 3.0, 2.0, self.accent.faded(0.45));
        }
    }

    fn button(&mut self) {
        let rect = self.part.rect;
        let radius = 10.0;
        let (ground, letters) = if self.part.disabled {
            (Ink(0xdd, 0xe0, 0xe5, 1.0), Ink(0x8d, 0x94, 0x9e, 1.0))
        } else {
            (self.accent, PAPER)
        };
        if !self.part.disabled && !self.part.in_panel {
            let below = Rect::new(rect.x, rect.y + 1.5, rect.width, rect.height);
            self.canvas.fill(below, radius, Ink(0, 0, 0, 0.18));
        }
        self.canvas.fill(rect, radius, ground);
        self.focus_ring(rect, radius);
        self.canvas.text(&self.part.label, inset(rect, 10.0), Face::Bold, 15.0, Align::Centre, letters);
    }

    fn back_arrow(&mut self) {
        let rect = self.part.rect;
        let (x, y) = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
        self.canvas.line(&[(x + 8.0, y), (x - 8.0, y)], 2.0, TEXT);
        self.canvas.line(&[(x - 1.0, y - 7.0), (x - 8.0, y), (x - 1.0, y + 7.0)], 2.0, TEXT);
    }

    fn link(&mut self) {
        let rect = self.part.rect;
        let ink = self.ink(self.accent);
        self.canvas.text(&self.part.label, rect, Face::Regular, TEXT_SIZE, Align::Left, ink);
        let wide = text::width(Face::Regular, TEXT_SIZE, &self.part.label).min(rect.width);
        let below = rect.y + rect.height / 2.0 + 10.0;
        self.canvas.fill(Rect::new(rect.x, below, wide, 1.0), 0.0, ink);
    }

    fn lines(&mut self, rect: Rect, ink: Ink) {
        let mut top = rect.y;
        for line in text::wrap(Face::Regular, TEXT_SIZE, &self.part.label, rect.width) {
            let at = Rect::new(rect.x, top, rect.width, LINE);
            self.canvas.text(&line, at, Face::Regular, TEXT_SIZE, Align::Left, ink);
            top += LINE;
        }
    }

    fn paragraph(&mut self) {
        let ink = self.ink(TEXT);
        self.lines(self.part.rect, ink);
    }

    fn notice(&mut self, ground: Ink, letters: Ink) {
        let rect = self.part.rect;
        self.canvas.fill(rect, 8.0, ground);
        self.lines(Rect::new(rect.x + 12.0, rect.y + 8.0, rect.width - 24.0, rect.height - 16.0), letters);
    }

    fn heading(&mut self) {
        let size = heading_size(self.part.level);
        let ink = self.ink(TEXT);
        self.canvas.text(&self.part.label, self.part.rect, Face::Bold, size, Align::Left, ink);
    }

    fn image(&mut self) {
        let rect = self.part.rect;
        self.canvas.fill(rect, 10.0, Ink(0xcf, 0xe3, 0xf6, 1.0));
        self.canvas.disc(
            rect.x + rect.width * 0.78,
            rect.y + rect.height * 0.3,
            rect.height * 0.11,
            Ink(0xff, 0xd5, 0x5a, 1.0),
        );
        let hill = |share: f64, peak: f64, reach: f64| {
            [
                (rect.x + rect.width * (share - reach).max(0.0), rect.bottom()),
                (rect.x + rect.width * share, rect.y + rect.height * peak),
                (rect.x + rect.width * (share + reach).min(1.0), rect.bottom()),
            ]
        };
        self.canvas.shape(&hill(0.62, 0.42, 0.34), Ink(0x8f, 0xb9, 0x96, 1.0));
        self.canvas.shape(&hill(0.34, 0.3, 0.3), Ink(0x5e, 0x94, 0x6e, 1.0));
        if !self.part.label.is_empty() {
            let caption = Rect::new(rect.x + 10.0, rect.bottom() - 28.0, rect.width - 20.0, 22.0);
            let wide = text::width(Face::Regular, SMALL_SIZE, &self.part.label).min(caption.width) + 12.0;
            self.canvas.fill(Rect::new(caption.x - 6.0, caption.y, wide, 22.0), 6.0, Ink(0x10, 0x20, 0x28, 0.6));
            self.canvas.text(&self.part.label, caption, Face::Regular, SMALL_SIZE, Align::Left, PAPER);
        }
    }

    fn field(&mut self) {
        let rect = self.part.rect;
        let radius = if self.part.kind == Kind::Search { rect.height / 2.0 } else { 8.0 };
        let ground = if self.part.readonly || self.part.disabled { Ink(0xec, 0xee, 0xf1, 1.0) } else { PAPER };
        self.canvas.fill(rect, radius, ground);
        self.focus_ring(rect, radius);
        let (line, thick) = match (self.part.invalid, self.part.focused) {
            (true, _) => (WRONG, 2.0),
            (false, true) => (self.accent, 2.0),
            (false, false) => (HAIR, 1.0),
        };
        self.canvas.outline(rect, radius, thick, line);
        let left = if self.part.kind == Kind::Search { 40.0 } else { 14.0 };
        if self.part.kind == Kind::Search {
            let (x, y) = (rect.x + 22.0, rect.y + rect.height / 2.0);
            self.canvas.ring(x, y - 1.5, 5.5, 1.8, FAINT);
            self.canvas.line(&[(x + 4.2, y + 2.7), (x + 8.5, y + 7.0)], 1.8, FAINT);
        }
        let mut inner = Rect::new(rect.x + left, rect.y, rect.width - left - 14.0, rect.height);
        if !self.part.label.is_empty() && self.part.kind != Kind::Search {
            let name = if self.part.required { format!("{} *", self.part.label) } else { self.part.label.clone() };
            let ink = if self.part.invalid { WRONG } else { self.ink(FAINT) };
            let above = Rect::new(inner.x, rect.y + 6.0, inner.width, 16.0);
            self.canvas.text(&name, above, Face::Regular, 12.0, Align::Left, ink);
            inner.y += 20.0;
            inner.height -= 24.0;
        }
        self.field_text(inner);
    }

    fn field_text(&mut self, inner: Rect) {
        let many = self.part.kind == Kind::TextView;
        let empty = self.part.value.is_empty();
        let hint = if self.part.placeholder.is_empty() && self.part.kind == Kind::Search {
            &self.part.label
        } else {
            &self.part.placeholder
        };
        let (shown, ink) =
            if empty { (hint.as_str(), FAINT.faded(0.8)) } else { (self.part.value.as_str(), self.ink(TEXT)) };
        let lines = if many {
            text::wrap(Face::Regular, TEXT_SIZE, shown, inner.width)
        } else {
            vec![end_of(shown, inner.width)]
        };
        let height = if many { LINE } else { inner.height };
        let mut caret = Rect::new(inner.x, inner.y, inner.width, height);
        for (place, line) in lines.iter().enumerate() {
            let at = Rect::new(inner.x, inner.y + height * place as f64, inner.width, height);
            self.canvas.text(line, at, Face::Regular, TEXT_SIZE, Align::Left, ink);
            caret = at;
        }
        if self.part.focused {
            let last = lines.last().map(String::as_str).filter(|_| !empty).unwrap_or_default();
            let x = caret.x + text::width(Face::Regular, TEXT_SIZE, last) + 1.0;
            let bar = Rect::new(x, caret.y + caret.height / 2.0 - 10.0, 1.8, 20.0);
            self.canvas.fill(bar, 0.9, self.accent);
        }
    }

    fn label_beside(&mut self, left: f64, right: f64) {
        let rect = self.part.rect;
        let ink = self.ink(TEXT);
        let at = Rect::new(rect.x + left, rect.y, rect.width - left - right, rect.height);
        self.canvas.text(&self.part.label, at, Face::Regular, TEXT_SIZE, Align::Left, ink);
    }

    fn checkbox(&mut self) {
        let rect = self.part.rect;
        let square = Rect::new(rect.x + 1.0, rect.y + rect.height / 2.0 - 11.0, 22.0, 22.0);
        let accent = self.ink(self.accent);
        if self.part.checked || self.part.mixed {
            self.canvas.fill(square, 5.0, accent);
            let (x, y) = (square.x, square.y);
            let tick = [(x + 5.0, y + 11.5), (x + 9.5, y + 16.0), (x + 17.0, y + 6.5)];
            let dash = [(x + 6.0, y + 11.0), (x + 16.0, y + 11.0)];
            self.canvas.line(if self.part.mixed { &dash } else { &tick }, 2.6, PAPER);
        } else {
            self.canvas.fill(square, 5.0, PAPER);
            let ink = self.ink(FAINT);
            self.canvas.outline(square, 5.0, 2.0, ink);
        }
        self.focus_ring(square, 5.0);
        self.label_beside(36.0, 0.0);
    }

    fn radio(&mut self) {
        let rect = self.part.rect;
        let (x, y) = (rect.x + 12.0, rect.y + rect.height / 2.0);
        let ink = if self.part.checked { self.ink(self.accent) } else { self.ink(FAINT) };
        self.canvas.disc(x, y, 11.0, PAPER);
        self.canvas.ring(x, y, 10.0, 2.0, ink);
        if self.part.checked {
            self.canvas.disc(x, y, 5.5, ink);
        }
        self.label_beside(36.0, 0.0);
    }

    fn switch(&mut self) {
        let rect = self.part.rect;
        let track = Rect::new(rect.right() - 50.0, rect.y + rect.height / 2.0 - 14.0, 48.0, 28.0);
        let ground = if self.part.checked { self.accent } else { Ink(0xb9, 0xbf, 0xc8, 1.0) };
        let ground = self.ink(ground);
        self.canvas.fill(track, 14.0, ground);
        let x = if self.part.checked { track.right() - 14.0 } else { track.x + 14.0 };
        self.canvas.disc(x, track.y + 15.0, 11.5, Ink(0, 0, 0, 0.15));
        self.canvas.disc(x, track.y + 14.0, 11.5, PAPER);
        self.label_beside(0.0, 60.0);
    }

    fn tab(&mut self) {
        let rect = self.part.rect;
        let (face, ink) = if self.part.selected { (Face::Bold, self.accent) } else { (Face::Regular, FAINT) };
        let ink = self.ink(ink);
        self.canvas.text(&self.part.label, inset(rect, 6.0), face, 15.0, Align::Centre, ink);
        let below = if self.part.selected {
            (Rect::new(rect.x, rect.bottom() - 3.0, rect.width, 3.0), ink)
        } else {
            (Rect::new(rect.x, rect.bottom() - 1.0, rect.width, 1.0), HAIR)
        };
        self.canvas.fill(below.0, 0.0, below.1);
    }

    fn row(&mut self, line: bool) {
        let rect = self.part.rect;
        if self.part.selected {
            self.canvas.fill(rect, 0.0, self.accent.faded(0.12));
        }
        if line {
            self.canvas.fill(Rect::new(rect.x + 14.0, rect.bottom() - 1.0, rect.width - 14.0, 1.0), 0.0, HAIR);
        }
        if self.part.has_children {
            return;
        }
        let (ink, faint) = (self.ink(TEXT), self.ink(FAINT));
        let inner = Rect::new(rect.x + 14.0, rect.y, rect.width - 44.0, rect.height);
        if self.part.description.is_empty() {
            self.canvas.text(&self.part.label, inner, Face::Regular, TEXT_SIZE, Align::Left, ink);
        } else {
            let middle = rect.y + rect.height / 2.0;
            let first = Rect::new(inner.x, middle - 22.0, inner.width, 22.0);
            let second = Rect::new(inner.x, middle + 1.0, inner.width, 18.0);
            self.canvas.text(&self.part.label, first, Face::Regular, TEXT_SIZE, Align::Left, ink);
            self.canvas.text(&self.part.description, second, Face::Regular, SMALL_SIZE, Align::Left, faint);
        }
        let (x, y) = (rect.right() - 18.0, rect.y + rect.height / 2.0);
        match self.part.expanded {
            Some(true) => self.canvas.line(&[(x - 5.0, y - 2.0), (x, y + 3.0), (x + 5.0, y - 2.0)], 1.8, faint),
            Some(false) => self.canvas.line(&[(x - 5.0, y + 2.0), (x, y - 3.0), (x + 5.0, y + 2.0)], 1.8, faint),
            None if line && self.part.reacts => {
                self.canvas.line(&[(x - 2.0, y - 5.0), (x + 3.0, y), (x - 2.0, y + 5.0)], 1.8, faint);
            }
            None => {}
        }
    }

    fn progress(&mut self) {
        let rect = self.part.rect;
        let done = self.part.value.parse::<f64>().unwrap_or(0.0).clamp(0.0, 100.0) / 100.0;
        let track = Rect::new(rect.x, rect.bottom() - 9.0, rect.width, 6.0);
        if !self.part.label.is_empty() {
            let above = Rect::new(rect.x, rect.y, rect.width, rect.height - 12.0);
            self.canvas.text(&self.part.label, above, Face::Regular, SMALL_SIZE, Align::Left, FAINT);
        }
        self.canvas.fill(track, 3.0, HAIR);
        self.canvas.fill(Rect { width: track.width * done, ..track }, 3.0, self.accent);
    }

    fn bar(&mut self) {
        let rect = self.part.rect;
        self.canvas.fill(rect, 0.0, PAPER);
        self.canvas.fill(Rect::new(rect.x, rect.bottom() - 1.0, rect.width, 1.0), 0.0, HAIR);
    }

    fn panel(&mut self, role: OverlayRole) {
        let rect = self.part.rect;
        let (radius, ground) = match role {
            OverlayRole::Region => (12.0, Ink(0xff, 0xf8, 0xe1, 1.0)),
            OverlayRole::Menu => (8.0, PAPER),
            OverlayRole::Dialog | OverlayRole::Alertdialog => (16.0, PAPER),
        };
        self.canvas.shadow(rect, radius, 22.0);
        self.canvas.fill(rect, radius, ground);
        if matches!(role, OverlayRole::Dialog | OverlayRole::Alertdialog) && !self.part.label.is_empty() {
            let title = Rect::new(rect.x + 20.0, rect.y + 16.0, rect.width - 40.0, PANEL_TITLE - 6.0);
            self.canvas.text(&self.part.label, title, Face::Bold, 18.0, Align::Left, TEXT);
        }
    }

    fn keyboard(&mut self) {
        let rect = self.part.rect;
        self.canvas.fill(rect, 0.0, Ink(0xcd, 0xd2, 0xd9, 1.0));
        let rows = ["qwertyuiop", "asdfghjkl", "⇧zxcvbnm⌫"];
        let top = rect.y + 46.0;
        let step = (rect.height - 54.0) / 4.0;
        for (down, letters) in rows.iter().enumerate() {
            let keys: Vec<String> = letters.chars().map(String::from).collect();
            let wide = (rect.width - 6.0) / 10.0;
            let left = rect.x + (rect.width - wide * keys.len() as f64) / 2.0;
            for (across, key) in keys.iter().enumerate() {
                self.key(key, Rect::new(left + wide * across as f64, top + step * down as f64, wide, step));
            }
        }
        let last = top + step * 3.0;
        self.key("123", Rect::new(rect.x + 3.0, last, rect.width * 0.2, step));
        self.key("", Rect::new(rect.x + rect.width * 0.2 + 3.0, last, rect.width * 0.56, step));
        self.key("↵", Rect::new(rect.x + rect.width * 0.77, last, rect.width * 0.22, step));
    }

    fn key(&mut self, letter: &str, cell: Rect) {
        let key = Rect::new(cell.x + 2.5, cell.y + 3.0, cell.width - 5.0, cell.height - 6.0);
        self.canvas.fill(Rect { y: key.y + 1.2, ..key }, 5.0, Ink(0, 0, 0, 0.25));
        self.canvas.fill(key, 5.0, PAPER);
        self.canvas.text(letter, key, Face::Regular, 17.0, Align::Centre, TEXT);
    }
}

/// The end of a text that is too long for a field, which is where the caret stands.
fn end_of(line: &str, most: f64) -> String {
    let mut filled = 0.0;
    let kept = line
        .char_indices()
        .rev()
        .take_while(|(_, letter)| {
            filled += text::width(Face::Regular, TEXT_SIZE, letter.encode_utf8(&mut [0; 4]));
            filled <= most
        })
        .last()
        .map_or(line.len(), |(at, _)| at);
    line.get(kept..).unwrap_or_default().to_owned()
}

fn inset(rect: Rect, by: f64) -> Rect {
    Rect::new(rect.x + by, rect.y, rect.width - 2.0 * by, rect.height)
}
