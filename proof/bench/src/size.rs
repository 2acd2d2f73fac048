//! How large the program is.

use crate::{figures::megabytes, program, report::Report};

/// The release binary with symbols stripped, bytes (18 MB of 10^6: docs/adr/0015).
const LIMIT: u64 = 18_000_000;

/// Prints the table.
///
/// # Errors
/// Where the program is not built.
pub fn run(report: &mut Report) -> Result<(), String> {
    let path = program::binary()?;
    let bytes = std::fs::metadata(&path).map_err(|why| format!("{}: {why}", path.display()))?.len();
    report.heading("Size");
    let table = report.table(&["what", "size", "bar", ""]);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let verdict = report.bar("binary size", bytes <= LIMIT);
    table.row(&[format!("`{name}`, release, stripped"), megabytes(bytes), format!("<= {}", megabytes(LIMIT)), verdict]);
    Ok(())
}
