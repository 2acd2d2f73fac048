//! The MCP server as its clients meet it: the real program, a real daemon, the simulated device.
//!
//! | module | answers |
//! | --- | --- |
//! | `client` | a client over standard input and output, and one over HTTP |
//! | `kept` | a daemon that ends between two calls |
//! | `replays` | a recorded script, run as a call |
//! | `tools` | what is listed, and what calls answer |
//! | `turns` | order, progress, cancellation, the end |
//! | `web` | HTTP: who is let in |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod client;
mod kept;
mod replays;
mod tools;
mod turns;
mod web;
