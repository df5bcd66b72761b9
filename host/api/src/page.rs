//! Lists (annex A10): `limit`, `cursor` and the filters of a query string in, one page of a
//! collection with its `next_cursor` out. What a list is of and how it may be narrowed is in the
//! types; what stands in a cursor is the store's business.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use gtm_domain::{Digest, ErrorCode, canonical_digest};
use gtm_engine::ProjectScope;
use http::request::Parts;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use url::form_urlencoded;

use crate::api::Api;
use crate::error::ApiError;
use crate::validation::Violation;

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;

/// A list of the API.
pub trait Collection: Send + Sync + 'static {
    /// The member of the answer that holds the rows.
    const NAME: &'static str;
    /// How the list may be narrowed.
    type Filter: Filter;
    /// What tells where in the list a row stands.
    type Key: FromStr + Display + Send;
}

/// The query parameters of a list besides `limit` and `cursor`. Its serialized form is part of what
/// a cursor is good for.
pub trait Filter: Default + Serialize + Send {
    /// Their names.
    const PARAMETERS: &'static [&'static str] = &[];

    /// Take the value of one of [`Self::PARAMETERS`].
    ///
    /// # Errors
    /// What is wrong with the value.
    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault>;
}

/// What is wrong with a parameter's value.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// 400: not of the parameter's syntax. The sentence's end, after the name.
    Malformed(&'static str),
    /// 422: of its syntax, and refused.
    Refused(Violation),
}

/// A list that cannot be narrowed.
#[derive(Debug, Default, Serialize)]
pub struct Unfiltered;

impl Filter for Unfiltered {
    fn take(&mut self, _: &str, _: &str) -> Result<(), Fault> {
        Ok(())
    }
}

/// The query string of a list, its cursor still closed.
#[derive(Debug)]
pub struct ListQuery<C: Collection> {
    limit: u32,
    cursor: Option<String>,
    filter: C::Filter,
}

/// The wanted page.
pub struct Page<'a, C: Collection> {
    api: &'a Api,
    scope: &'a ProjectScope,
    list: Digest,
    limit: u32,
    /// The key of the last row of the page before; none for the first page.
    pub after: Option<C::Key>,
    /// How the list is narrowed.
    pub filter: C::Filter,
}

/// A page as it is answered: `{<collection>: […], "next_cursor", "has_more"}`.
#[derive(Debug)]
pub struct PageBody<C, T> {
    rows: Vec<T>,
    next_cursor: Option<String>,
    collection: PhantomData<C>,
}

impl<S: Sync, C: Collection> FromRequestParts<S> for ListQuery<C> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parse(parts.uri.query().unwrap_or_default())
    }
}

fn malformed(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::MalformedRequest, message)
}

fn parse<C: Collection>(query: &str) -> Result<ListQuery<C>, ApiError> {
    let mut parsed: ListQuery<C> = ListQuery {
        limit: DEFAULT_LIMIT,
        cursor: None,
        filter: C::Filter::default(),
    };
    let known: Vec<&str> = [C::Filter::PARAMETERS, &["cursor", "limit"]].concat();
    let mut seen: Vec<&str> = Vec::new();
    let mut violations = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        // Others were refused before ([`crate::query_parameters`]).
        let Some(name) = known.iter().copied().find(|known| *known == name) else {
            continue;
        };
        if seen.contains(&name) {
            return Err(malformed(format!(
                "The query parameter {name} is given twice."
            )));
        }
        seen.push(name);
        let taken = match name {
            "cursor" => {
                parsed.cursor = Some(value.into_owned());
                Ok(())
            }
            "limit" => limit(&value).map(|limit| parsed.limit = limit),
            _ => parsed.filter.take(name, &value),
        };
        match taken {
            Ok(()) => {}
            Err(Fault::Malformed(what)) => return Err(malformed(format!("{name} {what}."))),
            Err(Fault::Refused(violation)) => violations.push(violation),
        }
    }
    if violations.is_empty() {
        Ok(parsed)
    } else {
        Err(ApiError::invalid(&violations))
    }
}

/// A whole number, whose range is told from its syntax.
///
/// # Errors
/// [`Fault::Malformed`] if it is no whole number, [`Fault::Refused`] if it is not in the range.
pub fn whole_number(name: &str, value: &str, least: u64, most: u64) -> Result<u64, Fault> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    // Only digits: Rust's own parser would take a leading plus sign.
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::Malformed("must be a whole number"));
    }
    let number = value.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| {
        let range = format!("must be from {least} to {most}");
        Fault::Refused(Violation::new(format!("/{name}"), "range", range))
    })
}

fn limit(value: &str) -> Result<u32, Fault> {
    let number = whole_number("limit", value, 1, u64::from(MAX_LIMIT))?;
    Ok(u32::try_from(number).unwrap_or(MAX_LIMIT))
}

impl<C: Collection> ListQuery<C> {
    /// Open the cursor. `within` names what the list hangs below, such as a job's id; empty for a
    /// list of the project.
    ///
    /// # Errors
    /// 400 `invalid_cursor` if there is a cursor that was not given out for this very list.
    pub fn page<'a>(
        self,
        api: &'a Api,
        scope: &'a ProjectScope,
        within: &str,
    ) -> Result<Page<'a, C>, ApiError> {
        let list = canonical_digest(&(C::NAME, within, &self.filter))
            .map_err(|cause| ApiError::internal(&cause))?;
        let open = |cursor: String| -> Option<C::Key> {
            let key = api.engine().store().open_cursor(scope, &list, &cursor)?;
            key.parse().ok()
        };
        let after = match self.cursor {
            None => None,
            Some(cursor) => Some(open(cursor).ok_or_else(|| {
                ApiError::new(
                    ErrorCode::InvalidCursor,
                    "cursor is not one that this list gave out with these filters in the last 7 days; begin again without it.",
                )
            })?),
        };
        Ok(Page {
            api,
            scope,
            list,
            limit: self.limit,
            after,
            filter: self.filter,
        })
    }
}

impl<C: Collection> Page<'_, C> {
    /// How many rows to read: one more than the page holds, to know whether there are more.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.limit + 1
    }

    /// The answer. `rows` are what was read, at most [`Self::rows`]; `key` says where a row stands.
    pub fn answer<R, T>(
        &self,
        mut rows: Vec<R>,
        key: impl FnOnce(&R) -> C::Key,
        shape: impl FnMut(R) -> T,
    ) -> PageBody<C, T> {
        let size = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > size;
        rows.truncate(size);
        let last = rows.last().filter(|_| has_more);
        let store = self.api.engine().store();
        PageBody {
            next_cursor: last
                .map(|row| store.seal_cursor(self.scope, &self.list, &key(row).to_string())),
            rows: rows.into_iter().map(shape).collect(),
            collection: PhantomData,
        }
    }
}

impl<C: Collection, T: Serialize> Serialize for PageBody<C, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry(C::NAME, &self.rows)?;
        map.serialize_entry("next_cursor", &self.next_cursor)?;
        map.serialize_entry("has_more", &self.next_cursor.is_some())?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug)]
    struct Things;
    impl Collection for Things {
        const NAME: &'static str = "things";
        type Filter = Colour;
        type Key = u64;
    }
    #[derive(Debug, Default, Serialize)]
    struct Colour(Option<String>);
    impl Filter for Colour {
        const PARAMETERS: &'static [&'static str] = &["colour"];
        fn take(&mut self, _: &str, value: &str) -> Result<(), Fault> {
            if value == "none" {
                return Err(Fault::Refused(Violation::new("/colour", "enum", "refused")));
            }
            self.0 = Some(value.to_owned());
            Ok(())
        }
    }

    fn refused(query: &str) -> u16 {
        parse::<Things>(query).unwrap_err().status().as_u16()
    }

    #[test]
    fn what_is_accepted_and_what_is_not() {
        assert_eq!(parse::<Things>("").unwrap().limit, 20);
        let all = parse::<Things>("limit=100&cursor=a%2Db&colour=dark+red").unwrap();
        assert_eq!((all.limit, all.cursor.as_deref()), (100, Some("a-b")));
        assert_eq!(all.filter.0.as_deref(), Some("dark red"));
        for bad in [
            "limit=x",
            "limit=",
            "limit",
            "limit=%2B5",
            "limit=-",
            "limit=1.0",
            "limit=0x1",
            "limit=1&limit=2",
            "cursor=a&cursor=a",
            "colour=a&limit=1&colour=b",
            "limit=null",
        ] {
            assert_eq!(refused(bad), 400, "{bad}");
        }
        for bad in [
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=99999999999999999999999",
            "colour=none",
        ] {
            assert_eq!(refused(bad), 422, "{bad}");
        }
    }

    #[test]
    fn a_next_cursor_stands_exactly_where_there_is_more() {
        let body = |next_cursor: Option<&str>| PageBody::<Things, u8> {
            rows: vec![1, 2],
            next_cursor: next_cursor.map(str::to_owned),
            collection: PhantomData,
        };
        let text = |body| serde_json::to_string(&body).unwrap();
        assert_eq!(
            text(body(Some("c"))),
            r#"{"things":[1,2],"next_cursor":"c","has_more":true}"#
        );
        assert_eq!(
            text(body(None)),
            r#"{"things":[1,2],"next_cursor":null,"has_more":false}"#
        );
    }

    proptest! {
        #[test]
        fn no_query_panics(query in "[ -~]{0,60}") {
            let _ = parse::<Things>(&query);
        }
    }
}
