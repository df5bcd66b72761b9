//! Reads an offer that a person wrote, and says of everything that is wrong where it stands.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;
use url::Url;

use super::content::{IdealCustomer, OfferContent, OfferText, Pricing, ProofPoint, StageFit};
use super::forbidden::{first_forbidden, is_comparable};
use super::key::OfferKey;
use crate::domain_name::DomainName;
use crate::written::{Part, Written};

/// Most faults that are told at once.
pub const MAX_FAULTS: usize = 50;
/// Longest key within an offer, in characters.
const KEY_CHARS: usize = 63;
/// Longest sentence; the placeholders of message templates have the same limit (annex A4).
const SENTENCE_CHARS: usize = 240;
const SUMMARY_CHARS: usize = 2000;
const URL_CHARS: usize = 2048;
/// Longest name of a segment, role or range.
const NAME_CHARS: usize = 120;
/// Most entries of a list.
const MAX_ENTRIES: usize = 40;

/// Something that is wrong with an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferFault {
    /// RFC 6901 pointer to it; empty for the whole.
    pub pointer: String,
    /// What is wrong, as the end of a sentence that begins with the pointer.
    pub message: String,
}

impl fmt::Display for OfferFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(f, "the offer {}", self.message),
            pointer => write!(f, "{pointer} {}", self.message),
        }
    }
}

/// An offer as its author wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferInput {
    /// Required for a new offer; a revision may repeat it.
    pub key: Option<OfferKey>,
    pub content: OfferContent,
}

impl OfferInput {
    /// Reads an offer and normalizes it: texts are trimmed, hosts and URLs in their normal form.
    ///
    /// # Errors
    /// What is wrong with it, at most [`MAX_FAULTS`].
    pub fn read(value: &Value) -> Result<Self, Vec<OfferFault>> {
        let mut reader = Reader::default();
        let read = reader.offer(value);
        reader.faults.truncate(MAX_FAULTS);
        match read {
            Some(read) if reader.faults.is_empty() => Ok(read),
            _ => Err(reader.faults),
        }
    }
}

#[derive(Default)]
struct Reader {
    faults: Vec<OfferFault>,
}

impl Written for Reader {
    fn fault(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.faults.push(OfferFault {
            pointer: pointer.into(),
            message: message.into(),
        });
    }
}

impl Reader {
    fn offer(&mut self, value: &Value) -> Option<OfferInput> {
        let part = self.object(
            value,
            "",
            &[
                "key",
                "name",
                "summary",
                "url",
                "facts",
                "value_propositions",
                "proof_points",
                "pricing",
                "icp",
                "stage_fit",
                "allowed_link_hosts",
                "forbidden_claims",
            ],
        )?;
        let key = self
            .text(part, "key", KEY_CHARS)
            .and_then(|text| match text.parse() {
                Ok(key) => Some(key),
                Err(_) => {
                    self.fault("/key", "must be lower-case letters, digits and single hyphens within, such as \"starter-plan\"");
                    None
                }
            });
        let content = OfferContent {
            name: self
                .required(part, "name", SENTENCE_CHARS)
                .unwrap_or_default(),
            summary: self.text(part, "summary", SUMMARY_CHARS),
            facts: self.list(part, "facts", |reader, value, at| {
                reader.sentence(value, at, &[])
            }),
            value_propositions: self.list(part, "value_propositions", |reader, value, at| {
                reader.sentence(value, at, &[])
            }),
            proof_points: self.list(part, "proof_points", Self::proof_point),
            pricing: part
                .given("pricing")
                .and_then(|(value, at)| self.pricing(value, &at)),
            icp: part
                .given("icp")
                .and_then(|(value, at)| self.icp(value, &at))
                .unwrap_or_default(),
            stage_fit: self.list(part, "stage_fit", Self::stage),
            allowed_link_hosts: self.list(part, "allowed_link_hosts", Self::host),
            forbidden_claims: self.list(part, "forbidden_claims", |reader, value, at| {
                let claim = reader.line(value, at, SENTENCE_CHARS)?;
                if !is_comparable(&claim) {
                    reader.fault(at, "must contain a word");
                }
                Some(claim)
            }),
            url: self.url(part, "url", &["https"]),
        };
        self.keys_are_unique("facts", content.facts.iter().map(|fact| &fact.key));
        let propositions = content.value_propositions.iter();
        self.keys_are_unique("value_propositions", propositions.map(|text| &text.key));
        let proof_points = content.proof_points.iter();
        self.keys_are_unique("proof_points", proof_points.map(|proof| &proof.key));
        self.url_is_allowed(&content);
        self.says_nothing_forbidden(&content);
        Some(OfferInput { key, content })
    }

    fn list<T>(
        &mut self,
        part: Part<'_>,
        name: &str,
        mut read: impl FnMut(&mut Self, &Value, &str) -> Option<T>,
    ) -> Vec<T> {
        let Some((value, at)) = part.given(name) else {
            return Vec::new();
        };
        let Some(items) = value.as_array() else {
            self.fault(at, "must be a list");
            return Vec::new();
        };
        if items.len() > MAX_ENTRIES {
            self.fault(at, format!("must have at most {MAX_ENTRIES} entries"));
            return Vec::new();
        }
        let items = items.iter().enumerate();
        items
            .filter_map(|(index, item)| read(self, item, &format!("{at}/{index}")))
            .collect()
    }

    fn names(&mut self, part: Part<'_>, name: &str) -> Vec<String> {
        self.list(part, name, |reader, value, at| {
            reader.line(value, at, NAME_CHARS)
        })
    }

    /// A text of a fixed form.
    fn coded(
        &mut self,
        value: &Value,
        at: &str,
        fits: impl Fn(&str) -> bool,
        form: &str,
    ) -> Option<String> {
        let text = self.line(value, at, NAME_CHARS)?;
        if !fits(&text) {
            self.fault(at, format!("must be {form}"));
        }
        Some(text)
    }

    fn sentence(&mut self, value: &Value, at: &str, more: &[&str]) -> Option<OfferText> {
        let part = self.object(value, at, &[&["key", "text"], more].concat())?;
        let key = self.required(part, "key", KEY_CHARS).unwrap_or_default();
        if !key.is_empty() && !crate::brand_key::is_key(&key) {
            self.fault(
                format!("{at}/key"),
                "must be lower-case letters, digits and single hyphens within",
            );
        }
        Some(OfferText {
            key,
            text: self
                .required(part, "text", SENTENCE_CHARS)
                .unwrap_or_default(),
        })
    }

    fn proof_point(&mut self, value: &Value, at: &str) -> Option<ProofPoint> {
        let OfferText { key, text } =
            self.sentence(value, at, &["numeric_values", "source_url"])?;
        let part = Part {
            members: value.as_object()?,
            at,
        };
        let numeric_values = self.list(part, "numeric_values", |reader, value, at| {
            let number = reader.line(value, at, NAME_CHARS)?;
            if !number.chars().any(char::is_numeric) || !text.contains(&number) {
                reader.fault(at, "must be a number exactly as it stands in the text");
            }
            Some(number)
        });
        Some(ProofPoint {
            key,
            numeric_values,
            source_url: self.url(part, "source_url", &["https", "http"]),
            text,
        })
    }

    fn pricing(&mut self, value: &Value, at: &str) -> Option<Pricing> {
        let names = ["model", "currency", "display", "disclose_in_copy"];
        let part = self.object(value, at, &names)?;
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let model = match part.given("model") {
            None => self.required(part, "model", KEY_CHARS).unwrap_or_default(),
            Some((value, at)) => self
                .coded(
                    value,
                    &at,
                    |text| text.chars().all(is_word) && text.len() <= KEY_CHARS,
                    "lower-case letters, digits and underscores, such as \"per_unit_month\"",
                )
                .unwrap_or_default(),
        };
        let currency = part.given("currency").and_then(|(value, at)| {
            self.coded(
                value,
                &at,
                |text| text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase()),
                "a currency of ISO 4217, such as \"EUR\"",
            )
        });
        let disclose_in_copy = match part.given("disclose_in_copy") {
            // What nobody decided is not disclosed.
            None => false,
            Some((value, at)) => value.as_bool().unwrap_or_else(|| {
                self.fault(at, "must be true or false");
                false
            }),
        };
        Some(Pricing {
            model,
            currency,
            display: self
                .required(part, "display", SENTENCE_CHARS)
                .unwrap_or_default(),
            disclose_in_copy,
        })
    }

    fn icp(&mut self, value: &Value, at: &str) -> Option<IdealCustomer> {
        let names = [
            "segments",
            "roles",
            "countries",
            "employee_ranges",
            "exclusions",
        ];
        let part = self.object(value, at, &names)?;
        Some(IdealCustomer {
            segments: self.names(part, "segments"),
            roles: self.names(part, "roles"),
            countries: self.list(part, "countries", |reader, value, at| {
                reader.coded(
                    value,
                    at,
                    |text| text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase()),
                    "a country of ISO 3166-1, such as \"GB\"",
                )
            }),
            employee_ranges: self.names(part, "employee_ranges"),
            exclusions: self.names(part, "exclusions"),
        })
    }

    fn stage(&mut self, value: &Value, at: &str) -> Option<StageFit> {
        let known = StageFit::ALL
            .into_iter()
            .find(|stage| value == stage.as_str());
        if known.is_none() {
            let all = StageFit::ALL.map(StageFit::as_str).join(", ");
            self.fault(at, format!("must be one of {all}"));
        }
        known
    }

    fn host(&mut self, value: &Value, at: &str) -> Option<String> {
        let text = self.line(value, at, URL_CHARS)?;
        match text.parse::<DomainName>() {
            Ok(host) => Some(host.as_str().to_owned()),
            Err(error) => {
                self.fault(
                    at,
                    format!("must be a host name such as \"www.acme.example\": {error}"),
                );
                None
            }
        }
    }

    fn url(&mut self, part: Part<'_>, name: &str, schemes: &[&str]) -> Option<String> {
        let (value, at) = part.given(name)?;
        let text = self.line(value, &at, URL_CHARS)?;
        let url = Url::parse(&text).ok().filter(|url| {
            schemes.contains(&url.scheme())
                && url.has_host()
                && url.username().is_empty()
                && url.password().is_none()
        });
        if url.is_none() {
            let schemes = schemes.join(" or ");
            self.fault(
                at,
                format!("must be a URL with {schemes} and without a password"),
            );
        }
        url.map(String::from)
    }

    fn keys_are_unique<'k>(&mut self, list: &str, keys: impl Iterator<Item = &'k String>) {
        let mut seen = BTreeSet::new();
        for (index, key) in keys.enumerate() {
            if !key.is_empty() && !seen.insert(key) {
                self.fault(
                    format!("/{list}/{index}/key"),
                    format!("must be unique, and {key:?} was used before"),
                );
            }
        }
    }

    fn url_is_allowed(&mut self, content: &OfferContent) {
        let host = content
            .url
            .as_deref()
            .and_then(|url| Url::parse(url).ok())
            .and_then(|url| Some(url.host_str()?.to_owned()));
        // A host that could not be read was told of already.
        let of_hosts = |fault: &OfferFault| fault.pointer.starts_with("/allowed_link_hosts");
        if let Some(host) = host
            && !content.allowed_link_hosts.contains(&host)
            && !self.faults.iter().any(of_hosts)
        {
            self.fault(
                "/url",
                format!("must be on one of allowed_link_hosts, and {host} is none"),
            );
        }
    }

    /// An offer that breaks its own rules could never be used as it is written.
    fn says_nothing_forbidden(&mut self, content: &OfferContent) {
        let claims = &content.forbidden_claims;
        let named = |list: &'static str, texts: Vec<&String>| {
            let texts = texts.into_iter().enumerate();
            texts
                .map(|(index, text)| (format!("/{list}/{index}/text"), text.clone()))
                .collect::<Vec<_>>()
        };
        let mut texts = vec![("/name".to_owned(), content.name.clone())];
        texts.extend(
            content
                .summary
                .clone()
                .map(|text| ("/summary".to_owned(), text)),
        );
        texts.extend(named(
            "facts",
            content.facts.iter().map(|t| &t.text).collect(),
        ));
        let propositions = content.value_propositions.iter().map(|t| &t.text);
        texts.extend(named("value_propositions", propositions.collect()));
        let proof_points = content.proof_points.iter().map(|t| &t.text);
        texts.extend(named("proof_points", proof_points.collect()));
        let price = content.pricing.as_ref();
        texts.extend(price.map(|price| ("/pricing/display".to_owned(), price.display.clone())));
        for (pointer, text) in texts {
            if let Some(claim) = first_forbidden(claims, &text) {
                self.fault(pointer, format!("makes the forbidden claim {claim:?}"));
            }
        }
    }
}
