//! A package as loose parts: read from an archive, changed, joined with another one, and written again.

use std::collections::{BTreeMap, BTreeSet};

use super::TemplateError;
use crate::package::PartName;
use crate::tree::Element;
use crate::xml::Xml;
use crate::zip::{self, Archive, Limits};

const CONTENT_TYPES: &str = "[Content_Types].xml";
const ROOT_RELATIONS: &str = "_rels/.rels";

/// The parts of a package by their names, such as `/ppt/presentation.xml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts {
    parts: BTreeMap<String, Part>,
    /// Relationships of the package itself.
    pub root: Vec<Relation>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    pub content_type: String,
    pub content: Vec<u8>,
    pub relations: Vec<Relation>,
}

/// A relationship.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    pub id: String,
    /// The address that says what kind it is.
    pub kind: String,
    pub target: Target,
}

/// Where a relationship leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Part(String),
    External(String),
}

impl Relation {
    /// The last word of the kind: `slideMaster`, `image`.
    #[must_use]
    pub fn word(&self) -> &str {
        self.kind.rsplit('/').next().unwrap_or_default()
    }

    /// The part that it leads to.
    #[must_use]
    pub fn part(&self) -> Option<&str> {
        match &self.target {
            Target::Part(name) => Some(name),
            Target::External(_) => None,
        }
    }
}

impl Part {
    /// The relationship with this id.
    #[must_use]
    pub fn relation(&self, id: &str) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.id == id)
    }

    /// The parts that relationships of this kind lead to, with their ids.
    pub fn related<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let of_kind = self.relations.iter().filter(move |r| r.word() == word);
        of_kind.filter_map(|relation| Some((relation.id.as_str(), relation.part()?)))
    }

    /// Relates the part to another one, and returns the relationship's id.
    pub fn relate(&mut self, kind: &str, to: &str) -> String {
        let target = Target::Part(to.to_owned());
        let known = (self.relations.iter()).find(|r| r.kind == kind && r.target == target);
        if let Some(known) = known {
            return known.id.clone();
        }
        let id = (1..)
            .map(|number: usize| format!("rId{number}"))
            .find(|id| self.relation(id).is_none())
            .unwrap_or_default();
        self.relations.push(Relation {
            id: id.clone(),
            kind: kind.to_owned(),
            target,
        });
        id
    }
}

impl Parts {
    /// Reads an archive.
    ///
    /// # Errors
    /// Where it is no package.
    pub fn read(bytes: &[u8], limits: Limits) -> Result<Self, TemplateError> {
        let archive = Archive::read(bytes, limits).map_err(TemplateError::Archive)?;
        let types = ContentTypes::read(&archive)?;
        // Names of parts differ by more than case, and some writers do not keep to the case in relationships.
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut parts = BTreeMap::new();
        for (entry, content) in archive.entries() {
            if entry == CONTENT_TYPES || entry.ends_with(".rels") {
                continue;
            }
            let Some(content_type) = types.of(entry) else {
                continue;
            };
            let name = plain(entry, &parts);
            names.insert(entry.to_ascii_lowercase(), name.clone());
            let part = Part {
                content_type: content_type.to_owned(),
                content: content.to_vec(),
                relations: Vec::new(),
            };
            parts.insert(name, part);
        }
        let mut read = Self {
            parts,
            root: Vec::new(),
        };
        for (entry, content) in archive.entries() {
            if entry == ROOT_RELATIONS {
                read.root = relations(content, entry, "", &names)?;
                continue;
            }
            let Some((folder, file)) = split_relations(entry) else {
                continue;
            };
            let of = format!("{folder}{file}").to_ascii_lowercase();
            let found = relations(content, entry, &folder, &names)?;
            if let Some(part) = names.get(&of).and_then(|name| read.parts.get_mut(name)) {
                part.relations = found;
            }
        }
        Ok(read)
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Part> {
        self.parts.get(name)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Part> {
        self.parts.get_mut(name)
    }

    /// All parts by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Part)> {
        self.parts.iter().map(|(name, part)| (name.as_str(), part))
    }

    /// The XML of a part.
    ///
    /// # Errors
    /// If it is missing, or no XML.
    pub fn tree(&self, name: &str) -> Result<Element, TemplateError> {
        let part = self.get(name);
        let part = part.ok_or_else(|| TemplateError::Missing(name.to_owned()))?;
        Element::read(&part.content).map_err(|why| TemplateError::Xml {
            part: name.to_owned(),
            why,
        })
    }

    /// Replaces the XML of a part.
    pub fn fill(&mut self, name: &str, root: &Element) {
        if let Some(part) = self.parts.get_mut(name) {
            part.content = root.write();
        }
    }

    /// Adds a part under this name, or one like it if that is taken, and returns its name.
    pub fn add(&mut self, name: &str, part: Part) -> String {
        let name = plain(name.trim_start_matches('/'), &self.parts);
        self.parts.insert(name.clone(), part);
        name
    }

    pub fn remove(&mut self, name: &str) {
        self.parts.remove(name);
    }

    /// The main part: what the package is about.
    #[must_use]
    pub fn main(&self) -> Option<&str> {
        let main = self.root.iter().find(|r| r.word() == "officeDocument");
        main.and_then(Relation::part)
    }

    /// Copies a part of another package with everything that its relationships lead to, as far as `keeps` wants it,
    /// and returns its name here. `known` are the parts that were copied before, by their names there. What is not
    /// kept takes the elements that refer to it with it.
    ///
    /// # Errors
    /// If a part that refers to something that is not kept is no XML.
    pub fn adopt(
        &mut self,
        from: &Self,
        name: &str,
        known: &mut BTreeMap<String, String>,
        keeps: &dyn Fn(&Relation) -> bool,
    ) -> Result<String, TemplateError> {
        let mut open = vec![name.to_owned()];
        let mut copied = Vec::new();
        while let Some(name) = open.pop() {
            let Some(part) = from.get(&name).filter(|_| !known.contains_key(&name)) else {
                continue;
            };
            let mut part = part.clone();
            let dropped: BTreeSet<String> = (part.relations.iter())
                .filter(|relation| !keeps(relation))
                .map(|relation| relation.id.clone())
                .collect();
            if !dropped.is_empty() {
                part.relations.retain(|relation| keeps(relation));
                let mut tree = from.tree(&name)?;
                without_references(&mut tree, &dropped);
                part.content = tree.write();
            }
            open.extend(
                part.relations
                    .iter()
                    .filter_map(|r| r.part().map(str::to_owned)),
            );
            let new = self.add(&name, part);
            known.insert(name, new.clone());
            copied.push(new);
        }
        for name in copied {
            for relation in self
                .parts
                .get_mut(&name)
                .map_or(&mut [][..], |part| &mut part.relations)
            {
                if let Target::Part(target) = &mut relation.target
                    && let Some(new) = known.get(target)
                {
                    target.clone_from(new);
                }
            }
        }
        known
            .get(name)
            .cloned()
            .ok_or_else(|| TemplateError::Missing(name.to_owned()))
    }

    /// The archive; nothing where it would be larger than an archive can be.
    #[must_use]
    pub fn write(&self) -> Option<Vec<u8>> {
        let mut written = vec![
            (CONTENT_TYPES.to_owned(), self.content_types()),
            (ROOT_RELATIONS.to_owned(), write_relations(&self.root, "/")),
        ];
        for (name, part) in &self.parts {
            if let (false, Some(name)) = (part.relations.is_empty(), PartName::new(name.clone())) {
                let content = write_relations(&part.relations, name.as_str());
                written.push((name.relationships_entry(), content));
            }
        }
        let parts = (self.parts.iter())
            .map(|(name, part)| (name.trim_start_matches('/'), part.content.as_slice()));
        let written = (written.iter()).map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        zip::write(written.chain(parts))
    }

    fn content_types(&self) -> Vec<u8> {
        let mut by_extension = BTreeMap::from([
            (
                "rels",
                "application/vnd.openxmlformats-package.relationships+xml",
            ),
            ("xml", "application/xml"),
        ]);
        for (name, part) in &self.parts {
            by_extension
                .entry(extension(name))
                .or_insert(&part.content_type);
        }
        let mut xml = Xml::document();
        let namespace = "http://schemas.openxmlformats.org/package/2006/content-types";
        xml.open("Types", &[("xmlns", &namespace)]);
        for (extension, content_type) in &by_extension {
            let extension = extension.to_ascii_lowercase();
            xml.empty(
                "Default",
                &[("Extension", &extension), ("ContentType", content_type)],
            );
        }
        for (name, part) in &self.parts {
            if by_extension.get(extension(name)) != Some(&part.content_type.as_str()) {
                xml.empty(
                    "Override",
                    &[("PartName", name), ("ContentType", &part.content_type)],
                );
            }
        }
        xml.finish()
    }
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, after)| after)
}

/// A name that every reader takes, and that no part has yet.
fn plain<T>(entry: &str, taken: &BTreeMap<String, T>) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-/".contains(c) {
            c
        } else {
            '-'
        }
    };
    let entry: String = entry.chars().map(plain).collect();
    let (stem, end) = entry.rsplit_once('.').unwrap_or((&entry, "bin"));
    let (stem, end) = (stem.trim_end_matches('.'), end.to_ascii_lowercase());
    let is_free = |name: &String| !taken.keys().any(|known| known.eq_ignore_ascii_case(name));
    let first = format!("/{stem}.{end}");
    if is_free(&first) {
        return first;
    }
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    (2..)
        .map(|number: usize| format!("/{stem}{number}.{end}"))
        .find(is_free)
        .unwrap_or(first)
}

/// Removes elements that refer to one of these relationships.
fn without_references(element: &mut Element, ids: &BTreeSet<String>) {
    let refers = |element: &Element| {
        let mut attributes = element.attributes.iter();
        attributes.any(|(name, value)| name.starts_with("r:") && ids.contains(value))
    };
    element.remove(refers);
    for child in element.elements_mut() {
        without_references(child, ids);
    }
}

struct ContentTypes {
    /// By extension and by name, both in lower case.
    defaults: BTreeMap<String, String>,
    overrides: BTreeMap<String, String>,
}

impl ContentTypes {
    fn read(archive: &Archive) -> Result<Self, TemplateError> {
        let bytes = archive.get(CONTENT_TYPES).ok_or(TemplateError::NoPackage)?;
        let root = xml(CONTENT_TYPES, bytes)?;
        let listed = |element: &str, key: &str| -> BTreeMap<String, String> {
            let of = root.elements().filter(|child| child.name == element);
            of.filter_map(|child| {
                let key = child.attribute(key)?.trim_start_matches('/');
                let content_type = child.attribute("ContentType")?;
                Some((key.to_ascii_lowercase(), content_type.to_owned()))
            })
            .collect()
        };
        Ok(Self {
            defaults: listed("Default", "Extension"),
            overrides: listed("Override", "PartName"),
        })
    }

    fn of(&self, entry: &str) -> Option<&str> {
        let entry = entry.to_ascii_lowercase();
        let of = self.overrides.get(&entry);
        of.or_else(|| self.defaults.get(extension(&entry)))
            .map(String::as_str)
    }
}

fn xml(name: &str, bytes: &[u8]) -> Result<Element, TemplateError> {
    Element::read(bytes).map_err(|why| TemplateError::Xml {
        part: name.to_owned(),
        why,
    })
}

/// Folder and file that an entry such as `ppt/_rels/presentation.xml.rels` belongs to.
fn split_relations(entry: &str) -> Option<(String, &str)> {
    let (folder, file) = entry.rsplit_once('/')?;
    let folder = folder.strip_suffix("_rels")?;
    Some((folder.to_owned(), file.strip_suffix(".rels")?))
}

/// The relationships of a part in a folder. One that leads to no part of the package is left out, as readers do.
fn relations(
    bytes: &[u8],
    entry: &str,
    folder: &str,
    names: &BTreeMap<String, String>,
) -> Result<Vec<Relation>, TemplateError> {
    let root = xml(entry, bytes)?;
    let mut all = Vec::new();
    for element in root
        .elements()
        .filter(|element| element.name == "Relationship")
    {
        let text = |name| element.attribute(name);
        let (Some(id), Some(kind), Some(target)) = (text("Id"), text("Type"), text("Target"))
        else {
            continue;
        };
        let is_external =
            text("TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
        let target = if is_external {
            Target::External(target.to_owned())
        } else {
            let absolute = resolved(folder, target);
            match names.get(&absolute.to_ascii_lowercase()) {
                Some(name) => Target::Part(name.clone()),
                None => continue,
            }
        };
        all.push(Relation {
            id: id.to_owned(),
            kind: kind.to_owned(),
            target,
        });
    }
    Ok(all)
}

/// The entry that a relationship of a part in `folder` leads to.
fn resolved(folder: &str, target: &str) -> String {
    let target = target
        .split('#')
        .next()
        .unwrap_or_default()
        .replace("%20", " ");
    let mut steps: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder.split('/').filter(|step| !step.is_empty()).collect(),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

fn write_relations(relations: &[Relation], of: &str) -> Vec<u8> {
    let mut xml = Xml::document();
    let namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
    xml.open("Relationships", &[("xmlns", &namespace)]);
    for relation in relations {
        match &relation.target {
            Target::External(address) => xml.empty(
                "Relationship",
                &[
                    ("Id", &relation.id),
                    ("Type", &relation.kind),
                    ("Target", address),
                    ("TargetMode", &"External"),
                ],
            ),
            Target::Part(name) => {
                let names = (PartName::new(name.clone()), PartName::new(of));
                let target = match names {
                    (Some(target), Some(of)) => target.relative_to(&of),
                    _ => name.trim_start_matches('/').to_owned(),
                };
                xml.empty(
                    "Relationship",
                    &[
                        ("Id", &relation.id),
                        ("Type", &relation.kind),
                        ("Target", &target),
                    ],
                )
            }
        };
    }
    xml.finish()
}
