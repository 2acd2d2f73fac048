//! The words that keys take: roles, states, filters, places.

use serde::Deserialize;

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A push button.
    Button,
    /// A link.
    Link,
    /// Text to read.
    Text,
    /// A heading.
    Heading,
    /// A picture.
    Image,
    /// A one-line field.
    TextField,
    /// A field of several lines.
    TextView,
    /// A field to search with.
    Search,
    /// On or off, with a tick.
    Checkbox,
    /// On or off, with a knob.
    Switch,
    /// One of several.
    Radio,
    /// One page of several.
    Tab,
    /// An entry of a menu.
    Menuitem,
    /// A row of a list.
    Listitem,
    /// Rows one below the other; scrolls when it is lower than they are.
    List,
    /// A container that scrolls when it is smaller than its content.
    Scroll,
    /// A container.
    Group,
    /// A container of fields.
    Form,
    /// Tabs side by side.
    Tablist,
    /// A line.
    Separator,
    /// A text that changes on its own account.
    Status,
    /// A text that warns.
    Alert,
    /// How far something got.
    Progressbar,
    /// The whole app.
    #[serde(skip)]
    Window,
    /// The title bar.
    #[serde(skip)]
    Bar,
    /// The content of a screen.
    #[serde(skip)]
    Main,
    /// An overlay, a native dialog.
    #[serde(skip)]
    Panel(OverlayRole),
    /// The on-screen keyboard.
    #[serde(skip)]
    Keyboard,
}

impl Kind {
    /// Takes text.
    pub const fn is_field(self) -> bool {
        matches!(self, Kind::TextField | Kind::TextView | Kind::Search)
    }

    /// Can be on or off.
    pub const fn is_checkable(self) -> bool {
        matches!(self, Kind::Checkbox | Kind::Switch | Kind::Radio)
    }

    /// Has children.
    pub const fn is_container(self) -> bool {
        matches!(
            self,
            Kind::List
                | Kind::Scroll
                | Kind::Group
                | Kind::Form
                | Kind::Tablist
                | Kind::Listitem
                | Kind::Window
                | Kind::Bar
                | Kind::Main
                | Kind::Panel(_)
                | Kind::Keyboard
        )
    }

    /// Clips its children and scrolls them.
    pub const fn scrolls(self) -> bool {
        matches!(self, Kind::List | Kind::Scroll | Kind::Main)
    }

    /// Its role says that it takes input.
    pub const fn is_interactive(self) -> bool {
        self.is_field() || self.is_checkable() || matches!(self, Kind::Button | Kind::Link | Kind::Tab | Kind::Menuitem)
    }
}

/// What can be true of an element at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Takes no input, and nothing in it does.
    Disabled,
    /// Chosen.
    Selected,
    /// On.
    Checked,
    /// Partly on.
    Mixed,
    /// Not there.
    Hidden,
    /// Shows its content.
    Expanded,
    /// Can show its content and does not.
    Collapsed,
    /// Must be filled in.
    Required,
    /// Refused by the app.
    Invalid,
    /// Its text cannot be changed.
    Readonly,
    /// Shown, and takes no input.
    Inert,
    /// A press falls through it.
    PressThrough,
    /// Takes room and is not drawn.
    Invisible,
}

/// What a field does to the text it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Leaves only 0 to 9.
    DigitsOnly,
    /// Leaves only letters.
    LettersOnly,
    /// Makes letters capitals.
    Uppercase,
    /// Makes letters small.
    Lowercase,
    /// Leaves out white space.
    NoSpaces,
    /// Digits in groups of four.
    CardNumber,
}

impl Filter {
    /// The text as the field holds it.
    pub fn apply(self, text: &str) -> String {
        match self {
            Filter::DigitsOnly => text.chars().filter(char::is_ascii_digit).collect(),
            Filter::LettersOnly => text.chars().filter(|letter| letter.is_alphabetic()).collect(),
            Filter::Uppercase => text.to_uppercase(),
            Filter::Lowercase => text.to_lowercase(),
            Filter::NoSpaces => text.chars().filter(|letter| !letter.is_whitespace()).collect(),
            Filter::CardNumber => {
                let mut grouped = String::new();
                for (place, digit) in text.chars().filter(char::is_ascii_digit).enumerate() {
                    if place > 0 && place % 4 == 0 {
                        grouped.push(' ');
                    }
                    grouped.push(digit);
                }
                grouped
            }
        }
    }
}

/// What an overlay is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverlayRole {
    /// A dialog.
    #[default]
    Dialog,
    /// A dialog that interrupts.
    Alertdialog,
    /// A banner, a toast, a floating bar.
    Region,
    /// A menu.
    Menu,
}

/// Where an overlay lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// In the middle.
    #[default]
    Center,
    /// At the upper edge, below the title bar.
    Top,
    /// At the lower edge.
    Bottom,
}
