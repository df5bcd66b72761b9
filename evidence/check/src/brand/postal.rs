//! Postal codes whose form alone identifies the country: companies rarely print its name in a domestic
//! address.

use gtm_lexicon::countries::{Country, form, states_of_usa};
use gtm_lexicon::postal;

/// Whether a text contains a postal code of this country in a form that no other country uses.
pub fn is_posted_in(code: &str, text: &str) -> bool {
    match code {
        "JP" => return has_japanese_code(text),
        "KR" => return postal::korean(text).is_some(),
        _ => {}
    }
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
        .collect();
    let forms = Country::of_code(code).map_or(&[][..], |country| country.postal);
    // Codes of one word, in a form of their own: `B1704ABC`, `80020-300`.
    if matches!(code, "AR" | "BR") {
        return words
            .iter()
            .any(|word| forms.contains(&form(word).as_str()));
    }
    words.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        match code {
            // `TX 78701`, `Texas 78701-0012`: the last word of a state's name, or its code, then a ZIP code.
            "US" => ends_state(first) && forms.contains(&form(second).as_str()),
            // `LS1 4AP`, `M5V 2T6`.
            "GB" | "CA" => forms.contains(&form(&format!("{first} {second}")).as_str()),
            _ => false,
        }
    })
}

/// Whether a text has a Japanese postal code, three digits, a dash and four, with its mark before or Chinese
/// characters behind: `〒141-0022 東京都`.
fn has_japanese_code(text: &str) -> bool {
    let text = gtm_lexicon::with_ascii_digits(text);
    let dash = |c: char| matches!(c, '-' | '－' | 'ー' | '‐' | '−' | '–');
    text.match_indices(dash).any(|(at, mark)| {
        let (before, after) = (&text[..at], &text[at + mark.len()..]);
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
        let first = before
            .chars()
            .rev()
            .take_while(char::is_ascii_digit)
            .count();
        let marked = before[..before.len() - first].trim_end().ends_with('〒');
        let behind = after
            .get(4..)
            .and_then(|rest| rest.trim_start().chars().next());
        let written = behind.is_some_and(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        first == 3 && digits(after) == 4 && (marked || written)
    })
}

/// Whether a word is the code of a state or the last word of its name.
fn ends_state(word: &str) -> bool {
    states_of_usa().any(|(code, name)| code == word || name.rsplit(' ').next() == Some(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tell_their_country() {
        for (code, text) in [
            ("US", "2218 SE Elm Street Portland, OR 97202"),
            ("US", "Austin, Texas 78701-0012, where we began"),
            ("GB", "Unit 9, Hazel Way, Bristol BS11 8DB."),
            ("GB", "London W1A 1AA"),
            ("CA", "Toronto, ON M5V 2T6"),
            ("JP", "［本社］〒141-0022 東京都品川区東五反田9-28-13"),
            ("JP", "〒 ０６１－１４３５"),
            ("AR", "Calle Mayor 12, B1704ABC Villa Ulma"),
            ("BR", "Ulmópolis - SC, CEP: 80020-300."),
            ("KR", "(06236) 서울특별시 강남구 가람로 12"),
        ] {
            assert!(is_posted_in(code, text), "{code}: {text}");
        }
        for (code, text) in [
            ("US", "89073 Ulm"),
            ("JP", "TEL. 012-345-6789"),
            ("JP", "1234-567 Lisboa"),
            ("US", "IN 2024"),
            ("US", "or 97202"),
            ("GB", "Toronto, ON M5V 2T6"),
            ("CA", "Bristol BS11 8DB"),
            ("DE", "89073 Ulm"),
            ("GB", "bs11 8db"),
            ("BR", "Austin, Texas 78701-0012"),
        ] {
            assert!(!is_posted_in(code, text), "{code}: {text}");
        }
    }
}
