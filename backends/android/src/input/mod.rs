//! Everything that changes the app.
//!
//! | module | answers |
//! | --- | --- |
//! | [`press`] | touches that hit what was meant, or say what has changed |
//! | [`judged`] | whether what was meant is still there, the same, and free |
//! | [`plan`] | touch contacts as the helper plays them |
//! | [`foreground`] | whether a press left the app |
//! | [`scroll`] | moving scroll containers |
//! | [`keys`] | keys and actions of the system |
//! | [`clipboard`] | the clipboard |
//! | [`dialog`] | answering native dialogs |
//! | [`text`] | text into fields |
//! | [`by_keys`] | the same for helpers that cannot |

pub mod by_keys;
pub mod clipboard;
pub mod dialog;
pub mod foreground;
pub mod judged;
pub mod keys;
pub mod plan;
pub mod press;
pub mod scroll;
pub mod text;
