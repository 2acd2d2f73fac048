//! `publish`: the page of all figures.

use std::process::ExitCode;

use proof::publish::{PAGE, Published};

/// Writes it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    super::options(words, &[])?;
    let root = proof::workspace();
    let page = Published::read(&root.join("proof/figures")).map_err(|why| why.to_string())?.page();
    std::fs::write(root.join(PAGE), page).map_err(|why| format!("{PAGE}: {why}"))?;
    println!("{PAGE}");
    Ok(ExitCode::SUCCESS)
}
