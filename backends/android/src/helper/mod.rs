//! The helper on the device, from the host's side.
//!
//! | module | answers |
//! | --- | --- |
//! | [`fields`] | the key=value facts of an answer |
//! | [`package`] | the packages that are part of this program, and their manifests |
//! | [`records`] | what `am instrument` prints: status blocks, chunks, the result |
//! | [`reply`] | one answer of a session, read by its length |
//! | [`request`] | one line of a request, its id, the device's clock |
//! | [`verdict`] | whether the helper on a device is ours, and what an installer's refusal means |
//! | [`features`] | what this helper can do beyond the base protocol |
//! | [`journal`] | what became of a command whose answer was lost, and what that proves |

pub mod features;
pub mod fields;
pub mod journal;
pub mod package;
pub mod records;
pub mod reply;
pub mod request;
pub mod verdict;
