//! Selectors: naming a node by what it is.
//!
//! ```text
//! selector    = alternative *( "||" alternative )        the first alternative that matches anything counts
//! alternative = term *( SP term )                         all terms hold
//! term        = text-key "=" value                        a text equals the value
//!             | text-key "~=" pattern                     a regular expression matches a whole text
//!             | flag | flag "=" ( "true" / "false" )      a state
//!             | relation "=(" selector ")"                where it lies, seen from what the inner selector means
//!             | ( "width" | "height" ) "=" range          px: 44, 40..48, 40.., ..48
//!             | "first" | "index=" integer                of several matches this one; once in an alternative
//! value       = bare word | "..." | '...'                 escapes \" \' \\ \/ \b \f \n \r \t \u{1b}
//! pattern     = bare word | "..." | '...'                 only \" and \' are escapes, other backslashes belong to it
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | the parts of a selector |
//! | [`mod@write`] | how it is written |
//! | [`mod@parse`], `reader` | how a text becomes one |
//! | [`mod@pattern`] | regular expressions: what they match, and their limits |
//! | [`mod@error`], `repair` | what is wrong with a text that is none, and how to repair it |
//! | [`mod@matching`] | does a node match? |
//! | [`mod@relation`] | does a node lie where it should? |
//! | [`mod@pick`] | `first` and `index`: which of several |
//! | [`mod@resolve`] | which one node is meant, with the wrapper collapse |
//! | [`mod@near`] | what may have been meant on a miss |
//! | [`mod@refusal`] | the failures "absent" and "ambiguous" |
//! | [`mod@record`] | a selector that finds a given node again |

pub mod error;
pub mod matching;
pub mod near;
pub mod parse;
pub mod pattern;
pub mod pick;
mod reader;
pub mod record;
pub mod refusal;
pub mod relation;
mod repair;
pub mod resolve;
pub mod write;

pub use error::{SelectorError, SelectorProblem};
pub use near::{near, near_text};
pub use pattern::Pattern;
pub use record::selector_chain;
pub use refusal::{absent, ambiguous, decided, locate};
pub use resolve::{Resolution, matches, resolve, resolve_for_text};

/// Deepest nesting of selectors in each other's parentheses.
pub const DEEPEST: usize = 8;
/// Most patterns and relations in one selector: each costs a pass over the screen.
pub const MOST_PASSES: usize = 64;

/// An ordered chain of alternatives, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Selector {
    /// Tried in order.
    pub alternatives: Vec<Alternative>,
}

/// Terms that must all hold, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// In the order written.
    pub terms: Vec<Term>,
}

/// One condition on a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// A text of the node equals the value after normalisation.
    Text(TextKey, String),
    /// A regular expression matches a whole text of the node.
    Pattern(TextKey, Pattern),
    /// A state of the node is as said.
    Flag(Flag, bool),
    /// The node stands in a relation to something that the selector means.
    Relation(Relation, Selector),
    /// A side of the node's box is that long.
    Size(Side, Span),
    /// Of all nodes for which the other terms hold, this one.
    Pick(Pick),
}

/// Which of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pick {
    /// The one that is probably meant: in view before out of view, what takes input before what does not, the nearest
    /// to what a relation names, then document order.
    First,
    /// By position, from the top and then from the left; negative from the end.
    Index(i32),
}

/// Lengths from `least` to `most`, whole px.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// At least so long.
    pub least: u32,
    /// At most so long; `u32::MAX` for no limit.
    pub most: u32,
}

macro_rules! keys {
    ($(#[$doc:meta])* $name:ident { $( $(#[$each:meta])* $variant:ident = $word:literal, )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[$each])* $variant, )* }

        impl $name {
            /// Every key, in the order in which help lists them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The key as written.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// The key of this spelling, letter case ignored.
            pub fn of(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|key| key.word().eq_ignore_ascii_case(word))
            }
        }
    };
}

keys! {
    /// Keys that compare a text.
    TextKey {
        /// Test id, resource id or element id.
        Id = "id",
        /// The normalised role, or the platform's own name for it.
        Role = "role",
        /// What the node shows: a field's value, else its label.
        Text = "text",
        /// The accessible name.
        Label = "label",
        /// The current value.
        Value = "value",
        /// Any text of the node: label, value, placeholder, description.
        AnyText = "anytext",
        /// The app's id or the page's address.
        AppName = "appname",
        /// The title of the page, or of the window that the node is in.
        WindowTitle = "windowtitle",
    }
}

keys! {
    /// Keys that ask for a state.
    Flag {
        /// Part of it is in view.
        Visible = "visible",
        /// Nothing of it is in view.
        Hidden = "hidden",
        /// Takes text.
        Editable = "editable",
        /// Chosen in a list, tab bar ...
        Selected = "selected",
        /// Has the input focus.
        Focused = "focused",
        /// Takes input.
        Enabled = "enabled",
        /// Takes no input.
        Disabled = "disabled",
        /// A press reaches it: tried out by the backend, or visible and covered by nothing known.
        Hittable = "hittable",
        /// On.
        Checked = "checked",
        /// Has a name or a value of its own.
        HasText = "has-text",
        /// Its text has more than 200 characters.
        LongText = "long-text",
        /// About as wide as it is high.
        Square = "square",
    }
}

keys! {
    /// Where a node lies, seen from another.
    Relation {
        /// Its top edge is lower.
        Below = "below",
        /// Its top edge is higher.
        Above = "above",
        /// Its left edge is farther left.
        LeftOf = "left-of",
        /// Its left edge is farther right.
        RightOf = "right-of",
        /// Inside it, at any depth.
        ChildOf = "child-of",
        /// Around it, without anything between.
        ContainsChild = "contains-child",
        /// Around it, at any depth.
        ContainsDescendant = "contains-descendant",
    }
}

keys! {
    /// A side of a node's box.
    Side {
        /// From left to right.
        Width = "width",
        /// From top to bottom.
        Height = "height",
    }
}

impl Selector {
    /// Reads a selector.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        parse::parse(text)
    }
}

impl std::str::FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl Alternative {
    /// Which of several matches is meant, where it says so.
    pub fn pick(&self) -> Option<Pick> {
        self.terms.iter().find_map(|term| match term {
            Term::Pick(pick) => Some(*pick),
            _ => None,
        })
    }

    /// Its relations, in the order written.
    pub fn relations(&self) -> impl Iterator<Item = (Relation, &Selector)> {
        self.terms.iter().filter_map(|term| match term {
            Term::Relation(relation, anchor) => Some((*relation, anchor)),
            _ => None,
        })
    }
}

impl Relation {
    /// Whether it compares places on the screen; the others compare places in the tree.
    pub const fn is_positional(self) -> bool {
        matches!(self, Relation::Below | Relation::Above | Relation::LeftOf | Relation::RightOf)
    }
}

#[cfg(test)]
mod tests;
