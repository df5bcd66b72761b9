//! Prospecting jobs: candidates with retained evidence and provenance (annex A14). They are made on the
//! operator's side; `/v1` reads them, never with an address in clear.

pub mod candidate;
pub mod import;
pub mod result;

pub use candidate::{
    Candidate, CandidateAddress, CandidateCompany, CandidatePerson, EvidenceKind, EvidenceRecord,
    Qualification, QualificationStatus,
};
pub use import::{ImportFault, ImportTerms, ImportedCandidate, ImportedEvidence};
pub use result::ProspectingResult;
