//! What is typed into a password field is seen by nobody but the field: no answer, no error, no log, no timeline, no
//! file, no process that was started.

use std::{fs, path::Path};

use proof::{
    android::{GROUND, Phone},
    seen::Told,
    web::Web,
    world::{Session, World},
};
use serde_json::Value;

/// No text of any page or message.
const SECRET: &str = "Zq7-hunter2-Zq7";

/// Where it was found.
struct Found(Vec<String>);

impl Found {
    fn look(&mut self, place: &str, text: &str) {
        let at = text.find(SECRET).or_else(|| text.find(&SECRET[4..11]));
        if let Some(at) = at {
            let from = text.get(..at).unwrap_or_default().char_indices().rev().nth(60).map_or(0, |(from, _)| from);
            self.0.push(format!("{place}: ...{}", text.get(from..(at + 40).min(text.len())).unwrap_or_default()));
        }
    }

    fn outcome(&mut self, line: &str, outcome: &Result<Value, Told>) {
        match outcome {
            Ok(data) => self.look(line, &data.to_string()),
            Err(told) => self.look(line, &told.error.to_string()),
        }
    }
}

/// Every file below a folder.
fn files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&path, into),
            Ok(kind) if kind.is_file() => into.push(path),
            _ => {}
        }
    }
}

/// Looks into every file of the daemon and at the words of every process.
fn around(found: &mut Found, world: &World) {
    let mut paths = Vec::new();
    files(world.state().path(), &mut paths);
    for path in paths {
        let bytes = fs::read(&path).unwrap_or_default();
        found.look(&path.display().to_string(), &String::from_utf8_lossy(&bytes));
    }
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        found.look(&process.path().display().to_string(), &String::from_utf8_lossy(&words));
    }
}

/// Both forms of an answer.
async fn says(found: &mut Found, world: &World, session: &Session<'_>, line: &str) {
    for render in [contract::request::Render::Json, contract::request::Render::Text] {
        let request = contract::Request { render, ..session.request(line) };
        let mut own = world.line().await;
        let outcome = own.call(contract::request::method::RUN, &request).await;
        found.outcome(line, &outcome);
        // What is kept for who asks again.
        found.outcome(&format!("retained {line}"), &world.result_of(&request.request_id).await);
    }
}

/// Everything that types, then everything that looks. `secret` is the selector of the password field, `ill` of one that
/// does not keep what it is given.
async fn typed_and_looked_for(world: &World, session: &Session<'_>, secret: &str, ill: Option<&str>) -> Found {
    let mut found = Found(Vec::new());
    says(&mut found, world, session, "trace start").await;
    for line in [
        format!("fill {secret} {SECRET}"),
        format!("fill {secret} {SECRET} --settle --verify"),
        format!("fill {secret} {SECRET} --delay-ms 1"),
        format!("press {secret}"),
        format!("type {SECRET}"),
        format!("type {SECRET} --delay-ms 1"),
        format!("batch --steps '[\"fill {secret} {SECRET}\",\"press id=nowhere\"]'"),
        format!("batch --steps '[\"fill {secret} {SECRET}\",\"fill {secret} {SECRET} --bogus {SECRET}\"]'"),
    ] {
        says(&mut found, world, session, &line).await;
    }
    if let Some(ill) = ill {
        for line in [format!("fill {ill} {SECRET}"), format!("batch --steps '[\"fill {ill} {SECRET}\"]'")] {
            says(&mut found, world, session, &line).await;
        }
    }
    says(&mut found, world, session, &format!("fill {secret} {SECRET}")).await;
    for line in [
        "snapshot",
        "snapshot -i",
        "snapshot --raw",
        "snapshot -s Password",
        "diff snapshot",
        "diff snapshot",
        "find Password",
        "find Password getAttrs",
        &format!("get text {secret}"),
        &format!("get attrs {secret}"),
        &format!("is text {secret} something-else"),
        "press label=hunter",
        "wait hunter 50",
        "appstate",
        "events",
        "session list",
        "logs",
        "keyboard status",
    ] {
        says(&mut found, world, session, line).await;
    }
    // Where it is recorded, the script is among the files that are looked into.
    for line in ["trace stop", "session save-script"] {
        says(&mut found, world, session, line).await;
    }
    around(&mut found, world);
    found
}

fn nowhere(found: &Found) {
    assert!(found.0.is_empty(), "the secret was seen in {} places:\n{}", found.0.len(), found.0.join("\n"));
}

const APP: &str = r#"
[[screen]]
id = "login"
title = "Login"
[[screen.element]]
role = "text-field"
id = "password"
label = "Password"
mask = true
keyboard = false
[[screen.element]]
role = "text-field"
id = "pin"
label = "Pin"
mask = true
filter = "digits-only"
keyboard = false
[[screen.element]]
role = "button"
id = "go"
label = "Go"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_password_of_the_stage_stays_in_its_field() {
    let world = World::start(None).await;
    let file = world.folder().join("login.toml");
    fs::write(&file, format!("app = \"login\"\ntitle = \"Login\"\nstart = \"login\"\n{APP}")).unwrap();
    let session = world.session("secret");
    let script = world.state().path().join("secret.ad");
    session.does(&format!("open {} --save-script={}", file.display(), script.display())).await;
    let found = typed_and_looked_for(&world, &session, "id=password", Some("id=pin")).await;
    assert!(fs::read_to_string(&script).unwrap().contains("${SECRET_1}"), "it was recorded");
    nowhere(&found);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_of_a_web_page_stays_in_its_field() {
    let world = World::start(None).await;
    let body = r"<form><label>Password <input id=password type=password autocomplete=off></label>
        <input id=pin type=password aria-label=Pin oninput='this.value=this.value.replace(/\D/g,&quot;&quot;)'>
        <input id=shows type=password aria-label=Shows onfocus='this.type=&quot;text&quot;' oninput='this.value=this.value.toUpperCase()'>
        <input id=attr type=password aria-label=Attr oninput='this.setAttribute(&quot;value&quot;,this.value)'></form>";
    let web = Web::open(&world, body).await;
    let mut found = typed_and_looked_for(&world, &web.session, "id=password", Some("id=pin")).await;
    // A page that shows what is typed is what is seen; that it does not become what was asked for must not tell it.
    let told = web.session.run(&format!("fill id=shows {SECRET}")).await;
    found.outcome("fill id=shows", &told);
    for line in [format!("fill id=attr {SECRET}"), "get attrs id=attr".to_owned(), "snapshot --raw".to_owned()] {
        if line != "snapshot --raw" {
            says(&mut found, &world, &web.session, &line).await;
        }
    }
    says(&mut found, &world, &web.session, "events").await;
    around(&mut found, &world);
    nowhere(&found);
    drop(web.session);
    let (mut driver, proxy, site) = (web.driver, web.proxy, web.site);
    driver.kill().await;
    drop((proxy, site));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_of_an_android_app_stays_in_its_field() {
    let world = World::start(None).await;
    let file = world.folder().join("ground.toml");
    fs::write(&file, format!("app = \"login\"\ntitle = \"Login\"\nstart = \"login\"\n{APP}")).unwrap();
    let phone = Phone::attached(&world).await;
    let script = world.state().path().join("secret.ad");
    phone.session.does(&format!("open {GROUND} --save-script={}", script.display())).await;
    let found = typed_and_looked_for(&world, &phone.session, "id=password", Some("id=pin")).await;
    assert!(fs::read_to_string(&script).unwrap().contains("${SECRET_1}"), "it was recorded");
    nowhere(&found);
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}
