use super::*;
use crate::parse;

fn flow(text: &str) -> Export {
    export(&parse(text, "flow.ad").unwrap_or_else(|errors| panic!("{}", errors[0])))
}

/// The steps of a flow about an app.
fn steps(text: &str) -> String {
    let whole = flow(&format!("open com.example.app --relaunch\n{text}")).yaml;
    let body = whole.split_once("---\n- launchApp\n").unwrap_or_else(|| panic!("{whole}"));
    body.1.to_owned()
}

#[test]
fn a_script_becomes_a_flow() {
    let export = flow(
        "context platform=android\nenv NAME=\"Ada \\\"L\\\"\"\n\nopen com.example.app\n\
         fill id=name \"${NAME} ${TITLE:-Dr.}\"\npress 'role=button label=\"Save (all)\" || label=\"Save (all)\"'\n\
         wait text Saved 5000\nis visible id=done\nback\nclose\n",
    );
    assert_eq!(
        export.yaml,
        r#"appId: "com.example.app"
env:
    NAME: "${NAME || \"Ada \\\"L\\\"\"}"
    TITLE: "${TITLE || \"Dr.\"}"
---
- launchApp:
      stopApp: false
# line 5: up to 200 characters are erased first, and the field is not read back
- tapOn:
      id: "name"
- eraseText: 200
- inputText: "${NAME} ${TITLE}"
# line 6: there is one way to name an element; not taken: role=button label="Save (all)"
- tapOn:
      text: "Save \\(all\\)"
- extendedWaitUntil:
      visible:
          text: ".*Saved.*"
      timeout: 5000
- assertVisible:
      id: "done"
- back
# line 10: a flow ends by itself; stopApp stops the app
"#
    );
    let lines: Vec<_> = export.gaps.iter().map(|gap| (gap.line, gap.written)).collect();
    assert_eq!(lines, [(5, true), (6, true), (10, false)]);
    assert_eq!((export.steps, export.gaps[2].step.as_str()), (6, "close"));
}

#[test]
fn what_is_the_same_is_written_without_a_gap() {
    for (line, step) in [
        (
            "press label=Save --count 3 --interval-ms 50",
            "- tapOn:\n      text: \"Save\"\n      repeat: 3\n      delay: 50\n",
        ),
        ("press 10 20.4", "- tapOn:\n      point: \"10,20\"\n"),
        ("press id=a --double-tap", "- doubleTapOn:\n      id: \"a\"\n"),
        ("press 'id=a enabled=false'", "- tapOn:\n      id: \"a\"\n      enabled: false\n"),
        ("longpress id=a", "- longPressOn:\n      id: \"a\"\n"),
        ("type \"\u{f8ff} is a letter\"", "- inputText: \"\u{f8ff} is a letter\"\n"),
        ("type 'a ${X}'", "- inputText: \"a \\\\${X}\"\n"),
        ("find text Save", "- tapOn:\n      text: \".*Save.*\"\n"),
        ("find id=save", "- tapOn:\n      id: \"save\"\n"),
        ("find text Save --last", "- tapOn:\n      text: \".*Save.*\"\n      index: -1\n"),
        ("is hidden id=a", "- assertNotVisible:\n      id: \"a\"\n"),
        ("is text id=a \"1.5\"", "- assertVisible:\n      id: \"a\"\n      text: \"1\\\\.5\"\n"),
        ("is checked id=a", "- assertVisible:\n      id: \"a\"\n      checked: true\n"),
        ("scroll down", "- scroll\n"),
        ("scroll up", "- swipe:\n      direction: DOWN\n"),
        (
            "scroll down --until id=a",
            "- scrollUntilVisible:\n      element:\n          id: \"a\"\n      direction: DOWN\n",
        ),
        (
            "swipe 1 2 3 4 --duration-ms 300",
            "- swipe:\n      start: \"1,2\"\n      end: \"3,4\"\n      duration: 300\n",
        ),
        (
            "swipe 1 2 3 4 --count 2",
            "- repeat:\n      times: 2\n      commands:\n          - swipe:\n                start: \"1,2\"\n                end: \"3,4\"\n",
        ),
        ("home", "- pressKey: Home\n"),
        ("keyboard dismiss", "- hideKeyboard\n"),
        ("orientation landscape-left", "- setOrientation: LANDSCAPE_LEFT\n"),
        ("clipboard write hello", "- setClipboard: \"hello\"\n"),
        ("settings airplane on", "- setAirplaneMode: enabled\n"),
        ("settings appearance dark", "- setDarkMode: enabled\n"),
        ("settings permission deny camera", "- setPermissions:\n      permissions:\n          camera: deny\n"),
        ("settings location set 52.5 -13.25", "- setLocation:\n      latitude: 52.5\n      longitude: -13.25\n"),
        ("settings clear-app-state", "- clearState\n"),
        ("screenshot shots/first.png", "- takeScreenshot: \"shots/first\"\n"),
        ("record stop", "- stopRecording\n"),
    ] {
        assert_eq!(steps(line), step, "{line}");
    }
}

#[test]
fn what_has_no_equivalent_is_listed_and_never_left_out_silently() {
    for line in [
        "get text id=a",
        "snapshot -i",
        "hover id=a",
        "wait 100",
        "press role=button",
        "press id=a --button secondary",
        "press id=a --hold-ms 500",
        "scroll bottom",
        "gesture pinch 2",
        "upload id=a a.txt",
        "windows",
        "alert accept",
        "viewport 800 600",
        "logs",
        "install app.apk",
        "press id=a --count ${N}",
        "press -5 -5",
    ] {
        let export = flow(&format!("open com.example.app\n{line}\n"));
        let gap = export.gaps.iter().find(|gap| gap.line == 2).unwrap_or_else(|| panic!("{line}: no gap"));
        assert!(!gap.written && !gap.why.is_empty(), "{gap:?}");
        assert!(export.yaml.contains("# line 2: "), "{}", export.yaml);
    }
    // Written, but not quite the same.
    for line in ["press id=a --verify", "wait stable", "is absent id=a", "open com.example.app --headed", "find Save"] {
        let export = flow(&format!("open com.example.app\n{line}\n"));
        assert!(export.gaps.iter().any(|gap| gap.line == 2 && gap.written), "{line}: {export:?}");
    }
}

#[test]
fn every_command_that_may_stand_in_a_script_is_written_or_listed() {
    for spec in contract::command::SPECS {
        for words in [
            "",
            " id=a",
            " id=a x",
            " text id=a",
            " visible id=a",
            " start",
            " stop",
            " down",
            " up",
            " 1 2 3 4",
            " x",
            " wifi on",
        ] {
            let text = format!("open com.example.app\n{}{words}\n", spec.name);
            let Ok(script) = parse(&text, "x.ad") else { continue };
            let export = export(&script);
            let written = export.yaml.lines().filter(|line| line.starts_with("- ")).count();
            let listed = export.gaps.iter().any(|gap| gap.line == 2);
            assert!(written >= 2 || listed, "{text}{}", export.yaml);
        }
    }
}

#[test]
fn a_page_is_a_flow_about_an_address() {
    let export = flow("open http://a.test/x\npress label=Go\nopen http://a.test/y\n");
    assert!(export.yaml.starts_with("url: \"http://a.test/x\"\n---\n- launchApp:"), "{}", export.yaml);
    assert!(export.yaml.contains("- openLink: \"http://a.test/y\"\n"), "{}", export.yaml);
    let android = flow("context platform=android\nopen http://a.test/x\n");
    assert!(android.yaml.starts_with("appId: \"${APP_ID}\"\n---\n- openLink:"), "{}", android.yaml);
    assert_eq!(android.gaps[0].line, 0);
}

#[test]
fn variables_keep_their_names_and_their_precedence() {
    let export = flow(
        "env A=1\nenv B='{x}'\nopen com.example.app\ntype \"${A} ${C:-c} ${AD_FILENAME} ${AD_SESSION}\"\ntype ${C:-d}\n",
    );
    assert!(
        export.yaml.contains("    A: \"${A || \\\"1\\\"}\"\n    B: \"{x}\"\n    C: \"${C || \\\"c\\\"}\"\n"),
        "{}",
        export.yaml
    );
    assert!(export.yaml.contains("- inputText: \"${A} ${C} ${MAESTRO_FILENAME} ${AD_SESSION}\"\n"), "{}", export.yaml);
    let whole: Vec<_> = export.gaps.iter().filter(|gap| gap.line == 0).map(|gap| gap.why.as_str()).collect();
    assert_eq!(whole.len(), 3, "{whole:?}");
    assert!(
        whole.iter().any(|why| why.contains("several defaults")) && whole.iter().any(|why| why.contains("AD_SESSION"))
    );
}

#[test]
fn a_context_that_a_flow_cannot_hold_is_listed() {
    let export = flow("context timeout=5000 retries=2 target=phone\nopen com.example.app\n");
    assert_eq!(export.gaps.iter().filter(|gap| gap.line == 0).count(), 3);
}

#[test]
fn richer_selectors_are_elements_too() {
    let text = "press 'anytext~=\"Row \\d+\" below=(label=\"Total\") contains-descendant=(id=x) index=1 width=90..110'";
    assert_eq!(
        steps(text),
        "- tapOn:\n      text: \"Row \\\\d+\"\n      below:\n          text: \"Total\"\n      index: 1\n      width: 100\n      \
         containsDescendants:\n          - id: \"x\"\n      tolerance: 10\n"
    );
}
