//! How the helper is run: what is part of a session's identity.

use std::time::Duration;

use crate::adb::quote;

/// Options of a run. A session that was started with others is not the same session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How long a capture waits for the screen to come to rest, ms; 0 not at all.
    pub idle_timeout_ms: u64,
    /// How long nothing must happen for it to be at rest, ms.
    pub idle_quiet_ms: u64,
    /// Levels of a capture at most.
    pub max_depth: u32,
    /// Nodes of a capture at most.
    pub max_nodes: u32,
    /// Whether a session may be kept at all.
    pub session: bool,
}

impl Default for Options {
    /// The field's numbers.
    fn default() -> Self {
        Self { idle_timeout_ms: 500, idle_quiet_ms: 100, max_depth: 128, max_nodes: 5_000, session: true }
    }
}

/// Switches sessions off where it is `0` (the field's name for it).
pub const SESSION_VARIABLE: &str = "AGENT_DEVICE_ANDROID_SNAPSHOT_HELPER_SESSION";

/// How long UiAutomation may take to connect, ms: in a session, and in a single run.
const CONNECT_SESSION_MS: u64 = 2_000;
const CONNECT_ONCE_MS: u64 = 5_000;
/// A session that hears nothing for so long ends itself and frees UiAutomation.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(60);
/// How often a session that is not used hears from this host all the same.
pub const KEEP_ALIVE: Duration = Duration::from_secs(20);

impl Options {
    /// As the environment says.
    pub fn from_environment() -> Self {
        let session = std::env::var(SESSION_VARIABLE).is_ok_and(|value| value.trim() == "0");
        Self { session: !session, ..Self::default() }
    }

    fn common(self, connect_ms: u64) -> Vec<String> {
        let pairs = [
            ("waitForIdleTimeoutMs", self.idle_timeout_ms),
            ("waitForIdleQuietMs", self.idle_quiet_ms),
            ("timeoutMs", connect_ms),
            ("maxDepth", u64::from(self.max_depth)),
            ("maxNodes", u64::from(self.max_nodes)),
        ];
        let mut arguments = ["am", "instrument", "-w"].map(str::to_owned).to_vec();
        for (key, value) in pairs {
            push(&mut arguments, key, &value.to_string());
        }
        arguments
    }

    /// The arguments that start a session on a port of the device.
    pub fn session_arguments(self, runner: &str, port: u16) -> Vec<String> {
        let mut arguments = self.common(CONNECT_SESSION_MS);
        push(&mut arguments, "emitChunks", "false");
        push(&mut arguments, "sessionPort", &port.to_string());
        // Helpers that do not know it ignore it.
        push(&mut arguments, "clientTimeoutMs", &CLIENT_TIMEOUT.as_millis().to_string());
        arguments.push(runner.to_owned());
        arguments
    }

    /// The line that runs the helper once.
    pub fn once_line(self, runner: &str, mode: &str, payload: Option<&str>) -> String {
        let mut arguments = self.common(CONNECT_ONCE_MS);
        if mode != "snapshot" {
            push(&mut arguments, "mode", mode);
        }
        if let Some(payload) = payload {
            push(&mut arguments, "payloadBase64", payload);
        }
        arguments.push(runner.to_owned());
        quote::line(&arguments)
    }
}

fn push(arguments: &mut Vec<String>, key: &str, value: &str) {
    arguments.extend(["-e", key, value].map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNER: &str = "com.callstack.agentdevice.snapshothelper/.SnapshotInstrumentation";

    #[test]
    fn the_lines_are_those_that_any_host_would_run() {
        let options = Options::default();
        assert_eq!(
            options.session_arguments(RUNNER, 23_456).join(" "),
            format!(
                "am instrument -w -e waitForIdleTimeoutMs 500 -e waitForIdleQuietMs 100 -e timeoutMs 2000 -e maxDepth 128 \
                 -e maxNodes 5000 -e emitChunks false -e sessionPort 23456 -e clientTimeoutMs 60000 {RUNNER}"
            )
        );
        assert_eq!(
            options.once_line(RUNNER, "snapshot", None),
            format!(
                "am instrument -w -e waitForIdleTimeoutMs 500 -e waitForIdleQuietMs 100 -e timeoutMs 5000 -e maxDepth 128 \
                 -e maxNodes 5000 {RUNNER}"
            )
        );
        let gesture = options.once_line(RUNNER, "gesture", Some("eyJh=="));
        assert!(gesture.ends_with(&format!("-e mode gesture -e payloadBase64 'eyJh==' {RUNNER}")), "{gesture}");
    }

    #[test]
    fn a_session_hears_from_its_host_long_before_it_ends_itself() {
        assert!(KEEP_ALIVE * 2 < CLIENT_TIMEOUT);
    }
}
