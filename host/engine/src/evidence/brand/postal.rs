//! Postal codes whose form alone tells the country: companies rarely print its name under an address at home.

/// Codes of the states of the USA, with their names.
const STATES: &str = "AL|Alabama|AK|Alaska|AZ|Arizona|AR|Arkansas|CA|California|CO|Colorado|CT|Connecticut|DE|Delaware|\
    FL|Florida|GA|Georgia|HI|Hawaii|ID|Idaho|IL|Illinois|IN|Indiana|IA|Iowa|KS|Kansas|KY|Kentucky|LA|Louisiana|\
    ME|Maine|MD|Maryland|MA|Massachusetts|MI|Michigan|MN|Minnesota|MS|Mississippi|MO|Missouri|MT|Montana|\
    NE|Nebraska|NV|Nevada|NH|Hampshire|NJ|Jersey|NM|Mexico|NY|York|NC|ND|Carolina|Dakota|OH|Ohio|OK|Oklahoma|\
    OR|Oregon|PA|Pennsylvania|RI|Island|SC|SD|TN|Tennessee|TX|Texas|UT|Utah|VT|Vermont|VA|Virginia|WA|Washington|\
    WV|WI|Wisconsin|WY|Wyoming|DC|Columbia";

/// Whether a text has a postal code of this country, of a form that no other country's have.
pub fn is_posted_in(code: &str, text: &str) -> bool {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
        .collect();
    words.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        match code {
            // `TX 78701`, `Texas 78701-0012`: the last word of a state and a ZIP code.
            "US" => STATES.split('|').any(|state| state == *first) && is_zip(second),
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
