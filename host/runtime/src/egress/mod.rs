//! The egress gate (architecture §10): the one way by which a byte leaves the host on behalf of a
//! plug-in, a credential probe or a webhook.
//!
//! An exchange goes through these steps, one module each: the URL is taken apart (`target`) and matched
//! against the call's rules (`permit`, `path_prefix`); what the guest sends is checked (`headers`) and,
//! once it is paid for (`budget`), searched for secrets that it must not hold (`call_secrets`, `exchange_secrets`,
//! `guesses`); the name is resolved (`resolve`) and every address checked ([`address`]); credentials are
//! injected last of all (`inject`, `token`, `token_request`); one of the checked addresses is dialled
//! (`dial`); the body is decoded, bounded and cleared of secrets (`body`, `answer_cleaner`, `redact`,
//! `searches`); transient failures are retried (`attempt`, `retry`), each attempt under its own permit
//! (`limiter`). `gate` holds what all exchanges share and `under_way` the state of one; `course` leads it
//! through the steps and its redirects, `send` begins it, `stream` hands out a body piece by piece,
//! `receipt` records what happened, `sendings` counts what was sent, and `verify` is the host's own probe
//! of credentials.
//!
//! Not here: the form of a manifest, where credentials are kept, and what a plug-in sees of all this.

pub mod address;
mod answer_cleaner;
mod attempt;
mod body;
mod budget;
mod call_secrets;
mod course;
mod dial;
mod exchange;
mod exchange_secrets;
mod gate;
mod grant;
mod guesses;
mod headers;
mod inject;
mod interruption;
mod limiter;
pub(crate) mod path_prefix;
mod permit;
mod policy;
mod receipt;
mod redact;
mod rendered_url;
mod repeated_gets;
pub(crate) mod reserved;
mod resolve;
mod retry;
mod searches;
mod send;
mod sendings;
mod spool;
mod stream;
mod target;
mod token;
mod token_request;
mod under_way;
mod verify;

pub use budget::CallBudget;
pub use exchange::{Exchanged, HttpRequest, HttpResponse, ResponseHead};
pub use gate::EgressGate;
pub use grant::{CallGrant, EgressRule, GrantParts};
pub use limiter::{LimitKey, SharedWindows};
pub use policy::{EgressConfigError, EgressPolicy, PrivateHost, PrivateHostError, ResolverChoice};
pub use repeated_gets::{KnownAnswer, PendingGet, Repeated, RepeatedGets};
pub use resolve::{FixedResolver, Resolver, SystemResolver};
pub use sendings::{Sendings, UnrecordedAnswer};
pub use spool::{KeptBody, LARGEST_IN_MEMORY, SpooledBody};
pub use stream::OpenExchange;
pub use target::{HostName, Origin, Target};
pub use verify::{VerificationOutcome, VerificationStatus};

#[cfg(test)]
mod tests;
