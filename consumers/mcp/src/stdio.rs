//! The server on standard input and output: how agents start it.

use std::{sync::Arc, time::Duration};

use rmcp::{ServiceExt, transport::stdio_pipes};

use crate::{call::Shared, server::Server};

/// What a client that has closed its end may still leave to be joined: a send in flight, cancelled. The daemon would
/// end it as well when this process is gone.
const LAST_CALL: Duration = Duration::from_secs(20);

/// Serves until standard input ends.
///
/// # Errors
/// What kept it from it, for people.
pub async fn serve(shared: Arc<Shared>) -> Result<(), String> {
    let running = match Server(Arc::clone(&shared)).serve(stdio_pipes()).await {
        Ok(running) => running,
        // A client that went away before it said anything has nothing to be told.
        Err(why) if is_gone(&why) => return Ok(()),
        Err(why) => return Err(format!("the client could not be greeted: {why}")),
    };
    running.waiting().await.map_err(|why| format!("the server broke off: {why}"))?;
    // What is still asked for was told to stop when the connection ended.
    let _late = tokio::time::timeout(LAST_CALL, shared.idle()).await;
    Ok(())
}

fn is_gone(why: &rmcp::service::ServerInitializeError) -> bool {
    matches!(why, rmcp::service::ServerInitializeError::ConnectionClosed(_))
}
