//! An offer in a file that a person wrote, as JSON or YAML.

use gtm_domain::offer::OfferInput;
use serde_json::Value;

use super::import_file::ImportFile;
use crate::failure::Failure;
use crate::json_input;

/// An offer with every list full is smaller.
const MAX_BYTES: u64 = 1 << 20;

/// Reads an offer.
///
/// # Errors
/// If there is no such file, or it is no offer: then everything that is wrong with it, each with its place.
pub fn read(file: &ImportFile) -> Result<OfferInput, Failure> {
    let value = parse(&file.read_text(MAX_BYTES)?).map_err(|error| {
        Failure::new(format!("{} is neither JSON nor YAML: {error}", file.name()))
    })?;
    OfferInput::read(&value).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::new(format!("the offer is not valid: {}", faults.join("; ")))
            .hint("`gtm help offer create` shows an offer with all its members")
    })
}

/// JSON is YAML, too, but its own reader says better what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let begins = text.trim_start_matches('\u{feff}').trim_start();
    if begins.starts_with('{') {
        // Braces begin YAML as well.
        return json_input::parse(begins.as_bytes()).or_else(|error| yaml(text).map_err(|_| error));
    }
    yaml(text)
}

/// Only `true` and `false` are no texts: the country NO must not become "no".
fn yaml(text: &str) -> Result<Value, String> {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let told = error.to_string();
        let first = told.lines().next().unwrap_or_default();
        // What follows is the library's advice to programmers.
        let (fault, _) = first.split_once(", set ").unwrap_or((first, ""));
        fault.trim_start_matches("error: ").to_owned()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn json_and_yaml_say_the_same() {
        let value = json!({"name": "Meters", "icp": {"countries": ["NO", "GB"]}, "pricing": {"disclose_in_copy": true}});
        let yaml = "name: Meters\nicp:\n  countries: [NO, GB]\npricing: {disclose_in_copy: true}\n";
        assert_eq!(parse(yaml).unwrap(), value);
        assert_eq!(parse(&value.to_string()).unwrap(), value);
        assert_eq!(parse("{name: Meters}").unwrap(), json!({"name": "Meters"}));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let error = parse("{\"name\": \"Meters\",\n \"key\" \"m\"}").unwrap_err();
        assert!(error.contains("line 2"), "{error}");
        let error = parse("name: Meters\nname: Pumps\n").unwrap_err();
        assert!(
            error.contains("line 2") && !error.contains("Policy"),
            "{error}"
        );
        let error = parse("name: Meters\n  key: - m\n").unwrap_err();
        assert!(!error.is_empty());
        assert!(
            parse("name: a\nname: b\n").is_err() && parse(r#"{"name": "a", "name": "b"}"#).is_err(),
            "the same member twice"
        );
    }

    #[test]
    fn a_small_file_does_not_become_a_large_value() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let refer = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{refer}]\n"));
        }
        assert!(parse(&bomb).is_err());
    }
}
