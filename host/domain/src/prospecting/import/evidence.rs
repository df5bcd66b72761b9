//! Reads one evidence record. What each kind must say is decided here.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::civil::Date;
use serde_json::Value;
use url::Url;

use super::reader::Reader;
use super::{ImportedEvidence, Quotation};
use crate::message::compliance::{AddressSourceClass, LawfulBasis};
use crate::prospecting::candidate::EvidenceKind;
use crate::written::{Part, Written};
use crate::{Digest, Timestamp};

/// Longest label; as in the placeholder that it fills (annex A4.1), like the hook.
const LABEL_CHARS: usize = 80;
const HOOK_CHARS: usize = 240;
/// Marks that end a sentence.
const ENDS: [char; 6] = ['.', '!', '?', '…', '。', '！'];
const EXCERPT_CHARS: usize = 2000;
const URL_CHARS: usize = 2048;
const DATE_CHARS: usize = 10;
const DIGEST_CHARS: usize = 71;
/// Largest content that a file may carry for hashing, in bytes.
const CONTENT_BYTES: usize = 1_000_000;

const MEMBERS: [&str; 13] = [
    "kind",
    "url",
    "source_label",
    "retrieved_at",
    "observed_on",
    "content_digest",
    "content",
    "content_base64",
    "excerpt",
    "hook",
    "address_source_class",
    "lawful_basis",
    "synthetic",
];

const BASES: [LawfulBasis; 4] = [
    LawfulBasis::LegitimateInterests,
    LawfulBasis::Consent,
    LawfulBasis::ExistingCustomer,
    LawfulBasis::NotRequired,
];

/// The content of a record.
enum Content {
    /// With the place where it stands.
    Given {
        bytes: Vec<u8>,
        at: String,
    },
    Left,
    /// Its fault is told.
    Faulty,
}

impl Reader {
    /// A record, or `None` if it has a fault.
    pub(super) fn evidence(
        &mut self,
        value: &Value,
        at: &str,
        synthetic: bool,
    ) -> Option<ImportedEvidence> {
        let part = self.object(value, at, &MEMBERS)?;
        let kind = self.required_choice(part, "kind", &EvidenceKind::ALL);
        let Some(kind) = kind else {
            self.whatever_kind(part);
            return None;
        };
        let class = self.only_of(
            part,
            "address_source_class",
            kind == EvidenceKind::AddressProvenance,
            |reader| reader.choice(part, "address_source_class", &AddressSourceClass::ALL),
        );
        let lawful_basis = self.lawful_basis(part, kind);
        let hook = self.only_of(
            part,
            "hook",
            kind == EvidenceKind::Personalization,
            |reader| reader.hook(part),
        );
        // Of the records, only these have a place in a message.
        let source_label = match kind {
            EvidenceKind::Personalization => self.without_links(part, "source_label", LABEL_CHARS),
            _ => self.text(part, "source_label", LABEL_CHARS),
        };
        let url = self.source_url(part, kind, class);
        let content = self.content(part);
        let content_digest = self.content_digest(part, &content);
        let retrieved_at = self.past_instant(part, "retrieved_at");
        if part.given("retrieved_at").is_none() {
            self.fault(part.pointer("retrieved_at"), "is required");
        }
        let observed_on = self.observed_on(part);
        let excerpt = self.required(part, "excerpt", EXCERPT_CHARS);
        if let (Content::Given { bytes, at }, Some(excerpt)) = (&content, &excerpt) {
            self.is_quoted(part, bytes, at, excerpt);
        }
        let made_up = self.flag(part, "synthetic");
        if synthetic && made_up == Some(false) {
            self.fault(
                part.pointer("synthetic"),
                "must not be false: a made-up person has no real evidence",
            );
        }
        Some(ImportedEvidence {
            kind,
            url,
            source_label,
            retrieved_at: retrieved_at?,
            observed_on,
            content_digest: content_digest?,
            excerpt: excerpt?,
            hook,
            address_source_class: class,
            lawful_basis,
            synthetic: synthetic || made_up.unwrap_or_default(),
        })
    }

    /// Tells the faults that a record has whatever its kind, if that is wrong.
    fn whatever_kind(&mut self, part: Part<'_>) {
        let content = self.content(part);
        self.content_digest(part, &content);
        self.past_instant(part, "retrieved_at");
        if part.given("retrieved_at").is_none() {
            self.fault(part.pointer("retrieved_at"), "is required");
        }
        self.observed_on(part);
        self.required(part, "excerpt", EXCERPT_CHARS);
    }

    /// The sentence that says why the recipient is written to.
    fn hook(&mut self, part: Part<'_>) -> Option<String> {
        let hook = self.without_links(part, "hook", HOOK_CHARS)?;
        let closing = |c: char| c.is_whitespace() || "\"'”’»)」』".contains(c);
        if !hook.trim_end_matches(closing).ends_with(ENDS) {
            self.fault(
                part.pointer("hook"),
                "must be a whole sentence with the mark that ends it, since the next sentence of the message follows it",
            );
            return None;
        }
        Some(hook)
    }

    /// A member that records of one kind must have and others must not.
    fn only_of<T>(
        &mut self,
        part: Part<'_>,
        name: &str,
        wanted: bool,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        match (wanted, part.given(name).is_some()) {
            (true, true) => read(self),
            (true, false) => {
                self.fault(part.pointer(name), "is required for evidence of this kind");
                None
            }
            (false, true) => {
                self.fault(
                    part.pointer(name),
                    "must not be given for evidence of this kind",
                );
                None
            }
            (false, false) => None,
        }
    }

    fn lawful_basis(&mut self, part: Part<'_>, kind: EvidenceKind) -> Option<LawfulBasis> {
        let wanted = matches!(
            kind,
            EvidenceKind::LawfulBasis | EvidenceKind::ConsentRecord
        );
        let basis = self.only_of(part, "lawful_basis", wanted, |reader| {
            reader.choice(part, "lawful_basis", &BASES)
        })?;
        if kind == EvidenceKind::ConsentRecord && basis != LawfulBasis::Consent {
            self.fault(
                part.pointer("lawful_basis"),
                "must be consent: that is what a consent record is evidence of",
            );
        }
        Some(basis)
    }

    /// Where it was found. What is not public, such as a consent, has a label instead.
    fn source_url(
        &mut self,
        part: Part<'_>,
        kind: EvidenceKind,
        class: Option<AddressSourceClass>,
    ) -> Option<String> {
        let not_public = matches!(
            kind,
            EvidenceKind::LawfulBasis | EvidenceKind::ConsentRecord
        ) || matches!(
            class,
            Some(AddressSourceClass::ProvidedBySubject | AddressSourceClass::LicensedProvider)
        );
        if part.given("url").is_none() {
            if !not_public {
                self.fault(part.pointer("url"), "is required");
            } else if part.given("source_label").is_none() {
                self.fault(
                    part.pointer("source_label"),
                    "is required for evidence without a url",
                );
            }
            return None;
        }
        let text = self.text(part, "url", URL_CHARS)?;
        let url = Url::parse(&text).ok().filter(|url| {
            ["https", "http"].contains(&url.scheme())
                && url.has_host()
                && url.username().is_empty()
                && url.password().is_none()
        });
        if url.is_none() {
            self.fault(
                part.pointer("url"),
                "must be a URL with https or http and without a password",
            );
        }
        url.map(String::from)
    }

    /// The bytes that it came from.
    fn content(&mut self, part: Part<'_>) -> Content {
        let (read, at) = match (part.given("content"), part.given("content_base64")) {
            (Some(_), Some((_, at))) => {
                self.fault(at, "must not be given beside content");
                return Content::Faulty;
            }
            (Some((value, at)), None) => match value.as_str() {
                Some(text) => (text.as_bytes().to_vec(), at),
                None => {
                    self.fault(at, "must be a text; put it in quotes");
                    return Content::Faulty;
                }
            },
            (None, Some((value, at))) => match value.as_str().map(|text| STANDARD.decode(text)) {
                Some(Ok(bytes)) => (bytes, at),
                _ => {
                    self.fault(at, "must be base64 of RFC 4648 with padding");
                    return Content::Faulty;
                }
            },
            (None, None) => return Content::Left,
        };
        if read.is_empty() || read.len() > CONTENT_BYTES {
            self.fault(at, format!("must have 1 to {CONTENT_BYTES} bytes"));
            return Content::Faulty;
        }
        Content::Given { bytes: read, at }
    }

    /// DANGER: a message may say what an excerpt says, so one that its own content lacks would be made up.
    fn is_quoted(&mut self, part: Part<'_>, content: &[u8], at: &str, excerpt: &str) {
        match (self.terms.quotes)(content, excerpt) {
            Quotation::Stands => {}
            Quotation::Absent => self.fault(
                part.pointer("excerpt"),
                "must stand in the content beside it word for word; write \u{2026} for words that are left out",
            ),
            Quotation::Unreadable => self.fault(
                at,
                "has no text that the excerpt can be compared with; give its SHA-256 as content_digest instead",
            ),
        }
    }

    /// The hash of the bytes that it came from: as stated, or computed from the bytes themselves.
    fn content_digest(&mut self, part: Part<'_>, content: &Content) -> Option<Digest> {
        let computed = match content {
            Content::Given { bytes, .. } => Some(Digest::of(bytes)),
            Content::Left => None,
            Content::Faulty => return None,
        };
        let Some((_, at)) = part.given("content_digest") else {
            if computed.is_none() {
                self.fault(
                    part.pointer("content_digest"),
                    "is required, or the content itself as content or content_base64",
                );
            }
            return computed;
        };
        let stated = self.text(part, "content_digest", DIGEST_CHARS)?;
        match stated.parse::<Digest>() {
            Ok(stated) if computed.is_none_or(|computed| computed == stated) => Some(stated),
            Ok(_) => {
                self.fault(at, "is not the SHA-256 of the content beside it");
                None
            }
            Err(_) => {
                self.fault(at, "must be sha256: and 64 lower-case hex digits");
                None
            }
        }
    }

    fn observed_on(&mut self, part: Part<'_>) -> Option<String> {
        let text = self.text(part, "observed_on", DATE_CHARS)?;
        match text.parse::<Date>() {
            // jiff reads more forms than this one.
            Ok(date) if date.to_string() == text => {
                let begins: Option<Timestamp> = format!("{text}T00:00:00Z").parse().ok();
                if begins.is_none_or(|begins| begins > self.terms.now) {
                    self.fault(part.pointer("observed_on"), "must not be in the future");
                }
                Some(text)
            }
            _ => {
                self.fault(
                    part.pointer("observed_on"),
                    "must be a day, such as 2026-11-21",
                );
                None
            }
        }
    }
}
