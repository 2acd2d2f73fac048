//! One session: an app on a device, and what its callers have been shown of it.

use std::{path::PathBuf, sync::Arc, time::Duration};

use backend::Device;
use contract::{Size, view::Platform};
use screen::{Listing, RefBook, Tree};
use tokio::time::Instant;

use crate::{leases::Lease, timeline::Timeline};

/// A screen that was read this recently is the screen still, for whoever only wants to show or name what is on it.
const JUST_NOW: Duration = Duration::from_millis(100);

/// What a session has open. Owned by whoever holds the session's turn: one command at a time.
#[derive(Debug)]
pub struct Session {
    /// Its name.
    pub name: String,
    /// The folder it was opened from.
    pub workspace: Option<String>,
    /// Where the device lives.
    pub platform: Platform,
    /// The device's id.
    pub device_id: String,
    /// What was opened.
    pub app: String,
    /// When: ms since 1970-01-01 UTC.
    pub opened_ms: u64,
    /// The opened device.
    pub device: Arc<dyn Device>,
    /// Keeps the device for this session.
    pub lease: Option<Lease>,
    /// The refs shown so far.
    pub refs: RefBook,
    /// The last snapshot shown, for `diff` and for "unchanged".
    pub listing: Option<Listing>,
    /// The newest capture.
    pub tree: Option<Arc<Tree>>,
    /// When it was taken.
    pub seen_at: Option<Instant>,
    /// The viewport of the newest capture.
    pub viewport: Option<Size>,
    /// Where the film that is being made is to go.
    pub film: Option<PathBuf>,
    /// What happened.
    pub timeline: Timeline,
    /// The session's files.
    pub folder: PathBuf,
}

impl Session {
    /// Takes a new capture for the newest.
    pub fn keep(&mut self, tree: Tree) -> Arc<Tree> {
        let tree = Arc::new(tree);
        self.keep_shared(&tree);
        tree
    }

    /// As [`Session::keep`], for one that others hold already.
    pub fn keep_shared(&mut self, tree: &Arc<Tree>) {
        self.viewport = Some(tree.viewport);
        self.tree = Some(tree.clone());
        self.seen_at = Some(Instant::now());
    }

    /// Whether the newest capture was taken a moment ago, and nothing was sent since.
    pub fn seen_just_now(&self) -> bool {
        self.tree.is_some() && self.seen_at.is_some_and(|at| at.elapsed() < JUST_NOW)
    }
}
