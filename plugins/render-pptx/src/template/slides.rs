//! A slide of ours on a layout of the template: its placeholders take the template's places and text styles, and what
//! stands in places of its own is brought into the room that the layout leaves for content.

use gtm_ooxml::tree::{Element, Node};

use super::layouts::{Hole, Room};
use crate::context::Context;
use crate::diagnostics::{Code, Diagnostics};
use crate::geometry::{BODY_END, CONTENT_WIDTH, MARGIN, Rect, SLIDE, pt};
use crate::layout::{Layout, Slot, body_top};
use crate::look::Look;
use crate::text::Paragraph;

/// Smallest text after everything was made smaller.
const LEAST: i64 = 1_100;
/// Insets that Office gives a placeholder that says nothing.
const INSETS: (i64, i64) = (2 * 91_440, 2 * 45_720);

/// Where a slide goes.
pub struct Target<'a> {
    pub context: &'a Context<'a>,
    pub layout: Layout,
    pub room: &'a Room,
}

/// How places of ours become places of the template: moved, and everything made smaller alike.
#[derive(Debug, Clone, Copy)]
struct Move {
    from: Rect,
    to: Rect,
    scale: f64,
}

impl Move {
    fn new(from: Rect, to: Rect, is_rtl: bool) -> Self {
        let scale = (to.w as f64 / from.w as f64).min(to.h as f64 / from.h as f64);
        let width = (from.w as f64 * scale) as i64;
        // What is left of the width stands where lines end.
        let x = if is_rtl { to.x + to.w - width } else { to.x };
        Self {
            from,
            to: Rect { x, ..to },
            scale,
        }
    }

    fn length(self, length: i64) -> i64 {
        (length as f64 * self.scale).round() as i64
    }

    fn place(self, rect: Rect) -> Rect {
        Rect::new(
            self.to.x + self.length(rect.x - self.from.x),
            self.to.y + self.length(rect.y - self.from.y),
            self.length(rect.w),
            self.length(rect.h),
        )
    }

    /// Text keeps a size that can be read.
    fn size(self, size: i64) -> i64 {
        let scaled = (size as f64 * self.scale / 50.0).round() as i64 * 50;
        scaled.max(LEAST.min(size))
    }
}

/// The room that content of ours takes.
fn content(look: &Look, layout: Layout) -> Rect {
    let top = match layout {
        Layout::Closing => pt(244),
        _ => body_top(look, 1),
    };
    Rect::new(MARGIN, top, CONTENT_WIDTH, BODY_END - top)
}

/// How large things are on slides with content; nothing if the template has no layout for them.
pub fn usual_scale(look: &Look, rooms: &[Room]) -> Option<f64> {
    let room = super::layouts::choose(rooms, Layout::Content, false)?;
    Some(Move::new(content(look, Layout::Content), room.body, false).scale)
}

impl Target<'_> {
    /// Moves the slide.
    pub fn adapt(&self, slide: &mut Element, diagnostics: &mut Diagnostics) {
        let is_rtl = self.context.is_rtl;
        let mut from = content(&self.context.look, self.layout);
        if is_rtl {
            from = from.mirrored();
        }
        let moved = Move::new(from, self.room.body, is_rtl);
        let Some(shapes) = slide.at_mut(&["p:cSld", "p:spTree"]) else {
            return;
        };
        let has_items = shapes.elements().any(|shape| {
            matches!(
                shape.name.as_str(),
                "p:sp" | "p:pic" | "p:graphicFrame" | "p:cxnSp" | "p:grpSp"
            ) && mark(shape).is_none()
        });
        let mut imprint = None;
        let mut kept = Vec::new();
        for node in std::mem::take(&mut shapes.children) {
            let Node::Element(mut shape) = node else {
                continue;
            };
            if matches!(shape.name.as_str(), "p:nvGrpSpPr" | "p:grpSpPr") {
                kept.push(Node::Element(shape));
                continue;
            }
            let Some((kind, index)) = mark(&shape) else {
                if !is_beside_the_title(&shape) {
                    scale(&mut shape, moved);
                    kept.push(Node::Element(shape));
                }
                continue;
            };
            if index.as_deref() == Some("13") {
                imprint = Some(shape);
                continue;
            }
            let is_kept = self.placeholder(
                &mut shape,
                (&kind, index.as_deref()),
                moved,
                has_items,
                diagnostics,
            );
            if is_kept {
                kept.push(Node::Element(shape));
            }
        }
        if let Some(imprint) = imprint {
            self.imprint(imprint, &mut kept);
        }
        shapes.children = kept;
    }

    /// Brings a placeholder to its place; false where the layout has none for it and it says nothing else.
    fn placeholder(
        &self,
        shape: &mut Element,
        (kind, index): (&str, Option<&str>),
        moved: Move,
        has_items: bool,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let room = self.room;
        let hole = match (kind, index) {
            ("title" | "ctrTitle", _) => room.title(),
            ("dt" | "ftr" | "sldNum", _) => room.of(&[kind]),
            ("subTitle", _) => room.of(&["subTitle", "body"]),
            (_, Some("2")) => room.contents().nth(1),
            _ => room.contents().next(),
        };
        let is_own = shape.at(&["p:spPr", "a:xfrm"]).is_some() || shape.name == "p:graphicFrame";
        match (kind, hole) {
            ("dt" | "ftr" | "sldNum", None) => return false,
            ("dt" | "ftr" | "sldNum", Some(hole)) => {
                plain_text(shape, true);
                set_mark(shape, Some(hole));
            }
            ("title" | "ctrTitle", Some(hole)) => {
                set_mark(shape, Some(hole));
                unplace(shape);
                plain_text(shape, true);
                self.fit(shape, hole, true, diagnostics);
            }
            // Text that fills a placeholder, rather than one with a place of its own.
            (_, Some(hole)) if !(is_own || has_items && self.layout == Layout::Closing) => {
                set_mark(shape, Some(hole));
                plain_text(shape, false);
                self.fit(shape, hole, false, diagnostics);
            }
            (_, hole) => {
                if !is_own {
                    let place = self.layout.place(&self.context.look, Slot::Body);
                    let mut rect = place.map_or(moved.from, |place| place.rect);
                    rect.h = rect.h.min(pt(110));
                    if self.context.is_rtl {
                        rect = rect.mirrored();
                    }
                    place_at(shape, rect);
                }
                let style = self.layout.place(&self.context.look, Slot::Body);
                let size = style.map_or(self.context.look.body_size(), |place| place.style.size);
                say_sizes(shape, size);
                scale(shape, moved);
                if hole.is_none() && shape.name == "p:sp" {
                    geometry(shape);
                }
                set_mark(shape, hole);
            }
        }
        true
    }

    /// Who made the document and when: below the subtitle, in its placeholder.
    fn imprint(&self, shape: Element, kept: &mut Vec<Node>) {
        let mut paragraphs: Vec<Element> = (shape.child("p:txBody").into_iter())
            .flat_map(Element::elements)
            .filter(|part| part.name == "a:p")
            .cloned()
            .collect();
        let Some(hole) = self.room.of(&["subTitle", "body"]) else {
            return;
        };
        let size = (i64::from(hole.size) * 6 / 10).clamp(1_200, 1_600);
        for paragraph in &mut paragraphs {
            bare(paragraph, true);
            paragraph.visit_mut(&mut |element| {
                if element.name == "a:rPr" {
                    element.set("sz", size.to_string());
                }
            });
        }
        let subtitle = kept.iter_mut().find_map(|node| match node {
            Node::Element(shape) if mark(shape).is_some_and(|(kind, _)| kind == hole.kind) => {
                shape.child_mut("p:txBody")
            }
            _ => None,
        });
        match subtitle {
            Some(body) => paragraphs
                .into_iter()
                .for_each(|paragraph| body.push(paragraph)),
            None => {
                let mut shape = shape;
                set_mark(&mut shape, Some(hole));
                if let Some(body) = shape.child_mut("p:txBody") {
                    body.remove(|part| part.name == "a:p");
                    paragraphs
                        .into_iter()
                        .for_each(|paragraph| body.push(paragraph));
                }
                kept.push(Node::Element(shape));
            }
        }
    }

    /// Makes text smaller until it fits its placeholder.
    fn fit(&self, shape: &mut Element, hole: &Hole, is_title: bool, diagnostics: &mut Diagnostics) {
        let texts = texts(shape);
        let (width, height) = (hole.rect.w - INSETS.0, hole.rect.h - INSETS.1);
        let takes = |size: u32| {
            let paragraphs = texts.iter().map(|text| {
                if is_title {
                    Paragraph::title(text, size)
                } else {
                    Paragraph::plain(text, size).before(size / 2)
                }
            });
            paragraphs
                .map(|paragraph| self.context.measure.height(&paragraph, width))
                .sum::<i64>()
        };
        let mut size = hole.size;
        while takes(size) > height && size > 1_400 {
            size = (size * 9 / 10 / 100 * 100).max(1_400);
        }
        if takes(size) > height && !texts.is_empty() {
            let message = "A text is longer than the template's placeholder for it.";
            diagnostics.add(Code::Overflow, "", message);
        }
        if size < hole.size {
            shape.visit_mut(&mut |element| {
                if matches!(element.name.as_str(), "a:rPr" | "a:endParaRPr") {
                    element.set("sz", size.to_string());
                }
            });
        }
    }
}

/// The number of a slide's section or part, which our own layouts have a place for.
fn is_beside_the_title(shape: &Element) -> bool {
    let name = shape
        .at(&["p:nvSpPr", "p:cNvPr"])
        .and_then(|part| part.attribute("name"));
    name.is_some_and(|name| {
        let name = name
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end();
        matches!(name, "Part" | "Section number" | "Rule")
    })
}

/// Type and index of a placeholder.
fn mark(shape: &Element) -> Option<(String, Option<String>)> {
    let mark = shape
        .elements()
        .find_map(|part| part.at(&["p:nvPr", "p:ph"]))?;
    let kind = mark.attribute("type").unwrap_or("obj").to_owned();
    Some((kind, mark.attribute("idx").map(str::to_owned)))
}

fn set_mark(shape: &mut Element, hole: Option<&Hole>) {
    for part in shape.elements_mut() {
        let Some(properties) = part.child_mut("p:nvPr") else {
            continue;
        };
        let Some(mark) = properties.child_mut("p:ph") else {
            continue;
        };
        match hole {
            Some(hole) => {
                mark.attributes.clear();
                if hole.kind != "obj" {
                    mark.set("type", &hole.kind);
                }
                if let Some(index) = &hole.index {
                    mark.set("idx", index);
                }
            }
            None => properties.remove(|child| child.name == "p:ph"),
        }
    }
}

/// Removes the place of a shape, so that the layout's is taken.
fn unplace(shape: &mut Element) {
    if let Some(properties) = shape.child_mut("p:spPr") {
        properties.remove(|part| part.name == "a:xfrm");
    }
}

fn place_at(shape: &mut Element, rect: Rect) {
    if let Some(properties) = shape.child_mut("p:spPr") {
        let text = |number: i64| number.to_string();
        let off = Element::new("a:off", &[("x", &text(rect.x)), ("y", &text(rect.y))]);
        let ext = Element::new("a:ext", &[("cx", &text(rect.w)), ("cy", &text(rect.h))]);
        let transform = Element::new("a:xfrm", &[]).with(off).with(ext);
        properties.children.insert(0, Node::Element(transform));
    }
}

/// A text box needs a geometry, which a placeholder has from its layout.
fn geometry(shape: &mut Element) {
    if let Some(properties) = shape.child_mut("p:spPr")
        && properties.child("a:prstGeom").is_none()
    {
        let geometry = Element::new("a:prstGeom", &[("prst", "rect")]);
        properties.push(geometry.with(Element::new("a:avLst", &[])));
    }
}

/// Takes away what we say about the look of text, so that the template says it.
fn plain_text(shape: &mut Element, is_line: bool) {
    let paragraphs = shape.child_mut("p:txBody").into_iter();
    for paragraph in paragraphs.flat_map(Element::elements_mut) {
        if paragraph.name == "a:p" {
            bare(paragraph, is_line);
        }
    }
}

fn bare(paragraph: &mut Element, is_line: bool) {
    for part in paragraph.elements_mut() {
        match part.name.as_str() {
            "a:pPr" => {
                let is_list =
                    part.child("a:buChar").is_some() || part.child("a:buAutoNum").is_some();
                if is_line || !is_list {
                    part.attributes
                        .retain(|(name, value)| name == "rtl" && value == "1");
                    part.children.clear();
                    if !is_line {
                        part.set("marL", "0");
                        part.set("indent", "0");
                        part.push(Element::new("a:buNone", &[]));
                    }
                } else {
                    part.remove(|child| child.name == "a:lnSpc");
                }
            }
            "a:r" | "a:br" | "a:fld" => part.elements_mut().for_each(bare_run),
            "a:endParaRPr" => bare_run(part),
            _ => {}
        }
    }
}

fn bare_run(properties: &mut Element) {
    if matches!(properties.name.as_str(), "a:rPr" | "a:endParaRPr") {
        properties.unset("sz");
        properties.remove(|child| {
            matches!(
                child.name.as_str(),
                "a:solidFill" | "a:latin" | "a:ea" | "a:cs"
            )
        });
    }
}

/// Says the size of text where it was our layout's.
fn say_sizes(shape: &mut Element, size: u32) {
    shape.visit_mut(&mut |element| {
        let is_run = matches!(element.name.as_str(), "a:rPr" | "a:endParaRPr");
        if is_run && element.attribute("sz").is_none() {
            element.set("sz", size.to_string());
        }
    });
}

/// The texts of a shape's paragraphs.
fn texts(shape: &Element) -> Vec<String> {
    let paragraphs = shape
        .child("p:txBody")
        .into_iter()
        .flat_map(Element::elements);
    let texts = paragraphs
        .filter(|part| part.name == "a:p")
        .map(|paragraph| {
            let mut text = String::new();
            paragraph.visit(&mut |element| {
                if element.name == "a:t" {
                    let nodes = element.children.iter();
                    text.extend(nodes.filter_map(|node| match node {
                        Node::Text(text) => Some(text.as_str()),
                        Node::Element(_) => None,
                    }));
                }
            });
            text
        });
    texts.filter(|text| !text.is_empty()).collect()
}

/// Moves a shape and makes everything in it smaller: distances and text.
fn scale(shape: &mut Element, moved: Move) {
    let lengths: [(&str, &[&str]); 5] = [
        ("a:gridCol", &["w"]),
        ("a:tr", &["h"]),
        ("a:tcPr", &["marL", "marR", "marT", "marB"]),
        ("a:bodyPr", &["lIns", "rIns", "tIns", "bIns"]),
        ("a:pPr", &["marL", "indent"]),
    ];
    shape.visit_mut(&mut |element| {
        match element.name.as_str() {
            "a:xfrm" | "p:xfrm" => {
                transform(element, moved);
                return;
            }
            "a:spcPts" => {
                if let Some(value) = element.number("val") {
                    element.set("val", moved.length(value).max(0).to_string());
                }
                return;
            }
            "a:rPr" | "a:endParaRPr" | "a:defRPr" => {
                if let Some(size) = element.number("sz") {
                    element.set("sz", moved.size(size).to_string());
                }
                return;
            }
            _ => {}
        }
        let known = lengths.iter().find(|(name, _)| *name == element.name);
        for name in known.map_or(&[][..], |(_, names)| *names) {
            if let Some(length) = element.number(name) {
                element.set(name, moved.length(length).to_string());
            }
        }
    });
}

fn transform(element: &mut Element, moved: Move) {
    for (off, ext) in [("a:off", "a:ext"), ("a:chOff", "a:chExt")] {
        let read = |element: &Element, of: &str, name: &str| element.child(of)?.number(name);
        let [x, y] = ["x", "y"].map(|name| read(element, off, name));
        let [w, h] = ["cx", "cy"].map(|name| read(element, ext, name));
        let (Some(x), Some(y), Some(w), Some(h)) = (x, y, w, h) else {
            continue;
        };
        let rect = moved.place(Rect::new(x, y, w, h));
        let limit = |value: i64| value.clamp(-SLIDE.w * 8, SLIDE.w * 8).to_string();
        if let Some(off) = element.child_mut(off) {
            off.set("x", limit(rect.x));
            off.set("y", limit(rect.y));
        }
        if let Some(ext) = element.child_mut(ext) {
            ext.set("cx", limit(rect.w.max(0)));
            ext.set("cy", limit(rect.h.max(0)));
        }
    }
}
