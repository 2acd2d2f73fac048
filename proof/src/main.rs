//! What a person runs by hand: `cargo run -p proof -- smoke --device SERIAL`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::process::ExitCode;

use proof::smoke::{self, Verdict, phone::Phone};

const USAGE: &str = "usage: cargo run -p proof -- smoke --device SERIAL [--app ID]

Two minutes on an Android phone or emulator, for what no lab can show. The app (com.android.settings where nothing is said) is
opened and closed several times; texts are entered into its search field; the screen is turned. Nothing else is changed.";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut device, mut app) = (None, "com.android.settings".to_owned());
    if words.next().as_deref() != Some("smoke") {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    while let Some(word) = words.next() {
        match (word.as_str(), words.next()) {
            ("--device", Some(value)) => device = Some(value),
            ("--app", Some(value)) => app = value,
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    let Some(device) = device else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() else {
        eprintln!("no threads to run on");
        return ExitCode::FAILURE;
    };
    runtime.block_on(async {
        // The adb server that this may start needs the key in the person's own folder.
        let environment = ["HOME", "ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
            .collect();
        let phone = Phone::new(&device, &app, environment);
        let lines = smoke::run(&phone, show).await;
        phone.end().await;
        let failed = lines.iter().filter(|line| matches!(line.verdict, Verdict::Fail(_))).count();
        let left_out = lines.iter().filter(|line| matches!(line.verdict, Verdict::LeftOut(_))).count();
        println!("\n{} checks: {failed} failed, {left_out} left out", lines.len());
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    })
}

fn show(line: &smoke::Line) {
    let (mark, said) = match &line.verdict {
        Verdict::Pass(said) => ("pass", said),
        Verdict::LeftOut(said) => ("  - ", said),
        Verdict::Fail(said) => ("FAIL", said),
    };
    println!("{mark}  {:<55} {:>6} ms  {said}", line.name, line.took_ms);
}
