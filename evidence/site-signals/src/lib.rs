//! What a company's own bytes show of how it looks and sounds (colours, typefaces, logos, contrast, measures
//! of its prose), and checks of its registration and tax numbers.
//!
//! Lives here: pure functions from received bytes to measured signals. The `web-fetch` connector reports
//! them, the brand backend chooses among them, and the host recomputes them from the stored bytes before it
//! believes an `observed` claim (annex A1), so all three get the same values.
//!
//! Does not live here: any I/O, the text of a page (`gtm-page-text`), and what a guideline says.
//!
//! DANGER: the bytes come from strangers. Every reader is linear in its input, bounded in depth and in what
//! it returns, and never panics. A measure with too little to go on is `None`.
#![forbid(unsafe_code)]

pub mod contrast;
pub mod css;
pub mod elements;
pub mod identifiers;
pub mod image;
pub mod logos;
pub mod markup;
pub mod palette;
pub mod prose;
pub mod typography;
mod utilities;
pub mod vendors;
