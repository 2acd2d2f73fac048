//! An Android device for tests: real adb, real adbd, the real Android Runtime with an APK's own dex, around a stage app.
//!
//! | module | answers |
//! | --- | --- |
//! | [`lab`] | one private adb server with devices on it |
//! | [`device`] | one device: started, looked into, broken, ended |
//! | [`parts`] | adbd, the runtime, the framework double: where they are |
//! | [`adb`] | the adb server |
//! | [`link`] | the line between server and device, which can break |
//! | [`trap`] | what is made to happen when a helper asks the framework something |
//! | [`core`], [`state`], [`display`] | the running device |
//! | [`apps`], [`home`] | stage apps on it: which run, which is in front |
//! | [`scene`] | the screen as Android windows and nodes |
//! | [`touch`], [`keys`] | what touches and keys mean to a stage app |
//! | [`double`] | the questions of the framework double |
//! | [`process`], [`apk`] | instrumentations, and what an APK says of itself |
//! | [`server`], [`call`], [`frame`] | how the device's commands reach it |
//! | [`shell`] | the commands |
//! | [`picture`], [`film`] | what `screencap` and `screenrecord` write |

pub mod adb;
pub mod apk;
pub mod apps;
pub mod call;
pub mod core;
pub mod device;
pub mod display;
pub mod double;
pub mod film;
pub mod frame;
pub mod home;
pub mod keys;
pub mod lab;
pub mod link;
pub mod parts;
pub mod picture;
pub mod process;
pub mod scene;
pub mod server;
pub mod shell;
pub mod state;
pub mod touch;
pub mod trap;

pub use device::{LabDevice, Options};
pub use lab::{Lab, Trouble};
pub use link::Mode;
pub use parts::{Missing, Parts, parts};
pub use trap::{Act, Moment, Trap};
