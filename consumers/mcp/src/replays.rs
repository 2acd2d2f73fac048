//! A recorded script or flow, run as one call: word of every step, and what `agent-device replay` says at its end.
//!
//! It has its turn like any other call. Cancelled, it ends after the step that it is at, and its outcome is told with the
//! next answer.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use contract::{Code, Disclosed, Effect, Failure, Response, Sends, plain};
use daemon::client::Interrupt;
use replay::{
    arguments::Replay,
    command::{Caller, replay_told},
};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    arguments::{Scope, refused},
    call::{Shared, Waiting, cancelled_before},
};

/// The name under which `more` has it.
pub const NAME: &str = "replay";
/// What it is, in the list of commands.
pub const SUMMARY: &str = "Run a recorded script (.ad) or a Maestro flow; {\"help\": \"replay\"}";
/// How it is called.
pub const HOW: &str = r#"more {"command":"replay","args":{"path":"login.ad","env":{"CODE":"1234"}}}"#;
/// The same at length.
pub const EXPLAINED: &str = r#"Called as more {"command":"replay","args":{...}}:
  path         the script or flow
  env          values for ${NAME}: {"CODE":"1234"}
  from, planDigest  go on from this step of a script; the failure of the run before names both
  keepSession  leave the session open: a last `close` is not run
  session, platform, device, timeoutMs  as with every call"#;

/// A flow to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    path: PathBuf,
    env: BTreeMap<String, String>,
    from: Option<u32>,
    plan_digest: Option<String>,
    keep_session: bool,
}

/// Reads the arguments.
///
/// # Errors
/// `INVALID_ARGS`, with what would fit.
pub fn read(mut args: Map<String, Value>) -> Result<(Flow, Scope), Box<Failure>> {
    let scope = Scope::take(NAME, &mut args)?;
    let wrong = |what: String| Box::new(refused(what).hint(HOW));
    let mut taken = |name: &str| args.remove(name).filter(|value| !value.is_null());
    let path = match taken("path") {
        Some(Value::String(path)) if !path.is_empty() => PathBuf::from(path),
        Some(other) => return Err(wrong(format!("path is the name of a file, not {other}"))),
        None => return Err(wrong("replay needs the path of a script or flow".to_owned())),
    };
    let env = taken("env").map(serde_json::from_value).transpose();
    let env = env.map_err(|_| wrong("env is an object of texts".to_owned()))?.unwrap_or_default();
    let from = match taken("from") {
        None => None,
        Some(value) => {
            let step = value.as_u64().and_then(|step| u32::try_from(step).ok()).filter(|step| *step > 0);
            Some(step.ok_or_else(|| wrong(format!("from is the number of a step, not {value}")))?)
        }
    };
    let plan_digest = match taken("planDigest") {
        None => None,
        Some(Value::String(digest)) => Some(digest),
        Some(other) => return Err(wrong(format!("planDigest is a text, not {other}"))),
    };
    let keep_session = match taken("keepSession") {
        None => false,
        Some(Value::Bool(keep)) => keep,
        Some(other) => return Err(wrong(format!("keepSession is true or false, not {other}"))),
    };
    if let Some(name) = args.keys().next() {
        return Err(wrong(format!("replay has no argument {name:?}")));
    }
    if from.is_some() && plan_digest.is_none() {
        return Err(wrong("from needs planDigest: the failure of the run before names both".to_owned()));
    }
    Ok((Flow { path, env, from, plan_digest, keep_session }, scope))
}

impl Flow {
    /// As it can be told: the values may be secrets.
    fn called(&self) -> String {
        format!("{NAME} {}", json!({"path": self.path.display().to_string()}))
    }

    fn arguments(&self) -> Replay {
        Replay {
            task: None,
            file: Some(self.path.clone()),
            env: self.env.clone().into_iter().collect(),
            from: self.from,
            plan_digest: self.plan_digest.clone(),
            keep_session: self.keep_session,
            save_script: None,
            force: false,
            trace: None,
        }
    }
}

impl Shared {
    /// Runs a flow. `cancelled` ends it after the step that it is at, and that step's outcome is joined.
    pub async fn replay(
        self: &Arc<Self>,
        flow: Flow,
        scope: Scope,
        cancelled: CancellationToken,
        waiting: Option<Waiting>,
    ) -> Response {
        // A caller that goes away drops this future; the run itself goes on to its end, told to stop.
        let stop = cancelled.child_token();
        let _gone = stop.clone().drop_guard();
        let shared = Arc::clone(self);
        let (told, mut steps) = mpsc::unbounded_channel();
        let mut run = tokio::spawn(async move { shared.replay_in_turn(flow, scope, stop, told).await });
        let mut ended = 0_u32;
        loop {
            tokio::select! {
                biased;
                Some(step) = steps.recv() => if let Some(waiting) = &waiting {
                    ended += 1;
                    waiting.says(f64::from(ended), step).await;
                },
                response = &mut run => return response.unwrap_or_else(|why| Err(broke_off(&why))),
            }
        }
    }

    async fn replay_in_turn(
        self: Arc<Self>,
        flow: Flow,
        scope: Scope,
        stop: CancellationToken,
        told: mpsc::UnboundedSender<String>,
    ) -> Response {
        let _turn = tokio::select! {
            biased;
            () = stop.cancelled() => {
                let response = Err(cancelled_before(Effect::Mutates));
                self.note_call(Some(&flow.called()), "", &response);
                return response;
            }
            turn = Arc::clone(&self.turn).lock_owned() => turn,
        };
        let interrupt = Interrupt::default();
        let caller = self.caller(scope);
        let (args, stops) = (flow.arguments(), interrupt.clone());
        let mut run = tokio::task::spawn_blocking(move || {
            let progress = |step: &flow::StepRecord| {
                // Nobody waits for it any more where this fails.
                let _gone = told.send(sentence(step));
            };
            replay_told(&args, &caller, &stops, Some(Box::new(progress)))
        });
        let (ended, cancelled) = tokio::select! {
            ended = &mut run => (ended, false),
            () = stop.cancelled() => {
                interrupt.set();
                (run.await, true)
            }
        };
        let response = ended.unwrap_or_else(|why| Err(broke_off(&why)));
        if cancelled {
            self.note_call(Some(&flow.called()), "", &response);
        }
        response
    }

    fn caller(&self, scope: Scope) -> Caller {
        let options = &self.options;
        Caller {
            client: options.client.clone(),
            session: scope.session.or_else(|| options.session.clone()),
            workspace: options.workspace.clone(),
            platform: scope.platform.or(options.platform),
            device: scope.device.or_else(|| options.device.clone()),
            timeout_ms: scope.timeout_ms,
            folder: options.folder.clone(),
            json: true,
        }
    }
}

/// A step that ended, in one line.
fn sentence(step: &flow::StepRecord) -> String {
    let status = serde_json::to_value(step.status).unwrap_or_default();
    format!("step {} {}: {}", step.number, status.as_str().unwrap_or_default(), plain::line(&step.text))
}

fn broke_off(why: &tokio::task::JoinError) -> Disclosed {
    let failure = Failure::new(Code::Internal, format!("the call broke off: {why}"));
    Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(args: Value) -> Result<(Flow, Scope), Box<Failure>> {
        read(args.as_object().unwrap().clone())
    }

    #[test]
    fn a_flow_is_named_with_its_values_and_where_to_go_on() {
        let (flow, scope) = reads(json!({
            "path": "a.ad", "env": {"A": "1"}, "from": 3, "planDigest": "abc", "keepSession": true, "session": "s", "timeoutMs": 5,
        }))
        .unwrap();
        let args = flow.arguments();
        assert_eq!(args.env, [("A".to_owned(), "1".to_owned())]);
        assert_eq!((args.from, args.plan_digest.as_deref(), args.keep_session), (Some(3), Some("abc"), true));
        assert_eq!((scope.session.as_deref(), scope.timeout_ms), (Some("s"), Some(5)));
        assert!(!flow.called().contains('1'), "values may be secrets: {}", flow.called());
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_would() {
        for (args, what) in [
            (json!({}), "needs the path"),
            (json!({"path": 1}), "not 1"),
            (json!({"path": "a.ad", "env": {"A": 1}}), "an object of texts"),
            (json!({"path": "a.ad", "from": 0, "planDigest": "a"}), "not 0"),
            (json!({"path": "a.ad", "from": 2}), "from needs planDigest"),
            (json!({"path": "a.ad", "planDigest": 2}), "not 2"),
            (json!({"path": "a.ad", "keepSession": "yes"}), "not \"yes\""),
            (json!({"path": "a.ad", "trace": true}), "no argument \"trace\""),
        ] {
            let failure = reads(args.clone()).unwrap_err();
            assert_eq!(failure.code, Code::InvalidArgs);
            assert!(failure.message.contains(what), "{args}: {}", failure.message);
            assert_eq!(failure.hint.as_deref(), Some(HOW));
        }
    }
}
