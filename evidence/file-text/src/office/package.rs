//! The Open Packaging Conventions: parts, and the relationships that lead from one to another.

use std::collections::BTreeMap;

use super::archive::Archive;
use super::markup::{self, Markup, Piece};
use crate::limits::Budget;
use crate::{FileKind, Refusal};

/// Deepest nesting of folders in the name of a part.
const MAX_FOLDERS: usize = 32;

/// A package and what may still be spent on it.
pub(crate) struct Package<'a> {
    archive: Archive<'a>,
    pub(crate) budget: Budget,
}

/// Where a relationship leads.
#[derive(Debug, Clone)]
pub(crate) struct Relationship {
    /// Last word of its type, for example `slide`.
    pub(crate) kind: String,
    /// Name of the part; nothing outside of the package is kept.
    pub(crate) part: String,
}

impl<'a> Package<'a> {
    pub(crate) fn open(bytes: &'a [u8], budget: Budget) -> Result<Self, Refusal> {
        Ok(Self {
            archive: Archive::open(bytes)?,
            budget,
        })
    }

    /// The characters of a part; `None` if there is no such part.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        let bytes = self.archive.read(name, &mut self.budget)?;
        Ok(bytes.map(markup::decode))
    }

    /// How many elements of a name a part has.
    pub(crate) fn count(&mut self, part: &str, name: &str) -> Result<usize, Refusal> {
        let Some(text) = self.part(part)? else {
            return Ok(0);
        };
        let mut pieces = Markup::of(&text);
        let mut count = 0;
        while let Some(piece) = pieces.next()? {
            self.budget.step(1)?;
            let is_one = matches!(&piece, Piece::Open(element) if element.name() == name);
            count += usize::from(is_one);
        }
        Ok(count)
    }

    /// The kind of document and its main part: the one that the package's relationships name, else the usual one.
    pub(crate) fn main_part(&mut self) -> Option<(FileKind, String)> {
        let named = self
            .relationships("")
            .ok()?
            .into_values()
            .filter(|relationship| relationship.kind == "officeDocument")
            .map(|relationship| relationship.part);
        let usual = ["word/document.xml", "ppt/presentation.xml"].map(String::from);
        let parts: Vec<String> = named.chain(usual).collect();
        parts.into_iter().find_map(|part| {
            if !self.archive.contains(&part) {
                return None;
            }
            let folder = part.split('/').next().unwrap_or_default();
            match folder {
                "word" => Some((FileKind::Docx, part)),
                "ppt" => Some((FileKind::Pptx, part)),
                // A spreadsheet, or a producer with names of its own: its root element tells.
                _ => Some((self.kind_by_root(&part)?, part)),
            }
        })
    }

    fn kind_by_root(&mut self, part: &str) -> Option<FileKind> {
        let text = self.part(part).ok()??;
        let mut pieces = Markup::of(&text);
        loop {
            if let Piece::Open(element) = pieces.next().ok()?? {
                return match element.name() {
                    "document" => Some(FileKind::Docx),
                    "presentation" => Some(FileKind::Pptx),
                    _ => None,
                };
            }
        }
    }

    /// Relationships of a part by id; of the package itself if the name is empty.
    pub(crate) fn relationships(
        &mut self,
        part: &str,
    ) -> Result<BTreeMap<String, Relationship>, Refusal> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let file = match folder {
            "" => format!("_rels/{name}.rels"),
            folder => format!("{folder}/_rels/{name}.rels"),
        };
        let mut found = BTreeMap::new();
        let Some(text) = self.part(&file)? else {
            return Ok(found);
        };
        let mut pieces = Markup::of(&text);
        while let Some(piece) = pieces.next()? {
            self.budget.step(1)?;
            let Piece::Open(element) = piece else {
                continue;
            };
            if element.name() != "Relationship" {
                continue;
            }
            let external = element
                .attribute("TargetMode")
                .is_some_and(|mode| mode == "External");
            let fields = ["Id", "Type", "Target"].map(|name| element.attribute(name));
            if let (false, [Some(id), Some(kind), Some(target)]) = (external, fields) {
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                if let Some(part) = resolve(folder, &target) {
                    found.insert(id, Relationship { kind, part });
                }
            }
        }
        Ok(found)
    }
}

/// The part that a target names, seen from a folder; `None` if it leaves the package.
fn resolve(folder: &str, target: &str) -> Option<String> {
    let mut segments: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect(),
    };
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()?),
            name => segments.push(name),
        }
    }
    (segments.len() <= MAX_FOLDERS && !segments.is_empty()).then(|| segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn targets_stay_inside_the_package() {
        assert_eq!(
            resolve("ppt/slides", "../media/a.png").as_deref(),
            Some("ppt/media/a.png")
        );
        assert_eq!(
            resolve("ppt", "/word/document.xml").as_deref(),
            Some("word/document.xml")
        );
        assert_eq!(
            resolve("ppt", "slides/./slide1.xml").as_deref(),
            Some("ppt/slides/slide1.xml")
        );
        assert_eq!(resolve("ppt", "../../../etc/passwd"), None);
        assert_eq!(resolve("", ""), None);
    }
}
