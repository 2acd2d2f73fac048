//! From a command and its outcome to an entry.

use std::{borrow::Cow, time::Duration};

use contract::{
    Code, Command, Disclosed, Effect, Failure,
    command::FindAction,
    request::Answer,
    trace::{Aimed, Entry, Timing},
};
use observe::Poll;
use serde_json::Value;
use tokio::time::Instant;
use wire::Ledger;

use super::{Tracer, address::without_user, screens::Shot};
use crate::{
    disclosure::disclose,
    notes::Notes,
    secrets::{Secrets, each_text, quoted},
    steps::{rewrite, text},
};

/// Longest message, characters.
const MESSAGE: usize = 300;
/// Texts of fewer characters are left where they stand, as in the timeline.
const TELLING: usize = 4;
/// Stands for what was typed.
const TYPED: &str = "[text]";

/// One command, as it ran.
#[derive(Debug)]
pub struct Ran<'a> {
    /// The request's id.
    pub request_id: &'a str,
    /// What was asked.
    pub command: &'a Command,
    /// When it began, ms since 1970-01-01 UTC.
    pub at_ms: u64,
    /// The same by our own clock.
    pub began: Instant,
    /// How long it took, the trace's own looks left out.
    pub took: Duration,
    /// What came of it.
    pub result: &'a Result<Answer, Failure>,
    /// What its request has sent.
    pub ledger: &'a Ledger,
    /// What it noted.
    pub notes: &'a Notes,
    /// Its looks.
    pub polls: &'a [Poll],
}

/// Whether a command is shown with the screen that it looked at.
pub fn shows_screen(command: &Command, failed: bool) -> bool {
    let waits = match command {
        Command::Wait(_) | Command::Is(_) => true,
        Command::Find(find) => find.words.action == FindAction::Wait,
        _ => false,
    };
    waits || failed
}

impl Tracer {
    /// The entry of a command. `before` and `after` are screens; what is missing of them is noted.
    pub fn entry(
        &mut self,
        ran: &Ran<'_>,
        before: Option<Shot>,
        after: Option<Shot>,
        log: Vec<String>,
        secrets: &Secrets,
    ) -> Entry {
        let typed = ran.command.texts();
        let failure = ran.result.as_ref().err().map(|failure| {
            let sealed = disclose(plain(failure), Some(ran.command.effect()), ran.ledger);
            shown(&sealed, &typed, secrets)
        });
        let mut message = match ran.result {
            Err(failure) => plain(failure).message,
            Ok(answer) => done(ran.command, answer),
        };
        without(&mut message, &typed, secrets);
        let mut before = before;
        let target = self.aimed(ran.notes, before.as_mut(), secrets);
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        // A wait is all waiting; what a press waits for is its target.
        let wait = if matches!(ran.command, Command::Wait(_)) { ran.took } else { ran.notes.wait };
        let mut polls: Vec<Value> = ran.polls.iter().filter_map(|poll| serde_json::to_value(poll).ok()).collect();
        polls.iter_mut().for_each(|poll| secrets.hide_in(poll));
        let notes = before.iter().chain(after.iter()).flat_map(|shot| shot.notes.clone()).collect();
        Entry {
            number: 0,
            request_id: ran.request_id.to_owned(),
            command: ran.command.spec().name.to_owned(),
            line: line(ran.command, secrets),
            at_ms: ran.at_ms,
            duration_ms: ms(ran.took),
            ok: ran.result.is_ok(),
            message: message.chars().take(MESSAGE).collect(),
            failure,
            timing: Timing {
                resolve_ms: ms(ran.notes.resolve),
                wait_ms: ms(wait),
                send_ms: ms(ran.notes.send),
                settle_ms: ms(ran.notes.settle),
                polls,
            },
            target,
            before: before.map(|shot| shot.screen),
            after: after.map(|shot| shot.screen),
            log,
            network: self.network(ran.began, secrets),
            notes,
        }
    }

    /// What was aimed at, in the tree of `before`. A target that came later (it was waited for) is shown in the tree in which it
    /// was found.
    fn aimed(&mut self, notes: &Notes, before: Option<&mut Shot>, secrets: &Secrets) -> Option<Aimed> {
        let point = notes.point;
        let Some((tree, place)) = notes.first() else {
            let nothing = point.is_none() && notes.path.is_empty();
            return (!nothing).then(|| Aimed { point, path: notes.path.clone(), ..Aimed::default() });
        };
        let found = tree.get(place)?;
        let mut node = None;
        if let Some(shot) = before {
            let same = |there: &std::sync::Arc<screen::Tree>| match found.key {
                Some(key) => there.place_of(key),
                None => std::sync::Arc::ptr_eq(there, tree).then_some(place),
            };
            node = shot.tree.as_ref().and_then(same);
            if node.is_none()
                && let Ok(name) = self.stored_tree(tree, secrets)
            {
                shot.screen.tree = Some(name);
                shot.screen.viewport = Some(tree.viewport);
                shot.notes.push(
                    "the target came later: the tree is the one in which it was found, the picture is older".into(),
                );
                node = Some(place);
            }
        }
        Some(Aimed { node, rect: Some(found.rect), point, path: notes.path.clone() })
    }
}

/// The command as a person would type it, without what it types.
pub fn line(command: &Command, secrets: &Secrets) -> String {
    let mut args = command.to_args();
    if !command.texts().is_empty() {
        for key in ["text", "value"] {
            if let Some(text) = args.get_mut(key).filter(|text| text.is_string()) {
                *text = TYPED.into();
            }
        }
    }
    for key in ["capabilities", "driverUrl"] {
        if let Some(object) = args.as_object_mut() {
            object.remove(key);
        }
    }
    each_text(&mut args, &mut |text| {
        if let Cow::Owned(plain) = without_user(text) {
            *text = plain;
        }
        if let Some(hidden) = secrets.replaced(text, rewrite::OPEN, rewrite::CLOSE) {
            *text = hidden;
        }
    });
    let name = command.spec().name;
    let line = Command::from_call(name, &args).ok().and_then(|command| text::written(&command));
    line.unwrap_or_else(|| name.to_owned())
}

/// What was done, in one sentence. What was read from the app is in the trees.
fn done(command: &Command, answer: &Answer) -> String {
    let told = command.effect() != Effect::Observes || shows_screen(command, false);
    let first = answer.text.as_deref().and_then(|text| text.lines().next()).filter(|_| told);
    first.map_or_else(|| "Done".to_owned(), str::to_owned)
}

/// A failure that repeats what was to be typed says only that it was something else.
fn plain(failure: &Failure) -> Failure {
    let mut failure = failure.clone();
    if failure.code == Code::TextMismatch {
        failure.message = "the field holds something else than what was filled in".to_owned();
        failure.details.remove("expected");
        failure.details.remove("actual");
    }
    failure
}

fn shown(sealed: &Disclosed, typed: &[String], secrets: &Secrets) -> Value {
    let mut value = serde_json::to_value(sealed).unwrap_or_default();
    each_text(&mut value, &mut |text| without(text, typed, secrets));
    value
}

fn without(text: &mut String, typed: &[String], secrets: &Secrets) {
    if let Cow::Owned(plain) = without_user(text) {
        *text = plain;
    }
    secrets.hide(text);
    for typed in typed {
        for spelt in [quoted(typed), typed.clone()] {
            if spelt.chars().count() >= TELLING && text.contains(&spelt) {
                *text = text.replace(&spelt, TYPED);
            }
        }
    }
}

impl Tracer {
    /// What the app's log gained since the last entry.
    pub async fn log_lines(&mut self, session: &crate::session::Session, secrets: &Secrets) -> Vec<String> {
        self.log.gained(session, secrets, false).await
    }

    /// Reads the app's log once, so that what is in it already is not told of the first command.
    pub async fn begin_log(&mut self, session: &crate::session::Session) {
        let _old = self.log.gained(session, &Secrets::default(), true).await;
    }
}
