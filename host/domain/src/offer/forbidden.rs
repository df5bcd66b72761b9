//! Whether a text makes a claim that an offer forbids. Words are compared without case, punctuation, kinds of
//! spaces and characters that are not seen; other forms of a word are other words.

use unicode_normalization::UnicodeNormalization as _;

use crate::message::characters::is_of_spaced_script;
use crate::message::plain_letters::Reading;

/// Signs that mean something in a claim: `100 %` is not `100`.
const SIGNS: [char; 9] = ['%', '‰', '+', '€', '$', '£', '¥', '<', '>'];

/// The first of the claims that the text contains.
#[must_use]
pub fn first_forbidden<'c>(claims: &'c [String], text: &str) -> Option<&'c str> {
    if claims.is_empty() {
        return None;
    }
    let texts: Vec<Words> = Reading::both(text).iter().map(Words::of).collect();
    claims.iter().map(String::as_str).find(|claim| {
        let wanted = Wanted::of(claim);
        texts.iter().any(|text| wanted.times_in(text) > 0)
    })
}

/// A claim as it is looked for.
#[derive(Debug, Clone)]
pub struct Wanted(String);

/// A reading of a text as claims are looked for in it.
#[derive(Debug, Clone)]
pub struct Words(String);

impl Wanted {
    /// Reads a claim.
    #[must_use]
    pub fn of(claim: &str) -> Self {
        Self(words(&Reading::as_written(claim)))
    }

    /// How often a text contains it.
    #[must_use]
    pub fn times_in(&self, text: &Words) -> usize {
        count(&text.0, &self.0)
    }
}

impl Words {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &Reading) -> Self {
        Self(words(text))
    }
}

/// Whether a claim has any word by which a text can be compared with it.
#[must_use]
pub fn is_comparable(claim: &str) -> bool {
    !Wanted::of(claim).0.is_empty()
}

/// The words in lower case, separated by single spaces.
fn words(text: &Reading) -> String {
    let seen = text.as_str();
    let mut out = String::with_capacity(seen.len());
    // Whether the last word goes on.
    let mut open = false;
    // Upper case first, so that ß and ss are the same; what comes apart is composed again.
    let upper = seen.nfkc().flat_map(char::to_uppercase);
    let folded: String = upper.flat_map(char::to_lowercase).nfkc().collect();
    for c in folded.chars() {
        if !c.is_alphanumeric() && !SIGNS.contains(&c) {
            open = false;
            continue;
        }
        let sign = SIGNS.contains(&c);
        if !out.is_empty() && (sign || !open) {
            out.push(' ');
        }
        out.push(c);
        open = !sign;
    }
    out
}

/// How often the words stand in the text and are not parts of longer words.
fn count(text: &str, claim: &str) -> usize {
    if claim.is_empty() {
        return 0;
    }
    let ends_within = |last: Option<char>, next: Option<char>| {
        last.is_some_and(is_of_spaced_script) && next.is_some_and(is_of_spaced_script)
    };
    let whole = text.match_indices(claim).filter(|(at, found)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !ends_within(before, found.chars().next()) && !ends_within(found.chars().next_back(), after)
    });
    whole.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_not_seen_hide_no_claim() {
        let claims = ["guaranteed savings".to_owned()];
        for unseen in [
            '\u{ad}',
            '\u{34f}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{2060}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            let text = format!("We offer guar{unseen}anteed sav{unseen}ings.");
            assert!(first_forbidden(&claims, &text).is_some(), "{unseen:?}");
            let claim = [format!("guaran{unseen}teed savings")];
            assert!(
                first_forbidden(&claim, "guaranteed savings").is_some(),
                "{unseen:?}"
            );
        }
        for text in [
            "We give ɢᴜᴀʀᴀɴᴛᴇᴇᴅ sᴀᴠɪɴɢs.",
            "🅶🆄🅰🆁🅰🅽🆃🅴🅴🅳 🆂🅰🆅🅸🅽🅶🆂",
            "guaranteed\u{2800}savings🇩🇪",
            "g u a r a n t e e d  s.a.v.i.n.g.s",
        ] {
            assert!(first_forbidden(&claims, text).is_some(), "{text}");
        }
        assert_eq!(first_forbidden(&claims, "guaranteed, no savings"), None);
        // Letters of the claim's own, beside another one.
        let claims = ["plan a b c".to_owned()];
        assert!(first_forbidden(&claims, "Our plan a b c d").is_some());
    }
}
