//! From attributes to typed facts of nodes and windows. Nothing is judged here.
//!
//! An attribute that is missing is a fact that is not known: `hint-showing`, `editable`, `selected`, `visible-to-user`
//! and others are not sent by every helper. Those that helpers send only where they hold are the exception, and which
//! these are is said by [`Facts::SENT_IF_TRUE`]. Attributes that nobody knows are passed over.

use std::borrow::Cow;

use super::xml::{Broken, Part, Reader, Tag, decode};

/// A capture with more windows is none: a phone shows some ten, and each is held against all others.
const MOST_WINDOWS: usize = 500;

bitflags::bitflags! {
    /// What is true or false of a node or window.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Facts: u32 {
        /// Takes a tap.
        const CLICKABLE = 1;
        /// Takes a long press.
        const LONG_CLICKABLE = 1 << 1;
        /// Takes input.
        const ENABLED = 1 << 2;
        /// Can have the input focus.
        const FOCUSABLE = 1 << 3;
        /// Has the input focus.
        const FOCUSED = 1 << 4;
        /// Chosen among others.
        const SELECTED = 1 << 5;
        /// Its content moves.
        const SCROLLABLE = 1 << 6;
        /// There is more below or to the right.
        const CAN_SCROLL_FORWARD = 1 << 7;
        /// There is more above or to the left.
        const CAN_SCROLL_BACKWARD = 1 << 8;
        /// Hides what is typed.
        const PASSWORD = 1 << 9;
        /// Takes text.
        const EDITABLE = 1 << 10;
        /// The text that is shown is the hint of an empty field.
        const HINT_SHOWING = 1 << 11;
        /// The platform says that part of it can be seen, what lies over it left aside.
        const VISIBLE_TO_USER = 1 << 12;
        /// On. Known only of what can be on or off.
        const CHECKED = 1 << 13;
        /// A heading.
        const HEADING = 1 << 14;
        /// Of a window: it was touched or has the accessibility focus.
        const WINDOW_ACTIVE = 1 << 15;
        /// Of a window: it has the input focus.
        const WINDOW_FOCUSED = 1 << 16;
        /// Partly on. Comes with `CHECKED` being false.
        const PARTLY_CHECKED = 1 << 17;

        /// Helpers leave these out where they are false.
        const SENT_IF_TRUE = Self::CLICKABLE.bits()
            | Self::LONG_CLICKABLE.bits()
            | Self::FOCUSABLE.bits()
            | Self::FOCUSED.bits()
            | Self::SCROLLABLE.bits()
            | Self::HEADING.bits();
    }
}

/// Left, top, right, bottom, px of the display. As sent: right may lie before left.
pub type Edges = [i32; 4];

/// One node as it was sent.
#[derive(Debug, Clone, Default)]
pub struct RawNode<'a> {
    /// Place of the parent; `None` for the root of a window.
    pub parent: Option<usize>,
    /// Place after the last node below it.
    pub end: usize,
    /// Place of its window.
    pub window: usize,
    known: Facts,
    holds: Facts,
    /// What it shows.
    pub text: Option<Cow<'a, str>>,
    /// What it is said to be, for those who do not see it.
    pub content_desc: Option<Cow<'a, str>>,
    /// Full: `package:id/name`, or a test id that an app sets itself.
    pub resource_id: Option<Cow<'a, str>>,
    /// Of the view, or the one that it stands for.
    pub class: Cow<'a, str>,
    /// The app that it belongs to.
    pub package: Option<Cow<'a, str>>,
    /// What an app calls its role, in the device's language.
    pub role_description: Option<Cow<'a, str>>,
    /// The hint of a field, whether it is shown or not.
    pub placeholder: Option<Cow<'a, str>>,
    /// Title of a part of the screen.
    pub pane_title: Option<Cow<'a, str>>,
    /// `window:hash`, from helpers that number their nodes.
    pub node_key: Option<&'a str>,
    /// Its box.
    pub bounds: Option<Edges>,
    /// Among its siblings, later is on top. From API 24 on.
    pub drawing_order: Option<i32>,
}

impl RawNode<'_> {
    /// It is known that all of `facts` hold.
    pub const fn is(&self, facts: Facts) -> bool {
        self.holds.contains(facts)
    }

    /// Any of `facts` is known to hold.
    pub const fn any(&self, facts: Facts) -> bool {
        self.holds.intersects(facts)
    }

    /// Whether `fact` holds; `None` where the helper did not say.
    pub const fn fact(&self, fact: Facts) -> Option<bool> {
        if self.known.contains(fact) || Facts::SENT_IF_TRUE.contains(fact) { Some(self.is(fact)) } else { None }
    }

    /// The class without its package: `Button`, of a class in a class the inner one.
    pub fn simple_class(&self) -> &str {
        self.class.rsplit(['.', '$']).next().unwrap_or_default()
    }

    /// The identifier's part after `:id/`, where it has one.
    pub fn short_id(&self) -> Option<&str> {
        self.resource_id.as_deref().and_then(|id| id.split_once(":id/")).map(|(_, name)| name)
    }
}

/// One window as it was sent, its root apart.
#[derive(Debug, Clone, Default)]
pub struct RawWindow {
    /// Place of its root.
    pub root: usize,
    /// The platform's number of it, from helpers that send it.
    pub id: Option<i64>,
    /// 1 application, 2 input method, 3 system, 4 accessibility overlay, 5 divider of a split screen.
    pub kind: Option<i32>,
    /// Higher is on top.
    pub layer: Option<i32>,
    /// Its box.
    pub bounds: Option<Edges>,
    /// It was touched or has the accessibility focus.
    pub active: Option<bool>,
    /// It has the input focus.
    pub focused: Option<bool>,
}

/// A whole capture as it was sent: windows in the helper's order, nodes in document order.
#[derive(Debug, Clone, Default)]
pub struct Raw<'a> {
    /// The windows.
    pub windows: Vec<RawWindow>,
    /// The nodes of all windows.
    pub nodes: Vec<RawNode<'a>>,
}

impl<'a> Raw<'a> {
    /// The nodes of a window, with their places.
    pub fn of_window(&self, window: &RawWindow) -> impl Iterator<Item = (usize, &RawNode<'a>)> + use<'_, 'a> {
        let end = self.nodes.get(window.root).map_or(window.root, |root| root.end);
        (window.root..).zip(self.nodes.get(window.root..end).unwrap_or_default())
    }

    /// The nodes directly below one.
    pub fn children(&self, place: usize) -> impl Iterator<Item = usize> + use<'_, 'a> {
        let end = self.nodes.get(place).map_or(place, |node| node.end);
        let first = Some(place + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| {
            self.nodes.get(*child).map(|node| node.end).filter(|next| *next < end)
        })
    }
}

/// Reads a document.
pub fn parse(text: &str) -> Result<Raw<'_>, Broken> {
    let mut reader = Reader::new(text);
    // About one node per 350 bytes.
    let mut raw = Raw { windows: Vec::new(), nodes: Vec::with_capacity(text.len() / 350) };
    // Open elements, each with its own place (what is no node has none) and that of the nearest node at or around it.
    let mut open: Vec<(&str, Option<usize>, Option<usize>)> = Vec::new();
    let mut has_hierarchy = false;
    loop {
        match reader.tag()? {
            Tag::End => break,
            Tag::Close(name) => match open.pop() {
                Some((opened, place, _)) if opened == name => close(&mut raw, place),
                _ => return Err(Broken { at: reader.at(), why: "closes an element that is not open" }),
            },
            Tag::Open("node") => {
                let parent = open.last().and_then(|(.., nearest)| *nearest);
                if parent.is_none() && raw.windows.len() == MOST_WINDOWS {
                    return Err(Broken { at: reader.at(), why: "has more windows than any device shows" });
                }
                let place = raw.nodes.len();
                let has_content = node(&mut reader, &mut raw, parent)?;
                if has_content {
                    open.push(("node", Some(place), Some(place)));
                }
            }
            Tag::Open(name) => {
                has_hierarchy |= name == "hierarchy";
                if pass_over(&mut reader)? {
                    let nearest = open.last().and_then(|(.., nearest)| *nearest);
                    open.push((name, None, nearest));
                }
            }
        }
    }
    if !open.is_empty() {
        return Err(Broken { at: text.len(), why: "ends before its elements do" });
    }
    if !has_hierarchy {
        return Err(Broken { at: text.len(), why: "holds no hierarchy" });
    }
    Ok(raw)
}

fn close(raw: &mut Raw<'_>, place: Option<usize>) {
    let end = raw.nodes.len();
    if let Some(node) = place.and_then(|place| raw.nodes.get_mut(place)) {
        node.end = end;
    }
}

/// Reads past the attributes of an element; whether it has content.
fn pass_over(reader: &mut Reader<'_>) -> Result<bool, Broken> {
    loop {
        match reader.part()? {
            Part::Attribute(..) => {}
            Part::Content => return Ok(true),
            Part::Empty => return Ok(false),
        }
    }
}

/// Appends a node, and a window where it has no parent; whether it has content.
fn node<'a>(reader: &mut Reader<'a>, raw: &mut Raw<'a>, parent: Option<usize>) -> Result<bool, Broken> {
    let place = raw.nodes.len();
    let window = match parent.and_then(|parent| raw.nodes.get(parent)) {
        Some(parent) => parent.window,
        None => raw.windows.len(),
    };
    let mut node = RawNode { parent, end: place + 1, window, ..RawNode::default() };
    let mut facts = RawWindow { root: place, ..RawWindow::default() };
    let has_content = loop {
        match reader.part()? {
            Part::Attribute(name, value) => attribute(&mut node, &mut facts, name, value),
            Part::Content => break true,
            Part::Empty => break false,
        }
    };
    if parent.is_none() {
        facts.active = node.fact(Facts::WINDOW_ACTIVE);
        facts.focused = node.fact(Facts::WINDOW_FOCUSED);
        raw.windows.push(facts);
    }
    raw.nodes.push(node);
    Ok(has_content)
}

fn attribute<'a>(node: &mut RawNode<'a>, window: &mut RawWindow, name: &str, value: &'a str) {
    let mut fact = |fact: Facts| {
        let holds = value == "true";
        if holds || value == "false" {
            node.known |= fact;
            node.holds.set(fact, holds);
        }
    };
    match name {
        "clickable" => fact(Facts::CLICKABLE),
        "long-clickable" => fact(Facts::LONG_CLICKABLE),
        "enabled" => fact(Facts::ENABLED),
        "focusable" => fact(Facts::FOCUSABLE),
        "focused" => fact(Facts::FOCUSED),
        "selected" => fact(Facts::SELECTED),
        "scrollable" => fact(Facts::SCROLLABLE),
        "can-scroll-forward" => fact(Facts::CAN_SCROLL_FORWARD),
        "can-scroll-backward" => fact(Facts::CAN_SCROLL_BACKWARD),
        "password" => fact(Facts::PASSWORD),
        "editable" => fact(Facts::EDITABLE),
        "hint-showing" => fact(Facts::HINT_SHOWING),
        "visible-to-user" => fact(Facts::VISIBLE_TO_USER),
        "checked" if matches!(value, "partial" | "mixed") => {
            node.known |= Facts::CHECKED | Facts::PARTLY_CHECKED;
            node.holds |= Facts::PARTLY_CHECKED;
        }
        "checked" => fact(Facts::CHECKED),
        "heading" => fact(Facts::HEADING),
        "text" => node.text = Some(decode(value)),
        "content-desc" => node.content_desc = Some(decode(value)),
        "resource-id" => node.resource_id = Some(decode(value)),
        "class" => node.class = decode(value),
        "package" => node.package = Some(decode(value)),
        "roleDescription" => node.role_description = Some(decode(value)),
        "placeholder" => node.placeholder = Some(decode(value)),
        "pane-title" => node.pane_title = Some(decode(value)),
        "node-key" => node.node_key = Some(value),
        "bounds" => node.bounds = edges(value),
        "drawing-order" => node.drawing_order = value.parse().ok(),
        "window-id" => window.id = value.parse().ok(),
        "window-type" => window.kind = value.parse().ok(),
        "window-layer" => window.layer = value.parse().ok(),
        "window-bounds" => window.bounds = edges(value),
        "window-active" => fact(Facts::WINDOW_ACTIVE),
        "window-focused" => fact(Facts::WINDOW_FOCUSED),
        // index and window-index follow from the document; selection, rotation and what is yet to come say nothing here.
        _ => {}
    }
}

/// `[l,t][r,b]`. Numbers beyond 32 bits are cut to them.
fn edges(text: &str) -> Option<Edges> {
    let (left_top, right_bottom) = text.strip_prefix('[')?.strip_suffix(']')?.split_once("][")?;
    let (left, top) = left_top.split_once(',')?;
    let (right, bottom) = right_bottom.split_once(',')?;
    Some([number(left)?, number(top)?, number(right)?, number(bottom)?])
}

fn number(text: &str) -> Option<i32> {
    let number: i64 = text.trim().parse().ok()?;
    i32::try_from(number.clamp(i32::MIN.into(), i32::MAX.into())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_fact_that_is_not_sent_is_not_known_unless_it_is_sent_only_where_it_holds() {
        let raw = parse(r#"<hierarchy><node enabled="true" selected="maybe" checked="false"/></hierarchy>"#).unwrap();
        let node = &raw.nodes[0];
        assert_eq!(node.fact(Facts::ENABLED), Some(true));
        assert_eq!(node.fact(Facts::SELECTED), None);
        assert_eq!(node.fact(Facts::CHECKED), Some(false));
        assert_eq!(node.fact(Facts::HINT_SHOWING), None);
        assert_eq!(node.fact(Facts::CLICKABLE), Some(false));
        assert_eq!((node.text.as_deref(), &*node.class, node.bounds), (None, "", None));
    }

    #[test]
    fn nodes_know_their_window_and_where_they_end() {
        let raw = parse(
            "<hierarchy><node window-id='7' window-type='3'><node/><x><node><node/></node></x></node><node/></hierarchy>",
        )
        .unwrap();
        let shape: Vec<_> = raw.nodes.iter().map(|node| (node.parent, node.end, node.window)).collect();
        assert_eq!(shape, [(None, 4, 0), (Some(0), 2, 0), (Some(0), 4, 0), (Some(2), 4, 0), (None, 5, 1)]);
        assert_eq!(raw.children(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((raw.windows[0].id, raw.windows[0].kind, raw.windows[1].root), (Some(7), Some(3), 4));
    }

    #[test]
    fn boxes_are_read_as_they_were_sent() {
        assert_eq!(edges("[-540,2600][-1080,2300]"), Some([-540, 2600, -1080, 2300]));
        assert_eq!(edges("[0,0][99999999999,1]"), Some([0, 0, i32::MAX, 1]));
        for wrong in ["", "[1,2]", "[1,2][3]", "[a,2][3,4]", "1,2,3,4"] {
            assert_eq!(edges(wrong), None);
        }
    }

    #[test]
    fn what_is_cut_off_or_no_capture_is_broken() {
        let whole = r#"<hierarchy rotation="0"><node text="a"><node /></node></hierarchy>"#;
        assert!(parse(whole).is_ok());
        for length in 0..whole.len() {
            assert!(parse(&whole[..length]).is_err(), "{}", &whole[..length]);
        }
        assert_eq!(parse("").unwrap_err().why, "holds no hierarchy");
        assert_eq!(parse("<hierarchy></node></hierarchy>").unwrap_err().why, "closes an element that is not open");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "(<hierarchy>|</hierarchy>|<node|</node>| text=\"|\"|/>|>| bounds=\"\\[1,2\\]\\[3,4\\]\"|=|&#|\\PC){0,40}",
        ) {
            if let Ok(raw) = parse(&text) {
                for (place, node) in raw.nodes.iter().enumerate() {
                    prop_assert!(node.end > place && node.end <= raw.nodes.len());
                    prop_assert!(node.parent.is_none_or(|parent| parent < place && raw.nodes[parent].end >= node.end));
                }
            }
        }
    }

    #[test]
    fn no_device_shows_so_many_windows() {
        let windows = |count: usize| format!("<hierarchy>{}</hierarchy>", "<node class=\"a\"/>".repeat(count));
        assert_eq!(parse(&windows(MOST_WINDOWS)).unwrap().windows.len(), MOST_WINDOWS);
        assert!(parse(&windows(MOST_WINDOWS + 1)).unwrap_err().why.contains("windows"));
    }
}
