//! The objects of a file by number: cross-reference tables and streams, object streams, and streams' bytes.

mod repair;
mod xref;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::filters::{self, MAX_FILTERS, Parameters};
use super::object::{Dict, Lexer, Object, Stream, is_space};
use crate::Refusal;
use crate::limits::{Budget, find};

/// Most objects of a file.
pub(super) const MAX_OBJECTS: usize = 300_000;
/// Most values, in all objects that were read, that are kept.
const MAX_KEPT_VALUES: usize = 500_000;
/// Most bytes of unpacked object streams that are kept.
const MAX_KEPT_BYTES: usize = 16 * 1024 * 1024;
/// Longest chain of references that lead to references.
const MAX_HOPS: usize = 16;
/// Bytes that cost as much as one step.
const BYTES_A_STEP: usize = 8;

/// Where an object stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    Offset(usize),
    InStream { stream: u32, index: usize },
}

/// An object stream: its bytes, and number and offset of each object.
struct Packed {
    bytes: Rc<[u8]>,
    objects: Vec<(u32, usize)>,
}

pub(super) struct File<'a, 'b> {
    pub(super) bytes: &'a [u8],
    pub(super) places: BTreeMap<u32, Place>,
    pub(super) trailer: Dict,
    pub(super) budget: &'b mut Budget,
    objects: BTreeMap<u32, Object>,
    packed: BTreeMap<u32, Option<Rc<Packed>>>,
    /// Objects that are being read: what needs itself does not exist.
    open: BTreeSet<u32>,
    kept_values: usize,
    kept_bytes: usize,
    repaired: bool,
}

impl<'a, 'b> File<'a, 'b> {
    /// Finds the objects of a file by its cross-references, or by searching if those are damaged.
    pub(super) fn open(bytes: &'a [u8], budget: &'b mut Budget) -> Result<Self, Refusal> {
        // Offsets count from the header.
        let start = find(bytes, b"%PDF-").unwrap_or(0);
        let mut file = Self {
            bytes: bytes.get(start..).unwrap_or_default(),
            places: BTreeMap::new(),
            trailer: Dict::new(),
            budget,
            objects: BTreeMap::new(),
            packed: BTreeMap::new(),
            open: BTreeSet::new(),
            kept_values: 0,
            kept_bytes: 0,
            repaired: false,
        };
        xref::read(&mut file)?;
        if file.catalog()?.is_none() {
            file.repair()?;
        }
        if file.trailer.contains_key(b"Encrypt".as_slice()) {
            return Err(Refusal::Encrypted);
        }
        Ok(file)
    }

    fn repair(&mut self) -> Result<(), Refusal> {
        if !self.repaired {
            self.repaired = true;
            self.objects.clear();
            self.packed.clear();
            repair::search(self)?;
        }
        Ok(())
    }

    /// The document's catalog, if it leads to pages.
    pub(super) fn catalog(&mut self) -> Result<Option<Rc<Dict>>, Refusal> {
        let Some(root) = self.trailer.get(b"Root".as_slice()).cloned() else {
            return Ok(None);
        };
        let catalog = self.resolve(&root)?.dict().cloned();
        Ok(catalog.filter(|catalog| catalog.contains_key(b"Pages".as_slice())))
    }

    /// Follows references. What does not exist is null.
    pub(super) fn resolve(&mut self, object: &Object) -> Result<Object, Refusal> {
        let mut object = object.clone();
        for _ in 0..MAX_HOPS {
            match object {
                Object::Reference(number) => object = self.object(number)?,
                object => return Ok(object),
            }
        }
        Ok(Object::Null)
    }

    /// A member of a dictionary, resolved.
    pub(super) fn get(&mut self, dict: &Dict, key: &str) -> Result<Object, Refusal> {
        match dict.get(key.as_bytes()) {
            Some(object) => self.resolve(object),
            None => Ok(Object::Null),
        }
    }

    pub(super) fn object(&mut self, number: u32) -> Result<Object, Refusal> {
        self.budget.step(1)?;
        if let Some(object) = self.objects.get(&number) {
            return Ok(object.clone());
        }
        // Reading an object may need another, such as its length; a chain of them ends soon.
        if self.open.len() >= MAX_HOPS || !self.open.insert(number) {
            return Ok(Object::Null);
        }
        let read = self.read_object(number);
        self.open.remove(&number);
        let (object, values) = read?;
        self.keep(values)?;
        self.objects.insert(number, object.clone());
        Ok(object)
    }

    /// Counts values that are kept until the file is read.
    pub(super) fn keep(&mut self, values: usize) -> Result<(), Refusal> {
        self.kept_values += values;
        if self.kept_values > MAX_KEPT_VALUES {
            return Err(Refusal::TooLarge);
        }
        Ok(())
    }

    fn read_object(&mut self, number: u32) -> Result<(Object, usize), Refusal> {
        let found = match self.places.get(&number).copied() {
            Some(Place::Offset(at)) => match self.indirect(at)? {
                Some((found, object, values)) if found == number => Some((object, values)),
                // The table is wrong: a search finds where the object really is.
                _ if !self.repaired => {
                    self.repair()?;
                    return self.read_object(number);
                }
                _ => None,
            },
            Some(Place::InStream { stream, index }) => self.packed_object(number, stream, index)?,
            None => None,
        };
        Ok(found.unwrap_or((Object::Null, 1)))
    }

    /// Reads `12 0 obj …` at an offset: number, object, and how many values it has.
    pub(super) fn indirect(&mut self, at: usize) -> Result<Option<(u32, Object, usize)>, Refusal> {
        if at >= self.bytes.len() {
            return Ok(None);
        }
        let mut lexer = Lexer::new(self.bytes, at, false);
        let header = [
            lexer.next_object(),
            lexer.next_object(),
            lexer.next_object(),
        ];
        let [Some((number, _)), Some((_, _)), Some((keyword, _))] = header else {
            return Ok(None);
        };
        let number = number
            .integer()
            .and_then(|number| u32::try_from(number).ok());
        let (Some(number), Some(b"obj")) = (number, keyword.keyword()) else {
            return Ok(None);
        };
        let start = lexer.at;
        let mut lexer = Lexer::new(self.bytes, start, true);
        let object = lexer.next_object();
        let end = lexer.at;
        self.budget.step((end - start) / BYTES_A_STEP + 1)?;
        let Some((object, values)) = object else {
            return Ok(None);
        };
        if let Object::Dict(dict) = &object {
            lexer.skip_space();
            let after = self.bytes.get(lexer.at..).unwrap_or_default();
            if let Some(after) = after.strip_prefix(b"stream") {
                let skipped = match after {
                    [b'\r', b'\n', ..] => 2,
                    [b'\n' | b'\r', ..] => 1,
                    _ => 0,
                };
                let start = lexer.at + 6 + skipped;
                let end = self.end_of_stream(dict, start)?;
                let dict = Rc::clone(dict);
                let stream = Stream { dict, start, end };
                return Ok(Some((number, Object::Stream(Rc::new(stream)), values)));
            }
        }
        Ok(Some((number, object, values)))
    }

    /// Where a stream ends: by its length, or where `endstream` stands if the length is wrong.
    fn end_of_stream(&mut self, dict: &Dict, start: usize) -> Result<usize, Refusal> {
        let length = self.get(dict, "Length")?.index();
        if let Some(end) = length.and_then(|length| start.checked_add(length)) {
            let after = self.bytes.get(end..).unwrap_or_default();
            let blank = after
                .iter()
                .take(8)
                .take_while(|byte| is_space(**byte))
                .count();
            if after
                .get(blank..)
                .is_some_and(|after| after.starts_with(b"endstream"))
            {
                return Ok(end);
            }
        }
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = find(rest, b"endstream").unwrap_or(rest.len());
        self.budget.step(length / BYTES_A_STEP + 1)?;
        Ok(start + length)
    }

    /// The objects of an object stream.
    fn packed(&mut self, number: u32) -> Result<Option<Rc<Packed>>, Refusal> {
        if let Some(packed) = self.packed.get(&number) {
            return Ok(packed.clone());
        }
        let packed = match self.object(number)? {
            Object::Stream(stream) => Some(Rc::new(self.unpack(&stream)?)),
            _ => None,
        };
        self.packed.insert(number, packed.clone());
        Ok(packed)
    }

    fn unpack(&mut self, stream: &Stream) -> Result<Packed, Refusal> {
        let bytes = self.data(stream)?;
        self.kept_bytes += bytes.len();
        if self.kept_bytes > MAX_KEPT_BYTES {
            return Err(Refusal::TooLarge);
        }
        let first = self.get(&stream.dict, "First")?.index().unwrap_or(0);
        let count = self.get(&stream.dict, "N")?.index().unwrap_or(0);
        let mut objects = Vec::new();
        let mut lexer = Lexer::new(&bytes, 0, false);
        while objects.len() < count.min(MAX_OBJECTS) && lexer.at < first {
            self.budget.step(1)?;
            let pair = (lexer.next_object(), lexer.next_object());
            let (Some((number, _)), Some((offset, _))) = pair else {
                break;
            };
            let number = number
                .integer()
                .and_then(|number| u32::try_from(number).ok());
            let (Some(number), Some(offset)) = (number, offset.index()) else {
                break;
            };
            objects.push((number, offset.saturating_add(first)));
        }
        Ok(Packed {
            bytes: bytes.into(),
            objects,
        })
    }

    /// Numbers of the objects in an object stream.
    pub(super) fn numbers_in(&mut self, stream: u32) -> Result<Vec<u32>, Refusal> {
        let packed = self.packed(stream)?;
        let numbers =
            packed.map(|packed| packed.objects.iter().map(|(number, _)| *number).collect());
        Ok(numbers.unwrap_or_default())
    }

    fn packed_object(
        &mut self,
        number: u32,
        stream: u32,
        index: usize,
    ) -> Result<Option<(Object, usize)>, Refusal> {
        let Some(packed) = self.packed(stream)? else {
            return Ok(None);
        };
        let by_index = packed
            .objects
            .get(index)
            .filter(|(found, _)| *found == number);
        let found = by_index.or_else(|| packed.objects.iter().find(|(found, _)| *found == number));
        self.budget.step(if by_index.is_some() {
            1
        } else {
            packed.objects.len()
        })?;
        let Some((_, offset)) = found else {
            return Ok(None);
        };
        let mut lexer = Lexer::new(&packed.bytes, *offset, true);
        let object = lexer.next_object();
        self.budget
            .step(lexer.at.saturating_sub(*offset) / BYTES_A_STEP + 1)?;
        Ok(object)
    }

    /// The unpacked bytes of a stream; none of a picture's.
    pub(super) fn data(&mut self, stream: &Stream) -> Result<Vec<u8>, Refusal> {
        let packed = self.bytes.get(stream.start..stream.end).unwrap_or_default();
        let one_or_more = |object: Object| match object {
            Object::Array(items) => items.to_vec(),
            Object::Null => Vec::new(),
            single => vec![single],
        };
        let filter = self.get(&stream.dict, "Filter")?;
        let parameters = self.get(&stream.dict, "DecodeParms")?;
        let (names, parameters) = (one_or_more(filter), one_or_more(parameters));
        if names.len() > MAX_FILTERS {
            return Err(Refusal::Unreadable);
        }
        let mut data: Option<Vec<u8>> = None;
        for (at, name) in names.iter().enumerate() {
            let name = self.resolve(name)?;
            let parameters = self.resolve(parameters.get(at).unwrap_or(&Object::Null))?;
            let parameters = Parameters::of(parameters.dict().map(|dict| &**dict));
            let input = data.as_deref().unwrap_or(packed);
            let name = name.name().unwrap_or_default();
            match filters::apply(name, parameters, input, self.budget)? {
                Some(output) => data = Some(output),
                None => return Ok(Vec::new()),
            }
        }
        if let Some(data) = data {
            return Ok(data);
        }
        self.budget.take(packed.len())?;
        Ok(packed.to_vec())
    }
}
