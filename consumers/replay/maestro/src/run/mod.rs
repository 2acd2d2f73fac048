//! How a flow is run on a [`Host`].
//!
//! Each step of the flow is a step of the host; steps in steps are steps in steps there. What a step sends goes through
//! [`Host::ask`], so waits, guards and `dispatched` are those of every other way in.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | steps one after another, what became of each, hooks |
//! | `send` | how something is asked; waiting for an element; coming to rest; the size of the screen |
//! | `script` | variables, `${...}`, `output`, `maestro` |
//! | `target` | elements as selectors, points as px |
//! | `touch` | presses, scrolls, swipes |
//! | `app` | the app and the device |
//! | `text` | typing, erasing, copying |
//! | `check` | assertions and conditions |
//! | `control` | flows in flows, loops, retries |
//! | `trouble` | why a step failed, and how far the step had got by then |

mod app;
mod check;
mod control;
mod script;
mod send;
mod target;
mod text;
mod touch;
mod trouble;

use contract::{Code, Failure, Sends, Size, view::Platform};
use flow::{Host, Place, Status};
use javascript::{Limits, WebLimits};

use crate::model::{Action, Flow, Step, Text};
use trouble::{Done, Trouble};

/// What a run is given.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Variables that win over those of headers, and over those of one another in this order.
    pub env: Vec<(String, String)>,
    /// What the flow runs on: `maestro.platform`, `when: platform`. Where it is not said, the first `launchApp` tells;
    /// before that no condition on it holds.
    pub platform: Option<Platform>,
    /// What scripts may use of the network; nothing where it is `None`.
    pub network: Option<WebLimits>,
    /// What each script may use.
    pub limits: Limits,
}

/// Why a flow failed, and where.
#[derive(Debug, Clone)]
pub struct Failed {
    /// The innermost step that failed.
    pub place: Place,
    /// That step as a person reads it.
    pub step: String,
    /// Why. `details.dispatched` says whether what failed may have landed.
    pub failure: Failure,
    /// The flow's `onFlowComplete` failed, and nothing before it.
    pub in_cleanup: bool,
    /// What failed is the wait for the screen to come to rest that a step before had left to this one.
    pub settling: bool,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}: {}", self.place.file, self.place.line, self.step, self.failure)
    }
}

impl std::error::Error for Failed {}

impl Flow {
    /// Runs the flow; its steps are told to the host.
    ///
    /// # Errors
    /// The first step that failed and was not optional. `onFlowComplete` has run all the same.
    pub fn run(&self, host: &mut dyn Host, options: &RunOptions) -> Result<(), Box<Failed>> {
        let mut run = Run {
            host,
            options,
            scripts: script::Scripts::default(),
            platform: options.platform,
            app: None,
            copied: String::new(),
            viewport: None,
            opened: false,
            restless: None,
            sends: Sends::NONE,
            now: String::new(),
            closed: false,
            random: String::new(),
        };
        run.whole(self, &[], &Entry::Main).map_err(|trouble| trouble.failed())
    }
}

/// How a flow is entered: `-e` wins over the header in both, the arguments of `runFlow` over both.
enum Entry {
    Main,
    Inner,
}

/// One run.
struct Run<'a> {
    pub host: &'a mut dyn Host,
    pub options: &'a RunOptions,
    pub scripts: script::Scripts,
    /// What it runs on, as far as it is known.
    pub platform: Option<Platform>,
    /// The app or address of the flow that is run now.
    pub app: Option<Text>,
    /// `maestro.copiedText`.
    pub copied: String,
    pub viewport: Option<Size>,
    /// The flow has opened something and not closed it since.
    pub opened: bool,
    /// The step that sent something last, if nobody has looked since whether the screen came to rest.
    pub restless: Option<String>,
    /// What the flow has sent so far, by what it was told.
    pub sends: Sends,
    /// The innermost step that is run now, with its place.
    pub now: String,
    /// The flow has closed what was open: nothing can be seen.
    pub closed: bool,
    /// `maestro.randomText`.
    pub random: String,
}

/// What a step came to.
enum Came {
    Passed,
    /// Its condition did not hold.
    Skipped,
}

impl Run<'_> {
    /// A flow with its variables and hooks.
    pub fn whole(&mut self, flow: &Flow, arguments: &[(String, String)], entry: &Entry) -> Done {
        let before = self.scripts.snapshot();
        let outer = std::mem::replace(&mut self.app, flow.app.clone());
        let result = self.header(flow, arguments, entry).and_then(|()| self.body(flow));
        self.app = outer;
        let restored = self.scripts.restore(before);
        // Only the clean-up of the flow itself is one for whoever started it.
        let main = matches!(entry, Entry::Main);
        result
            .map_err(|trouble| Trouble { in_cleanup: trouble.in_cleanup && main, ..trouble })
            .and_then(|()| restored.map_err(Trouble::from))
    }

    fn body(&mut self, flow: &Flow) -> Done {
        let started = self.steps(&flow.on_start);
        let ran = match started {
            Ok(()) => self.steps(&flow.steps),
            Err(trouble) => {
                self.skip(&flow.steps);
                Err(trouble)
            }
        };
        // It puts things back in order, so it runs after a failure too; what failed first is what is told.
        let completed = self.steps(&flow.on_complete);
        ran.and(completed.map_err(|trouble| Trouble { in_cleanup: true, ..trouble }))
    }

    /// Steps one after another; those after a failure are told as not tried.
    pub fn steps(&mut self, steps: &[Step]) -> Done {
        for (place, step) in steps.iter().enumerate() {
            if let Err(trouble) = self.step(step) {
                self.skip(steps.get(place + 1..).unwrap_or_default());
                return Err(trouble);
            }
        }
        Ok(())
    }

    fn skip(&mut self, steps: &[Step]) {
        for step in steps {
            self.host.begin(&step.place, &step.summary);
            self.host.end(Status::Skipped, None);
        }
    }

    fn step(&mut self, step: &Step) -> Done {
        let label = match &step.label {
            None => Ok(step.summary.clone()),
            Some(label) => self.value(label, &step.place),
        };
        let text = label.as_ref().map_or_else(|_| step.summary.clone(), Clone::clone);
        self.host.begin(&step.place, &text);
        let before = self.sends;
        self.now = format!("{text} ({}:{})", step.place.file, step.place.line);
        let came = match label {
            // Every other step asks the host for something, which knows of the limit.
            Ok(_) if self.host.remaining().is_zero() => Err(self.late()),
            Ok(_) => self.act(step),
            Err(trouble) => Err(trouble),
        };
        for line in self.scripts.console() {
            self.host.note(&format!("console: {line}"));
        }
        match came {
            Ok(Came::Passed) => self.host.end(Status::Passed, None),
            Ok(Came::Skipped) => self.host.end(Status::Skipped, None),
            Err(trouble) if step.optional && !trouble.fatal => {
                self.host.note("the step is optional: the flow goes on");
                self.host.end(Status::Warned, Some(&self.counted(&trouble, before)));
            }
            Err(mut trouble) => {
                let counted = self.counted(&trouble, before);
                self.host.end(Status::Failed, Some(&counted));
                if trouble.at.is_none() {
                    trouble.failure = counted;
                    trouble.at = Some(Box::new((step.place.clone(), text)));
                }
                return Err(trouble);
            }
        }
        Ok(())
    }

    /// The flow's limit has passed.
    pub fn late(&self) -> Trouble {
        let failure = Failure::new(Code::Timeout, "the flow's time is over")
            .reason("flow_limit_passed")
            .hint("give it more: --timeout");
        Trouble::own(failure).fatal()
    }

    fn act(&mut self, step: &Step) -> Done<Came> {
        let at = &step.place;
        match &step.action {
            Action::Launch(launch) => self.launch(launch, at)?,
            Action::Stop(app) => self.stop(app.as_ref(), at)?,
            Action::ClearState(app) => self.clear_state(app.as_ref(), at)?,
            Action::Install(path) => self.install(path)?,
            Action::ClearKeychain => self.host.note("there is no keychain on this device: nothing to clear"),
            Action::Permissions(permissions) => self.permissions(permissions, at)?,
            Action::OpenLink(link) => self.open_link(link, at)?,
            Action::Tap(tap) => self.tap(tap, step)?,
            Action::Input(text) => self.input(text, at)?,
            Action::InputRandom(kind, length) => self.input_random(*kind, length.as_ref(), at)?,
            Action::Erase(count) => self.erase(count.as_ref(), at)?,
            Action::Paste => self.paste()?,
            Action::CopyFrom(element) => self.copy(element, step)?,
            Action::SetClipboard(text) => {
                let text = self.value(text, at)?;
                self.keep_copied(text)?;
            }
            Action::Press(key) => self.press_key(*key)?,
            Action::Back => self.back()?,
            Action::HideKeyboard => self.hide_keyboard()?,
            Action::Visible(element) => self.visible(element, None, at)?,
            Action::NotVisible(element) => self.not_visible(element, None, at)?,
            Action::Holds(text) => self.holds_or_fails(text, at)?,
            Action::Equal { left, right, equal } => self.equal_or_fails(left, right, *equal, at)?,
            Action::WaitUntil { visible, not_visible, timeout } => {
                let limit = timeout.as_ref().map(|timeout| self.number(timeout, at)).transpose()?;
                if let Some(element) = visible {
                    self.visible(element, limit, at)?;
                }
                if let Some(element) = not_visible {
                    self.not_visible(element, limit, at)?;
                }
            }
            Action::WaitForStill(timeout) => self.wait_for_still(timeout.as_ref(), at)?,
            Action::Pause(pause) => self.pause(pause, at)?,
            Action::Scroll => self.scroll()?,
            Action::ScrollUntil(until) => self.scroll_until(until, at)?,
            Action::Swipe { swipe, duration, settle } => {
                self.swipe(swipe, duration.as_ref(), settle.as_ref(), step)?;
            }
            Action::Drag { from, to, hold, duration, settle } => {
                let timing = [hold.as_ref(), duration.as_ref(), settle.as_ref()];
                self.drag(from, to, timing, step)?;
            }
            Action::Screenshot(path) => self.screenshot(path, at)?,
            Action::StartRecording(path) => self.start_recording(path, at)?,
            Action::StopRecording => self.stop_recording()?,
            Action::Location(latitude, longitude) => self.location(latitude, longitude, at)?,
            Action::Travel { points, speed } => self.travel(points, speed, at)?,
            Action::Orientation(text) => self.orientation(text, at)?,
            Action::Airplane(text) => self.airplane(text, at)?,
            Action::Dark(appearance) => self.dark(*appearance)?,
            Action::Viewport(width, height) => self.resize(width, height, at)?,
            Action::RunFlow { body, when, env } => return self.run_flow(body, when.as_ref(), env, at),
            Action::Repeat { times, condition, steps } => {
                self.repeat(times.as_ref(), condition.as_ref(), steps, at)?;
            }
            Action::Retry { most, body, env } => self.retry(most, body, env, at)?,
            Action::RunScript { script, env, when } => return self.run_script(script, env, when.as_ref(), at),
            Action::EvalScript(text) => self.eval_script(text, at)?,
        }
        Ok(Came::Passed)
    }
}
