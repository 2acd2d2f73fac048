//! The adb server that dies, and the device behind it.
//!
//! The server is a process of the test's own, not the lab's, so that it can be killed; the next one is started by the
//! product, as for any user. What a person does then, the test does: it connects the device again.

use std::{process::Stdio, time::Duration};

use android_lab::{Lab, LabDevice, Options};
use tokio::{
    net::{TcpListener, TcpStream},
    process::{Child, Command},
    time::{sleep, timeout},
};

use crate::{
    android::{GROUND, presses},
    patience::LIMIT,
    program::Program,
    world,
};

/// Pause between two tries to reach the server.
const LOOK: Duration = Duration::from_millis(20);

/// A device of the lab on an adb server that can be killed.
pub struct AdbPhone {
    /// The device.
    pub device: LabDevice,
    /// Its lab. Dropped after it.
    _lab: Lab,
    /// The first server, until it dies.
    _server: Child,
}

impl AdbPhone {
    /// Starts server, lab and device, and tells the program of the server.
    ///
    /// # Panics
    /// Where a part is missing.
    pub async fn start(program: &mut Program) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").await.expect("a port is free").local_addr().expect("bound").port();
        for (name, value) in
            [("ANDROID_ADB_SERVER_PORT", port.to_string()), ("ADB_LOCAL_TRANSPORT_MAX_PORT", "0".into())]
        {
            program.environment.push((name.to_owned(), value));
        }
        let server = Command::new("adb")
            .args(["-P", &port.to_string(), "nodaemon", "server"])
            .env("HOME", program.folder())
            .env("ADB_LOCAL_TRANSPORT_MAX_PORT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("adb starts");
        listens(port).await;
        let ground = program.folder().join("ground.toml");
        std::fs::write(&ground, world::GROUND).expect("the app can be written");
        let lab = Lab::on_server(port).await.unwrap_or_else(|trouble| panic!("the lab does not start: {trouble}"));
        let app = Options::app(GROUND, &ground.display().to_string());
        let device = lab.device(app).await.unwrap_or_else(|trouble| panic!("no device: {trouble}"));
        Self { device, _lab: lab, _server: server }
    }

    /// What a person does whose adb server was killed: connect the device again. Needs a server that runs.
    pub async fn connect_again(&self) -> Result<(), String> {
        listens(self.device.adb_port()).await;
        self.device.restore().await.map_err(|trouble| trouble.to_string())
    }

    /// Presses of one element of the app.
    pub fn presses(&self, id: &str) -> u32 {
        presses(&self.device, id)
    }
}

async fn listens(port: u16) {
    let reached = timeout(LIMIT, async {
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            sleep(LOOK).await;
        }
    });
    reached.await.unwrap_or_else(|_| panic!("no adb server listens on {port}"));
}
