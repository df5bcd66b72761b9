//! What documents are called in briefs: one table for all who ask.

use gtm_document_model::document::DocumentType;
use gtm_lexicon::Phrases;
use gtm_lexicon::documents::{
    CASE_STUDIES, DECKS, LETTERS, ONE_PAGERS, PLAYBOOKS, PROPOSALS, REPORTS, STRATEGIES, TEXTS,
};

/// The words of each type. A deck comes last: `a deck for our go-to-market strategy` is a deck, which its place in the
/// sentence tells.
pub static TYPES: [(DocumentType, &Phrases); 7] = [
    (DocumentType::Report, &CASE_STUDIES),
    (DocumentType::OnePager, &ONE_PAGERS),
    (DocumentType::GtmStrategy, &STRATEGIES),
    (DocumentType::Playbook, &PLAYBOOKS),
    (DocumentType::Proposal, &PROPOSALS),
    (DocumentType::Report, &REPORTS),
    (DocumentType::Deck, &DECKS),
];

/// What documents of a type are called.
pub fn of_types() -> impl Iterator<Item = &'static Phrases> + Clone {
    TYPES.iter().map(|(_, names)| *names)
}

/// The same, and letters, which are of no type.
pub fn of_types_and_letters() -> impl Iterator<Item = &'static Phrases> + Clone {
    of_types().chain([&LETTERS])
}

/// What documents of a type are called, and words for a text of any type.
pub fn of_any() -> impl Iterator<Item = &'static Phrases> + Clone {
    of_types().chain([&TEXTS])
}

/// What documents are called that are no account of a customer.
pub fn of_others() -> impl Iterator<Item = &'static Phrases> + Clone {
    of_types().filter(|names| !std::ptr::eq(*names, &CASE_STUDIES))
}
