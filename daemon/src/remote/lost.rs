//! A reply that did not come: the server is asked for it by the request's id, for as long as the request may take. To ask is a
//! read. The request itself is never sent again.

use std::time::{Duration, Instant};

use contract::{
    Disclosed, Effect, Request, Response, Row, Sends,
    hop::{Hop, Question},
    request::method,
};
use serde_json::{Value, json};

use super::{Came, Remote, Waiting, answered, line::Line, rest};
use crate::client::{lost, not_taken};

/// How long one question may take; the server answers sooner.
const QUESTION: Duration = Duration::from_secs(75);
/// The longest pause between two questions: a tunnel takes seconds to stand again.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What one question brought.
enum Told {
    Answer(Response, Option<Hop>),
    /// It still runs.
    Running,
    /// Nobody can tell any more.
    Nobody,
    /// Nothing that can be relied on.
    Nothing,
}

impl Remote {
    /// Asks for the result of a request whose reply was lost.
    pub(super) fn ask_again(
        &self,
        request: &Request,
        instance: &str,
        effect: Effect,
        waiting: Waiting,
        cause: &str,
    ) -> (Response, Option<Hop>) {
        let seal = |failure| (Err(Disclosed::seal(failure, Some(effect), Sends::NONE)), None);
        let question = json!(Question { request_id: request.request_id.clone(), instance: Some(instance.to_owned()) });
        let mut heard = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            match self.ask(&request.request_id, &question, waiting) {
                // It lives, has never seen the request, and will not run it: looks are not kept, so they may have run.
                Told::Answer(Err(failed), _) if failed.failure().reason_str() == Some("not_seen") => {
                    return seal(if effect == Effect::Observes { lost(effect, cause) } else { not_taken(cause) });
                }
                Told::Answer(Ok(mut answer), hop) => {
                    recovered(&mut answer);
                    return (Ok(answer), hop);
                }
                Told::Answer(failed, hop) => return (failed, hop),
                Told::Nobody => return seal(lost(effect, cause)),
                Told::Running => heard = Instant::now(),
                Told::Nothing => {}
            }
            let now = Instant::now();
            if now >= waiting.end || now.duration_since(heard) >= self.0.silence {
                return seal(lost(effect, cause));
            }
            let left = waiting.end.min(heard + self.0.silence).saturating_duration_since(now);
            rest(pause.min(left));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn ask(&self, request_id: &str, question: &Value, waiting: Waiting) -> Told {
        let end = waiting.end.min(Instant::now() + QUESTION).max(Instant::now() + Duration::from_secs(1));
        let Ok(mut line) = Line::open(&self.0.address) else { return Told::Nothing };
        // The server's word is about this request, or it is no answer to the question.
        match self.exchange(&mut line, method::RETAINED, question, Waiting { end, ..waiting }) {
            Came::Said(said) if said.of.as_deref() == Some(request_id) => match answered(said) {
                Ok((Err(failed), hop)) => match failed.failure().reason_str() {
                    Some("still_running") => Told::Running,
                    Some("instance_gone") => Told::Nobody,
                    _ => Told::Answer(Err(failed), hop),
                },
                Ok((answer, hop)) => Told::Answer(answer, hop),
                Err(_) => Told::Nothing,
            },
            _ => Told::Nothing,
        }
    }
}

/// Says that the answer is one that had been lost.
fn recovered(answer: &mut contract::request::Answer) {
    if let Some(data) = answer.data.as_object_mut() {
        data.insert("resolvedRow".into(), Row::ClientHopReplyRecovered.id().into());
    }
    if let Some(text) = &mut answer.text {
        text.push_str("\nNote: the reply was lost on the way; the device host has kept it, and nothing was done twice");
    }
}
