//! Design tokens: palette and typography in the Design Tokens Format Module 2025.10.
//!
//! Only what the sources say becomes a token. The composite type `typography` requires a font size, a line
//! height and a letter spacing, which no source states; so families and weights are tokens of their own
//! types in a group of that name (decision 0022).

use serde_json::{Map, Value, json};

use super::sections::{Swatch, Typeface, Visual};

/// The token document; empty if neither a colour nor a typeface is known.
#[must_use]
pub fn design_tokens(visual: &Visual) -> Map<String, Value> {
    let mut document = Map::new();
    let mut colors = Map::new();
    for swatch in visual.palette.iter().filter_map(|c| c.value.as_ref()) {
        if let Some(value) = color(swatch) {
            let name = unused(&colors, swatch.role.as_str());
            let mut token = json!({"$type": "color", "$value": value});
            if let Some(said) = &swatch.name {
                token["$description"] = json!(said);
            }
            colors.insert(name, token);
        }
    }
    if !colors.is_empty() {
        document.insert("color".into(), Value::Object(colors));
    }
    let mut typography = Map::new();
    for typeface in visual.typography.iter().filter_map(|c| c.value.as_ref()) {
        let name = unused(&typography, typeface.role.as_str());
        typography.insert(name, Value::Object(font(typeface)));
    }
    if !typography.is_empty() {
        document.insert("typography".into(), Value::Object(typography));
    }
    document
}

/// A token name that is free in its group: `primary`, then `primary-2`.
fn unused(group: &Map<String, Value>, role: &str) -> String {
    (2..)
        .map(|number| format!("{role}-{number}"))
        .find(|name| !group.contains_key(name))
        .filter(|_| group.contains_key(role))
        .unwrap_or_else(|| role.to_owned())
}

/// The colour's three sRGB components from 0 to 1, with enough digits to distinguish 256 steps.
fn color(swatch: &Swatch) -> Option<Value> {
    let digits = swatch.hex.strip_prefix('#').filter(|d| d.len() == 6)?;
    let bytes = u32::from_str_radix(digits, 16).ok()?;
    let component = |shift: u32| {
        let byte = (bytes >> shift) & 0xff;
        (f64::from(byte) / 255.0 * 10_000.0).round() / 10_000.0
    };
    Some(json!({
        "colorSpace": "srgb",
        "components": [component(16), component(8), component(0)],
        "hex": swatch.hex,
    }))
}

fn font(typeface: &Typeface) -> Map<String, Value> {
    let mut families = vec![typeface.family.clone()];
    families.extend(typeface.fallbacks.iter().cloned());
    let mut group = Map::new();
    group.insert(
        "family".into(),
        json!({"$type": "fontFamily", "$value": families}),
    );
    let mut weights = Map::new();
    for weight in typeface.weights.iter().filter(|w| (1..=1000).contains(*w)) {
        weights.insert(
            weight.to_string(),
            json!({"$type": "fontWeight", "$value": weight}),
        );
    }
    if !weights.is_empty() {
        group.insert("weight".into(), Value::Object(weights));
    }
    group
}
