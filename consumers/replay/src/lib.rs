//! Scripts and flows run again, alone and in suites.
//!
//! | module | answers |
//! | --- | --- |
//! | [`arguments`] | what stands on the command line |
//! | [`command`] | `replay` |
//! | [`source`] | a file, read and checked |
//! | [`attempt`] | one try of it |
//! | [`steps`] | its steps, one after another |
//! | [`expected`] | what the targets of a step are held to |
//! | [`host`] | the daemon as what flows run on: limits, the record of every step |
//! | [`divergence`] | a step that did not do what it did when it was written |
//! | [`advice`] | what somebody is advised to do whose run has failed |
//! | [`suggest`] | what a step may have meant whose target is not there |
//! | [`healing`] | targets that are named otherwise now |
//! | [`traced`] | the trace of a run, and its page |
//! | [`signals`] | Ctrl-C |
//! | [`suite`] | many flows at once |

pub mod advice;
pub mod arguments;
pub mod attempt;
pub mod command;
pub mod divergence;
pub mod expected;
pub mod healing;
pub mod host;
pub mod signals;
pub mod source;
pub mod steps;
pub mod suggest;
pub mod suite;
pub mod traced;
