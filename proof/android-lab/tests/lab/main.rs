//! The lab itself: that what it says of itself holds, with the APK that ships.
//!
//! | module | proves |
//! | --- | --- |
//! | [`shell`] | commands, files, input, pictures |
//! | [`helper`] | the shipped APK on the running stage |
//! | [`faults`] | what can be broken, and that it comes back |

mod faults;
mod helper;
mod rig;
mod shell;
