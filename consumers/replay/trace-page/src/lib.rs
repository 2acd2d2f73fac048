//! One self-contained page that shows what happened in a run.
//!
//! A [`Page`] is made of one or more [`Run`]s: the attempts of a flow, or the trace of any session. A run has the steps of a
//! flow, a [`Trace`], or both; requests link them. The file that [`Page::write`] makes needs nothing else: no network, no
//! server, no folder beside it. Texts of apps are data in it, never markup or script.
//!
//! | module | answers |
//! | --- | --- |
//! | [`page`] | what a page is made of, and how it is written |
//! | [`trace`] | what lies in the folder of a trace, a torn last line included |
//! | [`steps`] | which steps the page shows, and which commands each of them sent |
//! | [`explain`] | what a failure means, in words for somebody who has never seen one |
//! | [`pictures`] | which pictures go in: each once, none that is not a picture, no more than fit |
//! | [`trees`] | how the trees go in: each once, short, and packed |
//! | [`html`] | the file: the assets, the data, and the policy that lets nothing else run |

pub mod explain;
pub mod html;
pub mod page;
pub mod pictures;
pub mod steps;
pub mod trace;
pub mod trees;

pub use page::{Page, Run};
pub use trace::Trace;
