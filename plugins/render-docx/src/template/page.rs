//! The template's page: its size and margins, its headers and footers.

use std::collections::{BTreeMap, BTreeSet};

use gtm_ooxml::template::{Parts, Template, TemplateError, is_kept};
use gtm_ooxml::tree::Element;

use super::{related, target};
use crate::design::Design;

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
/// Least width and height of text, in points.
const LEAST: (u32, u32) = (250, 300);

/// What stands at an edge of the page: the parts by which pages they are for (`default`, `first`, `even`).
type Edge = BTreeMap<String, String>;

/// The page of a template.
#[derive(Debug, Clone, Default)]
pub struct Page {
    size: Option<Element>,
    margins: Option<Element>,
    header: Edge,
    footer: Edge,
    /// Whether the first page has a header and footer of its own.
    has_first: bool,
}

impl Page {
    /// Reads the sections of a template. Its last one has the page; headers go from one to the next.
    ///
    /// # Errors
    /// If the template cannot be read.
    pub fn of(template: &Template) -> Result<Self, TemplateError> {
        let root = template.parts.tree(&template.main)?;
        let relations = template
            .parts
            .get(&template.main)
            .map(|part| &part.relations[..]);
        let mut page = Self::default();
        root.visit(&mut |element| {
            if element.name != "w:sectPr" {
                return;
            }
            page.size = element.child("w:pgSz").cloned();
            page.margins = element.child("w:pgMar").cloned();
            page.has_first |= element.child("w:titlePg").is_some_and(is_on);
            for reference in element.elements() {
                let edge = match reference.name.as_str() {
                    "w:headerReference" => &mut page.header,
                    "w:footerReference" => &mut page.footer,
                    _ => continue,
                };
                let part = reference.attribute("r:id");
                let part = part.and_then(|id| target(relations.unwrap_or_default(), id));
                if let (Some(part), Some(kind)) = (part, reference.attribute("w:type")) {
                    edge.insert(kind.to_owned(), part);
                }
            }
        });
        Ok(page)
    }

    pub fn has_header(&self) -> bool {
        self.header.contains_key("default")
    }

    /// Lays the design out on this page; false where that has no room for text.
    pub fn lay_out(&self, design: &mut Design) -> bool {
        let points = |element: &Option<Element>, name: &str| {
            let twips = element.as_ref()?.number(name)?.abs();
            u32::try_from(twips / 20)
                .ok()
                .filter(|points| *points < 5_000)
        };
        let read = || {
            let page = (points(&self.size, "w:w")?, points(&self.size, "w:h")?);
            let [left, right, top, bottom] =
                ["w:left", "w:right", "w:top", "w:bottom"].map(|side| points(&self.margins, side));
            let (left, right, top, bottom) = (left?, right?, top?, bottom?);
            let width = page.0.checked_sub(left + right)?;
            let height = page.1.checked_sub(top + bottom)?;
            (width >= LEAST.0 && height >= LEAST.1).then_some((page, width, top, bottom))
        };
        let Some((page, width, top, bottom)) = read() else {
            return false;
        };
        (design.page, design.width, design.top, design.bottom) = (page, width, top, bottom);
        true
    }

    /// Gives our sections this page, and takes over headers and footers.
    ///
    /// # Errors
    /// If a part of the template cannot be read.
    pub fn apply(
        mut self,
        joined: &mut Parts,
        main: &str,
        template: &Template,
        settings: Option<&Element>,
        known: &mut BTreeMap<String, String>,
    ) -> Result<(), TemplateError> {
        let mut references: BTreeMap<(&str, String), String> = BTreeMap::new();
        for (word, edge) in [("header", &self.header), ("footer", &self.footer)] {
            for (kind, part) in edge {
                let name = joined.adopt(&template.parts, part, known, &is_kept)?;
                let id = joined
                    .get_mut(main)
                    .map(|part| part.relate(&format!("{RELATIONS}{word}"), &name));
                references.insert((word, kind.clone()), id.unwrap_or_default());
            }
        }
        let has_even = settings
            .and_then(|root| root.child("w:evenAndOddHeaders"))
            .is_some_and(is_on);
        if !has_even {
            self.header.remove("even");
            self.footer.remove("even");
        }
        let mut root = joined.tree(main)?;
        root.visit_mut(&mut |element| {
            if element.name == "w:sectPr" {
                self.section(element, &references);
            }
        });
        let mut used = BTreeSet::new();
        root.visit(&mut |element| used.extend(element.attribute("r:id").map(str::to_owned)));
        joined.fill(main, &root);
        drop_unused(joined, main, &used);
        if let (Some(theirs), Some(name)) = (settings, related(joined, main, "settings")) {
            let mut ours = joined.tree(&name)?;
            take_settings(&mut ours, theirs);
            joined.fill(&name, &ours);
        }
        Ok(())
    }

    fn section(&self, section: &mut Element, references: &BTreeMap<(&str, String), String>) {
        let is_cover = section.child("w:headerReference").is_none();
        // The template's header has a first page only where the template has one; else it stands on that page, too.
        if self.has_header() && !self.has_first {
            section.remove(|part| {
                part.name == "w:titlePg" || part.attribute("w:type") == Some("first")
            });
        }
        let is_first = section.child("w:titlePg").is_some();
        let is_wide = section
            .child("w:pgSz")
            .is_some_and(|size| size.attribute("w:orient") == Some("landscape"));
        let mut all = Vec::new();
        for (word, edge) in [("header", &self.header), ("footer", &self.footer)] {
            if !edge.contains_key("default") {
                continue;
            }
            let element = format!("w:{word}Reference");
            section.remove(|part| part.name == element);
            let mut add = |kind: &str, of: &str| {
                if let Some(id) = references
                    .get(&(word, of.to_owned()))
                    .filter(|_| edge.contains_key(of))
                {
                    all.push(Element::new(&element, &[("w:type", kind), ("r:id", id)]));
                }
            };
            let has_own = self.has_first && edge.contains_key("first");
            match (is_cover, has_own) {
                (true, true) => add("default", "first"),
                // The logo stands in the header.
                (true, false) if word == "header" => add("default", "default"),
                (true, false) => {}
                (false, has_own) => {
                    add("default", "default");
                    if is_first {
                        add("first", if has_own { "first" } else { "default" });
                    }
                    add("even", "even");
                }
            }
        }
        for reference in all.into_iter().rev() {
            section
                .children
                .insert(0, gtm_ooxml::tree::Node::Element(reference));
        }
        if is_wide {
            return;
        }
        for (name, theirs) in [("w:pgSz", &self.size), ("w:pgMar", &self.margins)] {
            if let (Some(ours), Some(theirs)) = (section.child_mut(name), theirs) {
                *ours = theirs.clone();
            }
        }
    }
}

/// Removes headers and footers of ours that no section has any more.
fn drop_unused(joined: &mut Parts, main: &str, used: &BTreeSet<String>) {
    let Some(part) = joined.get_mut(main) else {
        return;
    };
    let is_edge = |word: &str| matches!(word, "header" | "footer");
    let unused = |id: &str| !used.contains(id);
    let dropped: Vec<String> = (part.relations.iter())
        .filter(|relation| is_edge(relation.word()) && unused(&relation.id))
        .filter_map(|relation| relation.part().map(str::to_owned))
        .collect();
    part.relations
        .retain(|relation| !(is_edge(relation.word()) && unused(&relation.id)));
    for name in dropped {
        joined.remove(&name);
    }
}

/// Settings that belong to the look: which slots of the theme are which, and pages that face each other.
fn take_settings(ours: &mut Element, theirs: &Element) {
    if let Some(map) = theirs.child("w:clrSchemeMapping") {
        ours.remove(|part| part.name == "w:clrSchemeMapping");
        ours.insert_before(
            &[
                "w:doNotIncludeSubdocsInStats",
                "w:shapeDefaults",
                "w:decimalSymbol",
            ],
            map.clone(),
        );
    }
    let after_even = [
        "w:bookFoldRevPrinting",
        "w:drawingGridHorizontalSpacing",
        "w:characterSpacingControl",
    ];
    if let Some(even) = theirs.child("w:evenAndOddHeaders") {
        ours.insert_before(&after_even, even.clone());
    }
    if let Some(mirror) = theirs.child("w:mirrorMargins") {
        ours.insert_before(
            &["w:alignBordersAndEdges", "w:defaultTabStop"],
            mirror.clone(),
        );
    }
}

/// Whether a toggle is on: it is, unless its value says otherwise.
fn is_on(element: &Element) -> bool {
    !matches!(element.attribute("w:val"), Some("0" | "false" | "off"))
}
