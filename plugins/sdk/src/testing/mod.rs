//! A fake host for native unit tests of plug-in code: no wasm, no network, no secrets.
//!
//! It has the scripted host ([`Host`]), its record of what the plug-in did ([`Run`]), cassettes
//! ([`Cassette`]) and, with the feature `connector-files`, checks of a connector's manifest and cassettes
//! (`ConnectorFiles`). It does not have the real host's rules: a fake host trusts the plug-in, the gate of
//! the real one does not.
//!
//! ```
//! # use gtm_sdk::{Connector, Failure, Value, http::Request, json};
//! use gtm_sdk::testing::{Answer, Expect, Host};
//!
//! # struct Weather;
//! # impl Connector for Weather {
//! #     fn invoke(_: &str, _: Value) -> Result<Value, Failure> {
//! #         let body: Value = Request::get("https://weather.example/today").send()?.error_for_status()?.json()?;
//! #         Ok(json::json!({"celsius": body["temperature"]}))
//! #     }
//! # }
//! let run = Host::new()
//!     .answer(Expect::get("https://weather.example/today"), Answer::json(200, json::json!({"temperature": 7})))
//!     .run(|| Weather::invoke("today", json::json!({})));
//! assert_eq!(run.output.unwrap()["celsius"], 7);
//! ```

mod cassette;
#[cfg(feature = "connector-files")]
mod connector_files;
pub(crate) mod host;
mod http_script;
mod secrets;

pub use cassette::Cassette;
#[cfg(feature = "connector-files")]
pub use connector_files::{ConnectorFiles, CredentialCheck};
pub use host::{Artifact, Host, Run};
pub use http_script::{Answer, Expect};
pub use secrets::find_secret;
