//! The business itself: organizations with their projects and keys, jobs and their journal, money and
//! limits, brands and their guidelines, offers, connections and bindings, the audit log, evidence,
//! playbooks, documents with their theme and file names, messages with prospects, policies and the outcome
//! ledger, and the identifiers, times and error codes that all of them use. Pure values and rules: no I/O, no async, no clock, no SQL and no HTTP. A rule that must
//! hold within a transaction is written here and called by the store.
#![forbid(unsafe_code)]

pub mod api_key;
pub mod audit;
pub mod binding;
pub mod brand;
pub mod brand_key;
pub mod canonical;
pub mod cidr_list;
pub mod clock;
pub mod connection;
pub mod csv_lines;
pub mod digest;
pub mod document;
pub mod domain_name;
pub mod dossier;
pub mod error_code;
pub mod evidence;
pub mod failure;
pub mod fixed;
pub mod guideline;
pub mod id;
pub mod idempotency;
pub mod job;
pub mod job_error_code;
pub mod json_pointer;
pub mod key_record;
pub mod message;
pub mod money;
pub mod month;
pub mod offer;
pub mod open_enumeration;
pub mod outcome_ledger;
pub mod permission;
pub mod playbook;
pub mod plugin;
pub mod policy;
pub mod pricing;
pub mod prospecting;
pub mod receipt;
pub mod start_url;
pub mod step;
pub mod tenant;
pub mod tier;
pub mod timestamp;
pub mod usage;
pub mod website;
mod written;

pub use api_key::{ApiKeySecret, KeyId as PublicKeyId, ParseApiKeyError};
pub use canonical::{canonical_digest, canonical_json};
pub use cidr_list::{Cidr, CidrList, ParseCidrError};
pub use clock::Clock;
pub use digest::Digest;
pub use error_code::ErrorCode;
pub use failure::{Failure, FailureKind};
pub use id::*;
pub use job::JobStatus;
pub use job::job_type::{Capability, JobType};
pub use job::stage::{JobStage, StageState};
pub use job_error_code::JobErrorCode;
pub use money::MicroUsd;
pub use month::{Month, ParseMonthError};
pub use permission::{Permission, Permissions};
pub use tier::{TierTable, UsageTier};
pub use timestamp::Timestamp;
pub use usage::{TokenUsage, Usage};
