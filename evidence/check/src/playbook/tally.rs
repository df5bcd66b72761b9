//! What was judged and what was dropped, and so which fields are unknown (annex A1).

use gtm_domain::evidence::{Unknown, UnknownReason};
use gtm_domain::playbook::{PlaybookSection, Target};
use serde_json::Value;

use crate::claims::{CLAIM_FIELDS, ClaimField};
use crate::left_out::LeftOut;
use crate::verdict::Dropped;
/// What was judged and what was dropped, by section.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) dropped: Vec<(String, Dropped)>,
    /// Pointers into the result, whereas `dropped` points into the draft.
    pub(super) unknowns: Vec<Unknown>,
}

impl Tally {
    pub(super) fn note(&mut self, field: &ClaimField, pointer: String, reason: Dropped) {
        self.dropped.push((pointer, reason));
        self.unknown(field.pointer.to_owned());
    }

    /// Notes which requested fields are empty though nothing was left out of them: no source says anything, unless the backend
    /// knows of one that it could not read.
    pub(super) fn empty(
        &mut self,
        fields: &Value,
        sections: &[PlaybookSection],
        unread: &[Unknown],
    ) {
        for field in CLAIM_FIELDS {
            let value = fields.pointer(field.pointer);
            let empty = match value {
                None | Some(Value::Null) => true,
                Some(Value::Array(elements)) => elements.is_empty(),
                Some(_) => false,
            };
            let told = self
                .unknowns
                .iter()
                .any(|known| known.pointer == field.pointer);
            if empty && !told && sections.contains(&field.section) {
                let unread = unread.iter().find(|known| {
                    known.pointer == field.pointer
                        && matches!(known.reason, UnknownReason::Blocked | UnknownReason::Budget)
                });
                self.unknowns.push(Unknown {
                    pointer: field.pointer.to_owned(),
                    reason: unread.map_or(UnknownReason::NotFound, |known| known.reason),
                });
            }
        }
    }

    /// Notes what the backend left out of a requested section.
    pub(super) fn left_out(&mut self, left: &LeftOut, sections: &[PlaybookSection]) {
        let of = CLAIM_FIELDS
            .iter()
            .filter(|field| sections.contains(&field.section))
            .find(|field| left.is_of(field.pointer));
        if let Some(field) = of
            && !self
                .unknowns
                .iter()
                .any(|known| known.pointer == field.pointer)
        {
            self.unknown(field.pointer.to_owned());
        }
    }

    /// Whatever was wrong with the evidence, the reader of the result sees "unverified" (annex A1).
    pub(super) fn unknown(&mut self, pointer: String) {
        self.unknowns.push(Unknown {
            pointer,
            reason: UnknownReason::Unverified,
        });
    }

    /// Notes what the draft says about the target and neither the caller nor a source confirms.
    pub(super) fn unknown_target(&mut self, drafted: &Target, target: &Target) {
        if drafted.company.is_some() && target.company.is_none() {
            self.unknown("/target/company".to_owned());
        }
        if drafted.domain.is_some() && target.domain.is_none() {
            self.unknown("/target/domain".to_owned());
        }
    }
}
