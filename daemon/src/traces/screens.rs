//! The screens of a trace: a picture and a tree, each stored once. Nothing here fails a command: what cannot be had is missing,
//! with a note.

use std::{sync::Arc, time::Duration};

use contract::{trace::Screen, view::NodeView};
use screen::{Tree, describe};
use tokio::time::Instant;
use wire::Context;

use super::Tracer;
use crate::{leases::now_ms, run::MAX_NODES, secrets::Secrets, session::Session};

/// How long a picture or a tree may take at most. It is never the command's time.
pub const LOOK_LIMIT: Duration = Duration::from_secs(3);
/// A screen that was seen this recently is the screen still.
pub const JUST_NOW: Duration = Duration::from_millis(100);

/// What was seen last.
#[derive(Debug, Default)]
pub struct Screens {
    last: Option<Shot>,
}

/// A screen as it was seen.
#[derive(Debug, Clone, Default)]
pub struct Shot {
    /// As the entry names it.
    pub screen: Screen,
    /// Its tree.
    pub tree: Option<Arc<Tree>>,
    /// What is missing, and why.
    pub notes: Vec<String>,
    at: Option<Instant>,
}

impl Tracer {
    /// The screen before a command: the one after the last, if that was seen a moment ago.
    pub async fn before(&mut self, session: &Session, secrets: &Secrets) -> Shot {
        match self.screens.last.take() {
            Some(shot) if shot.at.is_some_and(|at| at.elapsed() < JUST_NOW) => shot,
            _ => self.shot(session, secrets).await,
        }
    }

    /// The screen now.
    pub async fn after(&mut self, session: &Session, secrets: &Secrets) -> Shot {
        let shot = self.shot(session, secrets).await;
        self.screens.last = Some(shot.clone());
        shot
    }

    async fn shot(&mut self, session: &Session, secrets: &Secrets) -> Shot {
        let mut shot = Shot {
            screen: Screen { at_ms: now_ms(), ..Screen::default() },
            at: Some(Instant::now()),
            ..Shot::default()
        };
        let tree = match session.tree.clone().filter(|_| session.seen_just_now()) {
            Some(tree) => Ok(tree),
            None => session.device.capture(&Context::with_limit(LOOK_LIMIT), MAX_NODES).await.map(Arc::new),
        };
        match tree {
            Ok(tree) => {
                shot.screen.viewport = Some(tree.viewport);
                shot.screen.title = tree.title.clone().map(|title| hidden(title, secrets));
                match self.stored_tree(&tree, secrets) {
                    Ok(name) => shot.screen.tree = Some(name),
                    Err(why) => shot.notes.push(format!("no tree: {why}")),
                }
                shot.tree = Some(tree);
            }
            Err(failure) => shot.notes.push(format!("no tree: {}", failure.message)),
        }
        match session.device.screenshot(&Context::with_limit(LOOK_LIMIT), false).await {
            Ok(picture) => match self.store(&picture.png, "png") {
                Ok(name) => shot.screen.picture = Some(name),
                Err(why) => shot.notes.push(format!("no picture: {why}")),
            },
            Err(failure) => shot.notes.push(format!("no picture: {}", failure.message)),
        }
        // Last, so that what came meanwhile is in it. A device that cannot be read says nothing of its network either.
        if shot.tree.is_some() {
            self.traffic.look(session).await;
        }
        shot
    }

    /// Stores a tree beside the trace.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn stored_tree(&mut self, tree: &Tree, secrets: &Secrets) -> Result<String, String> {
        let nodes: Vec<NodeView> = (0u32..)
            .zip(tree.nodes())
            .map(|(place, node)| NodeView {
                index: place,
                parent_index: node.parent,
                ..describe::node_view(tree, place, None)
            })
            .collect();
        let bytes = if secrets.is_empty() {
            serde_json::to_vec(&nodes)
        } else {
            serde_json::to_value(&nodes).and_then(|mut nodes| {
                secrets.hide_in(&mut nodes);
                serde_json::to_vec(&nodes)
            })
        };
        bytes.map_err(|why| why.to_string()).and_then(|bytes| self.store(&bytes, "json"))
    }
}

fn hidden(mut text: String, secrets: &Secrets) -> String {
    secrets.hide(&mut text);
    text
}
