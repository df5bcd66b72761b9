//! The package as it is being made.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::PartName;
use crate::xml::Xml;
use crate::zip;

/// A part of the package that gave it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(usize);

/// Why a package cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageError {
    /// Two parts would have this name. Names differ by more than case.
    DuplicateName(String),
    /// Not the name of a part.
    InvalidName(String),
    /// The part was begun and never filled.
    Unfilled(String),
    /// More than a ZIP archive can hold.
    TooLarge,
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateName(name) => write!(f, "two parts are called {name}"),
            Self::InvalidName(name) => write!(f, "no part can be called {name}"),
            Self::Unfilled(name) => write!(f, "the part {name} has no content"),
            Self::TooLarge => f.write_str("the package is larger than a ZIP archive can be"),
        }
    }
}
impl std::error::Error for PackageError {}

#[derive(Debug, Clone, Default)]
pub struct Package {
    parts: Vec<Part>,
    names: BTreeSet<String>,
    relationships: Relationships,
}

#[derive(Debug, Clone)]
struct Part {
    name: PartName,
    content_type: &'static str,
    content: Option<Vec<u8>>,
    relationships: Relationships,
}

#[derive(Debug, Clone, Default)]
struct Relationships(Vec<Relationship>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Relationship {
    kind: &'static str,
    target: Target,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Part(PartId),
    External(String),
}

impl Package {
    /// A package without parts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a part, so that others can relate to it and it to others before its content stands.
    ///
    /// # Errors
    /// Where the name is none, or taken.
    pub fn begin(
        &mut self,
        name: &str,
        content_type: &'static str,
    ) -> Result<PartId, PackageError> {
        let part_name =
            PartName::new(name).ok_or_else(|| PackageError::InvalidName(name.to_owned()))?;
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(PackageError::DuplicateName(name.to_owned()));
        }
        self.parts.push(Part {
            name: part_name,
            content_type,
            content: None,
            relationships: Relationships::default(),
        });
        Ok(PartId(self.parts.len() - 1))
    }

    /// Gives a part its content.
    pub fn fill(&mut self, part: PartId, content: Vec<u8>) {
        if let Some(part) = self.parts.get_mut(part.0) {
            part.content = Some(content);
        }
    }

    /// A part with its content.
    ///
    /// # Errors
    /// As [`Package::begin`].
    pub fn add(
        &mut self,
        name: &str,
        content_type: &'static str,
        content: Vec<u8>,
    ) -> Result<PartId, PackageError> {
        let part = self.begin(name, content_type)?;
        self.fill(part, content);
        Ok(part)
    }

    /// The name of a part.
    #[must_use]
    pub fn name(&self, part: PartId) -> Option<&PartName> {
        self.parts.get(part.0).map(|part| &part.name)
    }

    /// Relates the package itself to a part.
    pub fn relate_root(&mut self, kind: &'static str, to: PartId) -> String {
        self.relationships.add(kind, Target::Part(to))
    }

    /// Relates one part to another and returns the relationship's id, the same one each time.
    pub fn relate(&mut self, from: PartId, kind: &'static str, to: PartId) -> String {
        self.add_relationship(from, kind, Target::Part(to))
    }

    /// Relates a part to an address outside of the package, such as that of a link.
    pub fn relate_external(&mut self, from: PartId, kind: &'static str, address: &str) -> String {
        self.add_relationship(from, kind, Target::External(address.to_owned()))
    }

    fn add_relationship(&mut self, from: PartId, kind: &'static str, target: Target) -> String {
        // Ids of parts come from this package, so there is always one.
        self.parts
            .get_mut(from.0)
            .map(|part| part.relationships.add(kind, target))
            .unwrap_or_default()
    }

    /// The archive.
    ///
    /// # Errors
    /// Where a part was never filled, or the archive would be too large.
    pub fn write(&self) -> Result<Vec<u8>, PackageError> {
        let mut written = vec![("[Content_Types].xml".to_owned(), self.content_types())];
        written.push((
            "_rels/.rels".to_owned(),
            self.relationships.write(self, None),
        ));
        for part in &self.parts {
            if !part.relationships.0.is_empty() {
                written.push((
                    part.name.relationships_entry(),
                    part.relationships.write(self, Some(&part.name)),
                ));
            }
        }
        let mut contents = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let content = part.content.as_deref();
            let content = content.ok_or_else(|| PackageError::Unfilled(part.name.to_string()))?;
            contents.push((part.name.entry(), content));
        }
        let written = written
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        zip::write(written.chain(contents)).ok_or(PackageError::TooLarge)
    }

    fn content_types(&self) -> Vec<u8> {
        // One type for an extension where all parts with it have that type; an override for every other.
        let mut by_extension = BTreeMap::from([
            (
                "rels".to_owned(),
                "application/vnd.openxmlformats-package.relationships+xml",
            ),
            ("xml".to_owned(), "application/xml"),
        ]);
        for part in &self.parts {
            if !part.name.as_str().ends_with(".xml") {
                by_extension
                    .entry(part.name.extension())
                    .or_insert(part.content_type);
            }
        }
        let mut xml = Xml::document();
        let namespace = "http://schemas.openxmlformats.org/package/2006/content-types";
        xml.open("Types", &[("xmlns", &namespace)]);
        for (extension, content_type) in &by_extension {
            xml.empty(
                "Default",
                &[("Extension", extension), ("ContentType", content_type)],
            );
        }
        for part in &self.parts {
            if by_extension.get(&part.name.extension()) != Some(&part.content_type) {
                let attributes: [(_, &dyn fmt::Display); 2] = [
                    ("PartName", &part.name),
                    ("ContentType", &part.content_type),
                ];
                xml.empty("Override", &attributes);
            }
        }
        xml.finish()
    }
}

impl Relationships {
    fn add(&mut self, kind: &'static str, target: Target) -> String {
        let new = Relationship { kind, target };
        let known = self.0.iter().position(|known| *known == new);
        let index = known.unwrap_or_else(|| {
            self.0.push(new);
            self.0.len() - 1
        });
        format!("rId{}", index + 1)
    }

    fn write(&self, package: &Package, from: Option<&PartName>) -> Vec<u8> {
        let mut xml = Xml::document();
        let namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
        xml.open("Relationships", &[("xmlns", &namespace)]);
        for (index, relationship) in self.0.iter().enumerate() {
            let id = format!("rId{}", index + 1);
            let (target, mode) = match &relationship.target {
                Target::External(address) => (address.clone(), Some("External")),
                Target::Part(part) => {
                    let name = package.name(*part);
                    let target = name.map(|name| match from {
                        Some(from) => name.relative_to(from),
                        None => name.entry().to_owned(),
                    });
                    (target.unwrap_or_default(), None)
                }
            };
            let mut attributes: Vec<(&'static str, &dyn fmt::Display)> = vec![
                ("Id", &id),
                ("Type", &relationship.kind),
                ("Target", &target),
            ];
            if let Some(mode) = &mode {
                attributes.push(("TargetMode", mode));
            }
            xml.empty("Relationship", &attributes);
        }
        xml.finish()
    }
}
