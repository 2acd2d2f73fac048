//! One session: an app on a device, and what its callers have been shown of it.

use std::{path::PathBuf, sync::Arc};

use backend::Device;
use contract::{Size, view::Platform};
use screen::{Listing, RefBook, Tree};

use crate::{leases::Lease, timeline::Timeline};

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
        self.viewport = Some(tree.viewport);
        self.tree = Some(tree.clone());
        tree
    }
}
