//! What is wrong with a document, and where.

use serde::Serialize;

/// One reason to refuse a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// RFC 6901 pointer into the document.
    pub pointer: String,
    pub code: FaultCode,
    /// A sentence for people.
    pub message: String,
}

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The text is not JSON.
    NotJson,
    /// The JSON is larger than any document may be.
    TooLarge,
    /// A member is unknown or missing, or has the wrong type.
    Shape,
    /// The type of a block is unknown.
    UnknownBlock,
    /// Something that must say something is empty.
    Empty,
    /// A text has too many characters.
    TooLong,
    /// A list has too many elements.
    TooMany,
    /// A number is outside its range.
    OutOfRange,
    /// A number is infinite or not a number.
    NotFinite,
    /// An id has characters that an id must not have.
    InvalidId,
    /// An id is used twice.
    DuplicateId,
    /// A citation names no source of the document.
    UnknownSource,
    /// Two lists that belong together have different lengths.
    LengthMismatch,
    /// A member does not belong to this kind of chart, or one is missing that does.
    NotOfThisKind,
    /// The total of a waterfall is not the sum of what stands before it.
    TotalMismatch,
    /// A link has the wrong scheme, or is no link.
    Link,
    /// Not a tag of BCP 47.
    Language,
    /// Not a date or time in its one form.
    Date,
    /// A line break in a text of one line.
    LineBreak,
    /// Lists or columns inside each other too deeply.
    Nesting,
    /// An image has neither alternative text nor is decorative, or both.
    Alt,
}
