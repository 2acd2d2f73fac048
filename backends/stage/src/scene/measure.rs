//! How large an element is.

use super::Scene;
use crate::paint::text::{self, Face};
use crate::script::Index;
use crate::script::spec::{ElementSpec, Kind, OverlayRole};

/// Height of the title bar, px (Material's and iOS's bars are 56 and 44).
pub const BAR_HEIGHT: f64 = 56.0;
/// Font size of ordinary text, px.
pub const TEXT_SIZE: f64 = 16.0;
/// Distance of two lines of ordinary text, px.
pub const LINE: f64 = 22.0;
/// Font size of a second line, px.
pub const SMALL_SIZE: f64 = 13.0;
/// Room that a panel's own title takes, px.
pub const PANEL_TITLE: f64 = 34.0;

/// Font size of a heading of some level, px.
pub const fn heading_size(level: u8) -> f64 {
    match level {
        0 | 1 => 22.0,
        2 => 19.0,
        _ => 17.0,
    }
}

/// Space around the children of an element.
pub fn padding(spec: &ElementSpec) -> f64 {
    spec.padding.unwrap_or(match spec.kind() {
        Kind::Listitem => 12.0,
        _ => 0.0,
    })
}

/// Space between the children of an element.
pub fn gap(spec: &ElementSpec) -> f64 {
    spec.gap.unwrap_or(match spec.kind() {
        Kind::List | Kind::Tablist | Kind::Listitem => 0.0,
        _ => 12.0,
    })
}

/// Room above the children that the element's own label takes.
pub fn heading_room(scene: &Scene, index: Index) -> f64 {
    match scene.app.kind(index) {
        Kind::Panel(OverlayRole::Dialog | OverlayRole::Alertdialog) if !scene.label(index).is_empty() => PANEL_TITLE,
        _ => 0.0,
    }
}

/// The height of an element that is `width` wide.
pub fn height(scene: &Scene, index: Index, width: f64) -> f64 {
    let Some(element) = scene.app.element(index) else { return 0.0 };
    let spec = &element.spec;
    if let Some(height) = spec.height.or(spec.rect.map(|rect| rect.height)) {
        return height;
    }
    let kind = spec.kind();
    if kind.is_container() && !element.children.is_empty() {
        return content(scene, index, width).1;
    }
    match kind {
        Kind::Button => 48.0,
        Kind::TextField | Kind::Search => 56.0,
        Kind::TextView => 112.0,
        Kind::Checkbox | Kind::Switch | Kind::Radio => 44.0,
        Kind::Tab | Kind::Menuitem => 44.0,
        Kind::Listitem if spec.description.is_empty() => 52.0,
        Kind::Listitem => 64.0,
        Kind::Link => 28.0,
        Kind::Separator => 1.0,
        Kind::Image => 140.0,
        Kind::Progressbar if spec.label.is_empty() => 12.0,
        Kind::Progressbar => 34.0,
        Kind::Heading => heading_size(spec.level.unwrap_or(2)) + 10.0,
        Kind::Text => lines(scene, index, width) * LINE,
        Kind::Status | Kind::Alert => lines(scene, index, width - 24.0) * LINE + 16.0,
        _ => 0.0,
    }
}

/// The size of what an element contains, padding included: width where its children stand side by side, and height.
pub fn content(scene: &Scene, index: Index, width: f64) -> (f64, f64) {
    let Some(element) = scene.app.element(index) else { return (0.0, 0.0) };
    let (pad, gap) = (padding(&element.spec), gap(&element.spec));
    let top = heading_room(scene, index);
    let inner = (width - 2.0 * pad).max(0.0);
    let flow: Vec<Index> =
        element.children.iter().copied().filter(|child| scene.is_there(*child) && !is_placed(scene, *child)).collect();
    let gaps = gap * flow.len().saturating_sub(1) as f64;
    let (mut across, mut down) = (0.0_f64, 0.0_f64);
    if is_row(&element.spec) {
        let widths = row_widths(scene, &element.spec, &flow, inner);
        across = widths.iter().sum::<f64>() + gaps;
        for (child, width) in flow.iter().zip(&widths) {
            down = down.max(height(scene, *child, *width));
        }
    } else {
        for child in &flow {
            down += height(scene, *child, own_width(scene, *child).unwrap_or(inner));
        }
        down += gaps;
    }
    for rect in element
        .children
        .iter()
        .filter(|child| scene.is_there(**child))
        .filter_map(|child| scene.app.element(*child).and_then(|child| child.spec.rect))
    {
        across = across.max(rect.x + rect.width);
        down = down.max(rect.y + rect.height);
    }
    (across + 2.0 * pad, top + down + 2.0 * pad)
}

/// Children stand side by side.
pub fn is_row(spec: &ElementSpec) -> bool {
    spec.row || spec.kind() == Kind::Tablist
}

/// It has a place of its own, outside the flow.
pub fn is_placed(scene: &Scene, index: Index) -> bool {
    scene.app.element(index).is_some_and(|element| element.spec.rect.is_some())
}

/// The width that the file gives an element.
pub fn own_width(scene: &Scene, index: Index) -> Option<f64> {
    scene.app.element(index).and_then(|element| element.spec.width)
}

/// The widths of children side by side: their own, and equal shares of what is left. In a scroll container nothing is
/// shared out: there they are as wide as they want to be.
pub fn row_widths(scene: &Scene, spec: &ElementSpec, flow: &[Index], inner: f64) -> Vec<f64> {
    let gaps = gap(spec) * flow.len().saturating_sub(1) as f64;
    let own: Vec<Option<f64>> = flow
        .iter()
        .map(|child| own_width(scene, *child).or_else(|| spec.kind().scrolls().then(|| natural_width(scene, *child))))
        .collect();
    let taken: f64 = own.iter().flatten().sum();
    let sharing = own.iter().filter(|width| width.is_none()).count().max(1) as f64;
    let share = ((inner - gaps - taken) / sharing).max(0.0);
    own.into_iter().map(|width| width.unwrap_or(share)).collect()
}

fn natural_width(scene: &Scene, index: Index) -> f64 {
    text::width(Face::Regular, TEXT_SIZE, &scene.label(index)) + 32.0
}

fn lines(scene: &Scene, index: Index, width: f64) -> f64 {
    text::wrap(Face::Regular, TEXT_SIZE, &scene.label(index), width).len().max(1) as f64
}
