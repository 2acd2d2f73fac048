//! `smoke`: two minutes on a phone.

use std::process::ExitCode;

use proof::smoke::{self, Verdict, phone::Phone};

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let (mut device, mut app) = (None, "com.android.settings");
    for (name, value) in super::options(words, &["--device", "--app"])? {
        match name {
            "--device" => device = Some(value),
            _ => app = value,
        }
    }
    let device = device.ok_or("smoke needs --device SERIAL")?;
    super::runtime()?.block_on(async {
        // The adb server that this may start needs the key in the person's own folder.
        let environment = ["HOME", "ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
            .collect();
        let phone = Phone::new(device, app, environment);
        let lines = smoke::run(&phone, show).await;
        phone.end().await;
        let failed = lines.iter().filter(|line| matches!(line.verdict, Verdict::Fail(_))).count();
        let left_out = lines.iter().filter(|line| matches!(line.verdict, Verdict::LeftOut(_))).count();
        println!("\n{} checks: {failed} failed, {left_out} left out", lines.len());
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
