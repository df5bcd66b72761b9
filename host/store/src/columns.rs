//! How domain values map to columns. Both engines use the same mapping except for time: microseconds in an
//! INTEGER on SQLite, `timestamptz` on PostgreSQL.

use std::fmt::Display;
use std::str::FromStr;

use gtm_domain::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueFormat, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Database, Decode, Encode, Postgres, Sqlite, Type};

use crate::error::StoreError;

/// Lets a wrapper type be stored in a text column.
macro_rules! column_of_text {
    ($wrapper:ident) => {
        impl<DB: Database, T> Type<DB> for $wrapper<T>
        where
            str: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <str as Type<DB>>::type_info()
            }
            fn compatible(ty: &DB::TypeInfo) -> bool {
                <str as Type<DB>>::compatible(ty)
            }
        }
    };
}

/// A value stored in its text form: ids and digests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text<T>(pub T);

column_of_text!(Text);
impl<'q, DB: Database, T: Display> Encode<'q, DB> for Text<T>
where
    String: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buf: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        self.0.to_string().encode(buf)
    }
}
impl<'r, DB: Database, T> Decode<'r, DB> for Text<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
    &'r str: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(<&str>::decode(value)?.parse::<T>()?))
    }
}

/// A value stored as JSON text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Json<T>(pub T);

column_of_text!(Json);
impl<'q, DB: Database, T: Serialize> Encode<'q, DB> for Json<T>
where
    String: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buf: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        serde_json::to_string(&self.0)?.encode(buf)
    }
}
impl<'r, DB: Database, T: DeserializeOwned> Decode<'r, DB> for Json<T>
where
    &'r str: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(serde_json::from_str(<&str>::decode(value)?)?))
    }
}

/// A value that may be damaged. It keeps the reason why it cannot be read, so that the rest of its row
/// stays readable.
#[derive(Debug, Clone)]
pub(crate) struct Damageable<T>(pub Result<T, String>);

impl<T> Damageable<T> {
    /// The value.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it cannot be read, which names the `column`.
    pub(crate) fn sound(self, column: &str) -> Result<T, StoreError> {
        self.0
            .map_err(|cause| StoreError::Corrupt(format!("column {column:?}: {cause}")))
    }
}

impl<DB: Database, T: Type<DB>> Type<DB> for Damageable<T> {
    fn type_info() -> DB::TypeInfo {
        T::type_info()
    }
    fn compatible(ty: &DB::TypeInfo) -> bool {
        T::compatible(ty)
    }
}
impl<'r, DB: Database, T: Decode<'r, DB>> Decode<'r, DB> for Damageable<T> {
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(T::decode(value).map_err(|cause| cause.to_string())))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(pub Timestamp);

impl Type<Sqlite> for Time {
    fn type_info() -> SqliteTypeInfo {
        <i64 as Type<Sqlite>>::type_info()
    }
    fn compatible(ty: &SqliteTypeInfo) -> bool {
        <i64 as Type<Sqlite>>::compatible(ty)
    }
}
impl<'q> Encode<'q, Sqlite> for Time {
    fn encode_by_ref(&self, buf: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        <i64 as Encode<'q, Sqlite>>::encode(self.0.micros(), buf)
    }
}
impl<'r> Decode<'r, Sqlite> for Time {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(Timestamp::from_micros(
            <i64 as Decode<'r, Sqlite>>::decode(value)?,
        )))
    }
}

/// Microseconds from the Unix epoch to PostgreSQL's, 2000-01-01.
const POSTGRES_EPOCH: i64 = 946_684_800_000_000;
/// Object id of `timestamptz`, fixed in PostgreSQL's catalog.
const TIMESTAMPTZ: sqlx::postgres::types::Oid = sqlx::postgres::types::Oid(1184);

impl Type<Postgres> for Time {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TIMESTAMPTZ)
    }
}
impl Encode<'_, Postgres> for Time {
    fn encode_by_ref(&self, buf: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        buf.extend_from_slice(&self.0.micros().saturating_sub(POSTGRES_EPOCH).to_be_bytes());
        Ok(IsNull::No)
    }
}
impl<'r> Decode<'r, Postgres> for Time {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        match value.format() {
            PgValueFormat::Binary => {
                let micros = i64::from_be_bytes(value.as_bytes()?.try_into()?);
                Ok(Self(Timestamp::from_micros(
                    micros.saturating_add(POSTGRES_EPOCH),
                )))
            }
            PgValueFormat::Text => Err("timestamps are read in binary form only".into()),
        }
    }
}

/// The instant inside an optional column.
pub(crate) fn instant(time: Option<Time>) -> Option<Timestamp> {
    time.map(|t| t.0)
}

/// A count stored as a BIGINT; the database never holds a negative one.
pub(crate) fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// A count in its stored form. Saturates far above any real value.
pub(crate) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
