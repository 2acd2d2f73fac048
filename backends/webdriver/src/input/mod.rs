//! Everything that changes the page.
//!
//! | module | answers |
//! | --- | --- |
//! | [`pointer`] | pointer action lists, for mouse and touch |
//! | [`press`] | a press that hits the element that was meant, or says what it would have hit |
//! | [`text`] | filling a field |
//! | [`typing`] | typing into what has the focus |
//! | [`keys`] | text as keys, and in what parts |
//! | [`scroll`] | moving scroll containers |
//! | [`travel`] | going to an address, back, home |
//! | [`viewport`] | the size of the viewport |
//! | [`dialog`] | JavaScript dialogs |

pub mod dialog;
pub mod keys;
pub mod pointer;
pub mod press;
pub mod scroll;
pub mod text;
pub mod travel;
pub mod typing;
pub mod viewport;
