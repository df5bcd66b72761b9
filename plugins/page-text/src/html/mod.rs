//! HTML: a scanner that knows which element it is in, and the blocks of visible text.
//!
//! [`scan`] is public because the `web-fetch` connector reads links, metadata and styles with it in
//! the same way, so that both agree on what is hidden and what is navigation.

mod blocks;
mod elements;
mod scan;

pub(crate) use blocks::blocks;
pub use scan::{Element, Place, Visitor, scan};
