//! Android devices without a session.

use std::path::Path;

use async_trait::async_trait;
use backend::{App, Fleet, Installed, Package, Pairing};
use contract::Failure;
use serde_json::Value;
use wire::Context;

use super::{apps, emulator, files, install, pairing};
use crate::adb::{Adb, Phone};

/// The devices behind one adb server.
#[derive(Debug, Clone)]
pub struct AndroidFleet {
    adb: Adb,
}

impl AndroidFleet {
    /// Those that this server knows, and the emulators that can be started beside it.
    pub const fn new(adb: Adb) -> Self {
        Self { adb }
    }

    async fn phone(&self, context: &Context, device: &str) -> Result<Phone, Failure> {
        self.adb.known(context, device).await?;
        Ok(self.adb.device(device))
    }
}

#[async_trait]
impl Fleet for AndroidFleet {
    async fn apps(&self, context: &Context, device: &str, all: bool) -> Result<Vec<App>, Failure> {
        apps::list(context, &self.phone(context, device).await?, all).await
    }

    async fn install(&self, context: &Context, device: &str, package: &Package) -> Result<Installed, Failure> {
        install::install(context, &self.phone(context, device).await?, package).await
    }

    async fn push(&self, context: &Context, device: &str, from: &Path, to: &str) -> Result<u64, Failure> {
        files::push(context, &self.phone(context, device).await?, from, to).await
    }

    async fn pull(&self, context: &Context, device: &str, from: &str, to: &Path) -> Result<u64, Failure> {
        files::pull(context, &self.phone(context, device).await?, from, to).await
    }

    async fn boot(&self, context: &Context, device: &str, headless: bool) -> Result<String, Failure> {
        emulator::boot::boot(context, &self.adb, device, headless).await
    }

    async fn shutdown(&self, context: &Context, device: &str) -> Result<(), Failure> {
        emulator::shutdown(context, &self.adb, device).await
    }

    async fn pair(&self, context: &Context, pairing: &Pairing) -> Result<Value, Failure> {
        pairing::pair(context, &self.adb, pairing).await
    }
}
