//! What is remembered: SQLite and PostgreSQL behind one set of repositories, migrations, leases,
//! journal, ledger, sealed credentials and content-addressed blobs. Callers see [`Store`] and plain
//! rows; no SQL, no connection and no transaction leaves this crate. No HTTP, no plug-in and no
//! business decision lives here.
#![forbid(unsafe_code)]

mod access;
mod audit_chain;
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
pub mod scope;
pub mod secrets;
mod settlement;
mod sqlite;
pub mod store;
#[cfg(test)]
mod sums;
#[cfg(test)]
mod usage_plans;

pub use config::StoreConfig;
pub use error::{AuthError, StoreError};
pub use identity::uuid_v7;
pub use model::audit::{
    AuditActor, AuditBreach, AuditEntry, AuditEvent, AuditFilter, AuditHead, AuditPlace,
    AuditRange, AuditReport, AuditResource,
};
pub use model::audit_action::AuditAction;
pub use model::backlog::{Backlog, OpenJobs};
pub use model::binding::{BindingRow, BindingScope, BindingTarget, Bindings, EffectiveBinding};
pub use model::brand::{
    BoundGuideline, BrandPage, BrandRow, BrandSelection, BrandStatus, GuidelineRevision,
    GuidelineRevisionPage, NewBrand, NewGuideline, Research, ResearchSubject, SelectedBrand,
    StoredGuideline,
};
pub use model::connection::{
    ConnectionChange, ConnectionRow, ConnectionSecrets, ConnectionStatus, NewConnection,
};
pub use model::connection_verification::{
    ConnectionState, NewVerification, VerificationMethod, VerificationRecord, VerificationResult,
};
pub use model::create::Create;
pub use model::dossier::{DossierSpecificationPage, NewDossierSpecification};
pub use model::event::{JobEvent, JobEventNew};
pub use model::job::{
    ClaimedJob, Claims, CreateJob, Finish, IdempotencyClaim, JobFilter, JobRow, KnownRequest,
    LeaseState, NewJob, OperatorJob, StoredResponse, UnreadableJob,
};
pub use model::job_settlement::JobSettlement;
pub use model::ledger::{
    LedgerKind, LedgerPlace, LedgerReport, LedgerTransaction, LedgerViolation,
};
pub use model::limit::{LimitMetric, LimitOwner, LimitRow};
pub use model::money::{
    BillingMode, BudgetPosition, CreditPosition, CreditStatement, LimitScope, MoneyPosition,
    QuotaPosition, Refusal,
};
pub use model::plugin::{KnownPlugin, PluginKey, PluginPackage, PluginPublisher, PluginRecords};
pub use model::reconciliation::{
    MarkedCall, MarkedCallFilter, ProviderCallId, Reconciliation, ReconciliationState,
    UnknownProviderCallId,
};
pub use model::research_job::{ActiveResearch, ResearchJob};
pub use model::retention::SweepReport;
pub use model::step::{
    AnswerBody, ConnectorRef, JobReceipt, NewStep, ReceiptPlace, Settlement, StepOutcome, StepRow,
    StepState, held_in_doubt,
};
pub use model::tenant::{
    CapabilitySwitch, KeyRecord, KeyRotation, KeyStatus, KeyTerms, OrganizationRow, ProjectRow,
};
pub use model::usage::{JobCounts, MonthUsage, UsageSum};
pub use scope::{Lease, ProjectScope, RequestOrigin};
pub use secrets::KeyRing;
pub use store::Store;
pub use store::operator::Operator;
pub use store::start_urls::StartUrlChange;
