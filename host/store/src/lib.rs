//! Persistence: SQLite and PostgreSQL behind one set of repositories, migrations, leases, journal, ledger,
//! sealed credentials and content-addressed blobs. Callers see [`Store`], the entities of `gtm-domain` and
//! a few plain values; no SQL, no connection and no transaction leaves this crate. No HTTP and no plug-in
//! lives here. Business rules are written in `gtm-domain`; those that need a transaction are called within
//! it, here.
#![forbid(unsafe_code)]

mod access;
mod blobs;
mod claim;
mod columns;
pub mod config;
pub mod error;
mod identity;
mod migrations;
pub mod model;
mod new_key;
mod postgres;
mod prepared_product;
pub mod scope;
pub mod secrets;
mod settlement;
mod sqlite;
#[cfg(test)]
mod statements;
pub mod store;
#[cfg(test)]
mod sums;
#[cfg(test)]
mod usage_plans;

pub use config::{DatabaseKind, StoreConfig};
pub use error::{AuthError, StoreError};
pub use identity::uuid_v7;
pub use model::audit::{AuditFilter, AuditPlace, AuditRange};
pub use model::brand::{BrandPage, GuidelineRevisionPage, NewBrand};
pub use model::connection::{ConnectionChange, ConnectionSecrets, NewConnection};
pub use model::dossier::{DossierSpecificationPage, NewDossierSpecification};
pub use model::job::{ClaimedJob, Claims, JobFilter, LeaseState, NewJob, UnreadableJob};
pub use model::message_template::{MessageTemplateRevisionPage, NewMessageTemplateRevision};
pub use model::offer::OfferPage;
pub use model::prospecting::{
    CandidatePage, DoNotContact, Erased, LedgerCheck, OutcomesRecorded, PlatformListCheck,
    Prospect, ProspectImport, SuppressionMatch, Unread,
};
pub use model::reconciliation::MarkedCallFilter;
pub use model::retention::SweepReport;
pub use model::step::{AnswerBody, ReceiptPlace, Settlement};
pub use scope::{Lease, ProjectScope, RequestOrigin};
pub use secrets::KeyRing;
pub use store::Store;
pub use store::operator::Operator;
pub use store::start_urls::StartUrlChange;
