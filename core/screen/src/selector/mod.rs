//! Selectors: naming a node by what it is.
//!
//! ```text
//! selector    = alternative *( "||" alternative )        the first alternative that matches anything counts
//! alternative = term *( SP term )                         all terms hold
//! term        = text-key "=" value | flag | flag "=" ( "true" / "false" )
//! value       = bare word | "..." | '...'                 escapes \" \' \\ \/ \b \f \n \r \t \u{1b}
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | the parts of a selector, and how it is written |
//! | [`mod@parse`] | how a text becomes one |
//! | [`mod@error`] | what is wrong with a text that is none, and how to repair it |
//! | [`mod@matching`] | does a node match? |
//! | [`mod@resolve`] | which one node is meant, with the wrapper collapse |
//! | [`mod@near`] | what may have been meant on a miss |
//! | [`mod@refusal`] | the failures "absent" and "ambiguous" |
//! | [`mod@record`] | a selector that finds a given node again |

pub mod error;
pub mod matching;
pub mod near;
pub mod parse;
pub mod record;
pub mod refusal;
pub mod resolve;

pub use error::{SelectorError, SelectorProblem};
pub use near::near;
pub use record::selector_chain;
pub use refusal::{absent, ambiguous, decided, locate};
pub use resolve::{Resolution, matches, resolve, resolve_for_text};

use crate::text::quote_into;

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
    /// A state of the node is as said.
    Flag(Flag, bool),
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

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        for (place, alternative) in self.alternatives.iter().enumerate() {
            if place > 0 {
                out.push_str(" || ");
            }
            for (place, term) in alternative.terms.iter().enumerate() {
                if place > 0 {
                    out.push(' ');
                }
                term.write(&mut out);
            }
        }
        f.write_str(&out)
    }
}

impl Term {
    fn write(&self, out: &mut String) {
        match self {
            Term::Text(key, value) => {
                out.push_str(key.word());
                out.push('=');
                if parse::is_bare(value) { out.push_str(value) } else { quote_into(out, value) }
            }
            Term::Flag(flag, true) => out.push_str(flag.word()),
            Term::Flag(flag, false) => {
                out.push_str(flag.word());
                out.push_str("=false");
            }
        }
    }
}

#[cfg(test)]
mod tests;
