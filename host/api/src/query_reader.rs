//! Reads query strings: each parameter at most once, and all refused values in one answer.
//! [`crate::query_parameters`] has already refused parameters that the operation does not have.

use gtm_domain::ErrorCode;
use http::request::Parts;
use url::form_urlencoded;

use crate::error::ApiError;
use crate::validation::Violation;

/// What is wrong with a parameter's value.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// 400: not in the parameter's syntax. Holds the end of the sentence, after the name.
    Malformed(&'static str),
    /// 422: in the right syntax, but refused.
    Refused(Violation),
}

impl Fault {
    /// 422 with the rule that the value of this parameter breaks.
    #[must_use]
    pub fn refused(name: &str, rule: &str, message: impl Into<String>) -> Self {
        Self::Refused(Violation::new(format!("/{name}"), rule, message.into()))
    }
}

#[derive(Debug, Clone, Copy)]
pub struct QueryReader<'q> {
    query: &'q str,
    comma_separated: &'static [&'static str],
}

impl<'q> QueryReader<'q> {
    /// The query string of a request.
    #[must_use]
    pub fn of(parts: &'q Parts) -> Self {
        Self::new(parts.uri.query().unwrap_or_default())
    }

    #[must_use]
    pub const fn new(query: &'q str) -> Self {
        Self {
            query,
            comma_separated: &[],
        }
    }

    /// The same; a caller who repeats one of these parameters is told how to send several values.
    #[must_use]
    pub const fn comma_separated(self, names: &'static [&'static str]) -> Self {
        Self {
            comma_separated: names,
            ..self
        }
    }

    /// Passes the value of each of the parameters `names` to `take`, in the order of the query.
    ///
    /// # Errors
    /// 400 for a parameter that is given twice or for the first malformed value, 422 with all refused
    /// values.
    pub fn read(
        self,
        names: &[&str],
        mut take: impl FnMut(&str, &str) -> Result<(), Fault>,
    ) -> Result<(), ApiError> {
        let malformed = |message| ApiError::new(ErrorCode::MalformedRequest, message);
        let mut seen: Vec<&str> = Vec::new();
        let mut violations = Vec::new();
        for (name, value) in form_urlencoded::parse(self.query.as_bytes()) {
            let Some(name) = names.iter().copied().find(|known| *known == name) else {
                continue;
            };
            if seen.contains(&name) {
                return Err(malformed(self.twice(name)));
            }
            seen.push(name);
            match take(name, &value) {
                Ok(()) => {}
                Err(Fault::Malformed(what)) => return Err(malformed(format!("{name} {what}."))),
                Err(Fault::Refused(violation)) => violations.push(violation),
            }
        }
        if violations.is_empty() {
            Ok(())
        } else {
            Err(ApiError::invalid(&violations))
        }
    }

    fn twice(&self, name: &str) -> String {
        let hint = if self.comma_separated.contains(&name) {
            "; separate its values with commas"
        } else {
            ""
        };
        format!("The query parameter {name} is given twice{hint}.")
    }
}

/// Parses a whole number; its range is checked separately from its syntax.
///
/// # Errors
/// [`Fault::Malformed`] if it is not a whole number, [`Fault::Refused`] if it is out of range.
pub fn whole_number(name: &str, value: &str, least: u64, most: u64) -> Result<u64, Fault> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    // Only digits: Rust's own parser would take a leading plus sign.
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::Malformed("must be a whole number"));
    }
    let number = value.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| Fault::refused(name, "range", format!("must be from {least} to {most}")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(query: &str) -> Result<Vec<String>, ApiError> {
        let mut taken = Vec::new();
        let reader = QueryReader::new(query).comma_separated(&["colours"]);
        reader.read(&["size", "colours"], |name, value| {
            match value {
                "odd" => return Err(Fault::Malformed("must be even")),
                "huge" => return Err(Fault::refused(name, "maximum", "must be small")),
                _ => taken.push(format!("{name}={value}")),
            }
            Ok(())
        })?;
        Ok(taken)
    }

    fn refused(query: &str) -> (u16, String) {
        let error = read(query).unwrap_err();
        (error.status().as_u16(), format!("{error:?}"))
    }

    #[test]
    fn each_known_parameter_is_taken_once() {
        let taken = read("colours=red%2Cblue&other=1&size=2&").unwrap();
        assert_eq!(taken, ["colours=red,blue", "size=2"]);
        for (query, status, said) in [
            ("size=1&size=1", 400, "size is given twice.\""),
            (
                "colours=a&colours=b",
                400,
                "colours is given twice; separate its values with commas.",
            ),
            ("size=odd&size=1", 400, "size must be even."),
            ("size=huge&colours=odd", 400, "colours must be even."),
            ("size=huge", 422, "/size"),
            ("size=huge&colours=huge", 422, "breaks 2 rules"),
        ] {
            let (found, text) = refused(query);
            assert_eq!(found, status, "{query}");
            assert!(text.contains(said), "{query}: {text}");
        }
    }
}
