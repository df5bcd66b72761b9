//! Lists (annex A10): reads `limit`, `cursor` and the filters of a query string, and returns one page of a
//! collection with its `next_cursor`. Types say what a list contains and how it may be filtered; the store
//! decides what a cursor holds.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use gtm_domain::fixed::Zero;
use gtm_domain::{Digest, ErrorCode, canonical_digest};
use gtm_engine::ProjectScope;
use http::request::Parts;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{RefOr, Required};
use utoipa::{IntoParams, PartialSchema as _};

use crate::api::Api;
use crate::error::ApiError;
use crate::query_reader::{Fault, QueryReader, whole_number};

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;

/// A list of the API.
pub trait Collection: Send + Sync + 'static {
    /// The member of the answer that holds the rows.
    const NAME: &'static str;
    /// What a page contains, at the beginning of a sentence.
    const ROWS: &'static str = "Rows";
    /// Members of the answer that are always zero.
    const ZEROS: &'static [&'static str] = &[];
    /// The filters of the list.
    type Filter: Filter;
    /// What identifies the position of a row.
    type Key: FromStr + Display + Send;
}

/// A list whose answer's schema is derived from its row's.
pub trait Published: Collection {
    /// The name of the schema.
    const SCHEMA: &'static str;
    /// Description of the answer.
    const ABOUT: &'static str;

    /// The schema of a row, inline or by name.
    fn row() -> RefOr<Schema>;

    /// What the answer's `next_cursor` is.
    const NEXT_CURSOR: &'static str =
        "Value of `cursor` for the next page. A text exactly where `has_more` is true.";

    /// A page that is an example: its rows and its `next_cursor`.
    fn example() -> (Vec<Value>, Option<&'static str>) {
        (Vec::new(), None)
    }
}

/// The query parameters of a list besides `limit` and `cursor`. A cursor is valid only for the same
/// serialized form.
pub trait Filter: Default + Serialize + Send {
    const PARAMETERS: &'static [&'static str] = &[];
    /// What must be sent again with a cursor, such as `, with the same filters`.
    const WITH_CURSOR: &'static str = "";

    /// Takes the value of one of [`Self::PARAMETERS`].
    ///
    /// # Errors
    /// What is wrong with the value.
    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault>;
}

/// A list without filters.
#[derive(Debug, Default, Serialize)]
pub struct Unfiltered;

impl Filter for Unfiltered {
    fn take(&mut self, _: &str, _: &str) -> Result<(), Fault> {
        Ok(())
    }
}

/// The query string of a list, with its cursor still encoded.
#[derive(Debug)]
pub struct ListQuery<C: Collection> {
    limit: u32,
    cursor: Option<String>,
    filter: C::Filter,
}

/// The requested page.
pub struct Page<'a, C: Collection> {
    api: &'a Api,
    scope: &'a ProjectScope,
    list: Digest,
    limit: u32,
    /// The key of the last row of the previous page; `None` for the first page.
    pub after: Option<C::Key>,
    pub filter: C::Filter,
}

/// A page as answered: `{<collection>: […], "next_cursor", "has_more"}`.
#[derive(Debug)]
pub struct PageBody<C, T> {
    rows: Vec<T>,
    next_cursor: Option<String>,
    collection: PhantomData<C>,
}

/// The name and the schema of a list's answer.
#[must_use]
pub fn described<C: Published>() -> (&'static str, Schema) {
    let rows = ArrayBuilder::new()
        .items(C::row())
        .max_items(Some(MAX_LIMIT as usize));
    let cursor = ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .description(Some(C::NEXT_CURSOR));
    let (shown, next_cursor) = C::example();
    let mut example = Map::new();
    example.insert(C::NAME.to_owned(), shown.into());
    example.insert("next_cursor".to_owned(), next_cursor.into());
    example.insert("has_more".to_owned(), next_cursor.is_some().into());
    for zero in C::ZEROS {
        example.insert((*zero).to_owned(), 0.into());
    }
    let mut page = ObjectBuilder::new()
        .description(Some(C::ABOUT))
        .property(C::NAME, rows)
        .property("next_cursor", cursor)
        .property("has_more", Object::with_type(Type::Boolean))
        .required(C::NAME)
        .required("next_cursor")
        .required("has_more")
        .examples([Value::Object(example)]);
    for zero in C::ZEROS {
        page = page.property(*zero, Zero::schema()).required(*zero);
    }
    (C::SCHEMA, page.build().into())
}

impl<S: Sync, C: Collection> FromRequestParts<S> for ListQuery<C> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parse(QueryReader::of(parts))
    }
}

fn parse<C: Collection>(query: QueryReader<'_>) -> Result<ListQuery<C>, ApiError> {
    let mut parsed: ListQuery<C> = ListQuery {
        limit: DEFAULT_LIMIT,
        cursor: None,
        filter: C::Filter::default(),
    };
    let names = [C::Filter::PARAMETERS, &["cursor", "limit"]].concat();
    query.read(&names, |name, value| match name {
        "cursor" => {
            parsed.cursor = Some(value.to_owned());
            Ok(())
        }
        "limit" => limit(value).map(|limit| parsed.limit = limit),
        _ => parsed.filter.take(name, value),
    })?;
    Ok(parsed)
}

fn limit(value: &str) -> Result<u32, Fault> {
    let number = whole_number("limit", value, 1, u64::from(MAX_LIMIT))?;
    Ok(u32::try_from(number).unwrap_or(MAX_LIMIT))
}

/// `cursor` and `limit`; a list declares its filters itself.
impl<C: Collection> IntoParams for ListQuery<C> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = |name: &str, description: String, schema: Object| {
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .description(Some(description))
                .required(Required::False)
                .schema(Some(schema))
                .build()
        };
        let again = C::Filter::WITH_CURSOR;
        let cursor = format!("`next_cursor` of the previous page{again}. Valid for 7 days.");
        let limit = format!("{} per page; {DEFAULT_LIMIT} by default.", C::ROWS);
        let size = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(MAX_LIMIT));
        vec![
            parameter("cursor", cursor, Object::with_type(Type::String)),
            parameter("limit", limit, size.build()),
        ]
    }
}

impl<C: Collection> ListQuery<C> {
    /// Opens the cursor. `within` names what the list belongs to, such as a job's id; empty for a list of
    /// the project.
    ///
    /// # Errors
    /// 400 `invalid_cursor` if the cursor was not issued for this very list.
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
                    "cursor was not issued by this list with these filters in the last 7 days; start again without it.",
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
    /// How many rows to read: one more than the page holds, which tells whether there are more.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.limit + 1
    }

    /// The answer. `rows` are the rows that were read, at most [`Self::rows`]; `key` returns a row's
    /// position.
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
        let mut map = serializer.serialize_map(Some(3 + C::ZEROS.len()))?;
        map.serialize_entry(C::NAME, &self.rows)?;
        map.serialize_entry("next_cursor", &self.next_cursor)?;
        map.serialize_entry("has_more", &self.next_cursor.is_some())?;
        for zero in C::ZEROS {
            map.serialize_entry(zero, &Zero)?;
        }
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
                return Err(Fault::refused("colour", "enum", "refused"));
            }
            self.0 = Some(value.to_owned());
            Ok(())
        }
    }

    fn refused(query: &str) -> u16 {
        parse::<Things>(QueryReader::new(query))
            .unwrap_err()
            .status()
            .as_u16()
    }

    #[test]
    fn what_is_accepted_and_what_is_not() {
        assert_eq!(parse::<Things>(QueryReader::new("")).unwrap().limit, 20);
        let all =
            parse::<Things>(QueryReader::new("limit=100&cursor=a%2Db&colour=dark+red")).unwrap();
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
            let _ = parse::<Things>(QueryReader::new(&query));
        }
    }
}
