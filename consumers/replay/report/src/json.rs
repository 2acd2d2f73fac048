//! The report for programs, and its schema (`contracts/schemas/suite-report.schema.json`).

use flow::SuiteRecord;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::{
    exit::{Flaky, exit_code},
    facts::Totals,
};

/// A suite's record, and what follows from it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "agent-device suite report", rename = "SuiteReport")]
pub struct Report<'a> {
    /// What happened.
    #[serde(flatten)]
    pub suite: &'a SuiteRecord,
    /// How many flows ended how.
    pub totals: Totals,
    /// What the program exits with: 0 passed, 1 failed, 2 invalid, 3 incomplete.
    pub exit_code: u8,
}

impl<'a> Report<'a> {
    /// Of a suite.
    pub fn of(suite: &'a SuiteRecord, flaky: Flaky) -> Self {
        Self { suite, totals: Totals::of(suite), exit_code: exit_code(suite, flaky) }
    }

    /// The document, with a line end.
    ///
    /// # Errors
    /// Never for records that were made by running something: their keys are texts.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The schema of [`Report`].
pub fn schema() -> Schema {
    schema_for!(Report<'_>)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use serde_json::Value;

    use super::*;
    use crate::samples;

    #[test]
    fn the_report_has_the_record_and_what_follows_from_it() {
        let suite = samples::everything();
        let report: Value = serde_json::from_str(&Report::of(&suite, Flaky::Passes).to_json().unwrap()).unwrap();
        assert_eq!(report["version"], 1);
        assert_eq!(report["exitCode"], 1);
        assert_eq!(report["totals"]["notRun"], 1);
        assert_eq!(report["flows"][3]["attempts"][1]["steps"][2]["failure"]["details"]["dispatched"], "no");
        assert_eq!(report["flows"][3]["attempts"][0]["steps"][2]["line"], 13);
        let again: SuiteRecord = serde_json::from_value(report).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), serde_json::to_value(&suite).unwrap());
    }

    /// `WRITE_DOCS=1` writes it.
    #[test]
    fn the_schema_is_the_one_that_is_published() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../contracts/schemas/suite-report.schema.json");
        let made = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
        if std::env::var_os("WRITE_DOCS").is_some() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &made).unwrap();
        }
        let published = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(
            published, made,
            "the format changed: raise its version if readers break, then run with WRITE_DOCS=1"
        );
    }

    /// Every key that a report has is in the schema, and every key that it must have is in the report.
    #[test]
    fn a_report_keeps_to_its_schema() {
        let suite = samples::everything();
        let report = serde_json::to_value(Report::of(&suite, Flaky::Passes)).unwrap();
        let schema = serde_json::to_value(schema()).unwrap();
        let mut wrong = Vec::new();
        keeps(&report, &schema, &schema, "report", &mut wrong);
        assert!(wrong.is_empty(), "{wrong:#?}");
        let mut without = report;
        without["flows"][0].as_object_mut().unwrap().remove("outcome");
        without["flows"][1]["outcome"] = "good".into();
        without["surprise"] = 1.into();
        keeps(&without, &schema, &schema, "report", &mut wrong);
        assert_eq!(wrong.len(), 3, "{wrong:#?}");
    }

    /// As much of JSON Schema as the schema uses: references, properties, items, enumerations.
    fn keeps(value: &Value, schema: &Value, root: &Value, at: &str, wrong: &mut Vec<String>) {
        if let Some(path) = schema["$ref"].as_str() {
            return keeps(value, root.pointer(path.trim_start_matches('#')).unwrap(), root, at, wrong);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let choice = choices.iter().find(|choice| (choice["type"] == "null") == value.is_null());
            return keeps(value, choice.unwrap(), root, at, wrong);
        }
        let one_of = schema["oneOf"].as_array().into_iter().flatten().map(|choice| &choice["const"]);
        let words: Vec<_> = schema["enum"].as_array().into_iter().flatten().chain(one_of).collect();
        if !words.is_empty() && !words.contains(&value) {
            wrong.push(format!("{at}: {value} is none of {words:?}"));
        }
        if let (Value::Object(fields), Some(known)) = (value, schema["properties"].as_object()) {
            for (key, field) in fields {
                match known.get(key) {
                    Some(known) => keeps(field, known, root, &format!("{at}.{key}"), wrong),
                    None => wrong.push(format!("{at}.{key}: unknown")),
                }
            }
            for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !fields.contains_key(key) {
                    wrong.push(format!("{at}.{key}: missing"));
                }
            }
        }
        if let (Value::Array(items), Some(item)) = (value, schema.get("items")) {
            for (index, value) in items.iter().enumerate() {
                keeps(value, item, root, &format!("{at}[{index}]"), wrong);
            }
        }
    }
}
