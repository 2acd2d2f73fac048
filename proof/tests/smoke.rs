//! The suite for a person's phone, run on the lab's device: so that it works on the day when somebody has a phone.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use android_lab::{Lab, Options};
use proof::smoke::{self, Verdict, phone::Phone};

/// What the demo app has nothing for on its first screen.
const LEFT_OUT: [&str; 2] = ["scrolling moves and comes back", "a field takes any text, and holds it"];

#[tokio::test(flavor = "multi_thread")]
async fn every_check_passes_on_the_lab() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return;
    }
    let lab = Lab::start().await.unwrap();
    let device = lab.device(Options::demo()).await.unwrap();
    let environment = vec![("ANDROID_ADB_SERVER_PORT".to_owned(), lab.port().to_string())];
    let phone = Phone::new(device.serial(), "com.example.demo", environment);
    let lines = smoke::run(&phone, |_| {}).await;
    phone.end().await;
    assert_eq!(lines.len(), smoke::checks::ALL.len());
    for line in lines {
        match line.verdict {
            Verdict::Pass(_) => {}
            Verdict::LeftOut(_) if LEFT_OUT.contains(&line.name) => {}
            other => panic!("{}: {other:?}", line.name),
        }
    }
}
