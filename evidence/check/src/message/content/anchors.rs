//! What values and stated facts rest on, and which of them rest on nothing.

use std::ops::Range;

use gtm_domain::message::compliance::{Anchor, AnchorKind, CheckKey, CheckOutcome, ContentCheck};
use gtm_domain::message::values::mended_at;
use gtm_domain::message::{Placeholder, ValueSource};
use gtm_lexicon::PhrasesByLanguage;
use gtm_lexicon::messages::{AUTHORITIES, PARTNERSHIPS, RECOGNITIONS};
use gtm_lexicon::prose::WE;
use gtm_page_text::normalize;
use serde_json::json;

use super::super::CitedEvidence;
use super::super::facts::RestsOn;
use super::super::filled::Paragraph;
use super::super::passage::{Part, Passage, Source, Word, found};
use super::super::results::results;
use super::super::said_by::{is_hook, is_name, is_signing};
use super::super::sentences_in_names::has_sentence;
use super::{Hit, Reader, result};
use crate::caseless::caseless;

/// What parts a name from what is said beside it.
const BESIDE: [char; 8] = ['(', '[', ',', ';', ':', '–', '—', '|'];

/// What a value rests on.
struct Ground {
    kind: AnchorKind,
    reference: String,
}

impl<'r> Reader<'r> {
    /// What a value rests on; none if nothing bears it out.
    fn ground(&self, placeholder: Placeholder, text: &str) -> Option<Ground> {
        let evidence = |record: &CitedEvidence<'_>| Ground {
            kind: AnchorKind::Evidence,
            reference: record.id.to_string(),
        };
        match placeholder.source() {
            ValueSource::Evidence => self.record_of(placeholder, text).map(evidence),
            ValueSource::Offer => self.offer_says(placeholder, text).then(|| Ground {
                kind: AnchorKind::Offer,
                reference: self.given.offer.reference.to_owned(),
            }),
            ValueSource::Prospect
            | ValueSource::Company
            | ValueSource::Caller
            | ValueSource::Policy => {
                let given = self.given.values.get(placeholder.name())?;
                (normalize(given) == normalize(text)).then(|| Ground {
                    kind: AnchorKind::ApprovedValue,
                    reference: placeholder.name().to_owned(),
                })
            }
        }
    }

    pub(super) fn record_of(
        &self,
        placeholder: Placeholder,
        text: &str,
    ) -> Option<&CitedEvidence<'r>> {
        let said = caseless(text);
        let with_hook = |record: &&CitedEvidence<'_>| {
            let hook = record.hook.is_some_and(|hook| caseless(hook) == said);
            hook || (!said.is_empty() && caseless(record.excerpt).contains(&said))
        };
        let mut records = self.given.evidence.iter();
        match placeholder {
            Placeholder::EvidenceHook => records.find(with_hook),
            Placeholder::EvidenceSourceLabel => records.find(|record| {
                let label = record.source_label.map(caseless);
                label.is_some_and(|label| label == said)
            }),
            // The day is the record's own, in the words of a language; what it tells about is the hook.
            _ => records.find(|record| record.hook.is_some()),
        }
    }

    /// A value of the offer is in its words. Its page's host is on the offer's list, which the gates look at.
    fn offer_says(&self, placeholder: Placeholder, text: &str) -> bool {
        if placeholder == Placeholder::OfferUrl {
            let given = self.given.values.get(placeholder.name());
            return given.is_some_and(|given| normalize(given) == normalize(text));
        }
        let said = caseless(text);
        let texts = self.given.offer.texts.iter();
        !said.is_empty()
            && texts
                .map(|text| caseless(text))
                .any(|text| text.contains(&said))
    }

    /// Values of these sources that rest on nothing, and stated facts of these forms that do.
    fn loose(&self, of_evidence: bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (paragraph, part, placeholder, text) in self.values() {
            let evidence = placeholder.source() == ValueSource::Evidence;
            let loose =
                self.ground(placeholder, text).is_none() || self.claims(&paragraph.passage, part);
            if evidence == of_evidence && loose {
                hits.push(Hit::of(self.filled, paragraph, &part.range));
            } else if of_evidence && is_hook(part.source) {
                let unborne = self.unborne_by_its_excerpt(part, text);
                hits.extend(self.hits(paragraph, &unborne));
            }
        }
        for (paragraph, fact) in &self.stated {
            let evidence = fact.form.is_of_reader();
            if evidence == of_evidence && fact.rests_on.is_none() {
                hits.push(Hit::of(self.filled, paragraph, &fact.sentence));
            }
        }
        hits.extend(self.loose_asks(of_evidence));
        hits.sort_by_key(Hit::begins_at);
        hits.extend(self.loose_first(of_evidence));
        hits
    }

    /// The same of subject and preview text: they are validated as the body is (specification, rule 8).
    fn loose_first(&self, of_evidence: bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (pointer, line, stated) in &self.stated_first {
            let values = line.parts.iter().filter(|part| match part.source {
                Source::Value(placeholder) => {
                    let text = line.text.get(part.range.clone()).unwrap_or_default();
                    let evidence = placeholder.source() == ValueSource::Evidence;
                    evidence == of_evidence && self.ground(placeholder, text).is_none()
                }
                _ => false,
            });
            let values = values.map(|part| &part.range);
            let facts = stated
                .iter()
                .filter(|fact| fact.form.is_of_reader() == of_evidence && fact.rests_on.is_none());
            let loose = values.chain(facts.map(|fact| &fact.sentence));
            hits.extend(loose.map(|range| Hit::of_line(pointer, line, range)));
        }
        hits
    }

    /// Whether what says who writes claims something that the offer does not say: in the words of a seller or of somebody
    /// who noticed something, or in words of a result that speak of the reader or the writer. `Head of energy saving` does
    /// not.
    fn claims(&self, passage: &Passage, part: &Part) -> bool {
        if !is_signing(part.source) {
            return false;
        }
        let given = passage.text.get(part.range.clone()).unwrap_or_default();
        if self.speaks_to_reader(passage, part) || has_sentence(given, self.vocabulary) {
            return true;
        }
        let words = passage.words_of(part);
        if claims_a_backing(&words, part.source) {
            return !self.texts.say(passage, &words, &self.vocabulary.language);
        }
        let has = |phrases| !found(&words, phrases).is_empty();
        let claims = has(self.vocabulary.seller_claims)
            || has(self.vocabulary.observations)
            || (!results(passage, &words, self.vocabulary).is_empty() && {
                let printed = words.iter();
                let printed = printed.filter_map(|word| passage.text.get(word.range.clone()));
                self.vocabulary.speaks_of_persons(printed)
            });
        claims && !self.texts.say(passage, &words, &self.vocabulary.language)
    }

    /// Whether who signs speaks to the reader instead of saying who he is: a role does with `your`, a name with what stands
    /// beside it, `(we met in Leeds)`. DANGER: it pretends an acquaintance, and no evidence tells of one.
    fn speaks_to_reader(&self, passage: &Passage, part: &Part) -> bool {
        let whole = passage.text.get(part.range.clone()).unwrap_or_default();
        let is_role = part.source == Source::Value(Placeholder::SenderRole);
        // `You`, `Our` and `Sie` are names as well.
        let from = match is_role {
            true => 0,
            false if is_name(part.source) => whole.find(BESIDE).unwrap_or(whole.len()),
            false => return false,
        };
        let words = whole.get(from..).unwrap_or_default();
        let words = words.split(|c: char| !c.is_alphanumeric() && !"'’".contains(c));
        let mut words = words.filter(|word| word.chars().any(char::is_lowercase));
        let we = WE.of(&self.vocabulary.language);
        let of_writer = |word: &str| we.contains(&word.to_lowercase());
        let of_reader = self.vocabulary.you_and_we(words.clone());
        of_reader.is_some_and(|(you, _)| you > 0) || (!is_role && words.any(of_writer))
    }

    pub(super) fn evidence_anchors(&self) -> ContentCheck {
        let mut loose = self.loose(true);
        for (pointer, line) in self.shown_first() {
            for part in line.parts.iter().filter(|part| is_hook(part.source)) {
                let text = line.text.get(part.range.clone()).unwrap_or_default();
                let unborne = self.unborne_by_its_excerpt(part, text).into_iter();
                loose.extend(unborne.map(|range| Hit::of_line(pointer, line, &range)));
            }
        }
        none_of(CheckKey::EvidenceAnchors, loose)
    }

    pub(super) fn approved_value_anchors(&self) -> ContentCheck {
        let mut loose = self.loose(false);
        for (pointer, line) in self.shown_first() {
            let claims = line.parts.iter().filter(|part| self.claims(line, part));
            loose.extend(claims.map(|part| Hit::of_line(pointer, line, &part.range)));
        }
        let mut check = none_of(CheckKey::ApprovedValueAnchors, loose);
        let is_notice = |placeholder| placeholder == Placeholder::CompliancePrivacyNotice;
        let told = (self.values()).any(|(.., name, text)| is_notice(name) && !text.is_empty());
        if self.given.privacy_notice_required && !told {
            check.outcome = CheckOutcome::Failed;
            check.observed = Some(json!("no privacy notice"));
            check.mend = check
                .mend
                .or(mended_at(Placeholder::CompliancePrivacyNotice));
            if check.pointers.is_empty() {
                check.pointers.push("/blocks".to_owned());
            }
        }
        check
    }

    /// What the parts of the body rest on, in their order.
    pub(super) fn anchors(&self) -> Vec<Anchor> {
        let anchor = |paragraph: &Paragraph, range: &Range<usize>, ground: Ground| {
            let span = self.filled.span(paragraph, range);
            Anchor {
                start: span.start,
                end: span.end,
                kind: ground.kind,
                reference: ground.reference,
            }
        };
        let values = self
            .values()
            .filter_map(|(paragraph, part, placeholder, text)| {
                let ground = self.ground(placeholder, text)?;
                Some(anchor(paragraph, &part.range, ground))
            });
        let said = self
            .stated
            .iter()
            .filter(|(_, fact)| fact.rests_on == Some(RestsOn::ApprovedText));
        let said = said.map(|(paragraph, fact)| {
            let ground = Ground {
                kind: AnchorKind::Offer,
                reference: self.given.offer.reference.to_owned(),
            };
            anchor(paragraph, &fact.sentence, ground)
        });
        let mut all: Vec<Anchor> = values.chain(said).collect();
        all.sort_by_key(|anchor| (anchor.start, anchor.end));
        all
    }
}

/// Whether who signs says that somebody stands behind him: `Official Tax Office Partner`. An authority, a word of recognition
/// and a word of partnership each say little alone (`Official Charts Company`, `Leeds City Council`), and two of them do; in
/// a role one is an authority, since a firm has managers of its authorized dealers. Names are in any language.
fn claims_a_backing(words: &[Word], source: Source) -> bool {
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let has = |lists: &'static PhrasesByLanguage| {
        let mut lists = lists.iter();
        lists.any(|(_, phrases)| phrases.any_in(&bare))
    };
    let is_role = source == Source::Value(Placeholder::SenderRole);
    let (recognized, partner) = (has(&RECOGNITIONS), has(&PARTNERSHIPS));
    let of_authority = (recognized || partner) && has(&AUTHORITIES);
    of_authority || (!is_role && recognized && partner)
}

/// A check that passes if nothing was found.
fn none_of(check: CheckKey, hits: Vec<Hit>) -> ContentCheck {
    let count = hits.len();
    result(check, count == 0, json!(count), json!(0), hits)
}
