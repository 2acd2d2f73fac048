//! The gate holds for the table as it is, and objects to everything that it is there for.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::collections::BTreeSet;

use proof::{
    drivers,
    gate::{Objection, check, judge},
    line::Line,
    recorder::Recorder,
    rooms::{self, Member},
    seen::{Seen, Told},
    sources,
    table::{self, Outcome, TableRow, Value},
    workspace,
    world::World,
};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixListener,
};

fn ids() -> Vec<&'static str> {
    drivers::all().map(|driver| driver.row.id()).collect()
}

fn used() -> BTreeSet<String> {
    sources::used_rows(&workspace())
}

#[test]
fn every_row_has_a_driver_and_a_source_and_every_driver_has_a_row() {
    assert_eq!(check(&table::read(), &ids(), &used(), &[]), []);
}

/// The page that names rows of another program's table beside ours.
#[test]
fn every_row_of_another_programs_table_has_its_answer() {
    let page = std::fs::read_to_string(workspace().join("contracts/README.md")).unwrap();
    assert_eq!(foreign(&page), Vec::<String>::new());
}

#[test]
fn a_foreign_row_without_an_answer_or_with_a_made_up_one_is_objected_to() {
    let page = std::fs::read_to_string(workspace().join("contracts/README.md")).unwrap();
    let line = "| `webdriver.timeout-after-send` | `webdriver.timeout-after-send` | |";
    for (instead, why) in [
        ("", "78 of its 79 rows"),
        ("| `webdriver.timeout-after-send` | | |", "neither a row of ours nor a reason"),
        ("| `webdriver.timeout-after-send` | `webdriver.made-up` | |", "no such row of ours"),
        ("| `webdriver.connect-refused` | `webdriver.connect-refused` | |", "twice"),
    ] {
        let wrong = foreign(&page.replace(line, instead)).join(" ");
        assert!(wrong.contains(why), "{why}: {wrong}");
    }
}

/// What is wrong with the lines `| its row | ours or nothing | a remark |`.
fn foreign(page: &str) -> Vec<String> {
    let lines: Vec<_> =
        page.lines().filter(|line| line.starts_with("| `") && line.matches(" |").count() >= 3).collect();
    let cell = |line: &str, at: usize| line.split('|').nth(at).unwrap_or_default().trim().to_owned();
    let reasons = ["cannot occur", "no Apple backend yet", "no Maestro runner yet"];
    let ours: BTreeSet<String> = table::read().into_iter().map(|row| row.id).collect();
    let mut wrong = Vec::new();
    if lines.len() != 79 {
        wrong.push(format!("{} of its 79 rows", lines.len()));
    }
    let mut seen = BTreeSet::new();
    for line in lines {
        let (theirs, named, remark) = (cell(line, 1), cell(line, 2), cell(line, 3));
        let named = named.trim_matches('`');
        if !seen.insert(theirs) {
            wrong.push(format!("twice: {line}"));
        }
        if named.is_empty() && !reasons.iter().any(|reason| remark.starts_with(reason)) {
            wrong.push(format!("neither a row of ours nor a reason: {line}"));
        }
        // The remark, too, speaks of rows that exist.
        let others =
            remark.split('`').skip(1).step_by(2).filter(|word| word.contains('.') && !word.contains(['/', ' ']));
        for row in others.chain(Some(named).filter(|named| !named.is_empty())) {
            if !ours.contains(row) {
                wrong.push(format!("no such row of ours: {row}: {line}"));
            }
        }
    }
    wrong
}

#[test]
fn a_row_without_a_driver_is_objected_to() {
    let ids: Vec<_> = ids().into_iter().filter(|id| *id != "stage.refused").collect();
    assert_eq!(check(&table::read(), &ids, &used(), &[]), [Objection::RowWithoutDriver("stage.refused".into())]);
}

#[test]
fn a_driver_without_a_row_is_objected_to() {
    let table: Vec<_> = table::read().into_iter().filter(|row| row.id != "stage.refused").collect();
    assert_eq!(check(&table, &ids(), &used(), &[]), [Objection::DriverWithoutRow("stage.refused".into())]);
}

#[test]
fn a_second_row_or_driver_of_the_same_id_is_objected_to() {
    let mut rows = table::read();
    rows.push(rows.first().unwrap().clone());
    let first = rows.first().unwrap().id.clone();
    assert_eq!(check(&rows, &ids(), &used(), &[]), [Objection::DuplicateRow(first)]);
    let drivers = [ids(), vec!["stage.refused"]].concat();
    assert_eq!(check(&table::read(), &drivers, &used(), &[]), [Objection::DuplicateDriver("stage.refused".into())]);
}

#[test]
fn a_row_that_no_source_speaks_of_is_objected_to() {
    let mut used = used();
    assert!(used.remove("stage.refused"));
    assert_eq!(check(&table::read(), &ids(), &used, &[]), [Objection::UnusedVariant("stage.refused".into())]);
}

#[test]
fn a_row_is_used_where_product_code_names_it_and_not_where_tests_do() {
    let text =
        "Failure::refused(Row::StageRefused, x)\n#[cfg(test)]\nmod tests { Row::StageLookLost }\n// Row::StageRefusedX";
    assert_eq!(sources::named(text), BTreeSet::from(["stage.refused".to_owned()]));
    assert_eq!(sources::named("Row::StageRefusedX"), BTreeSet::new());
}

/// A real failure: one press that the simulated device refuses, and its row.
async fn refused_press() -> (TableRow, Seen) {
    let world = World::start(None).await;
    let driver = drivers::all().find(|driver| driver.row.id() == "stage.refused").unwrap();
    let seen = (driver.run)(&world).await;
    assert_eq!(world.end().await, Vec::<String>::new());
    (table::of(driver.row), seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_differs_from_the_table_is_objected_to() {
    let (row, seen) = refused_press().await;
    assert_eq!(judge(&row, &seen), []);
    let flipped = TableRow { dispatched: Value::Unknown, ..row.clone() };
    let [Objection::OtherValue { what, wanted, seen: saw, .. }] = &judge(&flipped, &seen)[..] else {
        panic!("no objection")
    };
    assert_eq!((*what, wanted.as_str(), saw.as_str()), ("dispatched", "unknown", "no"));
    let steps = TableRow { dispatched_steps: 2, ..row.clone() };
    assert!(matches!(&judge(&steps, &seen)[..], [Objection::OtherValue { what: "dispatchedSteps", .. }]));
    let other = TableRow { id: "stage.look-lost".into(), ..row.clone() };
    assert!(matches!(&judge(&other, &seen)[..], [Objection::OtherValue { what: "dispatchRow", .. }]));
    // The same through the whole gate, where the flipped row stands among all others.
    let mut rows = table::read();
    rows.iter_mut().filter(|entry| entry.id == row.id).for_each(|entry| entry.dispatched = Value::Unknown);
    assert_eq!(check(&rows, &ids(), &used(), &[("stage.refused", &seen)]).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_false_no_a_false_refusal_and_a_second_effect_are_objected_to() {
    let (row, honest) = refused_press().await;
    let mut landed = honest.clone();
    landed.truth.landed = 1;
    assert_eq!(judge(&row, &landed), [Objection::FalseNo(row.id.clone())]);
    let refuses = TableRow { outcome: Some(Outcome::Refused), ..row.clone() };
    assert_eq!(judge(&refuses, &honest), []);
    let mut done = honest.clone();
    done.truth.achieved = true;
    assert_eq!(judge(&refuses, &done), [Objection::RefusedAndDone(row.id.clone())]);
    let mut twice = honest;
    twice.truth.landed = 2;
    assert_eq!(
        judge(&row, &twice),
        [Objection::FalseNo(row.id.clone()), Objection::DoneTwice { row: row.id, asked: 1, landed: 2 }]
    );
}

#[test]
fn a_resolved_row_must_be_told_as_done_and_be_done_once() {
    let row = table::of(contract::Row::HelperJournalCompleted);
    let answer = json!({"resolvedRow": "helper.journal.completed"});
    assert_eq!(judge(&row, &Told::resolved(&answer).and(1, 1)), []);
    assert_eq!(
        judge(&row, &Told::resolved(&answer).and(0, 1)),
        [Objection::ResolvedAndNotDone("helper.journal.completed".into())]
    );
    assert!(matches!(judge(&row, &Told::resolved(&answer).and(2, 1)).as_slice(), [Objection::DoneTwice { .. }]));
    assert_eq!(judge(&row, &Told::resolved(&json!({})).and(1, 1)).len(), 2, "a plain success is no resolved one");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_without_its_value_is_objected_to_wherever_it_is_seen() {
    let (row, mut seen) = refused_press().await;
    let mut error = seen.told.error.clone();
    error["details"].as_object_mut().unwrap().remove("dispatched");
    seen.told = Told::of(&error);
    assert!(judge(&row, &seen).iter().any(|objection| matches!(objection, Objection::Malformed { .. })));

    // On the socket, before any driver looks at it.
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("s");
    let listener = UnixListener::bind(&socket).unwrap();
    let reply = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "x", "data": error}});
    tokio::spawn(async move {
        let mut stream = BufReader::new(listener.accept().await.unwrap().0);
        stream.read_line(&mut String::new()).await.unwrap();
        stream.get_mut().write_all(format!("{reply}\n").as_bytes()).await.unwrap();
    });
    let recorder = Recorder::default();
    Line::raw(&socket, &recorder).await.call("run", &json!({})).await.unwrap_err();
    assert_eq!(recorder.objections().len(), 1);
}

#[test]
fn a_failure_must_agree_with_its_own_row() {
    let told = |dispatched: &str, steps: u64, row: &str, code: &str| {
        let details = json!({"dispatched": dispatched, "dispatchedSteps": steps, "dispatchRow": row});
        proof::recorder::objection(&Told::of(&json!({"code": code, "message": "x", "details": details})))
    };
    assert_eq!(told("no", 0, "stage.refused", "COMMAND_FAILED"), None);
    for (what, objection) in [
        ("another value than its row", told("unknown", 0, "stage.refused", "COMMAND_FAILED")),
        ("no such value", told("yes", 0, "stage.refused", "COMMAND_FAILED")),
        ("no such row", told("no", 0, "stage.made-up", "COMMAND_FAILED")),
        ("no such code", told("no", 0, "stage.refused", "E_MADE_UP")),
        ("no after a send", told("no", 1, "stage.refused", "COMMAND_FAILED")),
    ] {
        assert!(objection.is_some(), "{what}");
    }
}

#[test]
fn every_crate_keeps_to_the_rule_between_rooms() {
    let members = rooms::members(&workspace());
    assert!(members.len() >= 10, "the workspace is read: {members:?}");
    assert!(members.iter().any(|member| member.folder == "daemon" && member.needs.contains(&"core/wire".to_owned())));
    assert_eq!(rooms::broken(&members), Vec::<String>::new());
}

#[test]
fn a_crate_that_breaks_the_rule_between_rooms_is_objected_to() {
    for (folder, need) in [
        ("core/contract", "core/screen"),
        ("core/screen", "core/wire"),
        ("core/wire", "daemon"),
        ("core/backend", "backends/stage"),
        ("backends/stage", "backends/webdriver"),
        ("backends/webdriver", "daemon"),
        ("daemon", "consumers/cli"),
        ("daemon", "proof"),
        ("consumers/cli", "core/wire"),
        ("consumers/cli", "backends/stage"),
        ("elsewhere", "core/contract"),
    ] {
        let member = Member { folder: folder.into(), needs: vec![need.into()] };
        assert_eq!(rooms::broken(&[member]).len(), 1, "{folder} -> {need}");
    }
}
