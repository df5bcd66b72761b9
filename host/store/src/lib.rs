//! What is remembered: SQLite and PostgreSQL behind one set of repositories, migrations, leases,
//! journal, ledger, sealed credentials and content-addressed blobs. Callers see [`Store`] and plain
//! rows; no SQL, no connection and no transaction leaves this crate. No HTTP, no plug-in and no
//! business decision lives here.
#![forbid(unsafe_code)]
#![allow(unused_variables, clippy::todo)]

pub mod config;
pub mod error;
pub mod model;
pub mod scope;
pub mod secrets;
pub mod store;

pub use config::StoreConfig;
pub use error::{AuthError, StoreError};
pub use model::binding::{BindingRow, BindingScope, BindingTarget, Bindings, EffectiveBinding};
pub use model::connection::{ConnectionChange, ConnectionRow, ConnectionSecrets, ConnectionStatus, NewConnection};
pub use model::event::{JobEvent, JobEventNew};
pub use model::job::{
    ClaimedJob, CreateJob, Finish, IdempotencyClaim, JobFilter, JobRow, KnownRequest, LeaseState, NewJob, OperatorJob,
    StoredResponse,
};
pub use model::ledger::{LedgerKind, LedgerReport, LedgerTransaction};
pub use model::plugin::{KnownPlugin, PluginPackage};
pub use model::retention::SweepReport;
pub use model::step::{ConnectorRef, JobReceipt, NewStep, Settlement, StepOutcome, StepRow, StepState};
pub use model::tenant::{KeyRecord, OrganizationRow, ProjectRow};
pub use scope::{Lease, ProjectScope};
pub use secrets::KeyRing;
pub use store::Store;
pub use store::operator::Operator;

/// A new UUIDv7: time-ordered, with 74 random bits. Ids of rows are made of these.
#[must_use]
pub fn uuid_v7(now: gtm_domain::Timestamp) -> uuid::Uuid {
    todo!()
}
