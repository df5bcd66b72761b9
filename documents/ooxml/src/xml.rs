//! A writer of XML. What it writes is well-formed whatever it is given: names are constants of the code,
//! everything else is escaped, and characters that XML 1.0 cannot carry are left out.

use std::fmt::{Display, Write};

/// Attributes of an element: names and values in the order in which they are written.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// An XML document or fragment that is being written.
#[derive(Debug, Clone, Default)]
pub struct Xml {
    out: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// A document, with its declaration.
    #[must_use]
    pub fn document() -> Self {
        Self {
            out: "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n".to_owned(),
            open: Vec::new(),
        }
    }

    /// A piece that is appended to a document later.
    #[must_use]
    pub fn fragment() -> Self {
        Self::default()
    }

    /// Opens an element.
    pub fn open(&mut self, name: &'static str, attributes: Attributes<'_>) -> &mut Self {
        self.start(name, attributes);
        self.out.push('>');
        self.open.push(name);
        self
    }

    /// Closes the element that was opened last; without one, nothing happens.
    pub fn close(&mut self) -> &mut Self {
        if let Some(name) = self.open.pop() {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
        self
    }

    /// An element with what `inside` writes.
    pub fn element(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.open(name, attributes);
        let depth = self.open.len();
        inside(self);
        while self.open.len() >= depth {
            self.close();
        }
        self
    }

    /// An element without content.
    pub fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) -> &mut Self {
        self.start(name, attributes);
        self.out.push_str("/>");
        self
    }

    /// An element with a text.
    pub fn leaf(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        text: impl Display,
    ) -> &mut Self {
        self.open(name, attributes).text(text).close()
    }

    /// Characters.
    pub fn text(&mut self, text: impl Display) -> &mut Self {
        escape(&mut self.out, &text, false);
        self
    }

    /// What another writer wrote, its open elements closed.
    pub fn append(&mut self, mut fragment: Self) -> &mut Self {
        fragment.close_all();
        self.out.push_str(&fragment.out);
        self
    }

    /// Markup that is a constant of the code, such as the unvarying part of a master.
    pub fn constant(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Appends characters, escaped for text or for an attribute.
    pub(crate) fn escape_into(out: &mut String, text: &str, in_attribute: bool) {
        escape(out, &text, in_attribute);
    }

    /// Whether nothing was written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The bytes, all open elements closed.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.close_all();
        self.out.into_bytes()
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }

    fn start(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes {
            self.out.push(' ');
            self.out.push_str(key);
            self.out.push_str("=\"");
            escape(&mut self.out, value, true);
            self.out.push('"');
        }
    }
}

/// Whether XML 1.0 can carry the character, and readers take it as what it is. C1 controls are allowed there,
/// but mean nothing.
#[must_use]
pub const fn is_character(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn escape(out: &mut String, value: &dyn Display, in_attribute: bool) {
    // A formatter that escapes as it goes: no text is copied twice. Writing to a `String` cannot fail.
    let _ = write!(Escaped { out, in_attribute }, "{value}");
}

struct Escaped<'a> {
    out: &'a mut String,
    in_attribute: bool,
}

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' if self.in_attribute => self.out.push_str("&quot;"),
                // As they are, readers would turn them into blanks or drop them.
                '\n' if self.in_attribute => self.out.push_str("&#10;"),
                '\t' if self.in_attribute => self.out.push_str("&#9;"),
                '\r' => self.out.push_str("&#13;"),
                other if is_character(other) => self.out.push(other),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(xml: Xml) -> String {
        String::from_utf8_lossy(&xml.finish()).into_owned()
    }

    #[test]
    fn markup_in_texts_is_text() {
        let mut xml = Xml::fragment();
        xml.open("a", &[("b", &"\"<&>\n\t")]).text("]]> & <x/>");
        assert_eq!(
            text_of(xml),
            "<a b=\"&quot;&lt;&amp;&gt;&#10;&#9;\">]]&gt; &amp; &lt;x/&gt;</a>"
        );
    }

    #[test]
    fn what_xml_cannot_carry_is_left_out() {
        let mut xml = Xml::fragment();
        xml.leaf("a", &[], "x\u{0}\u{b}\u{1b}\u{7f}\u{85}\u{fffe}y\u{10ffff}");
        assert_eq!(text_of(xml), "<a>xy\u{10ffff}</a>");
    }

    #[test]
    fn elements_are_closed_whatever_the_code_inside_does() {
        let mut xml = Xml::fragment();
        xml.element("a", &[], |xml| {
            xml.open("b", &[]).open("c", &[]);
        })
        .empty("d", &[("n", &1)]);
        xml.close();
        assert_eq!(text_of(xml), "<a><b><c></c></b></a><d n=\"1\"/>");
    }
}
