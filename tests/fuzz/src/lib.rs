//! Fuzz targets for the code that reads untrusted bytes first. Each target is a function of bytes that
//! calls the product's own public functions and panics where one of their promises is broken.
//!
//! A target returns a short word that describes what it made of its input. An input with a word that was
//! not seen before is worth mutating further.
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
mod file_text;
mod imports;
mod manifest;
mod message;
pub mod mutate;
mod strict_json;
mod template;
mod url;

#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of the target and of its corpus folder.
    pub name: &'static str,
    /// Runs the target and returns the word for this input.
    pub run: fn(&[u8]) -> String,
    /// Fragments from which inputs are built.
    pub dictionary: &'static [&'static [u8]],
}

pub const TARGETS: [Target; 10] = [
    body::TARGET,
    client_address::TARGET,
    cursor::TARGET,
    file_text::TARGET,
    imports::TARGET,
    manifest::TARGET,
    message::TARGET,
    strict_json::TARGET,
    template::TARGET,
    url::TARGET,
];

/// The target with this name.
///
/// # Panics
/// If there is none: the names come from the program's own files.
#[must_use]
pub fn target(name: &str) -> Target {
    *TARGETS
        .iter()
        .find(|target| target.name == name)
        .unwrap_or_else(|| panic!("no target is called {name}"))
}
