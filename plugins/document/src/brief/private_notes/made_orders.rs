//! Orders to keep something from the reader whose words nobody can list: `They must not learn that …`, `Keep the 12 % to
//! ourselves`, `Please don't put in the document that …`, `Sag ihnen nicht, dass …`.

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::denials::{THAT, UNDONE, WITHOUT};
use gtm_lexicon::documents::{
    ABSENT_READERS, AMONG_US, APPEARING, CLAUSE_OPENINGS, CUSTOMERS, DESTINATIONS, IDENTITIES,
    IMPERATIVE_NEGATIONS, KEEPING, KEEPING_AWAY, KEPT_OUT, KNOWING, LEARNING, MODALS, NEGATIONS,
    NOTHINGS, OUTSIDERS, OWN_DEPARTMENTS, PUTTING, READING_ROLES, TOLD_FIRST, TOLD_ONES,
};
use gtm_lexicon::{Phrases, contracted_negation, fold, split};

use super::super::mentions::plain_words;
use super::clauses::parts_clauses;
use super::made_labels::forbids_telling;

/// Most words between the parts of such an order.
const GAP_WORDS: usize = 10;
/// How many words behind its verb such an order names who is not to be told.
const TOLD_WORDS: usize = 6;
/// How many words behind an order to keep something away stands from whom.
const AWAY_WORDS: usize = 3;
/// Most words behind what keeps a name out.
const WORDS_BEHIND: usize = 1;
/// Most words before the negation with which an order begins: `better not put …`.
const LEAD_WORDS: usize = 1;

/// Whether a sentence orders to keep something from its reader.
pub fn keeps_silent(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    keeps_from_knowing(&words)
        || keeps_among_us(&words)
        || keeps_away(&words)
        || sentence.split(parts_clauses).any(|clause| {
            let plain = plain_words(clause);
            let words: Vec<&str> = plain.iter().map(String::as_str).collect();
            keeps_out(&words)
                || keeps_a_name_out(&words)
                || forbids_telling_them(without_opening(&words), clause)
        })
}

/// `Keep this away from procurement`. What is kept away from heat is for the reader.
fn keeps_away(words: &[&str]) -> bool {
    KEEPING_AWAY.places(words).any(|(at, order)| {
        let behind = words.get(at + order.len()..).unwrap_or_default();
        let near = behind
            .get(..behind.len().min(AWAY_WORDS))
            .unwrap_or_default();
        [
            &READING_ROLES,
            &ABSENT_READERS,
            &CUSTOMERS,
            &OUTSIDERS,
            &OWN_DEPARTMENTS,
        ]
        .into_iter()
        .any(|names| names.any_in(near))
    })
}

/// `Please keep Halden's name out of it`, `Den Namen Halden bitte raushalten`. What we keep out, we promise.
fn keeps_a_name_out(words: &[&str]) -> bool {
    let ends = KEPT_OUT
        .places(words)
        .any(|(at, phrase)| at + phrase.len() + WORDS_BEHIND >= words.len());
    ends && IDENTITIES.any_in(words) && !WE.any_in(words)
}

/// `Und sag ihnen nichts`: what only joins a clause to the one before it is none of the order.
fn without_opening<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    let mut rest = words;
    while let Some(length) = CLAUSE_OPENINGS.at_start(rest).map(<[_]>::len).max() {
        rest = rest.get(length..).unwrap_or_default();
    }
    rest
}

/// `Sag ihnen nicht, dass …`, `Dis-leur pas que …`, where the verb opens the order; `Non dirgli che …`, `No les digas que …`, where
/// the negation does. `Sagt Ihnen das nicht zu?` asks the reader.
fn forbids_telling_them(words: &[&str], clause: &str) -> bool {
    if clause.trim_end().ends_with(['?', '？']) {
        return false;
    }
    let verb = TOLD_FIRST.at_start(words).map(<[_]>::len).max();
    let verb_first = verb.is_some_and(|length| {
        let behind = words.get(length..).unwrap_or_default();
        let near = behind
            .get(..behind.len().min(TOLD_WORDS))
            .unwrap_or_default();
        // `Montrez-leur qu'il ne faut plus 3 jours` is to be told.
        let told = near.iter().position(|word| THAT.has_word(word));
        let near = near.get(..told.unwrap_or(near.len())).unwrap_or_default();
        let denied = denies(near) || first(near, &NOTHINGS).is_some();
        denied && TOLD_ONES.any_in(near)
    });
    verb_first || forbids_telling(words)
}

/// Whether words deny what they say. `Nicht nur` does not, nor does what somebody goes without: `Parlez-leur sans jargon`.
fn denies(words: &[&str]) -> bool {
    // `Pas que` is `not only` in an offer, and here what is not to be told.
    let undone = |at: usize| {
        UNDONE
            .places(words)
            .any(|(undone, phrase)| undone == at && !phrase.iter().any(|word| THAT.has_word(word)))
    };
    NEGATIONS
        .places(words)
        .any(|(at, phrase)| !undone(at) && !WITHOUT.are(phrase))
}

/// `The client must not know …`, `Il ne faut pas que le client sache …`. What a customer of the reader's does not learn is
/// told to the reader: `Your client never finds out`.
fn keeps_from_knowing(words: &[&str]) -> bool {
    let absent = ABSENT_READERS.places(words).filter(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        !before.is_some_and(|word| YOU.has_word(word))
    });
    absent.map(|(at, _)| at).any(|reader| {
        let near = words
            .get(reader.saturating_sub(GAP_WORDS)..)
            .unwrap_or_default();
        let near = near
            .get(..near.len().min(2 * GAP_WORDS))
            .unwrap_or_default();
        let reader = reader.min(GAP_WORDS);
        let denied = first(near, &NEGATIONS).or_else(|| contracted_negation(near));
        let Some(denied) = denied else {
            return false;
        };
        let behind =
            |verbs: &'static Phrases| verbs.places(near).any(|(at, _)| at > denied && at > reader);
        // `Customers who do not know it` need no order.
        let ordered = first(near, &MODALS).is_some() && behind(&KNOWING);
        ordered || behind(&LEARNING)
    })
}

/// `Keep the 12 % to ourselves`. What we keep of the reader's is a promise.
fn keeps_among_us(words: &[&str]) -> bool {
    KEEPING.places(words).any(|(at, verb)| {
        let behind = words.get(at + verb.len()..).unwrap_or_default();
        let near = behind
            .get(..behind.len().min(GAP_WORDS))
            .unwrap_or_default();
        AMONG_US.places(near).any(|(to, _)| {
            let kept = near.get(..to).unwrap_or_default();
            !kept.iter().any(|word| YOU.has_word(word))
        })
    })
}

/// `Don't put in the document that …`, `sollte so nicht im Angebot stehen`. What does not stand in the offer, an offer may say.
fn keeps_out(words: &[&str]) -> bool {
    IMPERATIVE_NEGATIONS.places(words).any(|(at, negation)| {
        let behind = words.get(at + negation.len()..).unwrap_or_default();
        let puts = at <= LEAD_WORDS && first(behind, &PUTTING).is_some();
        let appears = first(words, &MODALS).is_some() && first(behind, &APPEARING).is_some();
        (puts || appears) && DESTINATIONS.any_in(words)
    })
}

/// Where the first of the phrases begins.
fn first(words: &[&str], phrases: &'static Phrases) -> Option<usize> {
    phrases.places(words).map(|(at, _)| at).next()
}
