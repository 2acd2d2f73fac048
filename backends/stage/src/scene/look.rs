//! A capture, and everything else that can be read.

use contract::{Rect, Size};
use screen::{Cover, Extra, Node, NodeKey, Role, States, Tree, TreeBuilder};
use serde_json::{Value, json};

use super::hit::Contacts;
use super::{Frame, Item, Scene};
use crate::script::Index;
use crate::script::spec::{Kind, OverlayRole, State};

/// The number of the node that stands for the whole app; elements are numbered from 1.
const APP_NODE: u64 = 0;
/// Generations are kept in the upper half of a node's number.
const GENERATION_SHIFT: u32 = 32;

/// The normalised role of an element.
pub const fn role_of(kind: Kind) -> Role {
    Role::of(match kind {
        Kind::Button => "button",
        Kind::Link => "link",
        Kind::Text => "text",
        Kind::Heading => "heading",
        Kind::Image => "image",
        Kind::TextField => "text-field",
        Kind::TextView => "text-view",
        Kind::Search => "search-field",
        Kind::Checkbox => "checkbox",
        Kind::Switch => "switch",
        Kind::Radio => "radio",
        Kind::Tab => "tab",
        Kind::Menuitem => "menuitem",
        Kind::Listitem => "listitem",
        Kind::List => "list",
        Kind::Scroll | Kind::Group | Kind::Keyboard => "group",
        Kind::Form => "form",
        Kind::Tablist => "tablist",
        Kind::Separator => "separator",
        Kind::Status => "status",
        Kind::Alert => "alert",
        Kind::Progressbar => "progressbar",
        Kind::Window => "application",
        Kind::Bar => "banner",
        Kind::Main => "main",
        Kind::Panel(OverlayRole::Dialog) => "dialog",
        Kind::Panel(OverlayRole::Alertdialog) => "alertdialog",
        Kind::Panel(OverlayRole::Region) => "region",
        Kind::Panel(OverlayRole::Menu) => "menu",
    })
}

const fn native_type(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Scroll => Some("scroll"),
        Kind::Keyboard => Some("keyboard"),
        _ => None,
    }
}

impl Scene {
    /// The identity of an element.
    pub fn key_of(&self, index: Index) -> NodeKey {
        let generation = u64::from(self.live(index).generation);
        NodeKey { scope: self.instance, id: (index as u64 + 1) | (generation << GENERATION_SHIFT) }
    }

    /// The element of an identity, if it is one of this app instance's and still the same thing.
    pub fn index_of(&self, key: NodeKey) -> Option<Index> {
        let index = (key.id & u64::from(u32::MAX)).checked_sub(1).and_then(|index| usize::try_from(index).ok())?;
        (index < self.app.elements.len() && self.key_of(index) == key).then_some(index)
    }

    /// The screen as a tree of at most `most` nodes.
    pub fn capture(&self, most: u32) -> Tree {
        let frame = Frame::of(self);
        let contacts = Contacts::of(self, &frame);
        let mut builder = TreeBuilder::new(self.viewport);
        let mut app = Node::new(role_of(Kind::Window), self.app.title.clone(), self.viewport.bounds());
        app.key = Some(NodeKey { scope: self.instance, id: APP_NODE });
        app.identifier = Some(self.app.id.as_str().into());
        app.states = States::VISIBLE | States::RENDERED;
        let root = builder.push(None, app);
        let room = (most.max(1) - 1) as usize;
        let mut places: Vec<Option<u32>> = Vec::with_capacity(frame.items.len().min(room));
        for (at, item) in frame.items.iter().enumerate().take(room) {
            let parent = item.parent.and_then(|parent| places.get(parent).copied().flatten()).unwrap_or(root);
            places.push(Some(builder.push(Some(parent), self.node(&frame, at, item))));
        }
        self.test_hits(&frame, &contacts, &places, &mut builder);
        let total = u32::try_from(frame.items.len() + 1).unwrap_or(u32::MAX);
        let tree = builder.tree_mut();
        tree.title =
            self.app.screens.get(self.screen).map(|screen| screen.title.clone()).filter(|title| !title.is_empty());
        tree.app = Some(self.app.id.clone());
        tree.total = total;
        if frame.items.len() > room {
            tree.truncated = true;
            tree.warnings.push(format!("the screen has {total} nodes; this capture holds the first {most}"));
        }
        builder.finish()
    }

    fn test_hits(&self, frame: &Frame, contacts: &Contacts<'_>, places: &[Option<u32>], builder: &mut TreeBuilder) {
        let display = self.viewport.bounds();
        for (at, item) in frame.items.iter().enumerate() {
            let Some(place) = places.get(at).copied().flatten() else { continue };
            let seen = item.seen().intersect(display);
            if seen.is_empty() || self.live(item.element).is(State::Invisible) {
                continue;
            }
            let point = seen.centre();
            let reached = contacts.reaches(point, at);
            let covering = if reached { None } else { contacts.in_the_way(point, at) };
            let cover = covering.map(|by| match places.get(by).copied().flatten() {
                Some(by) => Cover::Node(by),
                None => Cover::Other(frame.get(by).map(|by| self.describe(by.element)).unwrap_or_default().into()),
            });
            if let Some(node) = builder.node_mut(place) {
                node.states |= States::HIT_TESTED;
                node.states.set(States::HITTABLE, reached);
                node.cover = cover;
            }
        }
    }

    /// One element as a node.
    pub fn node(&self, frame: &Frame, at: usize, item: &Item) -> Node {
        let index = item.element;
        let kind = self.app.kind(index);
        let mut node = Node::new(role_of(kind), self.label(index), item.rect);
        node.key = Some(self.key_of(index));
        let is_overlay = self.app.overlays.iter().any(|overlay| overlay.root == item.element);
        node.native_type = if is_overlay { Some("overlay") } else { native_type(kind) }.map(Into::into);
        node.states = self.states(frame, at, item);
        let Some(element) = self.app.element(index) else { return node };
        let spec = &element.spec;
        node.identifier = element.id.as_deref().map(Into::into);
        if !spec.description.is_empty() {
            node.description = Some(self.text(&spec.description, element.row).into());
        }
        if kind.is_field() {
            node.value = Some(self.field_value(index).into());
        } else if kind == Kind::Progressbar {
            node.value = Some(format!("{}%", self.value(index)).into());
        }
        let hidden =
            item.content.map(|content| hidden_around(item, content)).filter(|sides| sides.iter().any(|px| *px > 0.0));
        let level = spec.level.or((kind == Kind::Heading).then_some(2));
        if hidden.is_some() || level.is_some() || !spec.placeholder.is_empty() {
            node.extra = Some(Box::new(Extra {
                level,
                hidden,
                placeholder: (!spec.placeholder.is_empty()).then(|| spec.placeholder.as_str().into()),
                ..Extra::default()
            }));
        }
        node
    }

    /// What a field shows: a mask where it hides what it holds.
    pub fn field_value(&self, index: Index) -> String {
        let value = self.value(index);
        let masked = self.app.element(index).is_some_and(|element| element.spec.mask);
        if masked { "•".repeat(value.chars().count()) } else { value }
    }

    fn states(&self, frame: &Frame, at: usize, item: &Item) -> States {
        let index = item.element;
        let live = self.live(index);
        let kind = self.app.kind(index);
        let spec = self.app.element(index).map(|element| element.spec.clone());
        let drawn = !self.app.upwards(index).any(|up| self.live(up).is(State::Invisible)) && !item.rect.is_empty();
        let seen = drawn && !item.seen().intersect(self.viewport.bounds()).is_empty();
        let reacts = self.takes_presses(index);
        let expands = live.is(State::Expanded) || live.is(State::Collapsed);
        let modal = frame.layers.get(item.layer).is_some_and(|layer| layer.modal && layer.root == at);
        let room = item.room();
        let mut states = States::empty();
        for (bit, on) in [
            (States::DISABLED, self.is_disabled(index)),
            (States::SELECTED, live.is(State::Selected)),
            (States::FOCUSED, self.focus == Some(index)),
            (States::EDITABLE, kind.is_field() && !live.is(State::Readonly)),
            (States::SCROLLABLE, room.0 > 0.0 || room.1 > 0.0),
            (States::CHECKED, live.is(State::Checked)),
            (States::MIXED, live.is(State::Mixed)),
            (States::CHECKABLE, kind.is_checkable() || live.is(State::Checked)),
            (States::EXPANDED, live.is(State::Expanded)),
            (States::EXPANDABLE, expands),
            (States::PASSWORD, spec.as_ref().is_some_and(|spec| spec.mask)),
            (States::RENDERED, drawn),
            (States::VISIBLE, seen),
            (States::INTERACTIVE, reacts),
            (States::CLICKABLE, reacts && !kind.is_interactive()),
            (States::REQUIRED, live.is(State::Required)),
            (States::READONLY, live.is(State::Readonly)),
            (States::INVALID, live.is(State::Invalid)),
            (States::MULTILINE, kind == Kind::TextView),
            (States::INERT, self.is_inert(index)),
            (States::PRESS_THROUGH, live.is(State::PressThrough)),
            (States::MODAL, modal),
        ] {
            states.set(bit, on);
        }
        states
    }

    /// What was counted for an element, and facts that a capture has no place for.
    pub fn attributes(&self, index: Index) -> Value {
        let effects = self.probe.effects(&self.app.name_of(index));
        let mut facts = serde_json::to_value(effects).unwrap_or_else(|_| json!({}));
        if let (Value::Object(map), Some(element)) = (&mut facts, self.app.element(index)) {
            if let Some(row) = element.row {
                map.insert("row".into(), row.into());
            }
            map.insert(
                "states".into(),
                json!(self.live(index).states.iter().map(|state| format!("{state:?}")).collect::<Vec<_>>()),
            );
            map.insert("z".into(), element.spec.z.into());
        }
        facts
    }

    /// The text of an element: its own, else that of everything in it, one line each.
    pub fn text_of(&self, index: Index) -> String {
        let kind = self.app.kind(index);
        let own = if kind.is_field() { self.field_value(index) } else { self.label(index) };
        let app = self.app.clone();
        let Some(element) = app.element(index) else { return own };
        let mut parts = vec![own];
        if !element.spec.description.is_empty() {
            parts.push(self.text(&element.spec.description, element.row));
        }
        parts.extend(element.children.iter().filter(|child| self.is_there(**child)).map(|child| self.text_of(*child)));
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }
}

/// Content hidden above, below, left and right, px.
fn hidden_around(item: &Item, content: Size) -> [f64; 4] {
    let Rect { width, height, .. } = item.rect;
    [
        item.scrolled.1,
        (content.height - height - item.scrolled.1).max(0.0),
        item.scrolled.0,
        (content.width - width - item.scrolled.0).max(0.0),
    ]
}
