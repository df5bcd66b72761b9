//! The egress gate (architecture §10): the one way by which a byte leaves the host on behalf of a
//! plug-in, a credential probe or a webhook.
//!
//! An exchange goes through these steps, one module each: the URL is taken apart ([`target`]) and
//! matched against the call's rules ([`permit`]); the guest's headers are checked ([`headers`]);
//! the name is resolved ([`resolve`]) and every address judged ([`address`]); credentials are put in
//! last of all ([`inject`]); one of the judged addresses is dialled ([`dial`]); the body is decoded,
//! bounded and cleared of secrets ([`body`], [`redact`]); what failed for the moment is repeated
//! ([`retry`]). [`gate`] ties them together and writes the receipt.
//!
//! Not here: what a manifest looks like, where credentials are kept, what a plug-in sees of all this.

pub mod address;
mod budget;
mod exchange;
mod grant;
mod policy;
mod resolve;
mod target;
mod gate;

pub use budget::CallBudget;
pub use exchange::{Exchanged, HttpRequest, HttpResponse, ResponseHead};
pub use gate::{EgressGate, OpenExchange};
pub use grant::{CallGrant, EgressRule, GrantParts};
pub use policy::{EgressConfigError, EgressPolicy, ParsePrivateHostError, PrivateHost, ResolverChoice};
pub use resolve::{FixedResolver, Resolver, SystemResolver};
pub use target::{HostName, Origin, Target};
