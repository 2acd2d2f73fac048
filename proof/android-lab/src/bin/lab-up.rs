//! Starts a lab device for a person: `proof/android-lab/up [APP.toml] [--port N] [--api N]`. Ends with Ctrl-C.

use std::process::ExitCode;

use android_lab::{Lab, Options};
use tokio::{
    io::{AsyncWriteExt, stderr, stdout},
    signal::unix::{SignalKind, signal},
};

/// Where a person's adb server listens.
const USUAL: u16 = 5037;

/// What was asked for.
#[derive(Debug)]
struct Wanted {
    app: String,
    port: u16,
    api: u32,
}

fn wanted() -> Result<Wanted, String> {
    let port = std::env::var("ANDROID_ADB_SERVER_PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(USUAL);
    let mut wanted = Wanted { app: "demo".to_owned(), port, api: 34 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<u32, String> {
            words.next().and_then(|value| value.parse().ok()).ok_or(format!("{word} needs a number"))
        };
        match word.as_str() {
            "--port" => wanted.port = u16::try_from(number()?).map_err(|why| why.to_string())?,
            "--api" => wanted.api = number()?,
            flag if flag.starts_with('-') => return Err("usage: up [APP.toml] [--port N] [--api N]".to_owned()),
            app => app.clone_into(&mut wanted.app),
        }
    }
    Ok(wanted)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            // Whether anybody reads it is of no concern.
            let _said = stderr().write_all(format!("{cause}\n").as_bytes()).await;
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let Wanted { app, port, api } = wanted()?;
    let started = tokio::process::Command::new("adb").args(["-P", &port.to_string(), "start-server"]).output().await?;
    if !started.status.success() {
        return Err(String::from_utf8_lossy(&started.stderr).into_owned().into());
    }
    let lab = Lab::on_server(port).await?;
    let package = "com.example.demo";
    let device = lab.device(Options::app(package, &app).api(api)).await?;
    let serial = device.serial();
    let on = if port == USUAL { String::new() } else { format!("-P {port} ") };
    let said = format!(
        "{serial} is up: Android {api}, app {package} ({app}). Ctrl-C ends it.\n\n\
         adb {on}devices\n\
         adb {on}-s {serial} shell am start -W -n {package}/.MainActivity\n\
         adb {on}-s {serial} exec-out screencap -p > screen.png\n\
         adb {on}-s {serial} shell input tap 585 700\n"
    );
    stdout().write_all(said.as_bytes()).await?;
    stdout().flush().await?;
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    device.unlist().await?;
    Ok(())
}
