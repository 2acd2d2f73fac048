//! `pm` and `cmd package`: what is installed.

use std::sync::Arc;

use super::{install, permissions};
use crate::{
    call::Call,
    core::Core,
    state::{KEYBOARD, Kind, LAUNCHER, Package},
};

/// Features that the device has.
const FEATURES: &[&str] =
    &["android.hardware.touchscreen", "android.hardware.wifi", "android.hardware.screen.portrait"];

/// Runs it; its own words begin at `from`.
pub async fn run(core: &Arc<Core>, call: &mut Call, from: usize) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(from).map(String::as_str).collect();
    let bare: Vec<&str> = plain(words.get(1..).unwrap_or_default());
    match words.as_slice() {
        ["install", rest @ ..] => install::run(core, call, rest).await,
        ["list", what, rest @ ..] => list(core, call, what, rest).await,
        ["path" | "dump", ..] => path(core, call, bare.first().unwrap_or(&"")).await,
        ["uninstall", ..] => uninstall(core, call, bare.first().unwrap_or(&"")).await,
        ["clear", ..] => clear(core, call, bare.first().unwrap_or(&"")).await,
        ["grant" | "revoke", ..] => {
            let on = words.first() == Some(&"grant");
            permissions::change(core, call, bare.first().unwrap_or(&""), bare.get(1).unwrap_or(&""), on).await
        }
        ["set-permission-flags" | "clear-permission-flags", ..] if core.api >= 30 => {
            let on = words.first() == Some(&"set-permission-flags");
            let flags = bare.get(2..).unwrap_or_default();
            permissions::flag(core, bare.first().unwrap_or(&""), bare.get(1).unwrap_or(&""), flags, on)
        }
        ["reset-permissions", ..] => {
            core.state().packages.values_mut().for_each(|package| package.granted.clear());
            0
        }
        ["has-feature", feature, ..] => {
            let has = FEATURES.contains(feature);
            call.line(has.to_string()).await;
            u8::from(!has)
        }
        ["query-activities", .., "-c", "android.intent.category.LAUNCHER"] => startable(core, call).await,
        ["resolve-activity" | "query-activities", ..] => resolve(core, call, &words).await,
        _ => {
            call.complain(format!("Unknown command: {}", words.first().unwrap_or(&""))).await;
            255
        }
    }
}

/// The words that are no flags and no values of flags.
fn plain<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut plain = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--user" | "-a" | "-c" | "-d" | "-n" => drop(words.next()),
            flag if flag.starts_with('-') => {}
            word => plain.push(word),
        }
    }
    plain
}

async fn list(core: &Arc<Core>, call: &mut Call, what: &str, rest: &[&str]) -> u8 {
    let wanted = plain(rest).first().copied().unwrap_or_default().to_owned();
    let has = |flag: &str| rest.contains(&flag);
    let lines: Vec<String> = {
        let state = core.state();
        match what {
            "packages" | "package" => state
                .packages
                .iter()
                .map(|(name, package)| (name.clone(), package.clone()))
                .filter(|(name, package)| name.contains(&wanted) && !(has("-3") && package.system))
                .filter(|(_, package)| !has("-s") || package.system)
                .map(|(name, package)| {
                    let path = if has("-f") { format!("{}=", path_of(&name, &package)) } else { String::new() };
                    let version = if has("--show-versioncode") {
                        format!(" versionCode:{}", package.version_code)
                    } else {
                        String::new()
                    };
                    format!("package:{path}{name}{version}")
                })
                .collect(),
            "instrumentation" => state
                .packages
                .iter()
                .filter_map(|(name, package)| match &package.kind {
                    Kind::Apk { instrumentations, .. } => Some((name, instrumentations)),
                    _ => None,
                })
                .flat_map(|(name, list)| {
                    list.iter().map(move |(class, target)| format!("instrumentation:{name}/{class} (target={target})"))
                })
                .collect(),
            "features" => FEATURES.iter().map(|feature| format!("feature:{feature}")).collect(),
            "users" => vec!["Users:".to_owned(), "\tUserInfo{0:Owner:c13} running".to_owned()],
            _ => Vec::new(),
        }
    };
    for line in lines {
        call.line(line).await;
    }
    0
}

/// Where a package's file lies on the device.
fn path_of(name: &str, package: &Package) -> String {
    match &package.kind {
        Kind::Apk { path, .. } => path.clone(),
        _ if package.system => format!("/system/app/{name}/base.apk"),
        _ => format!("/data/app/~~lab==/{name}-1==/base.apk"),
    }
}

async fn path(core: &Arc<Core>, call: &mut Call, name: &str) -> u8 {
    let path = core.state().packages.get(name).map(|package| path_of(name, package));
    match path {
        Some(path) => {
            call.line(format!("package:{path}")).await;
            0
        }
        None => 1,
    }
}

async fn uninstall(core: &Arc<Core>, call: &mut Call, name: &str) -> u8 {
    if core.state().packages.get(name).is_none_or(|package| package.system) {
        call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]").await;
        return 1;
    }
    core.stop_package(name, "uninstall pkg").await;
    let removed = {
        let mut state = core.state();
        // A keyboard that is gone is not the chosen one.
        if state.keyboard().starts_with(&format!("{name}/")) {
            state.settings.insert("secure/default_input_method".to_owned(), KEYBOARD.to_owned());
        }
        state.keyboards.retain(|known| !known.starts_with(&format!("{name}/")));
        state.packages.remove(name)
    };
    if let Some(Package { kind: Kind::Apk { file, .. }, .. }) = removed {
        // A file that is gone already is as good.
        let _gone = std::fs::remove_file(file);
    }
    call.line("Success").await;
    0
}

async fn clear(core: &Arc<Core>, call: &mut Call, name: &str) -> u8 {
    if !core.state().packages.contains_key(name) {
        call.line("Failed").await;
        return 1;
    }
    core.stop_package(name, "clear data").await;
    if let Some(package) = core.state().packages.get_mut(name) {
        package.granted.clear();
    }
    // Data that is not there is cleared.
    let _gone = std::fs::remove_dir_all(core.root.join("data/data").join(name));
    call.line("Success").await;
    0
}

/// Every activity that the launcher shows.
async fn startable(core: &Arc<Core>, call: &mut Call) -> u8 {
    let names: Vec<String> = {
        let state = core.state();
        let stages = state.packages.iter().filter(|(_, package)| matches!(package.kind, Kind::Stage { .. }));
        stages.map(|(name, _)| name.clone()).collect()
    };
    call.line(format!("{} activities found:", names.len())).await;
    for (number, name) in names.iter().enumerate() {
        call.line(format!("  Activity #{number}:")).await;
        call.line("    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false").await;
        call.line(format!("    {name}/.MainActivity")).await;
    }
    0
}

async fn resolve(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let home = words.contains(&"android.intent.category.HOME");
    let name = if home { LAUNCHER } else { words.last().copied().unwrap_or_default() };
    let starts = {
        let state = core.state();
        name == LAUNCHER || state.packages.get(name).is_some_and(|package| matches!(package.kind, Kind::Stage { .. }))
    };
    if starts {
        call.line("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true").await;
        call.line(format!("{name}/.MainActivity")).await;
    } else {
        call.line("No activity found").await;
    }
    0
}
