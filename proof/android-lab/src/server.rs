//! Where the device's commands and the framework double connect to.

use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};

use crate::{call::Call, core::Core, double, frame, shell};

/// Serves for ever.
pub async fn serve(core: Arc<Core>, listener: TcpListener) {
    while let Ok((connection, _)) = listener.accept().await {
        tokio::spawn(one(core.clone(), connection));
    }
}

/// A command begins with a frame, the double with JSON.
async fn one(core: Arc<Core>, connection: TcpStream) {
    let mut first = [0];
    // A connection that breaks has nobody to be told.
    let _broken = connection.set_nodelay(true);
    match connection.peek(&mut first).await {
        Ok(1) if first == [frame::BEGIN] => {
            if let Ok(call) = Call::accept(connection).await {
                shell::run(&core, call).await;
            }
        }
        Ok(1) => double::serve(core, connection).await,
        _ => {}
    }
}
