//! The scripts inside flows, in an engine without files and processes.
//!
//! A script sees the language, `output`, `console`, `json`, `http` and what was [`Engine::set`]; nothing else: no file,
//! process, module, environment or timer. Its time, memory and stack are limited, and every limit ends it.
//!
//! | module | answers |
//! | --- | --- |
//! | `console` | what scripts wrote |
//! | [`engine`] | what callers hold: evaluate, set, get, interpolate; gives up on a script that cannot be stopped |
//! | [`failure`] | how a script fails, and where |
//! | [`http`] | what `http.*` asks of the outside, and what it gets |
//! | [`template`] | `${...}` in texts |
//! | [`web`] | an [`Http`] over the network |
//! | `worker` | the thread with the engine (QuickJS), and the jobs it does |

mod console;
pub mod engine;
pub mod failure;
pub mod http;
pub mod template;
pub mod web;
mod worker;

pub use engine::{Engine, Limits};
pub use failure::{Kind, ScriptFailure};
pub use http::{Http, HttpReply, HttpRequest};
pub use web::{Web, WebLimits};
