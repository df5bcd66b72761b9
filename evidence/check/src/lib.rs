//! The host's evidence check: turns a backend's draft into a result that stored bytes support.
//!
//! DANGER: a backend may make up what it says it found, and where. Nothing of it is believed. Every claim
//! needs a basis; every excerpt must occur in the text extracted from the stored bytes; every number, link
//! and address of a claim must occur in its sources or in the caller's input. What fails is dropped and
//! reported as unknown. Confidence is computed here, by the rules of `gtm_domain::evidence`.
//!
//! Lives here: what all drafts have in common ([`basis`]), how much one may have ([`bounds`]), reading drafts of playbooks ([`draft`]), naming
//! claim units ([`claims`]), judging them ([`verdict`], [`literals`], [`buckets`]), sources and first parties
//! ([`library`], [`origin`], [`numbering`]), what a caller and its brand say ([`caller_input`], [`seller`]), the finished playbook
//! ([`playbook`]), the finished brand guideline ([`brand`]) and the texts of a document ([`document`]), claims that are forbidden ([`forbidden`]), messages and their templates ([`message`]), what was left out of them ([`left_out`]), excerpts of imported content ([`quoted_content`]), and how a check ends early ([`stop_flag`]). Does not live here: fetching stored bytes
//! (the engine passes them in), text extraction (`gtm-page-text`), measuring a company's looks in bytes
//! (`gtm-site-signals`), the confidence table (domain).
//!
//! Nothing here reads a file, a clock or the network, and nothing waits. The same draft and the same bytes
//! always get the same verdict, so a job can be judged again from its journal.
#![forbid(unsafe_code)]

pub mod basis;
pub mod bounds;
pub mod brand;
pub mod buckets;
pub mod caller_input;
mod caseless;
mod cited_things;
pub mod claims;
pub mod document;
pub mod draft;
pub mod forbidden;
mod forms;
pub mod left_out;
pub mod library;
pub mod literals;
pub mod message;
pub mod numbering;
pub mod origin;
pub mod playbook;
pub mod quoted_content;
pub mod seller;
mod small_words;
pub mod stop_flag;
pub mod verdict;
