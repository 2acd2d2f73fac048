//! What is to be drawn: a copy of the display that needs no app any more, so that drawing can happen elsewhere.

use contract::{Point, Rect, Size};

use super::canvas::Canvas;
use super::widgets;
use crate::scene::{Frame, Scene};
use crate::script::spec::{Kind, OverlayRole, State};

/// The tallest picture of a whole screen, px: beyond, a PNG of twice that is too large to be looked at.
const TALLEST: f64 = 8000.0;

/// A display to draw.
#[derive(Debug)]
pub struct Sheet {
    /// Size, px.
    pub size: Size,
    /// Picture pixels to one px.
    pub scale: f64,
    /// Where the picture's top left corner lies in the viewport.
    pub origin: Point,
    /// Colour of buttons and switches.
    pub accent: [u8; 3],
    /// In drawing order.
    pub parts: Vec<Part>,
}

/// One element to draw.
#[derive(Debug)]
pub struct Part {
    /// What.
    pub kind: Kind,
    /// Its layer.
    pub layer: usize,
    /// Where.
    pub rect: Rect,
    /// What its containers leave of it.
    pub clip: Rect,
    /// What it says.
    pub label: String,
    /// What it holds.
    pub value: String,
    /// Its second line.
    pub description: String,
    /// What stands in an empty field.
    pub placeholder: String,
    /// Heading level.
    pub level: u8,
    /// It takes no input.
    pub disabled: bool,
    /// It has the focus.
    pub focused: bool,
    /// On.
    pub checked: bool,
    /// Partly on.
    pub mixed: bool,
    /// Chosen.
    pub selected: bool,
    /// Refused.
    pub invalid: bool,
    /// Must be filled in.
    pub required: bool,
    /// It cannot be changed.
    pub readonly: bool,
    /// Shows its content, can show it, or neither.
    pub expanded: Option<bool>,
    /// It does something with presses.
    pub reacts: bool,
    /// The ground below it is dimmed first.
    pub dims: bool,
    /// It lies in a native dialog or an overlay.
    pub in_panel: bool,
    /// A picture of an arrow instead of its label.
    pub back: bool,
    /// It has elements in it.
    pub has_children: bool,
    /// For containers that scroll: how far, of how much.
    pub scroll: Option<(f64, f64)>,
}

impl Sheet {
    /// The display as it is; `whole` shows all of the screen's content at once.
    pub fn of(scene: &Scene, whole: bool) -> Sheet {
        let mut frame = Frame::of(scene);
        let mut size = scene.viewport;
        let mut origin = Point { x: 0.0, y: 0.0 };
        let main = scene.app.screens.get(scene.screen).map(|screen| screen.main);
        let tall = main
            .and_then(|main| frame.item_of(main))
            .and_then(|place| frame.get(place))
            .map(|item| (item.room().1, item.scrolled.1));
        if let Some((room, scrolled)) = tall.filter(|_| whole) {
            size.height = (size.height + room).min(TALLEST);
            origin.y = -scrolled;
            frame = Frame::of_size(scene, size);
        }
        let back = scene.app.screens.get(scene.screen).and_then(|screen| screen.back);
        let parts = frame
            .drawn
            .iter()
            .filter_map(|place| frame.get(*place).map(|item| (*place, item)))
            .filter(|(_, item)| {
                let seen = item.seen().intersect(size.bounds());
                !seen.is_empty() && !scene.app.upwards(item.element).any(|up| scene.live(up).is(State::Invisible))
            })
            .filter_map(|(place, item)| {
                let element = scene.app.element(item.element)?;
                let live = scene.live(item.element);
                let layer = frame.layers.get(item.layer)?;
                let expands = live.is(State::Expanded) || live.is(State::Collapsed);
                let root = scene.app.upwards(item.element).last().map(|root| scene.app.kind(root));
                Some(Part {
                    kind: element.spec.kind(),
                    layer: item.layer,
                    rect: item.rect,
                    clip: item.clip,
                    label: scene.label(item.element),
                    value: if element.spec.kind().is_field() {
                        scene.field_value(item.element)
                    } else {
                        scene.value(item.element)
                    },
                    description: scene.text(&element.spec.description, element.row),
                    placeholder: element.spec.placeholder.clone(),
                    level: element.spec.level.unwrap_or(2),
                    disabled: scene.is_disabled(item.element),
                    focused: scene.focus == Some(item.element),
                    checked: live.is(State::Checked),
                    mixed: live.is(State::Mixed),
                    selected: live.is(State::Selected),
                    invalid: live.is(State::Invalid),
                    required: live.is(State::Required),
                    readonly: live.is(State::Readonly),
                    expanded: expands.then(|| live.is(State::Expanded)),
                    reacts: scene.takes_presses(item.element),
                    dims: layer.modal && layer.root == place,
                    in_panel: matches!(root, Some(Kind::Panel(OverlayRole::Dialog | OverlayRole::Alertdialog))),
                    back: Some(item.element) == back,
                    has_children: !element.children.is_empty(),
                    scroll: item
                        .content
                        .filter(|_| item.room().1 > 0.0)
                        .map(|content| (item.scrolled.1, content.height)),
                })
            })
            .collect();
        Sheet { size, scale: scene.app.scale, origin, accent: scene.app.accent, parts }
    }

    /// The picture as PNG.
    ///
    /// # Errors
    /// A display too large for a picture.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        self.draw()?.png()
    }

    /// The picture as pixels.
    ///
    /// # Errors
    /// As [`Sheet::png`].
    pub fn draw(&self) -> Result<Canvas, String> {
        let mut canvas = Canvas::new(self.size, self.scale)?;
        widgets::draw(&mut canvas, self);
        Ok(canvas)
    }
}
