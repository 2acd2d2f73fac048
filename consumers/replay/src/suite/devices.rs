//! Whether the devices are enough for a suite, and which of them was lost on the way.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use contract::{
    Command, Failure,
    command::Devices,
    view::{DeviceView, Platform},
};
use serde_json::Value;

use super::runner::Entry;
use crate::{arguments::Test, host::DaemonHost, host::Way, source::unreadable};

/// How long the list of devices may take.
const LIMIT: Duration = Duration::from_secs(15);

/// Devices of shards that are no longer there, by the number of the shard.
#[derive(Debug, Default)]
pub struct Lost(Mutex<BTreeMap<u32, String>>);

impl Lost {
    /// The shard has no device any more.
    pub fn add(&self, shard: u32, device: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(shard, device.to_owned());
    }

    /// Whether the shard has lost its device.
    pub fn holds(&self, shard: u32) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&shard)
    }

    /// The devices that were lost: of all shards, or of one.
    pub fn named(&self, shard: Option<u32>) -> Vec<String> {
        let lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lost.iter()
            .filter(|(of, _)| shard.is_none_or(|shard| **of == shard))
            .map(|(_, device)| device.clone())
            .collect()
    }
}

/// Whether a device cannot be opened any more, by what the daemon says. Where it says nothing the device is not blamed.
pub fn gone(way: &Way, device: &str) -> bool {
    let mut way = way.clone();
    way.client.interrupt = None;
    let host = DaemonHost::new(way, LIMIT, None);
    let Ok(answer) = host.aside(&Command::Devices(Devices::default()), LIMIT) else { return false };
    let Some(Value::Array(listed)) = answer.data.get("devices") else { return false };
    let mut views = listed.iter().filter_map(|view| serde_json::from_value::<DeviceView>(view.clone()).ok());
    !views.any(|view| view.id == device && view.available)
}

/// Whether all shards can have a device of their own, and whether those that were named can be meant for every flow.
///
/// # Errors
/// What is missing or does not fit, with the files that it is about, before anything has been run.
pub fn devices_suffice(args: &Test, platform: Option<Platform>, entries: &[Entry]) -> Result<(), Failure> {
    let shards = args.shard_split.or(args.shard_all).unwrap_or(1) as usize;
    let named = args.devices.len();
    if named > 0 && named != shards {
        return Err(unreadable(&format!("{shards} shards and {named} devices: name one for each shard")));
    }
    let distinct: BTreeSet<&String> = args.devices.iter().collect();
    if distinct.len() < named {
        return Err(unreadable("--devices names a device twice: two shards never share one"));
    }
    // The first file of each platform that a file asks for.
    let mut asked: BTreeMap<String, &str> = BTreeMap::new();
    for entry in entries {
        let own = entry.source.as_ref().ok().and_then(|source| platform.or_else(|| source.platform()));
        if let Some(own) = own {
            asked.entry(own.to_string()).or_insert(&entry.file);
        }
    }
    if named > 0 && asked.len() > 1 {
        let each: Vec<String> = asked.iter().map(|(platform, file)| format!("{platform} ({file})")).collect();
        return Err(unreadable(&format!(
            "--devices is for flows of one platform, and these are for {}: run them apart",
            each.join(" and ")
        )));
    }
    if let Some(file) = asked.get("android").filter(|_| named == 0 && shards > 1) {
        return Err(unreadable(&format!(
            "{file}: shards on Android need a device each: --devices ID,ID names them (see agent-device devices)"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::source::Source;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        test: Test,
    }

    /// What is said of flows with these headers and that command line.
    fn said(line: &str, platform: Option<Platform>, headers: &[&str]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let entry = |(number, header): (usize, &&str)| {
            let path = folder.path().join(format!("{number}.ad"));
            std::fs::write(&path, format!("{header}\nopen x\n")).unwrap();
            Entry { file: format!("{number}.ad"), source: Source::read(&path, folder.path()) }
        };
        let entries: Vec<Entry> = headers.iter().enumerate().map(entry).collect();
        let line = Line::parse_from(std::iter::once("test").chain(line.split(' ')));
        devices_suffice(&line.test, platform, &entries).err().map(|failure| failure.message)
    }

    #[test]
    fn devices_that_do_not_fit_are_told_before_the_first_step() {
        const PHONE: &str = "context platform=android";
        const WEB: &str = "context platform=web";
        let none = |line: &str, platform: Option<Platform>, headers: &[&str]| said(line, platform, headers).is_none();
        assert!(none("x --shard-split 2", None, &[WEB, "context platform=stage"]), "each opens one of its own");
        assert!(none("x --shard-split 2 --devices A,B", None, &[PHONE, PHONE, ""]));
        assert!(none("x", None, &[PHONE, WEB]), "one after another");
        let told = said("x --shard-split 2", None, &[WEB, PHONE]).unwrap();
        assert!(told.contains("1.ad: shards on Android"), "also where another flow comes first: {told}");
        let told = said("x --shard-all 2 --devices A,B", None, &[PHONE, WEB]).unwrap();
        assert!(told.contains("android (0.ad) and web (1.ad)"), "{told}");
        assert!(none("x --shard-all 2 --devices A,B", Some(Platform::Android), &["", ""]));
        assert!(said("x --shard-all 2 --devices A,A", None, &[PHONE]).unwrap().contains("twice"));
        assert!(said("x --shard-all 3 --devices A,B", None, &[PHONE]).unwrap().contains("one for each"));
    }
}
