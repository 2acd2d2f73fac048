//! Browsers through W3C WebDriver.
//!
//! | module | answers |
//! | --- | --- |
//! | [`provider`] | which browsers there are, and how one is opened |
//! | [`browser`] | what tells one browser from another: programs, packages, abilities |
//! | [`address`] | what counts as an address |
//! | [`driver`] | how the driver program is started, found ready and taken down with everything it started |
//! | [`launch`] | which browser, set up how, a new session asks for |
//! | [`routes`] | every request that is ever sent, what it does, and what its errors prove |
//! | [`line`] | sending one request at a time |
//! | [`reply`] | judging what a driver answers |
//! | [`agent`] | calling the page agent (`page/`) |
//! | [`page`] | documents and frames of the window that commands go to |
//! | [`capture`] | the screen as a tree, frames of other origins included |
//! | [`aim`] | where a press reaches an element |
//! | [`input`] | everything that changes the page |
//! | [`network`] | what the page asked of the network |
//! | [`windows`] | tabs and windows |
//! | [`files`] | uploads and downloads |
//! | [`picture`] | screenshots |
//! | [`device`] | the opened browser as a device |
//! | [`doctor`] | whether what is needed is there, by trying it |

pub mod address;
pub mod agent;
pub mod aim;
pub mod browser;
pub mod capture;
pub mod device;
pub mod doctor;
pub mod driver;
pub mod files;
pub mod input;
pub mod launch;
pub mod line;
pub mod network;
pub mod page;
pub mod picture;
pub mod provider;
pub mod reply;
pub mod routes;
pub mod windows;

pub use provider::WebProvider;
