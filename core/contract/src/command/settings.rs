//! `settings`: what a device's settings offer to a test.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::{
    Capability,
    words::{FromWords, TakeWords, Words},
};

/// Change a setting of the device, or what the app is allowed to do
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<Setting>,
}

/// One setting with what it is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "setting", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Setting {
    /// Wireless network.
    Wifi {
        /// On or off
        on: bool,
    },
    /// All radios off.
    Airplane {
        /// On or off
        on: bool,
    },
    /// Location services.
    Location {
        /// On or off
        on: bool,
    },
    /// Where the device believes to be.
    LocationSet {
        /// Latitude, degrees north
        latitude: f64,
        /// Longitude, degrees east
        longitude: f64,
    },
    /// The system's animations.
    Animations {
        /// On or off
        on: bool,
    },
    /// Light or dark.
    Appearance {
        /// Which
        appearance: Appearance,
    },
    /// What the app is allowed to do.
    Permission {
        /// Give, refuse, or ask again
        grant: Grant,
        /// `camera`, `location`, ..., or the platform's own name of one
        permission: String,
    },
    /// Everything that the app has stored is removed.
    ClearAppState {
        /// The app; the session's own where nothing is said
        #[serde(default, skip_serializing_if = "Option::is_none")]
        app: Option<String>,
    },
}

/// How the system's surfaces are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Appearance {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// The other one.
    Toggle,
}

/// What becomes of a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Grant {
    /// Given.
    Grant,
    /// Refused.
    Deny,
    /// The app has to ask again.
    Reset,
}

impl FromWords for Setting {
    const USAGE: &'static str = "SETTING VALUE...";
    const HELP: &'static str = "wifi|airplane|location|animations on|off; location set LATITUDE LONGITUDE; \
         appearance light|dark|toggle; permission grant|deny|reset NAME; clear-app-state [APP]";
    const MAX: usize = 4;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        fn choice<T: ValueEnum>(word: &str, what: &str) -> Result<T, String> {
            T::from_str(word, false).map_err(|_| {
                let names: Vec<_> = T::value_variants()
                    .iter()
                    .filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()))
                    .collect();
                format!("{word:?} is no {what}: {}", names.join(", "))
            })
        }
        let switched = |word: &str| match word {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(format!("{other:?} is neither on nor off")),
        };
        let degrees = |words: &mut TakeWords, what: &str, limit: f64| -> Result<f64, String> {
            let word = words.next(what)?;
            word.parse()
                .ok()
                .filter(|value: &f64| value.abs() <= limit)
                .ok_or_else(|| format!("{what} is a number from -{limit} to {limit}, not {word:?}"))
        };
        let setting = words.next("the setting")?;
        Ok(match setting.as_str() {
            "wifi" => Setting::Wifi { on: switched(&words.next("on or off")?)? },
            "airplane" => Setting::Airplane { on: switched(&words.next("on or off")?)? },
            "animations" => Setting::Animations { on: switched(&words.next("on or off")?)? },
            "location" => match words.next("on, off, or set with two numbers")?.as_str() {
                "set" => Setting::LocationSet {
                    latitude: degrees(words, "the latitude", 90.0)?,
                    longitude: degrees(words, "the longitude", 180.0)?,
                },
                word => Setting::Location { on: switched(word)? },
            },
            "appearance" => {
                Setting::Appearance { appearance: choice(&words.next("light, dark or toggle")?, "appearance")? }
            }
            "permission" => Setting::Permission {
                grant: choice(&words.next("grant, deny or reset")?, "action")?,
                permission: words.next("the permission")?,
            },
            "clear-app-state" => Setting::ClearAppState { app: words.next_if_any() },
            other => {
                return Err(format!(
                    "{other:?} is no setting: wifi, airplane, location, animations, appearance, permission, clear-app-state"
                ));
            }
        })
    }
}

impl Settings {
    pub(super) const SPEC: Spec = Spec::mutates("settings", &[Capability::Settings]);
}
