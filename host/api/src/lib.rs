//! The HTTP API of gtm: extractors, handlers, the error envelope, idempotency keys, the rate limit and the
//! OpenAPI document. A handler parses, calls one function of the engine, or of the store if it only reads
//! what is stored (decision 0052), and forms the answer. SQL, plug-ins and business rules do not belong
//! here.
#![forbid(unsafe_code)]

pub mod api;
pub mod authorization;
pub mod client_address;
pub mod context;
pub mod contract;
pub mod created;
mod derived_schema;
pub mod error;
pub mod error_status;
pub mod failed_authentications;
pub mod idempotency_key;
pub mod job_envelope;
mod job_result;
mod job_schemas;
pub mod json_body;
pub mod lookup_turns;
pub mod media_range;
pub mod no_body;
pub mod openapi;
pub mod operation;
pub mod operator_port;
pub mod page;
pub mod path_id;
pub mod query_parameters;
pub mod query_reader;
pub mod rate_limit;
pub mod readiness;
mod refused_create;
pub mod request_id;
pub mod request_limits;
pub mod routes;
pub mod schemas;
pub mod server;
pub mod strict_json;
pub mod unawaited_lookups;
pub mod unchanging;
pub mod uptime;
pub mod validation;

pub use api::{Api, ApiConfig};
pub use contract::Contract;
pub use operator_port::operator_router;
pub use rate_limit::{Fallback, RateLimiter};
pub use routes::{contract, openapi, router};
pub use server::{Refusals, ServerLimits, serve};
