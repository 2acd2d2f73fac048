//! The conformance cases (`contracts/conformance`) through the command line, the raw socket and MCP.
//!
//! | module | answers |
//! | --- | --- |
//! | [`cases`] | what the file says |
//! | [`mcp`] | how a step is asked for as a tool |
//! | [`pattern`] | placeholders, and whether an answer is as expected |
//! | [`runner`] | one case after the other at one place |
//! | [`surfaces`] | how a step is asked for |
//!
//! The rules are in `contracts/conformance/README.md`; the runners of the other surfaces are beside them.

pub mod cases;
pub mod mcp;
pub mod pattern;
pub mod runner;
pub mod surfaces;

pub use cases::{Case, Place, Step};
pub use mcp::Mcp;
pub use runner::{Report, run};
pub use surfaces::{CommandLine, Socket, Surface};
