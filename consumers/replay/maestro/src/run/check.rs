//! Assertions and conditions.

use contract::{Code, Failure, command::WaitFor, view};
use flow::Place;

use super::{Done, Run, Trouble, send::ASSERT_MS, target::For};
use crate::model::{Condition, Element, Platform, Text};

impl Run<'_> {
    /// # Errors
    /// When the element does not come into view within the limit, ms.
    pub fn visible(&mut self, element: &Element, limit: Option<f64>, at: &Place) -> Done {
        match self.sees(element, limit, at)? {
            Ok(()) => Ok(()),
            Err(failure) => Err(Trouble::own(failure)),
        }
    }

    pub fn not_visible(&mut self, element: &Element, limit: Option<f64>, at: &Place) -> Done {
        match self.misses(element, limit, at)? {
            Ok(()) => Ok(()),
            Err(failure) => Err(Trouble::own(failure)),
        }
    }

    fn sees(&mut self, element: &Element, limit: Option<f64>, at: &Place) -> Done<Result<(), Failure>> {
        let selector = self.selector(element, For::Seeing, at)?;
        self.comes_true(WaitFor::Selector { selector, timeout_ms: Some(milliseconds(limit)) })
    }

    fn misses(&mut self, element: &Element, limit: Option<f64>, at: &Place) -> Done<Result<(), Failure>> {
        let selector = self.selector(element, For::Seeing, at)?;
        if self.closed {
            self.host.note("the flow has closed the app: nothing can be seen");
            return Ok(Ok(()));
        }
        // What the step before brings up may be on its way.
        self.rest()?;
        self.comes_true(WaitFor::Absent { selector, timeout_ms: Some(milliseconds(limit)) })
    }

    pub fn holds_or_fails(&mut self, text: &Text, at: &Place) -> Done {
        let (holds, value) = self.truthy(text, at)?;
        if holds {
            return Ok(());
        }
        let message = format!("{} does not hold: its value is {value:?}", text.raw.trim());
        Err(Trouble::own(Failure::new(Code::PredicateFailed, message).reason("condition_false")))
    }

    pub fn equal_or_fails(&mut self, left: &Text, right: &Text, equal: bool, at: &Place) -> Done {
        let (one, other) = (self.lenient(left, at)?, self.lenient(right, at)?);
        if (one == other) == equal {
            return Ok(());
        }
        let message = match equal {
            true => format!("{one:?} and {other:?} are not the same"),
            false => format!("both are {one:?}"),
        };
        let failure = Failure::new(Code::PredicateFailed, message)
            .reason("condition_false")
            .detail("value1", one)
            .detail("value2", other);
        Err(Trouble::own(failure))
    }

    /// Whether a condition holds; if not, which part of it does not. What costs nothing is asked first.
    pub fn holds(&mut self, condition: &Condition, at: &Place) -> Done<Result<(), String>> {
        if let Some((platform, written)) = &condition.platform
            && !self.is_on(*platform)
        {
            return Ok(Err(format!("the platform is not {written}")));
        }
        if let Some(text) = &condition.holds {
            let (holds, value) = self.truthy(text, at)?;
            if !holds {
                return Ok(Err(format!("{} is {value:?}", text.raw.trim())));
            }
        }
        for (pair, equal) in [(&condition.equal, true), (&condition.not_equal, false)] {
            if let Some((left, right)) = pair {
                let (one, other) = (self.lenient(left, at)?, self.lenient(right, at)?);
                if (one == other) != equal {
                    let word = if equal { "differ" } else { "are the same" };
                    return Ok(Err(format!("{one:?} and {other:?} {word}")));
                }
            }
        }
        if let Some(element) = &condition.visible {
            self.rest()?;
            if self.sees(element, None, at)?.is_err() {
                return Ok(Err("the element is not visible".to_owned()));
            }
        }
        if let Some(element) = &condition.not_visible
            && self.misses(element, None, at)?.is_err()
        {
            return Ok(Err("the element is visible".to_owned()));
        }
        Ok(Ok(()))
    }

    fn is_on(&self, platform: Platform) -> bool {
        match platform {
            Platform::Android => self.platform == Some(view::Platform::Android),
            Platform::Web => self.platform == Some(view::Platform::Web),
            Platform::Stage => self.platform == Some(view::Platform::Stage),
            Platform::Ios => false,
        }
    }
}

fn milliseconds(limit: Option<f64>) -> u64 {
    limit.map_or(ASSERT_MS, |limit| limit.max(0.0).round() as u64)
}
