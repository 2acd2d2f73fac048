//! Pages that nobody of this project wrote, and how the agent's roles and names on them compare with the browser's.
//!
//! | module | answers |
//! | --- | --- |
//! | [`listing`] | which pages there are, where they come from, which differences are known (`proof/pages/*.toml`) |
//! | [`archive`] | the archives, fetched once, checked by hash and unpacked |
//! | [`server`] | an unpacked archive as a web site |
//! | [`connection`] | WebDriver requests beside those of the backend, in the same session |
//! | [`words`] | the browser's roles and names in our words |
//! | [`reading`] | one page: what we say of each interactive node, what the browser says, what a library says |
//! | [`verdict`] | the table of a run, and what is wrong with it |

pub mod archive;
pub mod connection;
pub mod listing;
pub mod reading;
pub mod server;
pub mod verdict;
pub mod words;
