//! The gate: what is wrong with the table, the drivers, the sources and what the drivers saw.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use crate::{
    recorder,
    seen::{RESOLVED, Seen},
    table::{Outcome, TableRow, Value},
};

/// Something that must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objection {
    /// A row that no driver tries.
    RowWithoutDriver(String),
    /// A driver of a row that does not exist.
    DriverWithoutRow(String),
    /// Two drivers for one row.
    DuplicateDriver(String),
    /// Two rows of one id.
    DuplicateRow(String),
    /// No source speaks of the row.
    UnusedVariant(String),
    /// The caller was told something else than the table says.
    OtherValue {
        /// The row.
        row: String,
        /// Which value.
        what: &'static str,
        /// In the table.
        wanted: String,
        /// In front of the caller.
        seen: String,
    },
    /// Told `no`, and it reached the app.
    FalseNo(String),
    /// A failure is told, and what was asked for came about although the row says that it does not.
    RefusedAndDone(String),
    /// A success is told of what did not come about.
    ResolvedAndNotDone(String),
    /// More reached the app than was asked for.
    DoneTwice {
        /// The row.
        row: String,
        /// Effects asked for.
        asked: u32,
        /// Effects that reached the app.
        landed: u32,
    },
    /// A failure that does not say what every failure must.
    Malformed {
        /// The row.
        row: String,
        /// What is wrong.
        why: String,
    },
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::RowWithoutDriver(row) => write!(f, "{row}: no driver tries it"),
            Objection::DriverWithoutRow(row) => write!(f, "{row}: a driver without a row"),
            Objection::DuplicateDriver(row) => write!(f, "{row}: two drivers"),
            Objection::DuplicateRow(row) => write!(f, "{row}: two rows of this id"),
            Objection::UnusedVariant(row) => write!(f, "{row}: no source speaks of it"),
            Objection::OtherValue { row, what, wanted, seen } => {
                write!(f, "{row}: {what} is {wanted} in the table, the caller saw {seen}")
            }
            Objection::FalseNo(row) => write!(f, "{row}: told `no`, and it reached the app"),
            Objection::RefusedAndDone(row) => write!(f, "{row}: told to be refused, and what was asked for came about"),
            Objection::ResolvedAndNotDone(row) => write!(f, "{row}: told to be done, and it was not"),
            Objection::DoneTwice { row, asked, landed } => {
                write!(f, "{row}: {landed} effects where {asked} were asked for")
            }
            Objection::Malformed { row, why } => write!(f, "{row}: {why}"),
        }
    }
}

/// Everything that is wrong.
///
/// `drivers` and `used` are ids of rows: those that are tried, and those that the sources name. `results` may hold
/// fewer rows than `drivers`: each driver runs as a test of its own and brings its own result.
pub fn check(
    table: &[TableRow],
    drivers: &[&str],
    used: &BTreeSet<String>,
    results: &[(&str, &Seen)],
) -> Vec<Objection> {
    let mut objections = Vec::new();
    objections.extend(repeated(table.iter().map(|row| row.id.as_str())).map(Objection::DuplicateRow));
    objections.extend(repeated(drivers.iter().copied()).map(Objection::DuplicateDriver));
    for row in table {
        if !drivers.contains(&row.id.as_str()) {
            objections.push(Objection::RowWithoutDriver(row.id.clone()));
        }
        if !used.contains(&row.id) {
            objections.push(Objection::UnusedVariant(row.id.clone()));
        }
    }
    for driver in drivers.iter().filter(|driver| !table.iter().any(|row| row.id == **driver)) {
        objections.push(Objection::DriverWithoutRow((*driver).to_owned()));
    }
    for (id, seen) in results {
        objections.extend(table.iter().filter(|row| row.id == *id).flat_map(|row| judge(row, seen)));
    }
    objections
}

/// What is wrong with one result.
pub fn judge(row: &TableRow, seen: &Seen) -> Vec<Objection> {
    let Seen { told, truth } = seen;
    let mut objections = Vec::new();
    let mut differs = |what, wanted: String, seen: String| {
        if wanted != seen {
            objections.push(Objection::OtherValue { row: row.id.clone(), what, wanted, seen });
        }
    };
    let resolved = row.outcome == Some(Outcome::Resolved);
    let wanted = if resolved { RESOLVED } else { row.dispatched.word() };
    differs("dispatched", wanted.into(), told.dispatched.clone());
    differs("dispatchedSteps", row.dispatched_steps.to_string(), told.steps.to_string());
    differs("dispatchRow", row.id.clone(), told.row.clone().unwrap_or_default());
    if told.dispatched == Value::No.word() && truth.landed > 0 {
        objections.push(Objection::FalseNo(row.id.clone()));
    }
    if resolved && !truth.achieved {
        objections.push(Objection::ResolvedAndNotDone(row.id.clone()));
    }
    if row.outcome == Some(Outcome::Refused) && truth.achieved {
        objections.push(Objection::RefusedAndDone(row.id.clone()));
    }
    if truth.landed > truth.asked {
        objections.push(Objection::DoneTwice { row: row.id.clone(), asked: truth.asked, landed: truth.landed });
    }
    if let Some(why) = recorder::objection(told).filter(|_| !resolved) {
        objections.push(Objection::Malformed { row: row.id.clone(), why });
    }
    objections
}

fn repeated<'a>(ids: impl Iterator<Item = &'a str>) -> impl Iterator<Item = String> {
    let mut counts = BTreeMap::new();
    for id in ids {
        *counts.entry(id.to_owned()).or_insert(0) += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(id, _)| id)
}
