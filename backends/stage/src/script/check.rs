//! What the file's own types cannot rule out: words that refer to nothing, ids used twice, numbers out of range.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::action::{Action, Refers};
use super::app::SYSTEM;
use super::spec::{ElementSpec, Name, Script};
use super::template::{Piece, pieces, with_row};
use super::{MAX_ELEMENTS, ScriptError};

/// Checks a script; returns its counters and its colour.
pub fn check(file: &str, text: &str, script: &Script) -> Result<(BTreeMap<String, i64>, [u8; 3]), ScriptError> {
    let mut check = Check { file, text, ids: HashMap::new(), elements: 0 };
    let accent = match &script.accent {
        None => [0x1a, 0x5f, 0xd0],
        Some(colour) => parse_colour(colour.get_ref())
            .ok_or_else(|| check.wrong(colour, "no colour", "write it as \"#rrggbb\", such as \"#1a5fd0\""))?,
    };
    check.range(&script.app, "viewport.width", f64::from(script.viewport.width), 100.0, 4000.0)?;
    check.range(&script.app, "viewport.height", f64::from(script.viewport.height), 100.0, 4000.0)?;
    check.range(&script.app, "scale", script.scale.unwrap_or(2.0), 1.0, 4.0)?;
    if let Some(keyboard) = &script.keyboard {
        check.range(&script.app, "keyboard.height", keyboard.height, 60.0, f64::from(script.viewport.height))?;
    }
    let mut screens = HashSet::new();
    for screen in &script.screens {
        check.unique(&mut screens, &screen.id, "screen")?;
    }
    let mut overlays = HashSet::new();
    for overlay in &script.overlays {
        check.unique(&mut overlays, &overlay.id, "overlay")?;
        check.collect_id(&overlay.id, None)?;
    }
    let roots: Vec<&[ElementSpec]> = script
        .screens
        .iter()
        .map(|screen| screen.elements.as_slice())
        .chain(script.overlays.iter().map(|overlay| overlay.elements.as_slice()))
        .collect();
    for elements in &roots {
        check.collect(elements, &[None])?;
    }
    check.refers_to(&screens, &script.start, "screen")?;

    let mut lists: Vec<(&[Action], Option<u32>)> =
        script.screens.iter().map(|screen| (screen.on_show.as_slice(), None)).collect();
    let mut templates = Vec::new();
    for elements in &roots {
        gather(elements, None, &mut lists, &mut templates);
    }
    let mut counters = script.counters.clone();
    let mut found = Vec::new();
    for (list, row) in lists {
        let mut names = Vec::new();
        list.iter().for_each(|action| action.names(&mut names));
        found.extend(names.into_iter().map(|(refers, name)| (refers, name, row)));
    }
    for (_, counter, _) in found.iter().filter(|(refers, ..)| *refers == Refers::Counter) {
        if counter.get_ref() == "n" {
            return Err(check.wrong(counter, "no name for a counter: {n} is a row's number", "choose another name"));
        }
        counters.entry(counter.get_ref().clone()).or_insert(0);
    }
    for (refers, name, row) in found {
        match refers {
            Refers::Screen => check.refers_to(&screens, name, "screen")?,
            Refers::Overlay => check.refers_to(&overlays, name, "overlay")?,
            Refers::Element => check.element_exists(name, &with_row(name.get_ref(), row))?,
            Refers::Template => check.template(name.get_ref(), name.span(), &counters)?,
            Refers::Counter => {}
        }
    }
    for (template, span) in templates {
        check.template(template, check.nearest_place(template, span), &counters)?;
    }
    for fault in &script.faults {
        if let Some(element) = &fault.element
            && !check.ids.contains_key(element)
            && !element.starts_with(SYSTEM)
        {
            let span = text.find(&format!("\"{element}\"")).unwrap_or(0);
            return Err(check.error(
                span..span + element.len() + 2,
                format!("no element has the id \"{element}\""),
                check.nearest(element),
            ));
        }
    }
    Ok((counters, accent))
}

struct Check<'a> {
    file: &'a str,
    text: &'a str,
    ids: HashMap<String, Range<usize>>,
    elements: u64,
}

impl Check<'_> {
    fn error(&self, span: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> ScriptError {
        ScriptError::at(self.file, self.text, span, message, hint)
    }

    fn wrong(&self, name: &Name, what: &str, hint: &str) -> ScriptError {
        self.error(name.span(), format!("\"{}\" is {what}", name.get_ref()), hint)
    }

    fn range(&self, near: &Name, key: &str, value: f64, least: f64, most: f64) -> Result<(), ScriptError> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        let word = key.rsplit('.').next().unwrap_or(key);
        let place = self.text.find(&format!("{word} =")).unwrap_or(near.span().start);
        Err(self.error(
            place..place + word.len(),
            format!("{key} is {value}"),
            format!("choose a number from {least} to {most}"),
        ))
    }

    fn unique(&self, seen: &mut HashSet<String>, id: &Name, what: &str) -> Result<(), ScriptError> {
        if seen.insert(id.get_ref().clone()) {
            return Ok(());
        }
        Err(self.wrong(id, &format!("the id of two {what}s"), "give each its own id"))
    }

    fn collect(&mut self, elements: &[ElementSpec], rows: &[Option<u32>]) -> Result<(), ScriptError> {
        for spec in elements {
            if let Some(count) = spec.repeat {
                if rows != [None] {
                    let hint = "write the inner elements out, or repeat only them";
                    return Err(self.error(spec.role.span(), "repeat inside a repeated element", hint));
                }
                let id_is_shared = spec.id.as_ref().filter(|id| !id.get_ref().contains("{n}"));
                if let Some(id) = id_is_shared {
                    return Err(self.wrong(id, "one id for many rows", "put {n} into it, such as \"row-{n}\""));
                }
                if u64::from(count) > MAX_ELEMENTS {
                    return Err(self.too_many(spec));
                }
                let numbers: Vec<Option<u32>> = (1..=count).map(Some).collect();
                self.collect_one(spec, &numbers)?;
            } else {
                self.collect_one(spec, rows)?;
            }
        }
        Ok(())
    }

    fn collect_one(&mut self, spec: &ElementSpec, rows: &[Option<u32>]) -> Result<(), ScriptError> {
        self.elements += rows.len() as u64;
        if self.elements > MAX_ELEMENTS {
            return Err(self.too_many(spec));
        }
        for row in rows {
            if let Some(id) = &spec.id {
                self.collect_id(id, *row)?;
            }
        }
        if !spec.elements.is_empty() && !spec.kind().is_container() {
            return Err(self.error(
                spec.role.span(),
                "this role has no place for elements in it",
                "put them into a group, list, scroll, form or listitem",
            ));
        }
        let for_fields = spec.max_length.is_some()
            || spec.mask
            || spec.filter.is_some()
            || spec.drops_every.is_some()
            || !spec.placeholder.is_empty();
        if for_fields && !spec.kind().is_field() {
            return Err(self.error(
                spec.role.span(),
                "max_length, mask, filter, drops_every and placeholder are keys of fields",
                "use them with role text-field, text-view or search",
            ));
        }
        if spec.moves.is_some_and(|moves| moves.over_ms == 0) || spec.drops_every == Some(0) {
            return Err(self.error(spec.role.span(), "over_ms or drops_every is 0", "choose 1 or more"));
        }
        self.collect(&spec.elements, rows)
    }

    fn too_many(&self, spec: &ElementSpec) -> ScriptError {
        self.error(spec.role.span(), format!("the app has more than {MAX_ELEMENTS} elements"), "repeat fewer rows")
    }

    fn collect_id(&mut self, id: &Name, row: Option<u32>) -> Result<(), ScriptError> {
        if id.get_ref().starts_with(SYSTEM) {
            return Err(self.wrong(id, "one of the stage's own ids", "choose one that does not begin with \"stage:\""));
        }
        match self.ids.insert(with_row(id.get_ref(), row), id.span()) {
            None => Ok(()),
            Some(_) => Err(self.wrong(id, "the id of two elements", "give each its own id")),
        }
    }

    fn refers_to(&self, known: &HashSet<String>, name: &Name, what: &str) -> Result<(), ScriptError> {
        if known.contains(name.get_ref()) {
            return Ok(());
        }
        let mut all: Vec<&str> = known.iter().map(String::as_str).collect();
        all.sort_unstable();
        let hint = match all.as_slice() {
            [] => format!("the file has no [[{what}]]: add one"),
            all => format!("name one of: {}", all.join(", ")),
        };
        Err(self.error(name.span(), format!("no {what} has the id \"{}\"", name.get_ref()), hint))
    }

    fn element_exists(&self, name: &Name, id: &str) -> Result<(), ScriptError> {
        if self.ids.contains_key(id) {
            return Ok(());
        }
        Err(self.error(name.span(), format!("no element has the id \"{id}\""), self.nearest(id)))
    }

    fn template(
        &self,
        template: &str,
        span: Range<usize>,
        counters: &BTreeMap<String, i64>,
    ) -> Result<(), ScriptError> {
        for piece in pieces(template) {
            match piece {
                Piece::Counter(name) if !counters.contains_key(name) => {
                    return Err(self.error(
                        span,
                        format!("\"{template}\" shows the counter {name}, which nothing counts"),
                        format!("count it (on_press = [{{ count = \"{name}\" }}]), or list it under [counters]; write {{{{ for a brace"),
                    ));
                }
                Piece::Value(id) if !self.ids.contains_key(id) => {
                    return Err(self.error(span, format!("no element has the id \"{id}\""), self.nearest(id)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Where a text stands that belongs to the element at `near`: the occurrence closest to it.
    fn nearest_place(&self, text: &str, near: Range<usize>) -> Range<usize> {
        if text.is_empty() {
            return near;
        }
        self.text
            .match_indices(text)
            .map(|(at, _)| at)
            .min_by_key(|at| at.abs_diff(near.start))
            .map_or(near, |at| at..at + text.len())
    }

    /// The ids that look most like a wrong one.
    fn nearest(&self, id: &str) -> String {
        let shared = |known: &str| known.chars().zip(id.chars()).take_while(|(a, b)| a == b).count();
        let mut known: Vec<&str> = self.ids.keys().map(String::as_str).collect();
        known.sort_unstable_by(|a, b| shared(b).cmp(&shared(a)).then(a.cmp(b)));
        known.truncate(5);
        if known.is_empty() {
            "give an element an id first".to_owned()
        } else {
            format!("name one of: {}", known.join(", "))
        }
    }
}

/// Every list of actions and every template below some elements; of generated rows, the first stands for all.
fn gather<'a>(
    elements: &'a [ElementSpec],
    row: Option<u32>,
    lists: &mut Vec<(&'a [Action], Option<u32>)>,
    templates: &mut Vec<(&'a str, Range<usize>)>,
) {
    for spec in elements {
        let row = spec.repeat.map(|_| 1).or(row);
        lists.extend(spec.handlers().into_iter().map(|(_, list)| (list, row)));
        templates.extend([&spec.label, &spec.description].map(|text| (text.as_str(), spec.role.span())));
        gather(&spec.elements, row, lists, templates);
    }
}

fn parse_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let byte = |from: usize| u8::from_str_radix(digits.get(from..from + 2)?, 16).ok();
    Some([byte(0)?, byte(2)?, byte(4)?])
}
