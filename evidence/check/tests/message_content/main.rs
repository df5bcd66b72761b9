//! The ten content checks of a message to one prospect: what a good message passes, and what each of them finds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod amounts;
mod asks;
mod closing;
mod held_hooks;
mod hooks;
mod letter;
mod message;
mod names;
mod notices;
mod shown_first;
mod signing;
mod tellings;
