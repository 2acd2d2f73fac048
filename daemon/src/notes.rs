//! What a command notes on its way, for the script and the trace of its session: what it aimed at, where its input went,
//! where its time went. Nothing is noted where nobody wants it.

use std::{future::Future, sync::Arc, time::Duration};

use backend::{Input, TouchPlan};
use contract::{Point, Target};
use screen::{States, Tree};
use tokio::time::Instant;

use crate::{
    interaction::described::Located,
    run::{MAX_NODES, Run},
};

/// Points of a movement that are kept at most.
const PATH: usize = 64;

/// What was noted of one command.
#[derive(Debug, Default)]
pub struct Notes {
    /// The screen before it, where that was looked at for a trace.
    pub before: Option<Arc<Tree>>,
    /// What it aimed at, in the order in which it was found.
    pub aims: Vec<Noted>,
    /// Where its first input landed, px of the viewport.
    pub point: Option<Point>,
    /// Where its gesture went, px of the viewport.
    pub path: Vec<Point>,
    /// What it typed went where it is not to be read.
    pub secret: bool,
    /// Finding targets, the wait for them left out.
    pub resolve: Duration,
    /// Waiting for targets.
    pub wait: Duration,
    /// Handing input to the device.
    pub send: Duration,
    /// Waiting for a quiet or a changed screen.
    pub settle: Duration,
}

/// A target, and the element that was found for it.
#[derive(Debug, Clone)]
pub struct Noted {
    /// As it was given.
    pub target: Target,
    /// The capture on which it was found.
    pub tree: Option<Arc<Tree>>,
    /// The element in it.
    pub place: Option<u32>,
    /// Where an input reaches it.
    pub point: Point,
}

impl Notes {
    /// What was found for a target, the last time.
    pub fn of(&self, target: &Target) -> Option<&Noted> {
        self.aims.iter().rev().find(|aim| aim.target == *target)
    }

    /// The element that the first input was for.
    pub fn first(&self) -> Option<(&Arc<Tree>, u32)> {
        let lands = |aim: &&Noted| Some(aim.point) == self.point;
        let aim = self.aims.iter().find(lands).or(self.aims.first())?;
        Some((aim.tree.as_ref()?, aim.place?))
    }

    fn input(&mut self, input: &Input) {
        let at = match input {
            Input::Press { aim, .. } | Input::DoublePress { aim } | Input::Hover { aim } | Input::Fill { aim, .. } => {
                Some(aim.point)
            }
            Input::Swipe { from, to, .. } => {
                self.path = vec![*from, *to];
                Some(*from)
            }
            Input::Touch { plan, .. } => {
                self.path = thinned(plan);
                Some(plan.start())
            }
            _ => None,
        };
        self.point = self.point.or(at);
    }
}

/// The way of the first contact, in no more points than a reader needs.
fn thinned(plan: &TouchPlan) -> Vec<Point> {
    let Some(samples) = plan.contacts.first() else { return Vec::new() };
    let step = samples.len().div_ceil(PATH - 1).max(1);
    let mut path: Vec<Point> = samples.iter().step_by(step).map(|sample| sample.point()).collect();
    if let Some(last) = samples.last().map(|sample| sample.point())
        && path.last() != Some(&last)
    {
        path.push(last);
    }
    path
}

impl Run<'_> {
    /// Whether somebody wants to know what this command aims at.
    pub const fn noted(&self) -> bool {
        self.notes.is_some()
    }

    /// Looks at the screen, so that what is aimed at can be named afterwards. A screen that cannot be read changes nothing.
    pub async fn look_to_note(&mut self) {
        if self.notes.as_ref().is_some_and(|notes| notes.before.is_none())
            && !self.session.seen_just_now()
            && let Ok(tree) = self.session.device.capture(&self.context, MAX_NODES).await
        {
            self.session.keep(tree);
        }
    }

    /// Notes what was found for a target, and how long that took.
    pub fn note_aim(&mut self, target: &Target, located: &Located, began: Instant) {
        let waited = Duration::from_millis(located.waited.map_or(0, |(_, waited_ms)| waited_ms));
        let newest = self.session.tree.clone();
        let fresh = newest.clone().filter(|_| self.session.seen_just_now());
        let Some(notes) = &mut self.notes else { return };
        let knows = |tree: &Arc<Tree>| located.node.is_none_or(|key| tree.place_of(key).is_some());
        let tree = match (located.node, target) {
            // Its place is one in the capture on which it was found.
            (None, Target::Ref { .. } | Target::Selector { .. }) => newest,
            _ => [fresh, notes.before.clone(), newest].into_iter().flatten().find(knows),
        };
        let place = tree.as_deref().and_then(|tree| match (located.node, target) {
            (Some(key), _) => tree.place_of(key),
            (None, Target::Point { .. }) => topmost(tree, located.point),
            (None, _) => located.place,
        });
        notes.secret |= is_secret(tree.as_deref(), place);
        notes.wait += waited;
        notes.resolve += began.elapsed().saturating_sub(waited);
        notes.aims.push(Noted { target: target.clone(), tree, place, point: located.point });
    }

    /// Notes an element that was found on the newest capture.
    pub fn note_found(&mut self, target: &Target, tree: &Arc<Tree>, place: u32) {
        let Some(notes) = &mut self.notes else { return };
        let point = tree.get(place).map_or(Point { x: 0.0, y: 0.0 }, |node| node.rect.centre());
        notes.aims.push(Noted { target: target.clone(), tree: Some(tree.clone()), place: Some(place), point });
    }

    /// Notes whether what has the focus hides what is typed. What cannot be seen is taken for a secret.
    pub async fn note_focus(&mut self) {
        if !self.noted() {
            return;
        }
        self.look_to_note().await;
        let before = self.notes.as_ref().and_then(|notes| notes.before.clone());
        let tree = self.session.tree.clone().or(before);
        let focused = tree
            .as_deref()
            .and_then(|tree| tree.iter().filter(|(_, node)| node.is(States::FOCUSED)).map(|(place, _)| place).last());
        if let Some(notes) = &mut self.notes {
            notes.secret |= focused.is_none() || is_secret(tree.as_deref(), focused);
            if let (Some(tree), Some(place)) = (tree, focused) {
                let point = tree.get(place).map_or(Point { x: 0.0, y: 0.0 }, |node| node.rect.centre());
                let target = Target::Point { x: point.x, y: point.y };
                notes.aims.push(Noted { target, tree: Some(tree), place: Some(place), point });
            }
        }
    }

    /// Notes that what was typed is hidden.
    pub fn note_secret(&mut self) {
        if let Some(notes) = &mut self.notes {
            notes.secret = true;
        }
    }

    /// Notes an input that is about to be sent.
    pub fn note_input(&mut self, input: &Input) {
        if let Some(notes) = &mut self.notes {
            notes.input(input);
        }
    }

    /// Notes how long an input took to be sent.
    pub fn note_sent(&mut self, began: Instant) {
        if let Some(notes) = &mut self.notes {
            notes.send += began.elapsed();
        }
    }

    /// Notes how long the screen was watched after the input.
    pub fn note_settled(&mut self, began: Instant) {
        if let Some(notes) = &mut self.notes {
            notes.settle += began.elapsed();
        }
    }
}

fn is_secret(tree: Option<&Tree>, place: Option<u32>) -> bool {
    let node = tree.zip(place).and_then(|(tree, place)| tree.get(place));
    node.is_some_and(|node| node.is(States::PASSWORD))
}

/// The element drawn last at a point.
pub fn topmost(tree: &Tree, point: Point) -> Option<u32> {
    let at = tree.iter().filter(|(_, node)| node.is(States::VISIBLE) && node.rect.contains(point));
    at.map(|(place, _)| place).last()
}

/// What a future comes to, and when it began.
pub async fn timed<T>(future: impl Future<Output = T>) -> (T, Instant) {
    let began = Instant::now();
    (future.await, began)
}
