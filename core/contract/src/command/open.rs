//! `open`: start an app or go to an address.

use std::str::FromStr;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Spec, spec::SessionNeed};

/// Open an app or a web address, in this session
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Open {
    /// A web address (http://...), a stage app (demo, ./app.toml), or nothing for the demo app
    #[arg(value_name = "APP_OR_URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// Start it anew even if it is open
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub relaunch: bool,
    /// Which browser [default: chrome]
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<Browser>,
    /// Show the browser's window
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub headed: bool,
    /// Emulate a phone: width x height in CSS px, @ pixel ratio
    #[arg(long, value_name = "WxH@RATIO")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile: Option<MobileSize>,
    /// Use this WebDriver server instead of starting one
    #[arg(long, value_name = "URL", env = "AGENT_DEVICE_WEBDRIVER_URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_url: Option<String>,
    /// How long a page may take to load, ms [default: 30000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(100..=600_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_timeout_ms: Option<u64>,
}

/// A browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Browser {
    /// Chromium or Chrome, through chromedriver.
    Chrome,
    /// Firefox, through geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser, through WebKitWebDriver.
    Webkit,
}

impl std::fmt::Display for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Browser::Chrome => "chrome",
            Browser::Firefox => "firefox",
            Browser::Webkit => "webkit",
        })
    }
}

/// The screen of an emulated phone, written `390x844@3`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct MobileSize {
    /// Width, CSS px.
    pub width: u32,
    /// Height, CSS px.
    pub height: u32,
    /// Device pixels to a CSS px.
    pub ratio: f64,
}

impl FromStr for MobileSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || format!("{text:?} is no screen size: write WIDTHxHEIGHT@RATIO, such as 390x844@3");
        let (size, ratio) = text.split_once('@').unwrap_or((text, "1"));
        let (width, height) = size.split_once('x').ok_or_else(malformed)?;
        let size = MobileSize {
            width: width.parse().map_err(|_| malformed())?,
            height: height.parse().map_err(|_| malformed())?,
            ratio: ratio.parse().map_err(|_| malformed())?,
        };
        let sane = (50..=10_000).contains(&size.width)
            && (50..=10_000).contains(&size.height)
            && (0.5..=10.0).contains(&size.ratio);
        sane.then_some(size).ok_or_else(|| format!("{text:?}: each side 50 to 10000 px, the ratio 0.5 to 10"))
    }
}

impl TryFrom<String> for MobileSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<MobileSize> for String {
    fn from(size: MobileSize) -> String {
        format!("{}x{}@{}", size.width, size.height, size.ratio)
    }
}

impl Open {
    pub(super) const SPEC: Spec = Spec {
        aliases: &["launch", "goto"],
        session: SessionNeed::Opens,
        timeout_ms: 90_000,
        ..Spec::mutates("open", &[])
    };
}
