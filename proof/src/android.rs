//! An app on the lab's Android device: our backend, a proxy that can lose replies, the real adb server, the real adbd, the
//! helper's package on the Android Runtime.

use android_lab::{Lab, LabDevice, Options};
use serde_json::Value;
use stage::Effects;

use crate::{
    adb_cut::AdbProxy,
    seen::{Seen, Told},
    world::{Session, World},
};

/// The package that [`crate::world::GROUND`] is installed as.
pub const GROUND: &str = "com.example.ground";

/// The package of the helper that is put on devices.
pub const HELPER: &str = "com.callstack.agentdevice.snapshothelper";

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

    /// Where the helper's session listens, on the device's own loopback.
    pub fn helper_port(&self) -> u16 {
        let words = self.proxy.seen();
        let port = words.iter().rev().find_map(|word| word.strip_prefix("tcp:")?.parse().ok());
        port.expect("the helper was asked something")
    }

    /// The middle of an element of the app, as a command takes it.
    pub async fn point_of(&self, id: &str) -> String {
        let mut scene = self.device.scene().await.expect("the lab runs");
        let mut middle = None;
        each(&mut scene, &mut |node| {
            if is(node, id) {
                let [left, top, right, bottom] = bounds(node);
                middle = Some(format!("{} {}", i64::midpoint(left, right), i64::midpoint(top, bottom)));
            }
        });
        middle.unwrap_or_else(|| panic!("there is no {id}"))
    }

    /// From now on an element has only one of the three thirds of its width, 0 the leftmost.
    pub fn narrow(&self, id: &'static str, third: i64) {
        self.device.edit_scene(move |scene| {
            each(scene, &mut |node| {
                if is(node, id) {
                    let [left, top, right, bottom] = bounds(node);
                    let width = (right - left) / 3;
                    node["bounds"] = [left + width * third, top, left + width * (third + 1), bottom].to_vec().into();
                }
            });
        });
    }

    /// From now on an element is not there.
    pub fn remove(&self, id: &'static str) {
        self.device.edit_scene(move |scene| {
            each(scene, &mut |node| {
                if let Some(children) = node.get_mut("children").and_then(Value::as_array_mut) {
                    children.retain(|child| !is(child, id));
                }
            });
        });
    }

    /// How often a program ran on the device with these words one after the other.
    pub fn ran(&self, words: &[&str]) -> u32 {
        let runs =
            self.device.commands().into_iter().filter(|argv| argv.windows(words.len()).any(|part| part == words));
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

/// Every object of a scene, the outer first.
pub fn each(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    if value.is_object() {
        visit(value);
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| each(member, visit)),
        Value::Array(values) => values.iter_mut().for_each(|value| each(value, visit)),
        _ => {}
    }
}

/// Whether an object is the node of an element of the app.
fn is(node: &Value, id: &str) -> bool {
    node["id"] == format!("{GROUND}:id/{id}")
}

fn bounds(node: &Value) -> [i64; 4] {
    serde_json::from_value(node["bounds"].clone()).expect("a node has bounds")
}
