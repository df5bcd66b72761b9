//! Reads the parts of a file: a candidate with all that belongs to it.

mod values;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::clear_address::{addresses, shows};
use super::{
    ImportFault, ImportTerms, ImportedCandidate, ImportedEvidence, MAX_CANDIDATES, MAX_EVIDENCE,
};
use crate::Timestamp;
use crate::domain_name::DomainName;
use crate::message::lookalikes::has_lookalikes_of_a_domain;
use crate::outcome_ledger::MailAddress;
use crate::prospecting::candidate::{
    CandidateCompany, CandidatePerson, EvidenceKind, LegalForm, Qualification, QualificationStatus,
};
use crate::written::{Part, Written};

/// Longest first name; as in the placeholder that it fills (annex A4.1), like the next ones.
const FIRST_NAME_CHARS: usize = 60;
const NAME_CHARS: usize = 120;
const SHORT_CHARS: usize = 80;
const REASON_CHARS: usize = 500;
const ADDRESS_CHARS: usize = 254;
const DOMAIN_CHARS: usize = 253;

/// What is wrong with an address that looks like another one.
const LOOKALIKES: &str = "has letters of another script that look like Latin ones; write it in the letters of one script";

pub(super) struct Reader {
    pub(super) terms: ImportTerms,
    faults: Vec<ImportFault>,
}

impl Written for Reader {
    fn fault(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.faults.push(ImportFault {
            place: pointer.into(),
            message: message.into(),
        });
    }
}

impl Reader {
    pub(super) const fn new(terms: ImportTerms) -> Self {
        Self {
            terms,
            faults: Vec::new(),
        }
    }

    pub(super) fn into_faults(self) -> Vec<ImportFault> {
        self.faults
    }

    /// The whole file. What has a fault is left out.
    pub(super) fn file(&mut self, value: &Value) -> Vec<ImportedCandidate> {
        let Some(part) = self.object(value, "", &["synthetic", "candidates"]) else {
            return Vec::new();
        };
        let mut synthetic = self.flag(part, "synthetic");
        match (self.terms.synthetic, synthetic) {
            (Some(told), Some(stated)) if told != stated => self.fault(
                "/synthetic",
                format!("is {stated}, but the importer said {told}"),
            ),
            (told, None) => synthetic = told,
            _ => {}
        }
        let Some((list, at)) = part.given("candidates") else {
            self.fault("/candidates", "is required");
            return Vec::new();
        };
        let Some(list) = list.as_array().filter(|list| !list.is_empty()) else {
            self.fault(at, "must be a list with at least one candidate");
            return Vec::new();
        };
        if list.len() > MAX_CANDIDATES {
            let (has, most) = (list.len(), MAX_CANDIDATES);
            self.fault(
                at,
                format!("must have at most {most} candidates, and has {has}; split the file"),
            );
            return Vec::new();
        }
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut candidates = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            let Some(candidate) = self.candidate(value, &at, synthetic) else {
                continue;
            };
            if let Some(first) = seen.insert(candidate.address.in_clear(), index) {
                self.fault(
                    format!("{at}/address"),
                    format!("is that of candidate {first}, counted from 0"),
                );
            }
            candidates.push(candidate);
        }
        candidates
    }

    fn candidate(
        &mut self,
        value: &Value,
        at: &str,
        synthetic: Option<bool>,
    ) -> Option<ImportedCandidate> {
        let names = [
            "synthetic",
            "qualification",
            "person",
            "company",
            "address",
            "evidence",
            "expires_at",
        ];
        let part = self.object(value, at, &names)?;
        let synthetic = self.flag(part, "synthetic").or(synthetic);
        if synthetic.is_none() {
            self.fault(
                part.pointer("synthetic"),
                "is required: say for the file or for each candidate whether it is made up (true) or a real person (false)",
            );
        }
        let synthetic = synthetic.unwrap_or_default();
        let before = self.faults.len();
        // All of them are read before one is missed, so that all faults are told.
        let address = self.address(part);
        let (qualification, person) = (self.qualification(part), self.person(part));
        let (company, evidence) = (self.company(part), self.all_evidence(part, synthetic));
        let expires_at = self.expiry(part);
        let candidate = ImportedCandidate {
            synthetic,
            qualification: qualification?,
            person: person?,
            company: company?,
            evidence,
            expires_at,
            address: address?,
        };
        if self.faults.len() == before {
            self.hides_its_address(&candidate, at);
        }
        Some(candidate)
    }

    fn address(&mut self, part: Part<'_>) -> Option<MailAddress> {
        let text = self.required(part, "address", ADDRESS_CHARS)?;
        match text.parse() {
            Ok(_) if has_lookalikes_of_a_domain(&text) => {
                self.fault(part.pointer("address"), LOOKALIKES);
                None
            }
            Ok(address) => Some(address),
            Err(fault) => {
                self.fault(part.pointer("address"), format!("{fault}"));
                None
            }
        }
    }

    fn qualification(&mut self, part: Part<'_>) -> Option<Qualification> {
        let pointer = part.pointer("qualification");
        let Some((value, _)) = part.given("qualification") else {
            self.fault(pointer, "is required, with a status");
            return None;
        };
        let part = self.object(value, &pointer, &["status", "reason", "decided_at"])?;
        let all = [
            QualificationStatus::Accepted,
            QualificationStatus::Rejected,
            QualificationStatus::Pending,
        ];
        let status = self.required_choice(part, "status", &all);
        let decided_at = self.past_instant(part, "decided_at");
        let reason = self.text(part, "reason", REASON_CHARS);
        let status = status?;
        let decided = status != QualificationStatus::Pending;
        if decided && part.given("decided_at").is_none() {
            self.fault(
                part.pointer("decided_at"),
                "is required for a candidate that somebody accepted or rejected",
            );
        } else if !decided && part.given("decided_at").is_some() {
            self.fault(
                part.pointer("decided_at"),
                "must not be given for a candidate that nobody has decided on",
            );
        }
        Some(Qualification {
            status,
            reason,
            decided_at,
        })
    }

    fn person(&mut self, part: Part<'_>) -> Option<CandidatePerson> {
        let pointer = part.pointer("person");
        let nobody = Value::Object(Map::new());
        let value = part.given("person").map_or(&nobody, |(value, _)| value);
        let part = self.object(value, &pointer, &["first_name", "full_name", "role"])?;
        Some(CandidatePerson {
            first_name: self.without_links(part, "first_name", FIRST_NAME_CHARS),
            full_name: self.without_links(part, "full_name", NAME_CHARS),
            role: self.without_links(part, "role", NAME_CHARS),
        })
    }

    fn company(&mut self, part: Part<'_>) -> Option<CandidateCompany> {
        let pointer = part.pointer("company");
        let nothing = Value::Object(Map::new());
        let value = part.given("company").map_or(&nothing, |(value, _)| value);
        let names = [
            "name",
            "domain",
            "country",
            "legal_form",
            "industry",
            "location",
        ];
        let part = self.object(value, &pointer, &names)?;
        let domain = self.text(part, "domain", DOMAIN_CHARS);
        let domain = domain.and_then(|text| match text.parse::<DomainName>() {
            Ok(_) if has_lookalikes_of_a_domain(&text) => {
                self.fault(part.pointer("domain"), LOOKALIKES);
                None
            }
            Ok(domain) => Some(domain.as_str().to_owned()),
            Err(error) => {
                self.fault(
                    part.pointer("domain"),
                    format!("must be a domain such as \"acme.example\": {error}"),
                );
                None
            }
        });
        let country = self.text(part, "country", SHORT_CHARS);
        if let Some(code) = &country
            && (code.bytes().any(|b| !b.is_ascii_uppercase())
                || rust_iso3166::from_alpha2(code).is_none())
        {
            self.fault(
                part.pointer("country"),
                "must be a country of ISO 3166-1 alpha-2 in upper case, such as \"GB\"",
            );
        }
        let legal_form = self.choice_or(
            part,
            "legal_form",
            &LegalForm::ALL,
            "; leave it out where none of them is right",
        );
        Some(CandidateCompany {
            name: self.without_links(part, "name", NAME_CHARS),
            domain,
            country,
            legal_form: legal_form.map(LegalForm::name),
            industry: self.without_links(part, "industry", SHORT_CHARS),
            location: self.without_links(part, "location", SHORT_CHARS),
        })
    }

    fn all_evidence(&mut self, part: Part<'_>, synthetic: bool) -> Vec<ImportedEvidence> {
        let pointer = part.pointer("evidence");
        let Some(list) = part
            .given("evidence")
            .and_then(|(list, _)| list.as_array())
            .filter(|list| !list.is_empty())
        else {
            self.fault(
                pointer,
                "must be a list with at least the record that says where the address comes from",
            );
            return Vec::new();
        };
        if list.len() > MAX_EVIDENCE {
            let (has, most) = (list.len(), MAX_EVIDENCE);
            self.fault(
                pointer,
                format!("must have at most {most} records, and has {has}"),
            );
            return Vec::new();
        }
        let mut records = Vec::new();
        let mut sound = true;
        for (index, value) in list.iter().enumerate() {
            match self.evidence(value, &format!("{pointer}/{index}"), synthetic) {
                Some(record) => records.push(record),
                None => sound = false,
            }
        }
        let of_address = |record: &ImportedEvidence| record.kind == EvidenceKind::AddressProvenance;
        // A record that could not be read was told of already.
        if sound && !records.iter().any(of_address) {
            self.fault(
                pointer,
                "must have a record of kind address_provenance, which says where the address comes from",
            );
        }
        records
    }

    fn expiry(&mut self, part: Part<'_>) -> Timestamp {
        let limit = self.terms.job_expires_at;
        let Some(at) = self.instant(part, "expires_at") else {
            return self.terms.expires_at.min(limit);
        };
        if at <= self.terms.now {
            self.fault(part.pointer("expires_at"), "must be in the future");
        } else if at > limit {
            self.fault(
                part.pointer("expires_at"),
                format!("must not be after {limit}, when the job expires"),
            );
        }
        at
    }

    /// DANGER: everything but the address itself is shown to whoever may read the job, so nobody's address may stand
    /// in it.
    fn hides_its_address(&mut self, candidate: &ImportedCandidate, at: &str) {
        let masked = candidate.address.masked();
        let mut shown = vec![
            (
                "qualification/reason".to_owned(),
                &candidate.qualification.reason,
            ),
            ("person/first_name".to_owned(), &candidate.person.first_name),
            ("person/full_name".to_owned(), &candidate.person.full_name),
            ("person/role".to_owned(), &candidate.person.role),
            ("company/name".to_owned(), &candidate.company.name),
            ("company/industry".to_owned(), &candidate.company.industry),
            ("company/location".to_owned(), &candidate.company.location),
        ];
        let excerpts: Vec<_> = candidate
            .evidence
            .iter()
            .map(|record| Some(record.excerpt.clone()))
            .collect();
        for (index, (record, excerpt)) in candidate.evidence.iter().zip(&excerpts).enumerate() {
            let of = |name: &str| format!("evidence/{index}/{name}");
            shown.push((of("url"), &record.url));
            shown.push((of("source_label"), &record.source_label));
            shown.push((of("excerpt"), excerpt));
            shown.push((of("hook"), &record.hook));
        }
        for (name, text) in shown {
            let Some(text) = text else { continue };
            if shows(text, &candidate.address) {
                self.fault(
                    format!("{at}/{name}"),
                    format!("must not contain the address, which nobody is shown in clear; write {masked}"),
                );
            } else if let Some(found) = addresses(text).first() {
                // DANGER: a fault is printed, so it must not name what it is about in clear.
                let masked = found.masked();
                self.fault(
                    format!("{at}/{name}"),
                    format!("must not contain anybody's address or handle with a domain, because it is shown in clear; write {masked} or leave it out"),
                );
            }
        }
    }
}
