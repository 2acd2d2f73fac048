//! A script and the flow that it is exported as do the same to the same app.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::fs;

use proof::{
    program::{self, Program},
    world::World,
};

/// Every step has an equivalent that is quite the same.
const SAME: &str = "press id=save
press id=save --count 3
press id=save --double-tap
longpress id=save
press 'label=\"First name\"'
press 'label=\"Second name\"'
fill id=name 'two words'
type ' and more'
is visible id=save
wait id=late 5000
press id=late
find id save
press id=leave
wait text 'You are on the second screen' 5000
back
press id=save
";

#[tokio::test(flavor = "multi_thread")]
async fn a_script_and_its_flow_have_the_same_effects() {
    let world = World::start(Some(&program::path())).await;
    let folder = tempfile::Builder::new().prefix("ad").tempdir().unwrap();
    let program = Program::of_daemon(folder, world.state(), &world.recorder);
    let script = program.folder().join("same.ad");
    fs::write(&script, SAME).unwrap();
    let script = script.display().to_string();
    let exported = program.does(&["replay", "export", &script]).await;
    let flow = exported["path"].as_str().unwrap().to_owned();
    let mut came = Vec::new();
    for (name, device, file) in [("scripted", "stage-1", &script), ("flown", "stage-2", &flow)] {
        let session = world.session(name).on(device);
        session.does(&format!("open {}", world.ground().display())).await;
        let (code, told) = program.json(&["replay", file, "--session", name]).await;
        assert_eq!(code, 0, "{file}: {told:#?}\n{}", fs::read_to_string(&flow).unwrap());
        let effects = ["save", "renames", "late", "leave"].map(|id| session.effects(id));
        came.push((effects, session.does("get text id=name").await["text"].clone()));
    }
    assert_eq!(came[0], came[1], "{}", fs::read_to_string(&flow).unwrap());
    assert_eq!(world.end().await, Vec::<String>::new());
}
