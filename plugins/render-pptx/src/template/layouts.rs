//! The layouts of a template, and which of them suits a kind of slide.

use gtm_ooxml::template::{Template, TemplateError};
use gtm_ooxml::tree::Element;

use crate::geometry::Rect;
use crate::layout::Layout;

/// A placeholder of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Its type; `obj` where none is said.
    pub kind: String,
    pub index: Option<String>,
    pub rect: Rect,
    /// Size of its text, in hundredths of a point.
    pub size: u32,
}

/// A layout of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Name of its part.
    pub part: String,
    /// Its type, where it has one.
    kind: Option<String>,
    pub holes: Vec<Hole>,
    /// Where content goes: the placeholders for it, or those of the master.
    pub body: Rect,
}

impl Room {
    pub fn title(&self) -> Option<&Hole> {
        self.of(&["title", "ctrTitle"])
    }

    /// The first placeholder of one of these types.
    pub fn of(&self, kinds: &[&str]) -> Option<&Hole> {
        self.holes
            .iter()
            .find(|hole| kinds.contains(&hole.kind.as_str()))
    }

    /// The placeholders for content, in their order.
    pub fn contents(&self) -> impl Iterator<Item = &Hole> {
        self.holes
            .iter()
            .filter(|hole| matches!(hole.kind.as_str(), "body" | "obj"))
    }
}

/// Width and height of the slides.
///
/// # Errors
/// If the presentation cannot be read.
pub fn slide_size(template: &Template) -> Result<Rect, TemplateError> {
    let root = template.parts.tree(&template.main)?;
    let size = root.child("p:sldSz");
    let length = |name| {
        let length = size.and_then(|size| size.number(name));
        length.filter(|length| (900_000..=52_000_000).contains(length))
    };
    match (length("cx"), length("cy")) {
        (Some(w), Some(h)) => Ok(Rect::new(0, 0, w, h)),
        _ => Err(TemplateError::Missing("size of slides".to_owned())),
    }
}

/// All layouts of all masters.
///
/// # Errors
/// If one cannot be read.
pub fn all(template: &Template) -> Result<Vec<Room>, TemplateError> {
    let slide = slide_size(template)?;
    let mut rooms = Vec::new();
    for master in template.slide_masters()? {
        let root = template.parts.tree(&master)?;
        for part in template.layouts(&master) {
            let layout = template.parts.tree(&part)?;
            rooms.push(room(part, &layout, &root, slide));
        }
    }
    Ok(rooms)
}

fn room(part: String, layout: &Element, master: &Element, slide: Rect) -> Room {
    let masters: Vec<(Mark, &Element)> = placeholders(master);
    let mut holes: Vec<Hole> = Vec::new();
    for (mark, shape) in placeholders(layout) {
        let family = family(&mark.kind);
        let of_master = masters
            .iter()
            .find(|(mark, _)| self::family(&mark.kind) == family);
        let of_master = of_master.map(|(_, shape)| *shape);
        let rect = rect(shape).or_else(|| of_master.and_then(rect));
        let style = match family {
            "title" => "p:titleStyle",
            "body" => "p:bodyStyle",
            _ => "p:otherStyle",
        };
        let size = own_size(shape)
            .or_else(|| of_master.and_then(own_size))
            .or_else(|| first_size(master.at(&["p:txStyles", style])?));
        if let Some(rect) = rect {
            holes.push(Hole {
                kind: mark.kind,
                index: mark.index,
                rect,
                size: size.unwrap_or(1_800),
            });
        }
    }
    let contents = holes
        .iter()
        .filter(|hole| matches!(hole.kind.as_str(), "body" | "obj"));
    let own = contents.map(|hole| hole.rect).reduce(around);
    let of_master = masters
        .iter()
        .find(|(mark, _)| family(&mark.kind) == "body");
    let of_master = of_master.and_then(|(_, shape)| rect(shape));
    let below_title = || {
        let title = holes.iter().find(|hole| family(&hole.kind) == "title");
        let top = title.map_or(slide.h / 5, |title| title.rect.bottom());
        let margin = slide.w / 20;
        Rect::new(margin, top, slide.w - 2 * margin, slide.h * 9 / 10 - top)
    };
    let is_roomy = |rect: &Rect| rect.h >= slide.h / 3 && rect.w >= slide.w / 2;
    let body = own.filter(is_roomy).or(of_master.filter(is_roomy));
    Room {
        part,
        kind: layout.attribute("type").map(str::to_owned),
        body: body.unwrap_or_else(below_title),
        holes,
    }
}

struct Mark {
    kind: String,
    index: Option<String>,
}

/// The shapes that are placeholders.
fn placeholders(root: &Element) -> Vec<(Mark, &Element)> {
    let shapes = root.at(&["p:cSld", "p:spTree"]);
    let shapes = shapes.into_iter().flat_map(Element::elements);
    shapes
        .filter_map(|shape| {
            let mark = shape
                .elements()
                .find_map(|part| part.at(&["p:nvPr", "p:ph"]))?;
            let mark = Mark {
                kind: mark.attribute("type").unwrap_or("obj").to_owned(),
                index: mark.attribute("idx").map(str::to_owned),
            };
            Some((mark, shape))
        })
        .collect()
}

/// From which of a master's placeholders one of this type inherits.
fn family(kind: &str) -> &str {
    match kind {
        "title" | "ctrTitle" => "title",
        "dt" | "ftr" | "sldNum" => kind,
        _ => "body",
    }
}

fn rect(shape: &Element) -> Option<Rect> {
    let transform = shape.at(&["p:spPr", "a:xfrm"])?;
    let (off, ext) = (transform.child("a:off")?, transform.child("a:ext")?);
    let read = |element: &Element, name| element.number(name).filter(|n| n.abs() < 100_000_000);
    let rect = Rect::new(
        read(off, "x")?,
        read(off, "y")?,
        read(ext, "cx")?,
        read(ext, "cy")?,
    );
    (rect.w > 0 && rect.h > 0).then_some(rect)
}

fn own_size(shape: &Element) -> Option<u32> {
    first_size(shape.at(&["p:txBody", "a:lstStyle"])?)
}

fn first_size(styles: &Element) -> Option<u32> {
    let size = styles.at(&["a:lvl1pPr", "a:defRPr"])?.number("sz")?;
    u32::try_from(size)
        .ok()
        .filter(|size| (100..=40_000).contains(size))
}

fn around(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let right = (a.x + a.w).max(b.x + b.w);
    Rect::new(x, y, right - x, a.bottom().max(b.bottom()) - y)
}

/// The layout for a kind of slide: by its type, and where none has it, by its placeholders. Nothing where none suits.
pub fn choose(rooms: &[Room], layout: Layout, is_text_alone: bool) -> Option<&Room> {
    let kinds: &[&str] = match layout {
        Layout::Cover => &["title"],
        Layout::Divider => &["secHead"],
        Layout::Statement | Layout::Closing if is_text_alone => &["secHead", "obj", "tx"],
        Layout::Statement | Layout::Closing | Layout::Content | Layout::Agenda => &["obj", "tx"],
        Layout::TwoColumns => &["twoObj", "twoColTx", "twoTxTwoObj", "obj", "tx"],
        Layout::Figures | Layout::Comparison => &["titleOnly", "obj", "tx"],
    };
    let titled = || rooms.iter().filter(|room| room.title().is_some());
    let by_kind = kinds
        .iter()
        .find_map(|kind| titled().find(|room| room.kind.as_deref() == Some(kind)));
    by_kind.or_else(|| {
        let mut fitting = titled().filter(|room| match layout {
            Layout::Cover => room.of(&["ctrTitle"]).is_some(),
            Layout::Divider => false,
            Layout::Figures | Layout::Comparison => room.of(&["ctrTitle"]).is_none(),
            _ => room.of(&["ctrTitle"]).is_none() && room.contents().next().is_some(),
        });
        // Few placeholders: the plain one of its kind.
        let first = fitting.next()?;
        Some(
            fitting
                .chain([first])
                .min_by_key(|room| room.holes.len())
                .unwrap_or(first),
        )
    })
}
