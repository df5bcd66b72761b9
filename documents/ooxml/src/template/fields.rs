//! What a part of a template does when it is opened: its fields and the addresses of its old drawings.
//!
//! DANGER: Word updates the fields of headers and footers by itself. `INCLUDEPICTURE` fetches from any host, which
//! tells it who opened the document; `DDE` starts a program. An instruction may be cut into pieces, nested, or stand
//! in an alternative that only some readers choose. So fields are allowed by name, and anything that cannot be read
//! plainly is refused.

use super::TemplateError;
use crate::tree::{Element, Node};

/// Fields that only show what the document itself holds.
const ALLOWED: [&str; 44] = [
    "ADVANCE",
    "AUTHOR",
    "BARCODE",
    "COMMENTS",
    "COMPARE",
    "CREATEDATE",
    "DATE",
    "DOCPROPERTY",
    "DOCVARIABLE",
    "EDITTIME",
    "EQ",
    "FILENAME",
    "FILESIZE",
    "FORMCHECKBOX",
    "FORMDROPDOWN",
    "FORMTEXT",
    "HYPERLINK",
    "IF",
    "INFO",
    "KEYWORDS",
    "LASTSAVEDBY",
    "LISTNUM",
    "MERGEFIELD",
    "NOTEREF",
    "NUMCHARS",
    "NUMPAGES",
    "NUMWORDS",
    "PAGE",
    "PAGEREF",
    "PRINTDATE",
    "QUOTE",
    "REF",
    "REVNUM",
    "SAVEDATE",
    "SECTION",
    "SECTIONPAGES",
    "SEQ",
    "STYLEREF",
    "SUBJECT",
    "SYMBOL",
    "TEMPLATE",
    "TIME",
    "TITLE",
    "TOC",
];
/// How an address begins that only a click leads to.
pub(super) const CLICKED: [&str; 5] = ["https://", "http://", "mailto:", "tel:", "#"];
const SHOWN: usize = 60;

/// Refuses a part whose fields or drawings reach beyond the file.
pub(super) fn refuse_reaching(root: &Element, part: &str) -> Result<(), TemplateError> {
    refuse_sources(root, part)?;
    Fields::new(part).whole(root)
}

/// Old drawings (VML) name the address of their picture in an attribute, without a relationship.
fn refuse_sources(element: &Element, part: &str) -> Result<(), TemplateError> {
    let drawing = local(&element.name);
    let fetched = element.attributes.iter().find(|(name, value)| {
        let reads = match local(name) {
            "src" | "althref" => true,
            // On a shape, a click leads there; in what fills it, the reader fetches it.
            "href" => matches!(drawing, "imagedata" | "fill" | "stroke"),
            _ => false,
        };
        reads && !value.is_empty()
    });
    if let Some((_, address)) = fetched {
        return Err(TemplateError::External(part.to_owned(), shown(address)));
    }
    element
        .elements()
        .try_for_each(|child| refuse_sources(child, part))
}

/// The fields that are open at one place of a part.
struct Fields<'a> {
    part: &'a str,
    /// Instructions so far, the innermost field last; `None` once its result has begun.
    open: Vec<Option<String>>,
}

impl<'a> Fields<'a> {
    const fn new(part: &'a str) -> Self {
        Self {
            part,
            open: Vec::new(),
        }
    }

    /// Reads an element whose fields must end in it.
    fn whole(mut self, element: &Element) -> Result<(), TemplateError> {
        self.read(element)?;
        self.ended()
    }

    fn read(&mut self, element: &Element) -> Result<(), TemplateError> {
        match local(&element.name) {
            "fldSimple" => {
                let instruction = by_local_name(element, "instr").unwrap_or_default();
                self.judge(instruction)?;
            }
            "fldChar" => return self.mark(by_local_name(element, "fldCharType")),
            "t" | "delText" => return self.beside(&text_of(element)),
            "instrText" | "delInstrText" => {
                let text = text_of(element);
                return match self.open.last_mut() {
                    Some(Some(instruction)) => {
                        instruction.push_str(&text);
                        Ok(())
                    }
                    // Without a field around it, readers differ in what they make of it.
                    _ if text.trim().is_empty() => Ok(()),
                    _ => Err(self.refused(&text)),
                };
            }
            // One reader chooses this branch and another that one: each must be harmless by itself.
            "Choice" | "Fallback" => {
                self.beside(&text_of(element))?;
                return element
                    .elements()
                    .try_fold(Self::new(self.part), |mut fields, child| {
                        fields.read(child).map(|()| fields)
                    })?
                    .ended();
            }
            _ => {}
        }
        element.elements().try_for_each(|child| self.read(child))
    }

    fn ended(mut self) -> Result<(), TemplateError> {
        match self.open.pop() {
            None => Ok(()),
            Some(instruction) => Err(self.refused(&instruction.unwrap_or_default())),
        }
    }

    fn mark(&mut self, kind: Option<&str>) -> Result<(), TemplateError> {
        match kind {
            Some("begin") => {
                self.beside("{")?;
                self.open.push(Some(String::new()));
            }
            Some("separate") => match self.open.last_mut().and_then(Option::take) {
                Some(instruction) => self.judge(&instruction)?,
                None => return Err(self.refused("separate")),
            },
            Some("end") => match self.open.pop() {
                Some(Some(instruction)) => self.judge(&instruction)?,
                Some(None) => {}
                None => return Err(self.refused("end")),
            },
            other => return Err(self.refused(other.unwrap_or_default())),
        }
        Ok(())
    }

    /// What stands in an instruction without being one: shown text, or another field, whose result counts.
    ///
    /// DANGER: readers may take it as a part of the field's name, or of the address that a link leads to. So both
    /// must have come before.
    fn beside(&self, shown: &str) -> Result<(), TemplateError> {
        let Some(Some(instruction)) = self.open.last() else {
            return Ok(());
        };
        let mut words = instruction.split_whitespace();
        let is_link = (words.next()).is_some_and(|name| name.eq_ignore_ascii_case("HYPERLINK"));
        let is_formula = instruction.trim_start().starts_with('=');
        let is_named = is_formula
            || instruction.ends_with(char::is_whitespace)
                && !instruction.trim().is_empty()
                && (!is_link || words.next().is_some());
        if is_named || shown.trim().is_empty() {
            return Ok(());
        }
        Err(self.refused(&format!("{instruction} {shown}")))
    }

    fn judge(&self, instruction: &str) -> Result<(), TemplateError> {
        let mut words = instruction.split_whitespace();
        let name = words.next().unwrap_or_default().to_ascii_uppercase();
        let is_harmless = if name == "HYPERLINK" {
            let target = words.next().unwrap_or_default().to_ascii_lowercase();
            let target = target.trim_start_matches('"');
            target == "\\l" || CLICKED.iter().any(|start| target.starts_with(start))
        } else if name == "MACROBUTTON" {
            // A place to type into, which runs nothing.
            words
                .next()
                .is_some_and(|of| of.eq_ignore_ascii_case("NoMacro"))
        } else {
            // A formula, such as `=1+1`.
            name.starts_with('=') || ALLOWED.contains(&name.as_str())
        };
        is_harmless
            .then_some(())
            .ok_or_else(|| self.refused(instruction))
    }

    fn refused(&self, instruction: &str) -> TemplateError {
        TemplateError::Field(self.part.to_owned(), shown(instruction.trim()))
    }
}

/// The name without its prefix: a part may bind any prefix to Word's names.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn by_local_name<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    let mut attributes = element.attributes.iter();
    let found = attributes.find(|(known, _)| local(known) == name);
    found.map(|(_, value)| value.as_str())
}

fn text_of(element: &Element) -> String {
    let texts = element.children.iter().map(|node| match node {
        Node::Text(text) => text.clone(),
        Node::Element(element) => text_of(element),
    });
    texts.collect()
}

fn shown(text: &str) -> String {
    let printable = text.chars().filter(|c| !c.is_control());
    printable.take(SHOWN).collect()
}
