//! The steps of a script or flow on the daemon: one after another, each waiting for its target, until one fails.

use std::collections::BTreeMap;

use contract::{
    Claim, Code, Command, Disclosed, Dispatched, Effect, Failure, Row, Sends,
    command::{READINESS_CAP_MS, Readiness},
    request::Answer,
    view::Platform,
};
use flow::{Ask, Host, Place, Status};
use javascript::WebLimits;
use script::{Script, Variables, variables::ENVIRONMENT};
use serde_json::{Value, json};

use crate::{
    advice::{DIGEST, Left},
    divergence::{self, FailedStep, Kind},
    expected,
    healing::{self, Healed},
    host::{self, DaemonHost},
    source::{Body, Source, unreadable},
    suggest::{self, Wanted},
};

/// Words in a variable's name that say that its value is for nobody's eyes.
const SECRET: &[&str] = &["PASS", "SECRET", "TOKEN", "KEY", "CREDENTIAL", "PIN", "OTP", "CODE"];

/// Values for `${NAME}`.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The caller's: `-e NAME=VALUE`.
    pub given: Vec<(String, String)>,
    /// The environment's: `AD_VAR_NAME`.
    pub environment: BTreeMap<String, String>,
    /// The runner's own: `AD_SESSION` and the like.
    pub builtin: BTreeMap<String, String>,
    /// What it runs on, where that is known.
    pub platform: Option<Platform>,
}

/// How a script is run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The first step, from 1 on.
    pub from: Option<u32>,
    /// The plan that the step is of.
    pub plan_digest: Option<String>,
    /// A last `close` is not run.
    pub keep_session: bool,
    /// Go on with targets that are named otherwise now.
    pub heal: bool,
    /// What is there after the run, should it fail.
    pub left: Left,
}

/// What became of it.
#[derive(Debug, Default)]
pub struct Ran {
    /// Why it failed, as a whole.
    pub failed: Option<Disclosed>,
    /// What was found under another name.
    pub healed: Vec<Healed>,
}

/// Runs all of it.
pub fn run(source: &Source, host: &mut DaemonHost<'_>, values: &Values, options: &Options) -> Ran {
    for (name, value) in values.given.iter().chain(&values.environment.clone().into_iter().collect::<Vec<_>>()) {
        if SECRET.iter().any(|word| name.to_uppercase().contains(word)) {
            host.secret(value);
        }
    }
    match &source.body {
        Body::Script { script, .. } => run_script(script, &source.file, host, values, options),
        Body::Flow(flow) => run_flow(flow, host, values, options.left),
    }
}

fn run_script(script: &Script, file: &str, host: &mut DaemonHost<'_>, values: &Values, options: &Options) -> Ran {
    let environment = values.environment.iter().map(|(name, value)| (format!("{ENVIRONMENT}{name}"), value.clone()));
    let variables = script.variables(
        Variables::new().given(values.given.iter().cloned()).environment(environment).builtin(values.builtin.clone()),
    );
    let mut ran = Ran::default();
    let refused = |failure: Failure| Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE);
    // All of it is understood before any of it is sent.
    let commands = match script.commands(&variables) {
        Ok(commands) => commands,
        Err(errors) => {
            ran.failed = Some(refused(script::failure(&errors).under_script()));
            return ran;
        }
    };
    let digest = script::digest(script);
    let first = match first_step(options, &digest, commands.len()) {
        Ok(first) => first,
        Err(failure) => {
            ran.failed = Some(refused(failure));
            return ran;
        }
    };
    let last = match commands.last() {
        Some(Command::Close(_)) if options.keep_session => commands.len() - 1,
        _ => commands.len(),
    };
    for (index, (step, command)) in script.steps.iter().zip(&commands).enumerate().take(last).skip(first) {
        let place = Place { file: file.to_owned(), line: step.line() };
        let before = host.sends();
        host.begin(&place, step.text());
        let evidence = step.evidence.as_ref().map(|(_, evidence)| evidence);
        let mut outcome = host.ask(Ask { expect: expected::of_step(command, evidence), ..asked(command.clone()) });
        let mut diverged = None;
        if let Err(cause) = &outcome {
            let selector = healing::selectors(command).into_iter().next();
            let said = selector.as_deref().map(Wanted::of_selector).unwrap_or_default();
            let recorded = evidence.map(Wanted::of_evidence).unwrap_or_default();
            let failed = FailedStep {
                index: index + 1,
                of: commands.len(),
                place: &place,
                text: step.text(),
                wanted: match Kind::of(cause.failure()) {
                    // What the selector says led to something else.
                    Kind::IdentityMismatch => recorded.or(said),
                    _ => said.or(recorded),
                },
                recorded: evidence.and_then(suggest::recorded),
                digest: &digest,
                left: options.left,
            };
            let seen = divergence::look(host);
            let (failure, suggestions) = divergence::diverged(&failed, cause, seen);
            let sure = suggest::healing(&suggestions).filter(|_| can_heal(options, cause)).cloned();
            diverged = Some(failure);
            if let (Some(found), Some(was)) = (sure, selector)
                && let Some(now) = &found.selector
                && let Ok(command) = healing::retargeted(command, &was, now)
            {
                host.note(&format!("{was} is not there; {now} is the same ({})", json!(found.basis)));
                outcome = host.ask(asked(command));
                // What became of the second try is what is told: the first one was not sent, this one may have been.
                match &outcome {
                    Err(cause) => diverged = Some(divergence::diverged(&failed, cause, divergence::look(host)).0),
                    Ok(answer) => {
                        let now = lasting(answer).unwrap_or_else(|| now.clone());
                        let with = step.replaced(&variables, &was, &now).unwrap_or_else(|| step.text().to_owned());
                        ran.healed.push(Healed {
                            step: index + 1,
                            line: step.line(),
                            was,
                            now,
                            with,
                            evidence: Some(found.evidence()),
                            basis: found.basis,
                        });
                    }
                }
            }
        }
        match outcome {
            Ok(answer) => {
                said(host, &answer);
                host.end(Status::Passed, None);
            }
            Err(cause) => {
                let failure = diverged.unwrap_or_else(|| cause.failure().clone());
                host.end(Status::Failed, Some(cause.failure()));
                skipped(host, script, file, index + 1..commands.len());
                ran.failed = Some(host::of_run(failure, command.effect(), before, cause.steps()));
                return ran;
            }
        }
    }
    ran
}

/// Which step is the first, from 0 on.
fn first_step(options: &Options, digest: &str, steps: usize) -> Result<usize, Failure> {
    let Some(from) = options.from else { return Ok(0) };
    // All of it, or as much as hints show.
    let same = |given: &str| given.len() >= DIGEST && digest.starts_with(&given.to_lowercase());
    if !options.plan_digest.as_deref().is_some_and(same) {
        return Err(Failure::refused(
            Row::ReplayPlanChanged,
            Code::InvalidArgs,
            "the script has been changed since the run that is to go on",
        )
        .reason("plan_changed")
        .detail("planDigest", digest)
        .hint(format!(
            "check that step {from} is still the one that is meant, then: --plan-digest {}",
            digest.get(..DIGEST).unwrap_or(digest)
        )));
    }
    match (from as usize).checked_sub(1).filter(|first| *first < steps) {
        Some(first) => Ok(first),
        None => Err(unreadable(&format!("there is no step {from}: the script has {steps}"))),
    }
}

/// A step as it is asked for: one that presses waits for its target.
fn asked(command: Command) -> Ask {
    let waits = command.spec().readiness == Readiness::Budgeted;
    Ask { readiness_ms: waits.then_some(READINESS_CAP_MS), timeout_ms: None, expect: Vec::new(), command }
}

/// Only what was not sent may be tried under another name, and only where its own name leads nowhere.
fn can_heal(options: &Options, cause: &Disclosed) -> bool {
    let missed = Kind::of(cause.failure()) == Kind::SelectorMiss;
    options.heal && missed && cause.dispatched() == Dispatched::No && cause.steps() == 0
}

/// The selectors that mean what was acted on, as a recording would write them.
fn lasting(answer: &Answer) -> Option<String> {
    answer.data.get("selectorChain").and_then(Value::as_str).filter(|chain| !chain.is_empty()).map(str::to_owned)
}

/// What an answer says besides that it worked.
fn said(host: &mut DaemonHost<'_>, answer: &Answer) {
    for key in ["warnings", "notices"] {
        let lines = answer.data.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        lines.iter().filter_map(Value::as_str).for_each(|line| host.note(line));
    }
    if let Some(row) = answer.data.get("resolvedRow").and_then(Value::as_str) {
        host.note(&format!("the reply was lost; the device's own journal says that it was done, once ({row})"));
    }
}

/// The steps that were not tried stand in the record as well.
fn skipped(host: &mut DaemonHost<'_>, script: &Script, file: &str, steps: std::ops::Range<usize>) {
    for step in script.steps.get(steps).unwrap_or_default() {
        host.begin(&Place { file: file.to_owned(), line: step.line() }, step.text());
        host.end(Status::Skipped, None);
    }
}

fn run_flow(flow: &maestro::Flow, host: &mut DaemonHost<'_>, values: &Values, left: Left) -> Ran {
    let environment = values.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
    let env = environment.chain(values.given.iter().cloned()).collect();
    let options = maestro::RunOptions {
        env,
        platform: values.platform,
        // The flow is a file of the caller's, run with the caller's rights.
        network: Some(WebLimits::default()),
        ..maestro::RunOptions::default()
    };
    let outcome = flow.run(host, &options);
    let failed = outcome.err().map(|failed| {
        let seen = divergence::look(host);
        divergence::of_flow(&failed, seen, host.sends(), left)
    });
    Ran { failed, healed: Vec::new() }
}

/// A failure of the script itself is a row of its own.
pub(crate) trait UnderScript {
    /// Nothing of it has been run.
    fn under_script(self) -> Self;
}

impl UnderScript for Failure {
    fn under_script(self) -> Self {
        let claim = Claim { row: Row::ReplayScriptUnreadable, dispatched: Dispatched::No };
        self.under(claim).reason("script_unreadable")
    }
}
