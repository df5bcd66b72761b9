//! Has a model write from numbered excerpts, and checks what it wrote: what the generation backends share.
//!
//! A backend describes its answer as [`form::Part`]s, says in a [`task::Task`] what it is about, and gets back a
//! [`written::Written`]: claims by path, and what was left out, with reasons. The steps in between are the same for all of them:
//! excerpts (`excerpts`, `prompt`), a brief and the parts (`course`, `schema`, `answer`), the check by code (`check`, `numbers`,
//! `names`, `wording`), the check by a second reader (`critique`), and facts that were found without a model (`found`).
#![forbid(unsafe_code)]

pub mod answer;
pub mod check;
pub mod course;
pub mod critique;
pub mod excerpts;
pub mod fault;
pub mod form;
pub mod found;
pub mod names;
pub mod numbers;
mod plan;
pub mod prompt;
pub mod schema;
pub mod task;
mod units;
pub mod wording;
pub mod written;
