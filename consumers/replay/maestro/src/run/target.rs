//! Elements as selectors, points as px.

use contract::{Code, Point, Rect, quote};
use flow::Place;

use super::{Done, Run, Trouble};
use crate::{
    model::{Element, Text},
    read::{self, PointText},
};

/// How an element is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// One that is acted on: the first, what is in view before what is not.
    Acting,
    /// One that must be seen.
    Seeing,
    /// One that is scrolled to: it may be out of view still.
    Scrolling,
}

impl Run<'_> {
    /// The selector of an element.
    pub fn selector(&mut self, element: &Element, wanted: For, at: &Place) -> Done<String> {
        let mut terms = self.terms(element, at)?;
        match &element.index {
            Some(index) => {
                let text = self.value(index, at)?;
                let index = read::read_index(&text)
                    .ok_or_else(|| Trouble::of(Code::InvalidArgs, format!("index is a whole number, not {text:?}")))?;
                // Those that cannot be seen do not count.
                terms.push("visible".to_owned());
                terms.push(format!("index={index}"));
            }
            None => match wanted {
                For::Acting => terms.push("first".to_owned()),
                For::Seeing => terms.push("visible".to_owned()),
                For::Scrolling => {}
            },
        }
        Ok(terms.join(" "))
    }

    fn terms(&mut self, element: &Element, at: &Place) -> Done<Vec<String>> {
        let mut terms = Vec::new();
        for (key, text) in [("anytext", &element.text), ("id", &element.id)] {
            if let Some(text) = text {
                let value = self.value(text, at)?;
                if value.trim().is_empty() {
                    return Err(Trouble::of(
                        Code::InvalidArgs,
                        format!("{} is an empty text: it names no element", text.raw),
                    ));
                }
                let pattern = read::expression(&value).map_err(|why| Trouble::of(Code::InvalidArgs, why))?;
                terms.push(format!("{key}~={}", quote::pattern(&pattern)));
            }
        }
        let tolerance = match &element.tolerance {
            Some(tolerance) => self.whole_number(tolerance, at)?,
            None => 0,
        };
        for (key, side) in [("width", &element.width), ("height", &element.height)] {
            if let Some(side) = side {
                let px = self.whole_number(side, at)?;
                terms.push(match tolerance {
                    0 => format!("{key}={px}"),
                    _ => format!("{key}={}..{}", px.saturating_sub(tolerance), px.saturating_add(tolerance)),
                });
            }
        }
        for (flag, value) in &element.flags {
            terms.push(if *value { (*flag).to_owned() } else { format!("{flag}=false") });
        }
        terms.extend(element.traits.iter().map(|term| (*term).to_owned()));
        for (relation, other) in &element.relations {
            let mut inner = self.terms(other, at)?;
            if let Some(index) = &other.index {
                let text = self.value(index, at)?;
                let index = read::read_index(&text)
                    .ok_or_else(|| Trouble::of(Code::InvalidArgs, format!("index is a whole number, not {text:?}")))?;
                inner.push("visible".to_owned());
                inner.push(format!("index={index}"));
            }
            terms.push(format!("{relation}=({})", inner.join(" ")));
        }
        Ok(terms)
    }

    /// A point of the screen, px.
    pub fn point(&mut self, text: &Text, at: &Place) -> Done<Point> {
        let point = self.point_text(text, at)?;
        match point {
            PointText::Px(x, y) => Ok(Point { x, y }),
            PointText::Percent(x, y) => {
                let size = self.screen()?;
                Ok(Point { x: share(size.width, x), y: share(size.height, y) })
            }
        }
    }

    /// A point of an element, px of the screen.
    pub fn point_in(&mut self, text: &Text, rect: Rect, at: &Place) -> Done<Point> {
        Ok(match self.point_text(text, at)? {
            PointText::Px(x, y) => Point { x: rect.x + x, y: rect.y + y },
            PointText::Percent(x, y) => Point { x: rect.x + share(rect.width, x), y: rect.y + share(rect.height, y) },
        })
    }

    pub fn point_text(&mut self, text: &Text, at: &Place) -> Done<PointText> {
        let value = self.value(text, at)?;
        PointText::read(&value).map_err(|why| Trouble::of(Code::InvalidArgs, why))
    }
}

/// A share of a length; the far end is its last px, since what lies beyond is outside.
pub(super) fn share(length: f64, percent: f64) -> f64 {
    (length * percent / 100.0).min((length - 1.0).max(0.0))
}
