//! Sentences that are private by what they say: orders not to mention something, limits of prices.

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    CUSTOMERS_MOVES, NEGATIONS, PRICE_LIMITS, PRIVATE_ORDERS, PRIVATE_STATEMENTS,
};
use gtm_lexicon::{currency_of, fold, split};

use super::super::{mentions, wishes};
use super::clauses::parts_clauses;
use super::labels::{is_shouted, label_in};
use super::left_out;
use super::made_asides::speaks_of_the_reader;
use super::made_labels::{keeps_from_readers, keeps_out_of_a_document, tells_private_figure};
use super::made_orders::keeps_silent;
use super::{confided, habits};

pub fn is_private(sentence: &str) -> bool {
    label_in(sentence).is_some()
        || is_shouted(sentence)
        || is_ordered_private(sentence)
        || is_statement(sentence)
        || wishes::is_ban(sentence)
}

/// Whether a sentence is to somebody of the writer's own people: `@Jess – please write this again`.
fn addresses_a_colleague(sentence: &str) -> bool {
    let Some(behind) = sentence.trim_start().strip_prefix('@') else {
        return false;
    };
    let end = behind.find(|c: char| !c.is_alphabetic());
    let (name, rest) = behind.split_at(end.unwrap_or(behind.len()));
    let is_name = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    is_name && rest.starts_with([' ', ',', ':', '–', '—'])
}

/// Whether a text says that what stands around it is private: `This must stay internal.` `We keep it confidential` promises
/// something.
pub fn is_statement(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    PRIVATE_STATEMENTS.places(&words).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        !before.is_some_and(|word| WE.has_word(word))
    })
}

/// Whether the words of a sentence say that it is private, without a label.
pub fn is_ordered_private(sentence: &str) -> bool {
    is_ordered(sentence) || foresees_a_move(sentence)
}

/// Whether a sentence tells what to do if whoever buys does something: `If they ask, say that …`.
pub fn foresees_a_move(sentence: &str) -> bool {
    let folded = fold(sentence);
    CUSTOMERS_MOVES.any_in(&split(&folded))
}

/// The same without what is told for the case that a buyer does something.
pub fn is_ordered(sentence: &str) -> bool {
    let folded = fold(sentence);
    // `der Kunde weiß nicht, dass …`
    let words = split(&folded);
    if habits::are_ended(&words) {
        return false;
    }
    let ordered = PRIVATE_ORDERS
        .places(&words)
        .any(|(_, phrase)| !NEGATIONS.open(phrase));
    ordered
        || sentence.split(parts_clauses).any(forbids)
        || mentions::is_forbidden(sentence)
        || keeps_from_readers(sentence)
        || keeps_silent(sentence)
        || left_out::is_ordered(sentence)
        || speaks_of_the_reader(sentence)
        || addresses_a_colleague(sentence)
        || tells_private_figure(sentence)
        || keeps_out_of_a_document(sentence)
        || confided::is_one(sentence)
        || (PRICE_LIMITS.any_in(&words) && names_a_price(sentence))
}

/// Whether a clause has an order that begins with a negation. `We do not share your data` promises something; only `do not
/// share` orders it, behind `stays with us` too.
fn forbids(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    PRIVATE_ORDERS.places(&words).any(|(at, phrase)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        NEGATIONS.open(phrase) && !before.is_some_and(|word| WE.has_word(word))
    })
}

/// Whether a sentence may be secret because of a ban behind it that adds to another: it denies something, or names a price.
pub fn may_be_secret(sentence: &str) -> bool {
    let folded = fold(sentence);
    names_a_price(sentence) || NEGATIONS.any_in(&split(&folded))
}

/// Whether an amount or a percentage stands in a sentence: stores can go down to -20 °C, too.
fn names_a_price(sentence: &str) -> bool {
    // `9.800 euro`
    let is_code = |word: &str| {
        word.len() == 3 && word.bytes().all(|c| c.is_ascii_uppercase())
            || currency_of(&word.to_lowercase()).is_some()
    };
    let words = sentence.split(|c: char| !c.is_alphabetic());
    sentence.contains(char::is_numeric)
        && (sentence.contains(['%', '٪', '€', '£', '$', '¥', '₹'])
            || words.into_iter().any(is_code))
}
