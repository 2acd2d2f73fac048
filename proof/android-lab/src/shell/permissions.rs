//! `pm grant`, `pm revoke` and their flags: what apps are allowed to do.

use std::sync::Arc;

use crate::{
    call::Call,
    core::Core,
    state::{Kind, Package, State},
};

/// What every stage app asks for in its manifest, as far as somebody has to grant it.
pub const REQUESTED: &[&str] = &[
    "android.permission.CAMERA",
    "android.permission.RECORD_AUDIO",
    "android.permission.ACCESS_FINE_LOCATION",
    "android.permission.ACCESS_COARSE_LOCATION",
    "android.permission.POST_NOTIFICATIONS",
];
/// What it asks for and gets with the install.
const WITH_INSTALL: &str = "android.permission.INTERNET";

/// What a package asks for while it runs.
fn requested(package: &Package) -> &'static [&'static str] {
    if matches!(package.kind, Kind::Stage { .. }) { REQUESTED } else { &[] }
}

/// The part of `dumpsys package` about them.
pub fn dump(state: &State, name: &str, package: &Package) -> String {
    let mut requested: Vec<&str> = requested(package).to_vec();
    let all = [WITH_INSTALL]
        .into_iter()
        .chain(requested.iter().copied())
        .map(|one| format!("      {one}\n"))
        .collect::<String>();
    requested.extend(package.granted.iter().map(String::as_str).filter(|granted| !REQUESTED.contains(granted)));
    let runtime: String = requested
        .iter()
        .map(|one| {
            let granted = package.granted.iter().any(|granted| granted == one);
            let flags =
                if state.fixed.contains(&(name.to_owned(), (*one).to_owned())) { "USER_SET|USER_FIXED" } else { "" };
            format!("        {one}: granted={granted}, flags=[ {flags}]\n")
        })
        .collect();
    format!(
        "    requested permissions:\n{all}    install permissions:\n      {WITH_INSTALL}: granted=true\n    User 0: ceDataInode=131073 \
         installed=true hidden=false suspended=false stopped=false enabled=0 instant=false virtual=false\n      gids=[3003]\n      \
         runtime permissions:\n{runtime}"
    )
}

/// Runs `grant` or `revoke`.
pub async fn change(core: &Arc<Core>, call: &mut Call, name: &str, permission: &str, on: bool) -> u8 {
    let refusal = {
        let state = core.state();
        match state.packages.get(name) {
            None => Some(format!("java.lang.IllegalArgumentException: Unknown package: {name}")),
            Some(_) if !permission.contains('.') => {
                Some(format!("java.lang.IllegalArgumentException: Unknown permission: {permission}"))
            }
            Some(_) if permission == WITH_INSTALL => Some(format!(
                "java.lang.SecurityException: Permission {permission} requested by {name} is not a changeable permission type"
            )),
            Some(package)
                if matches!(package.kind, Kind::Stage { .. }) && !requested(package).contains(&permission) =>
            {
                Some(format!("java.lang.SecurityException: Package {name} has not requested permission {permission}"))
            }
            Some(_) => None,
        }
    };
    if let Some(refusal) = refusal {
        let word = if on { "grant" } else { "revoke" };
        call.complain(format!("\nException occurred while executing '{word}':\n{refusal}")).await;
        return 255;
    }
    let taken = {
        let mut state = core.state();
        let held = state.packages.get_mut(name).map(|package| {
            let held = package.granted.iter().any(|granted| granted == permission);
            package.granted.retain(|granted| granted != permission);
            if on {
                package.granted.push(permission.to_owned());
            }
            held
        });
        !on && held == Some(true)
    };
    // An app that loses what it held is ended.
    if taken {
        core.stop_package(name, "permissions revoked").await;
    }
    0
}

/// Runs `set-permission-flags` or `clear-permission-flags`.
pub fn flag(core: &Arc<Core>, name: &str, permission: &str, flags: &[&str], on: bool) -> u8 {
    if flags.contains(&"user-fixed") {
        let key = (name.to_owned(), permission.to_owned());
        let fixed = &mut core.state().fixed;
        if on {
            fixed.insert(key)
        } else {
            fixed.remove(&key)
        };
    }
    0
}
