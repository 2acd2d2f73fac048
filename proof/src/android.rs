//! An app on the lab's Android device: our backend, a proxy that can lose replies, the real adb server, the real adbd, the
//! helper's package on the Android Runtime.

use android_lab::{Lab, LabDevice, Options};
use stage::Effects;

use crate::{
    adb_cut::AdbProxy,
    seen::{Seen, Told},
    world::{Session, World},
};

/// The package that [`crate::world::GROUND`] is installed as.
pub const GROUND: &str = "com.example.ground";

/// A device of the lab, attached to the adb server that the world's Android backend talks to, through a proxy.
pub struct Phone<'w> {
    /// Speaks of the device.
    pub session: Session<'w>,
    /// The device's inside.
    pub device: LabDevice,
    /// Between the backend and the adb server.
    pub proxy: &'w AdbProxy,
    /// The adb server. Declared last: it goes last.
    pub lab: Lab,
}

impl<'w> Phone<'w> {
    /// A device with the app of the drivers installed; nothing is opened.
    pub async fn attached(world: &'w World) -> Self {
        let ground = world.ground().display().to_string();
        Self::with(world, Options::app(GROUND, &ground).and("com.example.demo", "demo")).await
    }

    /// A device of other options.
    pub async fn with(world: &'w World, options: Options) -> Self {
        let lab = Lab::start().await.unwrap_or_else(|trouble| panic!("the lab does not start: {trouble:?}"));
        let device = lab.device(options).await.unwrap_or_else(|trouble| panic!("no device: {trouble:?}"));
        world.adb.lead_to(lab.port());
        let session = world.session("phone").on_phone(device.serial());
        Self { session, device, proxy: &world.adb, lab }
    }

    /// The same with the app open, its helper running.
    pub async fn on_ground(world: &'w World) -> Self {
        let phone = Self::attached(world).await;
        phone.session.does(&format!("open {GROUND}")).await;
        phone.session.does("snapshot -i").await;
        phone
    }

    /// What happened to one element of the app.
    pub fn effects(&self, id: &str) -> Effects {
        effects(&self.device, id)
    }

    /// Presses of one element.
    pub fn presses(&self, id: &str) -> u32 {
        self.effects(id).presses
    }

    /// What a caller was told of one press of the button `save`, with what became of it.
    pub fn saw_press(&self, told: Told) -> Seen {
        told.and(self.presses("save"), 1)
    }

    /// How often a program ran on the device with these words one after the other.
    pub fn ran(&self, words: &[&str]) -> u32 {
        let runs = self.device.commands().into_iter().filter(|argv| argv.windows(words.len()).any(|part| part == words));
        u32::try_from(runs.count()).unwrap_or(u32::MAX)
    }
}

/// What happened to one element of the app on a device.
pub fn effects(device: &LabDevice, id: &str) -> Effects {
    device.probe(GROUND).map(|probe| probe.effects(id)).unwrap_or_default()
}

/// Presses of one element of the app on a device.
pub fn presses(device: &LabDevice, id: &str) -> u32 {
    effects(device, id).presses
}
