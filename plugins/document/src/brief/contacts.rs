//! People whom lines of a brief name as the reader's: `Contact: Anna Lindt, Head of Sales`, `(attn Jo Marsh)`.

use std::ops::Range;

use gtm_lexicon::documents::{CONTACT_LABELS, RECIPIENT_LABELS};
use gtm_lexicon::names::{PARTICLES, WEEKDAY_ABBREVIATIONS, WEEKDAYS};
use gtm_lexicon::{Phrases, fold, split};

use super::placed_words::tokens;

/// Most words of a contact, and of a label beside the one for a contact: `Contact on site`.
const CONTACT_WORDS: usize = 10;
const WORDS_BESIDE: usize = 2;
/// Most words of a person's name with titles.
const PERSON_WORDS: usize = 6;

/// The person whom a line names behind a label, with what stands behind the name: `Contact there: Anna Lindt, Head of Sales`.
/// An address or a number to call is the sender's own as often.
pub fn contact(line: &str) -> Option<&str> {
    let (label, said) = line.split_once([':', '：'])?;
    let said = said.trim();
    let folded = fold(label);
    let words = split(&folded);
    let length = CONTACT_LABELS.at_start(&words).map(<[_]>::len).max()?;
    let names = said.starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
        && !said.contains(|c: char| c.is_numeric() || matches!(c, '@' | '/'))
        && (1..=CONTACT_WORDS).contains(&said.split_whitespace().count());
    // `Contact surface: steel` names nobody, nor does `Contact hours: Monday to Friday`.
    let beside = words.len() - length;
    let named_well = beside == 0 || may_be_a_persons_name(said);
    (beside <= WORDS_BESIDE && named_well && names).then_some(said)
}

/// Whether the words before the first comma may be somebody's name: two or more with capitals, and no days.
pub fn may_be_a_persons_name(said: &str) -> bool {
    let name = said.split([',', '(', ';', '–']).next().unwrap_or_default();
    // `dott.ssa Anna Riva`
    let words: Vec<&str> = name.split_whitespace().collect();
    let titles = words.iter().take_while(|word| word.contains('.')).count();
    let words = words.get(titles..).unwrap_or_default();
    let is_part = |word: &&str| {
        let folded = fold(word);
        let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
        PARTICLES.contains(bare)
            || word.starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
                && !WEEKDAYS.contains(bare)
                && !WEEKDAY_ABBREVIATIONS
                    .iter()
                    .any(|(_, known)| known.contains(bare))
    };
    (2..=PERSON_WORDS).contains(&(titles + words.len())) && words.iter().all(is_part)
}

/// Whether a name behind a label for somebody's attention is a person's, perhaps with a word of respect: `mevrouw De Wit`.
pub fn may_be_attended(name: &str) -> bool {
    let behind = name.split_once(' ').map(|(_, behind)| behind);
    let respectful = name.starts_with(char::is_lowercase)
        && behind.is_some_and(|it| it.starts_with(char::is_uppercase));
    respectful || may_be_a_persons_name(name)
}

/// The line with a label that an order has in brackets: `(à l'attention de Claire Besson, directrice qualité)`.
pub fn labeled_in_brackets(order: &str) -> Option<String> {
    let (_, behind) = order.split_once(['(', '（'])?;
    let (said, _) = behind.split_once([')', '）'])?;
    with_colon(&RECIPIENT_LABELS, said)
}

/// A line that begins with one of the labels, with a colon behind it: `z. Hd: Frau Lind` of `z. Hd. Frau Lind`.
pub fn with_colon(labels: &'static Phrases, said: &str) -> Option<String> {
    let words: Vec<(Range<usize>, String)> = tokens(said);
    let folded: Vec<&str> = words.iter().flat_map(|(_, word)| split(word)).collect();
    let length = labels.at_start(&folded).map(<[_]>::len).max()?;
    // `l'attention` is one word here, and two in the lexicon.
    let mut left = length;
    let mut last = None;
    for (place, word) in &words {
        if left == 0 {
            break;
        }
        left = left.checked_sub(split(word).len())?;
        last = Some(place.end);
    }
    let end = last?;
    let (label, name) = said.split_at_checked(end)?;
    Some(format!(
        "{label}: {}",
        name.trim_start_matches(['.', ' ', ':']).trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_in_brackets_names_a_person() {
        for (order, said) in [
            (
                "Proposition pour Valmont (à l'attention de Claire Besson, directrice qualité).",
                Some("à l'attention de: Claire Besson, directrice qualité"),
            ),
            (
                "A proposal for Leeds (attn Jo Marsh)",
                Some("attn: Jo Marsh"),
            ),
            ("A proposal for Leeds (two pages)", None),
        ] {
            assert_eq!(labeled_in_brackets(order).as_deref(), said, "{order}");
        }
    }

    #[test]
    fn contacts_are_people_and_no_addresses() {
        for (line, said) in [
            (
                "Ansprechpartner dort: Frau Dr. Ellen Brandt, Betriebsleitung",
                Some("Frau Dr. Ellen Brandt, Betriebsleitung"),
            ),
            ("Contact: Anna Lindt", Some("Anna Lindt")),
            ("Contact: sales@coldwise.example", None),
            ("Kontakt: Frau Dietz, Telefon 03741 555 010", None),
            ("Contact surface: Steel", None),
            ("Contact hours: Monday to Friday, nine to five", None),
            ("Contact hours: Monday, Tuesday", None),
            ("Contact days: Mon Tue", None),
            ("Rooms: Four", None),
        ] {
            assert_eq!(contact(line), said, "{line}");
        }
    }
}
