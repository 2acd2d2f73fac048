//! What can be read without a tool: the screen now, the timeline, the page of the last trace.

use std::path::Path;

use contract::{Command, Disclosed};
use rmcp::model::{Resource, ResourceContents};

/// The screen as `snapshot` shows it.
pub const SNAPSHOT: &str = "agent-device://snapshot";
/// What happened in the session.
pub const TIMELINE: &str = "agent-device://timeline";
/// The page of the trace that this server stopped last.
pub const TRACE: &str = "agent-device://trace";

/// A page that is larger is not sent, bytes.
const LARGEST_PAGE: u64 = 8 << 20;

/// What there is to read.
pub fn list(traced: bool) -> Vec<Resource> {
    let resource = |uri: &str, name: &str, what: &str, kind: &str| {
        Resource::new(uri, name).with_description(what).with_mime_type(kind)
    };
    let mut all = vec![
        resource(SNAPSHOT, "snapshot", "The screen of the session now, texts and structure included", "text/plain"),
        resource(TIMELINE, "timeline", "What was done in the session, and how each step ended", "text/plain"),
    ];
    if traced {
        all.push(resource(TRACE, "trace", "The page of the last trace: every step with pictures", "text/html"));
    }
    all
}

/// The command whose answer a resource is.
pub fn command(uri: &str) -> Option<Command> {
    let line = match uri {
        SNAPSHOT => "snapshot --force-full",
        TIMELINE => "events 200",
        _ => return None,
    };
    Command::from_line(line).ok()
}

/// A resource made of text.
pub fn text(uri: &str, text: String) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type("text/plain")
}

/// The page of a trace.
///
/// # Errors
/// Why there is none, for people.
pub fn page(file: Option<&Path>) -> Result<ResourceContents, String> {
    let file = file.ok_or("no trace was stopped yet: more {\"command\": \"trace start\"}, then \"trace stop\"")?;
    let size = std::fs::metadata(file).map_err(|why| format!("{}: {why}", file.display()))?.len();
    if size > LARGEST_PAGE {
        return Err(format!("the page has {size} bytes, more than {LARGEST_PAGE}: open {}", file.display()));
    }
    let page = std::fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(ResourceContents::text(page, TRACE).with_mime_type("text/html"))
}

/// A failure in one line, for an error of the protocol.
pub fn sentence(failed: &Disclosed) -> String {
    let failure = failed.failure();
    format!("{}: {}; dispatched: {}", failure.code, failure.message, failed.dispatched())
}
