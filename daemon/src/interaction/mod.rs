//! From a target to an input: the pipeline that every command which acts goes through.
//!
//! | module | answers |
//! | --- | --- |
//! | [`resolve`] | which element a target means, waiting for it where the request allows |
//! | [`identity`] | whether it still is what it was when its step was recorded |
//! | [`aim`] | where on it an input lands, or why it must not |
//! | [`after`] | what the screen did: settle and verify |
//! | [`watch`] | waiting for something to be seen |
//! | [`described`] | how the target stands in an answer |
//! | [`guarantees`] | what each way to a device guarantees |

pub mod after;
pub mod aim;
pub mod described;
pub mod guarantees;
pub mod identity;
pub mod resolve;
pub mod watch;
