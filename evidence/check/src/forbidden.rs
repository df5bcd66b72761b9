//! Whether a text makes a claim that is forbidden, in whatever form and order: `guaranteed savings` is also made by
//! “Your savings are guaranteed”, `klimaneutral` by “klimaneutralen Versand”.
//!
//! DANGER: whoever writes a text only has to turn a forbidden claim round to get it past a comparison of phrases. So words
//! are compared by their beginnings, and in any order within a sentence. But “savings are not guaranteed” claims nothing,
//! so a sentence that denies something makes only the claims that stand in it word for word.
//!
//! Does not live here: the comparison word for word (`gtm_domain::offer::forbidden`), which is all that an offer's own
//! texts are held to: a person wrote both.

use gtm_domain::message::characters::is_default_ignorable;
use gtm_domain::offer::forbidden;
use gtm_lexicon::documents::NEGATIONS;
use gtm_lexicon::{fold, split};

/// Letters that forms of one word share at least.
const SHARED: usize = 5;
/// Most letters by which they differ behind them.
const ENDING: usize = 3;
/// Most words from the first word of a claim to its last. What is further apart is said of something else.
const APART: usize = 12;
/// Most words of a claim that are looked for in any order.
const MOST_WORDS: usize = 12;

/// The first of the claims that the text makes.
#[must_use]
pub fn first_forbidden<'c>(claims: &'c [String], text: &str) -> Option<&'c str> {
    if claims.is_empty() {
        return None;
    }
    forbidden::first_forbidden(claims, text).or_else(|| {
        let sentences: Vec<Sentence> = sentences(text).into_iter().map(Sentence::of).collect();
        claims
            .iter()
            .map(String::as_str)
            .find(|claim| Claim::of(claim).is_some_and(|claim| claim.is_made_in(&sentences)))
    })
}

/// The folded words of each sentence. A mark between digits ends none.
fn sentences(text: &str) -> Vec<Vec<String>> {
    let seen: String = text.chars().filter(|c| !is_default_ignorable(*c)).collect();
    let folded = fold(&seen);
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in folded.char_indices() {
        let end = at + c.len_utf8();
        let next = folded.get(end..).and_then(|rest| rest.chars().next());
        let ends = match c {
            '.' | '!' | '?' | '…' | ';' => next.is_none_or(char::is_whitespace),
            '\n' | '。' | '！' | '？' => true,
            _ => false,
        };
        if ends {
            found.push(words(folded.get(start..end).unwrap_or_default()));
            start = end;
        }
    }
    found.push(words(folded.get(start..).unwrap_or_default()));
    found.retain(|words| !words.is_empty());
    found
}

fn words(folded: &str) -> Vec<String> {
    let words = split(folded).into_iter().filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A sentence that may make a claim.
struct Sentence {
    words: Vec<String>,
    denies: bool,
}

impl Sentence {
    fn of(words: Vec<String>) -> Self {
        let denies = denies(&words);
        Self { words, denies }
    }
}

/// A claim that can be told in other forms.
struct Claim {
    words: Vec<String>,
    denies: bool,
    /// Whether its words may come in any order. Short words say little by themselves, so a claim needs two long ones.
    in_any_order: bool,
}

impl Claim {
    /// None if it has a sign such as `%`, or nothing but words too short to have forms.
    fn of(claim: &str) -> Option<Self> {
        let seen: String = claim
            .chars()
            .filter(|c| !is_default_ignorable(*c))
            .collect();
        let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "-'’.,".contains(c);
        let words = words(&fold(&seen));
        let long = words.iter().filter(|word| has_forms(word)).count();
        // `HMRC` says as much as a long word, in a claim that isn't in capitals as a whole.
        let acronyms = seen.split(|c: char| !c.is_alphanumeric()).filter(|word| {
            let letters = word.chars().count();
            (2..SHARED).contains(&letters) && word.chars().all(char::is_uppercase)
        });
        let acronyms = match seen.chars().any(char::is_lowercase) {
            true => acronyms.count(),
            false => 0,
        };
        (seen.chars().all(plain) && long > 0 && words.len() <= MOST_WORDS).then(|| Self {
            denies: denies(&words),
            in_any_order: long + acronyms > 1,
            words,
        })
    }

    fn is_made_in(&self, sentences: &[Sentence]) -> bool {
        let mut sentences = sentences.iter();
        sentences.any(|sentence| {
            (self.denies || !sentence.denies)
                && match self.in_any_order {
                    true => self.is_scattered_in(&sentence.words),
                    false => self.is_in_order_in(&sentence.words),
                }
        })
    }

    fn is_in_order_in(&self, sentence: &[String]) -> bool {
        let alone = self.words.len() == 1;
        sentence.windows(self.words.len()).any(|window| {
            let mut pairs = window.iter().zip(&self.words);
            pairs.all(|(word, of_claim)| is_form(word, of_claim, alone))
        })
    }

    /// Whether every word of the claim has a form of its own among a few words in a row.
    fn is_scattered_in(&self, sentence: &[String]) -> bool {
        // Last place of each word of the claim.
        let mut places: Vec<Option<usize>> = vec![None; self.words.len()];
        sentence.iter().enumerate().any(|(at, word)| {
            let mut hit = false;
            for (place, of_claim) in places.iter_mut().zip(&self.words) {
                if is_form(word, of_claim, false) {
                    *place = Some(at);
                    hit = true;
                }
            }
            let near = |place: &Option<usize>| place.is_some_and(|place| at - place < APART);
            hit && places.iter().all(near) && are_different(&places)
        })
    }
}

fn are_different(places: &[Option<usize>]) -> bool {
    let mut seen: Vec<usize> = places.iter().flatten().copied().collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair.first() != pair.last())
}

/// Whether a word is long enough to be known in another form, or is of a script without blanks.
fn has_forms(word: &str) -> bool {
    is_unspaced(word) || word.chars().filter(|c| c.is_alphabetic()).count() >= SHARED
}

/// Whether a word of a text is a form of a claim's. A claim of a single word has no second one to bear it out: there, one
/// of the two is the other's beginning.
fn is_form(word: &str, of_claim: &str, alone: bool) -> bool {
    if word == of_claim {
        return true;
    }
    if is_unspaced(of_claim) {
        return word.contains(of_claim);
    }
    if !has_forms(of_claim) || word.chars().any(|c| c.is_ascii_digit()) {
        return false;
    }
    let shared = word
        .chars()
        .zip(of_claim.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let (rest, rest_of_claim) = (
        word.chars().count() - shared,
        of_claim.chars().count() - shared,
    );
    // `contrast` and `contribute` share five letters and little more.
    let mostly = |rest: usize| shared >= 2 * rest;
    shared >= SHARED
        && mostly(rest.max(rest_of_claim))
        && rest <= ENDING
        && rest_of_claim <= ENDING
        && (!alone || rest_of_claim == 0 || rest == 0)
}

/// Whether a word is of a script that puts no blanks between words, such as Japanese or Thai.
fn is_unspaced(word: &str) -> bool {
    word.chars()
        .next()
        .is_some_and(|c| matches!(u32::from(c), 0xe00..=0xeff | 0x1780..=0x17ff | 0x2e80..=0x9fff | 0xf900..=0xfaff))
}

/// Whether words say that something is not so.
fn denies(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    NEGATIONS.any_in(&words)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(claim: &str, text: &str) -> bool {
        first_forbidden(&[claim.to_owned()], text).is_some()
    }

    #[test]
    fn claims_are_found_in_other_forms_and_orders() {
        for (claim, text) in [
            ("guaranteed savings", "Guaranteed savings!"),
            ("guaranteed savings", "Your savings are guaranteed."),
            (
                "guaranteed savings",
                "Your sav\u{200b}ings are guar\u{ad}anteed.",
            ),
            ("guaranteed savings", "Savings, guaranteed."),
            (
                "guaranteed savings",
                "We guarantee that your saving is at least as high as the fee.",
            ),
            ("HMRC approved", "The ledger is approved by HMRC."),
            ("klimaneutral", "Mit klimaneutralem Versand."),
            ("klimaneutral", "Wir liefern KLIMANEUTRAL."),
            (
                "garantierte Einsparung",
                "Die Einsparungen sind garantiert.",
            ),
            ("économies garanties", "Vos économies sont garanties."),
            (
                "ahorro garantizado",
                "Garantizamos el ahorro: garantizado por contrato, ahorros incluidos.",
            ),
            ("risk-free trial", "risk-free trials for everybody"),
            ("keine Ausfälle", "Keine Ausfällen mehr"),
            ("no hidden costs", "There are no costs that are hidden."),
            ("保証します", "当社は保証します。"),
            ("100 %", "100% uptime"),
        ] {
            assert!(found(claim, text), "{claim}: {text}");
        }
    }

    #[test]
    fn what_claims_something_else_is_left_alone() {
        for (claim, text) in [
            // Denied, or in two sentences.
            ("guaranteed savings", "Savings are not guaranteed."),
            (
                "guaranteed savings",
                "We have guaranteed delivery. Savings depend on your use.",
            ),
            (
                "guaranteed savings",
                "Delivery is guaranteed within two days; savings depend on your use.",
            ),
            (
                "garantierte Einsparung",
                "Einsparungen sind nicht garantiert.",
            ),
            (
                "économies garanties",
                "Les économies ne sont pas garanties.",
            ),
            // Other words.
            ("klimaneutral", "Das Klima in der Halle bleibt neutral."),
            ("guaranteed savings", "guaranteed savingsbook"),
            ("organic", "We organise the delivery."),
            ("secure", "Data security is checked every year."),
            ("leader", "A leadership course."),
            ("market leader", "Ask whoever leads the market."),
            ("contract penalty", "We contribute to penal law."),
            // Short words in another order say something else.
            (
                "zero risk",
                "The risk that you see is not zero, and zero is rare.",
            ),
            ("best price", "The price is best asked on site."),
            ("free trial", "Trials are run free of noise."),
            // Too far apart.
            (
                "guaranteed savings",
                "Guaranteed delivery on each of the five working days of every week of the whole year also brings savings",
            ),
            ("100 %", "100 flats"),
            ("", "anything"),
        ] {
            assert!(!found(claim, text), "{claim}: {text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_comparison(claim in "\\PC{0,30}", text in "\\PC{0,80}") {
            let _ = found(&claim, &text);
        }
    }
}
