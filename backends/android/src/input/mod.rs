//! Everything that changes the app.
//!
//! | module | answers |
//! | --- | --- |
//! | [`plan`] | touch contacts as the helper plays them |

pub mod plan;
