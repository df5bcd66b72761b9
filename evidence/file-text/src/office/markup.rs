//! The XML of a part, one piece at a time.
//!
//! DANGER: a document type definition can define entities that expand without bound or name a file, so a part
//! with one is refused; OPC forbids them. Nothing here recurses.

use std::borrow::Cow;

use gtm_page_text::Media;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::Refusal;

/// Deepest nesting of elements. Nested tables and text boxes reach some dozens.
const MAX_DEPTH: usize = 256;

/// The characters of a part. UTF-16 is allowed besides UTF-8.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    // Almost always UTF-8, which then isn't copied; the reader skips its byte order mark.
    String::from_utf8(bytes)
        .unwrap_or_else(|error| gtm_page_text::decode(None, Media::Xml, error.as_bytes()).text)
}

/// A piece of markup. Names are without their prefix.
pub(crate) enum Piece<'a> {
    Open(Element<'a>),
    /// Comes after every [`Piece::Open`], also for an empty element.
    Close(String),
    Text(Cow<'a, str>),
}

pub(crate) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    pub(crate) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The value of the first attribute whose name without its prefix is this one.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        self.attribute_where(|key| key.rsplit(':').next() == Some(name))
    }

    /// The value of an attribute by its name as written, except that any prefix stands for any other:
    /// `r:id` is not `id`.
    pub(crate) fn prefixed(&self, name: &str) -> Option<String> {
        self.attribute_where(|key| key.split_once(':').is_some_and(|(_, local)| local == name))
    }

    fn attribute_where(&self, is_it: impl Fn(&str) -> bool) -> Option<String> {
        self.0
            .attributes()
            .with_checks(false)
            .filter_map(Result::ok)
            .find(|attribute| is_it(attribute.key.as_ref()))
            .map(
                |attribute| match attribute.normalized_value(XmlVersion::Implicit1_0) {
                    Ok(value) => value.into_owned(),
                    Err(_) => String::new(),
                },
            )
    }

    /// Whether a toggle such as `w:vanish` is on: it is, unless its value says otherwise.
    pub(crate) fn is_on(&self) -> bool {
        let value = self.attribute("val");
        !value.is_some_and(|value| matches!(value.as_str(), "0" | "false" | "off" | "none"))
    }
}

pub(crate) struct Markup<'a> {
    reader: Reader<&'a [u8]>,
    depth: usize,
}

impl<'a> Markup<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{FEFF}'));
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = true;
        config.allow_dangling_amp = true;
        Self { reader, depth: 0 }
    }

    /// The next piece; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Piece<'a>>, Refusal> {
        loop {
            return Ok(Some(match self.reader.read_event() {
                Ok(Event::Start(start)) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(Refusal::Unreadable);
                    }
                    Piece::Open(Element(start))
                }
                Ok(Event::Empty(start)) => Piece::Open(Element(start)),
                Ok(Event::End(end)) => {
                    self.depth = self.depth.saturating_sub(1);
                    Piece::Close(end.local_name().as_ref().to_owned())
                }
                Ok(Event::Text(text)) => Piece::Text(text.xml10_content()),
                Ok(Event::CData(text)) => Piece::Text(text.xml10_content()),
                Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                    Ok(Some(character)) => Piece::Text(Cow::Owned(character.to_string())),
                    _ => Piece::Text(Cow::Borrowed(predefined(&reference)?)),
                },
                Ok(Event::Comment(_) | Event::PI(_) | Event::Decl(_)) => continue,
                Ok(Event::Eof) if self.depth == 0 => return Ok(None),
                Ok(Event::DocType(_) | Event::Eof) | Err(_) => return Err(Refusal::Unreadable),
            }));
        }
    }
}

/// XML's own entities; there can be no others.
fn predefined(name: &str) -> Result<&'static str, Refusal> {
    Ok(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return Err(Refusal::Unreadable),
    })
}
