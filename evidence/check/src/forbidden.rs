//! Whether a text makes a claim that is forbidden, in whatever form and order: `guaranteed savings` is also made by
//! “Your savings are guaranteed”, `klimaneutral` by “klimaneutralen Versand”.
//!
//! DANGER: whoever writes a text only has to turn a forbidden claim round to get it past a comparison of phrases. So words
//! are compared by their beginnings, and in any order within a sentence or among a few short ones. But “savings are not
//! guaranteed” claims nothing, so what a sentence denies is no claim, unless it stands there word for word ([`denial`]).
//!
//! Does not live here: the comparison word for word (`gtm_domain::offer::forbidden`), which is all that an offer's own
//! texts are held to: a person wrote both.

mod denial;

use gtm_domain::message::characters::is_default_ignorable;
use gtm_domain::offer::forbidden;
use gtm_lexicon::numbers::{is_currency, is_unspaced};
use gtm_lexicon::{fold, split};
use unicode_normalization::UnicodeNormalization as _;

use self::denial::{Row, Sentence, Text, is_negative};
use crate::small_words::is_small;

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
        let text = Text::of(text);
        claims
            .iter()
            .map(String::as_str)
            .find(|claim| Claim::of(claim).is_some_and(|claim| claim.is_made_in(&text)))
    })
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
        let seen = claim.chars().filter(|c| !is_default_ignorable(*c));
        let seen: String = seen.nfkc().collect();
        let seen = seen.trim_matches(|c: char| !c.is_alphanumeric() && !is_sign(c));
        let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || is_mark(c);
        let folded = fold(seen);
        let words = split(&folded).into_iter().filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_owned).collect();
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
            denies: is_negative(&words),
            in_any_order: long + acronyms > 1,
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
        match self.in_any_order {
            true => self.is_scattered_in(&sentence.words, says),
            false => self.is_in_order_in(&sentence.words, says),
        }
    }

    /// Whether one of the sentences has nothing but words of the claim. If each says something of its own, as “Guaranteed
    /// delivery. Energy savings.” does, they make no claim together.
    fn is_all_of_a_part(&self, row: &Row) -> bool {
        let is_of_claim = |word: &String| {
            let mut words = self.words.iter();
            words.any(|of_claim| is_form(word, of_claim, false))
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

/// Whether a word beside a claim's says nothing of its own: `we guarantee it`.
fn says_little(word: &str) -> bool {
    is_small(word) || (word.chars().count() <= 2 && !word.starts_with(is_unspaced))
}

/// Whether it means something in a claim: `100 %` is not `100`.
fn is_sign(c: char) -> bool {
    "%‰+<>=".contains(c) || is_currency(c)
}

/// Whether it only parts words.
fn is_mark(c: char) -> bool {
    "-‑–—'’‘‚\"“”„«».,;:!?¡¿…&/()[]".contains(c)
}

fn are_different(places: &[Option<usize>]) -> bool {
    let mut seen: Vec<usize> = places.iter().flatten().copied().collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair.first() != pair.last())
}

/// Whether a word is long enough to be known in another form, or is of a script without blanks.
fn has_forms(word: &str) -> bool {
    word.starts_with(is_unspaced) || word.chars().filter(|c| c.is_alphabetic()).count() >= SHARED
}

/// Whether a word of a text is a form of a claim's. A claim of a single word has no second one to bear it out: there, one
/// of the two is the other's beginning.
fn is_form(word: &str, of_claim: &str, alone: bool) -> bool {
    if word == of_claim {
        return true;
    }
    if of_claim.starts_with(is_unspaced) {
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

    #[test]
    fn a_negation_denies_only_what_it_governs() {
        for (claim, text) in [
            (
                "guaranteed savings",
                "We do not only promise guaranteed savings.",
            ),
            (
                "guaranteed savings",
                "We do not only promise that your savings are guaranteed.",
            ),
            ("guaranteed savings", "We don’t just guarantee savings."),
            (
                "guaranteed savings",
                "Not a day passes without savings that are guaranteed.",
            ),
            (
                "guaranteed savings",
                "No risk: your savings are guaranteed.",
            ),
            (
                "guaranteed savings",
                "With no risk your savings are guaranteed.",
            ),
            (
                "guaranteed savings",
                "No doubt your savings are guaranteed.",
            ),
            (
                "guaranteed savings",
                "Why not get savings that are guaranteed?",
            ),
            ("guaranteed savings", "Don’t you want savings guaranteed?"),
            (
                "guaranteed savings",
                "Savings guaranteed without any setup.",
            ),
            (
                "guaranteed savings",
                "Do not miss savings that are guaranteed.",
            ),
            (
                "guaranteed savings",
                "This is not cheap, but savings are guaranteed.",
            ),
            (
                "guaranteed savings",
                "We do not guarantee delivery and savings are guaranteed.",
            ),
            (
                "garantierte Einsparung",
                "Wir garantieren nicht nur Einsparungen.",
            ),
            (
                "garantierte Einsparung",
                "Die Einsparungen sind ohne Risiko garantiert.",
            ),
            (
                "économies garanties",
                "Vos économies ne sont pas seulement garanties.",
            ),
            ("ahorro garantizado", "No solo garantizamos el ahorro."),
            ("klimaneutral", "Nicht nur in klimaneutralen Paketen."),
        ] {
            assert!(found(claim, text), "{claim}: {text}");
        }
        for (claim, text) in [
            ("guaranteed savings", "We do not guarantee savings."),
            ("guaranteed savings", "We cannot guarantee any savings."),
            (
                "guaranteed savings",
                "We do not promise that savings are guaranteed.",
            ),
            ("guaranteed savings", "There is no guarantee of savings."),
            (
                "guaranteed savings",
                "We sell meters without guaranteeing savings.",
            ),
            ("guaranteed savings", "Savings? Not guaranteed."),
            (
                "garantierte Einsparung",
                "Wir garantieren keine Einsparungen.",
            ),
            (
                "garantierte Einsparung",
                "Einsparungen garantieren wir nicht.",
            ),
            (
                "économies garanties",
                "Nous ne pouvons pas garantir vos économies.",
            ),
            ("ahorro garantizado", "No podemos garantizar el ahorro."),
            ("ahorro garantizado", "No garantizamos ningún ahorro."),
            ("risparmio garantito", "Non garantiamo risparmi."),
            (
                "klimaneutral",
                "Wir liefern nicht in klimaneutralen Paketen.",
            ),
        ] {
            assert!(!found(claim, text), "{claim}: {text}");
        }
    }

    #[test]
    fn marks_within_a_claim_do_not_hide_it() {
        for (claim, text) in [
            ("guaranteed savings", "Savings? Guaranteed."),
            ("guaranteed savings", "Your savings. Guaranteed!"),
            ("guaranteed savings", "Your savings? Yes! Guaranteed."),
            ("guaranteed savings", "guaranteed: savings"),
            ("guaranteed savings", "guaranteed - savings"),
            ("guaranteed savings", "Savings – guaranteed."),
            (
                "guaranteed savings",
                "Your ｓａｖｉｎｇｓ are ｇｕａｒａｎｔｅｅｄ",
            ),
            ("guaranteed savings", "Your 𝘀𝗮𝘃𝗶𝗻𝗴𝘀 are 𝗴𝘂𝗮𝗿𝗮𝗻𝘁𝗲𝗲𝗱"),
            ("100 % guaranteed", "100\u{200b} % guar\u{ad}anteed"),
            ("100 % guaranteed", "１００％ ｇｕａｒａｎｔｅｅｄ"),
            ("100 % guaranteed", "100 %: guaranteed"),
        ] {
            assert!(found(claim, text), "{claim}: {text}");
        }
        for (claim, text) in [
            // Each of the two says something of its own.
            ("guaranteed savings", "Guaranteed delivery. Energy savings."),
            ("guaranteed savings", "Guaranteed delivery\nSavings"),
        ] {
            assert!(!found(claim, text), "{claim}: {text}");
        }
    }

    #[test]
    fn what_is_never_lost_or_was_never_so_is_claimed() {
        for (claim, text) in [
            (
                "guaranteed savings",
                "We never break our guarantee of savings.",
            ),
            (
                "guaranteed savings",
                "You will never lose savings that we guarantee.",
            ),
            (
                "guaranteed savings",
                "Never before have your savings been guaranteed like this.",
            ),
            (
                "guaranteed savings",
                "Savings have never been more guaranteed.",
            ),
            (
                "guaranteed savings",
                "Nobody can beat our guaranteed, lasting savings.",
            ),
            (
                "guaranteed savings",
                "Nobody can guarantee savings like we do.",
            ),
            (
                "guaranteed savings",
                "You no longer wait for savings that are guaranteed.",
            ),
            (
                "garantierte Einsparung",
                "Nie waren Einsparungen so garantiert.",
            ),
            (
                "garantierte Einsparung",
                "Noch nie gab es Einsparungen so garantiert.",
            ),
            (
                "garantierte Einsparung",
                "Wir brechen nie unsere Garantie von Einsparungen.",
            ),
            (
                "économies garanties",
                "Jamais vos économies n’ont été aussi garanties.",
            ),
            (
                "ahorro garantizado",
                "Nunca antes fue el ahorro tan garantizado.",
            ),
        ] {
            assert!(found(claim, text), "{claim}: {text}");
        }
        for (claim, text) in [
            ("guaranteed savings", "Savings are no longer guaranteed."),
            ("guaranteed savings", "Savings are in no way guaranteed."),
            ("guaranteed savings", "Savings are by no means guaranteed."),
            ("guaranteed savings", "Nobody can guarantee savings."),
            ("guaranteed savings", "No one can guarantee savings."),
            (
                "guaranteed savings",
                "We never promise savings that are guaranteed.",
            ),
            (
                "garantierte Einsparung",
                "Niemand kann Einsparungen garantieren.",
            ),
            (
                "garantierte Einsparung",
                "Einsparungen sind keineswegs garantiert.",
            ),
            ("ahorro garantizado", "Nadie puede garantizar el ahorro."),
            (
                "économies garanties",
                "Personne ne peut garantir vos économies.",
            ),
        ] {
            assert!(!found(claim, text), "{claim}: {text}");
        }
    }

    #[test]
    fn a_sentence_of_a_claims_words_belongs_to_the_end_of_the_one_before() {
        for text in [
            "Your heating bill will show real savings. Guaranteed.",
            "Your heating bill will show real savings. Yes! Guaranteed.",
            "Your heating bill will show real savings. We guarantee it.",
        ] {
            assert!(found("guaranteed savings", text), "{text}");
        }
        for text in [
            "Your heating bill will show real savings. Not guaranteed.",
            "Your heating bill will show real savings. We do not guarantee them.",
            "Your heating bill will show real savings. Guaranteed delivery.",
            "Your heating bill will show real savings.\nGuaranteed",
            "Savings depend on how your flats are heated and on the weather. Guaranteed.",
        ] {
            assert!(!found("guaranteed savings", text), "{text}");
        }
    }

    #[test]
    fn marks_of_a_claim_do_not_bind_it_to_its_form() {
        for claim in [
            "Guaranteed savings!",
            "“Guaranteed savings”",
            "* guaranteed savings *",
            "guaranteed / savings",
            "guaranteed & savings",
            "guaranteed: savings",
            "(guaranteed) savings",
            "\"guaranteed\" savings",
        ] {
            assert!(found(claim, "Your savings are guaranteed."), "{claim}");
        }
        // A sign says something, at an end, too.
        assert!(!found(
            "guaranteed savings %",
            "Your savings are guaranteed."
        ));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_comparison(claim in "\\PC{0,30}", text in "\\PC{0,80}") {
            let _ = found(&claim, &text);
        }
    }
}
