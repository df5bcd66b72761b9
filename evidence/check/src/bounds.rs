//! How much a draft may have.
//!
//! DANGER: a plug-in's own schema bounds what it returns, and its author wrote that schema. These bounds are
//! the host's. They are above those of the shipped schemas (`wit/results/`), so that only a draft that no
//! reader wants meets them.

use serde_json::Value;

use super::basis::{DraftBasis, DraftError};

/// Most excerpts of one claim.
pub const MAX_EXCERPTS_PER_CLAIM: usize = 50;
/// Most excerpts of all claims and conflicting values.
pub const MAX_EXCERPTS: usize = 5_000;
/// Most receipts that one claim names besides its excerpts.
pub const MAX_RECEIPTS_PER_CLAIM: usize = 50;
/// Most sums behind the numbers of one claim.
pub const MAX_DERIVATIONS: usize = 20;
/// Most elements of one list.
pub const MAX_ELEMENTS: usize = 2_000;
/// Most bytes of one text: 4,000 characters, whatever the script.
pub const MAX_TEXT_BYTES: usize = 16_000;

/// Refuses a text or list that is too long, at any depth.
pub(crate) fn within_bounds(draft: &Value) -> Result<(), DraftError> {
    match draft {
        Value::String(text) => at_most(text.len(), MAX_TEXT_BYTES, "bytes in one text"),
        Value::Array(elements) => {
            at_most(elements.len(), MAX_ELEMENTS, "elements in one list")?;
            elements.iter().try_for_each(within_bounds)
        }
        Value::Object(members) => members.values().try_for_each(within_bounds),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Refuses too much evidence, for one claim or in all.
pub(crate) fn bounded_evidence<'d>(
    basis: impl IntoIterator<Item = &'d DraftBasis>,
) -> Result<(), DraftError> {
    let mut excerpts = 0;
    for entry in basis {
        let of_claim = entry.excerpts.len();
        at_most(of_claim, MAX_EXCERPTS_PER_CLAIM, "excerpts for one claim")?;
        let receipts = entry.receipt_ids.len();
        at_most(receipts, MAX_RECEIPTS_PER_CLAIM, "receipts for one claim")?;
        let sums = entry.derivations.len();
        at_most(sums, MAX_DERIVATIONS, "derivations for one claim")?;
        excerpts += of_claim;
        at_most(excerpts, MAX_EXCERPTS, "excerpts in all")?;
    }
    Ok(())
}

fn at_most(count: usize, most: usize, what: &'static str) -> Result<(), DraftError> {
    if count > most {
        return Err(DraftError::TooLarge { what, most });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::brand::draft::BrandDraft;
    use crate::brand::draft::tests::empty;
    use crate::draft::Draft;
    use serde_json::json;

    fn excerpts(count: usize) -> Vec<Value> {
        vec![json!({"receipt_id": "r", "text": "t"}); count]
    }

    /// A draft with so many excerpts for each of so many claims.
    fn playbook(claims: usize, count: usize) -> Value {
        let basis = (0..claims).map(|n| {
            json!({"pointer": format!("/priorities/{n}"), "basis": "stated", "excerpts": excerpts(count)})
        });
        json!({"result": {}, "basis": basis.collect::<Vec<_>>(), "sources": []})
    }

    fn refusal(draft: &Value) -> Option<&'static str> {
        match Draft::read(draft) {
            Ok(_) => None,
            Err(DraftError::TooLarge { what, .. }) => Some(what),
            Err(DraftError::Contract(problem)) => panic!("{problem}"),
        }
    }

    #[test]
    fn evidence_is_bounded_for_one_claim_and_for_all() {
        assert_eq!(refusal(&playbook(1, 50)), None);
        assert_eq!(refusal(&playbook(1, 51)), Some("excerpts for one claim"));
        assert_eq!(refusal(&playbook(100, 50)), None);
        assert_eq!(refusal(&playbook(101, 50)), Some("excerpts in all"));
        let mut receipts = playbook(1, 1);
        receipts["basis"][0]["receipt_ids"] = json!(vec!["r"; 51]);
        assert_eq!(refusal(&receipts), Some("receipts for one claim"));
    }

    #[test]
    fn lists_and_texts_are_bounded() {
        let mut draft = playbook(0, 0);
        draft["result"]["risks"] = json!(vec![json!({"text": "x", "kind": "unknown"}); 2_001]);
        assert_eq!(refusal(&draft), Some("elements in one list"));
        draft["result"]["risks"] = json!([{"text": "ü".repeat(8_001), "kind": "unknown"}]);
        assert_eq!(refusal(&draft), Some("bytes in one text"));
    }

    #[test]
    fn conflicting_values_have_the_same_bounds() {
        let with = |candidates: usize, count: usize| {
            let mut draft = empty();
            let candidate = json!({"value": "A", "excerpts": excerpts(count), "receipt_ids": []});
            draft["conflicts"] = json!([{"pointer": "/identity/tagline", "candidates": vec![candidate; candidates]}]);
            BrandDraft::read(&draft)
        };
        with(100, 50).unwrap();
        let told = |draft: Result<BrandDraft, DraftError>| draft.unwrap_err().to_string();
        assert!(told(with(101, 50)).contains("5000 excerpts in all"));
        assert!(told(with(1, 51)).contains("50 excerpts for one claim"));
    }
}
