//! What strangers' bytes reach first, as functions of bytes: each calls the product's own public
//! functions and panics where one of their promises is broken.
//!
//! A target answers with a short word on what it made of its input. Inputs with a word that was not
//! seen before are worth changing further.
#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a broken promise is told by a panic"
)]

mod body;
mod client_address;
pub mod components;
mod cursor;
mod imports;
mod manifest;
pub mod mutate;
mod strict_json;
mod template;
mod url;

/// One target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name: of its corpus's folder, too.
    pub name: &'static str,
    /// Runs it and says what it made of the input.
    pub run: fn(&[u8]) -> String,
    /// Pieces that inputs are made of.
    pub dictionary: &'static [&'static [u8]],
}

/// All targets.
pub const TARGETS: [Target; 8] = [
    body::TARGET,
    client_address::TARGET,
    cursor::TARGET,
    imports::TARGET,
    manifest::TARGET,
    strict_json::TARGET,
    template::TARGET,
    url::TARGET,
];

/// The target of this name.
///
/// # Panics
/// If there is none: the names are those of the program's own files.
#[must_use]
pub fn target(name: &str) -> Target {
    *TARGETS
        .iter()
        .find(|target| target.name == name)
        .unwrap_or_else(|| panic!("no target is called {name}"))
}
