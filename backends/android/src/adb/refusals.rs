//! What adb's refusals mean: the only place where adb's texts are matched.

use contract::{Code, Failure, Row};
use wire::NotSent;

/// The meaning of a text that the adb server gave instead of a way to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The row that lists it.
    pub row: Row,
    /// The code for callers.
    pub code: Code,
    /// The machine-readable reason.
    pub reason: &'static str,
    /// What to do about it.
    pub hint: &'static str,
    /// Whether it may pass by itself.
    pub retriable: bool,
}

/// How a text is recognised.
#[derive(Debug, Clone, Copy)]
enum Text {
    /// The whole text, apart from white space around it.
    Is(&'static str),
    /// Its first words.
    Begins(&'static str),
    /// Its first and its last words, a serial number between them.
    Around(&'static str, &'static str),
}

impl Text {
    fn fits(self, text: &str) -> bool {
        match self {
            Self::Is(whole) => text == whole,
            Self::Begins(first) => text.starts_with(first),
            Self::Around(first, last) => text.strip_prefix(first).is_some_and(|rest| rest.ends_with(last)),
        }
    }
}

const OFFLINE: Refusal = Refusal {
    row: Row::AdbDeviceOffline,
    code: Code::CommandFailed,
    reason: "device_offline",
    hint: "wait until `adb devices` says 'device'; if it stays offline, reconnect its cable or restart it",
    retriable: true,
};
const UNAUTHORIZED: Refusal = Refusal {
    row: Row::AdbDeviceUnauthorized,
    code: Code::Unauthorized,
    reason: "device_unauthorized",
    hint: "unlock the device and accept this computer's key in the dialog 'Allow USB debugging?'",
    retriable: false,
};
const AUTHORIZING: Refusal = Refusal { reason: "device_authorizing", retriable: true, ..UNAUTHORIZED };
const NOT_FOUND: Refusal = Refusal {
    row: Row::AdbDeviceNotFound,
    code: Code::DeviceNotFound,
    reason: "device_not_found",
    hint: "see what is attached: agent-device devices; a device that restarts comes back by itself, one over the network with: adb connect ADDRESS",
    retriable: true,
};
const SEVERAL: Refusal = Refusal {
    row: Row::AdbSeveralDevices,
    code: Code::InvalidArgs,
    reason: "multiple_devices",
    hint: "name the one meant, by the serial number that `agent-device devices` shows",
    retriable: false,
};
const NONE: Refusal = Refusal {
    row: Row::AdbNoDevices,
    code: Code::DeviceNotFound,
    reason: "no_devices",
    hint: "attach a device with USB debugging on, start an emulator, or connect one over the network",
    retriable: false,
};
const FORBIDDEN: Refusal = Refusal {
    row: Row::AdbServerRefused,
    code: Code::Unauthorized,
    reason: "no_permissions",
    hint: "this user may not use the USB device: add the udev rule for it, or join the group plugdev",
    retriable: false,
};
const TOO_OLD: Refusal = Refusal {
    row: Row::AdbServerRefused,
    code: Code::UnsupportedOperation,
    reason: "adb_server_too_old",
    hint: "the adb server that runs does not know this service: update Android's platform-tools, then adb kill-server",
    retriable: false,
};
const UNLISTED: Refusal = Refusal {
    row: Row::AdbServerRefused,
    code: Code::CommandFailed,
    reason: "adb_server_refused",
    hint: "see what the adb server says of it: adb devices -l",
    retriable: false,
};

const TABLE: &[(Text, Refusal)] = &[
    (Text::Is("device offline"), OFFLINE),
    (Text::Is("device offline (no transport)"), OFFLINE),
    (Text::Is("device offline (transport offline)"), OFFLINE),
    (Text::Around("device '", "' offline"), OFFLINE),
    (Text::Is("device still connecting"), OFFLINE),
    (Text::Begins("device unauthorized"), UNAUTHORIZED),
    (Text::Is("device still authorizing"), AUTHORIZING),
    (Text::Around("device '", "' not found"), NOT_FOUND),
    (Text::Around("no device with transport id '", "'"), NOT_FOUND),
    (Text::Is("more than one device/emulator"), SEVERAL),
    (Text::Is("more than one device"), SEVERAL),
    (Text::Is("more than one emulator"), SEVERAL),
    (Text::Is("no devices/emulators found"), NONE),
    (Text::Is("no devices found"), NONE),
    (Text::Is("no emulators found"), NONE),
    (Text::Begins("insufficient permissions for device"), FORBIDDEN),
    (Text::Begins("no permissions"), FORBIDDEN),
    (Text::Is("unknown host service"), TOO_OLD),
];

/// The meaning of a text; of one that is not listed, that the server refused.
pub fn meaning(text: &str) -> Refusal {
    let text = text.trim();
    TABLE.iter().find(|(known, _)| known.fits(text)).map_or(UNLISTED, |(_, refusal)| *refusal)
}

/// The meaning of a text that was put under this row already, by the table or by whoever asked.
fn of_row(row: Row, text: &str) -> Refusal {
    let meant = meaning(text);
    if meant.row == row {
        return meant;
    }
    let listed = TABLE.iter().find(|(_, refusal)| refusal.row == row).map(|(_, refusal)| *refusal);
    listed.unwrap_or(Refusal { row, ..UNLISTED })
}

/// The failure to report where there is no way to the device.
pub fn failure(proof: NotSent, doing: &str) -> Failure {
    let refusal = match proof.row() {
        Row::AdbToolMissing => Refusal {
            row: Row::AdbToolMissing,
            code: Code::ToolMissing,
            reason: "adb_missing",
            hint: "install Android's platform-tools and put adb on the PATH, or set ANDROID_HOME",
            retriable: false,
        },
        Row::AdbServerUnreachable => Refusal {
            row: Row::AdbServerUnreachable,
            code: Code::CommandFailed,
            reason: "adb_server_unreachable",
            hint: "start it by hand to see why: adb start-server",
            retriable: true,
        },
        Row::AdbNotWritten => Refusal {
            row: Row::AdbNotWritten,
            code: Code::CommandFailed,
            reason: "adb_not_written",
            hint: "the adb server closed the connection or did not answer: try again, then adb start-server",
            retriable: true,
        },
        row => of_row(row, proof.cause()),
    };
    let failure = proof.failure(refusal.code, doing).reason(refusal.reason).hint(refusal.hint);
    if refusal.retriable { failure.retriable() } else { failure }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line per text that adb 29 to 35 send, as they arrive.
    #[test]
    fn every_text_of_adb_has_its_row() {
        let unauthorized = "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if \
                            that seems wrong.\nOtherwise check for a confirmation dialog on your device.";
        let forbidden = "insufficient permissions for device: user in plugdev group; are your udev rules wrong?\nSee \
                         [http://developer.android.com/tools/device.html] for more information";
        for (text, expected) in [
            ("device offline", OFFLINE),
            ("device offline (no transport)", OFFLINE),
            ("device offline (transport offline)", OFFLINE),
            ("device 'emulator-5554' offline", OFFLINE),
            ("device still connecting", OFFLINE),
            (unauthorized, UNAUTHORIZED),
            ("device still authorizing", AUTHORIZING),
            ("device 'nope' not found", NOT_FOUND),
            ("no device with transport id '77'", NOT_FOUND),
            ("more than one device/emulator", SEVERAL),
            ("more than one device", SEVERAL),
            ("more than one emulator", SEVERAL),
            ("no devices/emulators found", NONE),
            ("no devices found", NONE),
            ("no emulators found", NONE),
            (forbidden, FORBIDDEN),
            ("no permissions; see [http://developer.android.com/tools/device.html]", FORBIDDEN),
            ("unknown host service", TOO_OLD),
            ("listener 'tcp:777' not found", UNLISTED),
            ("internal error", UNLISTED),
            ("closed", UNLISTED),
            ("", UNLISTED),
            ("the device offline", UNLISTED),
            ("device offline, and more", UNLISTED),
        ] {
            assert_eq!(meaning(text), expected, "{text}");
        }
    }

    #[test]
    fn what_may_pass_by_itself_is_told_apart() {
        for (refusal, retriable) in [
            (OFFLINE, true),
            (UNAUTHORIZED, false),
            (AUTHORIZING, true),
            (NOT_FOUND, true),
            (SEVERAL, false),
            (NONE, false),
            (FORBIDDEN, false),
            (TOO_OLD, false),
            (UNLISTED, false),
        ] {
            assert_eq!(refusal.retriable, retriable, "{}", refusal.reason);
        }
        assert_eq!(AUTHORIZING.reason, "device_authorizing");
    }

    /// Whoever asked may know more than the text says.
    #[test]
    fn a_text_under_another_row_than_its_own_means_what_the_row_says() {
        assert_eq!(of_row(Row::AdbDeviceNotFound, "closed"), NOT_FOUND);
        assert_eq!(of_row(Row::AdbDeviceUnauthorized, "device still authorizing"), AUTHORIZING);
        assert_eq!(of_row(Row::HelperCommandFailed, "closed"), Refusal { row: Row::HelperCommandFailed, ..UNLISTED });
    }
}
