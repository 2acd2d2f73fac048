//! What client and server of the remote hop agree on: docs/reference/remote-protocol.md says it in words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stands in every reply of `serve`, with its version: a reply without it is a gateway's own.
pub const SERVER_HEADER: &str = "agent-device";
/// Whose request it is.
pub const LEASE_HEADER: &str = "agent-device-lease";
/// How long that lease lives without a request, ms.
pub const LEASE_MS_HEADER: &str = "agent-device-lease-ms";
/// The hash of a file's content, 64 lower-case hex digits.
pub const SHA256_HEADER: &str = "agent-device-sha256";

/// A lease nobody says anything else of, ms.
pub const LEASE_MS: u64 = 60_000;
/// The shortest and the longest lease, ms.
pub const LEASE_MS_RANGE: std::ops::RangeInclusive<u64> = 5_000..=86_400_000;
/// The shortest and the longest id of a lease, bytes.
pub const LEASE_ID_LENGTH: std::ops::RangeInclusive<usize> = 8..=64;

/// A token shorter than this is none, bytes.
pub const TOKEN_LEAST: usize = 32;
/// One file at most, bytes.
pub const FILE_LIMIT: u64 = 2 << 30;

/// What the name of a file of the lease begins with, in a command's arguments.
pub const LEASE_FILE: &str = "lease:/";

/// The method that stops a request which is under way. [`super::request::RetainedQuery`] -> [`Cancelled`].
pub const CANCEL: &str = "cancel";

/// The method `retained` over the hop: who answers has to be the daemon that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Question {
    /// The request's id.
    pub request_id: String,
    /// The daemon that it was sent to, as `hello` said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
}

/// What became of a [`CANCEL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cancelled {
    /// It was under way and ends after the send that it is at.
    pub cancelled: bool,
}

/// What a reply of `run` and `retained` says beside the daemon's own answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hop {
    /// The lease's folder on the device host: what the answer's paths begin with.
    pub folder: String,
    /// The files that the answer speaks of.
    #[serde(default)]
    pub files: Vec<File>,
}

/// A file of the lease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// Its name within the lease: `out/home/ada/page.png`.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The hash of its content.
    pub sha256: String,
}

/// Where a lease stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// Its id.
    pub lease: String,
    /// How long it lives without a request, ms.
    pub lease_ms: u64,
    /// The sessions that it has opened.
    pub sessions: Vec<String>,
    /// How many files it has.
    pub files: u64,
    /// Their size together.
    pub bytes: u64,
}

/// Whether a text can be a lease's id.
pub fn is_lease_id(text: &str) -> bool {
    LEASE_ID_LENGTH.contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// A file's name within a lease, checked: `in/HASH/NAME`, `out/PATH`, `host/ID/NAME`, without a step upwards.
pub fn is_file_name(name: &str) -> bool {
    let folder = name.split('/').next().unwrap_or_default();
    let parts = name.strip_suffix('/').unwrap_or(name).split('/');
    let plain = |part: &str| {
        !part.is_empty() && part != "." && part != ".." && part.len() <= 255 && !part.chars().any(char::is_control)
    };
    let deep = match folder {
        "in" => parts.clone().count() == 3 && !name.ends_with('/') && parts.clone().nth(1).is_some_and(is_hash),
        "host" => parts.clone().count() >= 3,
        "out" => parts.clone().count() >= 2,
        _ => false,
    };
    deep && name.len() <= 3_000 && parts.clone().all(plain)
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A name as part of an address: each byte that is not plain is percent-encoded, `/` stays.
pub fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The name in a part of an address.
pub fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok().filter(|digits| !digits.starts_with('+'))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_in_its_lease() {
        let hash = "a".repeat(64);
        for good in [&format!("in/{hash}/app.apk"), "out/home/ada/my shot.png", "out/home/ada/", "host/1f/trace/1.png"]
        {
            assert!(is_file_name(good), "{good}");
            assert_eq!(decoded(&encoded(good)).as_deref(), Some(good));
        }
        for bad in [
            "",
            "out",
            "out/",
            "out//etc",
            "out/../../etc/passwd",
            "out/a/./b",
            "/out/a",
            "elsewhere/a",
            "in/short/app.apk",
            &format!("in/{hash}/a/b"),
            &format!("in/{}/a", "A".repeat(64)),
            "host/x",
            "out/a\0b",
            "out/a\nb",
            &format!("out/{}", "x".repeat(256)),
            &"out/x".repeat(1_000),
        ] {
            assert!(!is_file_name(bad), "{bad}");
        }
        assert_eq!(decoded("out/%2e%2e/x").as_deref(), Some("out/../x"), "and is checked afterwards");
        for bad in ["%", "%4", "%zz", "%+1", "%ff"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_id_of_a_lease_is_plain_and_long_enough_to_be_anybodys_own() {
        assert!(is_lease_id("py-3b1e9c0f") && is_lease_id("A.b_c-12"));
        for bad in ["short", "with space", "sl/ash-1234", "é234567890", &"x".repeat(65)] {
            assert!(!is_lease_id(bad), "{bad}");
        }
    }
}
