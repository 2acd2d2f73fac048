//! One case after the other at one place.

use serde_json::{Value, json};

use super::{
    Case, Place, Step, Surface,
    cases::{self, Expect},
    pattern::{Names, comparable, filled, unfit},
};
use crate::program::Program;

/// The session that cases share.
const SHARED: &str = "conformance";

/// What became of all cases.
#[derive(Debug, Default)]
pub struct Report {
    /// Cases that went as expected.
    pub passed: Vec<String>,
    /// Cases that the surface cannot run, with what it does not offer.
    pub left_out: Vec<String>,
    /// Cases that did not, and why.
    pub failed: Vec<String>,
}

/// Runs every case of a place.
pub async fn run(surface: &mut dyn Surface, place: Place, program: &Program) -> Report {
    run_cases(&cases::all(), surface, place, program).await
}

/// Runs these cases.
pub async fn run_cases(cases: &[Case], surface: &mut dyn Surface, place: Place, program: &Program) -> Report {
    let mut report = Report::default();
    for case in cases.iter().filter(|case| case.on.is_empty() || case.on.contains(&place)) {
        let missing: Vec<&str> = case.needs.iter().map(String::as_str).filter(|need| !surface.offers(need)).collect();
        if !missing.is_empty() {
            report.left_out.push(format!("{} ({})", case.id, missing.join(", ")));
            continue;
        }
        match one(case, surface, place, program).await {
            Ok(()) => report.passed.push(case.id.clone()),
            Err(why) => report.failed.push(format!("{} ({}): {why}", case.id, case.about)),
        }
    }
    // What is left open would keep the daemon busy when it is to end.
    let _closed = surface.call(SHARED, &step("close", json!({}))).await;
    report
}

fn step(command: &str, args: Value) -> Step {
    Step {
        command: command.to_owned(),
        args,
        device: None,
        timeout_ms: None,
        readiness_timeout_ms: None,
        request_id: None,
        cancel_after_ms: None,
        expect: Expect::Ok(json!({})),
        keep: Default::default(),
    }
}

async fn one(case: &Case, surface: &mut dyn Surface, place: Place, program: &Program) -> Result<(), String> {
    let session = if case.opened { SHARED.to_owned() } else { case.id.replace('.', "-") };
    let mut names = Names::from([
        ("app".to_owned(), place.app().into()),
        ("platform".to_owned(), place.word().into()),
        ("session".to_owned(), session.as_str().into()),
        ("folder".to_owned(), program.folder().display().to_string().into()),
        ("unique".to_owned(), format!("{}-{}", case.id, place.word()).into()),
    ]);
    if case.opened {
        opened(surface, place).await?;
    }
    let went = all_steps(case, surface, &session, &mut names).await;
    if !case.opened {
        // Closed by the case itself is as good.
        let _closed = surface.call(&session, &step("close", json!({}))).await;
    }
    went
}

async fn all_steps(case: &Case, surface: &mut dyn Surface, session: &str, names: &mut Names) -> Result<(), String> {
    for (number, step) in (1..).zip(&case.steps) {
        taken(step, surface, session, names).await.map_err(|why| format!("step {number}, {}: {why}", step.command))?;
    }
    Ok(())
}

/// The app from its beginning.
async fn opened(surface: &mut dyn Surface, place: Place) -> Result<(), String> {
    let open = step("open", json!({"app": place.app()}));
    if surface.call(SHARED, &open).await.is_ok() {
        return Ok(());
    }
    // What a case before left, such as a dialog.
    let _closed = surface.call(SHARED, &step("close", json!({}))).await;
    surface.call(SHARED, &open).await.map(|_| ()).map_err(|error| format!("the app does not open: {error}"))
}

async fn taken(step: &Step, surface: &mut dyn Surface, session: &str, names: &mut Names) -> Result<(), String> {
    let mut asked = step.clone();
    asked.args = filled(&step.args, names)?;
    if let Some(id) = &step.request_id {
        asked.request_id = filled(&id.as_str().into(), names)?.as_str().map(str::to_owned);
    }
    let got = surface.call(session, &asked).await;
    let why = match (&step.expect, &got) {
        (Expect::Ok(wanted), Ok(data)) => unfit(&filled(wanted, names)?, Some(data), "data"),
        (Expect::Failed(wanted), Err(error)) => unfit(&filled(wanted, names)?, Some(&comparable(error)), "failure"),
        (Expect::Ok(_), Err(_)) => Some("it failed".to_owned()),
        (Expect::Failed(_), Ok(_)) => Some("it worked".to_owned()),
    };
    if let Some(why) = why {
        return Err(format!("{why}\n    {}", got.unwrap_or_else(|error| error)));
    }
    let data = got.unwrap_or_default();
    for (name, keep) in &step.keep {
        let from = match (&keep.list, &keep.fits) {
            (Some(list), Some(fits)) => {
                let items = data[list].as_array().into_iter().flatten();
                items.into_iter().find(|item| unfit(fits, Some(item), list).is_none())
            }
            _ => Some(&data),
        };
        let value = from.and_then(|from| from.get(&keep.take));
        let value = value.ok_or_else(|| format!("there is no {} to keep as {name}: {data}", keep.take))?;
        names.insert(name.clone(), value.clone());
    }
    Ok(())
}
