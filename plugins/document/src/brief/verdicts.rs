//! What a sentence of a brief is by its own words: an order to the writer, a correction, or content. One judge for all who ask.
//!
//! Not here: what is private, which labels, brackets and headings around a sentence tell, too (`private_notes`).

use super::orders::{is_order, names_a_document, names_reader_and_size};
use super::{forms, manner, retractions, wishes};

/// What a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Order(Order),
    /// It takes back what was said before it.
    Correction,
    Content,
}

/// What an order is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// It asks for a document: `Write a proposal`.
    Document,
    /// It names one and its reader: `A short deck for Northwind.`
    Named,
    /// Its type, format and length, without a verb: `Propuesta en PDF`.
    Form,
    /// Its reader and its length: `For the board, at most 3 pages.`
    Reader,
    /// Its length: `Max 5 bullets per slide`.
    Size,
    /// How it is to sound or to look: `No jargon.`
    Manner,
}

/// Where a sentence stands. Behind the beginning of a brief its content may sound like an order: `Prepare the weekly report.`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before the first heading.
    Beginning,
    /// Further on, as a paragraph of its own.
    Alone,
    Elsewhere,
}

impl Verdict {
    /// Judges a sentence.
    pub fn of(sentence: &str, language: &str, place: Place) -> Self {
        let begins = place == Place::Beginning;
        let order = match () {
            () if retractions::retracts(sentence) => return Self::Correction,
            () if begins && is_order(sentence) => Order::Document,
            () if begins && names_a_document(sentence, language) => Order::Named,
            () if place != Place::Elsewhere && forms::are_named(sentence, language) => Order::Form,
            () if begins && names_reader_and_size(sentence, language) => Order::Reader,
            () if wishes::is_size(sentence, language, begins) => Order::Size,
            () if manner::is_told(sentence) => Order::Manner,
            () => return Self::Content,
        };
        Self::Order(order)
    }

    pub fn is_order(self) -> bool {
        matches!(self, Self::Order(_))
    }

    /// Whether it orders a document, or says of what type, how long or for whom it is to be.
    pub fn orders_a_document(self) -> bool {
        self.is_order() && self != Self::Order(Order::Manner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_judged_by_its_words_and_its_place() {
        let order = |order| Verdict::Order(order);
        for (sentence, place, verdict) in [
            (
                "Write a proposal for Leeds.",
                Place::Beginning,
                order(Order::Document),
            ),
            (
                "A short deck for Northwind.",
                Place::Beginning,
                order(Order::Named),
            ),
            (
                "Proposal as PDF, for the board",
                Place::Alone,
                order(Order::Form),
            ),
            (
                "For the board, at most 3 pages.",
                Place::Beginning,
                order(Order::Reader),
            ),
            (
                "Max 5 bullets per slide",
                Place::Elsewhere,
                order(Order::Size),
            ),
            ("No jargon.", Place::Elsewhere, order(Order::Manner)),
            ("No, scrap that.", Place::Elsewhere, Verdict::Correction),
            (
                "Write a proposal for Leeds.",
                Place::Elsewhere,
                Verdict::Content,
            ),
            ("We read 9 meters.", Place::Beginning, Verdict::Content),
        ] {
            assert_eq!(Verdict::of(sentence, "en", place), verdict, "{sentence}");
        }
        assert!(!order(Order::Manner).orders_a_document());
    }
}
