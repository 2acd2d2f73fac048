//! Who holds which device: two sessions never share one.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
};

use contract::{Code, Failure, Row, view::Holder};

use crate::sync::Mutex;

/// All leases of this daemon.
#[derive(Debug, Clone, Default)]
pub struct Leases {
    held: Arc<Mutex<HashMap<String, Holder>>>,
}

/// A device held until this is dropped.
#[derive(Debug)]
pub struct Lease {
    device: String,
    leases: Leases,
}

impl Leases {
    /// Takes a device.
    ///
    /// # Errors
    /// `DEVICE_IN_USE` naming who holds it, since when, and how to release it.
    pub fn take(&self, device: &str, holder: Holder) -> Result<Lease, Failure> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = held.get(device) {
            let workspace = other.workspace.as_deref().map(|path| format!(", opened from {path}")).unwrap_or_default();
            return Err(Failure::refused(
                Row::DaemonAdmissionDeviceInUse,
                Code::DeviceInUse,
                format!("{device} is held by session {:?}{workspace}, for {}", other.session, age(other.since_ms)),
            )
            .reason("device_in_use")
            .retriable()
            .hint(format!(
                "release it: agent-device close --session {}; or take another: agent-device devices",
                other.session
            ))
            .detail("device", device)
            .detail("holder", serde_json::to_value(other).unwrap_or_default()));
        }
        held.insert(device.to_owned(), holder);
        Ok(Lease { device: device.to_owned(), leases: self.clone() })
    }

    /// Who holds a device.
    pub fn holder(&self, device: &str) -> Option<Holder> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).get(device).cloned()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.leases.held.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.device);
    }
}

/// ms since 1970-01-01 UTC.
pub fn now_ms() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The time since `since_ms`, for people.
pub fn age(since_ms: u64) -> String {
    match now_ms().saturating_sub(since_ms) / 1000 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_device_is_refused_by_name_and_free_again_when_dropped() {
        let leases = Leases::default();
        let holder =
            |session: &str| Holder { session: session.into(), workspace: Some("/w".into()), since_ms: now_ms() };
        let lease = leases.take("stage-1", holder("a")).unwrap();
        let refused = leases.take("stage-1", holder("b")).unwrap_err();
        assert_eq!(refused.code, Code::DeviceInUse);
        assert!(refused.message.contains("\"a\"") && refused.hint.unwrap().contains("close --session a"));
        assert_eq!(leases.holder("stage-1").unwrap().session, "a");
        assert_eq!(leases.holder("stage-2"), None);
        drop(lease);
        assert_eq!(leases.holder("stage-1"), None);
        assert!(leases.take("stage-1", holder("b")).is_ok());
    }

    #[test]
    fn a_time_ago_is_said_in_the_unit_that_fits() {
        let ago = |seconds: u64| age(now_ms() - seconds * 1000 - 500);
        for (seconds, said) in [(0, "0 s"), (59, "59 s"), (61, "1 min"), (59 * 60, "59 min"), (3600 + 120, "1 h 2 min")]
        {
            assert_eq!(ago(seconds), said);
        }
        // Later than the first line of this project and earlier than a clock that counts in another unit.
        assert!((1_700_000_000_000..10_000_000_000_000).contains(&now_ms()));
    }
}
