//! What the template of a typesetter reads of a document: the document as JSON, with what needs arithmetic done.
//!
//! No page is made here, and nothing imports anything: a renderer links this crate into a component.
#![forbid(unsafe_code)]

mod breaks;
mod captions;
mod citations;
mod diagnostics;
mod input;
mod numbers;
mod pictures;
mod plot;
mod qr;

pub use diagnostics::{Code, Diagnostic, Diagnostics};
pub use input::{Input, of};
pub use pictures::Assets;
