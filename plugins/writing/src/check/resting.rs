//! Whether the excerpts of a claim say anything of it.

use gtm_page_text::is_in_another_language;
use serde_json::Value;

use crate::found::subject;

/// Fewest words that a claim and its excerpts share, if these have as many. One stands in both by chance.
const LEAST_SHARED: usize = 2;

/// Whether excerpts speak of what a claim says. Words of two languages never agree, so excerpts in another one than the claim are
/// taken to.
pub fn is_borne_out(value: &Value, excerpts: &str, language: &str) -> bool {
    let mut said = Vec::new();
    strings(value, &mut said);
    let (said, shown) = (subject(&said.join(" ")), subject(excerpts));
    let shared = said.intersection(&shown).count();
    shared > 0 && shared >= LEAST_SHARED.min(shown.len())
        || is_in_another_language(excerpts, language)
}

/// The texts of a value.
pub fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(object) => object.values().for_each(|item| strings(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_bears_out_no_price() {
        let borne = |text: &str, excerpt: &str| is_borne_out(&Value::from(text), excerpt, "en");
        assert!(!borne(
            "The scale costs 390 euros a month.",
            "12 Mill Lane, Whitby"
        ));
        assert!(borne(
            "The scale weighs the pumice of both quarries.",
            "We dig pumice in two quarries near Whitby."
        ));
        assert!(borne("A scale for pumice.", "Pumice"));
        let french = "Nous extrayons la pierre ponce de nos deux carrières et nous la livrons à nos clients de la région.";
        assert!(borne("The scale weighs both quarries.", french));
    }
}
