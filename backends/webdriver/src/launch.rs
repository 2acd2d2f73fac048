//! Which browser, set up how, a new session asks for.

use std::path::Path;

use crate::provider::LOAD_TIMEOUT_MS;
use contract::command::{Browser, MobileSize};
use serde_json::{Map, Value, json};

/// Size of the viewport where nothing else is asked for, px.
pub const VIEWPORT: (u32, u32) = (1280, 800);

/// What a session is to be like.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// Which browser.
    pub browser: Browser,
    /// The browser's program and folder; `None` for one that the server at `--driver-url` picks.
    pub local: Option<(&'a Path, &'a Path)>,
    /// Show the window.
    pub headed: bool,
    /// Emulate a phone.
    pub mobile: Option<MobileSize>,
    /// This process runs as root: Chromium's sandbox does not start then.
    pub is_root: bool,
    /// What the caller asks for beside all that.
    pub more: Option<&'a Map<String, Value>>,
}

/// The name that only Appium's sessions have.
const AUTOMATION: &str = "appium:automationName";
/// After how long without a command Appium ends a session, s; a minute where nothing is said.
const THINKING: &str = "appium:newCommandTimeout";
/// An hour: whoever decides what is done next may take long.
const THINKING_S: u64 = 3600;

/// The body of `POST /session`.
///
/// Dialogs are never answered by the driver: what blocks the page is the caller's to see and to answer.
pub fn capabilities(wish: &Wish<'_>) -> Value {
    let mut always = json!({
        "unhandledPromptBehavior": "ignore",
        "pageLoadStrategy": "normal",
        "timeouts": {"implicit": 0, "pageLoad": LOAD_TIMEOUT_MS, "script": 30_000},
    });
    let (name, value) = match wish.browser {
        Browser::Chrome => ("goog:chromeOptions", chrome(wish)),
        Browser::Firefox => ("moz:firefoxOptions", firefox(wish)),
        Browser::Webkit => ("webkitgtk:browserOptions", webkit(wish)),
    };
    if let Some(always) = always.as_object_mut() {
        let browser_name = match wish.browser {
            Browser::Chrome => "chrome",
            Browser::Firefox => "firefox",
            Browser::Webkit => "MiniBrowser",
        };
        always.insert("browserName".into(), browser_name.into());
        always.insert(name.into(), value);
        if let Some(more) = wish.more {
            merge(always, more);
            if more.contains_key(AUTOMATION) {
                always.entry(THINKING).or_insert(THINKING_S.into());
            }
        }
    }
    json!({"capabilities": {"alwaysMatch": always}})
}

/// Adds what a caller asks for: objects are merged, lists are added to, `null` takes a name away, all else replaces.
fn merge(into: &mut Map<String, Value>, more: &Map<String, Value>) {
    for (name, value) in more {
        match (into.get_mut(name), value) {
            (_, Value::Null) => {
                into.remove(name);
            }
            (Some(Value::Object(known)), Value::Object(more)) => merge(known, more),
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more.iter().cloned()),
            _ => {
                into.insert(name.clone(), value.clone());
            }
        }
    }
}

fn chrome(wish: &Wish<'_>) -> Value {
    let mut args: Vec<String> = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-search-engine-choice-screen",
        // Pages of a window in the background are driven as well.
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
    ]
    .map(str::to_owned)
    .into();
    args.push(format!("--window-size={},{}", VIEWPORT.0, VIEWPORT.1));
    if !wish.headed {
        args.push("--headless".into());
    }
    if wish.is_root {
        args.push("--no-sandbox".into());
    }
    let mut options = json!({});
    let mut set = |name: &str, value: Value| {
        if let Some(options) = options.as_object_mut() {
            options.insert(name.into(), value);
        }
    };
    if let Some((program, folder)) = wish.local {
        args.push(format!("--user-data-dir={}", folder.join("profile").display()));
        set("binary", json!(program));
        set(
            "prefs",
            json!({
                "download.default_directory": folder.join("downloads"),
                "download.prompt_for_download": false,
                "credentials_enable_service": false,
                "profile.password_manager_enabled": false,
                "profile.password_manager_leak_detection": false,
            }),
        );
    }
    if let Some(size) = wish.mobile {
        let metrics = json!({"width": size.width, "height": size.height, "pixelRatio": size.ratio, "touch": true, "mobile": true});
        set("mobileEmulation", json!({"deviceMetrics": metrics, "userAgent": PHONE}));
    }
    set("args", json!(args));
    options
}

/// What an emulated phone calls itself: sites choose their mobile page by it.
const PHONE: &str =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

fn firefox(wish: &Wish<'_>) -> Value {
    let mut args = vec!["-width".to_owned(), VIEWPORT.0.to_string(), "-height".to_owned(), VIEWPORT.1.to_string()];
    if !wish.headed {
        args.push("-headless".into());
    }
    let mut prefs = json!({
        "app.update.enabled": false,
        "network.captive-portal-service.enabled": false,
        "browser.shell.checkDefaultBrowser": false,
        "datareporting.policy.dataSubmissionEnabled": false,
        "browser.download.folderList": 2,
        "browser.download.useDownloadDir": true,
        "browser.download.always_ask_before_handling_new_types": false,
        "browser.download.manager.showWhenStarting": false,
        "pdfjs.disabled": true,
    });
    let mut options = json!({"args": args});
    if let Some((program, folder)) = wish.local {
        prefs["browser.download.dir"] = json!(folder.join("downloads"));
        options["binary"] = json!(program);
    }
    options["prefs"] = prefs;
    options
}

fn webkit(wish: &Wish<'_>) -> Value {
    match wish.local {
        Some((program, _)) => json!({"binary": program, "args": ["--automation"]}),
        None => json!({"args": ["--automation"]}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(browser: Browser) -> Wish<'static> {
        Wish {
            browser,
            local: Some((Path::new("/usr/bin/browser"), Path::new("/state/browsers/x"))),
            headed: false,
            mobile: None,
            is_root: false,
            more: None,
        }
    }

    #[test]
    fn every_browser_leaves_dialogs_alone_and_has_the_load_limit() {
        for browser in crate::browser::ALL {
            let body = capabilities(&wish(browser));
            let always = &body["capabilities"]["alwaysMatch"];
            assert_eq!(always["unhandledPromptBehavior"], "ignore");
            assert_eq!(always["timeouts"]["pageLoad"], LOAD_TIMEOUT_MS);
        }
    }

    #[test]
    fn the_sandbox_is_given_up_only_as_root_and_the_window_hidden_unless_asked_for() {
        let args = |wish: &Wish<'_>| {
            capabilities(wish)["capabilities"]["alwaysMatch"]["goog:chromeOptions"]["args"].to_string()
        };
        let plain = args(&wish(Browser::Chrome));
        assert!(!plain.contains("--no-sandbox") && plain.contains("--headless"));
        assert!(plain.contains("--user-data-dir=/state/browsers/x/profile"));
        let other = args(&Wish { is_root: true, headed: true, ..wish(Browser::Chrome) });
        assert!(other.contains("--no-sandbox") && !other.contains("--headless"));
    }

    #[test]
    fn a_callers_capabilities_are_merged_into_ours() {
        let more = json!({
            "browserName": "edge",
            "pageLoadStrategy": null,
            "appium:automationName": "Chromium",
            "goog:chromeOptions": {"args": ["--lang=de"], "binary": "/opt/chrome", "prefs": {"x": {"y": 1}}},
        });
        let body = capabilities(&Wish { more: more.as_object(), ..wish(Browser::Chrome) });
        let always = &body["capabilities"]["alwaysMatch"];
        let options = &always["goog:chromeOptions"];
        assert_eq!((&always["browserName"], &always["appium:automationName"]), (&json!("edge"), &json!("Chromium")));
        assert_eq!(always["appium:newCommandTimeout"], 3600);
        assert_eq!((always.get("pageLoadStrategy"), &always["timeouts"]["implicit"]), (None, &json!(0)));
        assert_eq!((&options["binary"], &options["prefs"]["x"]["y"]), (&json!("/opt/chrome"), &json!(1)));
        assert_eq!(options["prefs"]["download.prompt_for_download"], false);
        let args = options["args"].as_array().unwrap();
        assert!(args.len() > 5 && args[args.len() - 1] == "--lang=de", "{args:?}");
    }

    #[test]
    fn a_phone_has_touch() {
        let phone = Wish { mobile: Some("390x844@3".parse().unwrap()), ..wish(Browser::Chrome) };
        let body = capabilities(&phone);
        let metrics = &body["capabilities"]["alwaysMatch"]["goog:chromeOptions"]["mobileEmulation"]["deviceMetrics"];
        assert_eq!(
            (&metrics["touch"], &metrics["width"], &metrics["pixelRatio"]),
            (&json!(true), &json!(390), &json!(3.0))
        );
    }
}
