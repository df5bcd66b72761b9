//! The SDK for gtm plug-ins written in Rust.
//!
//! It has a trait and a macro for each of the four worlds of `wit/plugin.wit`, typed wrappers for
//! everything a plug-in may ask of its host, and a fake host for native unit tests ([`testing`]).
//! `README.md` beside this crate shows a complete connector.
//!
//! Code of the host, or about one particular provider, does not belong here.
//!
//! A plug-in enables the feature of its world, implements the world's trait and passes the type to the
//! world's macro:
//!
//! ```
//! use gtm_sdk::{Connector, Failure, Value, http::Request, json};
//!
//! struct Weather;
//!
//! impl Connector for Weather {
//!     fn invoke(_operation: &str, input: Value) -> Result<Value, Failure> {
//!         let city: String = json::field(&input, "/city")?;
//!         let answer = Request::get("https://weather.example/v1/today")
//!             .query("city", &city)
//!             .credential("key")
//!             .send()?
//!             .error_for_status()?;
//!         let body: Value = answer.json()?;
//!         Ok(json::json!({"celsius": body["temperature"], "receipt_id": answer.receipt_id}))
//!     }
//! }
//!
//! gtm_sdk::connector!(Weather);
//! # fn main() {}
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
#[allow(
    unsafe_code,
    missing_docs,
    clippy::all,
    reason = "generated from wit/plugin.wit; the calls into the host are unsafe by nature"
)]
pub mod bindings;
#[cfg(target_arch = "wasm32")]
#[allow(
    dead_code,
    reason = "each world uses its own part of the host's functions"
)]
mod guest;
#[cfg(target_arch = "wasm32")]
use guest as host;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
#[cfg(not(target_arch = "wasm32"))]
use testing::host;

mod failure;
pub mod json;
mod worlds;

/// Declares the wrapper of a host interface: public for plug-ins whose world imports it. The fake host
/// needs all wrappers, so the others are compiled too, but private.
macro_rules! interface {
    ($name:ident, $condition:meta) => {
        #[cfg($condition)]
        pub mod $name;
        #[cfg(not($condition))]
        #[allow(dead_code, reason = "only the fake host uses it in this world")]
        mod $name;
    };
}

interface!(artifacts, feature = "document-renderer");
interface!(assets, feature = "document-renderer");
interface!(capabilities, feature = "generation-backend");
interface!(
    context,
    any(
        feature = "connector",
        feature = "generation-backend",
        feature = "document-renderer"
    )
);
interface!(deadline, feature = "connector");
interface!(http, feature = "connector");
interface!(
    log,
    any(
        feature = "connector",
        feature = "generation-backend",
        feature = "document-renderer"
    )
);
interface!(progress, feature = "generation-backend");

pub use failure::{Failure, FailureKind};
#[cfg(feature = "connector")]
pub use worlds::Connector;
#[cfg(feature = "document-renderer")]
pub use worlds::DocumentRenderer;
#[cfg(feature = "evaluator")]
pub use worlds::Evaluator;
#[cfg(feature = "generation-backend")]
pub use worlds::GenerationBackend;
#[doc(hidden)]
pub use worlds::glue;

/// A JSON value, as passed between plug-in and host.
pub use serde_json::Value;
