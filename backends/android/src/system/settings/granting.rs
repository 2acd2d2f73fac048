//! What the package manager says of an app's permissions, and what its refusals mean.

use std::collections::BTreeMap;

use contract::{Code, Failure, Row};

/// The permissions of one app for one user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Those that it asks for in its manifest.
    pub requested: Vec<String>,
    /// Those that are asked for while it runs, and how they stand.
    pub runtime: BTreeMap<String, Granted>,
}

/// How one permission stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Granted {
    /// It is given.
    pub granted: bool,
    /// The app is refused without a question.
    pub fixed: bool,
}

impl Permissions {
    /// Reads `dumpsys package PKG`; `None` where there is no such package.
    ///
    /// The words are those of Android 6 to 16: `requested permissions:`, then for each user `runtime permissions:` with
    /// one `NAME: granted=true, flags=[ ... ]` per line.
    pub fn read(dump: &str, user: u32) -> Option<Self> {
        if !dump.lines().any(|line| line.trim_start().starts_with("Package [")) {
            return None;
        }
        let mut found = Self::default();
        let mut part = Part::Other;
        let mut current = None;
        for line in dump.lines() {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix("User ") {
                current = rest.split(':').next().and_then(|id| id.trim().parse::<u32>().ok());
                part = Part::Other;
                continue;
            }
            match line {
                "requested permissions:" => part = Part::Requested,
                "runtime permissions:" => part = Part::Runtime,
                _ if line.ends_with(':') => part = Part::Other,
                _ => match part {
                    Part::Requested => {
                        // `NAME`, with `: restricted=true` or `maxSdkVersion` behind it in newer ones.
                        let name = line.split([':', ' ', ',']).next().unwrap_or_default();
                        if name.contains('.') {
                            found.requested.push(name.to_owned());
                        }
                    }
                    Part::Runtime if current.is_none_or(|current| current == user) => {
                        if let Some((name, rest)) = line.split_once(": granted=") {
                            let granted = Granted {
                                granted: rest.starts_with("true"),
                                fixed: rest.contains("USER_FIXED") || rest.contains("POLICY_FIXED"),
                            };
                            found.runtime.insert(name.to_owned(), granted);
                        }
                    }
                    Part::Runtime | Part::Other => {}
                },
            }
        }
        Some(found)
    }

    /// How one stands; one that is not asked for while the app runs is not in the list.
    pub fn get(&self, name: &str) -> Granted {
        self.runtime.get(name).copied().unwrap_or_default()
    }
}

#[derive(Clone, Copy)]
enum Part {
    Requested,
    Runtime,
    Other,
}

/// What a refusal of `pm grant` or `pm revoke` means: reason and advice.
const REFUSALS: &[(&str, &str, &str)] = &[
    ("has not requested permission", "permission_not_requested", "the app does not ask for it in its manifest"),
    (
        "is not a changeable permission type",
        "permission_not_changeable",
        "it is given at install time and cannot be taken; only those that an app asks for while it runs can",
    ),
    ("Unknown permission", "permission_unknown", "name one of Android's, like android.permission.CAMERA"),
    ("Unknown package", "app_not_installed", "see what is installed: agent-device apps"),
    ("is managed by role", "permission_not_changeable", "it comes with a role of the system, like default phone app"),
    ("Cannot grant", "permission_not_changeable", "a rule of the device keeps it as it is"),
    ("Cannot revoke", "permission_not_changeable", "a rule of the device keeps it as it is"),
    (
        "GRANT_RUNTIME_PERMISSIONS",
        "permission_change_forbidden",
        "allow it in Developer options: 'Disable permission monitoring', or 'USB debugging (Security settings)' on Xiaomi",
    ),
];

/// The failure behind what `pm` prints; `None` where it complains of nothing.
pub fn refusal(said: &str, permission: &str) -> Option<Failure> {
    let line = said.lines().map(str::trim).find(|line| {
        line.contains("Exception: ") || line.starts_with("Error:") || line.contains("Operation not allowed")
    })?;
    let (reason, hint) = REFUSALS.iter().find(|(words, ..)| said.contains(words)).map_or(
        ("permission_change_refused", "look at the app's permissions in the device's Settings"),
        |(_, reason, hint)| (*reason, *hint),
    );
    let why = line.rsplit_once("Exception: ").map_or(line, |(_, why)| why);
    Some(
        Failure::refused(Row::AndroidSettingRefused, Code::CommandFailed, format!("{permission}: {why}"))
            .reason(reason)
            .hint(hint),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEVEN: &str = include_str!("../../../testdata/system/package-11.txt");
    const SIX: &str = include_str!("../../../testdata/system/package-6.txt");

    #[test]
    fn the_permissions_of_each_user_are_kept_apart() {
        let first = Permissions::read(ELEVEN, 0).unwrap();
        assert_eq!(
            first.requested,
            [
                "android.permission.INTERNET",
                "android.permission.CAMERA",
                "android.permission.ACCESS_FINE_LOCATION",
                "android.permission.READ_EXTERNAL_STORAGE"
            ]
        );
        assert_eq!(first.get("android.permission.CAMERA"), Granted { granted: true, fixed: false });
        assert_eq!(first.get("android.permission.ACCESS_FINE_LOCATION"), Granted { granted: false, fixed: true });
        assert!(!first.runtime.contains_key("android.permission.INTERNET"));
        let second = Permissions::read(ELEVEN, 10).unwrap();
        assert_eq!(second.get("android.permission.CAMERA"), Granted::default());
        let six = Permissions::read(SIX, 0).unwrap();
        assert_eq!(six.get("android.permission.CAMERA"), Granted { granted: true, fixed: false });
        assert_eq!(Permissions::read("Unable to find package: com.none\n", 0), None);
    }

    #[test]
    fn each_refusal_of_the_package_manager_has_its_reason() {
        let shell = "\nException occurred while executing 'grant':\njava.lang.SecurityException: Package com.example has not requested permission android.permission.CAMERA\n\tat com.android.server.pm.permission.PermissionManagerService.grantRuntimePermission(X.java:1)\n";
        for (said, reason) in [
            (shell, Some("permission_not_requested")),
            (
                "Operation not allowed: java.lang.SecurityException: Package com.example has not requested permission android.permission.CAMERA",
                Some("permission_not_requested"),
            ),
            (
                "java.lang.SecurityException: Permission android.permission.INTERNET requested by com.example is not a changeable permission type",
                Some("permission_not_changeable"),
            ),
            ("java.lang.IllegalArgumentException: Unknown permission: nope", Some("permission_unknown")),
            ("java.lang.IllegalArgumentException: Unknown package: com.none", Some("app_not_installed")),
            (
                "java.lang.SecurityException: grantRuntimePermission: Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS.",
                Some("permission_change_forbidden"),
            ),
            ("Error: what is this", Some("permission_change_refused")),
            ("", None),
        ] {
            assert_eq!(refusal(said, "p").as_ref().and_then(Failure::reason_str), reason, "{said}");
        }
        let failure = refusal(shell, "android.permission.CAMERA").unwrap();
        assert_eq!(
            failure.message,
            "android.permission.CAMERA: Package com.example has not requested permission android.permission.CAMERA"
        );
    }
}
