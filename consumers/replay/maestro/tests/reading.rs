//! What is refused before the first step, and what is said of it.

mod common;

use std::path::Path;

use common::read;
use maestro::{
    Flow, Reading,
    table::{COMMANDS, Verdict},
};

fn problems(commands: &str) -> String {
    read(&[("flow.yaml", &format!("appId: a\n---\n{commands}\n"))])
        .map(|_| String::new())
        .unwrap_or_else(|why| why.to_string())
}

/// What is wrong, where it is said to be, and a part of what is said.
const WRONG: &[(&str, &str, &str)] = &[
    ("- tapon: A", "3:3", "did you mean tapOn?"),
    ("- fly", "3:3", "there is no command \"fly\""),
    ("- assertScreenshot: x", "3:3", "pictures are not compared"),
    ("- toggleAirplaneMode", "3:3", "use setAirplaneMode"),
    ("- tapOn: {txt: A}", "3:11", "did you mean text?"),
    ("- tapOn:", "3:3", "tapOn needs an element"),
    ("- tapOn: {enabled: maybe}", "3:20", "enabled is true or false"),
    ("- tapOn: {optional: true}", "3:10", "does not say which element"),
    ("- tapOn: {text: '(?!x)y'}", "3:17", "look-around"),
    ("- tapOn: ''", "3:10", "is empty"),
    ("- tapOn: {css: '#a'}", "3:11", "css cannot be honoured"),
    ("- tapOn: {text: A, index: two}", "3:27", "index is a whole number"),
    ("- tapOn: {traits: shiny}", "3:19", "no trait \"shiny\""),
    ("- tapOn: {point: '50%,10'}", "3:18", "px on both sides"),
    ("- tapOn: {text: A, repeat: 1000}", "3:28", "repeat is a number from 1 to 200"),
    ("- longPressOn: {text: A, repeat: 2}", "3:26", "takes no repeat"),
    ("- tapOn: A\n  label: B", "4:3", "indent what belongs to tapOn"),
    ("- launchApp: {arguments: {a: b}}", "3:15", "arguments cannot be honoured"),
    ("- launchApp: {permissions: {camera: maybe}}", "3:37", "allow, deny, unset"),
    ("- setPermissions: {appId: b, permissions: {camera: deny}}", "3:20", "the flow's own app"),
    ("- pressKey: volume up", "3:13", "home, back, enter, tab, backspace"),
    ("- openLink: {browser: true, link: 'https://a'}", "3:14", "browser cannot be honoured"),
    ("- takeScreenshot: {path: a, cropOn: B}", "3:29", "the whole screen is saved"),
    ("- swipe: {direction: sideways}", "3:22", "UP, DOWN, LEFT, RIGHT"),
    ("- swipe: {direction: UP, start: '1,1'}", "3:10", "say no swipe"),
    ("- drag: {from: A}", "3:9", "either to or offset"),
    ("- scrollUntilVisible: {direction: UP}", "3:23", "needs element"),
    ("- extendedWaitUntil: {timeout: 5}", "3:22", "needs visible or notVisible"),
    ("- setLocation: {latitude: 91, longitude: 0}", "3:27", "from -90 to 90"),
    ("- setOrientation: SIDEWAYS", "3:19", "UPSIDE_DOWN"),
    ("- setAirplaneMode: maybe", "3:20", "enabled, disabled"),
    ("- evalScript: output.x = 1", "3:15", "write ${output.x = 1}"),
    ("- inputText: 'a ${b'", "3:14", "no } that ends it"),
    ("- repeat: {commands: []}", "3:11", "times or while"),
    ("- repeat: {times: 20000, commands: []}", "3:19", "from 0 to 10000"),
    ("- retry: {maxRetries: 4, commands: []}", "3:23", "from 0 to 3"),
    ("- runFlow: {file: a.yaml, commands: []}", "3:27", "not both"),
    ("- runFlow: none.yaml", "3:12", "none.yaml cannot be read: there is no such file"),
    ("- runFlow: '${NAME}.yaml'", "3:12", "must be known before the flow runs"),
    ("- runFlow: {commands: [], when: {}}", "3:33", "has no condition"),
    ("- runFlow: {commands: [], when: {platform: symbian}}", "3:44", "Android, iOS, Web"),
    ("- runFlow: {commands: [], env: {a-b: c}}", "3:38", "no name of a variable"),
    ("- runScript: none.js", "3:14", "none.js cannot be read"),
    ("- runFlow: flow.yaml", "3:12", "runs itself"),
    ("- installApp: none.apk", "3:15", "there is no file none.apk"),
    ("- inputText: 'a ${}'", "3:14", "nothing in ${}"),
    ("- evalScript: ${output.x = }", "3:15", "is no JavaScript"),
    ("- travel: {points: ['0,0'], speed: 1}", "3:11", "at least two points"),
    ("- resizeBrowser: big", "3:18", "a size is 1280x720"),
    ("- sleep: {}", "3:10", "ms or seconds"),
    ("- [tapOn]", "3:3", "not a list"),
    ("tapOn: A", "3:1", "a list of commands"),
    ("- tapOn: [", "3:10", "no YAML"),
];

#[test]
fn what_cannot_be_done_is_said_with_its_place_and_what_to_do() {
    for (commands, place, part) in WRONG {
        let said = problems(commands);
        assert!(said.contains(part), "{commands}\n{said}");
        assert!(said.starts_with(&format!("flow.yaml:{place}: ")), "{commands}\n{said}");
        assert_eq!(said.matches("flow.yaml:").count(), 1, "{commands}\n{said}");
    }
}

#[test]
fn everything_that_is_wrong_is_said_at_once_in_all_files() {
    let why = read(&[
        ("a.yaml", "appId: x\ntag: y\n---\n- runFlow: sub/b.yaml\n- tapp: A\n- pressKey: power\n"),
        ("sub/b.yaml", "appId: x\n---\n- runScript: ../s.js\n- back: {text: A}\n- runFlow: ../c.yaml\n"),
        ("c.yaml", "- back\n"),
        ("s.js", "output.x = 1;\noutput.y = ;\n"),
    ])
    .unwrap_err();
    let places: Vec<String> =
        why.0.iter().map(|one| format!("{}:{}:{}", one.place.file, one.place.line, one.column)).collect();
    assert_eq!(places, ["a.yaml:2:1", "s.js:2:12", "sub/b.yaml:4:10", "c.yaml:1:1", "a.yaml:5:3", "a.yaml:6:13"]);
    let failure = why.failure();
    assert_eq!(failure.reason_str(), Some("flow_invalid"));
    assert!(failure.message.contains("(and 5 more)"), "{}", failure.message);
}

#[test]
fn headers_are_checked() {
    for (header, part) in [
        ("name: x\n", "neither appId nor url"),
        ("appId: a\nurl: b\n", "exclude each other"),
        ("appId: a\nnmae: b\n", "did you mean name?"),
        ("appId: a\njsEngine: v8\n", "graaljs, rhino"),
        ("appId: a\nandroidWebViewHierarchy: devtools\n", "cannot be honoured"),
        ("appId: a\nenv: [b]\n", "names with values"),
        ("appId: a\nonFlowStart: back\n", "list of commands"),
        ("- a\n", "keys and values"),
    ] {
        let why = read(&[("flow.yaml", &format!("{header}---\n- back\n"))]).unwrap_err().to_string();
        assert!(why.contains(part), "{header}\n{why}");
    }
    for (text, part) in [
        ("", "is empty"),
        ("- back\n", "header is missing"),
        ("appId: a\n", "commands are missing"),
        ("appId: a\n---\n- back\n---\n- back\n", "third document"),
    ] {
        let why = read(&[("flow.yaml", text)]).unwrap_err().to_string();
        assert!(why.contains(part), "{text}\n{why}");
    }
    assert!(Flow::read(Path::new("none.yaml"), &Reading::default()).unwrap_err().to_string().contains("no such file"));
}

#[test]
fn a_header_says_name_tags_and_properties() {
    let flow =
        read(&[("pay.yaml", "\u{feff}appId: a\ntags: smoke\nproperties: {id: T-1}\njsEngine: rhino\n---\n- back\n")])
            .unwrap();
    assert_eq!((flow.name().as_str(), flow.file(), flow.app(), flow.len()), ("pay", "pay.yaml", Some("a"), 1));
    assert_eq!(
        (flow.tags(), flow.properties()),
        (&["smoke".to_owned()][..], &[("id".to_owned(), "T-1".to_owned())][..])
    );
}

#[test]
fn flows_that_run_each_other_are_found() {
    let why = read(&[
        ("a.yaml", "appId: x\n---\n- runFlow: b.yaml\n"),
        ("b.yaml", "appId: x\n---\n- repeat: {times: 1, commands: [{runFlow: ./a.yaml}]}\n"),
    ])
    .unwrap_err();
    assert!(why.to_string().contains("a.yaml -> b.yaml -> a.yaml"), "{why}");
    let twice = read(&[
        ("a.yaml", "appId: x\n---\n- runFlow: b.yaml\n- runFlow: b.yaml\n"),
        ("b.yaml", "appId: x\n---\n- back\n"),
    ]);
    assert!(twice.is_ok(), "the same flow twice is no circle");
}

#[test]
fn commands_in_commands_and_flows_in_flows_end_somewhere() {
    let nested = (0..60).fold("back".to_owned(), |inner, _| format!("repeat: {{times: 1, commands: [{inner}]}}"));
    assert!(problems(&format!("- {nested}")).contains("more than 40 deep"));
    let files: Vec<(String, String)> = (0..60)
        .map(|number| (format!("{number}.yaml"), format!("appId: a\n---\n- runFlow: {}.yaml\n", number + 1)))
        .chain([("60.yaml".to_owned(), "appId: a\n---\n- back\n".to_owned())])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert!(read(&files).unwrap_err().to_string().contains("more than 40 deep"));
}

#[test]
fn line_ends_and_comments_of_other_systems_are_read() {
    let flow =
        read(&[("flow.yaml", "# first\r\nappId: a # app\r\n---\r\n- tapOn: \"A\" # press\r\n- back\r\n")]).unwrap();
    assert_eq!(flow.len(), 2);
}

/// One call of each command that is not refused.
const CALLS: &[(&str, &str)] = &[
    ("launchApp", ""),
    ("stopApp", ""),
    ("killApp", ""),
    ("clearState", ""),
    ("clearKeychain", ""),
    ("installApp", "s.js"),
    ("setPermissions", "{permissions: {all: allow}}"),
    ("openLink", "a://b"),
    ("tapOn", "A"),
    ("doubleTapOn", "A"),
    ("longPressOn", "A"),
    ("inputText", "A"),
    ("inputRandomText", ""),
    ("inputRandomNumber", ""),
    ("inputRandomEmail", ""),
    ("inputRandomPersonName", ""),
    ("inputRandomCityName", ""),
    ("inputRandomCountryName", ""),
    ("inputRandomColorName", ""),
    ("eraseText", ""),
    ("copyTextFrom", "A"),
    ("pasteText", ""),
    ("setClipboard", "A"),
    ("pressKey", "enter"),
    ("back", ""),
    ("hideKeyboard", ""),
    ("assertVisible", "A"),
    ("assertNotVisible", "A"),
    ("assertTrue", "true"),
    ("assertEqual", "{value1: 1, value2: 1}"),
    ("assertNotEqual", "{value1: 1, value2: 2}"),
    ("extendedWaitUntil", "{visible: A}"),
    ("waitForAnimationToEnd", ""),
    ("sleep", "1"),
    ("scroll", ""),
    ("scrollUntilVisible", "{element: A}"),
    ("swipe", "{direction: UP}"),
    ("drag", "{from: A, to: B}"),
    ("takeScreenshot", "a"),
    ("startRecording", "a"),
    ("stopRecording", ""),
    ("setLocation", "{latitude: 0, longitude: 0}"),
    ("travel", "{points: ['0,0', '0,1'], speed: 9}"),
    ("setOrientation", "PORTRAIT"),
    ("setAirplaneMode", "enabled"),
    ("setDarkMode", "enabled"),
    ("toggleDarkMode", ""),
    ("resizeBrowser", "800x600"),
    ("runFlow", "{commands: [back]}"),
    ("repeat", "{times: 1, commands: [back]}"),
    ("retry", "{commands: [back]}"),
    ("runScript", "s.js"),
    ("evalScript", "${1}"),
    ("action", "back"),
];

#[test]
fn every_command_of_the_table_is_read_or_refused_as_the_table_says() {
    for row in COMMANDS {
        let call = CALLS.iter().find(|(name, _)| *name == row.name);
        match (row.verdict, call) {
            (Verdict::Missing, None) => {
                let said = problems(&format!("- {}: x", row.name));
                assert!(said.contains(row.says), "{said}");
            }
            (Verdict::Same | Verdict::Differs, Some((name, value))) => {
                let flow = format!("appId: a\n---\n- {name}: {value}\n");
                let read = read(&[("flow.yaml", &flow), ("s.js", "1")]);
                assert!(read.is_ok(), "{name}: {}", read.unwrap_err());
            }
            (_, call) => panic!("{}: {call:?}", row.name),
        }
    }
    assert_eq!(CALLS.len(), COMMANDS.iter().filter(|row| row.verdict != Verdict::Missing).count());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// A flow with a piece of it taken out, doubled or replaced is read or refused with places that exist.
    #[test]
    fn a_flow_that_was_tampered_with_is_read_or_refused(from in 0_usize..400, length in 0_usize..60, with in "[-:{}\\[\\]'\"$\\n a-z*&!|>%]{0,6}") {
        let whole = "appId: a\nenv: {A: 1}\n---\n- launchApp\n- tapOn:\n    text: Save.*\n    below: {id: x, index: 1}\n    point: 50%,50%\n- repeat:\n    times: 2\n    while: {visible: More}\n    commands:\n      - swipe: {direction: UP, duration: 400}\n      - inputText: \"a ${A + 1}\"\n- evalScript: ${output.x = {a: 1}}\n- runFlow: {when: {true: '${A}'}, commands: [back]}\n- scrollUntilVisible: {element: Terms, timeout: 100}\n";
        let from = from.min(whole.len());
        let end = (from + length).min(whole.len());
        let text = format!("{}{with}{}", &whole[..from], &whole[end..]);
        if let Err(why) = Flow::parse(&text, Path::new("f.yaml"), &Reading::default()) {
            proptest::prop_assert!(!why.0.is_empty());
            let lines = u32::try_from(text.matches('\n').count()).unwrap() + 1;
            for problem in why.0 {
                proptest::prop_assert!((1..=lines).contains(&problem.place.line) && problem.column >= 1, "{problem}");
            }
        }
    }
}

#[test]
fn no_text_makes_reading_fail_in_another_way() {
    for text in [
        "\0",
        "a: &a [*a]",
        "? [a]\n: b",
        "%YAML 9.9\n---\n",
        "---\n---\n---",
        "a: !!binary x\n---\n- !x back",
        "\t",
        "- - - - -\n---\n: :",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flow.yaml");
        std::fs::write(&path, text).unwrap();
        let why = Flow::read(&path, &Reading::default()).unwrap_err();
        assert!(!why.0.is_empty(), "{text:?}");
    }
}

#[test]
fn the_flows_for_real_devices_are_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real");
    for name in ["stage.yaml", "web.yaml", "android.yaml"] {
        let flow = Flow::read(Path::new(name), &Reading { root: root.clone() });
        assert!(flow.is_ok_and(|flow| flow.len() > 20), "{name}");
    }
}
