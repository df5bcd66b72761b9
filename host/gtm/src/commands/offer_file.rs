//! An offer in a file that a person wrote, as JSON or YAML.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::str::FromStr;

use gtm_domain::offer::OfferInput;
use serde_json::Value;

use crate::failure::Failure;
use crate::json_input;

/// An offer with every list full is smaller.
const MAX_BYTES: u64 = 1 << 20;

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferFile(String);

impl FromStr for OfferFile {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl OfferFile {
    /// Reads the offer.
    ///
    /// # Errors
    /// If there is no such file, or it is no offer: then everything that is wrong with it, each with its place.
    pub fn read(&self) -> Result<OfferInput, Failure> {
        let name = match self.0.as_str() {
            "-" => "standard input",
            path => path,
        };
        let told = |error: io::Error| Failure::new(format!("cannot read {name}: {error}"));
        let text = match self.0.as_str() {
            "-" => bounded(io::stdin().lock()),
            path => File::open(path).and_then(bounded),
        };
        let value = parse(&text.map_err(told)?)
            .map_err(|error| Failure::new(format!("{name} is neither JSON nor YAML: {error}")))?;
        OfferInput::read(&value).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Failure::new(format!("the offer is not valid: {}", faults.join("; ")))
                .hint("`gtm help offer create` shows an offer with all its members")
        })
    }
}

fn bounded(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    source.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        let message = format!("it has more than {MAX_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(text)
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

    #[test]
    fn a_file_is_bounded() {
        assert!(bounded("x".repeat(MAX_BYTES as usize).as_bytes()).is_ok());
        assert!(bounded("x".repeat(MAX_BYTES as usize + 1).as_bytes()).is_err());
    }
}
