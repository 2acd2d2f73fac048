//! The backend against a real browser and its real driver. `AGENT_DEVICE_TEST_BROWSER` picks which: chrome (the
//! default), firefox or webkit. Every test starts its own browser and ends with a look at what is left of it.
//!
//! | module | what is tried |
//! | --- | --- |
//! | `support` | a small web site, an opened browser, how it is looked at |
//! | `capture` | the tree: frames, shadow roots, size |
//! | `drawn` | what is drawn in another way than it is built |
//! | `press` | hitting what is meant, or refusing |
//! | `text` | filling and typing |
//! | `travel` | addresses, history, viewport |
//! | `gestures` | movements of one and two contacts |
//! | `dialogs` | JavaScript dialogs |
//! | `windows` | tabs and windows |
//! | `network` | what the page asked of the network |
//! | `files` | uploads, downloads, screenshots |
//! | `errors` | what each error of the driver proves |
//! | `lifecycle` | starting, ending, what is left behind |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod capture;
mod dialogs;
mod drawn;
mod errors;
mod files;
mod gestures;
mod lifecycle;
mod network;
mod press;
mod support;
mod text;
mod travel;
mod windows;
