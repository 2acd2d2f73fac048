//! Bytes of an adb server, an adbd, and of the programs that run on a device.

use android::{adb::Event, readers};

use crate::now;

/// The first byte says which reader gets the rest.
pub fn adb_frames(data: &[u8]) {
    let Some((which, bytes)) = data.split_first() else { return };
    match which % 8 {
        0 => {
            if let Ok((_, text)) = now(readers::smart_socket(bytes)) {
                // What is not UTF-8 becomes three bytes at most.
                assert!(text.len() <= bytes.len() * 3, "more came out than went in");
            }
        }
        1 => {
            let whole = now(readers::shell_v2(bytes));
            // The same packets to a program that runs on.
            if let Ok(output) = whole {
                assert!(output.stdout.len() + output.stderr.len() <= bytes.len());
                let events = readers::running_v2(bytes, 7).unwrap_or_default();
                let of = |wanted: fn(&Event) -> Option<&[u8]>| -> Vec<u8> {
                    let end = events.iter().position(|event| matches!(event, Event::Ended(_))).unwrap_or(events.len());
                    events.iter().take(end).filter_map(wanted).flatten().copied().collect()
                };
                let out = of(|event| match event {
                    Event::Output(bytes) => Some(bytes),
                    _ => None,
                });
                if !events.is_empty() {
                    assert_eq!(out, output.stdout, "two readers of one protocol");
                }
            }
        }
        2 => {
            let one = readers::running_v2(bytes, 1).ok();
            let all = readers::running_v2(bytes, bytes.len()).ok();
            assert_eq!(one, all, "what a program did depends on how its bytes came");
        }
        3 => {
            let _read = readers::shell_v1(bytes);
        }
        4 => {
            if let Ok(Ok(content)) = now(readers::pulled(bytes, 1 << 20)) {
                assert!(content.len() <= bytes.len());
            }
        }
        5 | 6 => {
            if let Ok(Ok(entries)) = now(readers::folder(bytes, *which % 8 == 6)) {
                assert!(entries.len() <= bytes.len());
            }
        }
        _ => {
            let text = String::from_utf8_lossy(bytes);
            let listed = readers::devices(&text).len() + readers::forwards(&text).len();
            assert!(listed <= text.lines().count() * 2);
        }
    }
}

/// The dumps and lists of Android's own programs.
pub fn adb_dumps(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let found = readers::dumps(&text);
    assert!(found <= text.len() * 4 + 16, "{found} facts in {} bytes", text.len());
}

/// A package file.
pub fn apk(data: &[u8]) {
    if let Ok(Some(name)) = readers::package_in(data) {
        assert!(!name.is_empty(), "a package without a name");
    }
}
