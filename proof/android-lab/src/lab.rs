//! The lab: one private adb server, and the devices on it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempDir;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::{
    adb::Server,
    device::{LabDevice, Options},
    parts::{Missing, Parts, parts},
};

/// One adb server with any number of devices. Everything ends with it. Its tasks run on threads of their own, so a test may block.
#[derive(Debug)]
pub struct Lab {
    runtime: Option<Runtime>,
    server: Arc<Server>,
    parts: Parts,
    folder: TempDir,
}

/// Why a lab or a device could not be started.
#[derive(Debug)]
pub enum Trouble {
    /// The parts cannot be had on this machine: a test may be left out with this reason.
    Missing(Missing),
    /// Anything else.
    Failed(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Missing(missing) => missing.fmt(f),
            Trouble::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<std::io::Error> for Trouble {
    fn from(cause: std::io::Error) -> Self {
        Trouble::Failed(cause.to_string())
    }
}

impl Lab {
    /// A lab with an adb server of its own.
    ///
    /// # Errors
    /// Parts are missing, or adb does not start.
    pub async fn start() -> Result<Self, Trouble> {
        Self::with(None).await
    }

    /// A lab on an adb server that runs already, such as a person's.
    ///
    /// # Errors
    /// Parts are missing.
    pub async fn on_server(port: u16) -> Result<Self, Trouble> {
        Self::with(Some(port)).await
    }

    async fn with(port: Option<u16>) -> Result<Self, Trouble> {
        let parts = tokio::task::spawn_blocking(parts)
            .await
            .map_err(|cause| Trouble::Failed(cause.to_string()))?
            .map_err(Trouble::Missing)?;
        let folder = tempfile::Builder::new().prefix("lab").tempdir()?;
        let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("android-lab").enable_all().build()?;
        let home = folder.path().join("home");
        std::fs::create_dir_all(&home)?;
        let starting = async move {
            match port {
                Some(port) => Ok(Server::running(port, &home)),
                None => Server::start(&home).await,
            }
        };
        let server = on(runtime.handle(), starting).await?.map_err(Trouble::from);
        // The runtime must not be dropped inside another one.
        let (runtime, server) = match server {
            Ok(server) => (runtime, server),
            Err(trouble) => {
                runtime.shutdown_background();
                return Err(trouble);
            }
        };
        Ok(Self { runtime: Some(runtime), server: Arc::new(server), parts, folder })
    }

    /// Starts a device and connects it.
    ///
    /// # Errors
    /// An app's file is wrong, or a part does not start.
    pub async fn device(&self, options: Options) -> Result<LabDevice, Trouble> {
        let Some(runtime) = &self.runtime else { return Err(Trouble::Failed("the lab has ended".to_owned())) };
        let folder = tempfile::Builder::new().prefix("device").tempdir_in(self.folder.path())?;
        let (server, parts, handle) = (self.server.clone(), self.parts.clone(), runtime.handle().clone());
        on(runtime.handle(), LabDevice::start(server, parts, handle, folder, options)).await?
    }

    /// Port of the adb server: `ANDROID_ADB_SERVER_PORT` for whoever is to see its devices.
    pub fn port(&self) -> u16 {
        self.server.port()
    }

    /// Home folder of the adb server.
    pub fn home(&self) -> &Path {
        self.server.home()
    }

    /// A folder for a test's own files.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// `adb` against this lab's server, arguments to be added.
    pub fn adb(&self) -> std::process::Command {
        let mut command = std::process::Command::new("adb");
        command
            .args(["-P", &self.server.port().to_string()])
            .env("HOME", self.server.home())
            .env("ANDROID_ADB_SERVER_PORT", self.server.port().to_string())
            .env_remove("ANDROID_SERIAL");
        command
    }
}

/// Runs something on the lab's threads, wherever the caller is.
pub(crate) async fn on<T: Send + 'static>(
    handle: &Handle,
    what: impl Future<Output = T> + Send + 'static,
) -> Result<T, Trouble> {
    handle.spawn(what).await.map_err(|cause| Trouble::Failed(cause.to_string()))
}

impl Drop for Lab {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Children are killed as their tasks and the server are dropped.
            runtime.shutdown_background();
        }
    }
}
