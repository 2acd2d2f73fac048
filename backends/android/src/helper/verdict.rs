//! Whether the helper on a device is ours, and what an installer's refusal means: decided from what the device prints.

use super::package::Packages;

/// Why the helper is installed, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is not there.
    Missing,
    /// An older version is there.
    Outdated,
    /// Another package of that name is there: another build, or another maker's.
    Mismatched,
    /// It is there, and its content cannot be read.
    Unverifiable,
    /// The caller wants it installed in any case.
    Forced,
    /// It is ours: nothing to do.
    Current,
    /// The caller wants what is there to be used.
    Skipped,
}

impl Reason {
    /// The word for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Missing => "missing",
            Reason::Outdated => "outdated",
            Reason::Mismatched => "mismatched",
            Reason::Unverifiable => "unverifiable",
            Reason::Forced => "forced",
            Reason::Current => "current",
            Reason::Skipped => "skipped",
        }
    }

    /// Whether to install.
    pub const fn installs(self) -> bool {
        !matches!(self, Reason::Current | Reason::Skipped)
    }
}

/// Decides from the version on the device and the sum of what is installed there.
pub fn decide(packages: &Packages, version: Option<u64>, sha256: Option<&str>) -> Reason {
    let Some(version) = version else { return Reason::Missing };
    match sha256 {
        Some(sum) if packages.all().any(|package| package.manifest.sha256.eq_ignore_ascii_case(sum)) => Reason::Current,
        _ if version < packages.main.manifest.version_code => Reason::Outdated,
        Some(_) => Reason::Mismatched,
        None => Reason::Unverifiable,
    }
}

/// The version code in the answer to `cmd package list packages --show-versioncode NAME`, which also lists packages
/// whose name only begins so; or in that of `dumpsys package NAME`, for devices that do not know the option.
pub fn version_code(output: &str, package: &str) -> Option<u64> {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    output.lines().find_map(|line| {
        let line = line.trim();
        match line.strip_prefix("package:") {
            Some(listed) => {
                let (name, rest) = listed.split_once(' ')?;
                (name == package).then(|| rest.trim().strip_prefix("versionCode:")).flatten().and_then(digits)
            }
            None => line.strip_prefix("versionCode=").and_then(digits),
        }
    })
}

/// The path of the installed package in the answer to `pm path NAME`.
pub fn package_path(output: &str) -> Option<&str> {
    let paths = || output.lines().filter_map(|line| line.trim().strip_prefix("package:"));
    paths().find(|path| path.ends_with("/base.apk")).or_else(|| paths().next()).filter(|path| path.starts_with('/'))
}

/// The sum in the answer to `sha256sum PATH`.
pub fn sum(output: &str) -> Option<&str> {
    output
        .split_whitespace()
        .next()
        .filter(|word| word.len() == 64 && word.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// What an installer's refusal means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It takes no packages for tests: try the one without the flag.
    TestOnly,
    /// What is there was signed by somebody else, or is newer: remove it first.
    Conflict,
    /// A person has to agree on the device, and did not.
    Unconfirmed,
    /// No room.
    NoRoom,
    /// Anything else.
    Other,
}

/// Codes as installers print them, `[...]` around them and words after a colon left out.
const REFUSALS: [(&str, Refusal); 12] = [
    ("INSTALL_FAILED_TEST_ONLY", Refusal::TestOnly),
    // ColorOS and others refuse test packages that come over USB with a number of their own.
    ("-99", Refusal::TestOnly),
    ("INSTALL_FAILED_UPDATE_INCOMPATIBLE", Refusal::Conflict),
    ("INSTALL_FAILED_SHARED_USER_INCOMPATIBLE", Refusal::Conflict),
    ("INSTALL_FAILED_VERSION_DOWNGRADE", Refusal::Conflict),
    ("INSTALL_FAILED_PERMISSION_MODEL_DOWNGRADE", Refusal::Conflict),
    ("INSTALL_FAILED_ALREADY_EXISTS", Refusal::Conflict),
    ("INSTALL_FAILED_USER_RESTRICTED", Refusal::Unconfirmed),
    ("INSTALL_FAILED_ABORTED", Refusal::Unconfirmed),
    ("INSTALL_FAILED_VERIFICATION_FAILURE", Refusal::Unconfirmed),
    ("INSTALL_FAILED_VERIFICATION_TIMEOUT", Refusal::Unconfirmed),
    ("INSTALL_FAILED_INSUFFICIENT_STORAGE", Refusal::NoRoom),
];

/// The code in a refusal: `Failure [INSTALL_FAILED_TEST_ONLY: installPackageLI]`.
pub fn refusal_code(output: &str) -> Option<&str> {
    let inside = output.split_once("Failure [")?.1.split_once(']')?.0;
    Some(inside.split_once(':').map_or(inside, |(code, _)| code).trim())
}

/// What it means.
pub fn refusal(code: &str) -> Refusal {
    REFUSALS.iter().find(|(known, _)| *known == code).map_or(Refusal::Other, |(_, refusal)| *refusal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::helper::package::{Manifest, Package};

    const OURS: &str = "com.callstack.agentdevice.snapshothelper";

    fn packages() -> Packages {
        let package = |sum: char, args: &[&str]| Package {
            manifest: Manifest {
                name: "android-snapshot-helper".into(),
                version: "0.30.0".into(),
                asset_name: "x.apk".into(),
                apk_url: None,
                sha256: sum.to_string().repeat(64),
                package_name: OURS.into(),
                version_code: 30_000,
                instrumentation_runner: format!("{OURS}/.SnapshotInstrumentation"),
                min_sdk: 23,
                target_sdk: 36,
                output_format: "uiautomator-xml".into(),
                status_protocol: "android-snapshot-helper-v1".into(),
                install_args: args.iter().map(ToString::to_string).collect(),
            },
            bytes: b"PK",
        };
        Packages { main: package('a', &["install", "-r", "-t"]), plain: Some(package('b', &["install", "-r"])) }
    }

    #[test]
    fn the_helper_is_installed_unless_it_is_one_of_ours() {
        let (ours, plain, other) = ("A".repeat(64), "b".repeat(64), "c".repeat(64));
        let decide = |version, sum: Option<&String>| decide(&packages(), version, sum.map(String::as_str));
        assert_eq!(decide(None, None), Reason::Missing);
        assert_eq!(decide(Some(30_000), Some(&ours)), Reason::Current);
        assert_eq!(decide(Some(30_000), Some(&plain)), Reason::Current);
        assert_eq!(decide(Some(21_005), Some(&other)), Reason::Outdated);
        assert_eq!(decide(Some(21_005), None), Reason::Outdated);
        assert_eq!(decide(Some(30_000), Some(&other)), Reason::Mismatched);
        assert_eq!(decide(Some(31_000), Some(&other)), Reason::Mismatched);
        assert_eq!(decide(Some(30_000), None), Reason::Unverifiable);
    }

    #[test]
    fn each_reason_has_its_word_and_says_whether_to_install() {
        for (reason, word, installs) in [
            (Reason::Missing, "missing", true),
            (Reason::Outdated, "outdated", true),
            (Reason::Mismatched, "mismatched", true),
            (Reason::Unverifiable, "unverifiable", true),
            (Reason::Forced, "forced", true),
            (Reason::Current, "current", false),
            (Reason::Skipped, "skipped", false),
        ] {
            assert_eq!((reason.word(), reason.installs()), (word, installs));
        }
    }

    #[test]
    fn versions_are_read_of_the_package_that_is_meant() {
        let listed = "package:com.callstack.agentdevice.snapshothelper.test versionCode:7\n\
            package:com.callstack.agentdevice.snapshothelper versionCode:21005\n";
        assert_eq!(version_code(listed, OURS), Some(21_005));
        assert_eq!(version_code("package:com.callstack.agentdevice.snapshothelper.test versionCode:7", OURS), None);
        assert_eq!(version_code("", OURS), None);
        assert_eq!(version_code("Error: Unknown option: --show-versioncode", OURS), None);
        let dumped = "Packages:\n  Package [x] (1):\n    versionCode=21005 minSdk=23 targetSdk=36\n";
        assert_eq!(version_code(dumped, OURS), Some(21_005));
    }

    #[test]
    fn paths_and_sums_are_taken_only_where_they_are_ones() {
        let split =
            "package:/data/app/~~x==/com.x-1==/split_config.en.apk\npackage:/data/app/~~x==/com.x-1==/base.apk\r\n";
        assert_eq!(package_path(split), Some("/data/app/~~x==/com.x-1==/base.apk"));
        assert_eq!(package_path(""), None);
        assert_eq!(package_path("package:relative"), None);
        let line = format!("{}  /data/app/base.apk\n", "0f".repeat(32));
        assert_eq!(sum(&line), Some("0f".repeat(32).as_str()));
        assert_eq!(sum("sha256sum: not found"), None);
        assert_eq!(sum("0f0f"), None);
        assert_eq!(sum(&"xy".repeat(32)), None);
        assert_eq!(sum("/system/bin/sh: sha256sum: inaccessible or not found"), None);
    }

    #[test]
    fn refusals_are_known_by_their_code() {
        for (line, expected) in [
            ("Failure [INSTALL_FAILED_TEST_ONLY: installPackageLI]", Refusal::TestOnly),
            ("adb: failed to install x.apk: Failure [INSTALL_FAILED_TEST_ONLY]", Refusal::TestOnly),
            ("Failure [-99]", Refusal::TestOnly),
            ("Failure [-99: PC install attack]", Refusal::TestOnly),
            (
                "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package com.x signatures do not match previously installed version; ignoring!]",
                Refusal::Conflict,
            ),
            (
                "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package com.x signatures do not match newer version; ignoring!]",
                Refusal::Conflict,
            ),
            (
                "Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code 21004 is older than current 21005]",
                Refusal::Conflict,
            ),
            ("Failure [INSTALL_FAILED_VERSION_DOWNGRADE]", Refusal::Conflict),
            ("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]", Refusal::Unconfirmed),
            ("Failure [INSTALL_FAILED_ABORTED: User rejected permissions]", Refusal::Unconfirmed),
            ("Failure [INSTALL_FAILED_VERIFICATION_FAILURE]", Refusal::Unconfirmed),
            ("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", Refusal::NoRoom),
            (
                "Failure [INSTALL_FAILED_OLDER_SDK: requires newer sdk version #23 (current version is #21)]",
                Refusal::Other,
            ),
            ("Failure [INSTALL_PARSE_FAILED_NO_CERTIFICATES: x]", Refusal::Other),
        ] {
            let code = refusal_code(line).unwrap();
            assert_eq!(refusal(code), expected, "{line}");
        }
        assert_eq!(refusal_code("Success"), None);
        assert_eq!(refusal_code("Error: java.lang.SecurityException"), None);
    }
}
