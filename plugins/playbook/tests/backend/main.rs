//! Runs the whole backend with a scripted host. Pages are real HTML, parsed like those of the page reader;
//! each test scripts the model's answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bound;
mod companions;
mod contract;
mod doubled_offerings;
mod equipment;
mod events;
mod finding;
mod hostile;
mod model;
mod news;
mod offerings;
mod offerings_in_words;
mod own_plans;
mod particulars;
mod profile;
mod quotes;
mod roles_of_nobody;
mod run;
mod said_by_others;
mod second_reading;
mod site_digest;
mod small_sites;
mod vacancies;
mod web;
mod writing;
