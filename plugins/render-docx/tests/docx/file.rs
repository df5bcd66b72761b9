//! A rendered file, read back, and its rules: what Word repairs or refuses.

use std::collections::{BTreeMap, BTreeSet};

use gtm_document_model::Document;
use gtm_ooxml::zip::{Archive, Limits};
use gtm_render_docx::{Assets, Rendered, render};
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// Assets by name.
#[derive(Default)]
pub struct Given(pub BTreeMap<String, Vec<u8>>);

impl Assets for Given {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).cloned()
    }
}

/// One element: its name and attributes.
pub type Element = (String, BTreeMap<String, String>);

/// The parts of a file.
pub struct File {
    pub rendered: Rendered,
    archive: Archive,
}

impl File {
    pub fn of(document: &Document) -> Self {
        Self::with(document, &Given::default(), None)
    }

    pub fn with(document: &Document, assets: &Given, manifest: Option<&[u8]>) -> Self {
        let rendered = render(document, assets, manifest).unwrap();
        let archive = Archive::read(&rendered.bytes, Limits::default()).unwrap();
        Self { rendered, archive }
    }

    pub fn part(&self, name: &str) -> String {
        let bytes = self
            .archive
            .get(name)
            .unwrap_or_else(|| panic!("no part {name}"));
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    pub fn names(&self) -> Vec<&str> {
        self.archive.entries().map(|(name, _)| name).collect()
    }

    /// All elements of a part, in order.
    pub fn elements(&self, name: &str) -> Vec<Element> {
        elements(&self.part(name))
    }

    /// The characters of the body.
    pub fn text(&self) -> String {
        let xml = self.part("word/document.xml");
        xml.split("<w:t xml:space=\"preserve\">")
            .skip(1)
            .filter_map(|rest| rest.split_once("</w:t>"))
            .map(|(text, _)| text)
            .collect()
    }

    /// Everything that Word would repair or that leads nowhere.
    pub fn check(&self) {
        let names = self.names().into_iter().collect::<BTreeSet<_>>();
        self.check_content_types(&names);
        let mut drawings = BTreeSet::new();
        let styles = self.styles();
        for name in names.iter().filter(|name| name.ends_with(".xml")) {
            // Reads it to its end, so it is well-formed.
            let elements = self.elements(name);
            let targets = self.relationships(name, &names);
            for (element, attributes) in &elements {
                for key in ["r:id", "r:embed"] {
                    if let Some(id) = attributes.get(key) {
                        assert!(targets.contains(id), "{name}: {element} names {id}");
                    }
                }
                let value = attributes.get("w:val");
                if matches!(element.as_str(), "w:pStyle" | "w:rStyle" | "w:tblStyle")
                    && !name.ends_with("styles.xml")
                {
                    let style = value.unwrap();
                    assert!(styles.contains(style), "{name}: no style {style}");
                }
                if element == "wp:docPr" {
                    let id = attributes["id"].clone();
                    assert!(id.parse::<u32>().unwrap() > 0);
                    assert!(drawings.insert(id), "{name}: a drawing's id twice");
                    assert!(attributes.contains_key("descr"), "an alternative text");
                }
            }
        }
        self.check_bookmarks();
        self.check_numbering();
        self.check_tables();
    }

    fn styles(&self) -> BTreeSet<String> {
        let elements = self.elements("word/styles.xml");
        let ids = elements
            .iter()
            .filter_map(|(_, attributes)| attributes.get("w:styleId").cloned())
            .collect::<Vec<_>>();
        let unique = ids.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(ids.len(), unique.len(), "a style twice");
        for (element, attributes) in &elements {
            if matches!(element.as_str(), "w:basedOn" | "w:next") {
                assert!(unique.contains(&attributes["w:val"]));
            }
        }
        unique
    }

    fn check_content_types(&self, names: &BTreeSet<&str>) {
        let mut extensions = BTreeSet::new();
        let mut overrides = BTreeSet::new();
        for (element, attributes) in self.elements("[Content_Types].xml") {
            if element == "Default" {
                extensions.insert(attributes["Extension"].clone());
            } else if element == "Override" {
                let part = attributes["PartName"].trim_start_matches('/').to_owned();
                assert!(names.contains(part.as_str()), "phantom override {part}");
                overrides.insert(part);
            }
        }
        for name in names.iter().filter(|name| **name != "[Content_Types].xml") {
            let extension = name.rsplit_once('.').unwrap().1;
            assert!(
                overrides.contains(*name) || extensions.contains(extension),
                "{name}"
            );
        }
    }

    /// The ids of a part's relationships; those to parts of the file lead to one.
    fn relationships(&self, part: &str, names: &BTreeSet<&str>) -> BTreeSet<String> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let entry = format!("{folder}/_rels/{file}.rels");
        let entry = entry.trim_start_matches('/').to_owned();
        if !names.contains(entry.as_str()) {
            return BTreeSet::new();
        }
        let mut ids = BTreeSet::new();
        for (_, attributes) in self.elements(&entry).iter().skip(1) {
            if attributes.get("TargetMode").is_none() {
                let mut path = folder.split('/').collect::<Vec<_>>();
                for step in attributes["Target"].split('/') {
                    match step {
                        ".." => drop(path.pop()),
                        step => path.push(step),
                    }
                }
                let path = path.join("/");
                assert!(
                    names.contains(path.trim_start_matches('/')),
                    "{part} → {path}"
                );
            }
            assert!(ids.insert(attributes["Id"].clone()));
        }
        ids
    }

    fn check_bookmarks(&self) {
        let elements = self.elements("word/document.xml");
        let mut names = BTreeSet::new();
        let mut open = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for (element, attributes) in &elements {
            match element.as_str() {
                "w:bookmarkStart" => {
                    assert!(
                        names.insert(attributes["w:name"].clone()),
                        "a bookmark twice"
                    );
                    assert!(ids.insert(attributes["w:id"].clone()));
                    open.insert(attributes["w:id"].clone());
                }
                "w:bookmarkEnd" => assert!(open.remove(&attributes["w:id"])),
                _ => {}
            }
        }
        assert!(open.is_empty());
        for (_, attributes) in &elements {
            if let Some(anchor) = attributes.get("w:anchor") {
                assert!(names.contains(anchor), "no bookmark {anchor}");
            }
        }
        let xml = self.part("word/document.xml");
        for field in ["PAGEREF ", "NOTEREF "] {
            for rest in xml.split(field).skip(1) {
                let name = rest.split(' ').next().unwrap();
                assert!(names.contains(name), "no bookmark {name}");
            }
        }
        let count = |kind: &str| xml.matches(&format!("w:fldCharType=\"{kind}\"")).count();
        assert_eq!(
            (count("begin"), count("separate")),
            (count("end"), count("end"))
        );
        assert!(!self.part("word/settings.xml").contains("updateFields"));
    }

    fn check_numbering(&self) {
        let defined = self
            .elements("word/numbering.xml")
            .into_iter()
            .filter(|(element, _)| element == "w:num")
            .map(|(_, attributes)| attributes["w:numId"].clone())
            .collect::<BTreeSet<_>>();
        for (element, attributes) in self.elements("word/document.xml") {
            if element == "w:numId" {
                assert!(defined.contains(&attributes["w:val"]));
            }
        }
        let cited = self
            .elements("word/document.xml")
            .iter()
            .filter(|(element, _)| element == "w:footnoteReference")
            .count();
        let notes = self
            .elements("word/footnotes.xml")
            .iter()
            .filter(|(element, _)| element == "w:footnote")
            .count();
        // Two of them are the lines above the others.
        assert_eq!(cited + 2, notes);
    }

    /// Each row has a cell for each column of the grid, and each cell ends with a paragraph.
    fn check_tables(&self) {
        let xml = self.part("word/document.xml");
        assert!(!xml.contains("</w:tbl></w:tc>"), "a cell ends with a table");
        assert!(
            !xml.contains("</w:tcPr></w:tc>"),
            "a cell without a paragraph"
        );
        assert!(!xml.contains("</w:tbl><w:tbl>"), "two tables become one");
        let mut stack = Vec::<(usize, usize)>::new();
        let mut reader = Reader::from_str(&xml);
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) if tag.name().as_ref() == "w:tbl" => stack.push((0, 0)),
                Event::Start(tag) if tag.name().as_ref() == "w:tr" => {
                    stack.last_mut().unwrap().1 = 0
                }
                Event::Start(tag) if tag.name().as_ref() == "w:tc" => {
                    stack.last_mut().unwrap().1 += 1
                }
                Event::Empty(tag) if tag.name().as_ref() == "w:gridCol" => {
                    stack.last_mut().unwrap().0 += 1
                }
                Event::End(tag) if tag.name().as_ref() == "w:tr" => {
                    let (columns, cells) = stack.last().unwrap();
                    assert_eq!(columns, cells);
                }
                Event::End(tag) if tag.name().as_ref() == "w:tbl" => drop(stack.pop()),
                Event::Eof => break,
                _ => {}
            }
        }
    }
}

/// All elements of an XML text, which must be well-formed.
fn elements(xml: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let key = attribute.key.as_ref().to_owned();
                    (key, attribute.value.into_owned())
                });
                let attributes = attributes.collect();
                let name = tag.name().as_ref().to_owned();
                found.push((name, attributes));
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}
