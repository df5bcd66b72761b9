//! The template's styles, with those of ours that it has none for.

use std::collections::{BTreeMap, BTreeSet};

use gtm_ooxml::tree::{Element, Node};

use super::value;
use crate::parts::numbering::BULLETS;
use crate::parts::styles::id;
use crate::parts::table_styles::DATA;

/// What follows `w:bidi` in the properties of a paragraph.
const AFTER_BIDI: [&str; 14] = [
    "w:adjustRightInd",
    "w:snapToGrid",
    "w:spacing",
    "w:ind",
    "w:contextualSpacing",
    "w:mirrorIndents",
    "w:suppressOverlap",
    "w:jc",
    "w:textDirection",
    "w:textAlignment",
    "w:textboxTightWrap",
    "w:outlineLvl",
    "w:divId",
    "w:rPr",
];

/// Styles of both, and how ours are called now.
pub struct Merged {
    pub root: Element,
    /// Our ids and those that stand for them.
    ids: BTreeMap<String, String>,
    /// The template's styles of bulleted lists, by level.
    bullets: Vec<String>,
    /// Whether tables have a style of the template.
    has_table_style: bool,
    /// Where the template's styles of headers and footers have tabs.
    edge_tabs: Vec<String>,
}

impl Merged {
    pub fn of(ours: &Element, theirs: &Element, is_rtl: bool) -> Self {
        let mut root = theirs.clone();
        let is_style = |element: &&Element| element.name == "w:style";
        let key = |style: &Element| {
            let kind = style.attribute("w:type").unwrap_or("paragraph").to_owned();
            value(style, "w:name").map(|name| (kind, name.to_lowercase()))
        };
        let style_id = |style: &Element| style.attribute("w:styleId").map(str::to_owned);
        let by_name: BTreeMap<(String, String), String> = theirs
            .elements()
            .filter(is_style)
            .filter_map(|style| Some((key(style)?, style_id(style)?)))
            .collect();
        let mut taken: BTreeSet<String> = by_name.values().map(|id| id.to_lowercase()).collect();
        let table = table_style(theirs);
        let mut ids = BTreeMap::new();
        let mut added = Vec::new();
        for style in ours.elements().filter(is_style) {
            let Some(own) = style_id(style) else {
                continue;
            };
            if let Some(known) = key(style).and_then(|key| by_name.get(&key)) {
                ids.insert(own, known.clone());
            } else if let Some(table) = table.as_ref().filter(|_| own == DATA) {
                ids.insert(own, table.clone());
            } else {
                let mut free = own.clone();
                while !taken.insert(free.to_lowercase()) {
                    free.push('0');
                }
                ids.insert(own, free);
                added.push(style.clone());
            }
        }
        let has_table_style = table.is_some();
        for mut style in added {
            // The template has a default style of each kind that Office knows.
            style.unset("w:default");
            let own = style_id(&style).unwrap_or_default();
            if let Some(new) = ids.get(&own) {
                style.set("w:styleId", new);
            }
            for link in ["w:basedOn", "w:next", "w:link"] {
                if let Some(link) = style.child_mut(link)
                    && let Some(new) = link.attribute("w:val").and_then(|own| ids.get(own))
                {
                    link.set("w:val", new.clone());
                }
            }
            if has_table_style
                && [id::HEAD, id::SMALL_HEAD].contains(&own.as_str())
                && let Some(run) = style.child_mut("w:rPr")
            {
                run.remove(|part| part.name == "w:color");
            }
            root.push(style);
        }
        language(&mut root, ours);
        if is_rtl {
            turn(&mut root, ids.get(id::NORMAL));
        }
        Self {
            root,
            ids,
            bullets: bullets(theirs),
            has_table_style,
            edge_tabs: edge_tabs(theirs),
        }
    }

    /// Names the styles of a part as they are called now.
    pub fn apply(&self, root: &mut Element) {
        root.visit_mut(&mut |element| match element.name.as_str() {
            "w:pPr" => {
                self.bullet(element);
                self.clear_tabs(element);
            }
            "w:tbl" if self.has_table_style => self.table(element),
            _ => {}
        });
        root.visit_mut(&mut |element| {
            if element.name == "w:numPr" {
                element.unset("bullet");
            }
            if matches!(
                element.name.as_str(),
                "w:pStyle" | "w:rStyle" | "w:tblStyle"
            ) && let Some(new) = element.attribute("w:val").and_then(|own| self.ids.get(own))
            {
                element.set("w:val", new.clone());
            }
        });
    }

    /// A bullet of ours becomes one of the template's.
    fn bullet(&self, properties: &mut Element) {
        if value(properties, "w:pStyle") != Some(id::LIST) {
            return;
        }
        let Some(numbers) = properties.child("w:numPr") else {
            return;
        };
        // Numbers of ours are counted on from those of the template, so a bullet is told by its mark.
        if numbers.attribute("bullet").is_none() {
            return;
        }
        let level = numbers
            .child("w:ilvl")
            .and_then(|level| level.number("w:val"));
        let style = level.and_then(|level| self.bullets.get(usize::try_from(level).ok()?));
        if let Some(style) = style.cloned() {
            properties.remove(|part| part.name == "w:numPr");
            if let Some(own) = properties.child_mut("w:pStyle") {
                own.set("w:val", style);
            }
        }
    }

    /// A header or footer of ours has its own tab alone.
    fn clear_tabs(&self, properties: &mut Element) {
        let style = value(properties, "w:pStyle");
        if !style.is_some_and(|style| [id::HEADER, id::FOOTER].contains(&style)) {
            return;
        }
        let Some(tabs) = properties.child_mut("w:tabs") else {
            return;
        };
        for at in &self.edge_tabs {
            if !tabs
                .elements()
                .any(|tab| tab.attribute("w:pos") == Some(at))
            {
                let tab = Element::new("w:tab", &[("w:val", "clear"), ("w:pos", at)]);
                tabs.children.insert(0, Node::Element(tab));
            }
        }
    }

    /// The template's style says how the cells of a table of data look.
    fn table(&self, table: &mut Element) {
        let style = table
            .child("w:tblPr")
            .and_then(|properties| value(properties, "w:tblStyle"));
        if style != Some(DATA) {
            return;
        }
        for row in table.elements_mut().filter(|row| row.name == "w:tr") {
            for cell in row.elements_mut().filter(|cell| cell.name == "w:tc") {
                if let Some(properties) = cell.child_mut("w:tcPr") {
                    properties.remove(|part| part.name == "w:shd");
                }
            }
        }
    }
}

/// Marks the bullets among lists, before their numbers change.
pub fn mark_bullets(root: &mut Element) {
    root.visit_mut(&mut |element| {
        if element.name == "w:numPr"
            && element.child("w:numId").and_then(|id| id.number("w:val"))
                == Some(i64::from(BULLETS))
        {
            element.set("bullet", "1");
        }
    });
}

/// A table style that the organization made, with a head of its own.
fn table_style(theirs: &Element) -> Option<String> {
    let has_head = |style: &&Element| {
        let mut heads = style.elements().filter(|part| {
            part.name == "w:tblStylePr" && part.attribute("w:type") == Some("firstRow")
        });
        heads.any(|head| head.at(&["w:tcPr", "w:shd"]).is_some())
    };
    let mut styles = theirs.elements().filter(|style| {
        style.attribute("w:type") == Some("table")
            && matches!(style.attribute("w:customStyle"), Some("1" | "true"))
    });
    styles
        .find(has_head)?
        .attribute("w:styleId")
        .map(str::to_owned)
}

/// The ids of `List Bullet` and the deeper ones, as far as the template numbers them itself.
fn bullets(theirs: &Element) -> Vec<String> {
    let find = |name: &str| {
        let mut styles = theirs.elements().filter(|style| style.name == "w:style");
        let style = styles.find(|style| {
            value(style, "w:name").is_some_and(|known| known.eq_ignore_ascii_case(name))
        })?;
        style.at(&["w:pPr", "w:numPr", "w:numId"])?;
        style.attribute("w:styleId").map(str::to_owned)
    };
    ["List Bullet", "List Bullet 2", "List Bullet 3"]
        .iter()
        .map_while(|name| find(name))
        .collect()
}

fn edge_tabs(theirs: &Element) -> Vec<String> {
    let styles = theirs.elements().filter(|style| {
        value(style, "w:name").is_some_and(|name| {
            name.eq_ignore_ascii_case("header") || name.eq_ignore_ascii_case("footer")
        })
    });
    let tabs = styles.filter_map(|style| style.at(&["w:pPr", "w:tabs"]));
    let tabs = tabs.flat_map(Element::elements);
    let mut all: Vec<String> = tabs
        .filter(|tab| tab.attribute("w:val") != Some("clear"))
        .filter_map(|tab| tab.attribute("w:pos").map(str::to_owned))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// The language of our document for what the template says nothing else about.
fn language(root: &mut Element, ours: &Element) {
    let path = ["w:docDefaults", "w:rPrDefault", "w:rPr"];
    let Some(language) = ours.at(&path).and_then(|run| run.child("w:lang")) else {
        return;
    };
    if let Some(run) = root.at_mut(&path) {
        run.remove(|part| part.name == "w:lang");
        run.insert_before(
            &["w:eastAsianLayout", "w:specVanish", "w:oMath"],
            language.clone(),
        );
    }
}

/// Text of the template runs from right to left as ours does.
fn turn(root: &mut Element, normal: Option<&String>) {
    let style = root.elements_mut().find(|style| {
        style.name == "w:style" && style.attribute("w:styleId") == normal.map(String::as_str)
    });
    let Some(style) = style else {
        return;
    };
    if style.child("w:pPr").is_none() {
        style.insert_before(&["w:rPr", "w:tblPr"], Element::new("w:pPr", &[]));
    }
    if let Some(properties) = style.child_mut("w:pPr") {
        properties.remove(|part| part.name == "w:bidi");
        properties.insert_before(&AFTER_BIDI, Element::new("w:bidi", &[]));
    }
    // An alignment to the left would be one to the right now.
    style.visit_mut(&mut |element| {
        element.children.retain(|node| match node {
            Node::Element(part) => {
                !(part.name == "w:jc" && matches!(part.attribute("w:val"), Some("left" | "right")))
            }
            Node::Text(_) => true,
        });
    });
}
