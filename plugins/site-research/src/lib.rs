//! Research of a company's site, shared by the generation backends.
//!
//! Lives here: asking the host (`host`, `capabilities`), reading a site in waves (`reading`, `choice`, `site`, `roles`, `page_role`, `page`, `address`), whose it is
//! (`identity`, `organization`), what of
//! it may be quoted (`evidence`, `boilerplate`, `instructions`, `sentences`), facts in a text (`facts`, `dates`,
//! `staff`, `places`, `trade`), claims with what carries them (`claim`), and texts of our own by language (`fixed_texts`).
//!
//! Having a model write belongs to `gtm-writing`, what a playbook or a brand guideline consists of to the backends,
//! and judging evidence to the host alone.
#![forbid(unsafe_code)]

pub mod address;
pub mod boilerplate;
pub mod capabilities;
pub mod choice;
pub mod claim;
pub mod dates;
pub mod evidence;
pub mod facts;
pub mod failure;
pub mod fixed_texts;
pub mod host;
pub mod identity;
pub mod instructions;
pub mod organization;
pub mod page;
pub mod page_role;
pub mod places;
pub mod reading;
pub mod roles;
pub mod sentences;
pub mod settings;
pub mod site;
pub mod staff;
pub mod trade;
pub mod words;
