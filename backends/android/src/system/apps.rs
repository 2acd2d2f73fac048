//! The apps on a device.

use std::collections::{BTreeMap, BTreeSet};

use backend::App;
use contract::{Code, Failure, Row};
use wire::Context;

use super::{
    foreground::Component,
    script::{Script, text},
};
use crate::adb::{Phone, quote};

/// The apps that somebody installed and that the launcher starts; with `all`, every package.
///
/// # Errors
/// No way to the device; `adb.look-failed` where the package manager does not answer.
pub async fn list(context: &Context, phone: &Phone, all: bool) -> Result<Vec<App>, Failure> {
    let script = Script::of("pm list packages")
        .then("pm list packages -3")
        .then("cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER")
        .then("dumpsys package packages | grep -E '^  Package \\[|^    versionName='");
    let parts = script.look(context, phone).await?;
    let every = packages(text(&parts, 0));
    if every.is_empty() {
        let said = super::key::first(text(&parts, 0));
        return Err(Failure::refused(
            Row::AdbLookFailed,
            Code::CommandFailed,
            format!("the package manager lists nothing: {said}"),
        )
        .reason("apps_unreadable")
        .hint("the device may still be starting: try again in a moment")
        .retriable());
    }
    Ok(merge(&every, &packages(text(&parts, 1)), &startable(text(&parts, 2)), &versions(text(&parts, 3)), all))
}

/// Refuses an app that is not there, before anything is done to it.
///
/// # Errors
/// `android.app-not-installed`; no way to the device.
pub async fn installed(context: &Context, phone: &Phone, app: &str) -> Result<(), Failure> {
    let parts = Script::of(quote::line(["pm", "list", "packages", app])).look(context, phone).await?;
    // The word filters by what a name contains.
    if packages(text(&parts, 0)).contains(app) { Ok(()) } else { Err(not_installed(app)) }
}

/// The failure for an app that is not there.
pub fn not_installed(app: &str) -> Failure {
    Failure::refused(Row::AndroidAppNotInstalled, Code::OpenFailed, format!("{app} is not installed on the device"))
        .reason("app_not_installed")
        .hint("see what is: agent-device apps --all; install it: agent-device install FILE.apk")
}

/// `package:com.example` per line.
pub(crate) fn packages(list: &str) -> BTreeSet<String> {
    list.lines()
        .filter_map(|line| line.trim().strip_prefix("package:"))
        // `-f` and the like put more behind it; a name has no blank.
        .filter_map(|name| name.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// The packages with an activity that the launcher shows; `None` on an Android that does not list them (before 7).
fn startable(list: &str) -> Option<BTreeSet<String>> {
    let found: BTreeSet<_> =
        list.lines().filter_map(|line| Component::parse(line.trim())).map(|found| found.package).collect();
    (!found.is_empty()).then_some(found)
}

fn versions(dump: &str) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    let mut package = None;
    for line in dump.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("Package [") {
            package = rest.split(']').next().map(str::to_owned);
        } else if let (Some(version), Some(package)) = (line.strip_prefix("versionName="), package.take())
            && version != "null"
        {
            // An updated app of the system is listed twice; the newer one comes first.
            versions.entry(package).or_insert_with(|| version.to_owned());
        }
    }
    versions
}

fn merge(
    every: &BTreeSet<String>,
    own: &BTreeSet<String>,
    startable: &Option<BTreeSet<String>>,
    versions: &BTreeMap<String, String>,
    all: bool,
) -> Vec<App> {
    every
        .iter()
        .filter(|id| all || own.contains(*id) && startable.as_ref().is_none_or(|startable| startable.contains(*id)))
        .map(|id| App { id: id.clone(), name: None, version: versions.get(id).cloned(), system: !own.contains(id) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_put_together() {
        let every = packages(
            "package:android\npackage:com.android.settings\r\npackage:com.example\npackage:com.example.helper\n",
        );
        let own = packages("package:com.example\npackage:com.example.helper\n");
        let shown = startable(
            "2 activities found:\n  Activity #0:\n    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n    com.example/.Main\n  Activity #1:\n    priority=0 preferredOrder=0\n    com.android.settings/.Settings\n",
        );
        let versions = versions(
            "  Package [com.example] (b6f4e35):\n    versionName=1.2.0\n  Package [com.android.settings] (1):\n    versionName=14\n  Package [com.android.settings] (2):\n    versionName=13\n  Package [android] (3):\n    versionName=null\n",
        );
        let ids = |apps: &[App]| apps.iter().map(|app| app.id.clone()).collect::<Vec<_>>();
        let own_apps = merge(&every, &own, &shown, &versions, false);
        assert_eq!(
            own_apps,
            [App { id: "com.example".into(), name: None, version: Some("1.2.0".into()), system: false }]
        );
        let all = merge(&every, &own, &shown, &versions, true);
        assert_eq!(ids(&all), ["android", "com.android.settings", "com.example", "com.example.helper"]);
        assert_eq!(all.iter().map(|app| app.system).collect::<Vec<_>>(), [true, true, false, false]);
        assert_eq!(all.get(1).and_then(|app| app.version.as_deref()), Some("14"));
        // Android 6 does not say what the launcher shows.
        assert_eq!(
            ids(&merge(&every, &own, &startable("Error: unknown command"), &versions, false)),
            ["com.example", "com.example.helper"]
        );
    }
}
