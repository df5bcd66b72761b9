//! The draft of a playbook: claims with their evidence, and their JSON form
//! (`wit/results/playbook-draft.schema.json`).

use gtm_site_facts::digest::Told;
use gtm_site_research::claim::{Claim, sources};
use gtm_site_research::reading::{Research, Visited};
use serde_json::{Map, Value, json};

use crate::request::{Request, Section};
use crate::unread;

/// The company profile (annex A3).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    pub industry: Option<Claim>,
    pub employee_range: Option<Claim>,
    pub headquarters: Option<Claim>,
    pub business_model: Option<Claim>,
    pub offerings: Vec<Claim>,
    pub markets: Vec<Claim>,
    pub particulars: Vec<Claim>,
}

impl Profile {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The talk track (annex A3).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TalkTrack {
    pub opening: Option<Claim>,
    pub bridge: Option<Claim>,
    pub ask: Option<Claim>,
}

/// The kind of a risk (annex A3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RiskKind {
    Unknown,
    Conflict,
    Stale,
    Compliance,
}

/// Something to be careful about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Risk {
    /// One sentence.
    pub text: String,
    pub kind: RiskKind,
}

/// A playbook in the making. What is not known is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub business_summary: Option<Claim>,
    pub company_profile: Profile,
    pub priorities: Vec<Claim>,
    pub pain_points: Vec<Claim>,
    pub buying_signals: Vec<Claim>,
    pub buying_committee: Vec<Claim>,
    pub sales_angles: Vec<Claim>,
    pub value_map: Vec<Claim>,
    pub proof_points: Vec<Claim>,
    pub discovery_questions: Vec<Claim>,
    pub objections: Vec<Claim>,
    pub competitive_position: Vec<Claim>,
    pub talk_track: TalkTrack,
    pub next_steps: Vec<Claim>,
    pub fit_verdict: Option<Claim>,
    pub fit_reasons: Vec<Claim>,
    pub why_now: Vec<Claim>,
    pub messages_by_persona: Vec<Claim>,
    pub business_case: Vec<Claim>,
    /// What each page says, in its own words.
    pub site_digest: Vec<Claim>,
    pub risks: Vec<Risk>,
    /// Language of the prose, if it isn't the site's.
    pub language: Option<String>,
    /// What was left out of the result: pointer, reason and how often.
    pub left_out: Vec<(String, &'static str, usize)>,
}

impl Draft {
    /// Adds a risk, unless the same one was added before.
    pub fn risk(&mut self, kind: RiskKind, text: impl Into<String>) {
        let risk = Risk {
            text: text.into(),
            kind,
        };
        if !self.risks.contains(&risk) {
            self.risks.push(risk);
        }
    }

    /// Whether the section is empty.
    pub fn is_empty(&self, section: Section) -> bool {
        match section {
            Section::BusinessSummary => self.business_summary.is_none(),
            Section::CompanyProfile => self.company_profile.is_empty(),
            Section::TalkTrack => self.talk_track == TalkTrack::default(),
            Section::Risks => self.risks.is_empty(),
            list => self.list(list).is_none_or(Vec::is_empty),
        }
    }

    /// The claims of a section that is a list of claims.
    pub fn list(&self, section: Section) -> Option<&Vec<Claim>> {
        match section {
            Section::Priorities => Some(&self.priorities),
            Section::PainPoints => Some(&self.pain_points),
            Section::BuyingSignals => Some(&self.buying_signals),
            Section::BuyingCommittee => Some(&self.buying_committee),
            Section::SalesAngles => Some(&self.sales_angles),
            Section::ValueMap => Some(&self.value_map),
            Section::ProofPoints => Some(&self.proof_points),
            Section::DiscoveryQuestions => Some(&self.discovery_questions),
            Section::Objections => Some(&self.objections),
            Section::CompetitivePosition => Some(&self.competitive_position),
            Section::NextSteps => Some(&self.next_steps),
            Section::BusinessSummary
            | Section::CompanyProfile
            | Section::TalkTrack
            | Section::Risks => None,
        }
    }

    /// The same list, to be filled.
    pub fn list_mut(&mut self, section: Section) -> Option<&mut Vec<Claim>> {
        match section {
            Section::Priorities => Some(&mut self.priorities),
            Section::PainPoints => Some(&mut self.pain_points),
            Section::BuyingSignals => Some(&mut self.buying_signals),
            Section::BuyingCommittee => Some(&mut self.buying_committee),
            Section::SalesAngles => Some(&mut self.sales_angles),
            Section::ValueMap => Some(&mut self.value_map),
            Section::ProofPoints => Some(&mut self.proof_points),
            Section::DiscoveryQuestions => Some(&mut self.discovery_questions),
            Section::Objections => Some(&mut self.objections),
            Section::CompetitivePosition => Some(&mut self.competitive_position),
            Section::NextSteps => Some(&mut self.next_steps),
            Section::BusinessSummary
            | Section::CompanyProfile
            | Section::TalkTrack
            | Section::Risks => None,
        }
    }

    /// Number of claims in the requested sections.
    pub fn claims(&self, request: &Request) -> usize {
        Writer::new(request, &[]).write(self).1.len()
    }

    /// What the requested sections say besides the digest.
    pub fn told(&self, request: &Request) -> Told {
        Told::of(&Value::Object(Writer::new(request, &[]).write(self).0))
    }

    /// The JSON form. Sections that were not requested are present but empty.
    pub fn to_json(&self, request: &Request, research: &Research) -> Value {
        let (mut result, basis) = Writer::new(request, &research.pages).write(self);
        let target = json!({
            "company": research.company,
            "domain": research.domain,
        });
        result.insert("target".to_owned(), target);
        result.insert(
            "language".to_owned(),
            json!(self.language.as_ref().unwrap_or(&research.language)),
        );
        let left_out: Vec<Value> = self
            .left_out
            .iter()
            .map(|(pointer, reason, count)| {
                json!({"pointer": pointer, "reason": reason, "count": count})
            })
            .collect();
        json!({
            "result": result,
            "basis": basis,
            "sources": sources(&research.pages),
            "unknowns": unread::fields(&research.misses),
            "left_out": left_out,
        })
    }
}

struct Writer<'a> {
    request: &'a Request,
    pages: &'a [Visited],
    basis: Vec<Value>,
}

impl<'a> Writer<'a> {
    fn new(request: &'a Request, pages: &'a [Visited]) -> Self {
        Self {
            request,
            pages,
            basis: Vec::new(),
        }
    }

    fn write(mut self, draft: &Draft) -> (Map<String, Value>, Vec<Value>) {
        let mut result = Map::new();
        for section in Section::ALL {
            let wanted = self.request.wants(section);
            let value = match section {
                Section::BusinessSummary => self.one(
                    "/business_summary",
                    draft.business_summary.as_ref().filter(|_| wanted),
                ),
                Section::CompanyProfile => {
                    let nothing = Profile::default();
                    self.profile(if wanted {
                        &draft.company_profile
                    } else {
                        &nothing
                    })
                }
                Section::TalkTrack => {
                    let nothing = TalkTrack::default();
                    self.talk_track(if wanted { &draft.talk_track } else { &nothing })
                }
                Section::Risks => risks(if wanted { &draft.risks } else { &[] }),
                list => {
                    let claims = draft
                        .list(list)
                        .filter(|_| wanted)
                        .map_or(&[] as &[Claim], Vec::as_slice);
                    self.many(&format!("/{}", list.key()), claims)
                }
            };
            result.insert(section.key().to_owned(), value);
        }
        self.companions(draft, &mut result);
        (result, self.basis)
    }

    /// What comes with a requested section (docs/decisions/0070).
    fn companions(&mut self, draft: &Draft, result: &mut Map<String, Value>) {
        let nothing: &[Claim] = &[];
        let with = |section: Section, claims: &'_ [Claim]| -> Vec<Claim> {
            let wanted = self.request.wants(section);
            if wanted { claims } else { nothing }.to_vec()
        };
        let reasons = with(Section::SalesAngles, &draft.fit_reasons);
        let why_now = with(Section::BuyingSignals, &draft.why_now);
        let messages = with(Section::TalkTrack, &draft.messages_by_persona);
        let sums = with(Section::ValueMap, &draft.business_case);
        let digest = with(Section::CompanyProfile, &draft.site_digest);
        // The reasons carry the evidence of the verdict.
        let verdict = draft
            .fit_verdict
            .as_ref()
            .filter(|_| !reasons.is_empty())
            .and_then(|claim| claim.value.as_str())
            .filter(|word| *word != "unknown");
        let reasons = self.many("/fit/reasons", &reasons);
        result.insert(
            "fit".to_owned(),
            json!({"verdict": verdict, "reasons": reasons}),
        );
        for (name, claims) in [
            ("why_now", why_now),
            ("messages_by_persona", messages),
            ("business_case", sums),
            ("site_digest", digest),
        ] {
            let value = self.many(&format!("/{name}"), &claims);
            result.insert(name.to_owned(), value);
        }
    }

    fn profile(&mut self, profile: &Profile) -> Value {
        json!({
            "industry": self.one("/company_profile/industry", profile.industry.as_ref()),
            "employee_range": self.one("/company_profile/employee_range", profile.employee_range.as_ref()),
            "headquarters": self.one("/company_profile/headquarters", profile.headquarters.as_ref()),
            "business_model": self.one("/company_profile/business_model", profile.business_model.as_ref()),
            "offerings": self.many("/company_profile/offerings", &profile.offerings),
            "markets": self.many("/company_profile/markets", &profile.markets),
            "particulars": self.many("/company_profile/particulars", &profile.particulars),
        })
    }

    fn talk_track(&mut self, track: &TalkTrack) -> Value {
        json!({
            "opening": self.one("/talk_track/opening", track.opening.as_ref()),
            "bridge": self.one("/talk_track/bridge", track.bridge.as_ref()),
            "ask": self.one("/talk_track/ask", track.ask.as_ref()),
        })
    }

    fn one(&mut self, pointer: &str, claim: Option<&Claim>) -> Value {
        let Some(claim) = claim else {
            return Value::Null;
        };
        self.basis.push(claim.basis_entry(pointer, self.pages));
        claim.value.clone()
    }

    fn many(&mut self, pointer: &str, claims: &[Claim]) -> Value {
        claims
            .iter()
            .enumerate()
            .map(|(index, claim)| self.one(&format!("{pointer}/{index}"), Some(claim)))
            .collect()
    }
}

fn risks(risks: &[Risk]) -> Value {
    risks
        .iter()
        .map(|risk| {
            let kind = match risk.kind {
                RiskKind::Unknown => "unknown",
                RiskKind::Conflict => "conflict",
                RiskKind::Stale => "stale",
                RiskKind::Compliance => "compliance",
            };
            json!({"text": risk.text, "kind": kind})
        })
        .collect()
}
