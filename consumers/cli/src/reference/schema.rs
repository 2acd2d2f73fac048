//! A command's JSON arguments, read from its schema.

use serde_json::Value;

/// The arguments as one line: `target` (required), `count` (integer) ...; for a command that has several forms, one line
/// for each.
pub fn arguments(command: &str) -> Vec<String> {
    let Some(root) = contract::command::schema(command) else { return Vec::new() };
    let parts = parts(&root, &root);
    let own: Vec<Field> = parts.iter().flat_map(|part| fields(part, &root)).collect();
    let forms: Vec<Vec<Field>> = parts.iter().flat_map(|part| variants(part)).map(|form| fields(form, &root)).collect();
    let lines: Vec<String> = match forms.is_empty() {
        true => vec![line(own)],
        false => forms.into_iter().map(|form| line(form.into_iter().chain(own.iter().cloned()).collect())).collect(),
    };
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// How early a field stands, and how it is written.
type Field = (u8, String);

fn line(mut fields: Vec<Field>) -> String {
    fields.sort_by_key(|(rank, _)| *rank);
    fields.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", ")
}

/// A schema with everything that is merged into it.
fn parts<'a>(schema: &'a Value, root: &'a Value) -> Vec<&'a Value> {
    let mut all = vec![schema];
    let behind = followed(schema, root);
    if !std::ptr::eq(behind, schema) {
        all.extend(parts(behind, root));
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        all.extend(parts(part, root));
    }
    all
}

/// The properties of one schema: the name of a form first, then what must be there.
fn fields(schema: &Value, root: &Value) -> Vec<Field> {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, field)| match field.get("const").and_then(Value::as_str) {
            Some(fixed) => (0, format!("`\"{name}\": \"{fixed}\"`")),
            None if required.contains(&name.as_str()) => (1, format!("`{name}` ({}, required)", kind(field, root))),
            None => (2, format!("`{name}` ({})", kind(field, root))),
        })
        .collect()
}

/// What a value looks like.
fn kind(field: &Value, root: &Value) -> String {
    let field = followed(field, root);
    if is_target(field) {
        return "[target](#targets)".to_owned();
    }
    if let Some(values) = field.get("enum").and_then(Value::as_array) {
        return words(values.iter().filter_map(Value::as_str));
    }
    let variants = variants(field);
    let constants: Vec<&str> = variants.iter().filter_map(|one| one.get("const").and_then(Value::as_str)).collect();
    if !variants.is_empty() && constants.len() == variants.len() {
        return words(constants);
    }
    if !variants.is_empty() {
        let mut kinds: Vec<String> = variants.iter().map(|one| kind(one, root)).filter(|kind| kind != "null").collect();
        kinds.dedup();
        return kinds.join(" or ");
    }
    if let Some(properties) = field.get("properties").and_then(Value::as_object) {
        return format!("{{{}}}", properties.keys().cloned().collect::<Vec<_>>().join(", "));
    }
    match field.get("type") {
        Some(Value::String(word)) if word == "array" => {
            format!("list of {}", field.get("items").map_or_else(|| "anything".to_owned(), |items| kind(items, root)))
        }
        Some(Value::String(word)) => word.clone(),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).filter(|word| *word != "null").collect::<Vec<_>>().join(" or ")
        }
        _ => "anything".to_owned(),
    }
}

/// What a command aims at is explained once, on the page.
fn is_target(schema: &Value) -> bool {
    let kinds: Vec<&str> =
        variants(schema).iter().filter_map(|form| form.pointer("/properties/kind/const")?.as_str()).collect();
    kinds == ["ref", "selector", "point"]
}

fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
}

fn variants(schema: &Value) -> Vec<&Value> {
    ["oneOf", "anyOf"].iter().filter_map(|group| schema.get(*group).and_then(Value::as_array)).flatten().collect()
}

/// The schema behind a reference.
fn followed<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    match pointer.and_then(|pointer| root.pointer(pointer)) {
        // No schema of ours refers to itself.
        Some(target) => followed(target, root),
        None => schema,
    }
}
