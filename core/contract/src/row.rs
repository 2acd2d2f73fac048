//! The rows of the golden table as an enum: a claim without a row does not compile.

include!(concat!(env!("OUT_DIR"), "/row.rs"));

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
