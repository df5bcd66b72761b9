//! XML that somebody else wrote, as a tree that can be changed and written again.
//!
//! DANGER: a document type definition can define entities that expand without bound or name a file, so a part with
//! one is refused. Depth and number of elements are bounded, because a few bytes can open an element.

use std::fmt;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::xml::Xml;

/// Deepest nesting of elements. Nested groups and tables reach some dozens.
const MAX_DEPTH: usize = 200;
/// Most elements of one part.
const MAX_ELEMENTS: usize = 300_000;

/// Why a part is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeError {
    /// Not well-formed XML in UTF-8, or with a document type definition.
    Malformed,
    /// Deeper, or of more elements, than any part needs.
    TooLarge,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "is not well-formed XML",
            Self::TooLarge => "is deeper or longer than is allowed",
        })
    }
}
impl std::error::Error for TreeError {}

/// An element. Names have their prefixes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
}

/// What stands in an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Element(Element),
    Text(String),
}

impl Node {
    /// The element, if it is one.
    #[must_use]
    pub const fn element(&self) -> Option<&Element> {
        match self {
            Self::Element(element) => Some(element),
            Self::Text(_) => None,
        }
    }
}

impl Element {
    #[must_use]
    pub fn new(name: &str, attributes: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self {
            name: name.to_owned(),
            attributes: attributes.iter().map(owned).collect(),
            children: Vec::new(),
        }
    }

    /// Reads the root element of a part.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Self, TreeError> {
        let text = std::str::from_utf8(bytes).map_err(|_| TreeError::Malformed)?;
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        reader.config_mut().check_end_names = true;
        let mut open: Vec<Self> = Vec::new();
        let mut root = None;
        let mut elements = 0;
        loop {
            let event = reader.read_event().map_err(|_| TreeError::Malformed)?;
            let (text, closed) = match event {
                Event::Start(start) => {
                    elements += 1;
                    if open.len() >= MAX_DEPTH || elements > MAX_ELEMENTS || root.is_some() {
                        return Err(TreeError::TooLarge);
                    }
                    open.push(begun(&start)?);
                    continue;
                }
                Event::Empty(start) => {
                    elements += 1;
                    if elements > MAX_ELEMENTS || root.is_some() {
                        return Err(TreeError::TooLarge);
                    }
                    (None, Some(begun(&start)?))
                }
                Event::End(_) => (None, open.pop()),
                Event::Text(text) => (Some(text.xml10_content().into_owned()), None),
                Event::CData(text) => (Some(text.xml10_content().into_owned()), None),
                Event::GeneralRef(reference) => {
                    let text = match reference.resolve_char_ref() {
                        Ok(Some(character)) => character.to_string(),
                        _ => predefined(&reference)?.to_owned(),
                    };
                    (Some(text), None)
                }
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => continue,
                Event::DocType(_) => return Err(TreeError::Malformed),
                Event::Eof if open.is_empty() => return root.ok_or(TreeError::Malformed),
                Event::Eof => return Err(TreeError::Malformed),
            };
            match (open.last_mut(), text, closed) {
                (Some(parent), Some(text), _) => match parent.children.last_mut() {
                    Some(Node::Text(before)) => before.push_str(&text),
                    _ => parent.children.push(Node::Text(text)),
                },
                (Some(parent), None, Some(element)) => {
                    parent.children.push(Node::Element(element));
                }
                (None, None, Some(element)) => root = Some(element),
                // Blanks around the root.
                (None, Some(text), _) if text.trim().is_empty() => {}
                _ => return Err(TreeError::Malformed),
            }
        }
    }

    /// The part with this root.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n");
        self.append_to(&mut out);
        out.into_bytes()
    }

    fn append_to(&self, out: &mut String) {
        out.push('<');
        out.push_str(&self.name);
        for (name, value) in &self.attributes {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            Xml::escape_into(out, value, true);
            out.push('"');
        }
        if self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for child in &self.children {
            match child {
                Node::Element(element) => element.append_to(out),
                Node::Text(text) => Xml::escape_into(out, text, false),
            }
        }
        out.push_str("</");
        out.push_str(&self.name);
        out.push('>');
    }

    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The attribute as a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        self.attribute(name)?.trim().parse().ok()
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.attributes.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name.to_owned(), value)),
        }
    }

    pub fn unset(&mut self, name: &str) {
        self.attributes.retain(|(known, _)| known != name);
    }

    /// The elements directly within.
    pub fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(Node::element)
    }

    pub fn elements_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.children.iter_mut().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first element of this name directly within.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.elements().find(|child| child.name == name)
    }

    pub fn child_mut(&mut self, name: &str) -> Option<&mut Self> {
        self.elements_mut().find(|child| child.name == name)
    }

    /// The element at the end of a path of names below this one.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter()
            .try_fold(self, |element, name| element.child(name))
    }

    pub fn at_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter()
            .try_fold(self, |element, name| element.child_mut(name))
    }

    pub fn push(&mut self, element: Self) {
        self.children.push(Node::Element(element));
    }

    /// This element with another one in it.
    #[must_use]
    pub fn with(mut self, element: Self) -> Self {
        self.push(element);
        self
    }

    /// Removes the elements directly within that are to go.
    pub fn remove(&mut self, goes: impl Fn(&Self) -> bool) {
        self.children
            .retain(|node| node.element().is_none_or(|element| !goes(element)));
    }

    /// Puts an element before the first one of these names, or at the end.
    pub fn insert_before(&mut self, names: &[&str], element: Self) {
        let is_there = |node: &Node| {
            node.element()
                .is_some_and(|element| names.contains(&element.name.as_str()))
        };
        let at = self.children.iter().position(is_there);
        let at = at.unwrap_or(self.children.len());
        self.children.insert(at, Node::Element(element));
    }

    /// Visits this element and all below it, parents first.
    pub fn visit(&self, each: &mut dyn FnMut(&Self)) {
        each(self);
        for child in self.elements() {
            child.visit(each);
        }
    }

    /// Visits this element and all below it, parents first.
    pub fn visit_mut(&mut self, each: &mut dyn FnMut(&mut Self)) {
        each(self);
        for child in self.elements_mut() {
            child.visit_mut(each);
        }
    }
}

fn begun(start: &BytesStart<'_>) -> Result<Element, TreeError> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|_| TreeError::Malformed)?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|_| TreeError::Malformed)?.into_owned();
        attributes.push((attribute.key.as_ref().to_owned(), value));
    }
    Ok(Element {
        name: start.name().as_ref().to_owned(),
        attributes,
        children: Vec::new(),
    })
}

/// XML's own entities; there can be no others.
fn predefined(name: &str) -> Result<&'static str, TreeError> {
    Ok(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return Err(TreeError::Malformed),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        let text = "<?xml version=\"1.0\"?>\n<!-- c --><a:b xmlns:a=\"urn:a\" c=\"1 &amp; &quot;2&quot;\"><d/> x &lt; &#xe9;<![CDATA[<e>]]></a:b>\n";
        let root = Element::read(text.as_bytes()).unwrap();
        assert_eq!(root.attribute("c"), Some("1 & \"2\""));
        let written = root.write();
        let again = String::from_utf8(written.clone()).unwrap();
        assert!(
            again.ends_with("c=\"1 &amp; &quot;2&quot;\"><d/> x &lt; é&lt;e&gt;</a:b>"),
            "{again}"
        );
        assert_eq!(Element::read(&written).unwrap(), root);
    }

    #[test]
    fn what_could_do_harm_is_refused() {
        let entity = "<!DOCTYPE a [<!ENTITY b \"ccc\">]><a>&b;</a>";
        for text in [
            entity,
            "<a>&b;</a>",
            "<a><b></a>",
            "<a/><b/>",
            "",
            "a",
            "<a b=1/>",
        ] {
            assert!(Element::read(text.as_bytes()).is_err(), "{text}");
        }
        let deep = "<a>".repeat(MAX_DEPTH + 1);
        assert_eq!(Element::read(deep.as_bytes()), Err(TreeError::TooLarge));
        let wide = format!("<a>{}</a>", "<b/>".repeat(MAX_ELEMENTS + 1));
        assert_eq!(Element::read(wide.as_bytes()), Err(TreeError::TooLarge));
        assert_eq!(Element::read(&[0xff, 0xfe]), Err(TreeError::Malformed));
    }
}
