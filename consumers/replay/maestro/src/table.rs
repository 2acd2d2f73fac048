//! Which commands of Maestro behave the same, which differ on purpose, which are missing.
//!
//! The reader refuses what stands here as missing with the sentence that stands here; `docs/reference/maestro.md` is
//! written from here. Facts of Maestro: its documentation and its sources, as of 2026.

/// How a command compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// What a flow can rely on is the same.
    Same,
    /// It does its work in another way, or says no where Maestro guesses.
    Differs,
    /// It is refused before the first step.
    Missing,
}

/// One command.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// As a flow writes it.
    pub name: &'static str,
    /// How it compares.
    pub verdict: Verdict,
    /// What it does here, where it differs, or what to use instead.
    pub says: &'static str,
}

const fn same(name: &'static str, says: &'static str) -> Row {
    Row { name, verdict: Verdict::Same, says }
}

const fn differs(name: &'static str, says: &'static str) -> Row {
    Row { name, verdict: Verdict::Differs, says }
}

const fn missing(name: &'static str, says: &'static str) -> Row {
    Row { name, verdict: Verdict::Missing, says }
}

/// Every command of Maestro that is known here.
pub const COMMANDS: &[Row] = &[
    differs(
        "launchApp",
        "Opens the app or address, anew unless `stopApp: false`. Permissions stay as they are unless the flow sets them. `arguments` are refused.",
    ),
    differs(
        "stopApp",
        "Closes the app that the flow has opened; the next `launchApp` opens it again. A browser is closed with all that its pages have stored.",
    ),
    differs("killApp", "As `stopApp`: the system's own way of ending a background app is not imitated."),
    differs(
        "clearState",
        "Android: stops the app and removes what it has stored. Elsewhere the app or browser is closed, and opens fresh.",
    ),
    differs(
        "clearKeychain",
        "There is no keychain on the devices here: the step passes and says so, as Maestro's does on Android.",
    ),
    same("installApp", "Android: installs a package; the file must be there before the first step."),
    differs(
        "setPermissions",
        "`allow`, `deny`, `unset` for the flow's own app. `all` sets what the app asks for; names that only iOS has are noted and skipped.",
    ),
    same("openLink", "Opens an address or a deep link. `browser` and `autoVerify` are refused."),
    differs(
        "tapOn",
        "Waits up to 17 s for its target (7 s if optional), then presses once. A covered or disabled target fails at once. `retryTapIfNoChange` never presses again: a press may have landed although nothing changed.",
    ),
    differs("doubleTapOn", "Two presses so close that they count as one gesture; `delay` is not used."),
    differs("longPressOn", "Stays down for 0.8 s (Maestro: 3 s)."),
    same(
        "inputText",
        "Types into whatever has the focus. A text whose expression has no value is an error and not `undefined`.",
    ),
    same("inputRandomText", "Types random letters and digits, 8 unless `length` is said."),
    same("inputRandomNumber", "Types random digits, 8 unless `length` is said."),
    same("inputRandomEmail", "Types an address at example.com."),
    same("inputRandomPersonName", "Types a made-up name."),
    same("inputRandomCityName", "Types the name of a city."),
    same("inputRandomCountryName", "Types the name of a country."),
    same("inputRandomColorName", "Types the name of a colour."),
    differs(
        "eraseText",
        "Reads the focused field, writes what remains and reads it back, in place of many presses of backspace. What a password field holds cannot be read: it is emptied.",
    ),
    same("copyTextFrom", "Waits for the element and keeps its text as `maestro.copiedText`."),
    same("pasteText", "Types the text that was copied or set last."),
    same("setClipboard", "Sets the text for `pasteText`, not the device's clipboard."),
    differs("pressKey", "`home`, `back`, `enter` and `backspace`; on pages also `tab`. Other keys are refused."),
    same("back", "Goes back."),
    same("hideKeyboard", "Hides the on-screen keyboard, where there is one."),
    differs(
        "assertVisible",
        "Waits up to 7 s. What lies under something else, or outside the part of the screen that can be seen, is not visible.",
    ),
    differs(
        "assertNotVisible",
        "Waits up to 7 s, and looks only after the screen has come to rest from the step before.",
    ),
    same("assertTrue", "Fails for an empty text, `false`, `0`, `null` and `undefined`."),
    same("assertEqual", "Two texts are the same."),
    same("assertNotEqual", "Two texts differ."),
    same("extendedWaitUntil", "As the assertions, with a limit of its own."),
    differs(
        "waitForAnimationToEnd",
        "Waits until nothing changes for 0.5 s, at most 15 s; passes either way, and says when the screen was not at rest.",
    ),
    same("sleep", "Waits. `extendedWaitUntil` says what for, and ends as soon as it is there."),
    differs("scroll", "Moves the container under the middle of the screen down by a step, and looks whether it moved."),
    differs(
        "scrollUntilVisible",
        "Stops when part of the element is in view, at the end of the content, after 40 steps or at its limit. `speed`, `visibilityPercentage` and `centerElement` change nothing; the report says so.",
    ),
    same("swipe", "By direction, between points, or from an element."),
    same("drag", "Picks up one thing and lets it go over another."),
    same("takeScreenshot", "Saves a PNG. `cropOn` is refused."),
    same("startRecording", "Films the screen, where the device can."),
    same("stopRecording", "Ends the film and fetches it."),
    differs(
        "setLocation",
        "Where an emulator believes to be. A phone is refused: it would need an app that makes places up.",
    ),
    differs("travel", "Moves an emulator along points, one place a second."),
    same("setOrientation", "Turns the screen."),
    same("setAirplaneMode", "`enabled` or `disabled`."),
    missing("toggleAirplaneMode", "what it was before cannot be read on every device: use setAirplaneMode"),
    same("setDarkMode", "`enabled` or `disabled`."),
    same("toggleDarkMode", "Changes between dark and light."),
    same("resizeBrowser", "Changes the size of the page."),
    differs(
        "runFlow",
        "A file or commands, with `when` and `env`. The file is read and checked before the first step, so its name is written out; a flow that runs itself is refused.",
    ),
    differs("repeat", "`times`, `while` or both; at most 10,000 rounds, and never beyond the flow's limit."),
    differs(
        "retry",
        "Runs its commands again after a failure, at most 3 times, because the flow says so; each attempt is in the report. Nothing is tried again once the app, the device or the flow's time is gone.",
    ),
    differs(
        "runScript",
        "A file of JavaScript, read and parsed before the first step, so its name is written out; without files and processes, within limits of time and memory.",
    ),
    same("evalScript", "JavaScript in `${...}`."),
    same("action", "The old spelling of `back`, `hideKeyboard`, `scroll` and `pasteText`."),
    missing(
        "assertScreenshot",
        "pictures are not compared: assert what is on the screen, or compare the files of takeScreenshot",
    ),
    missing("assertVisual", "pictures are not compared: assert what is on the screen"),
    missing("assertNoDefectsWithAI", "no model is asked: assert what is on the screen"),
    missing("assertWithAI", "no model is asked: assert what is on the screen"),
    missing("extractTextWithAI", "no model is asked: use copyTextFrom"),
    missing("extractPointWithAI", "no model is asked: name the element"),
    missing("extractComponentWithAI", "no model is asked: name the element"),
    missing("assertDarkMode", "the mode cannot be read on every device: set it with setDarkMode"),
    missing("assertLightMode", "the mode cannot be read on every device: set it with setDarkMode"),
    missing("addMedia", "files do not reach the gallery: copy one with agent-device push before the flow"),
    missing("openBrowser", "use openLink"),
    missing("setPickerValue", "press and scroll the picker's own elements"),
    missing("setBiometry", "no device here has a simulated sensor"),
    missing("biometry", "no device here has a simulated sensor"),
    missing("setFoldPosture", "no device here folds"),
    missing("rotateDevice", "use setOrientation"),
    missing("shake", "no device here can be shaken"),
    missing("sendBroadcast", "run it before the flow: adb shell am broadcast"),
    missing("runShellCommand", "a flow starts no process: do it around agent-device test"),
    missing("tapOnOcr", "text is not read from pictures: name the element"),
    missing("assertVisibleOcr", "text is not read from pictures: name the element"),
    missing("assertNotVisibleOcr", "text is not read from pictures: name the element"),
    missing("assertOutgoingRequest", "requests are not recorded in flows: see agent-device logs"),
];

/// A command that not every device can do. Everything else works on all of them.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// As a flow writes it.
    pub name: &'static str,
    /// A step to try it with.
    pub step: &'static str,
    /// Whether the stage, a browser and Android can.
    pub on: [bool; 3],
}

const fn needs(name: &'static str, step: &'static str, on: [bool; 3]) -> Needs {
    Needs { name, step, on }
}

/// What needs which device. What a device cannot do is refused by it, before anything is sent.
pub const DEVICES: &[Needs] = &[
    needs("installApp", "installApp: app.apk", [false, false, true]),
    needs("setPermissions", "setPermissions: {permissions: {camera: allow}}", [false, false, true]),
    needs("setLocation", "setLocation: {latitude: 52.5, longitude: 13.4}", [false, false, true]),
    needs("travel", "travel: {points: ['52.5,13.4', '52.5,13.5'], speed: 9000}", [false, false, true]),
    needs("setOrientation", "setOrientation: LANDSCAPE_LEFT", [false, false, true]),
    needs("setAirplaneMode", "setAirplaneMode: enabled", [false, false, true]),
    needs("setDarkMode", "setDarkMode: enabled", [false, false, true]),
    needs("toggleDarkMode", "toggleDarkMode", [false, false, true]),
    needs("startRecording", "startRecording: film", [false, false, true]),
    needs("resizeBrowser", "resizeBrowser: {width: 700, height: 700}", [true, true, false]),
    needs("pressKey", "pressKey: Tab", [false, true, false]),
];

/// The page that documents it: `docs/reference/maestro.md`.
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (verdict, title) in [
        (Verdict::Same, "Commands that behave the same"),
        (Verdict::Differs, "Commands that differ on purpose"),
        (Verdict::Missing, "Commands that are refused"),
    ] {
        page.push_str(&format!("\n## {title}\n\n| command | |\n| --- | --- |\n"));
        for row in COMMANDS.iter().filter(|row| row.verdict == verdict) {
            page.push_str(&format!("| `{}` | {} |\n", row.name, row.says));
        }
    }
    page.push_str(ON_DEVICES);
    let word = |can: bool| if can { "yes" } else { "refused" };
    for Needs { name, step, on: [stage, web, android] } in DEVICES {
        // Of the keys it is one that needs a page.
        let name = if *name == "pressKey" { step } else { name };
        let android = if matches!(*name, "setLocation" | "travel") { "emulators" } else { word(*android) };
        page.push_str(&format!("| `{name}` | {} | {} | {android} |\n", word(*stage), word(*web)));
    }
    page.push_str(REST);
    page
}

const INTRODUCTION: &str = "\
<!-- Written by `cargo run -p cli -- __reference docs/reference`. A test compares it with the program. -->

# Maestro flows

`agent-device replay flow.yaml` and `agent-device test` run flows that were written for Maestro. A flow is read with every flow
and script that it names, and checked, before anything is sent; what cannot be done here is said then, all of it at once, with
file, line and column.

Every command goes the way of agent-device's own: a press is sent once, a failure says whether it may have landed
(`dispatched`), and every wait has a limit.
";

const ON_DEVICES: &str = "
## What needs which device

A device refuses what it cannot do, and nothing is sent then. Every other command works on all of them. Permissions, the orientation, airplane and
dark mode can be set before the app is launched: the app is opened for it, and the report says so.

| command | stage | browser | Android |
| --- | --- | --- | --- |
";

const REST: &str = "
## Elements

| key | |
| --- | --- |
| `text`, `id` | A regular expression over the whole text, letter case ignored; the text itself matches as well. Look-around and back-references are refused. |
| `index` | Of those that are visible, from the top; negative from the end. |
| `below`, `above`, `leftOf`, `rightOf`, `childOf`, `containsChild`, `containsDescendants` | Relations, in each other if need be. |
| `enabled`, `checked`, `focused`, `selected` | States. |
| `width`, `height`, `tolerance` | Size, px. |
| `traits` | `text`, `long-text`, `square`. |
| `point` | `10, 20` in px or `50%, 20%`: of the screen, or of the element beside it. |
| `css`, `displayId` | Refused. |

Of several that match, the first is meant: what is in view before what is not, what takes input before what does not.

## Expressions

`${...}` is JavaScript in every text. `output` and `maestro` (`platform`, `copiedText`, `randomText`) are there, `env` and `-e NAME=VALUE` are
variables. In an expression a variable in capitals that nobody set is `undefined`, so `${NAME || 'guest'}` works. An expression that has no
value (`undefined`, `null`) is an error where a text is needed, and counts as false in a condition.

Values win in this order: `env` of the `runFlow` that names a flow, `-e`, `env` in the flow's header. Variables whose names speak
of passwords, tokens, secrets or keys are kept out of reports.

## Headers

`appId` or `url`, `name`, `tags`, `env`, `onFlowStart`, `onFlowComplete`, `properties`, `jsEngine` (both engines are one here).
`onFlowComplete` runs after a failure too. Other keys are refused.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_there_once_with_a_sentence() {
        for (place, row) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS.iter().skip(place + 1).all(|other| other.name != row.name), "{} twice", row.name);
            assert!(!row.says.is_empty() && !row.says.contains('|'), "{}", row.name);
            assert_eq!(row.verdict == Verdict::Missing, !row.says.ends_with('.'), "{}: {}", row.name, row.says);
        }
    }

    #[test]
    fn what_needs_a_device_is_a_command_that_some_device_can_do() {
        for needs in DEVICES {
            assert!(
                COMMANDS.iter().any(|row| row.name == needs.name && row.verdict != Verdict::Missing),
                "{}",
                needs.name
            );
            assert!(needs.step.starts_with(needs.name) && needs.on.contains(&true) && needs.on.contains(&false));
        }
    }

    #[test]
    fn the_page_in_the_documentation_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/reference/maestro.md");
        let page = std::fs::read_to_string(path).unwrap_or_default();
        assert!(page == reference(), "write it again: cargo run -p cli -- __reference docs/reference");
    }
}
