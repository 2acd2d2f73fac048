//! Texts, names and addresses on their way to a device's shell and to adb: the real adbd runs the lines, the lab's
//! programs note what each of them got.

use proof::{
    android::{GROUND, Phone},
    world::World,
};

/// What a shell would run, in every way that a text can get it to. `getprop pwned` shows in the lab's notes.
const LINES: [&str; 14] = [
    "$(getprop pwned)",
    "`getprop pwned`",
    "; getprop pwned ;",
    "x\ngetprop pwned\n",
    "x' ; getprop pwned ; '",
    "x\" ; getprop pwned ; \"",
    "x' \" ; getprop pwned ; \" '",
    "| getprop pwned",
    "&& getprop pwned",
    "\\'; getprop pwned; \\'",
    "x & getprop pwned & y",
    "${x:-$(getprop pwned)}",
    "--help getprop",
    "-e pwned 1",
];

/// One program of the device ran with the word that only an attack brings.
fn pwned(phone: &Phone<'_>) -> Option<Vec<String>> {
    phone.device.commands().into_iter().find(|argv| argv.iter().any(|word| word == "pwned"))
}

/// A word for a command line.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_reaches_the_field_and_never_a_shell() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    // The field has one line. All at once: each would end what the one before had opened.
    for text in [LINES.join(" ").replace('\n', " "), LINES[4].to_owned()] {
        phone.session.does(&format!("fill id=name -- {}", word(&text))).await;
        phone.session.does(&format!("is text id=name -- {}", word(&text))).await;
        phone.session.does("fill id=name ''").await;
        phone.session.does("press id=name").await;
        phone.session.does(&format!("type -- {}", word(&text))).await;
        phone.session.does(&format!("is text id=name -- {}", word(&text))).await;
        phone.session.does(&format!("clipboard write -- {}", word(&text))).await;
        assert_eq!(pwned(&phone), None, "{text:?}");
    }
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_without_a_helper_that_runs_on_reaches_no_shell_either() {
    let world = World::without_helper_sessions().await;
    let phone = Phone::attached(&world).await;
    phone.session.does(&format!("open {GROUND}")).await;
    for text in [LINES.join(" ").replace('\n', " "), LINES[4].to_owned()] {
        phone.session.does(&format!("fill id=name -- {}", word(&text))).await;
        phone.session.does(&format!("is text id=name -- {}", word(&text))).await;
        assert_eq!(pwned(&phone), None, "{text:?}");
    }
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_apps_and_addresses_keep_their_names_and_run_nothing() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    for (number, text) in LINES.into_iter().enumerate() {
        let name = text.replace('/', "_");
        let file = world.folder().join(format!("file {name}"));
        std::fs::write(&file, text).unwrap();
        let (local, there) = (word(&file.display().to_string()), word(&format!("/sdcard/{name}")));
        phone.session.does(&format!("push -- {local} {there}")).await;
        let back = world.folder().join(format!("back-{number}"));
        phone.session.does(&format!("pull -- {there} {}", back.display())).await;
        assert_eq!(std::fs::read_to_string(&back).unwrap(), text);
        // Each of them is refused or done; none of them is run.
        for line in [
            format!("install -- {local}"),
            format!("reinstall -- {} {local}", word(&format!("com.example{text}"))),
            format!("open -- {}", word(&format!("com.example.demo/.Main{text}"))),
            format!("open -- {}", word(&format!("com.example.{text}"))),
            format!("open -- {}", word(&format!("{text}/.Main"))),
            format!("open -- {}", word(&format!("demo://host/{text}"))),
            format!("open -- {}", word(&format!("http://host/?q={text}"))),
            format!("settings permission grant -- {}", word(text)),
            format!("settings clear-app-state -- {}", word(text)),
            format!("logs mark -- {}", word(text)),
        ] {
            let _refused = phone.session.run(&line).await;
            assert_eq!(pwned(&phone), None, "{line}");
        }
        phone.session.does(&format!("open {GROUND}")).await;
    }
    assert!(phone.device.commands().len() > 20, "the lab noted nothing: {:?}", phone.device.commands());
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nul_cuts_no_line_short() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let request = |line: &str, key: &[&str], text: &str| {
        let mut request = phone.session.request(line);
        let mut at = &mut request.args;
        for key in key {
            at = &mut at[*key];
        }
        assert!(at.is_string(), "{line}: {:?}", request.args);
        *at = text.into();
        request
    };
    for request in [request("open demo://x", &["app"], "demo://host/a\0b")] {
        let before = phone.device.commands().len();
        let told = world.run(&request).await.expect_err("no shell takes a NUL");
        assert_eq!(told.dispatched, "no", "{:#}", told.error);
        let ran = phone.device.commands().split_off(before);
        assert!(!ran.iter().flatten().any(|word| word.starts_with("demo:") || word == "a"), "cut short: {ran:?}");
    }
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_serial_is_a_serial_and_no_service_of_the_server() {
    let world = World::start(None).await;
    let phone = Phone::attached(&world).await;
    let serial = phone.device.serial().to_owned();
    for evil in [
        format!("{serial}:reboot"),
        format!("{serial}:forward:tcp:0;tcp:1"),
        format!("{serial}:killforward-all"),
        "x:kill".to_owned(),
        "any\nhost:kill".to_owned(),
        "../../x".to_owned(),
        String::new(),
        "-a".to_owned(),
        "x\0y".to_owned(),
    ] {
        for line in ["snapshot", "apps", "open com.example.demo", "shutdown"] {
            let mut request = world.session("evil").on_phone(&serial).request(line);
            request.device = Some(evil.clone());
            let told = world.run(&request).await.expect_err("there is no such device");
            assert_eq!(told.dispatched, "no", "{evil:?} {line}: {:#}", told.error);
        }
    }
    let services = phone.proxy.seen();
    let harm = |word: &&String| ["reboot", "forward:", "killforward", ":kill"].iter().any(|harm| word.contains(harm));
    let reached: Vec<_> = services.iter().filter(harm).filter(|word| !word.starts_with("host:transport:")).collect();
    assert!(reached.is_empty(), "reached the adb server: {reached:?}");
    phone.session.does("open com.example.demo").await;
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}
