//! From a draft to the finished brand guideline (annex A2).
//!
//! Lives here: reading the draft ([`draft`]) and its schema ([`draft_schema`]), the rule of each field
//! ([`brand_rules`], with [`countries`], [`identifiers`], [`ownership`], [`postal`],
//! [`profiles`]), what stored pages declare ([`facts`]), the signals computed from them ([`recompute`]),
//! whose site it is ([`site`]), and putting the document together. The rule that all drafts share is
//! [`super::verdict`]; conclusions from the facts are derived in `gtm_domain::guideline`.

pub mod brand_rules;
pub mod countries;
pub mod draft;
pub mod draft_schema;
pub mod facts;
pub mod identifiers;
pub mod ownership;
pub mod postal;
pub mod profiles;
pub mod recompute;
pub mod site;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use gtm_domain::brand::BrandInput;
use gtm_domain::evidence::{Basis, SourceKind, Unknown, UnknownReason};
use gtm_domain::guideline::fields::{FIELDS, Field, Form};
use gtm_domain::guideline::governance::{
    Applications, Candidate, Conflict, Freshness, Governance, Research,
};
use gtm_domain::guideline::sections::{
    Audience, Foundations, Identity, Messaging, Positioning, Visual, Voice,
};
use gtm_domain::guideline::{Completed, GUIDELINE_SCHEMA_VERSION, Guideline};
use gtm_domain::start_url::StartUrls;
use gtm_domain::{Digest, JobId, ReceiptId, Timestamp};
use gtm_page_text::{canonical_tag, detect_language};
use serde_json::{Value, json};

use self::brand_rules::BrandRules;
use self::draft::{BrandDraft, DraftConflict, drafted};
use self::facts::{MAX_DATA_VALUES, PageFacts};
use self::recompute::{Signals, contrast_of};
use self::site::Site;
use super::basis::DraftBasis;
use super::caller_input::CallerInput;
use super::left_out::{self, LeftOut};
use super::library::Library;
use super::numbering::Numbering;
use super::origin::said_of;
use super::stop_flag::StopFlag;
use super::verdict::{ClaimChecker, Dropped, VerifiedClaim};

/// Most failing colour pairs that a guideline names.
const MAX_FAILING_PAIRS: usize = 20;

/// What the check needs besides the draft.
pub struct CheckInput<'a> {
    /// The job's normalized input.
    pub input: &'a BrandInput,
    /// Addresses that the operator configured for sites.
    pub start_urls: &'a StartUrls,
    /// Stored answers that the draft cites.
    pub library: &'a Library,
    pub job: JobId,
    /// The revision to create.
    pub revision: u64,
    /// The document of the previous revision.
    pub previous: Option<&'a Value>,
    /// When the job first started.
    pub started_at: Timestamp,
    /// When its last exchange with a provider ended.
    pub finished_at: Timestamp,
    /// Ends the check early.
    pub stop: &'a StopFlag,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    pub completed: Completed,
    /// Pointers of dropped claims in the draft, with the reason.
    pub dropped: Vec<(String, Dropped)>,
    /// What backend and host left out, for the job's events.
    pub left_out: Vec<LeftOut>,
}

/// Why there is no guideline.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The checked draft does not form a guideline: a fault of this module.
    #[error("the checked draft is no guideline: {0}")]
    Shape(#[from] serde_json::Error),
    /// The flag was raised.
    #[error("the check was stopped")]
    Stopped,
}

/// Checks a draft and builds the guideline.
///
/// # Errors
/// If the check was stopped, or the finished value does not read back as a guideline, which is a fault of
/// the host.
pub fn check(draft: &BrandDraft, by: &CheckInput<'_>) -> Result<Checked, CheckError> {
    let site = Site::of(by.input, by.start_urls, draft, by.library);
    let said = said_of(&draft.sources);
    let kinds = site.target.kinds(by.library, &said);
    let given = CallerInput::of(
        [&by.input.company_name, &by.input.website_url]
            .into_iter()
            .flatten()
            .map(String::as_str),
        [],
    );
    let mut room = MAX_DATA_VALUES;
    let facts: BTreeMap<_, _> = by
        .library
        .iter()
        .take_while(|_| !by.stop.is_raised())
        .map(|stored| (stored.receipt.id, PageFacts::read(stored, &mut room)))
        .collect();
    let language = language(draft.language.as_deref(), &facts, by.library, &site);
    let signals = Signals::read(by.library, language.as_deref(), by.stop);
    let year = by
        .started_at
        .to_string()
        .get(..4)
        .and_then(|year| year.parse().ok());
    let rules = BrandRules {
        checker: ClaimChecker {
            library: by.library,
            kinds: &kinds,
            given: &given,
            stop: by.stop,
        },
        facts: &facts,
        signals: &signals,
        domain: site.domain.as_deref().unwrap_or_default(),
        language: language.as_deref().unwrap_or_default(),
        year: year.unwrap_or(i64::MAX),
    };

    let mut builder = GuidelineBuilder::new(blank(by, &site, language.as_deref()).document());
    let bases: BTreeMap<&str, &DraftBasis> = draft
        .basis
        .iter()
        .map(|b| (b.pointer.as_str(), b))
        .collect();
    for field in drafted() {
        let drafted = draft.values.pointer(field.pointer).unwrap_or(&Value::Null);
        builder.field(field, drafted, &bases, &rules);
    }
    builder.proof_points_that_stand();
    for conflict in &draft.conflicts {
        builder.conflict(conflict, &rules);
    }
    for source in draft.sources.iter().take_while(|_| !by.stop.is_raised()) {
        if let Some(stored) = by.library.find(&source.receipt_id) {
            builder.numbering.source(stored.receipt.id);
        }
    }
    if by.stop.is_raised() {
        return Err(CheckError::Stopped);
    }
    let own = by
        .library
        .iter()
        .filter(|stored| rules.checker.kind(stored) == SourceKind::FirstParty);
    let mut failing_pairs = signals.failing_pairs(&own.collect::<Vec<_>>(), by.library);
    failing_pairs.truncate(MAX_FAILING_PAIRS);

    let unknowns = builder.unknowns(draft);
    let mut guideline: Guideline = serde_json::from_value(builder.document)?;
    guideline.research.sources = builder.numbering.sources(by.library, &kinds, &said);
    guideline.research.unknowns = unknowns;
    guideline.research.conflicts = builder.conflicts;
    guideline.governance.accessibility.failing_pairs = failing_pairs;
    Ok(Checked {
        completed: guideline.complete(by.previous, &contrast_of),
        left_out: left_out::in_all(&draft.left_out, &builder.dropped),
        dropped: builder.dropped,
    })
}

/// A guideline that contains only what the host itself knows.
fn blank(by: &CheckInput<'_>, site: &Site, language: Option<&str>) -> Guideline {
    Guideline {
        schema_version: GUIDELINE_SCHEMA_VERSION.to_owned(),
        brand_profile_id: by.input.brand_profile_id,
        revision: by.revision,
        // Replaced when the document is sealed.
        guideline_hash: Digest::of(b""),
        generated_at: by.finished_at,
        language: language.unwrap_or("und").to_owned(),
        job_id: by.job,
        identity: Identity {
            website_url: site.website_url.clone(),
            domain: site.domain.clone(),
            ..Identity::default()
        },
        foundations: Foundations::default(),
        audience: Audience::default(),
        positioning: Positioning::default(),
        voice: Voice::default(),
        messaging: Messaging::default(),
        visual: Visual::default(),
        applications: Applications::default(),
        governance: Governance::default(),
        research: Research {
            started_at: by.started_at,
            finished_at: by.finished_at,
            sources: Vec::new(),
            unknowns: Vec::new(),
            conflicts: Vec::new(),
            coverage: Vec::new(),
            freshness: Freshness::default(),
        },
    }
}

/// The drafted language, if a page of the brand's own site declares it, the connector read it from such a
/// page, or such a page is written in it. What a stranger's page declares is the stranger's language.
fn language(
    drafted: Option<&str>,
    facts: &BTreeMap<ReceiptId, PageFacts>,
    library: &Library,
    site: &Site,
) -> Option<String> {
    let tag = canonical_tag(drafted?)?;
    let own = || {
        let all = library.iter();
        all.filter(|stored| site.target.owns(&stored.receipt))
    };
    let declared = own().any(|stored| {
        let page = facts.get(&stored.receipt.id);
        page.is_some_and(|page| page.languages.contains(&tag))
    });
    let read = || {
        let mut texts = own().flat_map(|stored| stored.facts.iter());
        texts.any(|text| canonical_tag(text).as_deref() == Some(tag.as_str()))
    };
    let written = || {
        let own: Vec<&str> = own().map(|stored| stored.text.as_str()).collect();
        // Short pages tell their language only together.
        let is_in = |texts: &[&str]| detect_language(texts.iter().copied()) == Some(tag.as_str());
        is_in(&own) || own.iter().any(|text| is_in(&[text]))
    };
    (declared || read() || written()).then_some(tag)
}

/// The guideline while it is being built.
struct GuidelineBuilder {
    document: Value,
    numbering: Numbering,
    dropped: Vec<(String, Dropped)>,
    /// Fields from which something was dropped.
    unverified: BTreeSet<&'static str>,
    conflicts: Vec<Conflict>,
}

impl GuidelineBuilder {
    fn new(document: Value) -> Self {
        Self {
            document,
            numbering: Numbering::default(),
            dropped: Vec::new(),
            unverified: BTreeSet::new(),
            conflicts: Vec::new(),
        }
    }

    fn field(
        &mut self,
        field: &'static Field,
        drafted: &Value,
        bases: &BTreeMap<&str, &DraftBasis>,
        rules: &BrandRules<'_>,
    ) {
        let finished = match (field.form, drafted) {
            (_, Value::Null) => return,
            (Form::Claims, Value::Array(elements)) => {
                let mut seen = HashSet::new();
                let mut standing = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    let pointer = format!("{}/{index}", field.pointer);
                    let claim = self.claim(field, &pointer, element, bases, rules);
                    let fresh = |claim: &Value| seen.insert(claim["value"].to_string());
                    standing.extend(claim.filter(fresh));
                }
                Value::Array(standing)
            }
            _ => match self.claim(field, field.pointer, drafted, bases, rules) {
                Some(claim) if field.form == Form::Plain => claim["value"].clone(),
                Some(claim) => claim,
                None => return,
            },
        };
        if let Some(place) = self.document.pointer_mut(field.pointer) {
            *place = finished;
        }
    }

    /// The finished claim; if it is dropped, `None` and a note of the reason.
    fn claim(
        &mut self,
        field: &'static Field,
        pointer: &str,
        value: &Value,
        bases: &BTreeMap<&str, &DraftBasis>,
        rules: &BrandRules<'_>,
    ) -> Option<Value> {
        match rules.judge(field, value, bases.get(pointer).copied()) {
            Ok((value, kept)) => Some(self.finished(&value, &kept)),
            Err(reason) => {
                self.dropped.push((pointer.to_owned(), reason));
                self.unverified.insert(field.pointer);
                None
            }
        }
    }

    fn finished(&mut self, value: &Value, kept: &VerifiedClaim) -> Value {
        json!({
            "value": value,
            "confidence": kept.confidence,
            "basis": kept.basis,
            "source_ids": self.numbering.source_ids(kept),
            "excerpt_ids": self.numbering.excerpt_ids(kept),
        })
    }

    /// Keeps only those proof points of a pillar that are in the document.
    fn proof_points_that_stand(&mut self) {
        let points = self.document.pointer("/positioning/proof_points");
        let points = points.and_then(Value::as_array).into_iter().flatten();
        let keys: HashSet<String> = points
            .filter_map(|point| point.pointer("/value/key")?.as_str().map(str::to_owned))
            .collect();
        let pillars = self.document.pointer_mut("/messaging/pillars");
        for pillar in pillars.and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(Value::Array(named)) = pillar.pointer_mut("/value/proof_point_keys") {
                named.retain(|key| key.as_str().is_some_and(|key| keys.contains(key)));
            }
        }
    }

    /// Keeps a conflict if at least two different values are confirmed, each quoted from a source.
    fn conflict(&mut self, conflict: &DraftConflict, rules: &BrandRules<'_>) {
        let mut standing: Vec<(Value, Vec<VerifiedClaim>)> = Vec::new();
        let mut lost = false;
        for candidate in &conflict.candidates {
            match rules.judge(conflict.field, &candidate.value, Some(&candidate.basis)) {
                Ok((value, kept)) if kept.basis != Basis::Inferred => {
                    match standing.iter_mut().find(|(known, _)| *known == value) {
                        Some((_, all)) => all.push(kept),
                        None => standing.push((value, vec![kept])),
                    }
                }
                Ok(_) | Err(_) => lost = true,
            }
        }
        if lost {
            self.unverified.insert(conflict.field.pointer);
        }
        let known = self
            .conflicts
            .iter()
            .any(|c| c.pointer == conflict.field.pointer);
        if standing.len() < 2 || known {
            return;
        }
        let numbering = &mut self.numbering;
        let candidates = standing.into_iter().map(|(value, all)| {
            let mut source_ids: Vec<String> = Vec::new();
            for kept in &all {
                // The quotations get ids too, so that the sources show them.
                numbering.excerpt_ids(kept);
                let ids = numbering.source_ids(kept).into_iter();
                let fresh: Vec<String> = ids.filter(|id| !source_ids.contains(id)).collect();
                source_ids.extend(fresh);
            }
            Candidate { value, source_ids }
        });
        self.conflicts.push(Conflict {
            pointer: conflict.field.pointer.to_owned(),
            candidates: candidates.collect(),
        });
    }

    /// Every field without a value and every list that lost an element, with the reason.
    fn unknowns(&self, draft: &BrandDraft) -> Vec<Unknown> {
        let reason = |field: &Field| {
            let known = field.is_known(&self.document);
            let conflicting = self.conflicts.iter().any(|c| c.pointer == field.pointer);
            let unverified = self.unverified.contains(field.pointer)
                || (draft.left_out.iter())
                    .any(|left| left.is_unverified() && left.is_of(field.pointer));
            match draft.unknowns.get(field.pointer) {
                _ if conflicting => (!known).then_some(UnknownReason::Conflicting),
                _ if unverified && (!known || field.form == Form::Claims) => {
                    Some(UnknownReason::Unverified)
                }
                _ if known => None,
                // The conflict that the backend reported was not confirmed.
                None | Some(UnknownReason::Conflicting) => Some(UnknownReason::NotFound),
                Some(said) => Some(*said),
            }
        };
        let unknown = |field: &Field| {
            Some(Unknown {
                pointer: field.pointer.to_owned(),
                reason: reason(field)?,
            })
        };
        FIELDS.iter().filter_map(unknown).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests;
