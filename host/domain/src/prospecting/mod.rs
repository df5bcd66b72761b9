//! Prospecting jobs: candidates with retained evidence and provenance (annex A14). They are made on the
//! operator's side, by a connector or from a reviewed file; `/v1` reads them, never with an address in clear.

pub mod candidate;
pub mod decision;
pub mod import;
pub mod result;
pub mod search;

pub use candidate::{
    Candidate, CandidateAddress, CandidateCompany, CandidatePerson, EvidenceKind, EvidenceRecord,
    LegalForm, Qualification, QualificationStatus,
};
pub use decision::{Decision, follows};
pub use import::{ImportFault, ImportTerms, ImportedCandidate, ImportedEvidence};
pub use result::ProspectingResult;
pub use search::SearchResult;
