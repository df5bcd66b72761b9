//! A message to one prospect, as the tests change it.

use std::collections::BTreeMap;

use gtm_domain::message::compliance::{CheckKey, CheckOutcome, ContentCheck, Span};
use gtm_domain::message::render::render;
use gtm_domain::message::{
    Block, BlockKind, Href, Inline, Placeholder, RenderedMessage, Structure, TemplateOptions,
};
use gtm_domain::{Digest, EvidenceId};
use gtm_evidence_check::message::{
    CheckedMessage, CitedEvidence, MessageToCheck, OfferToRepeat, content_checks,
};

pub const HOOK: &str = "Your March notice says that the Canal Street block opens in June.";
pub const VALUE: &str = "One bill per flat from day one.";
pub const ASK: &str = "Is metering for the next block already contracted?";
/// Where the next step can be taken.
pub const BOOK: &str = "https://meters.example/book";
pub const NOTICE: &str = "Reply “stop” and you get no more messages from us.";

/// A part of a message: the template's own words, a value, or a link.
#[derive(Clone)]
pub enum Part {
    Own(&'static str),
    Value(Placeholder, &'static str),
    Link(&'static str, &'static str),
    /// A link to the next step.
    Step(&'static str),
}
pub use Part::{Link, Own, Step, Value};

pub struct Message {
    pub subject: Vec<Part>,
    pub blocks: Vec<(BlockKind, Vec<Part>)>,
    pub max_words: u32,
    pub max_links: u32,
    pub forbidden: Vec<String>,
    pub language: &'static str,
    pub notice: &'static str,
    pub text_begins_at: usize,
    pub preview: Vec<Part>,
    /// What the cited record says, and the sentence that was worded after it.
    pub excerpt: &'static str,
    pub hook: &'static str,
    pub privacy_notice_required: bool,
    pub company: &'static str,
    /// What greets where the recipient's name is missing.
    pub fallback: Vec<Part>,
    /// What the request gave as the sender's name.
    pub given_name: &'static str,
}

impl Message {
    pub fn good() -> Self {
        Self {
            subject: vec![
                Own("Metering at "),
                Value(Placeholder::CompanyName, "Acmé Estates"),
            ],
            blocks: vec![
                (
                    BlockKind::Greeting,
                    vec![
                        Own("Hello "),
                        Value(Placeholder::RecipientFirstName, "Zoë"),
                        Own(","),
                    ],
                ),
                (
                    BlockKind::EvidenceHook,
                    vec![Value(Placeholder::EvidenceHook, HOOK)],
                ),
                (
                    BlockKind::Value,
                    vec![Value(Placeholder::OfferValueProposition, VALUE)],
                ),
                (BlockKind::Proof, vec![Own("We bill 18,000 flats monthly.")]),
                (BlockKind::Cta, vec![Value(Placeholder::NextStepAsk, ASK)]),
                (
                    BlockKind::Signature,
                    vec![Value(Placeholder::SenderFullName, "Ana Reyes")],
                ),
                (
                    BlockKind::OptOut,
                    vec![Value(Placeholder::ComplianceOptOut, NOTICE)],
                ),
            ],
            max_words: 110,
            max_links: 1,
            forbidden: vec!["guaranteed savings".to_owned()],
            language: "en",
            notice: NOTICE,
            text_begins_at: 0,
            preview: Vec::new(),
            excerpt: "The Canal Street block opens in June, says the notice of March.",
            hook: HOOK,
            privacy_notice_required: false,
            company: "Acmé Estates",
            fallback: Vec::new(),
            given_name: "Ana Reyes",
        }
    }

    /// With a hook that was worded after an excerpt.
    pub fn hooked(mut self, excerpt: &'static str, hook: &'static str) -> Self {
        (self.excerpt, self.hook) = (excerpt, hook);
        self.with(
            BlockKind::EvidenceHook,
            vec![Value(Placeholder::EvidenceHook, hook)],
        )
    }

    /// With what the caller says of who signs.
    pub fn signed(mut self, as_what: Placeholder, words: &'static str) -> Self {
        let signature = vec![
            Value(Placeholder::SenderFullName, "Ana Reyes"),
            Own(", "),
            Value(as_what, words),
        ];
        self = self.with(BlockKind::Signature, signature);
        self
    }

    /// With a block before the notice on how to object.
    pub fn and(mut self, kind: BlockKind, parts: Vec<Part>) -> Self {
        let last = self.blocks.len() - 1;
        self.blocks.insert(last, (kind, parts));
        self
    }

    pub fn with(mut self, kind: BlockKind, parts: Vec<Part>) -> Self {
        let block = self.blocks.iter_mut().find(|(of, _)| *of == kind);
        block.expect("such a block").1 = parts;
        self
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        let blocks = self.blocks.iter().flat_map(|(_, parts)| parts);
        self.subject.iter().chain(&self.preview).chain(blocks)
    }

    /// As the renderer fills it.
    fn filled(&self) -> RenderedMessage {
        let inlines = |parts: &[Part]| -> Vec<Inline> {
            let inlines = parts.iter().map(|part| match part {
                Own(words) => Inline::Text {
                    v: (*words).to_owned(),
                },
                Value(placeholder, _) => Inline::Var {
                    name: placeholder.name().to_owned(),
                },
                Link(label, address) => Inline::Link {
                    href: Href::Https((*address).to_owned()),
                    label: (*label).to_owned(),
                },
                Step(label) => Inline::Link {
                    href: Href::Var(Placeholder::NextStepUrl.name().to_owned()),
                    label: (*label).to_owned(),
                },
            });
            inlines.collect()
        };
        let blocks = self.blocks.iter().enumerate().map(|(at, block)| Block {
            id: format!("b{at}"),
            kind: block.0,
            inlines: inlines(&block.1),
            optional: false,
            fallback: match block.0 {
                BlockKind::Greeting => inlines(&self.fallback),
                _ => Vec::new(),
            },
        });
        let structure = Structure {
            subject: inlines(&self.subject),
            preview_text: inlines(&self.preview),
            blocks: blocks.collect(),
        };
        let mut values = BTreeMap::new();
        if self.parts().any(|part| matches!(part, Step(_))) {
            values.insert(Placeholder::NextStepUrl.name().to_owned(), BOOK.to_owned());
        }
        for part in self.parts() {
            if let Value(placeholder, words) = part {
                let before = values.insert(placeholder.name().to_owned(), (*words).to_owned());
                assert!(before.is_none_or(|before| before == *words));
            }
        }
        if !self.fallback.is_empty() {
            values.remove(Placeholder::RecipientFirstName.name());
        }
        render(&structure, self.language, &values, Digest::of(b"")).unwrap()
    }

    pub fn checked(&self) -> (CheckedMessage, String) {
        let message = self.filled();
        let options = TemplateOptions {
            tone: "direct".to_owned(),
            locale: self.language.to_owned(),
            max_words: self.max_words,
            max_links: self.max_links,
            forbidden_claims: self.forbidden.clone(),
        };
        let values = [
            ("company.name", self.company),
            ("recipient.first_name", "Zoë"),
            ("sender.full_name", self.given_name),
            ("next_step.ask", ASK),
            ("next_step.url", BOOK),
            ("compliance.opt_out", NOTICE),
        ];
        let mut values: BTreeMap<String, String> = values
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        // What the caller says is what stands in the message.
        for part in self.parts() {
            if let Value(
                given @ (Placeholder::NextStepAsk
                | Placeholder::SenderRole
                | Placeholder::SenderOrganization
                | Placeholder::SenderReplyEmail
                | Placeholder::CompliancePostalIdentity
                | Placeholder::CompliancePrivacyNotice),
                words,
            ) = part
            {
                values.insert(given.name().to_owned(), (*words).to_owned());
            }
        }
        let found = content_checks(&MessageToCheck {
            message: &message,
            language: self.language,
            options: &options,
            desired_next_step: "Ask whether metering for the next block is already contracted.",
            evidence: &[CitedEvidence {
                id: id(),
                excerpt: self.excerpt,
                hook: Some(self.hook),
                source_label: Some("Notice of March"),
                observed_on: Some("2026-03-14"),
            }],
            recipient: &["Acmé Estates", "Zoë"],
            offer: OfferToRepeat {
                reference: "offr_1",
                texts: &[VALUE.to_owned(), "18,000 flats billed monthly".to_owned()],
                forbidden_claims: &["no risk".to_owned()],
            },
            foreign_hosts: &["elsewhere.example".to_owned()],
            own_sites: &[
                "meters.com",
                "booking.com",
                "ana@mail.example",
                "ana@risk-free.example",
            ]
            .map(str::to_owned),
            values: &values,
            privacy_notice_required: self.privacy_notice_required,
            opt_out_notice: self.notice,
            text_begins_at: self.text_begins_at,
        });
        (found, message.text)
    }

    /// What fails, with the words at its places.
    pub fn failing(&self) -> Vec<(CheckKey, Vec<String>)> {
        let ((checks, _), text) = self.checked();
        let failed = checks
            .into_iter()
            .filter(|check| check.outcome == CheckOutcome::Failed);
        failed
            .map(|check: ContentCheck| {
                let words = check
                    .spans
                    .iter()
                    .map(|span| words_at(&text, *span, self.text_begins_at));
                (check.check, words.collect())
            })
            .collect()
    }
}

fn id() -> EvidenceId {
    "evd_01jz9c2a1b2c3d4e5f6g7h8j9k".parse().unwrap()
}

pub fn words_at(text: &str, span: Span, begins_at: usize) -> String {
    text.chars()
        .skip(span.start - begins_at)
        .take(span.end - span.start)
        .collect()
}

pub fn one(check: CheckKey, words: &[&str]) -> Vec<(CheckKey, Vec<String>)> {
    vec![(check, words.iter().map(|it| (*it).to_owned()).collect())]
}

/// What fails.
pub fn keys(failing: &[(CheckKey, Vec<String>)]) -> Vec<CheckKey> {
    failing.iter().map(|(check, _)| *check).collect()
}
