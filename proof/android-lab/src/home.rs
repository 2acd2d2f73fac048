//! The home screen: a stage app with a button for every app that is installed.

use std::{fmt::Write as _, path::PathBuf};

use crate::{
    core::Core,
    state::{Kind, LAUNCHER},
};

/// Packages with a stage app, in the order of their icons: package and title.
fn apps(core: &Core) -> Vec<(String, String)> {
    let state = core.state();
    state
        .packages
        .iter()
        .filter_map(|(package, installed)| match &installed.kind {
            Kind::Stage { title, .. } if package != LAUNCHER && !installed.system => {
                Some((package.clone(), title.clone()))
            }
            _ => None,
        })
        .collect()
}

/// Writes the app's file anew.
///
/// # Errors
/// The file cannot be written.
pub fn write(core: &Core) -> std::io::Result<String> {
    let content = core.state().display.content();
    let mut text = format!(
        "app = \"launcher\"\ntitle = \"Home\"\nstart = \"home\"\nviewport = {{ width = {}, height = {} }}\n\n\
         [[screen]]\nid = \"home\"\ntitle = \"Home\"\nbar = false\n",
        content.width, content.height
    );
    for (number, (_, title)) in apps(core).iter().enumerate() {
        // Writing to a text cannot fail.
        let _written = write!(
            text,
            "\n[[screen.element]]\nrole = \"button\"\nid = \"icon-{number}\"\nlabel = {}\n",
            quoted(title)
        );
    }
    if apps(core).is_empty() {
        text.push_str("\n[[screen.element]]\nrole = \"text\"\nlabel = \"No apps\"\n");
    }
    let file: PathBuf = core.bin.with_file_name("home.toml");
    std::fs::write(&file, text)?;
    Ok(file.display().to_string())
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.replace('{', "(").replace('}', ")")).to_string()
}

/// The app that an icon starts.
pub fn package_of(core: &Core, icon: &str) -> Option<String> {
    let number: usize = icon.strip_prefix("icon-")?.parse().ok()?;
    apps(core).into_iter().nth(number).map(|(package, _)| package)
}
