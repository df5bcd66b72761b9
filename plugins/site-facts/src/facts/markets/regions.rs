//! The names of regions behind phrases of serving: `covers the whole of Cumbria`.

use gtm_lexicon::company::{SMALL_WORDS_IN_NAMES, WE_AND_YOU};
use gtm_lexicon::markets::{AROUND, BEFORE_AREAS, BEFORE_AROUND, BEFORE_LISTS, DISTANCES};
use gtm_lexicon::places::ARTICLES;
use gtm_lexicon::segments::JOINTS;
use gtm_lexicon::{Phrases, fold, split};
use gtm_site_research::words;

/// Most words of one name.
const LONGEST_NAME: usize = 3;
/// Most words of all names.
const LONGEST_RUN: usize = 8;
/// Most letters of the first word of two in a German name, such as `Bad`.
const SHORT: usize = 3;

/// The regions that a sentence names behind words that only stand before places.
pub fn named<'a>(sentence: &'a str, language: &str) -> Vec<&'a str> {
    behind(sentence, &BEFORE_AREAS, language)
}

/// The names that a sentence lists behind a verb of serving. They may also be customers.
pub fn listed<'a>(sentence: &'a str, language: &str) -> Vec<&'a str> {
    let names = behind(sentence, &BEFORE_LISTS, language);
    let possessive = |name: &&str| name.ends_with(['\'', '’']) || fold(name).ends_with("'s");
    if names.len() < 2 || names.iter().any(possessive) {
        return Vec::new();
    }
    names
}

/// The places of which a text takes in what lies around them: `in Ripon and the surrounding villages`. A word such as `in`
/// stands before them.
pub fn with_surroundings<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let tokens = words::tokens(text);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| split(&fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let Some((end, _)) = AROUND.places(&all).next() else {
        return Vec::new();
    };
    let is_capital = |at: usize| {
        let word = tokens.get(at).map_or("", |(.., word)| *word);
        word.starts_with(char::is_uppercase)
    };
    let joins = |at: usize| {
        all.get(at)
            .is_some_and(|word| JOINTS.of(language).contains(word))
    };
    let mut begin = end;
    while begin > 0
        && end - begin < LONGEST_RUN
        && (is_capital(begin - 1) || begin < end && joins(begin - 1) && is_capital(begin))
    {
        begin -= 1;
    }
    // `They come to us out of Leeds and the surrounding villages.`
    let before = begin.checked_sub(1).and_then(|at| all.get(at));
    let led = before.is_some_and(|word| BEFORE_AROUND.contains(word));
    match tokens.get(begin..end) {
        Some(run) if led => names(text, run, language),
        _ => Vec::new(),
    }
}

/// Whether a text has a distance in it, as those have that say how far from its place a company works: `50 km around Leeds`.
pub fn tells_a_distance(text: &str) -> bool {
    let ascii = words::with_ascii_digits(text);
    let folded = fold(&ascii);
    let words = split(&folded);
    let has_digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    let glued = |word: &&str| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        unit.len() < word.len() && DISTANCES.has_word(unit)
    };
    words.iter().any(glued)
        || DISTANCES.places(&words).any(|(at, phrase)| {
            // In a script without blanks, the number stands in the same run.
            let inside = phrase.first().is_some_and(|unit| unit.starts_with('*'));
            let counted = if inside { Some(at) } else { at.checked_sub(1) };
            counted.and_then(|at| words.get(at)).is_some_and(has_digit)
        })
}

fn behind<'a>(sentence: &'a str, phrases: &'static Phrases, language: &str) -> Vec<&'a str> {
    let tokens = words::tokens(sentence);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| split(&fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for at in 0..all.len() {
        let rest = all.get(at..).unwrap_or_default();
        let longest = phrases.at_start(rest).map(|phrase| phrase.len()).max();
        let run = longest.and_then(|length| tokens.get(at + length..));
        let names = run.map(|run| names(sentence, run, language));
        found.extend(names.into_iter().flatten());
    }
    found
}

/// The capitalized names with which a run of words begins.
fn names<'a>(sentence: &'a str, run: &[(usize, usize, &str)], language: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    // Begin and end of the current name, and its words.
    let mut current: Option<(usize, usize, usize)> = None;
    let mut close = |current: &mut Option<(usize, usize, usize)>| {
        if let Some((begin, end, count)) = current.take()
            && count <= LONGEST_NAME
        {
            found.extend(sentence.get(begin..end));
        }
    };
    let most = |first: usize| {
        // German writes every noun with a capital: what follows a name is mostly another noun.
        if language == "de" && first > SHORT {
            1
        } else {
            LONGEST_NAME
        }
    };
    let mut first_letters = 0;
    for (place, &(start, _, word)) in run.iter().take(LONGEST_RUN).enumerate() {
        let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
        let folded = fold(bare);
        let next = run.get(place + 1);
        let next_is_name = next.is_some_and(|(.., next)| next.starts_with(char::is_uppercase));
        if bare.starts_with(char::is_uppercase) {
            if WE_AND_YOU.any_in(&split(&folded)) {
                break;
            }
            let end = start + bare.len();
            current = match current {
                Some((_, _, count)) if count >= most(first_letters) => break,
                Some((begin, _, count)) => Some((begin, end, count + 1)),
                None => {
                    first_letters = bare.chars().count();
                    Some((start, end, 1))
                }
            };
            if bare.len() != word.len() {
                close(&mut current);
                if !word.ends_with(',') {
                    break;
                }
            }
        } else if JOINTS.of(language).contains(&folded) && next_is_name {
            close(&mut current);
        } else {
            let joins = match current {
                None => ARTICLES.contains(&folded),
                Some(_) => next_is_name && SMALL_WORDS_IN_NAMES.contains(&folded),
            };
            if !joins {
                break;
            }
        }
    }
    close(&mut current);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_a_number() {
        for text in [
            "Nous nous déplaçons dans un rayon de 50 km autour de Lyon.",
            "Within 30 miles of Ripon",
            "im Umkreis von 80km",
            "半径50キロ圏内で対応します。",
        ] {
            assert!(tells_a_distance(text), "{text}");
        }
        for text in ["Miles away", "We sell 50 ropes.", "km"] {
            assert!(!tells_a_distance(text), "{text}");
        }
    }

    #[test]
    fn regions_stand_behind_phrases_of_serving() {
        for (language, sentence, regions) in [
            (
                "en",
                "Our van covers the whole of Cumbria and Upper Teesdale.",
                vec!["Cumbria", "Upper Teesdale"],
            ),
            (
                "en",
                "We cover all of the Isle of Skye, every day.",
                vec!["Isle of Skye"],
            ),
            (
                "de",
                "Wir decken im Raum Quellstadt Dächer und Türme.",
                vec!["Quellstadt"],
            ),
            (
                "de",
                "Unsere Monteure sind in und um Bad Quell, Hain und Moorstadt für Sie da.",
                vec!["Bad Quell", "Hain", "Moorstadt"],
            ),
            (
                "it",
                "Lavoriamo in provincia di Pavia e Lodi ogni giorno.",
                vec!["Pavia", "Lodi"],
            ),
            ("nl", "Wij werken in de regio Zwolle.", vec!["Zwolle"]),
            ("en", "We cover the whole of your roof.", vec![]),
            ("de", "Wir kümmern uns in der Region um Ihr Dach.", vec![]),
        ] {
            assert_eq!(named(sentence, language), regions, "{sentence}");
        }
    }

    #[test]
    fn places_are_named_with_what_lies_around_them() {
        for (language, text, places) in [
            (
                "de",
                "Familienbetrieb seit 1993 – Glocken in Quellstadt und Umgebung.",
                vec!["Quellstadt"],
            ),
            (
                "en",
                "Bell hanging in Ripon, Thirsk and the surrounding villages",
                vec!["Ripon", "Thirsk"],
            ),
            ("fr", "Couvreur à Quimper et ses environs", vec!["Quimper"]),
            (
                "en",
                "We cover York and the surrounding villages.",
                vec!["York"],
            ),
            ("en", "We serve Leeds and surrounding areas.", vec!["Leeds"]),
            (
                "de",
                "Unsere Lehrlinge kommen aus Ulm und Umgebung.",
                vec![],
            ),
            ("de", "Unser Garten und Umgebung", vec![]),
            (
                "en",
                "Our apprentices come to us out of Leeds and the surrounding villages.",
                vec![],
            ),
            ("en", "Ripon and the hills", vec![]),
        ] {
            assert_eq!(with_surroundings(text, language), places, "{text}");
        }
    }

    #[test]
    fn several_names_behind_a_verb_of_serving_may_be_regions() {
        assert_eq!(
            listed("Fenn Cars, serving Ripon and Thirsk.", "en"),
            ["Ripon", "Thirsk"]
        );
        assert_eq!(listed("We serve Globex with pride.", "en"), [""; 0]);
        assert_eq!(listed("We serve Roe's and Globex.", "en"), [""; 0]);
    }
}
