//! Flows in flows, loops, retries.

use contract::{Code, Failure};
use flow::{Place, Status};

use super::{Came, Done, Entry, Run, Trouble};
use crate::{
    model::{Body, Condition, Number, Script, Step, Text},
    read::MOST_ROUNDS,
};

impl Run<'_> {
    pub fn run_flow(
        &mut self,
        body: &Body,
        when: Option<&Condition>,
        env: &[(String, Text)],
        at: &Place,
    ) -> Done<Came> {
        if self.skipped(when, at)? {
            return Ok(Came::Skipped);
        }
        self.inner(body, env, at)?;
        Ok(Came::Passed)
    }

    pub fn run_script(
        &mut self,
        script: &Script,
        env: &[(String, Text)],
        when: Option<&Condition>,
        at: &Place,
    ) -> Done<Came> {
        if self.skipped(when, at)? {
            return Ok(Came::Skipped);
        }
        let arguments = self.arguments(env, at)?;
        let before = self.scripts.snapshot();
        for (name, value) in arguments {
            self.set(&name, value)?;
        }
        let ran = self.run_file(script);
        let restored = self.scripts.restore(before);
        ran?;
        restored?;
        Ok(Came::Passed)
    }

    /// Whether a condition keeps a step from being tried.
    fn skipped(&mut self, when: Option<&Condition>, at: &Place) -> Done<bool> {
        let Some(when) = when else { return Ok(false) };
        match self.holds(when, at)? {
            Ok(()) => Ok(false),
            Err(why) => {
                self.host.note(&format!("not run: {why}"));
                Ok(true)
            }
        }
    }

    /// A flow or commands, with variables of their own.
    fn inner(&mut self, body: &Body, env: &[(String, Text)], at: &Place) -> Done {
        let arguments = self.arguments(env, at)?;
        match body {
            Body::File(flow) => self.whole(flow, &arguments, &Entry::Inner),
            Body::Steps(steps) => {
                let before = self.scripts.snapshot();
                for (name, value) in arguments {
                    self.set(&name, value)?;
                }
                let ran = self.steps(steps);
                let restored = self.scripts.restore(before);
                ran?;
                Ok(restored?)
            }
        }
    }

    pub fn repeat(
        &mut self,
        times: Option<&Number>,
        condition: Option<&Condition>,
        steps: &[Step],
        at: &Place,
    ) -> Done {
        let most = MOST_ROUNDS as u64;
        let times = times.map(|times| self.whole_number(times, at)).transpose()?;
        let mut round = 0;
        while times.is_none_or(|times| round < times) {
            if let Some(condition) = condition
                && let Err(why) = self.holds(condition, at)?
            {
                self.host.note(&format!("ended after {round} rounds: {why}"));
                return Ok(());
            }
            if round >= most {
                let failure =
                    Failure::new(Code::Timeout, format!("the condition of repeat still holds after {most} rounds"))
                        .reason("repeat_without_end")
                        .hint("bound it with times");
                return Err(Trouble::own(failure));
            }
            if self.host.remaining().is_zero() {
                return Err(self.late());
            }
            round += 1;
            let text = times.map_or_else(|| format!("round {round}"), |times| format!("round {round} of {times}"));
            self.nested(at, &text, |run| run.steps(steps))?;
        }
        Ok(())
    }

    pub fn retry(&mut self, most: &Number, body: &Body, env: &[(String, Text)], at: &Place) -> Done {
        let most = self.whole_number(most, at)?;
        for attempt in 0..=most {
            self.host.begin(at, &format!("attempt {} of {}", attempt + 1, most + 1));
            match self.inner(body, env, at) {
                Ok(()) => {
                    self.host.end(Status::Passed, None);
                    return Ok(());
                }
                Err(trouble) if attempt < most && !trouble.fatal && !self.host.remaining().is_zero() => {
                    self.host.note("the flow says to try again: what this attempt sent is sent again");
                    self.host.end(Status::Warned, Some(&trouble.failure));
                }
                Err(trouble) => {
                    self.host.end(Status::Failed, Some(&trouble.failure));
                    return Err(trouble);
                }
            }
        }
        Ok(())
    }

    /// A step of the report that is none of the file.
    fn nested(&mut self, at: &Place, text: &str, body: impl FnOnce(&mut Self) -> Done) -> Done {
        self.host.begin(at, text);
        let came = body(self);
        match &came {
            Ok(()) => self.host.end(Status::Passed, None),
            Err(trouble) => self.host.end(Status::Failed, Some(&trouble.failure)),
        }
        came
    }
}
