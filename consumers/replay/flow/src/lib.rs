//! What running a flow means, whatever language it is written in.
//!
//! | module | answers |
//! | --- | --- |
//! | [`host`] | what a flow asks of what it runs on: a step begins, commands are sent, the step ends |
//! | [`record`] | what is known afterwards of every step, attempt and suite; reports are made of it |

pub mod host;
pub mod record;

pub use host::{Ask, Host, Place};
pub use record::{AskRecord, Attempt, FlowRecord, Outcome, Shard, Status, StepRecord, SuiteRecord};
