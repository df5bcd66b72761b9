//! An organization's own template: a PPTX or DOCX whose masters, layouts, styles and theme a renderer builds on.
//!
//! Whoever registers a template and the renderers read it with the same code, so what was accepted once is accepted
//! when a document is made. Everything in a template may be hostile: it is bounded before it is unpacked, nothing in it
//! is run, and whatever leads out of the file or could be run by Office makes it refused.

mod fields;
mod look;
mod parts;

use std::fmt;

use crate::tree::{Element, TreeError};
use crate::zip::{Limits, ReadError};

pub use look::Look;
pub use parts::{Part, Parts, Relation, Target};

/// Largest template.
pub const MAX_BYTES: usize = 20 << 20;
const LIMITS: Limits = Limits {
    entries: 2_000,
    entry_bytes: 20 << 20,
    total_bytes: 48 << 20,
    ratio: 100,
};
const MAIN: &str = "http://schemas.openxmlformats.org/presentationml/2006/main";
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// What kind of document a template is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Presentation,
    Document,
}

impl Kind {
    /// How its files end.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Presentation => "pptx",
            Self::Document => "docx",
        }
    }

    const fn content_types(self) -> [&'static str; 2] {
        match self {
            Self::Presentation => [
                "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
                "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
            ],
            Self::Document => [
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
            ],
        }
    }
}

/// Why a template is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// More bytes than [`MAX_BYTES`].
    TooLarge,
    Archive(ReadError),
    /// An archive, but no package of Office.
    NoPackage,
    /// A package, but not of this kind.
    OtherKind(Kind),
    /// Macros, or controls that run.
    Macros(String),
    /// Part, and the address outside of the file that it refers to.
    External(String, String),
    /// An embedded object in what would be taken over.
    Embedded(String),
    /// Part, and the instruction of a field that reaches beyond the file or cannot be read plainly.
    Field(String, String),
    /// A part that must be there.
    Missing(String),
    Xml {
        part: String,
        why: TreeError,
    },
    /// Written with names that Office does not use by default, such as those of Strict Open XML.
    Unusual(String),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "it has more than {} MiB", MAX_BYTES >> 20),
            Self::Archive(error) => error.fmt(f),
            Self::NoPackage => f.write_str("it is an archive, but no file of Office"),
            Self::OtherKind(kind) => write!(f, "it is no {} file", kind.extension().to_uppercase()),
            Self::Macros(part) => write!(f, "it has macros or controls ({part}); save it without"),
            Self::External(part, address) => {
                write!(
                    f,
                    "{part} refers to something outside of the file: {address}"
                )
            }
            Self::Embedded(part) => write!(f, "{part} has an embedded object"),
            Self::Field(part, instruction) => write!(
                f,
                "{part} has a field that a document may not carry ({instruction}); replace it by its result"
            ),
            Self::Missing(part) => write!(f, "it has no {part}"),
            Self::Xml { part, why } => write!(f, "{part} {why}"),
            Self::Unusual(part) => {
                write!(
                    f,
                    "{part} is not written as Office does by default; save it as a plain PPTX or DOCX"
                )
            }
        }
    }
}
impl std::error::Error for TemplateError {}

/// A template that can be built on.
#[derive(Debug, Clone)]
pub struct Template {
    pub kind: Kind,
    pub parts: Parts,
    /// Name of the main part.
    pub main: String,
    /// Colours and typefaces; `None` if a document has no theme.
    pub look: Option<Look>,
}

impl Template {
    /// Reads and checks a template.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn read(bytes: &[u8], kind: Kind) -> Result<Self, TemplateError> {
        if bytes.len() > MAX_BYTES {
            return Err(TemplateError::TooLarge);
        }
        let parts = Parts::read(bytes, LIMITS)?;
        let main = parts.main().ok_or(TemplateError::NoPackage)?.to_owned();
        // Before the kind: a file with macros has another one, and should be told from a wrong file.
        refuse_programs(&parts)?;
        let content_type = parts.get(&main).map(|part| part.content_type.as_str());
        if !content_type.is_some_and(|found| kind.content_types().contains(&found)) {
            return Err(TemplateError::OtherKind(kind));
        }
        refuse_addresses(&parts)?;
        let root = parts.tree(&main)?;
        let (name, namespace) = match kind {
            Kind::Presentation => ("p:presentation", ("xmlns:p", MAIN)),
            Kind::Document => ("w:document", ("xmlns:w", WORD)),
        };
        usual(&root, name, namespace, &main)?;
        let mut read = Self {
            kind,
            parts,
            main,
            look: None,
        };
        let look = match kind {
            Kind::Presentation => {
                let masters = read.masters(&root);
                let mut layouts = 0;
                for master in &masters {
                    read.whole(master, "p:sldMaster")?;
                    for layout in read.layouts(master) {
                        read.whole(&layout, "p:sldLayout")?;
                        layouts += 1;
                    }
                }
                if layouts == 0 {
                    return Err(TemplateError::Missing("slide layout".to_owned()));
                }
                masters
                    .first()
                    .map(|master| Look::of_master(&read.parts, master))
            }
            Kind::Document => {
                let styles = read.related("styles");
                let styles = styles.ok_or_else(|| TemplateError::Missing("styles".to_owned()))?;
                let found = read.parts.tree(&styles)?;
                usual(&found, "w:styles", ("xmlns:w", WORD), &styles)?;
                let main = read.parts.get(&read.main);
                let edges = ["header", "footer"].map(|word| {
                    let of = main.into_iter().flat_map(|part| part.related(word));
                    of.map(|(_, name)| name.to_owned()).collect::<Vec<_>>()
                });
                for (names, root) in edges.iter().zip(["w:hdr", "w:ftr"]) {
                    for name in names {
                        read.whole(name, root)?;
                    }
                }
                fields::refuse_reaching(&found, &styles)?;
                for word in ["numbering", "settings", "fontTable"] {
                    if let Some(name) = read.related(word) {
                        fields::refuse_reaching(&read.parts.tree(&name)?, &name)?;
                    }
                }
                let theme = read.related("theme");
                theme.map(|theme| Look::of_theme(&read.parts, &theme))
            }
        };
        read.look = look.transpose()?;
        Ok(read)
    }

    /// The part that the main part relates to in this way.
    #[must_use]
    pub fn related(&self, word: &str) -> Option<String> {
        let main = self.parts.get(&self.main)?;
        main.related(word).next().map(|(_, name)| name.to_owned())
    }

    /// The slide masters in their order.
    fn masters(&self, presentation: &Element) -> Vec<String> {
        let Some(main) = self.parts.get(&self.main) else {
            return Vec::new();
        };
        let listed = presentation.child("p:sldMasterIdLst");
        let ids = listed.into_iter().flat_map(Element::elements);
        ids.filter_map(|id| Some(main.relation(id.attribute("r:id")?)?.part()?.to_owned()))
            .collect()
    }

    /// The slide masters in their order.
    ///
    /// # Errors
    /// If the presentation cannot be read.
    pub fn slide_masters(&self) -> Result<Vec<String>, TemplateError> {
        Ok(self.masters(&self.parts.tree(&self.main)?))
    }

    /// The layouts of a slide master, in its order.
    #[must_use]
    pub fn layouts(&self, master: &str) -> Vec<String> {
        let (Some(part), Ok(root)) = (self.parts.get(master), self.parts.tree(master)) else {
            return Vec::new();
        };
        let listed = root.child("p:sldLayoutIdLst");
        let ids = listed.into_iter().flat_map(Element::elements);
        ids.filter_map(|id| Some(part.relation(id.attribute("r:id")?)?.part()?.to_owned()))
            .collect()
    }

    /// Checks a part that is taken over as it is.
    fn whole(&self, name: &str, root: &str) -> Result<(), TemplateError> {
        let found = self.parts.tree(name)?;
        let namespace = if root.starts_with("p:") {
            ("xmlns:p", MAIN)
        } else {
            ("xmlns:w", WORD)
        };
        usual(&found, root, namespace, name)?;
        fields::refuse_reaching(&found, name)?;
        let mut related = (self.parts.get(name).into_iter()).flat_map(|part| &part.relations);
        match related
            .find(|relation| matches!(relation.word(), "oleObject" | "control" | "package"))
        {
            Some(_) => Err(TemplateError::Embedded(name.to_owned())),
            None => Ok(()),
        }
    }
}

/// Whether a part is written with the names that everybody uses.
fn usual(
    root: &Element,
    name: &str,
    (prefix, namespace): (&str, &str),
    part: &str,
) -> Result<(), TemplateError> {
    let relations = root.attribute("xmlns:r");
    let is_usual = root.name == name
        && root.attribute(prefix) == Some(namespace)
        && relations.is_none_or(|relations| relations == RELATIONS);
    is_usual
        .then_some(())
        .ok_or_else(|| TemplateError::Unusual(part.to_owned()))
}

/// Whether a relationship leads to something that renderers take over: no comments, no programs, no other files.
#[must_use]
pub fn is_kept(relation: &Relation) -> bool {
    const WORDS: [&str; 10] = [
        "slideMaster",
        "slideLayout",
        "theme",
        "themeOverride",
        "image",
        "font",
        "hyperlink",
        "hdphoto",
        "notesMaster",
        "svg",
    ];
    WORDS.contains(&relation.word())
}

fn refuse_programs(parts: &Parts) -> Result<(), TemplateError> {
    for (name, part) in parts.iter() {
        let content_type = part.content_type.to_ascii_lowercase();
        let is_program = ["vba", "macroenabled", "activex", "ms-office.script"]
            .iter()
            .any(|word| content_type.contains(word));
        if is_program || name.to_ascii_lowercase().ends_with("vbaproject.bin") {
            return Err(TemplateError::Macros(name.to_owned()));
        }
    }
    Ok(())
}

/// Addresses that a click leads to are harmless; whatever a reader would fetch on opening is not.
fn refuse_addresses(parts: &Parts) -> Result<(), TemplateError> {
    let of_package = parts.root.iter().map(|relation| ("the package", relation));
    let of_parts = parts
        .iter()
        .flat_map(|(name, part)| part.relations.iter().map(move |relation| (name, relation)));
    for (name, relation) in of_package.chain(of_parts) {
        let Target::External(address) = &relation.target else {
            continue;
        };
        // Where the letter was made from: it is not taken over.
        if relation.word() == "attachedTemplate" {
            continue;
        }
        let lower = address.to_ascii_lowercase();
        let is_link = relation.word() == "hyperlink"
            && fields::CLICKED.iter().any(|start| lower.starts_with(start));
        if !is_link {
            let shown: String = address
                .chars()
                .filter(|c| !c.is_control())
                .take(200)
                .collect();
            return Err(TemplateError::External(name.to_owned(), shown));
        }
    }
    Ok(())
}
