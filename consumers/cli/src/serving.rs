//! `serve`: clients on other machines.

use std::process::ExitCode;

use contract::request::Answer;
use serde_json::json;

use crate::{arguments::Global, before_sending, output, state_dir};

/// Serves until a signal ends it. What is printed is the address.
pub fn serve(args: &serve::Serve, global: &Global) -> ExitCode {
    let told = |url: &str| {
        let text = format!("Serving agent-device {} on {url}", contract::VERSION);
        let data = json!({"url": url, "version": contract::VERSION, "pid": std::process::id()});
        // Whoever closed this program's output has the address otherwise, or does not want it.
        let _told = output::done(&Answer::new(data, text), global.json);
    };
    match state_dir(global).and_then(|state| serve::serve(args, state, told)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failed(&before_sending(failure), global.json),
    }
}
