//! Claims that rest on what the caller says alone.

use std::borrow::Cow;

use gtm_domain::evidence::{Basis, Confidence};
use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::InWords;

use super::{ClaimChecker, ClaimText, Dropped, VerifiedClaim, reasoning};
use crate::basis::DraftBasis;
use crate::caller_input::is_sum_of;
use crate::literals::{Literals, Reading};

/// The language whose nouns have capitals.
const GERMAN: &str = "de";

impl ClaimChecker<'_> {
    /// Whether the caller's words speak of what a claim says; of one that supposes something, of how it answers that. An
    /// answer that says nothing of the seller is none, so the whole claim must be the caller's.
    ///
    /// Words of two languages never agree, so where claim and caller have one each, only names and literals are held to the
    /// caller's (docs/decisions/0115).
    fn tells(&self, claim: &ClaimText<'_>, sums: &[Sum]) -> bool {
        let has_german_nouns = claim.words == InWords::Of(GERMAN);
        let told = match claim.supposes && !claim.seller_texts.is_empty() {
            true => &claim.answers,
            false => &claim.texts,
        };
        let in_another_language = self.is_in_another_language(claim, told);
        let names_stand = |text: &Cow<'_, str>| self.given.knows_names(text, has_german_nouns);
        // A proposal is not in the caller's words: it must speak of what they do, and name nobody else.
        if claim.proposes {
            let mut texts = claim.texts.iter();
            return texts.all(|text| match in_another_language {
                true => names_stand(text),
                false => self.given.is_named_by(text, has_german_nouns),
            });
        }
        // A sum of the caller's numbers says what its formula does, and names nobody else.
        if let Some(own) = claim.formula {
            let texts = || claim.texts.iter();
            if !texts().all(names_stand) {
                return false;
            }
            let stands = sums.iter().any(|sum| is_sum_of(sum, own));
            if in_another_language {
                return stands;
            }
            if stands && texts().all(|text| self.given.tells_of_a_sum(text)) {
                return true;
            }
        }
        told.iter().all(|text| match in_another_language {
            true => names_stand(text),
            false => self.given.tells(text),
        })
    }

    fn is_in_another_language(&self, claim: &ClaimText<'_>, told: &[Cow<'_, str>]) -> bool {
        let InWords::Of(language) = claim.words else {
            return false;
        };
        let texts = told.iter().map(|text| &**text);
        self.given.is_told_in_another_language(texts, language)
    }

    pub(super) fn provided(
        &self,
        claim: &ClaimText<'_>,
        basis: &DraftBasis,
    ) -> Result<VerifiedClaim, Dropped> {
        let texts: Vec<&Cow<'_, str>> = claim.texts.iter().filter(|t| !t.is_empty()).collect();
        let given = [self.given.literals()];
        let sums = self.sums(basis, &[]);
        let reading = Reading {
            words: claim.words,
            sums: &sums,
            lists: &[],
            things: &[],
            stop: Some(self.stop),
        };
        let confidence = if texts.is_empty() {
            return Err(Dropped::NotProvided);
        } else if texts.iter().all(|text| self.given.holds(text)) {
            Confidence::High
        } else if !(claim.of_seller && self.tells(claim, &sums)) {
            return Err(Dropped::NotProvided);
        } else if texts
            .iter()
            .any(|text| Literals::first_missing_of(text, &given, reading).is_some())
        {
            return Err(Dropped::Invented);
        } else {
            // Code cannot tell whether other words mean the same.
            Confidence::Low
        };
        let reasoning = reasoning(basis, &given, &sums);
        Ok(VerifiedClaim {
            basis: Basis::Provided,
            confidence,
            reasoning,
            sources: Vec::new(),
            excerpts: Vec::new(),
        })
    }
}
