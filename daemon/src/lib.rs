//! The daemon: sessions, device leases, the router, the interaction pipeline, the disclosure seam, the timeline.
//!
//! A request's way: [`server`] reads its line, [`router`] opens ledger and deadline and waits for its session's turn,
//! [`handlers`] do it (through [`interaction`] where it acts), [`disclosure`] seals what failed, [`server`] answers.
//!
//! | module | answers |
//! | --- | --- |
//! | [`process`] | the daemon as a process: lock, signals, idle end |
//! | [`server`] | the socket, who may connect, what happens when a client goes away |
//! | [`protocol`] | JSON-RPC lines |
//! | [`client`] | how consumers find, start and ask the daemon |
//! | [`remote`] | the same for the daemon of another machine |
//! | [`interrupt`] | how they stop what they asked for |
//! | [`router`] | from a request to its answer |
//! | `turn` | a command in its session's turn, and its answer in time |
//! | [`order`] | requests of one connection, in the order they were written |
//! | [`requests`] | request ids: asked twice, run once |
//! | [`sessions`], [`session`] | what is open, whose turn it is |
//! | [`leases`] | who holds which device |
//! | [`run`] | what a handler is given |
//! | [`handlers`] | one per command |
//! | [`interaction`] | from a target to an input |
//! | [`disclosure`] | the seam |
//! | [`audit`] | every failure that leaves, noted for a run of tests |
//! | [`step`] | one command of a session, recorded and traced |
//! | [`notes`] | what a command notes on its way for that |
//! | [`records`], [`secrets`] | what is kept of a session for that, and what it must not tell |
//! | [`escaped`] | a text that stands percent-encoded in another |
//! | [`steps`] | a session's steps as a script |
//! | [`traces`] | a session's commands as a trace |
//! | [`grace`] | time beyond a request's limit |
//! | [`recording`] | from a request to an event |
//! | [`timeline`] | what happened in a session |
//! | [`overlay`] | refs drawn over a picture |
//! | [`state_dir`], [`build_id`], [`log`], [`catch`] | folders, identity, log lines, panics |

pub mod audit;
pub mod build_id;
pub mod catch;
pub mod client;
pub mod disclosure;
pub mod escaped;
pub mod grace;
pub mod handlers;
pub mod interaction;
pub mod interrupt;
pub mod leases;
pub mod log;
pub mod notes;
pub mod order;
pub mod overlay;
pub mod process;
pub mod protocol;
pub mod recording;
pub mod records;
pub mod remote;
pub mod requests;
pub mod router;
pub mod run;
pub mod secrets;
pub mod server;
pub mod session;
pub mod sessions;
pub mod state_dir;
pub mod step;
pub mod steps;
mod sync;
pub mod timeline;
pub mod traces;
mod turn;
