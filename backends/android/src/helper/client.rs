//! The helper of one device, whatever state it is in: installed, started, asked, started anew, released.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    sync::{Arc, Mutex as StdMutex, PoisonError},
    time::Duration,
};

use contract::{Code, Effect, Failure, Row};
use tokio::{sync::Mutex, time::Instant};
use wire::{Context, NotSent, Sent, resend};

use super::{
    exchange::exchange,
    features::Features,
    install::{self, Policy},
    once,
    options::Options,
    package::Packages,
    refusals::{self, Outcome, judged},
    release,
    reply::Reply,
    request::{Ask, new_id},
    session::{Session, StartError},
    settle::{self, settle},
    verdict::Reason,
};
use crate::adb::Phone;

/// How long a helper that could not be started is not tried again: doubled with each failure (the field's bounds).
const REST: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(60));

/// The helper of one device. One daemon has one of these per device, and it outlives the sessions on it.
#[derive(Debug)]
pub struct Helper {
    phone: Phone,
    packages: Packages,
    policy: Policy,
    folder: PathBuf,
    state: Mutex<State>,
    notices: StdMutex<Vec<String>>,
}

#[derive(Debug)]
struct State {
    /// What was found when it was looked at, once.
    installed: Option<Reason>,
    options: Options,
    session: Option<Arc<Session>>,
    /// Something was started and not proven gone since: a session, one that never came to listen, a single run.
    may_run: bool,
    /// With which options the session was started.
    started_with: Option<Options>,
    /// What the helper named when it was last heard.
    features: Features,
    /// Which helper process was last heard; a number of our own where it does not say.
    life: Option<String>,
    lives: u64,
    /// Starts that failed since the last that did not.
    failures: u32,
    /// Until when no session is tried, and why.
    no_session: Option<(Instant, String)>,
    /// Until when nothing is tried, and why.
    nothing: Option<(Instant, String)>,
}

/// How a command can reach the helper.
enum Way {
    /// Over the session that runs.
    Session(Arc<Session>),
    /// Only by running it once.
    Once,
}

impl Helper {
    /// The helper of a device, not looked at yet. Its package is unpacked into `folder` where it has to be installed.
    pub fn new(phone: Phone, packages: Packages, policy: Policy, options: Options, folder: PathBuf) -> Self {
        let state = State {
            installed: None,
            options,
            session: None,
            may_run: false,
            started_with: None,
            features: Features::empty(),
            life: None,
            lives: 0,
            failures: 0,
            no_session: None,
            nothing: None,
        };
        Self { phone, packages, policy, folder, state: Mutex::new(state), notices: StdMutex::default() }
    }

    /// The device.
    pub const fn phone(&self) -> &Phone {
        &self.phone
    }

    /// What the caller should know, since the last call.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps something to tell with the next answer.
    pub fn notice(&self, notice: impl Into<String>) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(notice.into());
    }

    /// Makes sure that the helper is there and runs, and says what it can do.
    ///
    /// # Errors
    /// No way to the device, or the helper cannot be installed or started.
    pub async fn ready(&self, context: &Context) -> Result<Features, Failure> {
        context.check()?;
        let mut state = self.state.lock().await;
        self.way(&mut state, context).await?;
        Ok(state.features)
    }

    /// Asks for at most so many nodes in captures. A session that was started for fewer is started anew.
    pub async fn allow_nodes(&self, max_nodes: u32) {
        let mut state = self.state.lock().await;
        state.options.max_nodes = state.options.max_nodes.max(max_nodes);
    }

    /// Tells this life of the helper on this device from every other.
    pub async fn scope(&self) -> u64 {
        let state = self.state.lock().await;
        let mut hasher = DefaultHasher::new();
        (self.phone.serial(), &state.life, state.lives).hash(&mut hasher);
        hasher.finish()
    }

    /// Sends one command, once, and judges the answer.
    ///
    /// What only looks may be sent again after its session was lost. What changes the app is sent again only with the
    /// proof that nothing of it was sent; where its answer is lost, the helper's journal is asked.
    ///
    /// # Errors
    /// How the command was lost, or that it failed after it began.
    pub async fn ask(&self, context: &Context, ask: &Ask, doing: &str) -> Result<Outcome, Failure> {
        match self.ask_once(context, ask, doing).await? {
            // This host says that there is time, the device that there is none: its clock was estimated wrongly (this
            // computer slept, say), and its answer has set that right.
            Outcome::Refused(error, proof) if refusals::is_late(&error) && has_time(context, ask) => {
                self.ask_again(proof, context, ask, doing).await
            }
            outcome => Ok(outcome),
        }
    }

    async fn ask_once(&self, context: &Context, ask: &Ask, doing: &str) -> Result<Outcome, Failure> {
        context.check()?;
        let mut state = self.state.lock().await;
        let Way::Session(mut session) = self.way(&mut state, context).await? else {
            return self.once(&mut state, context, ask, doing).await;
        };
        let effect = ask.action.effect();
        let id = new_id(ask.action);
        let sent = match self.send(&session, context, ask, &id).await {
            Sent::NotSent(proof) if matches!(proof.row(), Row::HelperSessionGone | Row::HelperNotWritten) => {
                self.forget_session(&mut state);
                let Way::Session(anew) = self.way(&mut state, context).await? else {
                    // The proof says that nothing was sent, so this is the first time that it is.
                    return self.once(&mut state, context, ask, doing).await;
                };
                session = anew;
                resend(proof, || self.send(&session, context, ask, &id)).await
            }
            Sent::Lost(lost) if effect == Effect::Observes && !lost.timed_out() => {
                self.forget_session(&mut state);
                let Way::Session(anew) = self.way(&mut state, context).await? else {
                    return self.once(&mut state, context, ask, doing).await;
                };
                session = anew;
                self.send(&session, context, ask, &id).await
            }
            other => other,
        };
        match sent {
            Sent::Answered(answered) => {
                session.hear(&answered.reply().fields);
                judged(answered, effect, doing)
            }
            Sent::NotSent(proof) => Err(refusals::unreached(proof, doing)),
            Sent::Lost(lost) => match session.asked().filter(|_| effect == Effect::Mutates) {
                Some(asked) => {
                    let command = settle::Command { phone: &self.phone, session: &session, id: &id, doing };
                    settle(context, command, &asked, lost).await
                }
                None => Err(lost.failure(doing)),
            },
        }
    }

    /// Sends a command in the place of one that is proven not to have been sent. The proof is used up.
    ///
    /// # Errors
    /// As [`Helper::ask`].
    pub async fn ask_again(
        &self,
        _proof: NotSent,
        context: &Context,
        ask: &Ask,
        doing: &str,
    ) -> Result<Outcome, Failure> {
        self.ask_once(context, ask, doing).await
    }

    /// Sends one command as [`Helper::ask`] does; a refusal is a failure.
    ///
    /// # Errors
    /// As there, and what the helper refuses.
    pub async fn done(&self, context: &Context, ask: &Ask, doing: &str) -> Result<Reply, Failure> {
        match self.ask(context, ask, doing).await? {
            Outcome::Done(reply) => Ok(reply),
            Outcome::Refused(error, proof) => Err(refusals::refused(&error, proof, doing)),
        }
    }

    /// Ends the helper and proves that UiAutomation is free.
    ///
    /// # Errors
    /// No way to the device, or `helper.occupied`.
    pub async fn release(&self, context: &Context) -> Result<(), Failure> {
        let mut state = self.state.lock().await;
        let package = &self.packages.main.manifest.package_name;
        match state.session.take() {
            Some(session) => release::quit(&self.phone, context, package, session).await?,
            None if state.may_run => release::stop(&self.phone, context, package).await?,
            None => {}
        }
        state.may_run = false;
        Ok(())
    }

    /// Ends a helper that an earlier daemon left behind, where one runs.
    ///
    /// # Errors
    /// No way to the device, or `helper.occupied`.
    pub async fn sweep(&self, context: &Context) -> Result<(), Failure> {
        let state = self.state.lock().await;
        if state.session.is_some() {
            return Ok(());
        }
        release::stop(&self.phone, context, &self.packages.main.manifest.package_name).await
    }

    /// One command over a session.
    async fn send(&self, session: &Session, context: &Context, ask: &Ask, id: &str) -> Sent<Reply> {
        let mutates = ask.action.effect() == Effect::Mutates;
        let left = context.left();
        let kept = if mutates && session.asked().is_some() { context.reserve() } else { Duration::ZERO };
        let limited = context.until(left.saturating_sub(kept));
        let mut ask = ask.clone();
        if mutates {
            // It has to begin early enough to end in time.
            let begin_by = limited.deadline - Duration::from_millis(ask.takes_ms).min(limited.left());
            if let Some(at) = session.device_time(begin_by) {
                ask = ask.option("deadlineAtMs", at);
            }
        }
        let line = ask.line(id);
        // The helper echoes the id with its options.
        let token = String::from_utf8_lossy(&line).split_whitespace().nth(1).unwrap_or(id).to_owned();
        exchange(&self.phone, session.port(), &limited, ask.action.effect(), &token, &line).await
    }

    /// Makes sure that there is a way to the helper.
    async fn way(&self, state: &mut State, context: &Context) -> Result<Way, Failure> {
        if let Some((_, why)) = state.nothing.as_ref().filter(|(until, _)| *until > Instant::now()) {
            return Err(Failure::refused(
                Row::HelperCoolingDown,
                Code::CommandFailed,
                format!("the helper on {} could not be started a moment ago: {why}", self.phone.serial()),
            )
            .reason("helper_cooling_down")
            .hint("see what is wrong: agent-device doctor; then try again in a minute")
            .retriable());
        }
        let other_options = state.started_with.is_some_and(|options| options != state.options);
        if let Some(session) = state.session.take_if(|session| session.ending().is_some() || other_options)
            && let Some(ending) = session.ending()
        {
            self.notice(format!(
                "the helper on {} ended by itself and is started anew ({})",
                self.phone.serial(),
                ending.said
            ));
        }
        if let Some(session) = &state.session {
            return Ok(Way::Session(session.clone()));
        }
        let known = state.installed.is_some();
        if !known {
            self.install(state, context).await?;
        }
        let resting = state.no_session.as_ref().is_some_and(|(until, _)| *until > Instant::now());
        if !state.options.session || resting {
            return Ok(Self::single(state));
        }
        let options = state.options;
        let runner = &self.packages.main.manifest.instrumentation_runner;
        state.may_run = true;
        let mut started = Session::start(&self.phone, context, runner, options).await;
        // What was found out about the device may be true no longer: the helper was removed, the device wiped.
        if known && matches!(started, Err(StartError::Failed(_))) && self.install(state, context).await? {
            started = Session::start(&self.phone, context, runner, options).await;
        }
        match started {
            Ok(session) => {
                state.features = session.features();
                state.lives += 1;
                state.life = session.boot_id();
                state.failures = 0;
                state.no_session = None;
                let session = Arc::new(session);
                state.session = Some(session.clone());
                state.started_with = Some(options);
                Ok(Way::Session(session))
            }
            Err(StartError::NoWay(failure)) => Err(failure),
            Err(StartError::Occupied(why)) => Err(Failure::refused(
                Row::HelperOccupied,
                Code::CommandFailed,
                format!("another program on {} holds UiAutomation: {why}", self.phone.serial()),
            )
            .reason("ui_automation_occupied")
            .hint("end the other program that automates the device (a uiautomator dump, Appium, another test run)")
            .retriable()),
            Err(StartError::Failed(why)) => {
                state.failures += 1;
                let rest = (REST.0 * 2u32.saturating_pow(state.failures - 1)).min(REST.1);
                self.notice(format!(
                    "the helper cannot be kept running on {} ({why}): each command starts it anew, which takes about a second",
                    self.phone.serial()
                ));
                state.no_session = Some((Instant::now() + rest, why));
                Ok(Self::single(state))
            }
        }
    }

    /// By a single run. A helper that is ours can then do what ours can; of another it is known what it has named.
    fn single(state: &mut State) -> Way {
        if state.installed.is_some_and(|reason| reason != Reason::Skipped) {
            state.features |= Features::SINGLE_RUN;
        }
        Way::Once
    }

    /// Makes sure that the helper on the device is ours. Whether it had to be installed.
    async fn install(&self, state: &mut State, context: &Context) -> Result<bool, Failure> {
        let installed = install::ensure(&self.phone, context, &self.packages, self.policy, &self.folder).await?;
        installed.notices.into_iter().for_each(|notice| self.notice(notice));
        state.installed = Some(installed.reason);
        Ok(installed.reason.installs())
    }

    /// One command by a single run. Where that does not start either, nothing is tried for a while.
    async fn once(&self, state: &mut State, context: &Context, ask: &Ask, doing: &str) -> Result<Outcome, Failure> {
        let manifest = &self.packages.main.manifest;
        state.may_run = true;
        let run = once::run(
            &self.phone,
            context,
            &manifest.package_name,
            &manifest.instrumentation_runner,
            state.options,
            ask,
            doing,
        )
        .await;
        match &run {
            Ok(Outcome::Done(reply)) => state.features |= Features::of(&reply.fields),
            Ok(Outcome::Refused(..)) => {}
            Err(failure) => {
                let never = failure.claim().is_some_and(|claim| claim.row == Row::HelperStartFailed);
                if never {
                    state.installed = None;
                }
                if let Some((until, why)) = state.no_session.clone().filter(|_| never) {
                    state.nothing = Some((until, why));
                }
            }
        }
        run
    }

    fn forget_session(&self, state: &mut State) {
        if let Some(session) = state.session.take() {
            let why = session.ending().map(|ending| ending.said).unwrap_or_default();
            self.notice(
                format!("the helper on {} was gone and is started anew {why}", self.phone.serial())
                    .trim_end()
                    .to_owned(),
            );
        }
    }
}

/// Whether a command that begins now ends in time.
fn has_time(context: &Context, ask: &Ask) -> bool {
    Duration::from_millis(ask.takes_ms) < context.left().saturating_sub(context.reserve())
}
