//! Ctrl-C and SIGTERM: the first stops the run and lets it clean up, a second one ends the program at once.

use daemon::client::Interrupt;
use tokio::signal::unix::{SignalKind, signal};

/// The exit code of a program that SIGINT ended, as shells tell it.
pub const INTERRUPTED: i32 = 130;

/// From now on a signal sets the interrupt. Where signals cannot be heard, they end the program as ever.
pub fn heard(interrupt: &Interrupt) {
    let interrupt = interrupt.clone();
    let listen = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            let (Ok(mut int), Ok(mut term)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) else {
                return;
            };
            loop {
                tokio::select! {
                    _ = int.recv() => {}
                    _ = term.recv() => {}
                }
                if interrupt.is_set() {
                    std::process::exit(INTERRUPTED);
                }
                interrupt.set();
            }
        });
    };
    // It ends with the program.
    let _listening = std::thread::Builder::new().name("signals".into()).spawn(listen);
}
