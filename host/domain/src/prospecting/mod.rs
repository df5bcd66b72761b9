//! Prospecting jobs: candidates with retained evidence and provenance (annex A14). They are made on the
//! operator's side; `/v1` reads them, never with an address in clear.

pub mod candidate;

pub use candidate::{
    Candidate, CandidateAddress, CandidateCompany, CandidatePerson, EvidenceKind, EvidenceRecord,
    Qualification, QualificationStatus,
};
