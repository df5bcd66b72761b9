//! Sentences that state a fact, and what they rest on. Which sentences these are is a list of forms, written down in
//! `docs/message-rubric.md`; others are not told from opinions.

use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_lexicon::segments;

use super::asks::Ask;
use super::numbers;
use super::passage::{Passage, Source, Word, places};
use super::results::results;
use super::stems::{Stems, acronym, carries_subject};
use super::vocabulary::Vocabulary;
use crate::forbidden::is_no_promise;

/// The share of a sentence's words that one approved text must have for it to rest on that text, in percent.
pub(super) const COVERED: usize = 60;

/// By what a sentence is known to state a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It says something of the reader.
    Observation,
    /// It has a number.
    Number,
    /// It says what something achieves, or who says so.
    Result,
    /// The seller says what he is, has or does.
    SellerClaim,
}

/// What a stated fact rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RestsOn {
    /// A value in the same sentence.
    Value,
    /// An approved text that says it.
    ApprovedText,
}

/// A sentence that states a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    /// Bytes of the passage.
    pub sentence: Range<usize>,
    pub form: Form,
    /// None if it rests on nothing.
    pub rests_on: Option<RestsOn>,
}

/// Texts that somebody approved.
#[derive(Debug, Clone, Default)]
pub(super) struct ApprovedTexts {
    stems: Vec<Stems>,
    /// Their folded words, in order.
    words: Vec<Vec<String>>,
}

impl ApprovedTexts {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut found = Self::default();
        for text in texts {
            let folded = gtm_lexicon::fold(text);
            let words = gtm_lexicon::split(&folded).into_iter();
            found.words.push(words.map(str::to_owned).collect());
            let stems = Stems::of_text(text);
            if !stems.is_empty() {
                found.stems.push(stems);
            }
        }
        found
    }

    /// Whether one of the texts has these folded words in a row.
    pub(super) fn have(&self, phrase: &[&str]) -> bool {
        !phrase.is_empty()
            && self
                .words
                .iter()
                .any(|text| text.windows(phrase.len()).any(|words| words == phrase))
    }

    /// Whether the texts say these words of a passage: one of them has most of the words that carry a subject, or each clause has such
    /// a text of its own.
    pub(super) fn say(&self, passage: &Passage, words: &[Word], language: &str) -> bool {
        let clauses = clauses(passage, words, language);
        let says = |words: &[&str]| {
            self.stems.iter().any(|text| {
                let (all, covered) = text.covered(words.iter().copied());
                all > 0 && covered * 100 >= all * COVERED
            })
        };
        let all: Vec<&str> = clauses.iter().flatten().map(String::as_str).collect();
        let mut clauses = clauses.iter().filter(|clause| !clause.is_empty());
        says(&all)
            || (clauses.clone().count() > 1
                && clauses.all(|clause| {
                    let words: Vec<&str> = clause.iter().map(String::as_str).collect();
                    says(&words)
                }))
    }
}

/// Fewest words with a subject that make a clause of their own: one alone says too little to be found in any text.
const CLAUSE: usize = 2;

/// The words of a sentence that carry its subject, by clauses: a mark or a joint such as `and` begins one.
fn clauses(passage: &Passage, words: &[Word], language: &str) -> Vec<Vec<String>> {
    let joints = segments::JOINTS.of(language);
    let mut found: Vec<Vec<String>> = vec![Vec::new()];
    let mut end = None;
    for word in words {
        let between = end.and_then(|end| passage.text.get(end..word.range.start));
        let marked =
            between.is_some_and(|between| between.contains([',', ';', ':', '–', '—', '(']));
        end = Some(word.range.end);
        let joins = joints.contains(&word.folded);
        if marked || joins {
            found.push(Vec::new());
        }
        let printed = passage.text.get(word.range.clone()).unwrap_or_default();
        let compared = acronym(printed).unwrap_or_else(|| word.folded.clone());
        if !joins
            && carries_subject(&compared)
            && let Some(last) = found.last_mut()
        {
            last.push(compared);
        }
    }
    let mut joined: Vec<Vec<String>> = Vec::new();
    for clause in found {
        match joined.last_mut() {
            Some(last) if clause.len() < CLAUSE || last.len() < CLAUSE => last.extend(clause),
            _ => joined.push(clause),
        }
    }
    joined
}

/// The sentences of a passage that state a fact in the template's own words. A sentence that asks states none.
pub(super) fn facts(
    passage: &Passage,
    sentences: &[Range<usize>],
    asks: &[Ask],
    approved: &ApprovedTexts,
    vocabulary: &Vocabulary,
) -> Vec<Fact> {
    let words = passage.words(Source::is_own);
    let marks = |phrases: Option<&'static gtm_lexicon::Phrases>| {
        phrases
            .map(|phrases| places(&words, phrases))
            .unwrap_or_default()
    };
    let forms = [
        (Form::Observation, marks(vocabulary.observations)),
        (Form::Number, numbers::places_of(passage, vocabulary)),
        (
            Form::Result,
            promised(passage, sentences, results(passage, &words, vocabulary)),
        ),
        (Form::SellerClaim, marks(vocabulary.seller_claims)),
    ];
    let mut found = Vec::new();
    for sentence in sentences {
        let ask = asks.binary_search_by_key(&sentence.start, |ask| ask.sentence.start);
        if ask.is_ok() {
            continue;
        }
        let form = forms.iter().find(|(_, marks)| {
            let first = marks.partition_point(|mark| mark.start < sentence.start);
            marks
                .get(first)
                .is_some_and(|mark| mark.start < sentence.end)
        });
        let Some((form, _)) = form else {
            continue;
        };
        let first = words.partition_point(|word| word.range.end <= sentence.start);
        let end = words.partition_point(|word| word.range.start < sentence.end);
        let own = words.get(first..end).unwrap_or_default();
        let of_value = passage.values_in(sentence).any(|value| bears(value, *form));
        let of_text =
            || *form != Form::Observation && approved.say(passage, own, &vocabulary.language);
        let rests_on = match of_value {
            true => Some(RestsOn::Value),
            false => of_text().then_some(RestsOn::ApprovedText),
        };
        found.push(Fact {
            sentence: sentence.clone(),
            form: *form,
            rests_on,
        });
    }
    found
}

/// The results without those of which their sentence denies that they are promised.
fn promised(
    passage: &Passage,
    sentences: &[Range<usize>],
    mut results: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    results.retain(|result| {
        let at = sentences.partition_point(|sentence| sentence.end <= result.start);
        let Some(sentence) = sentences.get(at).filter(|it| it.start <= result.start) else {
            return true;
        };
        let text = passage.text.get(sentence.clone()).unwrap_or_default();
        !is_no_promise(text, result.start - sentence.start)
    });
    results
}

/// Whether a sentence with this value rests on it. What is said of the reader rests on evidence alone: his name beside it
/// proves nothing.
const fn bears(value: Placeholder, form: Form) -> bool {
    match value {
        Placeholder::EvidenceHook => true,
        Placeholder::OfferValueProposition | Placeholder::OfferProofPoint => {
            !matches!(form, Form::Observation)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::super::asks::asks;
    use super::*;

    fn text(v: &str) -> Inline {
        Inline::Text { v: v.to_owned() }
    }

    fn var(name: &str) -> Inline {
        Inline::Var {
            name: name.to_owned(),
        }
    }

    fn forms(language: &str, inlines: &[Inline], approved: &[&str]) -> Vec<Form> {
        let passage = Passage::of_inlines(inlines);
        let sentences = passage.sentences();
        let vocabulary = Vocabulary::of(language);
        let asks = asks(&passage, &sentences, &vocabulary, Source::is_own);
        let approved = ApprovedTexts::of(approved.iter().copied());
        let found = facts(&passage, &sentences, &asks, &approved, &vocabulary);
        let loose = found.into_iter().filter(|fact| fact.rests_on.is_none());
        loose.map(|fact| fact.form).collect()
    }

    #[test]
    fn facts_need_something_to_rest_on() {
        let claim = "We bill eighteen flats monthly.";
        assert_eq!(forms("en", &[text(claim)], &[]), [Form::Number]);
        assert_eq!(
            forms("en", &[text(claim)], &["18 flats billed monthly"]),
            []
        );
        assert_eq!(
            forms(
                "en",
                &[text("We help "), var("company.name"), text(".")],
                &[]
            ),
            [Form::SellerClaim]
        );
        assert_eq!(
            forms(
                "en",
                &[
                    text("We help with "),
                    var("offer.value_proposition"),
                    text(".")
                ],
                &[]
            ),
            []
        );
        assert_eq!(
            forms(
                "de",
                &[text("Unsere Kunden sparen Zeit.")],
                &["Rechnung je Wohnung"]
            ),
            [Form::Result]
        );
        assert_eq!(forms("en", &[text("Do you save time?")], &[]), []);
        assert_eq!(forms("en", &[text("Metering is dull.")], &[]), []);
    }

    #[test]
    fn who_denies_a_promise_states_no_result() {
        let loose = |language: &str, sentence: &str| forms(language, &[text(sentence)], &[]);
        for (language, sentence) in [
            ("en", "We don’t promise that you save money."),
            ("en", "We cannot guarantee lower costs."),
            ("en", "There is no guarantee that it pays for itself."),
            ("en", "Nobody can promise that it reduces your costs."),
            ("de", "Wir versprechen nicht, dass Sie sparen."),
            ("de", "Wir können nicht garantieren, dass Sie Zeit sparen."),
            ("fr", "Nous ne promettons pas que cela réduit vos coûts."),
            ("fr", "Nous ne garantissons pas de résultat."),
            ("es", "No prometemos que reduzca sus costes."),
            ("es", "No podemos garantizar un resultado."),
        ] {
            assert_eq!(loose(language, sentence), [], "{sentence}");
        }
        for (language, sentence) in [
            ("en", "We don’t just promise that you save money."),
            ("en", "We do not promise, our customers save."),
            ("en", "We do not promise much and our customers save."),
            ("en", "We never promise without saving you money."),
            ("en", "Our customers save, and that is no promise."),
            ("en", "It never reduces your quality."),
            ("en", "We guarantee that you save."),
            ("de", "Wir versprechen nicht nur, dass Sie sparen."),
            ("de", "Wir versprechen nichts, unsere Kunden sparen."),
            (
                "fr",
                "Nous ne promettons pas seulement que cela réduit vos coûts.",
            ),
            ("es", "No solo prometemos que reduce sus costes."),
        ] {
            assert_eq!(loose(language, sentence), [Form::Result], "{sentence}");
        }
    }

    #[test]
    fn several_texts_may_cover_one_sentence() {
        let offer = [
            "Setup takes three weeks, with the import of open contracts included.",
            "It posts to Xero and Sage 50 every night.",
            "Translations by ISO 17100 and DIN EN 15635",
        ];
        let loose = |sentence: &str| forms("en", &[text(sentence)], &offer);
        assert_eq!(
            loose("Setup takes three weeks, and we post to Xero and Sage 50 every night."),
            []
        );
        assert_eq!(loose("We translate by ISO 17100."), []);
        assert_eq!(loose("We work to DIN EN 15635."), []);
        // A clause that no text says, and a standard that none names.
        assert_eq!(
            loose("Setup takes three weeks, and we double the margin of your whole business."),
            [Form::Number]
        );
        assert_eq!(loose("We follow ISO 9001."), [Form::Number]);
    }

    #[test]
    fn clauses_are_parted_by_joints_of_their_own_language() {
        // `Of` is Dutch for `or`. In English it would tear the sentence into two clauses that two texts have.
        let offer = ["Free import of contracts", "Audit of meters and margin"];
        let claim = [text("We offer free import of margin audit.")];
        assert_eq!(forms("en", &claim, &offer), [Form::SellerClaim]);
    }

    #[test]
    fn a_return_on_investment_is_no_king() {
        assert_eq!(forms("en", &[text("Our house is in rue du Roi.")], &[]), []);
        assert_eq!(forms("en", &[text("Clear ROI.")], &[]), [Form::Result]);
    }

    #[test]
    fn what_is_said_of_the_reader_rests_on_evidence_alone() {
        let saw = [
            text("I saw that "),
            var("company.name"),
            text(" is hiring."),
        ];
        assert_eq!(
            forms("en", &saw, &["Acme is hiring people"]),
            [Form::Observation]
        );
        assert_eq!(
            forms("en", &[text("I noticed this: "), var("evidence.hook")], &[]),
            []
        );
    }
}
