//! What a helper can do beyond the base protocol: looked up in its answers, never assumed of a version.

use super::fields::Fields;

bitflags::bitflags! {
    /// Extensions that a helper names.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Features: u32 {
        /// Keeps a journal and answers `status`.
        const JOURNAL = 1;
        /// Drops commands whose time has passed.
        const DEADLINE = 1 << 1;
        /// Numbers nodes, so that one can be asked for again.
        const NODE_KEYS = 1 << 2;
        /// Looks at one node.
        const LOOK = 1 << 3;
        /// Tells the window in front.
        const FOREGROUND = 1 << 4;
        /// Performs accessibility actions.
        const ACTION = 1 << 5;
        /// Enters text.
        const TEXT = 1 << 6;
        /// Presses keys.
        const KEY = 1 << 7;
        /// Back, home and the like.
        const GLOBAL = 1 << 8;
        /// Has an input method of its own for fields that refuse to be set.
        const IME = 1 << 9;
        /// Refuses a gesture whose target is no longer what was seen.
        const GUARD = 1 << 10;
        /// Plays a plan several times.
        const REPEAT = 1 << 11;
        /// Finds out by itself what a touch would reach, so that a changed screen alone is no reason to refuse it.
        const GUARD_TOUCH = 1 << 12;
        /// Reads and writes the clipboard.
        const CLIPBOARD = 1 << 13;
    }
}

/// The names on the wire.
const NAMES: [(&str, Features); 14] = [
    ("journal", Features::JOURNAL),
    ("deadline", Features::DEADLINE),
    ("node-keys", Features::NODE_KEYS),
    ("look", Features::LOOK),
    ("foreground", Features::FOREGROUND),
    ("action", Features::ACTION),
    ("text", Features::TEXT),
    ("key", Features::KEY),
    ("global", Features::GLOBAL),
    ("ime", Features::IME),
    ("guard", Features::GUARD),
    ("repeat", Features::REPEAT),
    ("guard-touch", Features::GUARD_TOUCH),
    ("clipboard", Features::CLIPBOARD),
];

impl Features {
    /// What the package that this build carries can do in a single run, known before its first answer. Nodes are not
    /// numbered there, and there is no journal to be asked afterwards.
    pub const SINGLE_RUN: Self = Self::LOOK
        .union(Self::FOREGROUND)
        .union(Self::ACTION)
        .union(Self::TEXT)
        .union(Self::KEY)
        .union(Self::GLOBAL)
        .union(Self::IME)
        .union(Self::REPEAT)
        .union(Self::CLIPBOARD);

    /// What an answer names. A name that this host does not know is passed over.
    pub fn of(fields: &Fields) -> Self {
        let named = fields.get("agentDeviceExtensions").unwrap_or_default();
        named
            .split(',')
            .filter_map(|name| NAMES.iter().find(|(known, _)| *known == name.trim()).map(|(_, feature)| *feature))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_what_the_answer_names_and_nothing_else() {
        let fields: Fields = [("agentDeviceExtensions", "journal, look,later-one,,node-keys")].into_iter().collect();
        assert_eq!(Features::of(&fields), Features::JOURNAL | Features::LOOK | Features::NODE_KEYS);
        assert_eq!(Features::of(&Fields::default()), Features::empty());
    }
}
