//! From a ref back to a node, or why not.

use contract::{Code, Failure, Row, target::RefToken};

use super::{
    RefBook,
    entry::{Entry, Face, Showing},
    identity::{Identities, Identity},
};
use crate::{Node, NodeKey, Role, Tree, describe::describe, snapshot::twins};

/// The node that a ref means in a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aim {
    /// Its place.
    pub place: u32,
    /// Its name is another than when it was last shown. Allowed, and to be disclosed.
    pub changed: Option<LabelChanged>,
}

/// A name that changed under a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelChanged {
    /// When last shown, at most 80 characters.
    pub was: String,
    /// Now.
    pub now: String,
}

/// What a ref was last shown as (pinned: in its generation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The backend's identity of the node, where it has one.
    pub key: Option<NodeKey>,
    /// Its role.
    pub role: Role,
    /// Its label, at most 80 characters.
    pub name: String,
    /// Its identifier when last shown.
    pub identifier: Option<String>,
    /// The generation in which it was shown so.
    pub generation: u64,
    /// What told it apart from controls of the same role and label: only a capture can say whether it still does.
    pub within: Option<String>,
}

impl RefBook {
    /// The node that `token` means in `tree`, which may be newer than the last frame.
    ///
    /// Refuses refs that were never issued (`ref_not_issued`), pinned refs of a generation that did not show the node
    /// (`ref_generation_mismatch`), refs of nodes that are gone (`ref_expired`), and refs of nodes that turned into
    /// something else: another role, another row of a list that is reused, or for pinned refs another name than in that
    /// generation (`ref_changed`).
    pub fn resolve(&self, token: RefToken, tree: &Tree) -> Result<Aim, Failure> {
        let entry = self.entry(token)?;
        let place = match entry.identity {
            Identity::Key(key) => tree.place_of(key),
            Identity::Shape(_) => {
                let identities = Identities::of(tree);
                (0u32..).take(tree.len()).find(|place| identities.at(tree, *place) == Some(entry.identity))
            }
        };
        let Some((place, node)) = place.and_then(|place| Some((place, tree.get(place)?))) else {
            return Err(self.gone(token, entry));
        };
        let Some(face) = entry.face(token.generation) else { return Err(self.not_issued(token)) };
        if let Some(within) = entry.within.as_deref().filter(|within| !twins::still_in(tree, place, within)) {
            return Err(self.elsewhere(token, face, within));
        }
        if face.fits(node) {
            return Ok(Aim { place, changed: None });
        }
        if token.generation.is_some() || face.role != node.role {
            return Err(self.changed(token, face, node));
        }
        Ok(Aim { place, changed: Some(LabelChanged { was: face.name.to_string(), now: node.name.to_string() }) })
    }

    /// What `token` was shown as, without a look at the screen. The same refusals as [`RefBook::resolve`], as far as
    /// they can be made without one.
    pub fn lookup(&self, token: RefToken) -> Result<Shown, Failure> {
        let entry = self.entry(token)?;
        let face = entry.face(token.generation).ok_or_else(|| self.not_issued(token))?;
        Ok(Shown {
            key: entry.key,
            role: face.role.clone(),
            name: face.name.to_string(),
            identifier: entry.identifier.as_deref().map(str::to_owned),
            generation: token.generation.unwrap_or(entry.last_shown),
            within: entry.within.as_deref().map(str::to_owned),
        })
    }

    fn entry(&self, token: RefToken) -> Result<&Entry, Failure> {
        if token.number == 0 || token.number > self.issued {
            return Err(self.not_issued(token));
        }
        if token.generation.is_some_and(|generation| generation == 0 || generation > self.generation) {
            return Err(self.mismatch(token, "that generation has not been shown"));
        }
        let Some(entry) = self.entries.get(&token.number) else {
            let message = format!(
                "@e{} belonged to an earlier screen and is gone; the screen is now generation {}",
                token.number, self.generation
            );
            return Err(self.expired(token, message));
        };
        match token.generation.map(|generation| entry.was_shown(generation)) {
            None | Some(Showing::Yes) => Ok(entry),
            Some(Showing::No) => {
                let shown = format!("@e{} was not shown in it, last in generation {}", token.number, entry.last_shown);
                Err(self.mismatch(token, &shown))
            }
            Some(Showing::Forgotten) => {
                let message = format!(
                    "{token} is too old to be held against the screen; the screen is now generation {}",
                    self.generation
                );
                Err(self.expired(token, message))
            }
        }
    }

    fn not_issued(&self, token: RefToken) -> Failure {
        let message = match self.issued {
            0 => format!("{token} was never shown: no snapshot was taken in this session"),
            issued => format!("{token} was never shown: the refs of this session end at @e{issued}"),
        };
        let failure = Failure::refused(Row::DaemonRefusalRefNotIssued, Code::ElementNotFound, message);
        self.with_ref(failure.reason("ref_not_issued"), token)
    }

    fn mismatch(&self, token: RefToken, why: &str) -> Failure {
        let message =
            format!("{token} cannot be what was meant: {why}; the screen is now generation {}", self.generation);
        let failure = Failure::refused(Row::DaemonRefusalRefNotIssued, Code::ElementNotFound, message);
        self.with_ref(failure.reason("ref_generation_mismatch"), token)
    }

    fn gone(&self, token: RefToken, entry: &Entry) -> Failure {
        let shown_in = token.generation.unwrap_or(entry.last_shown);
        let was = entry.face(token.generation).map(Face::words).unwrap_or_default();
        let number = token.number;
        let message = if self.generation > shown_in {
            format!(
                "@e{number} was {was} in generation {shown_in}; the screen is now generation {} and it is gone",
                self.generation
            )
        } else {
            format!("@e{number} was {was} in generation {shown_in}, the last one shown; it has left the screen since")
        };
        self.expired(token, message).detail("was", was).detail("shownGeneration", shown_in)
    }

    fn expired(&self, token: RefToken, message: String) -> Failure {
        let failure = Failure::refused(Row::DaemonRefusalRefExpired, Code::RefExpired, message);
        self.with_ref(failure.reason("ref_expired"), token)
    }

    fn changed(&self, token: RefToken, face: &Face, node: &Node) -> Failure {
        let (was, now) = (face.words(), describe(node));
        let then = token.generation.unwrap_or(face.since);
        let message = format!("@e{} was {was} in generation {then} and is now {now}", token.number);
        let failure = Failure::refused(Row::DaemonRefusalRefChanged, Code::RefExpired, message);
        self.with_ref(failure.reason("ref_changed"), token).detail("was", was).detail("now", now)
    }

    /// An element that was reused for another row.
    fn elsewhere(&self, token: RefToken, face: &Face, within: &str) -> Failure {
        let was = format!("{} in {within:?}", face.words());
        let then = token.generation.unwrap_or(face.since);
        let message = format!("@e{} was {was} in generation {then} and is somewhere else now", token.number);
        let failure = Failure::refused(Row::DaemonRefusalRefChanged, Code::RefExpired, message);
        self.with_ref(failure.reason("ref_changed"), token).detail("was", was)
    }

    fn with_ref(&self, failure: Failure, token: RefToken) -> Failure {
        let failure = failure.detail("ref", token.to_string()).detail("currentGeneration", self.generation);
        match token.generation {
            Some(minted) => failure.detail("mintedGeneration", minted),
            None => failure,
        }
    }
}
