//! Types with one value: what the API promises to be always the same cannot be anything else.

use serde::{Serialize, Serializer};

/// The number zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Zero;

/// The truth value false.
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
