//! Documents, as far as the host decides on them: what may be asked for ([`input`]), what a job answers
//! ([`result`]), which parts of a brief it left out ([`left_out`]), how its files are called ([`file_name`]), what is embedded in them as evidence
//! ([`evidence_manifest`]), and how they look ([`theme`], [`template`]).
//!
//! Not here: the document model itself (`documents/model`), which plug-ins share, and the check of what a backend
//! drafted (`evidence/check`).

pub mod evidence_manifest;
pub mod file_name;
pub mod format;
pub mod input;
pub mod left_out;
pub mod result;
pub mod template;
pub mod theme;

pub use format::DocumentFormat;
pub use gtm_document_model::document::DocumentType;
pub use input::DocumentInput;
pub use left_out::{LeftOutOfBrief, LeftOutReason, MAX_LEFT_OUT, MAX_LEFT_OUT_CHARS, SaidInBrief};
pub use result::{DocumentFile, DocumentResult, MAX_MILESTONES, Milestone, SellingContext};
pub use template::{DocumentTemplate, TemplateBinding};
