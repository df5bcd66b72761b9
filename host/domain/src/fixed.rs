//! Types with a single value, for members of the API that are promised to be always the same.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The number zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Zero;

/// The boolean false.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct False;

impl Serialize for Zero {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(0)
    }
}
impl Serialize for False {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(false)
    }
}
impl<'de> Deserialize<'de> for False {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if bool::deserialize(deserializer)? {
            return Err(D::Error::invalid_value(Unexpected::Bool(true), &"false"));
        }
        Ok(Self)
    }
}

impl PartialSchema for Zero {
    fn schema() -> RefOr<Schema> {
        let only = ObjectBuilder::new().schema_type(Type::Integer);
        only.enum_values(Some([0])).into()
    }
}
impl ToSchema for Zero {}
impl PartialSchema for False {
    fn schema() -> RefOr<Schema> {
        let only = ObjectBuilder::new().schema_type(Type::Boolean);
        only.enum_values(Some([false])).into()
    }
}
impl ToSchema for False {}
