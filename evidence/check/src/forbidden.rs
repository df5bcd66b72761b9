//! Whether a text makes a claim that is forbidden, in whatever form and order: `guaranteed savings` is also made by
//! “Your savings are guaranteed”, `klimaneutral` by “klimaneutralen Versand”.
//!
//! DANGER: whoever writes a text only has to turn a forbidden claim round to get it past a comparison of phrases. So words
//! are compared by their beginnings, and in any order within a sentence or among a few short ones. But “savings are not
//! guaranteed” claims nothing, nor does “we do not promise guaranteed savings”, so what a sentence denies is no claim
//! ([`denial`]), unless the claim itself denies something: `no hidden costs`.
//!
//! A claim may be made in other words as well. Of these the usual ones of a promise are known ([`other_words`]), and no more:
//! what a text means is for a judge to tell.
//!
//! Does not live here: the comparison word for word (`gtm_domain::offer::forbidden`), which is all that an offer's own
//! texts are held to: a person wrote both.

mod compounds;
mod denial;
mod no_promise;
mod other_words;
mod torn;
mod undone;
mod words;

use gtm_domain::message::plain_letters::Reading;
use gtm_domain::offer::forbidden;
use gtm_lexicon::{fold, split};
use unicode_normalization::UnicodeNormalization as _;

use self::denial::{Row, Sentence, Text, is_negative};
pub(crate) use self::no_promise::Promise;
use self::other_words::Parts;
use self::torn::{is_said_through_marks, readings};
use self::words::{SHARED, are_different, has_forms, is_form, is_mark, is_sign, says_little};

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
    let readings = readings(claims, text);
    readings.iter().find_map(|text| first_in(claims, text))
}

fn first_in<'c>(claims: &'c [String], text: &Reading) -> Option<&'c str> {
    let read = Text::of(text);
    let mut claims_in_order = claims.iter().map(String::as_str);
    claims_in_order
        .clone()
        .find(|claim| is_said_word_for_word(claim, text, &read))
        .or_else(|| {
            claims_in_order
                .find(|claim| Claim::of(claim).is_some_and(|claim| claim.is_made_in(&read)))
        })
}

/// All claims that the text makes, in their order: whoever mends a text wants to know each.
pub(crate) fn all_forbidden<'c>(claims: &'c [String], text: &str) -> impl Iterator<Item = &'c str> {
    let readings = match claims.is_empty() {
        true => Vec::new(),
        false => readings(claims, text),
    };
    let read = |text: Reading| (Text::of(&text), text);
    let read: Vec<(Text, Reading)> = readings.into_iter().map(read).collect();
    let claims = claims.iter().map(String::as_str);
    claims.filter(move |claim| {
        read.iter().any(|(read, text)| {
            is_said_word_for_word(claim, text, read)
                || Claim::of(claim).is_some_and(|claim| claim.is_made_in(read))
        })
    })
}

/// Whether the text has the claim's very words somewhere where it does not deny them. Where a claim goes across the border of
/// a sentence, nobody can say what is denied.
fn is_said_word_for_word(claim: &str, text: &Reading, read: &Text) -> bool {
    let times = forbidden::times(claim, text);
    if times == 0 {
        return is_said_through_marks(claim, text);
    }
    let seen: String = Reading::as_written(claim).as_str().nfkc().collect();
    let folded = fold(&seen);
    let words: Vec<String> = split(&folded).into_iter().map(str::to_owned).collect();
    is_negative(&words) || read.times_denied(&words) < times
}

/// A claim that can be told in other forms.
struct Claim {
    words: Vec<String>,
    denies: bool,
    /// Whether its words may come in any order. Short words say little by themselves, so a claim needs two long ones.
    in_any_order: bool,
    /// What other words may say it.
    parts: Parts,
}

impl Claim {
    /// None if it has a sign such as `%`, or nothing but words too short to have forms, and no other words are known for it.
    fn of(claim: &str) -> Option<Self> {
        let seen: String = Reading::as_written(claim).as_str().nfkc().collect();
        let seen = seen.trim_matches(|c: char| !c.is_alphanumeric() && !is_sign(c));
        let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || is_mark(c);
        let folded = fold(seen);
        let words: Vec<String> = split(&folded).into_iter().map(str::to_owned).collect();
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
        let parts = Parts::of(&words);
        let has_forms = long > 0 || !parts.are_unknown();
        (seen.chars().all(plain) && has_forms && words.len() <= MOST_WORDS).then(|| Self {
            denies: is_negative(&words),
            in_any_order: long + acronyms > 1,
            parts,
            words,
        })
    }

    fn is_made_in(&self, text: &Text) -> bool {
        let mut rows = text.rows.iter();
        text.sentences.iter().any(|it| self.is_said_in(it, 0))
            || rows
                .any(|row| self.is_all_of_a_part(row) && self.is_said_in(&row.sentence, row.from))
    }

    /// Whether the sentence makes it from this word on.
    fn is_said_in(&self, sentence: &Sentence, from: usize) -> bool {
        let says = |places: &[usize]| {
            places.iter().all(|place| *place >= from) && (self.denies || !sentence.denies(places))
        };
        let is_said = match self.in_any_order {
            true => self.is_scattered_in(&sentence.words, says),
            false => self.is_in_order_in(&sentence.words, says),
        };
        is_said || self.parts.are_said_in(sentence, says)
    }

    /// Whether one of the sentences has nothing but words of the claim. If each says something of its own, as “Guaranteed
    /// delivery. Energy savings.” does, they make no claim together.
    fn is_all_of_a_part(&self, row: &Row) -> bool {
        let is_of_claim = |word: &String| {
            let mut words = self.words.iter();
            words.any(|of_claim| is_form(word, of_claim, false)) || self.parts.have_word(word)
        };
        let mut rest = row.sentence.words.as_slice();
        row.lengths.iter().any(|length| {
            let (part, behind) = rest.split_at(rest.len().min(*length));
            rest = behind;
            part.iter().any(is_of_claim)
                && part
                    .iter()
                    .all(|word| says_little(word) || is_of_claim(word))
        })
    }

    fn is_in_order_in(&self, sentence: &[String], says: impl Fn(&[usize]) -> bool) -> bool {
        let alone = self.words.len() == 1;
        let windows = sentence.windows(self.words.len()).enumerate();
        windows
            .filter(|(_, window)| {
                let mut pairs = window.iter().zip(&self.words);
                pairs.all(|(word, of_claim)| is_form(word, of_claim, alone))
            })
            .any(|(at, window)| says(&[at, at + window.len() - 1]))
    }

    /// Whether every word of the claim has a form of its own among a few words in a row.
    fn is_scattered_in(&self, sentence: &[String], says: impl Fn(&[usize]) -> bool) -> bool {
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
            hit && places.iter().all(near) && are_different(&places) && {
                let places: Vec<usize> = places.iter().flatten().copied().collect();
                says(&places)
            }
        })
    }
}

#[cfg(test)]
mod tests;
