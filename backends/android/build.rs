//! Embeds the helper packages that `on-device/android-helper/dist` holds: one per manifest.
//!
//! Without any the crate builds all the same, and says at run time that it holds no helper: a checkout in which only
//! the Java side is being worked on must not break every other build.

use std::{env, error::Error, fmt::Write as _, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let dist = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../on-device/android-helper/dist");
    println!("cargo:rerun-if-changed={}", dist.display());
    let mut manifests: Vec<PathBuf> = match fs::read_dir(&dist) {
        Ok(entries) => entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".manifest.json")))
            .collect(),
        Err(_) => Vec::new(),
    };
    manifests.sort();
    let mut list = String::from("&[\n");
    for manifest in &manifests {
        println!("cargo:rerun-if-changed={}", manifest.display());
        let facts: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest)?)?;
        let name = facts.get("assetName").and_then(|name| name.as_str()).ok_or("a manifest without assetName")?;
        let package = dist.join(name).canonicalize().map_err(|why| format!("{name}: {why}"))?;
        println!("cargo:rerun-if-changed={}", package.display());
        let manifest = manifest.canonicalize()?;
        writeln!(list, "    (include_str!({manifest:?}), include_bytes!({package:?})),")?;
    }
    list.push(']');
    if manifests.is_empty() {
        println!("cargo:warning=no helper package in {}: this build cannot drive Android devices", dist.display());
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("packages.rs"), list)?;
    Ok(())
}
