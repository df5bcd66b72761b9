//! Jobs: creates them with everything pinned, runs them under a lease, journals each provider call, hands
//! drafts and stored bytes to the evidence check, charges what was used, and finishes each job exactly
//! once. Each job type has a module under [`job_types`].
//!
//! Not here: SQL and secrets at rest (gtm-store); sandbox, catalog and network (gtm-runtime); judging
//! evidence (gtm-evidence-check); HTTP with its status codes, headers and paths (gtm-api); business rules
//! without side effects (gtm-domain).
#![forbid(unsafe_code)]

pub mod backend_end;
pub mod brand_choice;
pub mod brands;
pub mod catalog;
pub mod config;
pub mod connections;
pub mod create;
pub mod dossiers;
pub mod ending;
pub mod engine;
pub mod error;
pub mod fail_points;
mod failure_details;
mod failure_messages;
pub mod job_error;
pub mod job_types;
pub mod journal;
pub mod measures;
pub mod message_templates;
pub mod missing_prices;
pub mod offer_choice;
mod offered_words;
mod offers;
pub mod pins;
pub mod plan;
pub mod plugins;
pub mod prospect_message_problem;
pub mod prospect_messages;
pub mod prospecting_jobs;
pub mod replay;
pub mod run;
mod runtime_plugins;
pub mod spend;
mod start_urls;
pub mod stop;
pub mod timeline;
pub mod token_usage;
pub mod workers;

pub use brand_choice::{BrandProblem, DefaultProblem};
pub use brands::GuidelineLookup;
pub use config::EngineConfig;
pub use create::{CreateError, CreateOutcome, Idempotency};
pub use engine::{Engine, JobLookup};
pub use error::EngineError;
pub use gtm_evidence_check::quoted_content::quotation;
pub use message_templates::{FilledRevision, OfferOfTemplate, RenderError, ReviewedTemplate};
pub use offer_choice::{OfferChoice, OfferProblem};
pub use prospect_message_problem::ProspectMessageProblem;
pub use prospecting_jobs::{PeopleSearchError, search_country};
pub use replay::ReplayReport;
pub use workers::Workers;

pub use gtm_store::{
    AuthError, BrandPage, CandidatePage, DossierSpecificationPage, GuidelineRevisionPage,
    JobFilter, MessageTemplateRevisionPage, OfferPage, ProjectScope, ReceiptPlace, StoreError,
};
