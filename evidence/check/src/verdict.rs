//! Judges one claim: keeps it with a confidence, or drops it with a reason.

mod provided;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::ReceiptId;
use gtm_domain::evidence::{Basis, Confidence, SourceKind, Support, confidence};
use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::{Forms, InWords};

use super::basis::DraftBasis;
use super::caller_input::{CallerInput, has_a_third};
use super::caseless::caseless;
use super::cited_things::cited_things;
use super::library::{Library, Stored};
use super::literals::{Literals, Reading};
use super::origin::site_of;
use super::stop_flag::StopFlag;

/// Longest reasoning that a result shows, in characters.
const REASONING_CHARS: usize = 500;
/// An excerpt shorter than this proves nothing by occurring in a source: it must be part of the claim.
const SHORT_EXCERPT_CHARS: usize = 12;
/// An excerpt shorter than this must be a whole line of the source.
const TINY_EXCERPT_CHARS: usize = 4;

/// Whether a claim must use its sources' words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wording {
    /// The words are the backend's own: a verified excerpt is enough.
    #[default]
    Paraphrase,
    /// The words are quoted: each text must occur in a verified excerpt, or the claim is only inferred.
    Verbatim,
}

/// The parts of a claim that the judgement needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimText<'c> {
    /// Its free texts, without the values of enumerations.
    pub texts: Vec<Cow<'c, str>>,
    /// Quotations that support the claim in other words (a country's name, a legal form). If there are texts
    /// too, all of the texts must be supported, and one of these if there are any.
    pub aliases: Vec<Cow<'c, str>>,
    pub wording: Wording,
    /// Whether its own words may tell what verified excerpts say, as a second reader confirmed: then it is observed.
    pub retold: bool,
    /// For a headcount range: the bounds between which a number of the evidence must lie. The range's own
    /// text is then a label, which no page prints.
    pub range: Option<(u64, u64)>,
    /// Which of its numbers in words need evidence.
    pub words: InWords<'c>,
    /// Whether it may tell in other words what the caller says of the seller.
    pub of_seller: bool,
    /// Whether what it does not say of the seller is a supposition that no evidence is asked for: an objection to expect.
    pub supposes: bool,
    /// Whether it proposes what to do.
    pub proposes: bool,
    /// For a sum: its formula with the result, `9*12=108`.
    pub formula: Option<&'c str>,
    /// Members that speak of the seller's product. What stands only on the target's pages is no property of it.
    pub seller_texts: Vec<Cow<'c, str>>,
    /// Those members together with the ones that speak of the target: what a supposition is answered with.
    pub answers: Vec<Cow<'c, str>>,
}

impl ClaimText<'_> {
    /// Whether an excerpt contains one of the texts, or a number within the range.
    fn carried_by(&self, excerpt: &str) -> bool {
        match self.range {
            Some(range) => Literals::of(excerpt).has_integer(range),
            None => self
                .texts
                .iter()
                .chain(&self.aliases)
                .any(|text| stands_in(text, excerpt)),
        }
    }
    /// Whether every text occurs in one of the excerpts.
    fn stand_in(&self, excerpts: &[Found], stop: &StopFlag) -> bool {
        match self.range {
            Some(_) => excerpts.iter().any(|e| self.carried_by(&e.text)),
            None => {
                let stands = |text: &Cow<'_, str>| {
                    !stop.is_raised() && excerpts.iter().any(|e| stands_in(text, &e.text))
                };
                !(self.texts.is_empty() && self.aliases.is_empty())
                    && self.texts.iter().all(stands)
                    && (self.aliases.is_empty() || self.aliases.iter().any(stands))
            }
        }
    }
}

/// Whether the words occur in the text as whole words, ignoring case and white space.
#[must_use]
pub fn stands_in(words: &str, text: &str) -> bool {
    let (words, text) = (caseless(words), caseless(text));
    !words.is_empty() && occurrence(&text, &words).is_some()
}

/// Byte offset of the first occurrence of `words` that is not part of a longer word.
fn occurrence(text: &str, words: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find(words).map(|at| at + from) {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        let open = |edge: Option<char>, next: Option<char>| {
            !(edge.is_some_and(is_spaced) && next.is_some_and(is_spaced))
        };
        if open(words.chars().next(), before) && open(words.chars().next_back(), after) {
            return Some(at);
        }
        from = at + words.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// Whether this is a letter or digit of a script that separates words by spaces (up to Armenian and
/// Cyrillic).
fn is_spaced(letter: char) -> bool {
    letter.is_alphanumeric() && u32::from(letter) < 0x590
}

/// A claim that passed the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedClaim {
    pub basis: Basis,
    pub confidence: Confidence,
    /// The backend's reason, if it contains nothing made up.
    pub reasoning: Option<String>,
    /// Sources in order of citation, without duplicates.
    pub sources: Vec<ReceiptId>,
    /// Verified excerpts in order of citation, without duplicates.
    pub excerpts: Vec<Found>,
}

/// A verified excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub receipt: ReceiptId,
    /// Normal form of the excerpt.
    pub text: String,
    /// Code points `[start, end)` in the source's extracted text.
    pub range: (usize, usize),
}

/// Why a claim was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dropped {
    /// No basis entry names it.
    NoBasis,
    /// No cited source of this job supports it.
    Unsupported,
    /// It is said to come from the caller, but the caller did not say it.
    NotProvided,
    /// It tells in another language what the caller says, and no second reader compared the two.
    Unread,
    /// It contains a number, link or address that occurs nowhere in its evidence.
    Invented,
    /// It differs from what the stored bytes show.
    NotSeen,
    /// It is not a possible value of its field.
    Malformed,
    /// It makes a claim that the offer forbids, or in a document one that the guideline restricts.
    Forbidden,
    /// It quotes words that stand nowhere in its evidence.
    Misquoted,
}

impl Dropped {
    /// The reason as the end of a sentence for the reader of the result.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::NoBasis => "no evidence was given",
            Self::Unsupported => "the cited evidence could not be verified in the fetched sources",
            Self::NotProvided => "it was said to come from the request, which does not contain it",
            Self::Unread => {
                "the request is in another language, and no second reader compared it with that"
            }
            Self::Invented => {
                "it contains a number, link or address that is in none of its sources"
            }
            Self::NotSeen => "the fetched sources do not show it",
            Self::Malformed => "it is not a possible value",
            Self::Forbidden => "the offer forbids the claim",
            Self::Misquoted => "it quotes words that are in none of its sources",
        }
    }
}

/// Judges claims by these stored answers and given words.
pub struct ClaimChecker<'a> {
    pub library: &'a Library,
    /// The confirmed kind of each source.
    pub kinds: &'a BTreeMap<ReceiptId, SourceKind>,
    /// The caller's words.
    pub given: &'a CallerInput,
    /// Ends the check early: what it finds then does not matter any more.
    pub stop: &'a StopFlag,
}

impl ClaimChecker<'_> {
    /// Judges a claim by its basis.
    ///
    /// # Errors
    /// The reason for dropping it.
    pub fn judge(
        &self,
        claim: &ClaimText<'_>,
        basis: Option<&DraftBasis>,
    ) -> Result<VerifiedClaim, Dropped> {
        let draft = basis.ok_or(Dropped::NoBasis)?;
        if self.stop.is_raised() {
            return Err(Dropped::Unsupported);
        }
        if draft.basis == Basis::Provided {
            return self.provided(claim, draft);
        }
        let mut excerpts = self.excerpts(claim, draft);
        let mut basis = draft.basis;
        if claim.wording == Wording::Verbatim && basis != Basis::Inferred {
            if claim.stand_in(&excerpts, self.stop) {
                // An excerpt that says nothing of the claim does not support it.
                excerpts.retain(|excerpt| claim.carried_by(&excerpt.text));
            } else if basis == Basis::Stated && excerpts.is_empty() {
                return Err(Dropped::Unsupported);
            } else if !(claim.retold && basis == Basis::Observed && retells(claim, &excerpts)) {
                basis = Basis::Inferred;
            }
        }
        let cited = self.cited(&excerpts, draft);
        let support: Vec<Support<'_>> = cited
            .iter()
            .map(|stored| Support {
                kind: self.kind(stored),
                domain: site_of(&stored.receipt.host),
                excerpt: excerpts.iter().any(|e| e.receipt == stored.receipt.id),
            })
            .collect();
        let confidence = confidence(basis, &support).ok_or(Dropped::Unsupported)?;
        let mut evidence: Vec<&Literals> = cited.iter().map(|stored| &stored.literals).collect();
        evidence.push(self.given.literals());
        let sums = self.sums(draft, &excerpts);
        let lists: Vec<&str> = excerpts.iter().map(|e| e.text.as_str()).collect();
        let things = cited_things(self.library, draft);
        let reading = Reading {
            words: claim.words,
            sums: &sums,
            lists: &lists,
            things: &things,
            stop: Some(self.stop),
        };
        let stand = |texts: &[Cow<'_, str>], evidence: &[&Literals]| {
            texts
                .iter()
                .all(|text| Literals::first_missing_of(text, evidence, reading).is_none())
        };
        let supported = match claim.range {
            Some(range) => evidence.iter().any(|e| e.has_integer(range)),
            None => {
                stand(&claim.texts, &evidence)
                    && stand(&claim.seller_texts, &[self.given.literals()])
            }
        };
        if !supported {
            return Err(Dropped::Invented);
        }
        Ok(VerifiedClaim {
            basis,
            confidence,
            reasoning: reasoning(draft, &evidence, &sums),
            sources: cited.iter().map(|stored| stored.receipt.id).collect(),
            excerpts,
        })
    }

    /// The sums of a basis that are right and whose numbers stand in its verified excerpts or in the caller's words. A sum
    /// of one claim proves no number of another.
    fn sums(&self, basis: &DraftBasis, excerpts: &[Found]) -> Vec<Sum> {
        if basis.derivations.is_empty() {
            return Vec::new();
        }
        let quoted = Literals::of_all(excerpts.iter().map(|excerpt| excerpt.text.as_str()));
        let evidence: [&dyn Forms; 2] = [&quoted, self.given.literals()];
        let read: Vec<Sum> = (basis.derivations.iter())
            .filter_map(|sum| Sum::read(&sum.formula, &sum.result))
            .collect();
        let mut standing: Vec<Sum> = Vec::new();
        let mut others: Vec<&Sum> = Vec::new();
        for sum in &read {
            match sum.standing_in(&evidence) {
                Some(sum) => standing.push(sum),
                None => others.push(sum),
            }
        }
        // A sum may go on from the result of one that stands; further steps are not followed.
        let results = Literals::of_all(standing.iter().map(|sum| sum.result.as_str()));
        let with_results: [&dyn Forms; 3] = [&quoted, self.given.literals(), &results];
        let further = others.into_iter();
        let further: Vec<Sum> = further
            .filter_map(|sum| sum.standing_in(&with_results))
            .collect();
        standing.extend(further);
        standing
    }

    /// The confirmed kind of a source.
    #[must_use]
    pub fn kind(&self, stored: &Stored) -> SourceKind {
        let kind = self.kinds.get(&stored.receipt.id).copied();
        kind.unwrap_or(SourceKind::Other)
    }

    /// The quotations of a basis that occur in their sources, without duplicates.
    #[must_use]
    pub fn excerpts(&self, claim: &ClaimText<'_>, basis: &DraftBasis) -> Vec<Found> {
        let mut excerpts: Vec<Found> = Vec::new();
        for cited in &basis.excerpts {
            if self.stop.is_raised() {
                break;
            }
            let found = self
                .library
                .find(&cited.receipt_id)
                .and_then(|stored| find(stored, &cited.text, claim));
            if let Some(found) = found
                && !excerpts.contains(&found)
            {
                excerpts.push(found);
            }
        }
        excerpts
    }

    /// The sources of the excerpts, then those that the basis names, without duplicates.
    #[must_use]
    pub fn cited(&self, excerpts: &[Found], basis: &DraftBasis) -> Vec<&Stored> {
        let quoted = excerpts.iter().map(|e| e.receipt.to_string());
        let mut seen = BTreeSet::new();
        quoted
            .chain(basis.receipt_ids.iter().cloned())
            .filter_map(|id| self.library.find(&id))
            .filter(|stored| seen.insert(stored.receipt.id))
            .collect()
    }
}

/// Whether excerpts speak of what a claim says in other words.
fn retells(claim: &ClaimText<'_>, excerpts: &[Found]) -> bool {
    let told = claim.texts.iter().map(|text| &**text);
    !excerpts.is_empty() && has_a_third(told, excerpts.iter().map(|e| e.text.as_str()))
}

fn find(stored: &Stored, excerpt: &str, claim: &ClaimText<'_>) -> Option<Found> {
    let text = gtm_page_text::normalize(excerpt);
    let length = text.chars().count();
    let range = if length >= SHORT_EXCERPT_CHARS {
        stored.find(&text)?
    } else {
        let needle = text.to_lowercase();
        let mut texts = claim.texts.iter().chain(&claim.aliases);
        let part_of_claim = texts.any(|t| t.to_lowercase().contains(&needle));
        // A range is a label: its number is never part of its text.
        let wording = match claim.range {
            Some(_) => Wording::Verbatim,
            None => claim.wording,
        };
        match wording {
            Wording::Paraphrase if part_of_claim => stored.find(&text)?,
            // A year, a code or two letters occur in any page by chance. They count only as a whole line,
            // such as a member of structured data.
            Wording::Verbatim
                if length < TINY_EXCERPT_CHARS && text.is_ascii()
                    || text.chars().all(char::is_numeric) =>
            {
                (part_of_claim || claim.range.is_some()).then_some(())?;
                find_line(&stored.text, &text)?
            }
            Wording::Verbatim if part_of_claim || claim.carried_by(&text) => {
                find_bounded(&stored.text, &text)?
            }
            Wording::Paraphrase | Wording::Verbatim => return None,
        }
    };
    Some(Found {
        receipt: stored.receipt.id,
        text,
        range,
    })
}

/// Code points `[start, end)` of the first line that is exactly these words.
fn find_line(text: &str, words: &str) -> Option<(usize, usize)> {
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.chars().count();
        if line == words {
            return Some((start, end));
        }
        start = end + 1;
    }
    None
}

/// Code points `[start, end)` of the first occurrence that is not part of a longer word.
fn find_bounded(text: &str, words: &str) -> Option<(usize, usize)> {
    let at = occurrence(text, words)?;
    let start = text[..at].chars().count();
    Some((start, start + words.chars().count()))
}

fn reasoning(basis: &DraftBasis, evidence: &[&Literals], sums: &[Sum]) -> Option<String> {
    let text = gtm_page_text::normalize(basis.reasoning.as_deref()?);
    let text: String = text.chars().take(REASONING_CHARS).collect();
    // The reasoning may show the formulas with their constants.
    let mut told = text.clone();
    for sum in sums {
        let stated = format!("{}={}", sum.formula, sum.result);
        told = told.replace(&stated, " ").replace(&sum.formula, " ");
    }
    let reading = Reading {
        sums,
        ..Reading::PLAIN
    };
    (!text.is_empty() && Literals::first_missing_of(&told, evidence, reading).is_none())
        .then_some(text)
}
