//! What a bound brand guideline says: words that a playbook may use as its seller's own.

use serde_json::Value;

/// The sections in which a brand speaks (annex A2).
const SECTIONS: [&str; 6] = [
    "identity",
    "foundations",
    "audience",
    "positioning",
    "voice",
    "messaging",
];
/// Members that list what the brand must not say.
const FORBIDDEN: [&str; 2] = ["claims_restricted", "avoided"];

/// Members that classify a value, or that say what the brand must not do.
const LABELS: [&str; 8] = [
    "key",
    "kind",
    "scheme",
    "code",
    "seniority",
    "network",
    "context",
    "dont",
];

/// The texts of all claims of the guideline that a seller may repeat. Whether they are inferred or quoted
/// makes no difference here: the organization published them as its own guideline.
#[must_use]
pub fn words(guideline: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    for section in SECTIONS {
        if let Some(section) = guideline.get(section) {
            claims(section, &mut found);
        }
    }
    found
}

/// The claims that the guideline restricts: nobody may make them in the brand's name.
pub fn restricted(guideline: &Value) -> impl Iterator<Item = &str> {
    let listed = guideline.pointer("/messaging/claims_restricted");
    let listed = listed.and_then(Value::as_array).into_iter().flatten();
    listed.filter_map(|claim| claim.pointer("/value/text")?.as_str())
}

/// Descends to the values of claims; the ids of sources and excerpts beside them are not anybody's words.
fn claims<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => match members.get("value") {
            Some(value) if members.contains_key("source_ids") => texts(value, found),
            _ => {
                let allowed = members
                    .iter()
                    .filter(|(name, _)| !FORBIDDEN.contains(&name.as_str()));
                allowed.for_each(|(_, member)| claims(member, found));
            }
        },
        Value::Array(items) => items.iter().for_each(|item| claims(item, found)),
        _ => {}
    }
}

fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !LABELS.contains(&name.as_str()))
            .for_each(|(_, member)| texts(member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claim(value: Value) -> Value {
        json!({"value": value, "confidence": "high", "basis": "stated", "source_ids": ["src_01"], "excerpt_ids": ["ex_01"]})
    }

    #[test]
    fn a_brand_s_words_are_the_values_of_its_claims() {
        let guideline = json!({
            "guideline_hash": "sha256:x",
            "identity": {"evidence": {"confidence": "high", "source_ids": ["src_01"]}, "brand_name": claim(json!("Northwind")),
                "domain": "northwind.example"},
            "positioning": {"proof_points": [claim(json!({"key": "pp-1", "kind": "metric", "text": "18,000 flats"}))],
                "category": claim(Value::Null)},
            "voice": {"traits": [claim(json!({"trait": "plain", "do": ["say it"], "dont": ["shout"]}))],
                "vocabulary": {"preferred": [claim(json!("meter"))], "avoided": [claim(json!("disrupt"))]}},
            "messaging": {"claims_restricted": [claim(json!({"text": "guaranteed savings", "reason": null}))]},
            "research": {"sources": [{"title": "A page"}]},
        });
        assert_eq!(
            words(&guideline),
            ["Northwind", "18,000 flats", "plain", "say it", "meter"]
        );
    }
}
