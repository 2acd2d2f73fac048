//! batch: several commands in one request. The steps share the request's ledger, so that each send is counted once.

use contract::{Claim, Command, Dispatched, Effect, Failure, Request, Row, command::Batch, request::Answer};
use serde_json::json;
use wire::Context;

use crate::{
    router::{Outcome, Router},
    sessions::Held,
};

/// Runs the steps in order and stops at the first that fails.
///
/// # Errors
/// The step's failure, with its number and the answers of the steps before.
pub async fn run(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    held: &mut Held,
    args: &Batch,
    outcome: &mut Outcome,
) -> Result<Answer, Failure> {
    let steps = args.commands()?;
    let total = steps.len();
    let mut results = Vec::new();
    let mut texts = Vec::new();
    for (step, number) in steps.into_iter().zip(1usize..) {
        let before = context.ledger.sends();
        let result = async {
            outcome.grace.lengthened(context).check()?;
            router.step(context, request, name, held, &step, outcome).await
        };
        match result.await {
            Ok(answer) => {
                if let Some(text) = &answer.text {
                    texts.push(format!("{number}. {}: {text}", step.spec().name));
                }
                results.push(json!({"step": number, "command": step.spec().name, "data": answer.data}));
            }
            Err(failure) => return Err(stopped(failure, number, total, &step, before.any(), results)),
        }
    }
    Ok(Answer::new(json!({"steps": results, "completed": total}), texts.join("\n")))
}

/// A step's failure as the batch's: same code, with the row of the batch where earlier steps decide.
fn stopped(
    failure: Failure,
    number: usize,
    total: usize,
    step: &Command,
    sent_before: bool,
    results: Vec<serde_json::Value>,
) -> Failure {
    let name = step.spec().name;
    let not_sent =
        step.effect() == Effect::Observes || failure.claim().is_some_and(|claim| claim.dispatched == Dispatched::No);
    let claim = match (sent_before, not_sent) {
        (true, _) => Some(Claim { row: Row::DaemonBatchMutationThenRefusedStep, dispatched: Dispatched::Unknown }),
        (false, true) if number > 1 => {
            Some(Claim { row: Row::DaemonBatchReadThenRefusedStep, dispatched: Dispatched::No })
        }
        _ => None,
    };
    let own_row = failure.claim().map(|claim| claim.row.id());
    let mut failure =
        failure.detail("step", number).detail("steps", total).detail("command", name).detail("results", results);
    failure.message = format!("step {number} of {total} ({name}): {}", failure.message);
    if let Some(row) = own_row {
        failure = failure.detail("stepRow", row);
    }
    match claim {
        Some(claim) => failure.under(claim),
        None => failure,
    }
}
