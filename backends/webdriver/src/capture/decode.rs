//! The page agent's capture, decoded without a tree of JSON values in between.

use std::{borrow::Cow, fmt};

use contract::Rect;
use screen::{Cover, Extra, Node, NodeKey, Role, States};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};

/// A text that borrows from the reply where it has no escapes.
#[derive(Debug, Default, Clone)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// One capture of one document. Keys not listed here are for people.
#[derive(Debug, Deserialize)]
pub struct Captured<'a> {
    /// Token of the document.
    #[serde(borrow)]
    pub doc: Text<'a>,
    /// Address.
    #[serde(borrow)]
    pub url: Text<'a>,
    /// Title.
    #[serde(borrow)]
    pub title: Text<'a>,
    /// Width and height, px.
    pub viewport: [f64; 2],
    /// How far it is scrolled, and how far it can be: x, y, x, y, px.
    pub scroll: [f64; 4],
    /// Ended early: what follows is missing.
    pub truncated: bool,
    /// The nodes in document order.
    #[serde(borrow)]
    pub nodes: Vec<RawNode<'a>>,
    /// Frames of other origins: id, content box, scale.
    pub frames: Vec<RawFrame>,
}

/// A frame of another origin.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct RawFrame(pub u64, pub f64, pub f64, pub f64, pub f64, pub f64, pub f64);

/// One node, as the agent lists it.
#[derive(Debug, Default)]
pub struct RawNode<'a> {
    /// Number in its document.
    pub id: u64,
    /// Place of the parent, -1 for a root.
    pub parent: i64,
    role: Text<'a>,
    name: Text<'a>,
    value: Option<Text<'a>>,
    description: Text<'a>,
    identifier: Text<'a>,
    /// Box, px of the document's viewport.
    pub rect: [f64; 4],
    flags: u32,
    /// Number of the listed node that covers it, or 0.
    pub cover: u64,
    extra: Option<RawExtra<'a>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for RawNode<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NodeVisitor;
        impl<'de> Visitor<'de> for NodeVisitor {
            type Value = RawNode<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a node: [id, parent, role, ...]")
            }

            /// Trailing empty entries are left out.
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RawNode<'de>, A::Error> {
                let mut node = RawNode {
                    id: seq.next_element()?.unwrap_or_default(),
                    parent: seq.next_element()?.unwrap_or(-1),
                    role: seq.next_element()?.unwrap_or_default(),
                    ..RawNode::default()
                };
                let Some(name) = seq.next_element()? else { return Ok(node) };
                node.name = name;
                let Some(value) = seq.next_element()? else { return Ok(node) };
                node.value = value;
                node.description = seq.next_element()?.unwrap_or_default();
                node.identifier = seq.next_element()?.unwrap_or_default();
                for side in &mut node.rect {
                    *side = seq.next_element()?.unwrap_or_default();
                }
                node.flags = seq.next_element()?.unwrap_or_default();
                node.cover = seq.next_element()?.unwrap_or_default();
                node.extra = seq.next_element()?.unwrap_or_default();
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(node)
            }
        }
        deserializer.deserialize_seq(NodeVisitor)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawExtra<'a> {
    #[serde(borrow)]
    tag: Option<Text<'a>>,
    level: Option<f64>,
    #[serde(borrow)]
    href: Option<Text<'a>>,
    #[serde(borrow)]
    input_type: Option<Text<'a>>,
    #[serde(borrow)]
    placeholder: Option<Text<'a>>,
    #[serde(borrow)]
    options: Vec<RawOption<'a>>,
    hidden: Option<[f64; 4]>,
    #[serde(borrow)]
    cover: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
struct RawOption<'a>(#[serde(borrow)] Text<'a>, IgnoredAny, IgnoredAny, IgnoredAny);

impl RawNode<'_> {
    /// A frame whose content may have to be captured from inside.
    pub fn is_frame(&self) -> bool {
        self.role.0 == "iframe"
    }

    /// The node in the tree's words. `scope`: of its document. `place`: from the document's px to the top viewport's.
    pub fn into_node(self, scope: u64, place: Placement) -> Node {
        let states = states(self.flags);
        let role = Role::from_aria(&self.role.0, states.contains(States::MULTILINE));
        let extra = self.extra.unwrap_or_default();
        let [x, y, width, height] = self.rect;
        let mut node = Node::new(role, self.name.0, place.rect(Rect::new(x, y, width, height)));
        node.key = Some(NodeKey { scope, id: self.id });
        node.native_type = match extra.tag {
            Some(tag) => Some(tag.0.into()),
            None => (self.role.0 != node.role.as_str()).then(|| self.role.0.into()),
        };
        node.value = self.value.map(|value| value.0.into());
        node.identifier = filled(self.identifier);
        node.description = filled(self.description);
        node.states = states;
        node.cover = extra.cover.map(|words| Cover::Other(words.0.into()));
        if extra.level.is_some()
            || extra.href.is_some()
            || extra.hidden.is_some()
            || extra.placeholder.is_some()
            || extra.input_type.is_some()
            || !extra.options.is_empty()
        {
            node.extra = Some(Box::new(Extra {
                // A level is a small positive number, or the page's mistake.
                level: extra.level.filter(|level| (1.0..=255.0).contains(level)).map(|level| level as u8),
                href: extra.href.map(|text| text.0.into()),
                hidden: extra.hidden,
                placeholder: extra.placeholder.map(|text| text.0.into()),
                input_type: extra.input_type.map(|text| text.0.into()),
                options: extra.options.into_iter().map(|option| option.0.0.into()).collect(),
            }));
        }
        node
    }
}

fn filled(text: Text<'_>) -> Option<Box<str>> {
    (!text.0.is_empty()).then(|| text.0.into())
}

/// The agent's flags are the tree's bits but for one: its bit 24 says "covered", the tree's "was tried out", which
/// is also true of what is hittable.
pub fn states(flags: u32) -> States {
    let states = States::from_bits_truncate(flags);
    if states.contains(States::HITTABLE) { states | States::HIT_TESTED } else { states }
}

/// Where a frame's content lies in the top viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Left edge, px.
    pub x: f64,
    /// Top edge, px.
    pub y: f64,
    /// Px of the viewport to a px of the content, horizontally.
    pub scale_x: f64,
    /// The same vertically.
    pub scale_y: f64,
}

impl Placement {
    /// Of the top document.
    pub const TOP: Placement = Placement { x: 0.0, y: 0.0, scale_x: 1.0, scale_y: 1.0 };

    /// A box of the content in the top viewport.
    pub fn rect(self, rect: Rect) -> Rect {
        if self == Placement::TOP {
            return rect;
        }
        Rect::new(
            tenth(self.x + rect.x * self.scale_x),
            tenth(self.y + rect.y * self.scale_y),
            tenth(rect.width * self.scale_x),
            tenth(rect.height * self.scale_y),
        )
    }

    /// Where a frame inside this content lies.
    pub fn inside(self, frame: RawFrame) -> Placement {
        Placement {
            x: self.x + frame.1 * self.scale_x,
            y: self.y + frame.2 * self.scale_y,
            scale_x: self.scale_x * frame.5,
            scale_y: self.scale_y * frame.6,
        }
    }
}

fn tenth(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_read_by_place_and_missing_ends_are_empty() {
        let text = r#"{"doc":"d1","url":"http://a/","title":"T","viewport":[800,600],"scroll":[0,5,0,100],"truncated":false,"dpr":1,
            "nodes":[[1,-1,"document"],[2,0,"textbox","Na\"me","","hint","user",1,2.5,30,40,8429576],
            [3,0,"heading","H",null,"","",0,0,0,0,6144,0,{"level":2,"tag":"h2","hidden":[0,5,0,0],"new":1}],
            [4,0,"combobox","C","a","","",0,0,9,9,0,3,{"options":[["a","1",1,0],["b","2",0,0]]}]],
            "frames":[[9,10,20,300,200,0.5,0.5]]}"#;
        let captured: Captured<'_> = serde_json::from_str(text).unwrap();
        assert_eq!((captured.doc.0.as_ref(), captured.viewport), ("d1", [800.0, 600.0]));
        let frame = captured.frames[0];
        let nodes: Vec<Node> = captured.nodes.into_iter().map(|raw| raw.into_node(7, Placement::TOP)).collect();
        assert_eq!(nodes[0].role.as_str(), "document");
        assert_eq!(nodes[0].value, None);
        assert_eq!(nodes[1].role.as_str(), "text-field");
        assert_eq!((&*nodes[1].name, nodes[1].value.as_deref()), ("Na\"me", Some("")));
        assert_eq!((nodes[1].identifier.as_deref(), nodes[1].description.as_deref()), (Some("user"), Some("hint")));
        assert_eq!(nodes[1].rect, Rect::new(1.0, 2.5, 30.0, 40.0));
        assert!(nodes[1].is(States::HITTABLE | States::HIT_TESTED | States::EDITABLE | States::INTERACTIVE));
        assert_eq!((nodes[2].extra().level, nodes[2].extra().hidden), (Some(2), Some([0.0, 5.0, 0.0, 0.0])));
        assert_eq!(nodes[2].native_type.as_deref(), Some("h2"));
        assert_eq!(nodes[3].extra().options.len(), 2);
        assert_eq!(nodes[3].key, Some(NodeKey { scope: 7, id: 4 }));
        let inner = Placement::TOP.inside(frame);
        assert_eq!(inner.rect(Rect::new(10.0, 10.0, 20.0, 20.0)), Rect::new(15.0, 25.0, 10.0, 10.0));
    }

    #[test]
    fn what_is_covered_was_tried_out_and_is_not_hittable() {
        let covered = states(1 << 24);
        assert!(covered.contains(States::HIT_TESTED) && !covered.contains(States::HITTABLE));
        assert_eq!(states(0), States::empty());
    }
}
