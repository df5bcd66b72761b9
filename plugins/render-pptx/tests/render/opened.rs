//! A presentation as a reader opens it, with what every package must keep to.

use std::collections::{BTreeMap, BTreeSet};

use gtm_ooxml::zip::{Archive, Limits};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

pub struct Presentation {
    archive: Archive,
    /// Whether layouts and masters are somebody else's, who may have smaller text in them.
    has_foreign_layouts: bool,
}

/// A shape's name and place.
#[derive(Debug)]
pub struct Frame {
    pub name: String,
    pub x: i64,
    pub y: i64,
    pub w: i64,
    pub h: i64,
}

const WIDTH: i64 = 12_192_000;
const HEIGHT: i64 = 6_858_000;

impl Presentation {
    pub fn open(bytes: &[u8]) -> Self {
        let limits = Limits {
            entries: 20_000,
            total_bytes: 512 << 20,
            ..Limits::default()
        };
        let archive = Archive::read(bytes, limits).unwrap();
        Self {
            archive,
            has_foreign_layouts: false,
        }
    }

    /// A presentation in a template that we did not make.
    pub fn open_foreign(bytes: &[u8]) -> Self {
        Self {
            has_foreign_layouts: true,
            ..Self::open(bytes)
        }
    }

    pub fn text(&self, name: &str) -> String {
        let bytes = self
            .archive
            .get(name)
            .unwrap_or_else(|| panic!("no {name}"));
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    /// All elements of a part with their attributes, in order; `None` stands for the end of one.
    fn events(&self, name: &str, mut each: impl FnMut(Node)) {
        let text = self.text(name);
        let mut reader = Reader::from_str(&text);
        loop {
            match reader
                .read_event()
                .unwrap_or_else(|error| panic!("{name}: {error}"))
            {
                Event::Start(start) => each(Node::Start(local(&start), attributes(&start))),
                Event::Empty(start) => {
                    let local_name = local(&start);
                    each(Node::Start(local_name.clone(), attributes(&start)));
                    each(Node::End(local_name));
                }
                Event::End(end) => {
                    each(Node::End(end.local_name().as_ref().to_owned()));
                }
                Event::Text(text) => each(Node::Text(text.xml10_content().into_owned())),
                Event::GeneralRef(reference) => {
                    let name = reference.xml10_content();
                    let character = match name.as_ref() {
                        "amp" => '&',
                        "lt" => '<',
                        "gt" => '>',
                        "quot" => '"',
                        "apos" => '\'',
                        _ => reference.resolve_char_ref().unwrap().unwrap(),
                    };
                    each(Node::Text(character.to_string()));
                }
                Event::Eof => break,
                _ => {}
            }
        }
    }

    pub fn slides(&self) -> Vec<String> {
        let mut slides = Vec::new();
        while self
            .archive
            .get(&format!("ppt/slides/slide{}.xml", slides.len() + 1))
            .is_some()
        {
            slides.push(format!("ppt/slides/slide{}.xml", slides.len() + 1));
        }
        slides
    }

    /// The characters of a part's root element.
    pub fn root_text(&self, name: &str) -> String {
        let mut all = String::new();
        self.events(name, |node| {
            if let Node::Text(text) = node {
                all.push_str(&text);
            }
        });
        all.trim_start_matches('\n').to_owned()
    }

    /// The paragraphs of a part.
    fn paragraphs(&self, name: &str) -> Vec<String> {
        let (mut found, mut current, mut in_text) = (Vec::new(), String::new(), false);
        self.events(name, |node| match node {
            Node::Start(local, _) => {
                in_text = local == "t";
                if local == "br" {
                    current.push(' ');
                }
            }
            Node::Text(text) if in_text => current.push_str(&text),
            Node::End(local) => {
                in_text = in_text && local != "t";
                if local == "p" && !current.is_empty() {
                    found.push(std::mem::take(&mut current));
                }
            }
            Node::Text(_) => {}
        });
        found
    }

    pub fn all_texts(&self) -> Vec<String> {
        self.slides()
            .iter()
            .flat_map(|slide| self.paragraphs(slide))
            .collect()
    }

    /// Parts, and of each slide its layout, placeholders, graphics and texts.
    pub fn outline(&self) -> String {
        let mut out = String::new();
        for (name, _) in self.archive.entries() {
            out.push_str(name);
            out.push('\n');
        }
        for slide in self.slides() {
            let layout = self
                .relationships(&slide)
                .into_values()
                .find(|(kind, _)| kind.ends_with("/slideLayout"));
            out.push_str(&format!("\n{slide} ({})\n", layout.unwrap().1));
            self.events(&slide, |node| {
                let Node::Start(local, attributes) = node else {
                    return;
                };
                if local == "ph" {
                    let kind = attributes.get("type").map_or("content", String::as_str);
                    out.push_str(&format!("  [{kind}]\n"));
                } else if local == "cNvPr" && is_graphic(&attributes["name"]) {
                    let alt = attributes.get("descr").map_or("", String::as_str);
                    out.push_str(&format!("  <{}: {alt}>\n", attributes["name"]));
                }
            });
            for paragraph in self.paragraphs(&slide) {
                out.push_str(&format!("  {paragraph}\n"));
            }
        }
        out
    }

    /// Name and place of each shape of a part.
    pub fn frames(&self, name: &str) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut current = String::new();
        let mut is_first = true;
        self.events(name, |node| {
            let Node::Start(local, attributes) = node else {
                return;
            };
            let number = |key: &str| {
                attributes
                    .get(key)
                    .map_or(0, |value| value.parse().unwrap())
            };
            match local.as_str() {
                "cNvPr" => current.clone_from(&attributes["name"]),
                "off" => frames.push(Frame {
                    name: current.clone(),
                    x: number("x"),
                    y: number("y"),
                    w: 0,
                    h: 0,
                }),
                "ext" if attributes.contains_key("cx") => {
                    let last = frames.last_mut().unwrap();
                    (last.w, last.h) = (number("cx"), number("cy"));
                    if is_first {
                        // That of the tree itself.
                        frames.pop();
                        is_first = false;
                    }
                }
                _ => {}
            }
        });
        frames
    }

    /// Part, kind and alternative text of each picture and chart.
    pub fn pictures_and_charts(&self) -> Vec<(String, String, Option<String>)> {
        let mut found = Vec::new();
        for slide in self.slides() {
            let mut kind = String::new();
            self.events(&slide, |node| {
                if let Node::Start(local, attributes) = node {
                    if local == "cNvPr"
                        && (kind == "nvPicPr" || attributes["name"].starts_with("Chart "))
                    {
                        let is_title = attributes["name"].starts_with("Chart title");
                        if !is_title {
                            let alt = attributes.get("descr").cloned();
                            found.push((slide.clone(), attributes["name"].clone(), alt));
                        }
                    }
                    kind = local;
                }
            });
        }
        assert!(!found.is_empty());
        found
    }

    /// Colours that no slot of the theme has, outside of the theme and of charts.
    pub fn fixed_colors(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let names: Vec<String> = self
            .archive
            .entries()
            .map(|(name, _)| name.to_owned())
            .collect();
        for name in names {
            let is_ours = name.starts_with("ppt/slide") && name.ends_with(".xml");
            if is_ours {
                self.events(&name, |node| {
                    if let Node::Start(local, attributes) = node
                        && local == "srgbClr"
                    {
                        found.push((name.clone(), attributes["val"].clone()));
                    }
                });
            }
        }
        found
    }

    /// Type and target of a part's relationships by their ids.
    fn relationships(&self, part: &str) -> BTreeMap<String, (String, String)> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let entry = format!("{folder}/_rels/{file}.rels");
        let mut all = BTreeMap::new();
        if self.archive.get(entry.trim_start_matches('/')).is_none() {
            return all;
        }
        self.events(entry.trim_start_matches('/'), |node| {
            if let Node::Start(local, attributes) = node
                && local == "Relationship"
            {
                let target = &attributes["Target"];
                let target = if attributes.contains_key("TargetMode") {
                    target.clone()
                } else {
                    resolved(folder, target)
                };
                let known = all.insert(
                    attributes["Id"].clone(),
                    (attributes["Type"].clone(), target),
                );
                assert_eq!(known, None, "an id twice in {entry}");
            }
        });
        all
    }

    /// Everything for which Office would offer a repair, and that nothing leaves its slide or is too small.
    pub fn assert_whole(&self) {
        let names: BTreeSet<String> = self
            .archive
            .entries()
            .map(|(name, _)| name.to_owned())
            .collect();
        let mut overrides = BTreeSet::new();
        let mut defaults = BTreeSet::new();
        self.events("[Content_Types].xml", |node| {
            if let Node::Start(local, attributes) = node {
                match local.as_str() {
                    "Override" => {
                        let part = attributes["PartName"].trim_start_matches('/').to_owned();
                        assert!(names.contains(&part), "a phantom override: {part}");
                        assert!(overrides.insert(part));
                    }
                    "Default" => assert!(defaults.insert(attributes["Extension"].clone())),
                    _ => {}
                }
            }
        });
        let mut reached =
            BTreeSet::from(["[Content_Types].xml".to_owned(), "_rels/.rels".to_owned()]);
        for name in &names {
            let extension = name.rsplit_once('.').unwrap().1;
            assert!(
                defaults.contains(extension) || overrides.contains(name),
                "{name} has no type"
            );
            if name.ends_with(".rels") {
                reached.insert(name.clone());
                continue;
            }
            let relationships = self.relationships(name);
            if extension == "xml" {
                self.assert_part(name, &relationships);
            }
            for (kind, target) in relationships.values() {
                if kind.ends_with("/hyperlink") {
                    assert!(target.starts_with("https://") || target.starts_with("mailto:"));
                } else {
                    assert!(
                        names.contains(target),
                        "{name} has a dead relationship to {target}"
                    );
                    reached.insert(target.clone());
                }
            }
        }
        self.events("_rels/.rels", |node| {
            if let Node::Start(_, attributes) = node
                && let Some(target) = attributes.get("Target")
            {
                assert!(names.contains(target));
                reached.insert(target.clone());
            }
        });
        let lost: Vec<_> = names.difference(&reached).collect();
        assert!(lost.is_empty(), "no relationship leads to {lost:?}");
    }

    fn assert_part(&self, name: &str, relationships: &BTreeMap<String, (String, String)>) {
        let mut ids = BTreeSet::new();
        let is_slide = if self.has_foreign_layouts {
            name.starts_with("ppt/slides/")
        } else {
            name.starts_with("ppt/slide")
        };
        self.events(name, |node| {
            let Node::Start(local, attributes) = node else {
                return;
            };
            for key in ["r:id", "r:embed"] {
                if let Some(id) = attributes.get(key) {
                    assert!(
                        relationships.contains_key(id),
                        "{name}: no relationship {id}"
                    );
                }
            }
            if local == "cNvPr" {
                assert!(ids.insert(attributes["id"].clone()), "{name}: an id twice");
            }
            if is_slide
                && let Some(size) = attributes
                    .get("sz")
                    .and_then(|size| size.parse::<u32>().ok())
            {
                assert!(size >= 1_100, "{name} has text of {size}");
            }
        });
        if is_slide {
            for frame in self.frames(name) {
                let inside = frame.x >= 0
                    && frame.y >= 0
                    && frame.w >= 0
                    && frame.h >= 0
                    && frame.x + frame.w <= WIDTH
                    && frame.y + frame.h <= HEIGHT;
                assert!(inside, "{name}: {} leaves the slide", frame.name);
            }
        }
    }
}

fn is_graphic(name: &str) -> bool {
    let mut kinds = ["Chart ", "Table ", "Picture ", "QR code "].iter();
    kinds.any(|kind| name.starts_with(kind)) && !name.starts_with("Chart title")
}

enum Node {
    Start(String, BTreeMap<String, String>),
    Text(String),
    End(String),
}

fn local(start: &BytesStart<'_>) -> String {
    start.local_name().as_ref().to_owned()
}

fn attributes(start: &BytesStart<'_>) -> BTreeMap<String, String> {
    let pairs = start.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        let key = attribute.key.as_ref().to_owned();
        (key, attribute.value.into_owned())
    });
    pairs.collect()
}

fn resolved(folder: &str, target: &str) -> String {
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}
