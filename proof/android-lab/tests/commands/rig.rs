//! A device for a test, and what the backend's host side sees of it.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use android::{
    adb::{Adb, Address, Phone},
    system::System,
};
use android_lab::{Lab, LabDevice, Missing, Options, Trouble};
use contract::{Failure, Row};
use wire::Context;

/// How long anything may take.
pub const LIMIT: Duration = Duration::from_secs(30);
/// The app on it.
pub const DEMO: &str = "com.example.demo";

/// A lab, its device, and the device as the backend reaches it.
pub struct Rig {
    pub device: LabDevice,
    pub adb: Adb,
    pub phone: Phone,
    pub system: System,
    _lab: Lab,
}

/// A device with the demo app in front; `None`, which is said, where the lab's packages are missing.
pub async fn demo() -> Option<Rig> {
    with(Options::demo()).await
}

/// Another device, its first app in front.
pub async fn with(options: Options) -> Option<Rig> {
    let lab = match Lab::start().await {
        Ok(lab) => lab,
        Err(Trouble::Missing(Missing::Packages(why))) => {
            eprintln!("left out: {why}");
            return None;
        }
        Err(other) => panic!("{other}"),
    };
    let device = lab.device(options).await.expect("a device starts");
    device.open(DEMO).await.expect("the demo app starts");
    let adb = Adb::new(Address::local(device.adb_port()), None);
    let phone = adb.device(device.serial());
    let system = System::new(phone.clone());
    system.set_app(Some(DEMO.to_owned()));
    Some(Rig { device, adb, phone, system, _lab: lab })
}

/// A request of its own.
pub fn context() -> Context {
    Context::with_limit(LIMIT)
}

/// How many changes a request sent to their end, and how many may have been.
pub fn sends(context: &Context) -> (u32, u32) {
    let sends = context.ledger.sends();
    (sends.completed, sends.open)
}

/// The row and the reason of a failure.
pub fn refusal(failure: &Failure) -> (Option<Row>, Option<&str>) {
    (failure.claim().map(|claim| claim.row), failure.reason_str())
}

/// Waits for something.
pub async fn soon(what: &str, is: impl Fn() -> bool) {
    let end = Instant::now() + LIMIT;
    while !is() {
        assert!(Instant::now() < end, "{what} does not come");
        tokio::task::yield_now().await;
    }
}

/// The same for something asynchronous.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, future).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

impl Rig {
    /// How often a program was run on the device since it started.
    pub fn runs(&self, words: &[&str]) -> usize {
        self.device.commands().iter().filter(|command| command.windows(words.len()).any(|part| part == words)).count()
    }
}
