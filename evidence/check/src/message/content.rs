//! The ten content checks of a message to one prospect, and what the parts of its body rest on.

use std::ops::Range;

use gtm_domain::message::compliance::{
    Anchor, AnchorKind, CheckKey, CheckOutcome, ContentCheck, Span,
};
use gtm_domain::message::{BlockKind, Placeholder, ValueSource};
use gtm_domain::offer::forbidden::first_forbidden;
use gtm_lexicon::numbers::{InWords, spans};
use gtm_page_text::normalize;
use serde_json::{Value, json};

use super::bare_addresses::{bare_addresses, is_of_link};
use super::facts::{ApprovedTexts, Fact, Form, RestsOn, facts};
use super::filled::{Filled, Paragraph, is_name, is_notice, is_praising, is_written};
use super::numbers::Approved;
use super::passage::{Part, Passage, Source, count_words, without_hidden_signs};
use super::template::is_message;
use super::vocabulary::Vocabulary;
use super::wording::{found, has_false_prefix, opens_urgently, superlatives, urgency};
use super::{CheckedMessage, CitedEvidence, MessageToCheck};
use crate::caseless::caseless;

/// Most words of a paragraph. Templates are held to 45 with values of usual length; a prospect's may be longer.
const BLOCK_WORDS: usize = 60;
/// Most code points of a subject. Templates are held to 50 with long values.
const SUBJECT_CHARS: usize = 70;

/// Checks the whole text of a message. Spans and anchors are places in the body, in code points.
#[must_use]
pub fn content_checks(message: &MessageToCheck<'_>) -> CheckedMessage {
    let vocabulary = Vocabulary::of(message.language);
    let filled = Filled::of(
        message.message,
        message.values,
        message.text_begins_at,
        &vocabulary,
    );
    let texts = ApprovedTexts::of(message.offer.texts.iter().map(String::as_str));
    let mut stated = Vec::new();
    for paragraph in filled.paragraphs.iter().filter(|it| is_message(it.kind)) {
        let of = facts(
            &paragraph.passage,
            &paragraph.sentences,
            &paragraph.asks,
            &texts,
            &vocabulary,
        );
        stated.extend(of.into_iter().map(|fact| (paragraph, fact)));
    }
    let reader = Reader {
        given: message,
        filled: &filled,
        vocabulary: &vocabulary,
        stated,
    };
    (reader.checks(), reader.anchors())
}

struct Reader<'r> {
    given: &'r MessageToCheck<'r>,
    filled: &'r Filled,
    vocabulary: &'r Vocabulary,
    /// Sentences that state a fact in the template's own words.
    stated: Vec<(&'r Paragraph, Fact)>,
}

/// What a value rests on.
struct Ground {
    kind: AnchorKind,
    reference: String,
}

impl<'r> Reader<'r> {
    fn checks(&self) -> Vec<ContentCheck> {
        CheckKey::ALL
            .into_iter()
            .map(|check| match check {
                CheckKey::EvidenceAnchors => self.evidence_anchors(),
                CheckKey::ApprovedValueAnchors => self.approved_value_anchors(),
                CheckKey::RecipientRelevance => self.recipient_relevance(),
                CheckKey::NumericClaims => self.numeric_claims(),
                CheckKey::WordLimit => self.word_limit(),
                CheckKey::LinkLimit => self.link_limit(),
                CheckKey::SingleCta => self.single_cta(),
                CheckKey::MobileStructure => self.mobile_structure(),
                CheckKey::ProhibitedLanguage => self.prohibited_language(),
                CheckKey::OptOutFinal => self.opt_out_final(),
            })
            .collect()
    }

    fn message(&self) -> impl Iterator<Item = &'r Paragraph> {
        let paragraphs = self.filled.paragraphs.iter();
        paragraphs.filter(|paragraph| is_message(paragraph.kind))
    }

    /// Subject and preview text, which a mailbox shows before the message is opened.
    fn shown_first(&self) -> [&'r Passage; 2] {
        [&self.filled.subject, &self.filled.preview]
    }

    /// The values of the whole text, with their words.
    fn values(&self) -> impl Iterator<Item = (&'r Paragraph, &'r Part, Placeholder, &'r str)> {
        self.filled.paragraphs.iter().flat_map(|paragraph| {
            paragraph
                .passage
                .parts
                .iter()
                .filter_map(move |part| match part.source {
                    Source::Value(placeholder) => {
                        let text = paragraph.passage.text.get(part.range.clone());
                        Some((paragraph, part, placeholder, text.unwrap_or_default()))
                    }
                    _ => None,
                })
        })
    }

    fn spans(&self, paragraph: &Paragraph, ranges: &[Range<usize>]) -> Vec<Span> {
        ranges
            .iter()
            .map(|range| self.filled.span(paragraph, range))
            .collect()
    }

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

    fn record_of(&self, placeholder: Placeholder, text: &str) -> Option<&CitedEvidence<'r>> {
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
    fn loose(&self, of_evidence: bool) -> Vec<Span> {
        let mut found = Vec::new();
        for (paragraph, part, placeholder, text) in self.values() {
            let evidence = placeholder.source() == ValueSource::Evidence;
            if evidence == of_evidence && self.ground(placeholder, text).is_none() {
                found.push(self.filled.span(paragraph, &part.range));
            }
        }
        for (paragraph, fact) in &self.stated {
            let evidence = fact.form == Form::Observation;
            if evidence == of_evidence && fact.rests_on.is_none() {
                found.push(self.filled.span(paragraph, &fact.sentence));
            }
        }
        found.sort_by_key(|span| span.start);
        found
    }

    fn evidence_anchors(&self) -> ContentCheck {
        none_of(CheckKey::EvidenceAnchors, self.loose(true))
    }

    fn approved_value_anchors(&self) -> ContentCheck {
        let mut check = none_of(CheckKey::ApprovedValueAnchors, self.loose(false));
        let is_notice = |placeholder| placeholder == Placeholder::CompliancePrivacyNotice;
        let told = (self.values()).any(|(.., name, text)| is_notice(name) && !text.is_empty());
        if self.given.privacy_notice_required && !told {
            check.outcome = CheckOutcome::Failed;
            check.observed = Some(json!("no privacy notice"));
        }
        check
    }

    fn recipient_relevance(&self) -> ContentCheck {
        let tells = |placeholder: &Placeholder| {
            matches!(
                placeholder,
                Placeholder::RecipientRole
                    | Placeholder::CompanyName
                    | Placeholder::CompanyIndustry
                    | Placeholder::CompanyLocation
                    | Placeholder::EvidenceHook
            )
        };
        let body = self
            .message()
            .flat_map(|paragraph| paragraph.passage.values());
        let count = body
            .chain(self.filled.subject.values())
            .filter(tells)
            .count();
        result(
            CheckKey::RecipientRelevance,
            count >= 1,
            json!(count),
            json!(1),
            Vec::new(),
        )
    }

    fn numeric_claims(&self) -> ContentCheck {
        let given = self.given;
        let offer = || given.offer.numbers.iter().map(String::as_str);
        let written = Approved::of(offer().chain([given.desired_next_step]));
        let of_offer = Approved::of(offer().chain(given.offer.texts.iter().map(String::as_str)));
        let of_evidence = Approved::of(given.evidence.iter().map(|record| record.excerpt));
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
        let is_role = |source: Source| source == Source::Value(Placeholder::SenderRole);
        let is_hook = |source: Source| source == Source::Value(Placeholder::EvidenceHook);
        let is_ask = |source: Source| source == Source::Value(Placeholder::NextStepAsk);
        let missing = |passage: &Passage| {
            let is_told = |source: Source| source.is_own() || is_role(source);
            let mut found = written.missing_in(passage, self.vocabulary, is_told);
            // What sells may be named like who sells it.
            found.extend(of_offer.missing_in(passage, self.vocabulary, is_offer));
            found.extend(of_offer.missing_in(passage, self.vocabulary, is_name));
            found.extend(of_evidence.missing_in(passage, self.vocabulary, is_hook));
            let asked = written.missing_in(passage, self.vocabulary, is_ask);
            found.extend(self.claims_of_ask(passage, asked));
            found.sort_by_key(|range| range.start);
            found
        };
        let mut places = Vec::new();
        for paragraph in &self.filled.paragraphs {
            places.extend(self.spans(paragraph, &missing(&paragraph.passage)));
        }
        let first = self.shown_first().into_iter();
        let count = places.len() + first.map(|line| missing(line).len()).sum::<usize>();
        result(
            CheckKey::NumericClaims,
            count == 0,
            json!(count),
            json!(0),
            places,
        )
    }

    /// Of the numbers of an ask, those that claim something. How long a call takes, and when, is its writer's to propose;
    /// but not next to words of a result.
    fn claims_of_ask(&self, passage: &Passage, numbers: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let asks =
            |source: Source| source.is_own() || source == Source::Value(Placeholder::NextStepAsk);
        let words = passage.words(asks);
        if numbers.is_empty() || !found(&words, self.vocabulary.results).is_empty() {
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

    fn word_limit(&self) -> ContentCheck {
        let (words, most) = (
            self.given.message.counts.words,
            self.given.options.max_words,
        );
        let fits = u32::try_from(words).is_ok_and(|words| words <= most);
        result(
            CheckKey::WordLimit,
            fits,
            json!(words),
            json!(most),
            Vec::new(),
        )
    }

    fn link_limit(&self) -> ContentCheck {
        let (links, most) = (
            self.given.message.counts.links,
            self.given.options.max_links,
        );
        let mut places = Vec::new();
        let mut of_links = 0;
        for paragraph in &self.filled.paragraphs {
            let passage = &paragraph.passage;
            let written = (0..passage.parts.len()).filter(|at| is_of_link(passage, *at));
            of_links += written.count();
            let bare = bare_addresses(passage, |at, source| {
                is_linked(source) || is_of_link(passage, at)
            });
            places.extend(self.spans(paragraph, &bare));
        }
        let first = self.shown_first().into_iter();
        let first: usize = first
            .map(|line| bare_addresses(line, |_, _| false).len())
            .sum();
        // More of them than there are links: some only look like what a renderer writes.
        let bare = places.len() + first + of_links.saturating_sub(links);
        let fits = u32::try_from(links).is_ok_and(|links| links <= most);
        let observed = match bare {
            0 => json!(links),
            _ => json!(format!("{links}, and {bare} addresses that are no links")),
        };
        result(
            CheckKey::LinkLimit,
            fits && bare == 0,
            observed,
            json!(most),
            places,
        )
    }

    fn single_cta(&self) -> ContentCheck {
        let mut count = 0;
        let mut places = Vec::new();
        for paragraph in &self.filled.paragraphs {
            for ask in &paragraph.asks {
                count += ask.times;
                places.push(self.filled.span(paragraph, &ask.sentence));
            }
        }
        // Whoever signs may not ask in the place of his role.
        for (paragraph, part, placeholder, text) in self.values() {
            let source = Source::Value(placeholder);
            let signs = is_name(source) || placeholder == Placeholder::SenderRole;
            if signs && text.contains(['?', '？', '؟']) {
                count += 1;
                places.push(self.filled.span(paragraph, &part.range));
            }
        }
        let passed = count == 1;
        if passed {
            places.clear();
        }
        result(CheckKey::SingleCta, passed, json!(count), json!(1), places)
    }

    fn mobile_structure(&self) -> ContentCheck {
        let subject = self.given.message.counts.subject_chars;
        let mut longest = 0;
        let mut places = Vec::new();
        for paragraph in self.message() {
            let words = count_words(&paragraph.passage.text);
            longest = longest.max(words);
            if words > BLOCK_WORDS {
                let whole = 0..paragraph.passage.text.len();
                places.push(self.filled.span(paragraph, &whole));
            }
        }
        let show = |words: usize, chars: usize| {
            json!(format!(
                "{words} words a paragraph, {chars} characters of the subject"
            ))
        };
        result(
            CheckKey::MobileStructure,
            places.is_empty() && subject <= SUBJECT_CHARS,
            show(longest, subject),
            show(BLOCK_WORDS, SUBJECT_CHARS),
            places,
        )
    }

    fn prohibited_language(&self) -> ContentCheck {
        let mut count = 0;
        let mut places = Vec::new();
        for paragraph in &self.filled.paragraphs {
            let mut hits = self.pressing(&paragraph.passage);
            // What the policy or the platform has to say claims nothing about the offer.
            let claims = paragraph.passage.without(is_notice);
            if self.is_forbidden(&claims) {
                hits.push(0..paragraph.passage.text.len());
            }
            hits.sort_by_key(|range| range.start);
            count += hits.len();
            places.extend(self.spans(paragraph, &hits));
        }
        for line in self.shown_first() {
            let words = line.words(is_written);
            count += self.pressing(line).len();
            count += usize::from(has_false_prefix(&line.text));
            count += usize::from(opens_urgently(&line.text, &words, self.vocabulary));
            count += usize::from(self.is_forbidden(&line.text));
        }
        result(
            CheckKey::ProhibitedLanguage,
            count == 0,
            json!(count),
            json!(0),
            places,
        )
    }

    /// Where a passage presses or praises.
    fn pressing(&self, passage: &Passage) -> Vec<Range<usize>> {
        let mut hits = urgency(&passage.words(is_written), self.vocabulary);
        hits.extend(superlatives(&passage.words(is_praising), self.vocabulary));
        hits
    }

    fn is_forbidden(&self, text: &str) -> bool {
        let lists = [
            &self.given.options.forbidden_claims[..],
            self.given.offer.forbidden_claims,
        ];
        lists
            .into_iter()
            .any(|claims| first_forbidden(claims, text).is_some())
    }

    fn opt_out_final(&self) -> ContentCheck {
        let notice = normalize(self.given.opt_out_notice);
        let last = self.filled.paragraphs.last();
        let is_notice = |paragraph: &&Paragraph| paragraph.kind == BlockKind::OptOut;
        let ends = last.filter(is_notice).is_some_and(|paragraph| {
            let only = paragraph
                .passage
                .parts
                .iter()
                .all(|part| part.source == Source::Value(Placeholder::ComplianceOptOut));
            let text = &paragraph.passage.text;
            only && self.given.message.text.ends_with(text.as_str())
                && !notice.is_empty()
                && normalize(text) == notice
        });
        let notices = self.filled.paragraphs.iter().filter(is_notice).count();
        let mut others = Vec::new();
        for paragraph in &self.filled.paragraphs {
            let words = paragraph.passage.words(is_written);
            let marks = found(&words, self.vocabulary.opt_out_phrases);
            others.extend(self.spans(paragraph, &marks));
        }
        let observed = match (ends, notices, others.is_empty()) {
            (true, 1, true) => "final",
            (_, 0, _) => "missing",
            (true, _, _) => "another notice",
            (false, _, _) => "not final",
        };
        result(
            CheckKey::OptOutFinal,
            observed == "final",
            json!(observed),
            json!("final"),
            others,
        )
    }

    /// What the parts of the body rest on, in their order.
    fn anchors(&self) -> Vec<Anchor> {
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

/// Whether the renderer makes a link of it, or it is a notice of the policy with its own address.
const fn is_linked(source: Source) -> bool {
    use Placeholder::{ComplianceOptOut, CompliancePrivacyNotice, NextStepUrl, OfferUrl};
    matches!(
        source,
        Source::Value(ComplianceOptOut | CompliancePrivacyNotice | NextStepUrl | OfferUrl)
    )
}

fn none_of(check: CheckKey, spans: Vec<Span>) -> ContentCheck {
    result(check, spans.is_empty(), json!(spans.len()), json!(0), spans)
}

fn result(
    check: CheckKey,
    passed: bool,
    observed: Value,
    limit: Value,
    spans: Vec<Span>,
) -> ContentCheck {
    ContentCheck {
        check,
        outcome: if passed {
            CheckOutcome::Passed
        } else {
            CheckOutcome::Failed
        },
        observed: Some(observed),
        limit: Some(limit),
        spans,
    }
}
