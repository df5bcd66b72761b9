//! Names that say the same of what is sold: `Repairs & care` and `Repair and care`.

use gtm_lexicon::segments::JOINTS;
use gtm_page_text::primary_language;
use gtm_site_research::words;

use crate::letters::letters;

/// Fewest letters that a word and its other form have alike, and where both end in another letter.
const LEAST: usize = 4;
const LEAST_OF_CHANGED: usize = 6;

/// The words of a name without those that only join others.
pub fn key(name: &str, language: &str) -> Vec<String> {
    let folded = words::fold(name);
    let joints = JOINTS.of(primary_language(language));
    words::split(&folded)
        .into_iter()
        .filter(|word| !joints.contains(word) && word.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

/// Whether a name is one side of another: `Coating` of `Coating & hardening`.
pub fn is_side(name: &str, of: &str, language: &str) -> bool {
    let own = letters(name);
    let joints = JOINTS.of(primary_language(language));
    let mut sides = vec![String::new()];
    for word in of.split_whitespace() {
        let is_joint = matches!(word, "&" | "+") || joints.contains(&words::fold(word));
        match sides.last_mut() {
            Some(side) if !is_joint => side.push_str(&letters(word)),
            _ => sides.push(String::new()),
        }
    }
    sides.len() > 1 && !own.is_empty() && sides.contains(&own)
}

/// Whether two names have the same words, up to the endings of their forms.
pub fn are_alike(one: &[String], other: &[String]) -> bool {
    !one.is_empty()
        && one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| is_form(one, other))
}

fn is_form(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let alike = one.chars().zip(other.chars());
    let alike = alike.take_while(|(a, b)| a == b).count();
    let ending = |word: &str| word.chars().skip(alike).collect::<String>();
    let (one, other) = (ending(one), ending(other));
    let letters = |text: &str| text.chars().all(char::is_alphabetic);
    if !letters(&one) || !letters(&other) {
        return false;
    }
    // `er` makes another word, as `printer` of `print`.
    let more = |ending: &str| {
        let length = ending.chars().count();
        length == 1 || length == 2 && ending.starts_with('e') && !ending.ends_with('r')
    };
    match (one.as_str(), other.as_str()) {
        ("", ending) | (ending, "") => alike >= LEAST && more(ending),
        (one, other) => {
            alike >= LEAST_OF_CHANGED && one.chars().count() == 1 && other.chars().count() == 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_of_a_name_is_told_by_it() {
        assert!(is_side("Coating", "Coating & hardening", "en"));
        assert!(is_side("Härten", "Lacke und Härten", "de"));
        assert!(!is_side("Coating", "Coating", "en"));
        assert!(!is_side("Coat", "Coating & hardening", "en"));
        assert!(!is_side("Coating", "Powder coating & hardening", "en"));
    }

    #[test]
    fn forms_of_one_name_are_told_from_other_names() {
        let alike = |language: &str, one: &str, other: &str| {
            are_alike(&key(one, language), &key(other, language))
        };
        for (language, one, other) in [
            ("en", "Repairs & care", "Repair and care"),
            ("en", "Roof tile", "Roof tiles"),
            ("de", "Reparatur", "Reparaturen"),
            ("it", "Riparazione", "Riparazioni"),
            ("de", "Planung & Bau", "Planung und Bau"),
        ] {
            assert!(alike(language, one, other), "{one}");
        }
        for (one, other) in [
            ("Ram pumps 20", "Ram pumps 40"),
            ("Print", "Printer"),
            ("Mast", "Masterclass"),
            ("Walls", "Wall tiles"),
            ("A1", "A1s"),
            ("Bus", "Buses hire"),
        ] {
            assert!(!alike("en", one, other), "{one}");
        }
    }
}
