//! Reading: JSON of anybody in, a document or all its faults out.
//!
//! The shape is read in pieces, a section and a block at a time, so that one wrong member hides neither the
//! faults of other blocks nor its own place: serde alone stops at the first fault, and inside a tagged block
//! it cannot say where it was.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use crate::block::{Block, Column, Columns};
use crate::bounds;
use crate::clean::clean;
use crate::document::{Document, Section};
use crate::fault::{Fault, FaultCode};
use crate::pointer::{Pointer, push_escaped};

impl Document {
    /// Reads a document, without the characters that no document contains ([`crate::cleaned`]).
    ///
    /// # Errors
    /// All faults in the order of the document, at most [`bounds::FAULTS`].
    pub fn read(json: &str) -> Result<Self, Vec<Fault>> {
        let fault = |code, message| Fault {
            pointer: String::new(),
            code,
            message,
        };
        if json.len() > bounds::DOCUMENT_BYTES {
            let message = format!("more than {} bytes", bounds::DOCUMENT_BYTES);
            return Err(vec![fault(FaultCode::TooLarge, message)]);
        }
        let value = serde_json::from_str(json)
            .map_err(|error| vec![fault(FaultCode::NotJson, error.to_string())])?;
        Self::from_value(value)
    }

    /// Reads a document that is JSON already; its size is the caller's to bound.
    ///
    /// # Errors
    /// As [`Document::read`].
    pub fn from_value(mut value: Value) -> Result<Self, Vec<Fault>> {
        clean(&mut value);
        let mut shape = Shape { faults: Vec::new() };
        let document = shape.document(value);
        let mut faults = shape.faults;
        if let Some(document) = document.filter(|_| faults.is_empty()) {
            faults = document.faults();
            if faults.is_empty() {
                return Ok(document);
            }
        }
        faults.truncate(bounds::FAULTS);
        Err(faults)
    }
}

/// Reads the shape and collects what is wrong with it.
struct Shape {
    faults: Vec<Fault>,
}

impl Shape {
    fn document(&mut self, mut value: Value) -> Option<Document> {
        let sections = taken(&mut value, "sections");
        let mut at = Pointer::default();
        let document = self.read::<Document>(value, &at);
        let read = at.member("sections", |at| self.all(sections, at, Self::section));
        let mut document = document?;
        document.sections = read?;
        Some(document)
    }

    fn section(&mut self, mut value: Value, at: &mut Pointer) -> Option<Section> {
        let blocks = taken(&mut value, "blocks");
        let section = self.read::<Section>(value, at);
        let read = at.member("blocks", |at| self.all(blocks, at, Self::block));
        let mut section = section?;
        section.blocks = read?;
        Some(section)
    }

    fn block(&mut self, value: Value, at: &mut Pointer) -> Option<Block> {
        self.any_block(value, at, true)
    }

    fn any_block(
        &mut self,
        value: Value,
        at: &mut Pointer,
        may_have_columns: bool,
    ) -> Option<Block> {
        let Value::Object(mut members) = value else {
            return self.refuse(at, FaultCode::Shape, "a block is an object");
        };
        let kind = match members.remove("type") {
            Some(Value::String(kind)) => kind,
            _ => return self.refuse(at, FaultCode::Shape, "a block has a type, which is a text"),
        };
        let members = Value::Object(members);
        let block = match kind.as_str() {
            "lead" => Block::Lead(self.read(members, at)?),
            "heading" => Block::Heading(self.read(members, at)?),
            "paragraph" => Block::Paragraph(self.read(members, at)?),
            "bullets" => Block::Bullets(self.read(members, at)?),
            "table" => Block::Table(self.read(members, at)?),
            "chart" => Block::Chart(self.read(members, at)?),
            "kpis" => Block::Kpis(self.read(members, at)?),
            "quote" => Block::Quote(self.read(members, at)?),
            "callout" => Block::Callout(self.read(members, at)?),
            "image" => Block::Image(self.read(members, at)?),
            "steps" => Block::Steps(self.read(members, at)?),
            "timeline" => Block::Timeline(self.read(members, at)?),
            "comparison" => Block::Comparison(self.read(members, at)?),
            "columns" if may_have_columns => Block::Columns(self.columns(members, at)?),
            // Said here, because reading deeper and deeper would take a stack that JSON decides on.
            "columns" => return self.refuse(at, FaultCode::Nesting, "columns inside columns"),
            "cta" => Block::Cta(self.read(members, at)?),
            _ => {
                return at.member("type", |at| {
                    self.refuse(at, FaultCode::UnknownBlock, "no block has this type")
                });
            }
        };
        Some(block)
    }

    fn columns(&mut self, mut value: Value, at: &mut Pointer) -> Option<Columns> {
        let columns = taken(&mut value, "columns");
        let block = self.read::<Columns>(value, at);
        let read = at.member("columns", |at| self.all(columns, at, Self::column));
        let mut block = block?;
        block.columns = read?;
        Some(block)
    }

    fn column(&mut self, mut value: Value, at: &mut Pointer) -> Option<Column> {
        let blocks = taken(&mut value, "blocks");
        let column = self.read::<Column>(value, at);
        let read = at.member("blocks", |at| {
            self.all(blocks, at, |shape, value, at| {
                shape.any_block(value, at, false)
            })
        });
        let mut column = column?;
        column.blocks = read?;
        Some(column)
    }

    /// Reads each element, and goes on after one that is wrong.
    fn all<T>(
        &mut self,
        values: Vec<Value>,
        at: &mut Pointer,
        mut one: impl FnMut(&mut Self, Value, &mut Pointer) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut read = Vec::new();
        let mut is_whole = true;
        for (index, value) in values.into_iter().enumerate() {
            match at.index(index, |at| one(self, value, at)) {
                Some(element) => read.push(element),
                None => is_whole = false,
            }
        }
        is_whole.then_some(read)
    }

    /// Reads what has no tagged blocks in it any more.
    fn read<T: DeserializeOwned>(&mut self, value: Value, at: &Pointer) -> Option<T> {
        match serde_path_to_error::deserialize::<_, T>(value) {
            Ok(read) => Some(read),
            Err(error) => {
                let mut pointer = at.as_str().to_owned();
                for segment in error.path() {
                    match segment {
                        Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
                        Segment::Map { key } => {
                            pointer.push('/');
                            push_escaped(&mut pointer, key);
                        }
                        Segment::Enum { .. } | Segment::Unknown => {}
                    }
                }
                let message = error.inner().to_string();
                self.add(pointer, FaultCode::Shape, message);
                None
            }
        }
    }

    fn refuse<T>(&mut self, at: &Pointer, code: FaultCode, message: &str) -> Option<T> {
        self.add(at.as_str().to_owned(), code, message.to_owned());
        None
    }

    fn add(&mut self, pointer: String, code: FaultCode, message: String) {
        if self.faults.len() < bounds::FAULTS {
            self.faults.push(Fault {
                pointer,
                code,
                message,
            });
        }
    }
}

/// Takes the elements out of a list member and leaves it empty. A member that is no list stays, so that
/// reading the rest finds it.
fn taken(value: &mut Value, name: &str) -> Vec<Value> {
    value
        .as_object_mut()
        .and_then(|members: &mut Map<String, Value>| members.get_mut(name))
        .and_then(Value::as_array_mut)
        .map(std::mem::take)
        .unwrap_or_default()
}
