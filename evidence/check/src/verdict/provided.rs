//! Claims that rest on what the caller says alone.

use std::borrow::Cow;

use gtm_domain::evidence::{Basis, Confidence};
use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::InWords;

use super::{ClaimChecker, ClaimText, Dropped, VerifiedClaim, reasoning};
use crate::basis::{DraftBasis, SecondReading};
use crate::caller_input::is_sum_of;
use crate::literals::{Literals, Reading};

/// The language whose nouns have capitals.
const GERMAN: &str = "de";

/// The texts that must be the caller's; of a claim that supposes something, how it answers that.
fn told<'t, 'c>(claim: &'t ClaimText<'c>) -> &'t [Cow<'c, str>] {
    match claim.supposes && !claim.seller_texts.is_empty() {
        true => &claim.answers,
        false => &claim.texts,
    }
}

impl ClaimChecker<'_> {
    /// Whether the caller's words speak of what a claim says; of one that supposes something, of how it answers that. An
    /// answer that says nothing of the seller is none, so the whole claim must be the caller's.
    ///
    /// Words of two languages never agree, so where claim and caller have one each, a second reader has to have compared them,
    /// and code holds only names and literals to the caller's (docs/decisions/0115, 0123).
    fn tells(
        &self,
        claim: &ClaimText<'_>,
        sums: &[Sum],
        in_another_language: bool,
        is_read: bool,
    ) -> bool {
        let has_german_nouns = claim.words == InWords::Of(GERMAN);
        let told = told(claim);
        let names_stand = |text: &Cow<'_, str>| self.given.knows_names(text, has_german_nouns);
        // A proposal is not in the caller's words: it must speak of what they do, which a reader tells better than words in common,
        // and name nobody else.
        if claim.proposes {
            let mut texts = claim.texts.iter();
            return texts.all(|text| match in_another_language || is_read {
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

    fn is_in_another_language(&self, claim: &ClaimText<'_>) -> bool {
        let InWords::Of(language) = claim.words else {
            return false;
        };
        let texts = told(claim).iter().map(|text| &**text);
        self.given.is_told_in_another_language(texts, language)
    }

    /// Whether a claim names nobody whom the caller does not name.
    fn names_nobody_else(&self, claim: &ClaimText<'_>) -> bool {
        let has_german_nouns = claim.words == InWords::Of(GERMAN);
        let mut texts = told(claim).iter();
        texts.all(|text| self.given.knows_names(text, has_german_nouns))
    }

    /// How sure it is that a claim tells in other words what the caller says of the seller.
    ///
    /// Code compares words, which a good paraphrase lacks and a lie may have; a reader compares what they mean. So what a reader
    /// found to be said needs no word of the caller's, and what no reader saw needs half of them.
    fn in_other_words(
        &self,
        claim: &ClaimText<'_>,
        sums: &[Sum],
        read: Option<SecondReading>,
    ) -> Result<Confidence, Dropped> {
        if !claim.of_seller {
            return Err(Dropped::NotProvided);
        }
        let in_another_language = self.is_in_another_language(claim);
        let is_supported = read == Some(SecondReading::Supported);
        if self.tells(claim, sums, in_another_language, read.is_some()) {
            return match (in_another_language, read) {
                (true, None) => Err(Dropped::Unread),
                (_, Some(SecondReading::Supported)) => Ok(Confidence::Medium),
                _ => Ok(Confidence::Low),
            };
        }
        match is_supported && self.names_nobody_else(claim) {
            true => Ok(Confidence::Low),
            false => Err(Dropped::NotProvided),
        }
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
        } else {
            let confidence = self.in_other_words(claim, &sums, basis.second_reading)?;
            let is_missing =
                |text: &&Cow<'_, str>| Literals::first_missing_of(text, &given, reading).is_some();
            if texts.iter().any(is_missing) {
                return Err(Dropped::Invented);
            }
            confidence
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
