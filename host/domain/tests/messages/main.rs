//! Filled templates as a reader gets them: files that must not change by a byte, what other people's tools say of
//! the HTML, and what no input can bring about. `UPDATE_MESSAGES=1` writes the files anew; read the difference.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod golden;
mod hostile;
mod html;
