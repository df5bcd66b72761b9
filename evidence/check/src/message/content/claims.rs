//! The numbers of a message: each value may have those of what it comes from.

use std::ops::Range;

use gtm_domain::message::compliance::{CheckKey, ContentCheck};
use gtm_domain::message::{BlockKind, Placeholder};
use gtm_lexicon::numbers::{InWords, spans};
use serde_json::json;

use super::super::contact_numbers::{claims_of_closing, counts_results};
use super::super::numbers::{Approved, Says};
use super::super::passage::{Passage, Source, without_hidden_signs};
use super::super::results::results;
use super::{Hit, Reader, result};

/// What says who writes.
const SIGNING: [Placeholder; 4] = [
    Placeholder::SenderFullName,
    Placeholder::SenderRole,
    Placeholder::SenderOrganization,
    Placeholder::CompliancePostalIdentity,
];

impl Reader<'_> {
    pub(super) fn numeric_claims(&self) -> ContentCheck {
        let given = self.given;
        let texts = || given.offer.texts.iter().map(String::as_str);
        let written = Approved::beside_words_of(texts().chain([given.desired_next_step]));
        let of_offer = Approved::quoted_from(texts());
        let of_evidence = Approved::quoted_from(given.evidence.iter().map(|record| record.excerpt));
        let is_offer = |source: Source| {
            matches!(
                source,
                Source::Value(
                    Placeholder::OfferName
                        | Placeholder::OfferValueProposition
                        | Placeholder::OfferProofPoint
                )
            )
        };
        let is_hook = |source: Source| source == Source::Value(Placeholder::EvidenceHook);
        let is_ask = |source: Source| source == Source::Value(Placeholder::NextStepAsk);
        let missing = |passage: &Passage, kind: Option<BlockKind>| {
            let closing =
                kind.and_then(|kind| claims_of_closing(kind, &written, passage, self.vocabulary));
            let mut found = closing
                .unwrap_or_else(|| written.missing_in(passage, self.vocabulary, Source::is_own));
            found.extend(of_offer.missing_in(passage, self.vocabulary, is_offer));
            for signing in SIGNING {
                // What sells may be named like who sells it.
                let approved = match signing {
                    Placeholder::SenderRole => &written,
                    _ => &of_offer,
                };
                found.extend(self.claims_of_signing(passage, approved, signing));
            }
            found.extend(of_evidence.missing_in(passage, self.vocabulary, is_hook));
            let asked = written.missing_in(passage, self.vocabulary, is_ask);
            found.extend(self.claims_of_ask(passage, asked));
            found.sort_by_key(|range| range.start);
            found
        };
        let mut places = Vec::new();
        for paragraph in &self.filled.paragraphs {
            places.extend(self.hits(
                paragraph,
                &missing(&paragraph.passage, Some(paragraph.kind)),
            ));
        }
        for (pointer, line) in self.shown_first() {
            let found = missing(line, None).into_iter();
            places.extend(found.map(|range| Hit::of_line(pointer, line, &range)));
        }
        let count = places.len();
        result(
            CheckKey::NumericClaims,
            count == 0,
            json!(count),
            json!(0),
            places,
        )
    }

    /// Of the numbers in what says who writes, those that claim something. Names, titles and addresses have numbers that do
    /// not: `Century 21`, `Marieke ten Brink`, `Region 2`, `1 Canal Street`.
    fn claims_of_signing(
        &self,
        passage: &Passage,
        approved: &Approved,
        placeholder: Placeholder,
    ) -> Vec<Range<usize>> {
        if !passage.values().any(|value| value == placeholder) {
            return Vec::new();
        }
        let reads = |source: Source| source == Source::Value(placeholder);
        let of_result = !results(passage, &passage.words(reads), self.vocabulary).is_empty();
        let numbers = approved.unapproved_in(passage, self.vocabulary, reads);
        use Placeholder::{
            CompliancePostalIdentity, SenderFullName, SenderOrganization, SenderRole,
        };
        let counts_results = |range: &Range<usize>| {
            // A company may be called `24 Hours`.
            matches!(placeholder, SenderRole | SenderFullName) && counts_results(passage, range)
        };
        let claims = numbers.into_iter().filter(|number| match number.says {
            Says::Measure => true,
            Says::Digits => {
                (of_result && placeholder != CompliancePostalIdentity)
                    || counts_results(&number.range)
            }
            Says::Words => {
                matches!(placeholder, SenderRole | SenderOrganization)
                    && (of_result || counts_results(&number.range))
            }
        });
        claims.map(|number| number.range).collect()
    }

    /// Of the numbers of an ask, those that claim something. How long a call takes, and when, is its writer's to propose;
    /// but not next to words of a result.
    fn claims_of_ask(&self, passage: &Passage, numbers: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let asks =
            |source: Source| source.is_own() || source == Source::Value(Placeholder::NextStepAsk);
        let words = passage.words(asks);
        if numbers.is_empty() || !results(passage, &words, self.vocabulary).is_empty() {
            return numbers;
        }
        let blanked = passage.blanked(asks);
        let text = without_hidden_signs(&blanked);
        let proposed = spans(&text, InWords::Of(&self.vocabulary.language));
        let claims = numbers.into_iter().filter(|number| {
            let within = |span: &Range<usize>| span.start < number.end && number.start < span.end;
            !proposed.iter().any(within)
        });
        claims.collect()
    }
}
