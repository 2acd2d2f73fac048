//! Starting an emulator and waiting until Android is up.

use std::{collections::BTreeSet, net::TcpListener, time::Duration};

use contract::{Code, Failure, Row};
use tokio::time::timeout;
use wire::Context;

use super::{
    FIRST_PORT, LAST_PORT, console_port, no_emulator,
    program::{self, Started},
    running,
};
use crate::{
    adb::{Adb, State},
    system::{
        script::{Script, value},
        settle::{Settled, until},
    },
};

/// Pause between two looks.
const INTERVAL: Duration = Duration::from_millis(500);
/// How long one look may take: an Android that is coming up can leave a shell hanging.
const LOOK_LIMIT: Duration = Duration::from_secs(5);
/// Kept back of the request's time, to end what did not come up and to say so.
const RESERVE: Duration = Duration::from_secs(2);

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It ended.
    Ended,
    /// adb does not see it, or not as a device.
    Absent,
    /// adbd answers, Android is not up.
    Starting,
    /// Android is up.
    Up,
}

/// Starts a virtual device, unless it runs, and waits until Android is up. Its serial number.
///
/// # Errors
/// `android.emulator-not-started` with what the program said; a phone cannot be started from here.
pub async fn boot(context: &Context, adb: &Adb, device: &str, headless: bool) -> Result<String, Failure> {
    let attached = adb.devices(context).await?;
    if let Some(listed) = attached.iter().find(|listed| listed.serial == device) {
        if !listed.is_emulator() {
            return Err(no_emulator(device)
                .hint("it is switched on already; open an app on it: agent-device open com.example.app"));
        }
        return wait(context, adb, device, &mut None).await;
    }
    if let Some(serial) = running(context, adb, device).await? {
        return wait(context, adb, &serial, &mut None).await;
    }
    let program = program::find().ok_or_else(program::missing)?;
    let names = program::list(context, &program).await?;
    if !names.iter().any(|name| name == device) {
        let known =
            if names.is_empty() { "there are none".to_owned() } else { format!("there are {}", names.join(", ")) };
        return Err(Failure::refused(
            Row::AndroidEmulatorNotStarted,
            Code::DeviceNotFound,
            format!("no virtual device is called {device}: {known}"),
        )
        .reason("avd_not_found")
        .hint("see them: agent-device devices; make one: avdmanager create avd, or in Android Studio"));
    }
    let taken: BTreeSet<u16> = attached.iter().filter_map(|listed| console_port(&listed.serial)).collect();
    let port = free_port(&taken).ok_or_else(|| not_started(device, "every port for emulators is taken", ""))?;
    let started =
        Started::new(&program, device, port, headless).map_err(|why| not_started(device, &why.to_string(), ""))?;
    let mut started = Some(started);
    let serial = format!("emulator-{port}");
    let up = wait(context, adb, &serial, &mut started).await;
    if up.is_err()
        && let Some(started) = started
    {
        started.end().await;
    }
    up
}

/// Looks until Android is up.
async fn wait(context: &Context, adb: &Adb, serial: &str, started: &mut Option<Started>) -> Result<String, Failure> {
    let context = context.until(context.left().saturating_sub(RESERVE));
    let cell = std::sync::Mutex::new(started);
    let look = || async {
        let ended = cell.lock().ok().and_then(|mut cell| cell.as_mut().and_then(Started::ended)).is_some();
        if ended {
            return Ok(Stage::Ended);
        }
        Ok(timeout(LOOK_LIMIT, stage(&context, adb, serial)).await.unwrap_or(Stage::Starting))
    };
    let seen = until(&context, INTERVAL, context.left(), look, |stage| matches!(stage, Stage::Up | Stage::Ended)).await;
    let last_words = || cell.lock().ok().and_then(|cell| cell.as_ref().map(Started::last_words)).unwrap_or_default();
    match seen {
        Ok(Settled::Held(Stage::Up)) => Ok(serial.to_owned()),
        Ok(Settled::Held(_)) => Err(not_started(serial, "the emulator ended", &last_words())),
        Ok(Settled::Not(Stage::Starting)) => {
            Err(not_started(serial, "Android did not come up within the limit", &last_words())
                .hint("give it more time: --timeout 600000"))
        }
        Ok(Settled::Not(_)) => Err(not_started(serial, "adb does not see it within the limit", &last_words())
            .hint("give it more time: --timeout 600000; see what adb says: adb devices")),
        Err(failure) => Err(failure),
    }
}

/// How far Android is. A look that fails counts as not there: the transport comes and goes while it starts.
async fn stage(context: &Context, adb: &Adb, serial: &str) -> Stage {
    let Ok(devices) = adb.devices(context).await else { return Stage::Absent };
    if !devices.iter().any(|listed| listed.serial == serial && listed.state == State::Device) {
        return Stage::Absent;
    }
    let script = Script::of("getprop sys.boot_completed").then("pm path android");
    match script.look(context, &adb.device(serial)).await {
        Ok(parts)
            if value(&parts, 0) == Some("1") && value(&parts, 1).is_some_and(|path| path.starts_with("package:")) =>
        {
            Stage::Up
        }
        Ok(_) => Stage::Starting,
        Err(_) => Stage::Absent,
    }
}

/// An even port that is free together with the next one, which is adbd's.
fn free_port(taken: &BTreeSet<u16>) -> Option<u16> {
    let free = |port| TcpListener::bind(("127.0.0.1", port)).is_ok();
    (FIRST_PORT..=LAST_PORT).step_by(2).find(|port| !taken.contains(port) && free(*port) && free(*port + 1))
}

fn not_started(device: &str, why: &str, said: &str) -> Failure {
    let mut message = format!("{device}: {why}");
    if !said.is_empty() {
        message.push_str("\nThe emulator said:\n");
        message.push_str(said);
    }
    Failure::refused(Row::AndroidEmulatorNotStarted, Code::CommandFailed, message)
        .reason("emulator_not_started")
        .hint("start it by hand to see why: emulator -avd NAME; it needs hardware virtualisation (KVM on Linux)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_passed_over() {
        let first = free_port(&BTreeSet::new()).unwrap();
        let held = TcpListener::bind(("127.0.0.1", first + 1)).unwrap();
        let second = free_port(&BTreeSet::new()).unwrap();
        assert!(second > first && second.is_multiple_of(2));
        drop(held);
        assert!(free_port(&BTreeSet::from([first])).unwrap() > first);
        assert_eq!(free_port(&(FIRST_PORT..=LAST_PORT).collect()), None);
    }
}
