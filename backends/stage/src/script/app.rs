//! A checked app: all elements of all screens in one arena, numbered once and for ever.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use contract::Size;
use toml::Spanned;

use super::action::Action;
use super::spec::{ElementSpec, KeyboardSpec, Kind, OverlayRole, OverlaySpec, Placement, RectSpec, Script};
use super::template::with_row;
use crate::fault::Fault;

/// What the ids of the parts that the stage adds by itself begin with: `stage:ok`, `stage:cancel`, `stage:field`,
/// `stage:text`, `stage:dialog`, `stage:keyboard`, `stage:done`, `stage:back`.
pub const SYSTEM: &str = "stage:";

/// Place of an element in the arena; also its number in a capture.
pub type Index = usize;

/// An app as it stands in its file.
#[derive(Debug)]
pub struct App {
    /// The app's id.
    pub id: String,
    /// The app's title.
    pub title: String,
    /// Size of the display, px.
    pub viewport: Size,
    /// Picture pixels to one px.
    pub scale: f64,
    /// Colour of buttons and switches.
    pub accent: [u8; 3],
    /// Counters and where they start.
    pub counters: BTreeMap<String, i64>,
    /// Every element.
    pub elements: Vec<Element>,
    /// Every screen.
    pub screens: Vec<Screen>,
    /// Every overlay.
    pub overlays: Vec<Overlay>,
    /// Place of the first screen.
    pub start: usize,
    /// The on-screen keyboard.
    pub keyboard: Option<Keyboard>,
    /// The parts of a native dialog.
    pub dialog: DialogParts,
    /// Faults armed from the start.
    pub faults: Vec<Fault>,
    ids: HashMap<String, Index>,
}

/// One element.
#[derive(Debug)]
pub struct Element {
    /// Its table in the file; generated rows share one.
    pub spec: Arc<ElementSpec>,
    /// Its number among the generated rows, from 1.
    pub row: Option<u32>,
    /// What contains it.
    pub parent: Option<Index>,
    /// What it contains.
    pub children: Vec<Index>,
    /// The id, with the row's number in it.
    pub id: Option<String>,
}

/// One screen.
#[derive(Debug)]
pub struct Screen {
    /// What `goto` names.
    pub id: String,
    /// The title bar's text.
    pub title: String,
    /// The title bar, if there is one.
    pub bar: Option<Index>,
    /// The bar's Back button, shown when there is a way back.
    pub back: Option<Index>,
    /// The content.
    pub main: Index,
    /// Run each time the screen is shown.
    pub on_show: Vec<Action>,
}

/// One overlay.
#[derive(Debug)]
pub struct Overlay {
    /// What `open` names.
    pub id: String,
    /// The panel.
    pub root: Index,
    /// Nothing below it takes input.
    pub modal: bool,
    /// Where it lies, unless `rect` says so.
    pub place: Placement,
    /// Where it lies.
    pub rect: Option<RectSpec>,
    /// How long it slides in, ms.
    pub slide_ms: u64,
    /// Closed by Back and by a press beside it.
    pub dismissable: bool,
    /// Stays when the screen changes.
    pub stays: bool,
}

/// The on-screen keyboard.
#[derive(Debug)]
pub struct Keyboard {
    /// Its size and speed.
    pub spec: KeyboardSpec,
    /// The panel.
    pub root: Index,
    /// The key that sends it away.
    pub done: Index,
}

/// The parts of a native dialog. Which are shown depends on its kind.
#[derive(Debug, Clone, Copy)]
pub struct DialogParts {
    /// The panel.
    pub root: Index,
    /// What it says.
    pub text: Index,
    /// The field of a prompt.
    pub field: Index,
    /// The button that says no.
    pub cancel: Index,
    /// The button that says yes.
    pub ok: Index,
}

impl App {
    /// The element at a place.
    pub fn element(&self, index: Index) -> Option<&Element> {
        self.elements.get(index)
    }

    /// What it is.
    pub fn kind(&self, index: Index) -> Kind {
        self.element(index).map_or(Kind::Group, |element| element.spec.kind())
    }

    /// The element of this id.
    pub fn find(&self, id: &str) -> Option<Index> {
        self.ids.get(id).copied()
    }

    /// The element itself, then what contains it, and so on to the root.
    pub fn upwards(&self, index: Index) -> impl Iterator<Item = Index> + '_ {
        std::iter::successors(Some(index), |up| self.element(*up).and_then(|element| element.parent))
    }

    /// How a report names an element: its id, else its number.
    pub fn name_of(&self, index: Index) -> String {
        self.element(index).and_then(|element| element.id.clone()).unwrap_or_else(|| format!("#{index}"))
    }

    /// Lays every element of a script into the arena. The script must have been checked.
    pub(super) fn assemble(script: Script, accent: [u8; 3], counters: BTreeMap<String, i64>) -> App {
        let mut arena = Arena::default();
        let screens: Vec<Screen> = script
            .screens
            .into_iter()
            .map(|spec| {
                let (bar, back) = if spec.bar { arena.bar(&spec.title) } else { (None, None) };
                let mut main = ElementSpec::of(Kind::Main);
                main.padding = Some(spec.padding.unwrap_or(16.0));
                main.gap = Some(spec.gap.unwrap_or(12.0));
                main.elements = spec.elements;
                Screen {
                    id: spec.id.into_inner(),
                    title: spec.title,
                    bar,
                    back,
                    main: arena.add(main, None),
                    on_show: spec.on_show,
                }
            })
            .collect();
        let overlays = script.overlays.into_iter().map(|spec| arena.overlay(spec)).collect();
        let keyboard = script.keyboard.map(|spec| arena.keyboard(spec));
        let dialog = arena.dialog();
        let start = screens.iter().position(|screen| screen.id == *script.start.get_ref()).unwrap_or(0);
        App {
            id: script.app.into_inner(),
            title: script.title,
            viewport: Size { width: f64::from(script.viewport.width), height: f64::from(script.viewport.height) },
            scale: script.scale.unwrap_or(2.0),
            accent,
            counters,
            elements: arena.elements,
            screens,
            overlays,
            start,
            keyboard,
            dialog,
            faults: script.faults,
            ids: arena.ids,
        }
    }
}

#[derive(Default)]
struct Arena {
    elements: Vec<Element>,
    ids: HashMap<String, Index>,
}

impl Arena {
    fn add(&mut self, spec: ElementSpec, parent: Option<Index>) -> Index {
        self.add_row(&Arc::new(spec), None, parent)
    }

    fn add_row(&mut self, spec: &Arc<ElementSpec>, row: Option<u32>, parent: Option<Index>) -> Index {
        let index = self.elements.len();
        let id = spec.id.as_ref().map(|id| with_row(id.get_ref(), row));
        if let Some(id) = &id {
            self.ids.insert(id.clone(), index);
        }
        self.elements.push(Element { spec: spec.clone(), row, parent, children: Vec::new(), id });
        if let Some(above) = parent.and_then(|parent| self.elements.get_mut(parent)) {
            above.children.push(index);
        }
        for child in &spec.elements {
            let child = Arc::new(child.clone());
            match child.repeat {
                Some(count) => (1..=count).for_each(|number| {
                    self.add_row(&child, Some(number), Some(index));
                }),
                None => {
                    self.add_row(&child, row, Some(index));
                }
            }
        }
        index
    }

    fn bar(&mut self, title: &str) -> (Option<Index>, Option<Index>) {
        let bar = self.add(ElementSpec::of(Kind::Bar), None);
        let mut back = ElementSpec::of(Kind::Button);
        back.label = "Back".to_owned();
        back.id = Some(system_id("back"));
        back.rect = Some(RectSpec { x: 4.0, y: 4.0, width: 48.0, height: 48.0 });
        back.on_press = vec![Action::Back];
        let back = self.add(back, Some(bar));
        let mut heading = ElementSpec::of(Kind::Heading);
        heading.label = title.to_owned();
        heading.level = Some(1);
        self.add(heading, Some(bar));
        (Some(bar), Some(back))
    }

    fn overlay(&mut self, spec: OverlaySpec) -> Overlay {
        let mut panel = ElementSpec::of(Kind::Panel(spec.role));
        panel.id = Some(spec.id.clone());
        panel.label = spec.label;
        panel.width = spec.rect.map(|rect| rect.width).or(spec.width);
        panel.height = spec.rect.map(|rect| rect.height).or(spec.height);
        panel.padding = Some(spec.padding.unwrap_or(20.0));
        panel.gap = Some(spec.gap.unwrap_or(12.0));
        panel.elements = spec.elements;
        Overlay {
            id: spec.id.into_inner(),
            root: self.add(panel, None),
            modal: spec.modal,
            place: spec.place,
            rect: spec.rect,
            slide_ms: spec.slide_ms,
            dismissable: spec.dismissable,
            stays: spec.stays,
        }
    }

    fn keyboard(&mut self, spec: KeyboardSpec) -> Keyboard {
        let mut panel = ElementSpec::of(Kind::Keyboard);
        panel.label = "Keyboard".to_owned();
        panel.id = Some(system_id("keyboard"));
        let root = self.add(panel, None);
        let mut done = ElementSpec::of(Kind::Button);
        done.label = "Done".to_owned();
        done.id = Some(system_id("done"));
        done.on_press = vec![Action::Blur];
        Keyboard { spec, root, done: self.add(done, Some(root)) }
    }

    fn dialog(&mut self) -> DialogParts {
        let mut panel = ElementSpec::of(Kind::Panel(OverlayRole::Alertdialog));
        panel.padding = Some(20.0);
        panel.gap = Some(16.0);
        panel.id = Some(system_id("dialog"));
        let root = self.add(panel, None);
        let mut part = |kind: Kind, id: &str| {
            let mut spec = ElementSpec::of(kind);
            spec.id = Some(system_id(id));
            spec.keyboard = true;
            self.add(spec, Some(root))
        };
        let (text, field) = (part(Kind::Text, "text"), part(Kind::TextField, "field"));
        let mut buttons = ElementSpec::of(Kind::Group);
        buttons.row = true;
        buttons.gap = Some(12.0);
        let buttons = self.add(buttons, Some(root));
        let mut button = |label: &str, id: &str| {
            let mut spec = ElementSpec::of(Kind::Button);
            spec.label = label.to_owned();
            spec.id = Some(system_id(id));
            self.add(spec, Some(buttons))
        };
        DialogParts { root, text, field, cancel: button("Cancel", "cancel"), ok: button("OK", "ok") }
    }
}

fn system_id(part: &str) -> Spanned<String> {
    Spanned::new(0..0, format!("{SYSTEM}{part}"))
}
