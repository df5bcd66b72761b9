//! Candidates that a connector finds: what is searched for, and what becomes of the people whom it returns.

pub mod found;
pub mod input;
mod record;
mod result;

pub use found::{FoundPeople, LeftOut, Told, candidates};
pub use input::{SEARCH, SearchCountry, SearchInput};
pub use result::SearchResult;
