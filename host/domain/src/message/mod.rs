//! E-mail templates and the messages made from them: a closed structure of blocks with an allow-list of
//! placeholders, its rules, its exact rendering, its rubric, and the decision about a message to one prospect
//! (specification, Message template revision and prospect message; annex A4 to A7). Nothing here sends
//! anything, and no type can say that something was sent.
//!
//! Which texts are good is judged by `evidence/check`, which knows words; here is what follows from numbers,
//! names and structure.

pub mod characters;
pub mod compliance;
pub mod decision;
pub mod directions;
pub mod draft;
pub mod encoded_words;
pub mod gates;
pub mod generation;
pub mod language;
pub mod letters;
pub mod letters_apart;
pub mod link;
pub mod lookalikes;
pub mod markup;
pub mod notices;
pub mod page_addresses;
pub mod placeholder;
pub mod plain_letters;
pub mod prospect_message;
pub mod prospect_message_result;
pub mod render;
pub mod rendered;
pub mod revision;
pub mod rubric;
pub mod spelled_addresses;
pub mod spelled_hosts;
pub mod structure;
pub mod values;
pub mod written;

pub use placeholder::{PLACEHOLDER_CATALOG_VERSION, Placeholder, ValueKind, ValueSource};
pub use rendered::{MessageFault, Piece, PieceSource, RenderedMessage};
pub use revision::{
    NewRevision, Review, RevisionOrigin, TemplateOffer, TemplateOptions, TemplateRevision, Variable,
};
pub use rubric::{DimensionKey, HardFailure, HardFailureKind, Rubric, RubricCheck, RubricKey};
pub use structure::{Block, BlockKind, Href, Inline, Structure};
