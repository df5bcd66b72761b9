//! From the people whom a connector returned to candidates.
//!
//! DANGER: nobody is believed. A connector may make up what it answers, and a provider may write anything into a
//! record. So of each person only what stands in the record's own bytes is kept, a candidate must hold against every
//! rule of an import, and a person (not a plug-in) accepts it later.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::record::Record;
use crate::domain_name::bare_host;
use crate::message::compliance::AddressSourceClass;
use crate::prospecting::import::{ImportTerms, ImportedCandidate, Quotation, read_json};
use crate::{Digest, Timestamp};

/// What a connector answers (`wit/capabilities/people.search.output.schema.json`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FoundPeople {
    pub receipt_id: String,
    pub publisher: String,
    pub people: Vec<FoundPerson>,
}

/// A person as a connector tells it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct FoundPerson {
    /// Pointer to the record in the answer.
    pub record: String,
    pub full_name: Option<String>,
    pub first_name: Option<String>,
    pub role: Option<String>,
    pub company: FoundCompany,
    pub email: Option<String>,
    pub email_origin: Option<EmailOrigin>,
}

impl std::fmt::Debug for FoundPerson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The rest names a person, with the address in clear.
        f.debug_struct("FoundPerson")
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

/// A company as a connector tells it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FoundCompany {
    pub name: Option<String>,
    pub domain: Option<String>,
    /// Name or code.
    pub country: Option<String>,
    pub industry: Option<String>,
    pub locality: Option<String>,
}

/// How a provider has an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmailOrigin {
    /// From sources that it licenses.
    Licensed,
    /// Guessed from the pattern of others.
    Guessed,
}

/// What the host knows of the exchange in which the people were found.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The exact bytes of the answer.
    pub answer: &'a [u8],
    /// Their digest.
    pub digest: Digest,
    /// Where the provider was asked.
    pub url: &'a str,
    pub retrieved_at: Timestamp,
    /// Whether the connector makes up what it answers.
    pub synthetic: bool,
    /// When candidates expire.
    pub expires_at: Timestamp,
}

/// How many people did not become candidates, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The provider does not tell their address at work.
    pub no_address: u64,
    /// They do not stand in the answer as the connector tells them.
    pub not_in_answer: u64,
    /// An import would refuse them: the address is none, or somebody's address stands where all would see it.
    pub unfit: u64,
    /// Another candidate of the job has the address.
    pub repeated: u64,
    /// The outcome ledger names them, or they were erased while the search ran.
    pub suppressed: u64,
}

/// The candidates among the people, in the provider's order, and how many are none. `country` finds the alpha-2 code
/// of a country that a provider names. Whom the outcome ledger names is for the caller to leave out.
pub fn candidates(
    found: &FoundPeople,
    limit: usize,
    told: &Told<'_>,
    country: &dyn Fn(&str) -> Option<&'static str>,
) -> (Vec<ImportedCandidate>, LeftOut) {
    let mut left_out = LeftOut::default();
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    let answer = std::str::from_utf8(told.answer).unwrap_or_default();
    for person in found.people.iter().take(limit) {
        let Some(email) = &person.email else {
            left_out.no_address += 1;
            continue;
        };
        let record = Record::at(answer, &person.record);
        let Some(written) = record.and_then(|record| {
            let address = record.saying(email)?;
            Some(written(
                person,
                &found.publisher,
                email,
                (&record, address),
                told,
                country,
            ))
        }) else {
            left_out.not_in_answer += 1;
            continue;
        };
        match read(written, told) {
            None => left_out.unfit += 1,
            Some(candidate) if seen.insert(candidate.address.in_clear()) => {
                candidates.push(candidate);
            }
            Some(_) => left_out.repeated += 1,
        }
    }
    (candidates, left_out)
}

/// The candidate as an import would have it.
fn written(
    person: &FoundPerson,
    publisher: &str,
    email: &str,
    (record, address): (&Record<'_>, usize),
    told: &Told<'_>,
    country: &dyn Fn(&str) -> Option<&'static str>,
) -> Value {
    let company = &person.company;
    let told_by = |fact: &Option<String>| {
        let place = record.saying_beside(fact.as_deref()?, address)?;
        Some((fact.clone()?, place))
    };
    let full_name = told_by(&person.full_name);
    let role = told_by(&person.role);
    let name = told_by(&company.name);
    let domain = company.domain.as_ref().and_then(|host| {
        let place = record.naming_host(host, address)?;
        let host = host.to_lowercase();
        // A site's own name is its domain's.
        Some((bare_host(&host).to_owned(), place))
    });
    let in_country = told_by(&company.country);
    let industry = told_by(&company.industry);
    let locality = told_by(&company.locality);
    let value = |fact: &Option<(String, usize)>| fact.as_ref().map(|(text, _)| text.clone());
    let place = |fact: &Option<(String, usize)>| fact.as_ref().map(|(_, place)| *place);

    let mask = email
        .parse::<crate::outcome_ledger::MailAddress>()
        .map(|address| address.masked())
        .unwrap_or_default();
    let of_person: Vec<usize> = [place(&full_name), place(&role), Some(address)]
        .into_iter()
        .flatten()
        .collect();
    let of_company: Vec<usize> = [&name, &domain, &in_country, &industry, &locality]
        .into_iter()
        .filter_map(place)
        .collect();
    let class = match person.email_origin {
        Some(EmailOrigin::Licensed) => AddressSourceClass::LicensedProvider,
        Some(EmailOrigin::Guessed) => AddressSourceClass::DerivedPattern,
        None => AddressSourceClass::Unknown,
    };
    let evidence = |kind: &str, excerpt: String| {
        json!({
            "kind": kind,
            "url": told.url,
            "source_label": publisher,
            "retrieved_at": told.retrieved_at,
            "content_digest": told.digest,
            "excerpt": excerpt,
        })
    };
    let mut provenance = evidence(
        "address_provenance",
        record.excerpt(&of_person, Some((address, &mask))),
    );
    provenance["address_source_class"] = json!(class);
    let mut records = vec![provenance];
    if !of_company.is_empty() {
        records.push(evidence("company_fact", record.excerpt(&of_company, None)));
    }
    json!({
        "synthetic": told.synthetic,
        "qualification": { "status": "pending" },
        "person": {
            "first_name": told_by(&person.first_name).map(|(text, _)| text),
            "full_name": value(&full_name),
            "role": value(&role),
        },
        "company": {
            "name": value(&name),
            "domain": value(&domain),
            "country": value(&in_country).and_then(|name| country(&name)),
            "industry": value(&industry),
            "location": value(&locality),
        },
        "address": email,
        "evidence": records,
    })
}

/// Reads the candidate by the rules of an import. A fact that breaks one is unknown; anything else that does leaves
/// the person out.
fn read(mut candidate: Value, told: &Told<'_>) -> Option<ImportedCandidate> {
    let terms = ImportTerms {
        synthetic: None,
        now: told.retrieved_at,
        expires_at: told.expires_at,
        job_expires_at: told.expires_at,
        // The records have digests; their excerpts were cut from the answer itself.
        quotes: |_, _| Quotation::Stands,
    };
    loop {
        let faults = match read_json(&json!({ "candidates": [candidate] }), &terms) {
            Ok(mut read) => return read.pop(),
            Err(faults) => faults,
        };
        let mut mended = false;
        for fault in &faults {
            let place = fault.place.strip_prefix("/candidates/0/")?;
            let is_fact = place.starts_with("person/") || place.starts_with("company/");
            let fact = candidate
                .pointer_mut(&format!("/{place}"))
                .filter(|fact| is_fact && !fact.is_null())?;
            *fact = Value::Null;
            mended = true;
        }
        if !mended {
            return None;
        }
    }
}

#[cfg(test)]
mod tests;
