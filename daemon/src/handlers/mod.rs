//! One handler per command, grouped by what they do.
//!
//! | module | commands |
//! | --- | --- |
//! | [`acting`] | press, longpress, hover, focus |
//! | [`text`] | fill, type |
//! | [`moving`] | scroll, swipe, back, home, viewport |
//! | [`gestures`] | gesture |
//! | [`system`] | app-switcher, orientation, keyboard, clipboard, settings, appstate |
//! | [`evidence`] | logs, perf, record |
//! | [`looking`] | snapshot, diff, get, is |
//! | [`finding`] | find |
//! | [`waiting`] | wait |
//! | [`picture`] | screenshot |
//! | [`dialogs`] | alert |
//! | [`files`] | upload, downloads, windows |
//! | [`opening`] | open, close |
//! | [`batch`] | batch |
//! | [`keeping`] | trace, session save-script |
//! | [`fleet`] | apps, install, reinstall, push, pull, boot, shutdown, pair |
//! | [`host`] | devices, capabilities, doctor, session, daemon, events |

pub mod acting;
pub mod batch;
pub mod dialogs;
pub mod evidence;
pub mod files;
pub mod finding;
pub mod fleet;
pub mod gestures;
pub mod host;
pub mod keeping;
pub mod looking;
pub mod moving;
pub mod opening;
pub mod picture;
pub mod system;
pub mod text;
pub mod waiting;

use backend::Receipt;
use contract::{Capability, Command, Failure, plain, request::Answer};
use serde_json::{Map, Value};

use crate::run::Run;

/// Runs a command of an open session.
///
/// # Errors
/// What the command says; the seam adds `dispatched`.
pub async fn in_session(run: &mut Run<'_>, command: &Command) -> Result<Answer, Failure> {
    for needed in command.spec().requires {
        able(run, *needed)?;
    }
    match command {
        Command::Snapshot(args) => looking::snapshot(run, args).await,
        Command::Diff(args) => looking::diff(run, args).await,
        Command::Get(args) => looking::get(run, args).await,
        Command::Is(args) => looking::is(run, args).await,
        Command::Find(args) => finding::find(run, args).await,
        Command::Wait(args) => waiting::wait(run, &args.words).await,
        Command::Screenshot(args) => picture::screenshot(run, args).await,
        Command::Press(args) => acting::press(run, args).await,
        Command::Longpress(args) => acting::longpress(run, args).await,
        Command::Hover(args) => acting::hover(run, args).await,
        Command::Focus(args) => acting::focus(run, &args.target).await,
        Command::Fill(args) => text::fill(run, args).await,
        Command::Type(args) => text::type_text(run, args).await,
        Command::Scroll(args) => moving::scroll(run, args).await,
        Command::Swipe(args) => moving::swipe(run, args).await,
        Command::Back(args) => moving::back(run, args).await,
        Command::Home(_) => moving::home(run).await,
        Command::Viewport(args) => moving::viewport(run, args).await,
        Command::Alert(args) => dialogs::alert(run, args).await,
        Command::Upload(args) => files::upload(run, args).await,
        Command::Downloads(args) => files::downloads(run, args).await,
        Command::Windows(args) => files::windows(run, args).await,
        Command::Gesture(args) => gestures::gesture(run, args).await,
        Command::AppSwitcher(_) => system::app_switcher(run).await,
        Command::Orientation(args) => system::orientation(run, args).await,
        Command::Keyboard(args) => system::keyboard(run, args).await,
        Command::Clipboard(args) => system::clipboard(run, args).await,
        Command::Settings(args) => system::settings(run, args).await,
        Command::Appstate(_) => system::appstate(run).await,
        Command::Logs(args) => evidence::logs(run, args).await,
        Command::Perf(args) => evidence::perf(run, args).await,
        Command::Record(args) => evidence::record(run, args).await,
        Command::Devices(_)
        | Command::Capabilities(_)
        | Command::Doctor(_)
        | Command::Open(_)
        | Command::Close(_)
        | Command::Apps(_)
        | Command::Install(_)
        | Command::Reinstall(_)
        | Command::Push(_)
        | Command::Pull(_)
        | Command::Boot(_)
        | Command::Shutdown(_)
        | Command::Pair(_)
        | Command::Batch(_)
        | Command::Events(_)
        | Command::Trace(_)
        | Command::Session(_)
        | Command::Daemon(_) => {
            Err(Failure::new(contract::Code::Internal, "the router sent a command of its own to a session"))
        }
    }
}

/// Refuses what the device cannot do, before anything is sent.
///
/// # Errors
/// `UNSUPPORTED_OPERATION` with the device's reason.
pub fn able(run: &Run<'_>, needed: Capability) -> Result<(), Failure> {
    if run.session.device.capabilities().has(needed) { Ok(()) } else { Err(run.session.device.cannot(needed)) }
}

/// The facts of a receipt for programs, and its lines for people.
pub fn receipt_facts(receipt: &Receipt, facts: &mut Map<String, Value>, lines: &mut Vec<String>) {
    if !receipt.events.is_empty() {
        facts.insert("events".into(), receipt.events.clone().into());
    }
    if let Some(opened) = &receipt.opened {
        facts.insert("opened".into(), opened.as_str().into());
        lines.push(format!("Opened: {}", plain::line(opened.as_str())));
    }
    if let Some(row) = receipt.resolved {
        facts.insert("resolvedRow".into(), row.id().into());
        lines.push("Note: the reply was lost; the device's own journal says that it was done, once".to_owned());
    }
    if !receipt.warnings.is_empty() {
        facts.insert("warnings".into(), receipt.warnings.clone().into());
        lines.extend(receipt.warnings.iter().map(|warning| format!("Warning: {}", plain::line(warning))));
    }
}

/// An answer whose text is a first line and more of them.
pub fn answer(facts: Map<String, Value>, first: String, lines: Vec<String>) -> Answer {
    let text = std::iter::once(plain::line(&first).into_owned()).chain(lines).collect::<Vec<_>>().join("\n");
    let mut facts = facts;
    facts.entry("message").or_insert_with(|| text.lines().next().unwrap_or_default().into());
    Answer::new(Value::Object(facts), text)
}
