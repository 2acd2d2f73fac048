//! The permissions behind a name like `camera`, which differ between versions of Android.

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// These permissions, as far as the app asks for them.
    Permissions(Vec<&'static str>),
    /// Nothing on this Android; why.
    Nothing(&'static str),
    /// No such name.
    Unknown,
}

/// The names that there are.
pub const NAMES: &[&str] = &[
    "bluetooth",
    "calendar",
    "call-log",
    "camera",
    "contacts",
    "location",
    "location-always",
    "media-library",
    "microphone",
    "motion",
    "nearby",
    "notifications",
    "phone",
    "photos",
    "sensors",
    "sms",
];

/// What a name stands for on Android `api`. The levels are those of `android.Manifest.permission`.
pub fn meaning(name: &str, api: u32) -> Meaning {
    let of = |names: &[&'static str]| Meaning::Permissions(names.to_vec());
    let since = |level: u32, names: &[&'static str], why: &'static str| {
        if api >= level { Meaning::Permissions(names.to_vec()) } else { Meaning::Nothing(why) }
    };
    match name {
        "camera" => of(&["android.permission.CAMERA"]),
        "microphone" => of(&["android.permission.RECORD_AUDIO"]),
        "contacts" => of(&["android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS"]),
        "calendar" => of(&["android.permission.READ_CALENDAR", "android.permission.WRITE_CALENDAR"]),
        "phone" => of(&["android.permission.READ_PHONE_STATE", "android.permission.CALL_PHONE"]),
        "call-log" => of(&["android.permission.READ_CALL_LOG", "android.permission.WRITE_CALL_LOG"]),
        "sms" => of(&["android.permission.SEND_SMS", "android.permission.READ_SMS", "android.permission.RECEIVE_SMS"]),
        "sensors" => of(&["android.permission.BODY_SENSORS"]),
        "location" => of(&["android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"]),
        "location-always" => {
            let mut names =
                vec!["android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"];
            // Before Android 10 the others hold in the background too.
            if api >= 29 {
                names.push("android.permission.ACCESS_BACKGROUND_LOCATION");
            }
            Meaning::Permissions(names)
        }
        "photos" if api >= 34 => of(&[
            "android.permission.READ_MEDIA_IMAGES",
            "android.permission.READ_MEDIA_VIDEO",
            "android.permission.READ_MEDIA_VISUAL_USER_SELECTED",
        ]),
        "photos" if api == 33 => of(&["android.permission.READ_MEDIA_IMAGES", "android.permission.READ_MEDIA_VIDEO"]),
        "media-library" if api >= 33 => of(&["android.permission.READ_MEDIA_AUDIO"]),
        "photos" | "media-library" => {
            of(&["android.permission.READ_EXTERNAL_STORAGE", "android.permission.WRITE_EXTERNAL_STORAGE"])
        }
        "notifications" => since(
            33,
            &["android.permission.POST_NOTIFICATIONS"],
            "before Android 13 an app needs no permission for notifications",
        ),
        "motion" => since(
            29,
            &["android.permission.ACTIVITY_RECOGNITION"],
            "before Android 10 an app needs no permission for it",
        ),
        "bluetooth" => since(
            31,
            &[
                "android.permission.BLUETOOTH_CONNECT",
                "android.permission.BLUETOOTH_SCAN",
                "android.permission.BLUETOOTH_ADVERTISE",
            ],
            "before Android 12 Bluetooth needs no permission of its own (scanning needs location)",
        ),
        "nearby" => since(
            33,
            &["android.permission.NEARBY_WIFI_DEVICES"],
            "before Android 13 Wi-Fi devices nearby need no permission of their own (scanning needs location)",
        ),
        _ => Meaning::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_something_on_a_new_android() {
        for name in NAMES {
            assert!(matches!(meaning(name, 36), Meaning::Permissions(names) if !names.is_empty()), "{name}");
        }
        assert_eq!(meaning("siri", 36), Meaning::Unknown);
    }

    #[test]
    fn a_name_follows_the_version() {
        let first = |name, api| match meaning(name, api) {
            Meaning::Permissions(names) => {
                names.first().copied().map(|name| name.trim_start_matches("android.permission."))
            }
            Meaning::Nothing(_) => Some("nothing"),
            Meaning::Unknown => None,
        };
        for (name, api, expected) in [
            ("photos", 32, "READ_EXTERNAL_STORAGE"),
            ("photos", 33, "READ_MEDIA_IMAGES"),
            ("media-library", 33, "READ_MEDIA_AUDIO"),
            ("notifications", 32, "nothing"),
            ("notifications", 33, "POST_NOTIFICATIONS"),
            ("motion", 28, "nothing"),
            ("bluetooth", 31, "BLUETOOTH_CONNECT"),
        ] {
            assert_eq!(first(name, api), Some(expected), "{name} on {api}");
        }
        let count = |api| matches!(meaning("location-always", api), Meaning::Permissions(names) if names.len() == 3);
        assert!(!count(28) && count(29));
    }
}
