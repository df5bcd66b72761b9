//! Texts whose words somebody tore apart: `gua-ranteed sav-ings`, `節約を、保 証します`.
//!
//! DANGER: a reader joins what a hyphen or a blank parts, and a comparison of words finds neither half.

use gtm_domain::message::characters::is_hyphen;
use gtm_domain::message::plain_letters::Reading;
use gtm_lexicon::fold;
use unicode_normalization::UnicodeNormalization as _;

use super::claim_words::ClaimWords;
use super::disguised::undisguised;
use super::meanings::is_of_a_class;
use super::words::is_sign;

/// Most pieces of one word.
const PIECES: usize = 8;

/// The text as it is read for claims: as it stands, and those of its lines in which a mark tears a word of a claim apart, with
/// that word whole.
pub(super) fn readings(of_claims: &ClaimWords, text: &str) -> Vec<Reading> {
    let mut readings = Reading::both(text);
    let mended: Vec<String> = readings
        .iter()
        .flat_map(|reading| reading.as_str().lines())
        .filter_map(|line| {
            let plain = undisguised(of_claims, line);
            let mended = mended(of_claims, &plain);
            mended.or_else(|| (plain != line).then(|| plain.into_owned()))
        })
        .collect();
    if !mended.is_empty() {
        let mended = Reading::as_written(&mended.join("\n"));
        readings.push(mended);
    }
    readings
}

/// A line with the torn words of claims whole; none if it has none. Other hyphens stay: what they join may deny something.
fn mended(of_claims: &ClaimWords, line: &str) -> Option<String> {
    if !line.contains(tears) {
        return None;
    }
    let is_of_claim = |word: &str| {
        let folded = fold(&word.nfkc().collect::<String>());
        of_claims.have_form(&folded) || is_of_a_class(&folded)
    };
    let mut out = String::with_capacity(line.len());
    let mut is_mended = false;
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_alphabetic() && !tears(c));
        let (run, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let whole = run.contains(tears).then(|| whole_words(run, is_of_claim));
        match whole.flatten() {
            Some(whole) => {
                out.push_str(&whole);
                is_mended = true;
            }
            None => out.push_str(run),
        }
        let next = behind.chars().next();
        out.extend(next);
        rest = behind
            .get(next.map_or(0, char::len_utf8)..)
            .unwrap_or_default();
    }
    is_mended.then_some(out)
}

/// A run of letters and marks in which the pieces of each such word stand together; none if there is no such word in pieces.
fn whole_words(run: &str, is_of_claim: impl Fn(&str) -> bool) -> Option<String> {
    let pieces: Vec<&str> = run.split(tears).filter(|it| !it.is_empty()).collect();
    let mut words: Vec<String> = Vec::new();
    let mut is_mended = false;
    let mut at = 0;
    while at < pieces.len() {
        let most = pieces.len().min(at + PIECES);
        let whole = (at + 2..=most).rev().find_map(|end| {
            let whole = pieces.get(at..end)?.concat();
            is_of_claim(&whole).then_some((whole, end))
        });
        let (word, end) = match whole {
            Some(whole) => {
                is_mended = true;
                whole
            }
            None => (
                pieces.get(at).copied().unwrap_or_default().to_owned(),
                at + 1,
            ),
        };
        words.push(word);
        at = end;
    }
    is_mended.then(|| words.join(" "))
}

/// Hyphens, apostrophes, dots and lines, which people write within words.
const fn tears(c: char) -> bool {
    is_hyphen(c)
        || matches!(
            c,
            '.' | '_' | '*' | '~' | '|' | '\'' | '`' | '\u{b4}' | '\u{b7}' | '\u{2bc}' | '\u{2018}'
                ..='\u{2019}' | '\u{2022}' | '\u{2027}' | '\u{2043}'
        )
}

/// The letters of a claim in a script whose marks and blanks part no words; none of a single letter, and none where a sign
/// means something.
pub(super) fn letters_of(claim: &str) -> Option<String> {
    let letters = bare(Reading::as_written(claim).as_str());
    let joins = letters.contains(is_joined) && letters.chars().nth(1).is_some();
    (joins && !claim.contains(is_sign)).then_some(letters)
}

/// The letters of a line, whatever marks and blanks stand between them.
pub(super) fn bare(text: &str) -> String {
    let plain: String = text.nfkc().filter(|c| c.is_alphanumeric()).collect();
    fold(&plain)
}

/// Whether a letter is of Han, kana or Hangul.
const fn is_joined(c: char) -> bool {
    gtm_page_text::is_joined(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')
}
