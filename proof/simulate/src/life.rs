//! A daemon from its start to its end: the real server and router over in-memory streams.

use std::{path::Path, sync::Arc};

use backend::Provider;
use daemon::{router::Router, server::Server, state_dir::StateDir};
use tokio::{io::DuplexStream, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    device::{Watch, WatchedStage},
    line::BUILD,
};

/// A daemon. When it is killed, nothing that it was doing goes on: see [`Life::kill`].
pub struct Life {
    /// Which one it is, counted from 0.
    pub number: u32,
    /// Everything that requests share.
    pub router: Arc<Router>,
    /// Set when it was killed.
    pub killed: CancellationToken,
    server: Arc<Server>,
    conversations: Vec<JoinHandle<()>>,
}

impl Life {
    /// Starts one over a state folder. What was killed before is let go when `released` is set.
    pub fn start(number: u32, folder: &Path, watch: Watch, released: CancellationToken) -> Self {
        let state = StateDir::find(Some(folder)).expect("a folder that was named");
        state.create().expect("the state folder can be made");
        let killed = CancellationToken::new();
        let stage: Arc<dyn Provider> = Arc::new(WatchedStage::new(number, watch, killed.clone(), released));
        let mut router = Router::new(state, vec![stage]);
        // Two lives in one process at one time would have the same.
        router.instance = format!("life-{number}");
        let router = Arc::new(router);
        let server = Server::new(router.clone(), BUILD.to_owned());
        Self { number, router, killed, server, conversations: Vec::new() }
    }

    /// A connection to it, through a buffer of so many bytes each way.
    pub fn connect(&mut self, buffer: usize) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(buffer);
        if self.killed.is_cancelled() {
            return ours;
        }
        let (reader, writer) = tokio::io::split(theirs);
        self.conversations.retain(|one| !one.is_finished());
        self.conversations.push(tokio::spawn(self.server.clone().converse(reader, writer)));
        ours
    }

    /// Ends it as `kill -9` does: connections close, and no task of it does anything to a device any more.
    pub fn kill(&mut self) {
        self.killed.cancel();
        for conversation in self.conversations.drain(..) {
            conversation.abort();
        }
    }

    /// Waits until every connection has ended.
    pub async fn drained(&mut self) {
        for conversation in self.conversations.drain(..) {
            let _ended_or_aborted = conversation.await;
        }
    }
}
