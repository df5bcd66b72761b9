//! The document model `gtm.doc/1`: what a document says, section by section, and how it is to look, but not
//! where anything stands on a page. A backend composes it, the host checks it, renderers turn it into files.
//!
//! [`Document::read`] is the only way in for JSON that somebody else wrote: it is total, strict, and answers
//! with every fault it finds, each with the RFC 6901 pointer to it. Texts are runs and never markup.
//! [`Document::walk`] visits every text and every citation with its pointer.
//!
//! Plug-ins link this crate, so nothing here may import anything: no clock, no randomness, no files.
#![forbid(unsafe_code)]

pub mod block;
pub mod bounds;
pub mod chart;
mod check;
mod clean;
pub mod color;
pub mod day;
pub mod diagnostics;
pub mod document;
mod extent;
pub mod fault;
pub mod front;
mod link;
mod pointer;
mod read;
#[cfg(feature = "schema")]
pub mod schema;
pub mod table;
pub mod text;
pub mod theme;
pub mod walk;

pub use block::Block;
pub use chart::Chart;
pub use clean::cleaned;
pub use color::Rgb;
pub use document::{Document, Meta, Section, Source};
pub use fault::{Fault, FaultCode};
pub use front::Front;
pub use link::{is_followable, is_https, names_another_address};
pub use table::Table;
pub use text::{Run, plain_text};
pub use theme::Theme;
pub use walk::{TextRole, Visitor, walk_blocks};
