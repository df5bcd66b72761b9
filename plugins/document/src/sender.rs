//! Who sends the document: what the bound guideline and offer say, in the wording that they approve.

mod brand;
mod customers;

use std::collections::BTreeSet;

use gtm_document_model::cleaned;
use gtm_page_text::{
    bare_host, is_in_another_language, language_among, language_of_texts, primary_language,
};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::labels;

/// The id by which a document cites the caller's brief.
pub const BRIEF: &str = "brief";
/// The id by which a document cites the offer.
pub const OFFER: &str = "offer";
/// The id by which a document cites the guideline.
pub const BRAND: &str = "brand";

/// A sentence of the sender's, with the id that it is cited by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub source: &'static str,
}

/// What a customer gains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposition {
    pub said: Said,
    pub benefit: Option<String>,
}

/// Evidence that the sender gives, with the numbers of its text that may stand alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    pub said: Said,
    pub numbers: Vec<String>,
    /// Set if a customer said it.
    pub testimonial: Option<Testimonial>,
    /// Whether it tells of one customer.
    pub of_one_customer: bool,
}

/// A customer's words, and who said them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testimonial {
    pub words: String,
    pub by: String,
}

/// A kind of customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub name: String,
    pub source: &'static str,
    pub needs: Vec<String>,
    pub pains: Vec<String>,
    pub triggers: Vec<String>,
}

/// Somebody who decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persona {
    pub role: String,
    pub source: &'static str,
    pub goals: Vec<String>,
}

/// What is known about the sender, offer first.
#[derive(Debug, Clone, Default)]
pub struct Sender {
    /// Name of the brand.
    pub name: Option<String>,
    /// Name of the offer.
    pub offer: Option<String>,
    /// What the offer is, in a few sentences.
    pub summary: Option<Said>,
    /// What the brand is.
    pub description: Option<Said>,
    pub core_message: Option<Said>,
    pub facts: Vec<Said>,
    pub propositions: Vec<Proposition>,
    pub differentiators: Vec<Said>,
    pub proofs: Vec<Proof>,
    /// The price, where it may be disclosed.
    pub price: Option<Said>,
    pub segments: Vec<Segment>,
    pub personas: Vec<Persona>,
    pub exclusions: Vec<Said>,
    pub objections: Vec<(String, String)>,
    pub markets: Vec<Said>,
    pub calls_to_action: Vec<String>,
    /// Where a call to action may lead: the offer's page, else the brand's.
    pub link: Option<String>,
    /// Hosts that a document may link to.
    pub hosts: BTreeSet<String>,
    /// What no document may claim.
    pub forbidden: Vec<String>,
    /// How the brand sounds. For a model; never shown.
    pub voice: Option<String>,
    brand_language: Option<String>,
    offer_language: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct OfferContent {
    name: String,
    summary: Option<String>,
    url: Option<String>,
    facts: Vec<Text>,
    value_propositions: Vec<Text>,
    proof_points: Vec<ProofText>,
    pricing: Option<Pricing>,
    icp: IdealCustomer,
    allowed_link_hosts: Vec<String>,
    forbidden_claims: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Text {
    text: String,
}

#[derive(Debug, Clone, Deserialize)]
struct ProofText {
    text: String,
    #[serde(default)]
    numeric_values: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Pricing {
    display: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct IdealCustomer {
    segments: Vec<String>,
    roles: Vec<String>,
    exclusions: Vec<String>,
}

impl Sender {
    /// Reads a guideline (annex A2), or an object that holds it as `guideline`, and an offer (annex A13).
    #[must_use]
    pub fn of(brand: &Value, offer: Option<&Value>) -> Self {
        let mut sender = Self::of_brand(brand);
        let content = offer.and_then(|offer| OfferContent::deserialize(offer).ok());
        if let Some(content) = content {
            sender.sells(content);
        }
        sender
    }

    /// Adds the offer. It goes first: it is what this document sells, and the brand sells other things, too.
    fn sells(&mut self, content: OfferContent) {
        let said = |text: &str| {
            Some(Said {
                text: line(text)?,
                source: OFFER,
            })
        };
        self.hosts.extend(
            content
                .allowed_link_hosts
                .iter()
                .map(|host| bare_host(host).to_lowercase()),
        );
        let url = content.url.as_deref().and_then(https);
        if let Some(url) = url.filter(|url| self.may_link(url)) {
            self.link = Some(url);
        }
        self.summary = content.summary.as_deref().and_then(said);
        self.facts = content
            .facts
            .iter()
            .filter_map(|text| said(&text.text))
            .collect();
        let propositions = content.value_propositions.iter();
        let propositions = propositions.filter_map(|text| said(&text.text));
        let propositions = propositions.map(|said| Proposition {
            said,
            benefit: None,
        });
        self.propositions.splice(0..0, propositions);
        let proofs = content.proof_points.into_iter().filter_map(|proof| {
            Some(Proof {
                said: said(&proof.text)?,
                numbers: proof.numeric_values,
                testimonial: None,
                of_one_customer: false,
            })
        });
        self.proofs.splice(0..0, proofs);
        self.price = content.pricing.and_then(|pricing| said(&pricing.display));
        let icp = content.icp;
        let segments = icp.segments.iter().filter_map(|name| line(name));
        let segments = segments.map(|name| Segment {
            name,
            source: OFFER,
            needs: Vec::new(),
            pains: Vec::new(),
            triggers: Vec::new(),
        });
        self.segments.splice(0..0, segments);
        let personas = icp.roles.iter().filter_map(|role| line(role));
        let personas = personas.map(|role| Persona {
            role,
            source: OFFER,
            goals: Vec::new(),
        });
        self.personas.splice(0..0, personas);
        let exclusions = icp.exclusions.iter().filter_map(|text| said(text));
        self.exclusions.splice(0..0, exclusions);
        self.forbidden.splice(0..0, content.forbidden_claims);
        self.offer = line(&content.name);
        let mut texts = self.texts_of(OFFER);
        texts.extend(self.offer.clone());
        let all = texts.join("\n");
        // What is too short to tell is in the language in which the brand speaks.
        self.offer_language = language_of_texts(None, texts.iter().map(String::as_str))
            .or_else(|| language_among(&all, labels::AGENDA.languages()).map(str::to_owned))
            .or_else(|| self.brand_language.clone());
    }

    /// Whether a document may link to an address: an https address of an allowed host.
    #[must_use]
    pub fn may_link(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else {
            return false;
        };
        let host = url.host_str().map(|host| bare_host(host).to_lowercase());
        url.scheme() == "https" && host.is_some_and(|host| self.hosts.contains(&host))
    }

    /// What the document may call its sender: the brand, else the offer.
    #[must_use]
    pub fn called(&self) -> Option<&str> {
        self.name.as_deref().or(self.offer.as_deref())
    }

    /// Whether there is anything to say besides names.
    #[must_use]
    pub fn says_something(&self) -> bool {
        !(self.texts_of(OFFER).is_empty() && self.texts_of(BRAND).is_empty())
    }

    /// The language in which most is said: the offer's, else the guideline's.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        match (&self.offer_language, &self.brand_language) {
            // The guideline's tag may say the same more exactly.
            (Some(offer), Some(brand)) if primary_language(offer) == primary_language(brand) => {
                Some(brand)
            }
            (offer, brand) => offer.as_deref().or(brand.as_deref()),
        }
    }

    /// What of it is in a language, and the texts that are not: nobody can send a document that changes its language.
    #[must_use]
    pub fn speaking(&self, language: &str) -> (Self, Vec<String>) {
        let wanted = primary_language(language);
        let other = |known: &Option<String>| {
            known
                .as_deref()
                .is_some_and(|known| primary_language(known) != wanted)
        };
        let (no_brand, no_offer) = (other(&self.brand_language), other(&self.offer_language));
        let fits = |text: &str, source: &str| {
            let of_other = if source == OFFER { no_offer } else { no_brand };
            !of_other && !is_in_another_language(text, language)
        };
        let said = |said: &Said| fits(&said.text, said.source);
        let keep = |text: &String| fits(text, BRAND);
        let mut kept = self.clone();
        kept.summary = kept.summary.filter(said);
        kept.description = kept.description.filter(said);
        kept.core_message = kept.core_message.filter(said);
        kept.price = kept.price.filter(said);
        kept.facts.retain(said);
        kept.propositions.retain(|known| said(&known.said));
        kept.differentiators.retain(said);
        kept.proofs.retain(|known| said(&known.said));
        kept.segments
            .retain(|known| fits(&known.name, known.source));
        kept.personas
            .retain(|known| fits(&known.role, known.source));
        kept.exclusions.retain(said);
        kept.markets.retain(said);
        kept.objections
            .retain(|(objection, _)| fits(objection, BRAND));
        kept.calls_to_action.retain(keep);
        let all = |sender: &Self| [sender.texts_of(OFFER), sender.texts_of(BRAND)].concat();
        let said = all(&kept);
        let mut left = all(self);
        left.retain(|text| !said.contains(text));
        (kept, left)
    }

    /// Everything that one source says, a line each, for prompts and checks: names, voice and what is forbidden not included.
    #[must_use]
    pub fn texts_of(&self, source: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let of = |said: &&Said| said.source == source;
        let ones = [&self.summary, &self.core_message, &self.description];
        let ones = ones.into_iter().flatten().filter(of);
        found.extend(ones.map(|said| said.text.clone()));
        for known in self
            .propositions
            .iter()
            .filter(|known| known.said.source == source)
        {
            found.push(known.said.text.clone());
            found.extend(known.benefit.clone());
        }
        let lists = self.facts.iter().chain(&self.differentiators);
        found.extend(lists.filter(of).map(|said| said.text.clone()));
        let proofs = self.proofs.iter().map(|known| &known.said);
        let rest = proofs
            .chain(&self.price)
            .chain(&self.exclusions)
            .chain(&self.markets);
        found.extend(rest.filter(of).map(|said| said.text.clone()));
        for segment in self.segments.iter().filter(|known| known.source == source) {
            let lists = [&segment.needs, &segment.pains, &segment.triggers];
            let members = lists.into_iter().flatten().cloned();
            let told: Vec<String> = std::iter::once(segment.name.clone())
                .chain(members)
                .collect();
            found.push(told.join("; "));
        }
        for persona in self.personas.iter().filter(|known| known.source == source) {
            let goals = persona.goals.iter().cloned();
            let told: Vec<String> = std::iter::once(persona.role.clone()).chain(goals).collect();
            found.push(told.join("; "));
        }
        if source == BRAND {
            let told = self.objections.iter();
            found.extend(told.map(|(objection, answer)| format!("{objection} {answer}")));
        }
        found
    }
}

/// The address in its written form, if it is https and can stand in a document.
fn https(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let plain = url.username().is_empty() && url.password().is_none();
    let text = url.to_string();
    (url.scheme() == "https" && plain && text.len() <= 2_000 && url.host_str().is_some())
        .then_some(text)
}

/// A text on one line, cleaned; none if it says nothing.
fn line(text: &str) -> Option<String> {
    let text = cleaned(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    #[test]
    fn an_offer_goes_before_the_brand_and_links_stay_on_allowed_hosts() {
        let brand = json!({"language": "en", "identity": {"brand_name": {"value": "Meterly"}, "website_url": "https://www.meterly.example/"},
            "positioning": {"value_propositions": [{"value": {"statement": "Meters for all", "benefit": null}}]}});
        let offer = json!({"name": "Handover meters", "url": "https://shop.meterly.example/meters",
            "value_propositions": [{"key": "a", "text": "One bill per flat."}],
            "allowed_link_hosts": ["shop.meterly.example"]});
        let sender = Sender::of(&brand, Some(&offer));
        let told: Vec<&str> = sender
            .propositions
            .iter()
            .map(|p| p.said.text.as_str())
            .collect();
        assert_eq!(told, ["One bill per flat.", "Meters for all"]);
        assert_eq!(
            sender.link.as_deref(),
            Some("https://shop.meterly.example/meters")
        );
        assert!(sender.may_link("https://meterly.example/a"));
        assert!(!sender.may_link("http://meterly.example/a"));
        assert!(!sender.may_link("https://meterly.example.evil.example/"));
        assert_eq!(sender.called(), Some("Meterly"));
    }

    #[test]
    fn a_document_does_not_change_its_language() {
        let brand = json!({"language": "en", "messaging": {"core_message": {"value": "Meters that read themselves."}}});
        let offer = json!({"name": "Funkzähler", "summary": "Funkzähler, die sich selbst ablesen, damit die Hausverwaltung keine Termine mehr vereinbaren muss.",
            "facts": [{"key": "a", "text": "Die Batterie hält zehn Jahre, und die Zähler werden vor der Übergabe eingebaut und geprüft."},
                {"key": "b", "text": "Jede Ablesung steht am selben Tag im Abrechnungssystem, ohne dass jemand die Wohnung betritt."}]});
        let sender = Sender::of(&brand, Some(&offer));
        assert_eq!(sender.language(), Some("de"));
        let (german, left) = sender.speaking("de");
        assert!(german.core_message.is_none() && german.facts.len() == 2);
        assert_eq!(left, ["Meters that read themselves."]);
        let (english, _) = sender.speaking("en");
        assert!(english.core_message.is_some() && english.facts.is_empty());
    }
}
