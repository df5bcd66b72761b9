//! What the business is: identifiers, money, time, job states, error codes, keys, evidence, the
//! playbook, brands and their guidelines. Pure values and rules; no I/O, no async, no clock, no SQL
//! and no HTTP live here.
#![forbid(unsafe_code)]

pub mod api_key;
pub mod brand;
pub mod brand_key;
pub mod canonical;
pub mod capability;
pub mod cidr_list;
pub mod clock;
pub mod digest;
pub mod domain_name;
pub mod dossier;
pub mod error_code;
pub mod evidence;
pub mod failure;
pub mod fixed;
pub mod guideline;
pub mod id;
pub mod job;
pub mod job_error_code;
pub mod money;
pub mod month;
pub mod permission;
pub mod playbook;
pub mod pricing;
pub mod receipt;
pub mod start_url;
pub mod tier;
pub mod timestamp;
pub mod usage;
pub mod website;

pub use api_key::{ApiKeySecret, KeyId as PublicKeyId, ParseApiKeyError};
pub use canonical::{canonical_digest, canonical_json};
pub use cidr_list::{Cidr, CidrList, ParseCidrError};
pub use clock::Clock;
pub use digest::Digest;
pub use error_code::ErrorCode;
pub use failure::{Failure, FailureKind};
pub use id::*;
pub use job::{JobStatus, JobType};
pub use job_error_code::JobErrorCode;
pub use money::MicroUsd;
pub use month::{Month, ParseMonthError};
pub use permission::{Permission, Permissions};
pub use tier::{TierTable, UsageTier};
pub use timestamp::Timestamp;
pub use usage::{TokenUsage, Usage};
