//! The query of `GET /v1/usage`: `month` and `group_by`.

use axum::extract::FromRequestParts;
use gtm_domain::{Month, ParseMonthError};
use http::request::Parts;

use crate::api::Api;
use crate::error::ApiError;
use crate::query_reader::{Fault, QueryReader};

/// How a month's usage is broken down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Groups {
    pub capability: bool,
    pub key: bool,
    pub connector: bool,
}

/// What the caller wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageQuery {
    pub month: Month,
    pub groups: Groups,
}

impl FromRequestParts<Api> for UsageQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        parse(QueryReader::of(parts), Month::of(api.now()))
    }
}

fn parse(query: QueryReader<'_>, current: Month) -> Result<UsageQuery, ApiError> {
    let mut parsed = UsageQuery {
        month: current,
        groups: Groups {
            capability: true,
            ..Groups::default()
        },
    };
    // Some clients encode the comma between groups as %2C.
    let query = query.comma_separated(&["group_by"]);
    query.read(&["month", "group_by"], |name, value| {
        match name {
            "month" => parsed.month = month_of(value, current)?,
            _ => parsed.groups = groups_of(value)?,
        }
        Ok(())
    })?;
    Ok(parsed)
}

fn month_of(text: &str, current: Month) -> Result<Month, Fault> {
    let refused = |rule, message| Err(Fault::refused("month", rule, message));
    match text.parse::<Month>() {
        Ok(month) if month > current => refused("maximum", "must not be in the future"),
        Ok(month) => Ok(month),
        Err(ParseMonthError::OutOfRange) => refused(
            "pattern",
            "must be a month from 01 to 12 of a year from 0001",
        ),
        Err(ParseMonthError::Malformed) => Err(Fault::Malformed("must be written YYYY-MM")),
    }
}

fn groups_of(text: &str) -> Result<Groups, Fault> {
    let mut groups = Groups::default();
    for name in text.split(',') {
        let group = match name {
            "capability" => &mut groups.capability,
            "key" => &mut groups.key,
            "connector" => &mut groups.connector,
            _ => {
                return Err(Fault::refused(
                    "group_by",
                    "enum",
                    "must list capability, key or connector, separated by commas",
                ));
            }
        };
        *group = true;
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn at(query: &str) -> Result<UsageQuery, ApiError> {
        parse(QueryReader::new(query), "2026-03".parse().unwrap())
    }

    #[test]
    fn defaults_and_sets() {
        let plain = at("").unwrap();
        assert_eq!(plain.month.to_string(), "2026-03");
        assert_eq!(
            plain.groups,
            Groups {
                capability: true,
                ..Groups::default()
            }
        );
        for all in [
            "group_by=key,connector,capability&month=2025-12",
            "month=2025-12&group_by=capability%2Ckey%2cconnector%2Ckey",
        ] {
            let query = at(all).unwrap();
            assert_eq!(query.month.to_string(), "2025-12");
            assert_eq!(
                query.groups,
                Groups {
                    capability: true,
                    key: true,
                    connector: true
                }
            );
        }
        assert_eq!(
            at("group_by=key").unwrap().groups,
            Groups {
                key: true,
                ..Groups::default()
            }
        );
    }

    #[test]
    fn what_is_refused() {
        let status = |query: &str| at(query).unwrap_err().status().as_u16();
        for malformed in [
            "month=",
            "month=2026",
            "month=2026-3",
            "month=march",
            "month=2026-03&month=2026-03",
            "group_by=key&group_by=key",
            "month=%ff",
        ] {
            assert_eq!(status(malformed), 400, "{malformed}");
        }
        for invalid in [
            "month=2026-00",
            "month=2026-13",
            "month=2026-04",
            "month=9999-12",
            "group_by=",
            "group_by=colour",
            "group_by=key,",
            "group_by=Key",
        ] {
            assert_eq!(status(invalid), 422, "{invalid}");
        }
    }

    proptest! {
        #[test]
        fn no_query_panics(query in "[ -~]{0,60}") {
            let _ = at(&query);
        }
    }
}
