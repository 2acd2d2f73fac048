//! What crosses every boundary: types and their JSON, nothing that runs.
//!
//! | module | answers |
//! | --- | --- |
//! | [`command`] | what can be asked for: one struct per command, its arguments and its [`Spec`] |
//! | [`answer`] | what each command answers: one type per command |
//! | [`target`] | what a command aims at: a ref, a selector or a point |
//! | [`expected`] | what a target was when it was recorded |
//! | [`words`] | how positional words of a command line become arguments |
//! | [`request`] | one request and one response, as they stand on the socket |
//! | [`hop`] | what client and server of the remote hop agree on |
//! | [`failure`] | what went wrong: code, message, hint, details |
//! | [`disclosure`] | did it reach the device: the one rule behind `dispatched` |
//! | [`row`] | the ways to fail, generated from the golden table |
//! | [`effect`] | what a command or a backend operation does to the app |
//! | [`geometry`] | points, sizes and rectangles |
//! | [`plain`] | text of others in front of a person |
//! | [`quote`] | how a value is written in a selector's text |
//! | [`view`] | a node, a snapshot and a device as callers see them |
//! | [`trace`] | a traced session as it lies in its folder |
//! | [`capability`] | what a backend can do |

pub mod answer;
pub mod capability;
pub mod command;
pub mod disclosure;
pub mod effect;
pub mod expected;
pub mod failure;
pub mod geometry;
pub mod hop;
pub mod plain;
pub mod quote;
pub mod request;
pub mod row;
pub mod target;
pub mod trace;
pub mod view;
pub mod words;

pub use capability::{Capabilities, Capability};
pub use command::{Command, Spec};
pub use disclosure::{Claim, Disclosed, Dispatched, Sends};
pub use effect::Effect;
pub use expected::{Expected, Named};
pub use failure::{Code, Failure};
pub use geometry::{Point, Rect, Size};
pub use request::{Request, Response};
pub use row::Row;
pub use target::Target;

/// The version of this build; client and daemon must be equal.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
