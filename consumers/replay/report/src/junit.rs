//! The report for CI servers: JUnit XML in the dialect of Surefire, which Jenkins, GitLab, GitHub actions and Azure read.
//!
//! One suite per folder, one case per flow. A flow that failed is a `failure`; one whose device or file failed is an
//! `error`. Attempts before the last are `rerunFailure`, or `flakyFailure` where the last passed.

use std::fmt::Write as _;

use flow::{Attempt, FlowRecord, Outcome, SuiteRecord};

use crate::{
    clock,
    facts::{self, Totals, Why},
    terminal,
    xml::Writer,
};

/// The document.
pub fn junit(suite: &SuiteRecord) -> String {
    let mut xml = Writer::new();
    let mut attributes = vec![("name", "agent-device".to_owned())];
    attributes.extend(counts(&Totals::of(suite), suite.duration_ms, suite.started_at_ms));
    xml.open("testsuites", &attributes);
    for folder in folders(suite) {
        let flows = || suite.flows.iter().filter(|flow| folder_of(&flow.file) == folder);
        let started = flows().flat_map(|flow| &flow.attempts).map(|attempt| attempt.started_at_ms).min();
        let mut attributes = vec![("name", if folder.is_empty() { ".".to_owned() } else { folder.to_owned() })];
        let duration = flows().map(facts::duration_ms).sum();
        attributes.extend(counts(&Totals::among(flows()), duration, started.unwrap_or(suite.started_at_ms)));
        xml.open("testsuite", &attributes);
        xml.open("properties", &[]);
        property(&mut xml, "agent-device", &suite.agent_device);
        property(&mut xml, "run", &suite.run_id);
        xml.close();
        for flow in flows() {
            case(&mut xml, suite, flow);
        }
        xml.close();
    }
    xml.finish()
}

/// In the order in which they first occur.
fn folders(suite: &SuiteRecord) -> Vec<&str> {
    let mut folders = Vec::new();
    for flow in &suite.flows {
        let folder = folder_of(&flow.file);
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn counts(totals: &Totals, duration_ms: u64, started_at_ms: u64) -> Vec<(&'static str, String)> {
    vec![
        ("tests", totals.flows.to_string()),
        ("failures", totals.failed.to_string()),
        ("errors", (totals.infrastructure + totals.invalid).to_string()),
        ("skipped", totals.not_run.to_string()),
        ("time", clock::seconds(duration_ms)),
        ("timestamp", clock::timestamp(started_at_ms)),
    ]
}

fn property(xml: &mut Writer, name: &str, value: &str) {
    xml.leaf("property", &[("name", name.to_owned()), ("value", value.to_owned())], "");
}

fn case(xml: &mut Writer, suite: &SuiteRecord, flow: &FlowRecord) {
    let stem = flow.file.rsplit_once('.').map_or(flow.file.as_str(), |(stem, _)| stem);
    let mut attributes = vec![
        ("name", facts::title(suite, flow)),
        // Readers take dots for folders.
        ("classname", stem.trim_start_matches("./").replace('/', ".")),
        ("file", flow.file.clone()),
        ("time", clock::seconds(facts::duration_ms(flow))),
    ];
    if let Some(first) = flow.attempts.first() {
        attributes.push(("timestamp", clock::timestamp(first.started_at_ms)));
    }
    xml.open("testcase", &attributes);
    properties(xml, flow);
    verdict(xml, flow);
    let out = output(flow);
    if !out.is_empty() {
        xml.leaf("system-out", &[], &out);
    }
    xml.close();
}

fn properties(xml: &mut Writer, flow: &FlowRecord) {
    let last = flow.attempts.last();
    let mut found: Vec<(&str, String)> = flow.tags.iter().map(|tag| ("tag", tag.clone())).collect();
    found.extend(flow.shard.map(|shard| ("shard", format!("{}/{}", shard.index, shard.count))));
    found.extend(last.filter(|_| flow.attempts.len() > 1).map(|last| ("attempts", last.number.to_string())));
    found.extend(last.map(|last| ("session", last.session.clone())));
    found.extend(last.and_then(|last| last.device.clone()).map(|device| ("device", device)));
    if found.is_empty() {
        return;
    }
    xml.open("properties", &[]);
    for (name, value) in found {
        property(xml, name, &value);
    }
    xml.close();
}

fn verdict(xml: &mut Writer, flow: &FlowRecord) {
    let element = match flow.outcome {
        Outcome::Passed | Outcome::Flaky => None,
        Outcome::Failed => Some("failure"),
        Outcome::Infrastructure | Outcome::Invalid => Some("error"),
        Outcome::NotRun => Some("skipped"),
    };
    if let (Some(element), Some(why)) = (element, facts::why_not(flow)) {
        let mut attributes = vec![("message", why.told.message.to_owned())];
        match (why.told.code, flow.outcome) {
            ("", Outcome::Invalid) => attributes.push(("type", "INVALID".to_owned())),
            ("", _) => {}
            (code, _) => attributes.push(("type", code.to_owned())),
        }
        xml.leaf(element, &attributes, &if flow.outcome == Outcome::NotRun { String::new() } else { body(&why) });
    }
    for attempt in facts::earlier_failures(flow) {
        let why = facts::why(flow, attempt);
        let element = match (flow.outcome, attempt.outcome) {
            (Outcome::Flaky, Outcome::Infrastructure) => "flakyError",
            (Outcome::Flaky, _) => "flakyFailure",
            (_, Outcome::Infrastructure) => "rerunError",
            (_, _) => "rerunFailure",
        };
        let attributes = [
            ("timestamp", clock::timestamp(attempt.started_at_ms)),
            ("time", clock::seconds(attempt.duration_ms)),
            ("message", why.told.message.to_owned()),
            ("type", why.told.code.to_owned()),
        ];
        xml.open(element, &attributes);
        xml.leaf("stackTrace", &[], &body(&why));
        xml.close();
    }
}

/// What a person reads when the case is opened.
fn body(why: &Why<'_>) -> String {
    let mut body = String::new();
    let _ = match why.told.code {
        "" => write!(body, "{}", why.told.message),
        code => write!(body, "{code}: {}", why.told.message),
    };
    let _ = match (why.line, why.step) {
        (Some(line), Some(step)) => write!(body, "\n  at {}:{line} {step}", why.file),
        _ => write!(body, "\n  at {}", why.file),
    };
    if let Some(reached) = why.told.reached() {
        let _ = write!(body, "\nDispatched: {reached}");
    }
    if let Some(hint) = why.told.hint {
        let _ = write!(body, "\nHint: {hint}");
    }
    body
}

fn output(flow: &FlowRecord) -> String {
    let mut out = String::new();
    for attempt in &flow.attempts {
        let _ = writeln!(
            out,
            "Attempt {}: {} in {}, session {}{}",
            attempt.number,
            facts::word(attempt.outcome),
            clock::short(attempt.duration_ms),
            attempt.session,
            attempt.device.as_ref().map(|device| format!(", device {device}")).unwrap_or_default()
        );
        out.push_str(&terminal::steps(attempt));
        for path in files(attempt) {
            let _ = writeln!(out, "[[ATTACHMENT|{path}]]");
        }
    }
    out
}

fn files(attempt: &Attempt) -> impl Iterator<Item = &String> {
    let page = attempt.trace.iter().filter(|page| !attempt.artifacts.contains(page));
    page.chain(&attempt.artifacts)
}

#[cfg(test)]
mod tests {
    use quick_junit::{NonSuccessKind, Report, TestCaseStatus};

    use super::*;
    use crate::samples;

    fn read(suite: &SuiteRecord) -> Report {
        let written = junit(suite);
        Report::deserialize_from_str(&written).unwrap_or_else(|why| panic!("{why}\n{written}"))
    }

    #[test]
    fn another_reader_finds_the_counts_and_the_folders() {
        let report = read(&samples::everything());
        assert_eq!((report.tests, report.failures, report.errors, report.skipped), (7, 1, 2, 1));
        let suites: Vec<_> = report.test_suites.iter().map(|suite| (suite.name.as_str(), suite.tests)).collect();
        assert_eq!(suites, [(".", 4), ("flows", 3)]);
        for suite in &report.test_suites {
            let cases = &suite.test_cases;
            assert_eq!(cases.len(), suite.tests);
            let of = |kind| {
                cases
                    .iter()
                    .filter(
                        |case| matches!(&case.status, TestCaseStatus::NonSuccess { kind: found, .. } if *found == kind),
                    )
                    .count()
            };
            assert_eq!((of(NonSuccessKind::Failure), of(NonSuccessKind::Error)), (suite.failures, suite.errors));
        }
        assert_eq!(report.time.unwrap().as_millis(), 12_345);
    }

    #[test]
    fn another_reader_finds_the_failure_and_its_attempts() {
        let report = read(&samples::everything());
        let case = |name: &str| {
            report
                .test_suites
                .iter()
                .flat_map(|suite| &suite.test_cases)
                .find(|case| case.name.as_str() == name)
                .unwrap()
        };
        let TestCaseStatus::NonSuccess { kind, message, ty, description, reruns } = &case("pay & go").status else {
            panic!("{:?}", case("pay & go"));
        };
        assert_eq!(*kind, NonSuccessKind::Failure);
        assert_eq!(message.as_deref(), Some("\"Pay\" is covered by [dialog] \"Cookies <b>\""));
        assert_eq!(ty.as_deref(), Some("ELEMENT_COVERED"));
        assert_eq!(
            description.as_deref(),
            Some(
                "ELEMENT_COVERED: \"Pay\" is covered by [dialog] \"Cookies <b>\"\n  at flows/pay.yaml:13 tapOn \"Pay\"\n\
                 Dispatched: no\nHint: press the dialog's own button first"
            )
        );
        assert_eq!(reruns.runs.len(), 1);
        assert_eq!(case("pay & go").classname.as_deref(), Some("flows.pay"));
        let out = case("pay & go").system_out.as_deref().unwrap();
        assert!(
            out.contains("[[ATTACHMENT|/artifacts/pay/attempt-2/trace.html]]\n[[ATTACHMENT|/artifacts/pay/last.png]]"),
            "{out}"
        );

        let TestCaseStatus::Success { flaky_runs } = &case("wavers").status else { panic!("{:?}", case("wavers")) };
        assert_eq!((flaky_runs.len(), flaky_runs[0].kind), (1, NonSuccessKind::Failure));
        let TestCaseStatus::NonSuccess { kind, ty, .. } = &case("gone").status else { panic!() };
        assert_eq!((*kind, ty.as_deref()), (NonSuccessKind::Error, Some("DEVICE_UNAVAILABLE")));
        let TestCaseStatus::NonSuccess { kind, ty, .. } = &case("wrong").status else { panic!() };
        assert_eq!((*kind, ty.as_deref()), (NonSuccessKind::Error, Some("INVALID")));
        let TestCaseStatus::Skipped { message, .. } = &case("later").status else { panic!() };
        assert_eq!(message.as_deref(), Some("stopped by --fail-fast"));
        assert_eq!(case("login [shard 2 of 2]").classname.as_deref(), Some("login"));
    }

    #[test]
    fn one_case_in_full() {
        let written = junit(&samples::everything());
        let begin = written.find("    <testcase name=\"login [shard 1 of 2]\"").unwrap();
        let end = begin + written[begin..].find("</testcase>").unwrap();
        assert_eq!(
            &written[begin..end],
            r#"    <testcase name="login [shard 1 of 2]" classname="login" file="login.ad" time="0.900" timestamp="2026-11-30T18:59:07.000Z">
      <properties>
        <property name="tag" value="smoke"/>
        <property name="tag" value="fast"/>
        <property name="shard" value="1/2"/>
        <property name="session" value="suite-1-1"/>
        <property name="device" value="stage-1"/>
      </properties>
      <system-out>Attempt 1: passed in 900 ms, session suite-1-1, device stage-1
  passed  press label="Save" 90 ms (flows/pay.yaml:11)
</system-out>
    "#
        );
    }

    #[test]
    fn letters_that_xml_cannot_hold_do_not_break_it() {
        let mut suite = samples::everything();
        suite.flows[3].name = "a\u{0}\u{1b}[31m\u{fffe}\"<&>".to_owned();
        suite.flows[3].attempts[1].failure =
            Some(serde_json::json!({"code": "C", "message": "]]>\u{b}\n\u{1f}", "details": {}}));
        let written = junit(&suite);
        assert!(written.contains("name=\"a\u{fffd}\u{fffd}[31m\u{fffd}&quot;&lt;&amp;&gt;\""), "{written}");
        assert!(written.contains("message=\"]]&gt;\u{fffd}&#10;\u{fffd}\""), "{written}");
        assert_eq!(read(&suite).tests, 7);
    }

    proptest::proptest! {
        #[test]
        fn whatever_an_app_says_the_document_can_be_read(text in proptest::prelude::any::<String>()) {
            let mut suite = samples::everything();
            suite.flows[3].name.clone_from(&text);
            suite.flows[3].attempts[1].steps[2].text.clone_from(&text);
            suite.flows[3].attempts[1].failure = Some(serde_json::json!({"code": text, "message": text}));
            let report = read(&suite);
            proptest::prop_assert_eq!(report.tests, 7);
        }
    }
}
