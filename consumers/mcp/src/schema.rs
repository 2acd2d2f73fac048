//! A command's arguments for a model: the contract's schema, flattened and shortened. What can be sent stays the same.
//!
//! References are followed, forms of a command are merged into one object, lists of words become an `enum`, and a
//! target may be written as a plain string. What says nothing to a model (formats, titles, `null`) is left out.

use serde_json::{Map, Value, json};

/// One way to call a command that has several: `wait` for a text, for a selector, ...
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The value of its `kind`.
    pub kind: String,
    /// The arguments that it cannot do without.
    pub required: Vec<String>,
    /// All its arguments.
    pub known: Vec<String>,
}

/// The arguments of one command.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    /// What the command does, one line.
    pub summary: String,
    /// Name and schema of each, in the contract's order.
    pub properties: Map<String, Value>,
    /// Those that must be there.
    pub required: Vec<String>,
    /// Those that aim at something: see [`contract::Target`].
    pub targets: Vec<String>,
    /// The forms, where the word `kind` chooses between them.
    pub forms: Vec<Form>,
}

impl Arguments {
    /// Those of a command; empty where there is no such command.
    pub fn of(command: &str) -> Self {
        let Some(root) = contract::command::schema(command) else { return Self::default() };
        let mut arguments =
            Self { summary: text(&root, "description").unwrap_or_default().to_owned(), ..Self::default() };
        arguments.gather(&root, &root);
        arguments
    }

    /// As an input schema.
    pub fn schema(&self) -> Map<String, Value> {
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), Value::Object(self.properties.clone()));
        if !self.required.is_empty() {
            schema.insert("required".into(), json!(self.required));
        }
        schema
    }

    fn gather(&mut self, schema: &Value, root: &Value) {
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.add(name, property, root);
        }
        self.required.extend(required(schema));
        if let Some(behind) = followed(schema, root) {
            self.gather(behind, root);
        }
        for part in list(schema, "allOf") {
            self.gather(part, root);
        }
        let forms: Vec<&Value> = ["oneOf", "anyOf"].iter().flat_map(|group| list(schema, group)).collect();
        if forms.is_empty() {
            return;
        }
        for form in &forms {
            for (name, property) in form.get("properties").and_then(Value::as_object).into_iter().flatten() {
                self.add(name, property, root);
            }
            self.forms.extend(read_form(form));
        }
        let everywhere = |name: &String| forms.iter().all(|form| required(form).any(|required| required == *name));
        let shared: Vec<String> =
            forms.first().map(|form| required(form).filter(everywhere).collect()).unwrap_or_default();
        self.required.extend(shared);
        self.describe_forms();
    }

    fn add(&mut self, name: &str, property: &Value, root: &Value) {
        if is_target(property, root) && !self.targets.iter().any(|known| known == name) {
            self.targets.push(name.to_owned());
        }
        let fresh = short(property, root);
        match self.properties.get_mut(name) {
            // The same argument of another form: a word of `kind` more.
            Some(Value::Object(there)) => {
                let more = list(&fresh, "enum").cloned().collect::<Vec<_>>();
                if let Some(Value::Array(words)) = there.get_mut("enum") {
                    words.extend(more.into_iter().filter(|word| !words.contains(word)).collect::<Vec<_>>());
                }
            }
            _ => {
                self.properties.insert(name.to_owned(), fresh);
            }
        }
    }

    /// Which arguments belong to which form stands at `kind`.
    fn describe_forms(&mut self) {
        let said: Vec<String> = self
            .forms
            .iter()
            .map(|form| {
                let named = form
                    .known
                    .iter()
                    .filter(|name| *name != "kind")
                    .map(|name| if form.required.contains(name) { name.clone() } else { format!("{name}?") });
                format!("{}({})", form.kind, named.collect::<Vec<_>>().join(", "))
            })
            .collect();
        if let Some(Value::Object(kind)) = self.properties.get_mut("kind").filter(|_| !said.is_empty()) {
            kind.insert("description".into(), said.join("; ").into());
        }
    }
}

/// A schema in as few words as say the same.
fn short(schema: &Value, root: &Value) -> Value {
    let behind = last(schema, root);
    let mut out = Map::new();
    if is_target(schema, root) {
        out.insert("anyOf".into(), json!([{"type": "string"}, {"type": "object"}]));
    } else if let Some(word) = text(behind, "const") {
        out.insert("enum".into(), json!([word]));
    } else {
        let forms: Vec<&Value> = ["oneOf", "anyOf"]
            .iter()
            .flat_map(|group| list(behind, group))
            .filter(|form| text(form, "type") != Some("null"))
            .collect();
        let words: Vec<&Value> = forms.iter().filter_map(|form| form.get("const")).collect();
        match forms.as_slice() {
            [] => plain(behind, root, &mut out),
            _ if words.len() == forms.len() => {
                out.insert("enum".into(), json!(words));
            }
            [one] => out = short(one, root).as_object().cloned().unwrap_or_default(),
            several => {
                let several: Vec<Value> = several.iter().map(|form| short(form, root)).collect();
                out.insert("anyOf".into(), several.into());
            }
        }
    }
    if let Some(said) = text(schema, "description") {
        out.insert("description".into(), said.replace('\n', " ").into());
    }
    Value::Object(out)
}

/// A type, and what is inside of it.
fn plain(schema: &Value, root: &Value, out: &mut Map<String, Value>) {
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null").cloned(),
        Some(kind) => Some(kind.clone()),
        None => None,
    };
    if let Some(kind) = kind {
        out.insert("type".into(), kind);
    }
    if let Some(words) = schema.get("enum") {
        out.insert("enum".into(), words.clone());
    }
    if let Some(items) = schema.get("items") {
        out.insert("items".into(), short(items, root));
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let inside: Map<String, Value> =
            properties.iter().map(|(name, inner)| (name.clone(), short(inner, root))).collect();
        out.insert("properties".into(), inside.into());
    }
}

/// Whether a schema is that of [`contract::Target`].
fn is_target(schema: &Value, root: &Value) -> bool {
    let behind = last(schema, root);
    let kinds = |schema: &Value| -> Vec<String> {
        list(schema, "oneOf")
            .filter_map(|form| form.pointer("/properties/kind/const")?.as_str().map(str::to_owned))
            .collect()
    };
    kinds(behind) == ["ref", "selector", "point"]
        || list(behind, "anyOf").any(|form| kinds(last(form, root)) == ["ref", "selector", "point"])
}

fn read_form(form: &Value) -> Option<Form> {
    let kind = form.pointer("/properties/kind/const")?.as_str()?.to_owned();
    let known = form.get("properties")?.as_object()?.keys().cloned().collect();
    Some(Form { kind, required: required(form).collect(), known })
}

fn required(schema: &Value) -> impl Iterator<Item = String> + '_ {
    list(schema, "required").filter_map(Value::as_str).map(str::to_owned)
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(schema: &'a Value, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Value::as_str)
}

/// The schema behind a reference, if it is one.
fn followed<'a>(schema: &'a Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(text(schema, "$ref")?.strip_prefix('#')?)
}

/// The schema at the end of all references. No schema of the contract refers to itself.
fn last<'a>(mut schema: &'a Value, root: &'a Value) -> &'a Value {
    while let Some(behind) = followed(schema, root) {
        schema = behind;
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_of_every_command_is_there_and_none_has_a_reference_left() {
        for spec in contract::command::SPECS {
            let arguments = Arguments::of(spec.name);
            let written = serde_json::to_string(&arguments.schema()).unwrap();
            assert!(!written.contains("$ref") && !written.contains("null"), "{}: {written}", spec.name);
            assert!(!arguments.summary.is_empty(), "{}", spec.name);
            // What the contract names as an argument is refused by nobody: ask it with something it cannot know.
            let refused = contract::Command::from_call(spec.name, &json!({"no such argument": 1})).unwrap_err();
            let hint = refused.hint.unwrap();
            if let Some(names) = hint.strip_prefix(&format!("{} takes ", spec.name)) {
                for name in names.split(", ").filter(|name| !name.is_empty()) {
                    assert!(arguments.properties.contains_key(name), "{}: {name} in {written}", spec.name);
                }
            }
        }
    }

    #[test]
    fn targets_are_found_and_forms_are_told_apart() {
        assert_eq!(Arguments::of("press").targets, ["target"]);
        assert_eq!(Arguments::of("is").targets, ["target"]);
        let mut aims = Arguments::of("gesture").targets;
        aims.sort();
        assert_eq!(aims, ["destination", "origin", "source"]);
        let wait = Arguments::of("wait");
        assert_eq!(wait.required, ["kind"]);
        assert_eq!(wait.properties["kind"]["enum"], json!(["duration", "text", "ref", "selector", "absent", "stable"]));
        let said = wait.properties["kind"]["description"].as_str().unwrap();
        assert!(said.contains("text(text, timeoutMs?)"), "{said}");
    }
}
