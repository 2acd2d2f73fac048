//! Types as JSON Schema, draft 2020-12, each with everything it needs inside.

use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    schema_for,
    transform::{RecursiveTransform, Transform},
};
use serde_json::Value;

/// The JSON Schema of what is read.
pub fn schema_of<T: JsonSchema>() -> Value {
    schema_for!(T).to_value()
}

/// The JSON Schema of what is written: what is left out where there is nothing is never `null`.
pub fn written_schema_of<T: JsonSchema>() -> Value {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(without_null).transform(&mut schema);
    schema.to_value()
}

/// A property that may be absent is absent instead of `null`.
fn without_null(schema: &mut Schema) {
    let Some(schema) = schema.as_object_mut() else { return };
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !required.contains(name)) {
        let Some(property) = property.as_object_mut() else { continue };
        if property.get("default").is_some_and(Value::is_null) {
            property.remove("default");
        }
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|one| one != "null");
            if let [one] = types.as_slice() {
                let one = one.clone();
                property.insert("type".into(), one);
            }
        }
        if let Some(Value::Array(forms)) = property.get_mut("anyOf") {
            forms.retain(|form| form.get("type").is_none_or(|word| word != "null"));
            if let [Value::Object(one)] = forms.as_slice() {
                let one = one.clone();
                property.remove("anyOf");
                for (key, value) in one {
                    property.entry(key).or_insert(value);
                }
            }
        }
    }
}
