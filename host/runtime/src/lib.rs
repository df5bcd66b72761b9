//! Plug-ins: the catalog of signed packages, the sandbox that runs their components, and the egress gate,
//! their only way to the network (architecture §3, §5, §10).
//!
//! Not here: which connection serves a capability, journaling and evidence (the engine), stored secrets
//! (the store), and our own HTTP API. This crate never touches the database.
#![deny(unsafe_code)]

mod backend_host;
mod blocking_work;
pub mod calls;
pub mod catalog;
mod check_places;
pub mod compile;
mod compile_cache;
pub mod config;
pub mod credentials;
pub mod egress;
pub mod error;
mod guest;
mod interfaces;
pub mod manifest;
mod outcome;
pub mod publisher;
mod renderer_files;
mod runtime;
mod sandbox;
pub mod schema;
mod usage;

pub use backend_host::{BackendHost, CapabilityCall, HostAbort, StageStatus};
pub use blocking_work::blocking_work;
pub use calls::*;
pub use catalog::connectors::{
    Availability, CatalogedConnector, ConnectorCatalog, ConnectorEntry, VerificationMode,
    verification_modes,
};
pub use catalog::records::{CatalogRecords, PackageRecord, Sighting};
pub use catalog::{Catalog, Listed, ListedOnly, Plugin, RefusedPackage, SignatureStatus};
pub use config::{HostLimits, RuntimeConfig};
pub use credentials::Credentials;
pub use error::{PluginError, RuntimeError};
pub use interfaces::text::shown as shown_character;
pub use manifest::{Manifest, PluginKind};
pub use outcome::{Denial, Exchange, LogLevel, LogLine, Meters, RawTokens, Resources};
pub use publisher::{PluginPattern, TrustedPublisher};
pub use renderer_files::{Artifact, Asset};
pub use runtime::Runtime;
pub use usage::USAGE_METER_MISSING;
