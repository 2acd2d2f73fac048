//! What flows send: order and counts. Each of these small flows does what one of Maestro's own flows or pages of
//! documentation does, in other words.

mod common;

use common::{Double, asked, flow, flow_with, read, run};
use contract::view::Platform;
use maestro::RunOptions;

/// Commands, and what they send where everything is there at once.
const FLOWS: &[(&str, &str, &[&str])] = &[
    (
        "a login",
        "- launchApp\n- tapOn: {id: username}\n- inputText: ada\n- hideKeyboard\n- tapOn: Sign in\n- assertVisible: Welcome.*",
        &[
            "open com.example.shop --relaunch",
            "press id~=\"username\" first",
            "type ada",
            "keyboard dismiss",
            "press anytext~=\"Sign in\" first",
            "wait anytext~=\"Welcome.*\" visible 7000",
        ],
    ),
    (
        "launching twice starts anew",
        "- launchApp\n- launchApp",
        &["open com.example.shop --relaunch", "open com.example.shop --relaunch"],
    ),
    (
        "bringing to the front",
        "- launchApp\n- launchApp: {stopApp: false}",
        &["open com.example.shop --relaunch", "open com.example.shop"],
    ),
    ("launching another app", "- launchApp: com.example.other", &["open com.example.other --relaunch"]),
    (
        "a fresh start elsewhere",
        "- launchApp\n- launchApp: {clearState: true}",
        &["open com.example.shop --relaunch", "open com.example.shop --relaunch"],
    ),
    (
        "stopping and starting",
        "- launchApp\n- stopApp\n- killApp\n- launchApp",
        &["open com.example.shop --relaunch", "close", "close", "open com.example.shop --relaunch"],
    ),
    (
        "relations",
        "- tapOn: {text: Delete, below: Cart, rightOf: {id: row-2}}\n\
         - assertVisible: {containsChild: Apples, containsDescendants: [{text: Red}, 2 kg]}\n\
         - tapOn: {childOf: {id: list, index: 1}, leftOf: {text: A, above: B}}",
        &[
            "press anytext~=\"Delete\" below=(anytext~=\"Cart\") right-of=(id~=\"row-2\") first",
            "wait contains-child=(anytext~=\"Apples\") contains-descendant=(anytext~=\"Red\") \
             contains-descendant=(anytext~=\"2 kg\") visible 7000",
            "press left-of=(anytext~=\"A\" above=(anytext~=\"B\")) child-of=(id~=\"list\" visible index=1) first",
        ],
    ),
    (
        "text with index, text with id",
        "- tapOn: {text: Item, index: 2}\n- tapOn: {text: Item, index: -1}\n- tapOn: {text: Item, id: a\\.b}",
        &[
            "press anytext~=\"Item\" visible index=2",
            "press anytext~=\"Item\" visible index=-1",
            "press anytext~=\"Item\" id~=\"a\\.b\" first",
        ],
    ),
    (
        "states, traits and size",
        "- assertVisible: {id: agree, checked: true, enabled: false}\n\
         - tapOn: {traits: long-text square}\n- tapOn: {width: 100, height: 40, tolerance: 5}\n- tapOn: {width: 10}",
        &[
            "wait id~=\"agree\" enabled=false checked visible 7000",
            "press long-text square first",
            "press width=95..105 height=35..45 first",
            "press width=10 first",
        ],
    ),
    (
        "points of the screen",
        "- tapOn: {point: '50%, 25%'}\n- tapOn: {point: '10,20'}\n- tapOn: {point: '100%,100%'}",
        &["snapshot", "press 200.0 200.0", "press 10.0 20.0", "press 399.0 799.0"],
    ),
    (
        "a point of an element",
        "- tapOn: {text: Map, point: '90%,50%'}",
        &["wait anytext~=\"Map\" visible 17000", "get attrs anytext~=\"Map\" first", "press 145.0 210.0"],
    ),
    (
        "many presses, a double and a long one",
        "- tapOn: {text: Add, repeat: 3, delay: 500}\n- tapOn: {text: Add, repeat: 2}\n- doubleTapOn: Photo\n- longPressOn: {id: row}",
        &[
            "press anytext~=\"Add\" first --count 3 --interval-ms 500",
            "press anytext~=\"Add\" first --count 2 --interval-ms 100",
            "press anytext~=\"Photo\" first --double-tap",
            "longpress id~=\"row\" first",
        ],
    ),
    (
        "waiting for rest after a press",
        "- tapOn: {text: Save, waitToSettleTimeoutMs: 500}",
        &["press anytext~=\"Save\" first --settle"],
    ),
    ("texts in other scripts", "- inputText: Привет 你好 🎉", &["type Привет 你好 🎉"]),
    (
        "texts that look like numbers",
        "- inputText: 007\n- inputText: 1.10\n- inputText: 'null'",
        &["type 007", "type 1.10", "type null"],
    ),
    (
        "a text that is no expression is meant letter by letter",
        "- assertVisible: Total (EUR\n- assertVisible: \"say \\\"hi\\\"\"",
        &["wait anytext~=\"Total \\(EUR\" visible 7000", "wait anytext~=\"say \\\"hi\\\"\" visible 7000"],
    ),
    (
        "erasing some, all, and one",
        "- eraseText: 5\n- eraseText\n- pressKey: Backspace",
        &[
            "get attrs focused editable",
            "fill focused editable \"hello \"",
            "get attrs focused editable",
            "fill focused editable \"\"",
            "get attrs focused editable",
            "fill focused editable \"hello worl\"",
        ],
    ),
    (
        "copying and pasting",
        "- copyTextFrom: {id: order}\n- tapOn: Search\n- pasteText\n- setClipboard: own\n- pasteText",
        &["get text id~=\"order\" first", "press anytext~=\"Search\" first", "type ORD-17", "type own"],
    ),
    (
        "keys and back",
        "- pressKey: Enter\n- pressKey: home\n- pressKey: BACK\n- back",
        &["keyboard enter", "home", "back", "back"],
    ),
    (
        "links",
        "- openLink: https://example.com/a\n- openLink: {link: 'shop://cart'}",
        &["open https://example.com/a", "open shop://cart"],
    ),
    (
        "waiting longer",
        "- extendedWaitUntil: {visible: Done, timeout: 30000}\n- extendedWaitUntil: {notVisible: {id: spinner}, timeout: '1_000'}",
        &["wait anytext~=\"Done\" visible 30000", "wait absent id~=\"spinner\" visible 1000"],
    ),
    ("absence", "- assertNotVisible: Error", &["wait absent anytext~=\"Error\" visible 7000"]),
    (
        "rest",
        "- waitForAnimationToEnd\n- waitForAnimationToEnd: {timeout: 2000}",
        &["wait stable 500 15000", "wait stable 500 2000"],
    ),
    (
        "scrolling",
        "- scroll\n- scrollUntilVisible: {element: Terms}\n- scrollUntilVisible: {element: {id: top}, direction: up, timeout: 5000}",
        &["scroll down -", "scroll down anytext~=\"Terms\"", "scroll up id~=\"top\""],
    ),
    (
        "swipes by direction",
        "- swipe: {direction: LEFT}\n- swipe: {direction: right, duration: 1000}\n- swipe: {direction: UP}\n- swipe: {direction: DOWN}",
        &[
            "snapshot",
            "swipe 360 400 40 400 400",
            "swipe 40 400 360 400 1000",
            "swipe 200 400 200 80 400",
            "swipe 200 160 200 720 400",
        ],
    ),
    (
        "swipes between points",
        "- swipe: {start: '100, 200', end: '300, 200'}\n- swipe: {start: '90%,50%', end: '10%,50%', duration: 200}",
        &["swipe 100 200 300 200 400", "snapshot", "swipe 360 400 40 400 200"],
    ),
    (
        "swipes from an element",
        "- swipe: {from: {id: card}, direction: LEFT}\n- swipe: {from: Card, to: '50%,50%'}",
        &[
            "wait id~=\"card\" visible 17000",
            "get attrs id~=\"card\" first",
            "snapshot",
            "swipe 125 210 40 210 400",
            "wait anytext~=\"Card\" visible 17000",
            "get attrs anytext~=\"Card\" first",
            "swipe 125 210 200 400 400",
        ],
    ),
    (
        "dragging",
        "- drag: {from: '50%, 50%', offset: '0%, 25%', pressDuration: 1000}\n- drag: {from: Card, to: '10%, 10%'}",
        &[
            "snapshot",
            "drag (200, 400) (200, 600)",
            "wait anytext~=\"Card\" visible 17000",
            "get attrs anytext~=\"Card\" first",
            "drag (125, 210) (40, 80)",
        ],
    ),
    (
        "pictures and films",
        "- takeScreenshot: home\n- takeScreenshot: {path: a/b.png}\n- startRecording: film\n- stopRecording",
        &["screenshot home.png", "screenshot a/b.png", "record start film.mp4", "record stop"],
    ),
    (
        "settings of the device",
        "- setAirplaneMode: enabled\n- setAirplaneMode: {value: Disabled}\n- setDarkMode: enabled\n- setOrientation: LANDSCAPE_LEFT\n- resizeBrowser: 1280x720",
        &[
            "settings {\"setting\":\"airplane\",\"on\":true}",
            "settings {\"setting\":\"airplane\",\"on\":false}",
            "settings {\"setting\":\"appearance\",\"appearance\":\"dark\"}",
            "orientation LandscapeLeft",
            "viewport 1280 720",
        ],
    ),
    (
        "places",
        "- setLocation: {latitude: 52.5, longitude: -13.4}\n- travel: {points: ['0.0,0.0', '0.0,0.0001'], speed: 20}",
        &[
            "settings {\"setting\":\"location-set\",\"latitude\":52.5,\"longitude\":-13.4}",
            "settings {\"setting\":\"location-set\",\"latitude\":0.0,\"longitude\":0.0}",
            "settings {\"setting\":\"location-set\",\"latitude\":0.0,\"longitude\":0.0001}",
        ],
    ),
    (
        "permissions",
        "- setPermissions: {permissions: {camera: allow, MediaLibrary: deny, android.permission.NFC: unset, siri: allow}}",
        &["permission Grant camera", "permission Deny media-library", "permission Reset android.permission.NFC"],
    ),
    ("a number of rounds", "- repeat: {times: 3, commands: [{tapOn: More}]}", &["press anytext~=\"More\" first"; 3]),
    ("the spelling of the first versions", "- action: back\n- action: hideKeyboard", &["back", "keyboard dismiss"]),
    (
        "commands in commands",
        "- runFlow:\n    commands:\n      - runFlow: {commands: [{tapOn: A}]}\n      - tapOn: B",
        &["press anytext~=\"A\" first", "press anytext~=\"B\" first"],
    ),
    (
        "a platform that it is not",
        "- runFlow: {when: {platform: iOS}, commands: [{tapOn: Allow}]}\n- tapOn: B",
        &["press anytext~=\"B\" first"],
    ),
];

#[test]
fn flows_send_what_they_say_in_order_and_once() {
    for (what, commands, expected) in FLOWS {
        assert_eq!(asked(commands), *expected, "{what}");
    }
}

#[test]
fn a_target_that_is_there_costs_one_request_and_may_wait_2_s() {
    let mut host = Double::willing();
    run(&flow("- tapOn: Save"), &mut host, &RunOptions::default()).unwrap();
    let [ask] = host.asks.as_slice() else { panic!("{:?}", host.asks) };
    assert_eq!((ask.readiness_ms, ask.timeout_ms), (Some(2_000), None));
}

#[test]
fn android_clears_what_an_app_has_stored_in_a_session_with_it() {
    let mut host = Double::willing();
    let options = RunOptions { platform: Some(Platform::Android), ..RunOptions::default() };
    let flow = flow("- launchApp: {clearState: true, permissions: {camera: allow}}\n- clearState");
    run(&flow, &mut host, &options).unwrap();
    assert_eq!(
        host.asked(),
        [
            "open com.example.shop --relaunch",
            "clear-app-state com.example.shop",
            "permission Grant camera",
            "open com.example.shop --relaunch",
            "clear-app-state com.example.shop",
        ]
    );
}

#[test]
fn a_page_is_opened_by_its_address() {
    let flow =
        flow_with("url: https://shop.example\nname: Web shop\ntags: [web, smoke]\n", "- launchApp\n- tapOn: Buy");
    assert_eq!((flow.name().as_str(), flow.is_web(), flow.app()), ("Web shop", true, Some("https://shop.example")));
    assert_eq!(flow.tags(), ["web", "smoke"]);
    let mut host = Double::willing();
    run(&flow, &mut host, &RunOptions::default()).unwrap();
    assert_eq!(host.asked(), ["open https://shop.example --relaunch", "press anytext~=\"Buy\" first"]);
}

#[test]
fn the_platform_decides_what_runs() {
    let commands = "- runFlow: {when: {platform: Web}, commands: [{tapOn: A}]}\n\
                    - runFlow: {when: {platform: android}, commands: [{tapOn: B}]}\n\
                    - runFlow: {when: {true: \"${maestro.platform == 'web'}\"}, commands: [{tapOn: C}]}";
    let mut host = Double::willing();
    let options = RunOptions { platform: Some(Platform::Web), ..RunOptions::default() };
    run(&flow(commands), &mut host, &options).unwrap();
    assert_eq!(host.asked(), ["press anytext~=\"A\" first", "press anytext~=\"C\" first"]);
    assert!(host.noted("not run: the platform is not android"));
}

#[test]
fn what_a_flow_runs_on_is_learnt_from_what_it_opens() {
    let commands = "- runFlow: {when: {platform: Web}, commands: [{tapOn: Before}]}\n- launchApp: {clearState: true}\n\
                    - hideKeyboard\n- pressKey: Enter\n- pressKey: Tab\n\
                    - assertTrue: \"${maestro.platform == 'web'}\"\n\
                    - runFlow: {when: {platform: Web}, commands: [{tapOn: After}]}";
    let mut host = Double::new(|ask| {
        let data = serde_json::json!({"platform": "web"});
        (ask.command.spec().name == "open").then_some(Ok(contract::request::Answer { data, text: None }))
    });
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(
        host.asked(),
        ["open com.example.shop --relaunch", "type \n", "type \t", "press anytext~=\"After\" first"]
    );
}

#[test]
fn hooks_run_around_the_flow_and_in_flows_that_it_runs() {
    let flow = read(&[
        (
            "main.yaml",
            "appId: a\nonFlowStart: [{tapOn: Start}]\nonFlowComplete: [{tapOn: End}]\n---\n- runFlow: sub/inner.yaml\n- tapOn: Main\n",
        ),
        ("sub/inner.yaml", "appId: b\nonFlowStart: [{tapOn: InnerStart}]\nonFlowComplete: [{tapOn: InnerEnd}]\n---\n- launchApp\n"),
    ])
    .unwrap();
    let mut host = Double::willing();
    run(&flow, &mut host, &RunOptions::default()).unwrap();
    let said: Vec<String> = host.asked();
    assert_eq!(
        said,
        [
            "press anytext~=\"Start\" first",
            "press anytext~=\"InnerStart\" first",
            "open b --relaunch",
            "press anytext~=\"InnerEnd\" first",
            "press anytext~=\"Main\" first",
            "press anytext~=\"End\" first",
        ]
    );
}

#[test]
fn random_texts_are_typed_and_told() {
    let mut host = Double::willing();
    let commands = "- inputRandomText: {length: 5}\n- inputRandomNumber\n- inputRandomEmail\n- inputRandomPersonName\n\
                    - inputRandomCityName\n- inputRandomCountryName\n- inputRandomColorName";
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    let typed: Vec<String> = host.asked().iter().map(|said| said.trim_start_matches("type ").to_owned()).collect();
    assert_eq!((typed.len(), typed[0].len(), typed[1].len()), (7, 5, 8));
    assert!(typed[1].bytes().all(|byte| byte.is_ascii_digit()) && typed[2].contains('@') && typed[3].contains(' '));
    assert!(host.noted(&format!("typed: {}", typed[2])));
}

#[test]
fn the_screen_comes_to_rest_before_it_is_read_and_only_then() {
    let mut host = Double::willing();
    let commands = "- tapOn: A\n- tapOn: B\n- copyTextFrom: C\n- copyTextFrom: D\n- tapOn: E\n- takeScreenshot: x";
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    let all: Vec<String> = host.asks.iter().map(|ask| common::say(&ask.command)).collect();
    let rests: Vec<usize> = all
        .iter()
        .enumerate()
        .filter(|(_, said)| said.starts_with("wait stable 300"))
        .map(|(place, _)| place)
        .collect();
    assert_eq!(rests, [2, 6], "{all:#?}");
}

#[test]
fn sleeps_are_the_hosts() {
    let mut host = Double::willing();
    run(&flow("- sleep: 250\n- sleep: {seconds: 2}"), &mut host, &RunOptions::default()).unwrap();
    assert!(host.noted("pause 250") && host.noted("pause 2000"));
}

#[test]
fn an_empty_field_is_not_written_and_a_password_is_emptied() {
    for (answer, expected) in [
        (serde_json::json!({"value": ""}), vec!["get attrs focused editable"]),
        (serde_json::json!({}), vec!["get attrs focused editable"]),
        (
            serde_json::json!({"password": true, "value": "***"}),
            vec!["get attrs focused editable", "fill focused editable \"\""],
        ),
    ] {
        let mut host = Double::new(move |ask| {
            (ask.command.spec().name == "get")
                .then(|| Ok(contract::request::Answer { data: answer.clone(), text: None }))
        });
        run(&flow("- eraseText"), &mut host, &RunOptions::default()).unwrap();
        assert_eq!(host.asked(), expected);
    }
}
