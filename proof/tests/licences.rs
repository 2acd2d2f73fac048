//! Every dependency's licence is on the list of `deny.toml`. `cargo deny` checks more; this runs everywhere.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{path::Path, process::Command};

use serde_json::Value;

fn allowed() -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../deny.toml")).unwrap();
    let deny: toml::Table = text.parse().unwrap();
    deny["licenses"]["allow"].as_array().unwrap().iter().map(|licence| licence.as_str().unwrap().to_owned()).collect()
}

/// `MIT OR (Apache-2.0 AND BSD-3-Clause)`: one alternative suffices, all its parts must be allowed.
fn fits(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], " ");
    plain
        .split(" OR ")
        .any(|choice| choice.split(" AND ").all(|part| allowed.iter().any(|licence| licence == part.trim())))
}

#[test]
fn every_dependency_has_a_licence_that_deny_toml_allows() {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let metadata: Value = serde_json::from_slice(&out.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "only {} packages: is this the whole graph?", packages.len());
    let allowed = allowed();
    let misfits: Vec<_> = packages
        .iter()
        .filter(|package| !fits(package["license"].as_str().unwrap_or("none"), &allowed))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["license"]))
        .collect();
    assert!(misfits.is_empty(), "not on the list of deny.toml:\n{}", misfits.join("\n"));
}

#[test]
fn an_expression_fits_where_one_alternative_is_allowed_in_all_its_parts() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned()];
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT AND Zlib) OR GPL-3.0", true),
        ("MIT/X", true),
    ] {
        assert_eq!(fits(expression, &allowed), expected, "{expression}");
    }
}
