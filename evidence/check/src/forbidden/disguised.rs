//! Words of claims that are written in signs that only look like their letters: `Gu@ranteed`, `kIimaneutral`, `r1sk`.
//!
//! DANGER: a reader takes them for these words. But `mall` is not `mail`: only what is not written as words are is compared by its
//! look.

use std::borrow::Cow;

use gtm_lexicon::fold;

use super::claim_words::ClaimWords;
use super::looks::look_of;

/// Fewest letters of a word that is known by its look where an ending follows.
const BEFORE_ENDING: usize = 6;
/// Most letters of such an ending.
const ENDING: usize = 3;

/// Whether a word is not written as words are: it has digits or signs among its letters, a capital `I` beside small letters, or a
/// letter that has no plain form.
fn is_disguised(word: &str) -> bool {
    let has = |is: fn(char) -> bool| word.contains(is);
    has(char::is_alphabetic)
        && (has(|c| c.is_ascii_digit() || is_sign(c))
            || (has(|c| c == 'I') && has(char::is_lowercase))
            || (!word.is_ascii() && has(is_stroked)))
}

const fn is_sign(c: char) -> bool {
    matches!(c, '@' | '$' | '€' | '!' | '|')
}

/// Whether it is a letter of Latin that is more than a plain one with a mark: `ǥ`.
fn is_stroked(c: char) -> bool {
    matches!(c, '\u{110}'..='\u{2af}' | '\u{1d00}'..='\u{1dbf}' | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}')
        && !fold(c.encode_utf8(&mut [0; 4])).is_ascii()
}

/// The line with the words of claims in it in their own letters.
pub(super) fn undisguised<'l>(of_claims: &ClaimWords, line: &'l str) -> Cow<'l, str> {
    let mut out = Cow::Borrowed(line);
    let is_within = |c: char| c.is_alphanumeric() || is_sign(c);
    let words = line.split(|c: char| !is_within(c));
    // From behind, so that places stay.
    let words: Vec<&str> = words.filter(|word| is_disguised(word)).collect();
    let mut end = line.len();
    for word in words.into_iter().rev() {
        let Some(at) = line.get(..end).and_then(|before| before.rfind(word)) else {
            continue;
        };
        let bare = word.trim_end_matches(['!', '|']);
        if let Some(plain) = plain_word(of_claims, bare) {
            out.to_mut().replace_range(at..at + bare.len(), &plain);
        }
        end = at;
    }
    out
}

/// The claims' word that looks so, with an ending that follows it.
fn plain_word(of_claims: &ClaimWords, word: &str) -> Option<String> {
    let look = look_of(word);
    if let Some(whole) = of_claims.of_look(&look) {
        return Some(whole.to_owned());
    }
    (1..=ENDING).find_map(|ending| {
        let letters = look.len().checked_sub(ending)?;
        let (begin, ending) = look.split_at_checked(letters)?;
        let begin = of_claims
            .of_look(begin)
            .filter(|_| letters >= BEFORE_ENDING)?;
        Some(format!("{begin}{ending}"))
    })
}
