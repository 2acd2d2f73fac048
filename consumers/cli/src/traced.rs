//! `trace stop`: the page that shows what was traced.

use std::path::Path;

use contract::{Code, Command, Disclosed, Failure, Response, Row, Sends, command::TraceAction, plain, request::Answer};
use serde_json::Value;
use trace_page::{Page, Run, Trace};

/// The answer to a command; after `trace stop` with the page that was made of the trace.
pub fn paged(response: Response, command: &Command) -> Response {
    let Command::Trace(args) = command else { return response };
    let (TraceAction::Stop, Some(out)) = (args.action, &args.out) else { return response };
    let mut answer = response?;
    match page(&answer, Path::new(out)) {
        Ok(()) => {
            if let Some(data) = answer.data.as_object_mut() {
                data.insert("page".into(), out.as_str().into());
            }
            if let Some(text) = &mut answer.text {
                text.push_str(&format!("\nPage: {}", plain::line(out)));
            }
            Ok(answer)
        }
        Err(why) => {
            let folder = folder(&answer);
            let failure = Failure::refused(
                Row::ClientOutputUnwritable,
                Code::StorageFailed,
                format!("the trace has ended, and its page {out} cannot be written: {why}"),
            )
            .reason("file_unwritable")
            .detail("folder", folder)
            .hint(format!("what was traced is in {folder} until the next trace or close"));
            Err(Disclosed::seal(failure, Some(command.effect()), Sends::NONE))
        }
    }
}

fn folder(answer: &Answer) -> &str {
    answer.data.get("folder").and_then(Value::as_str).unwrap_or_default()
}

fn page(answer: &Answer, out: &Path) -> std::io::Result<()> {
    let trace = Trace::read(Path::new(folder(answer)))?;
    let title = trace.header.as_ref().map_or_else(String::new, |header| match header.app.as_str() {
        // It was begun before anything was open, and nothing ever was.
        "" => format!("Session {}", header.session),
        app => format!("{app} in session {}", header.session),
    });
    let mut page = Page::new(title);
    page.runs.push(Run::of_trace(trace));
    page.write(out)
}
