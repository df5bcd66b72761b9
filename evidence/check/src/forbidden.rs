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

mod claim_words;
mod compounds;
mod denial;
mod disguised;
mod looks;
mod meanings;
mod no_promise;
mod other_words;
mod torn;
mod undone;
mod words;

use gtm_domain::message::plain_letters::Reading;
use gtm_domain::offer::forbidden;
use gtm_lexicon::{fold, split};
use unicode_normalization::UnicodeNormalization as _;

use self::claim_words::{ClaimWords, KnownWords, Said};
use self::denial::{Row, Sentence, Text, is_negative};
pub(crate) use self::no_promise::Promise;
use self::other_words::Parts;
use self::torn::{bare, letters_of, readings};
use self::words::{Form, SHARED, are_different, has_forms, is_mark, is_sign, says_little};

/// Most words from the first word of a claim to its last. What is further apart is said of something else.
const APART: usize = 12;
/// Most words of a claim that are looked for in any order.
const MOST_WORDS: usize = 12;

/// Claims that a text must not make, each read once for all the texts that are held to them.
///
/// DANGER: whoever asks for a template chooses its text and its forbidden claims. A claim that is read anew for each line,
/// and a line anew for each claim, make a request of 32 KB the work of half a minute.
#[derive(Debug, Default)]
pub struct ForbiddenClaims {
    claims: Vec<ReadClaim>,
    /// The different words of all of them.
    words: ClaimWords,
}

/// One of the claims.
#[derive(Debug)]
struct ReadClaim {
    written: String,
    /// As it is looked for word for word.
    wanted: forbidden::Wanted,
    /// Its folded words, as sentences have them.
    words: Vec<String>,
    denies: bool,
    /// Its letters, in a script whose marks and blanks part no words.
    through_marks: Option<String>,
    in_forms: Option<Claim>,
}

/// A reading of a text in which claims are looked for.
struct ReadText {
    /// The letters of each line, if some claim is looked for in them.
    lines: Vec<String>,
    words: forbidden::Words,
    text: Text,
    /// What the words of each sentence and of each row say of the claims.
    in_sentences: Vec<Said>,
    in_rows: Vec<Said>,
}

impl ForbiddenClaims {
    /// Reads the claims of these lists, each different one once.
    pub fn of<C: AsRef<str>>(lists: &[&[C]]) -> Self {
        let mut read = Self::default();
        for claim in lists.iter().copied().flatten().map(AsRef::as_ref) {
            if !read.claims.iter().any(|it| it.written == claim) {
                let claim = ReadClaim::of(claim, &mut read.words);
                read.claims.push(claim);
            }
        }
        read
    }

    /// The first of the claims that the text makes, in their order.
    #[must_use]
    pub fn first_in(&self, text: &str) -> Option<&str> {
        self.made_in(text).next()
    }

    /// All claims that the text makes, in their order: whoever mends a text wants to know each.
    pub(crate) fn made_in(&self, text: &str) -> impl Iterator<Item = &str> {
        let read = self.read_all(text);
        let made = self.claims.iter();
        let made = made.filter(move |claim| read.iter().any(|text| claim.is_made_in(text)));
        made.map(|claim| claim.written.as_str())
    }

    /// The claims of more than two words that the text makes word for word, which nobody does by chance.
    pub(crate) fn repeated_in(&self, text: &str) -> impl Iterator<Item = &str> {
        let read = self.read_all(text);
        let long = self.claims.iter().filter(|claim| claim.words.len() > 2);
        let made = long.filter(move |it| read.iter().any(|text| it.is_said_word_for_word(text)));
        made.map(|claim| claim.written.as_str())
    }

    fn read_all(&self, text: &str) -> Vec<ReadText> {
        if self.claims.is_empty() {
            return Vec::new();
        }
        let readings = readings(&self.words, text);
        readings.iter().map(|it| self.read_text(it)).collect()
    }

    fn read_text(&self, reading: &Reading) -> ReadText {
        let text = Text::of(reading);
        let through_marks = self.claims.iter().any(|it| it.through_marks.is_some());
        let lines = reading.as_str().lines().filter(|_| through_marks);
        let mut known = KnownWords::of(&self.words);
        let in_sentences = text.sentences.iter();
        let in_sentences = in_sentences.map(|it| known.said_by(&it.words)).collect();
        let in_rows = text.rows.iter();
        let in_rows = in_rows.map(|row| known.said_by(&row.sentence.words));
        ReadText {
            in_rows: in_rows.collect(),
            in_sentences,
            words: forbidden::Words::of(reading),
            lines: lines.map(bare).collect(),
            text,
        }
    }
}

impl ReadClaim {
    fn of(claim: &str, all: &mut ClaimWords) -> Self {
        let seen: String = Reading::as_written(claim).as_str().nfkc().collect();
        let folded = fold(&seen);
        let words: Vec<String> = split(&folded).into_iter().map(str::to_owned).collect();
        // Torn words of every claim are mended, whether or not it can be told in other forms.
        for word in &words {
            all.place_of(word);
        }
        Self {
            written: claim.to_owned(),
            wanted: forbidden::Wanted::of(claim),
            denies: is_negative(&words),
            words,
            through_marks: letters_of(claim),
            in_forms: Claim::of(&seen, all),
        }
    }

    fn is_made_in(&self, read: &ReadText) -> bool {
        let in_forms = || {
            let claim = self.in_forms.as_ref();
            claim.is_some_and(|claim| claim.is_made_in(read))
        };
        self.is_said_word_for_word(read) || in_forms()
    }

    /// Whether the text has the claim's very words somewhere where it does not deny them. Where a claim goes across the border
    /// of a sentence, nobody can say what is denied.
    fn is_said_word_for_word(&self, read: &ReadText) -> bool {
        let times = self.wanted.times_in(&read.words);
        if times == 0 {
            let letters = self.through_marks.as_deref();
            return letters.is_some_and(|it| read.lines.iter().any(|line| line.contains(it)));
        }
        self.denies || read.text.times_denied(&self.words) < times
    }
}

/// A claim that can be told in other forms.
#[derive(Debug)]
struct Claim {
    /// Its words, by their places among those of all claims.
    words: Vec<usize>,
    /// Whether it has no other word to bear out that a form of its own is meant.
    is_alone: bool,
    denies: bool,
    /// Whether its words may come in any order. Short words say little by themselves, so a claim needs two long ones.
    in_any_order: bool,
    /// What other words may say it.
    parts: Parts,
}

impl Claim {
    /// None if it has a sign such as `%`, or nothing but words too short to have forms, and no other words are known for it.
    fn of(seen: &str, all: &mut ClaimWords) -> Option<Self> {
        let seen = seen.trim_matches(|c: char| !c.is_alphanumeric() && !is_sign(c));
        let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || is_mark(c);
        let folded = fold(seen);
        let words: Vec<String> = split(&folded).into_iter().map(str::to_owned).collect();
        if !seen.chars().all(plain) || words.len() > MOST_WORDS {
            return None;
        }
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
        let parts = Parts::of(&words, all);
        let is_alone = words.len() == 1;
        (long > 0 || !parts.are_unknown()).then(|| Self {
            denies: is_negative(&words),
            in_any_order: long + acronyms > 1,
            parts,
            words: words.iter().map(|word| all.place_of(word)).collect(),
            is_alone,
        })
    }

    fn is_made_in(&self, read: &ReadText) -> bool {
        let mut sentences = read.text.sentences.iter().zip(&read.in_sentences);
        let mut rows = read.text.rows.iter().zip(&read.in_rows);
        sentences.any(|(sentence, said)| self.is_said_in(sentence, said, 0))
            || rows.any(|(row, said)| {
                self.is_all_of_a_part(row, said) && self.is_said_in(&row.sentence, said, row.from)
            })
    }

    /// Whether the sentence makes it from this word on.
    fn is_said_in(&self, sentence: &Sentence, said: &Said, from: usize) -> bool {
        let says = |places: &[usize]| {
            places.iter().all(|place| *place >= from) && (self.denies || !sentence.denies(places))
        };
        let is_said = match self.in_any_order {
            true => self.is_scattered_in(said, says),
            false => self.is_in_order_in(said, says),
        };
        is_said || self.parts.are_said_in(said, says)
    }

    /// Whether one of the sentences has nothing but words of the claim. If each says something of its own, as “Guaranteed
    /// delivery. Energy savings.” does, they make no claim together.
    fn is_all_of_a_part(&self, row: &Row, said: &Said) -> bool {
        let is_of_claim = |at: usize| {
            let mut words = self.words.iter();
            words.any(|word| said.is_form_at(at, *word)) || self.parts.have_one_at(said, at)
        };
        let mut from = 0;
        row.lengths.iter().any(|length| {
            let part = from..from + length;
            from = part.end;
            let says_little = |at: usize| {
                let word = row.sentence.words.get(at);
                word.is_none_or(|word| says_little(word))
            };
            part.clone().any(is_of_claim)
                && part
                    .into_iter()
                    .all(|at| says_little(at) || is_of_claim(at))
        })
    }

    fn is_in_order_in(&self, said: &Said, says: impl Fn(&[usize]) -> bool) -> bool {
        let last = self.words.len().saturating_sub(1);
        let mut begins = 0..said.len().saturating_sub(last);
        begins.any(|at| {
            let mut words = self.words.iter().enumerate();
            words.all(|(behind, word)| {
                let form = said.form_at(at + behind, *word);
                form.is_some_and(|form| !self.is_alone || form == Form::Alone)
            }) && says(&[at, at + last])
        })
    }

    /// Whether every word of the claim has a form of its own among a few words in a row.
    fn is_scattered_in(&self, said: &Said, says: impl Fn(&[usize]) -> bool) -> bool {
        let is_said = |word: &usize, at| said.is_form_at(at, *word);
        are_near(&self.words, APART, said.len(), is_said, says)
    }
}

/// Whether each of these is said at another place, all of them within so many words in a row.
fn are_near<P>(
    parts: &[P],
    apart: usize,
    length: usize,
    is_said: impl Fn(&P, usize) -> bool,
    says: impl Fn(&[usize]) -> bool,
) -> bool {
    // The last place of each.
    let mut places: Vec<Option<usize>> = vec![None; parts.len()];
    (0..length).any(|at| {
        let mut hit = false;
        for (place, part) in places.iter_mut().zip(parts) {
            if is_said(part, at) {
                *place = Some(at);
                hit = true;
            }
        }
        let near = |place: &Option<usize>| place.is_some_and(|place| at - place < apart);
        hit && places.iter().all(near) && are_different(&places) && {
            let places: Vec<usize> = places.iter().flatten().copied().collect();
            says(&places)
        }
    })
}

#[cfg(test)]
mod tests;
