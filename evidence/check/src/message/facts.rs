//! Sentences that state a fact, and what they rest on. Which sentences these are is a list of forms, written down in
//! `docs/message-rubric.md`; others are not told from opinions.

use std::ops::Range;

use gtm_domain::message::Placeholder;

use super::asks::Ask;
use super::numbers;
use super::passage::{Passage, Source, Word, places};
use super::stems::{Stems, bare};
use super::vocabulary::Vocabulary;

/// The share of a sentence's words that one approved text must have for it to rest on that text, in percent.
const COVERED: usize = 60;

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
pub(super) struct ApprovedTexts(Vec<Stems>);

impl ApprovedTexts {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let stems = texts.into_iter().map(Stems::of_text);
        Self(stems.filter(|stems| !stems.is_empty()).collect())
    }

    /// Whether one of the texts says it: it has most of the words that carry a subject.
    pub(super) fn say(&self, words: &[Word]) -> bool {
        self.0.iter().any(|text| {
            let (all, covered) = text.covered(bare(words));
            all > 0 && covered * 100 >= all * COVERED
        })
    }
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
        (Form::Result, marks(vocabulary.results)),
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
        let of_text = || *form != Form::Observation && approved.say(own);
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
