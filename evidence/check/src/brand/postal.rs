//! Postal codes whose form alone identifies the country: companies rarely print its name in a domestic
//! address.

use gtm_lexicon::countries::states_of_usa;

/// Whether a text contains a postal code of this country in a form that no other country uses.
pub fn is_posted_in(code: &str, text: &str) -> bool {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
        .collect();
    words.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        match code {
            // `TX 78701`, `Texas 78701-0012`: the last word of a state's name, or its code, then a ZIP code.
            "US" => ends_state(first) && is_zip(second),
            // `LS1 4AP`.
            "GB" => {
                matches!(
                    shape(first).as_str(),
                    "A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A"
                ) && shape(second) == "9AA"
            }
            // `M5V 2T6`.
            "CA" => shape(first) == "A9A" && shape(second) == "9A9",
            _ => false,
        }
    })
}

/// Whether a word is the code of a state or the last word of its name.
fn ends_state(word: &str) -> bool {
    states_of_usa().any(|(code, name)| code == word || name.rsplit(' ').next() == Some(word))
}

fn is_zip(word: &str) -> bool {
    matches!(shape(word).as_str(), "99999" | "99999-9999")
}

/// The form of a code: digits as `9`, capitals as `A`.
fn shape(word: &str) -> String {
    word.chars()
        .map(|c| match c {
            '0'..='9' => '9',
            'A'..='Z' => 'A',
            other => other,
        })
        .collect()
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
        ] {
            assert!(is_posted_in(code, text), "{code}: {text}");
        }
        for (code, text) in [
            ("US", "89073 Ulm"),
            ("US", "IN 2024"),
            ("US", "or 97202"),
            ("GB", "Toronto, ON M5V 2T6"),
            ("CA", "Bristol BS11 8DB"),
            ("DE", "89073 Ulm"),
            ("GB", "bs11 8db"),
        ] {
            assert!(!is_posted_in(code, text), "{code}: {text}");
        }
    }
}
