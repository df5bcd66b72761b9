//! Has a model write from numbered excerpts, and checks what it wrote: what the generation backends share.
//!
//! A backend describes its answer as [`form::Part`]s, says in a [`task::Task`] what it is about, and gets back a
//! [`written::Written`]: claims by path, and what was left out, with reasons. The steps in between are the same for all of them:
//! excerpts (`excerpts`, `prompt`), a brief and the parts (`course`, `schema`, `answer`), the check by code (`check`, `known`,
//! `numbers`, `names`, `wording`), the check by a second reader (`critique`, `judgement`), and facts that were found without a
//! model (`found`). Before it, `pages` lets the model choose which pages of a site are read.
#![forbid(unsafe_code)]

pub mod answer;
pub mod check;
pub mod course;
pub mod critique;
mod excerpt_numbers;
pub mod excerpts;
pub mod fault;
pub mod form;
pub mod found;
mod job_offers;
pub mod judgement;
mod known;
mod names;
pub mod numbers;
pub mod page_choice;
pub mod pages;
mod plan;
pub mod prompt;
pub mod schema;
#[cfg(test)]
mod scripted;
pub mod settings;
pub mod task;
mod units;
pub mod wording;
pub mod written;

pub use known::small_words;
pub use names::has_a_person;
