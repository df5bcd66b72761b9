//! The facts that a company's own pages state, for every generation backend.
//!
//! Lives here: the pages with their parts, structured data and styles (`site`, `part`, `organization`, `styled`,
//! `company_data`), whose it is (`identity`), the readers of facts (`facts`), several statements about one fact (`conflicts`), how
//! sure a fact is (`certainty`), the claims by field (`draft`), and what each page says in its own words (`digest`).
//!
//! Reading a site belongs to `gtm-site-research`, and what a guideline or a playbook makes of the facts to the
//! backends.
#![forbid(unsafe_code)]

pub mod certainty;
pub mod company_data;
pub mod conflicts;
pub mod digest;
pub mod draft;
pub mod facts;
pub mod identity;
mod letters;
pub mod organization;
pub mod part;
pub mod site;
pub mod styled;
