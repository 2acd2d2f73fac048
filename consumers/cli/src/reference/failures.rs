//! Every code with its advice, the exit codes, and the golden table.

use contract::{Claim, Code, Disclosed, Dispatched, Effect, Failure, Row, Sends};
use serde_json::Value;

use super::cell;
use crate::output::exit_code;

/// What each way to fail must disclose. Read for this page only: no failure is ever looked up in it.
const TABLE: &str = include_str!("../../../../contracts/fixtures/dispatch-disclosure.json");

/// The page.
///
/// # Errors
/// A table that is no JSON array of rows.
pub fn page() -> Result<String, Failure> {
    let broken = |why: String| Failure::new(Code::Internal, format!("the golden table cannot be read: {why}"));
    let rows: Vec<Value> = serde_json::from_str(TABLE).map_err(|why| broken(why.to_string()))?;
    let mut text = String::from(
        "# Failures\n\n\
         What a program can rely on when a command fails. What to do about it is in the [guide](../guide/failures.md).\n\n\
         ## Exit codes\n\n| exit code | when |\n| --- | --- |\n| 0 | done |\n",
    );
    let examples = [
        (
            Code::ElementNotFound,
            Dispatched::No,
            "failed, and nothing of it reached the device; also a read, a wait or an `is` that failed",
        ),
        (Code::InvalidArgs, Dispatched::No, "wrong usage (`INVALID_ARGS`); nothing was sent"),
        (Code::CommandFailed, Dispatched::Unknown, "failed, and it may have reached the device: look first"),
    ];
    for (code, dispatched, when) in examples {
        let failure = Failure::new(code, "").under(Claim { row: Row::DaemonUnclassified, dispatched });
        let exit = exit_code(&Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE));
        text.push_str(&format!("| {exit} | {when} |\n"));
    }
    text.push_str(
        "\n## The error object\n\n\
         With `--json` a failure is one line on standard output: `{\"success\":false,\"error\":{...}}`.\n\n\
         | field | |\n| --- | --- |\n\
         | `code` | one of the codes below; a closed list |\n\
         | `message` | what happened, for people; its wording may change |\n\
         | `hint` | what to do next; may be absent |\n\
         | `retriable` | `true`: the same request may succeed later without anybody changing anything |\n\
         | `details.dispatched` | `\"no\"` or `\"unknown\"`; always there |\n\
         | `details.dispatchedSteps` | how many sends of this request returned; only where there are some |\n\
         | `details.dispatchRow` | the row of the table below under which the failure was classified |\n\
         | `details.reason` | a finer word than the code, snake_case; may be absent |\n\n\
         ## Codes\n\n| code | means | hint, unless the failure brings its own |\n| --- | --- | --- |\n",
    );
    for code in Code::ALL {
        text.push_str(&format!(
            "| `{code}` | {} | {} |\n",
            cell(code.meaning()),
            cell(code.default_hint().unwrap_or_default())
        ));
    }
    text.push_str(
        "\n## The golden table\n\n\
         `contracts/fixtures/dispatch-disclosure.json`: every way to fail that the program knows, and what must reach the \
         caller. *steps* counts sends that returned before the failure; *refused* marks a request that was turned down \
         instead of being reported as done; *resolved* one whose reply was lost and whose outcome the device's own journal \
         gave all the same: it is answered as a success, with `resolvedRow`, and *dispatched* is what it would have been else.\n\n\
         | row | how it fails | dispatched | steps | |\n| --- | --- | --- | --- | --- |\n",
    );
    for row in &rows {
        let word = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
        let steps =
            row.get("dispatchedSteps").and_then(Value::as_u64).map(|steps| steps.to_string()).unwrap_or_default();
        text.push_str(&format!(
            "| `{}` | {} | {} | {steps} | {} |\n",
            word("id"),
            cell(word("trigger")),
            word("dispatched"),
            word("outcome")
        ));
    }
    Ok(text)
}
