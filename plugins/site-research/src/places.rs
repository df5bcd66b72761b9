//! Places in a sentence: where a company says that its head office is.

use gtm_lexicon::places::SMALL_WORDS;
use gtm_lexicon::seats::{BEFORE_ADDRESSES, BEFORE_PLACES};

use crate::words::{self, tokens};

/// The place of the head office that a sentence states, verbatim. `folded` is the folded sentence.
pub fn head_office<'a>(text: &'a str, folded: &str) -> Option<&'a str> {
    // Folding may change the length of a text, so the place is looked up in the original by its words.
    BEFORE_PLACES
        .iter()
        .filter(|seat| folded.contains(seat))
        .filter_map(|seat| find_folded(text, seat))
        .map(|at| (at, place_at(text.get(at..).unwrap_or_default())))
        .filter(|(_, place)| !place.is_empty())
        .min_by_key(|(at, _)| *at)
        .map(|(_, place)| place)
}

/// The address of the head office that follows in a sentence. `folded` is the folded sentence.
pub fn head_office_address<'a>(text: &'a str, folded: &str) -> Option<&'a str> {
    BEFORE_ADDRESSES
        .iter()
        .filter(|seat| folded.contains(seat))
        .filter_map(|seat| find_folded(text, seat))
        .min()
        .and_then(|at| text.get(at..))
}

/// Byte offset after the first occurrence of the folded phrase.
pub fn find_folded(text: &str, phrase: &str) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).find_map(|start| {
        let before = text.get(..start)?.chars().next_back();
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let mut left = phrase;
        for (offset, c) in text.get(start..)?.char_indices() {
            if left.is_empty() {
                return Some(start + offset);
            }
            let folded = words::fold(c.encode_utf8(&mut [0; 4]));
            left = left.strip_prefix(folded.as_str())?;
        }
        None
    })
}

/// The capitalized words at the start of the text, including the small words inside place names.
pub fn place_at(text: &str) -> &str {
    let mut end = 0usize;
    // End of the text before the last comma: what follows may begin the next clause.
    let mut before_comma = 0usize;
    for (count, (start, stop, word)) in tokens(text).into_iter().enumerate() {
        let bare = word.trim_end_matches(['.', ',', ';', ':', '!', ')', '(']);
        let capital = bare.starts_with(char::is_uppercase);
        if count >= 6 || !(capital || SMALL_WORDS.contains(bare)) {
            if before_comma > 0 {
                end = before_comma;
            }
            break;
        }
        if capital {
            end = start + bare.len();
        }
        // `St. Leon-Rot`: a town that is written in two letters has no full stop behind it.
        let is_shortened = word.strip_suffix('.') == Some(bare) && bare.chars().count() == 2;
        if word.ends_with(',') {
            before_comma = end;
        } else if (word.len() != bare.len() && !is_shortened) || stop == text.len() {
            break;
        }
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end_where_names_end() {
        assert_eq!(
            place_at("Leeds, England, with depots in Ghent"),
            "Leeds, England"
        );
        assert_eq!(place_at("Leeds, England, Acme makes"), "Leeds, England");
        assert_eq!(place_at("Leeds and ships"), "Leeds");
        assert_eq!(place_at("Frankfurt am Main. Wir"), "Frankfurt am Main");
        assert_eq!(place_at("St. Leon-Rot. Wir"), "St. Leon-Rot");
        assert_eq!(place_at("the north"), "");
        assert_eq!(
            find_folded("Die Firma mit Sitz in Köln baut", "mit sitz in "),
            Some("Die Firma mit Sitz in ".len())
        );
        assert_eq!(
            find_folded("Siège à Lyon", "siege a "),
            Some("Siège à ".len())
        );
    }
}
