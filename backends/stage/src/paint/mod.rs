//! Pictures of the display.
//!
//! | module | answers |
//! | --- | --- |
//! | [`sheet`] | what is to be drawn: a copy of the display that needs no app any more |
//! | [`canvas`] | shapes and letters on pixels |
//! | [`widgets`] | what each kind of element looks like |
//! | [`text`] | how wide text is and where it breaks |

pub mod canvas;
pub mod sheet;
pub mod text;
pub mod widgets;

#[cfg(test)]
mod tests;

pub use sheet::Sheet;
