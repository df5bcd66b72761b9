//! What a company's own bytes say about how it looks and sounds: colours, typefaces, logos,
//! contrast and measures of its prose; and what its numbers and places are checked by.
//!
//! Lives here: pure functions from received bytes to measured signals. The `web-fetch` connector
//! reports them, the brand backend chooses among them, and the host computes them anew from the
//! stored bytes before it believes an `observed` claim (annex A1), so all three get the same
//! values.
//!
//! Does not live here: any I/O, the text of a page (`gtm-page-text`), and what a guideline says.
//!
//! Bytes come from strangers: every reader is linear in its input, bounded in depth and in what it
//! returns, and never panics. What there is too little of to measure is `None`.
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
