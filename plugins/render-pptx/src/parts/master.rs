//! The slide master: the page, the decoration and logo on it, the placeholders and the styles of text.

mod layouts;

use gtm_ooxml::package::{PartId, relation};
use gtm_ooxml::theme::{self, Role};
use gtm_ooxml::{Xml, dates};

use super::kinds;
use crate::context::{Context, Output, Result};
use crate::diagnostics::Code;
use crate::geometry::{
    BODY_END, CONTENT_WIDTH, FOOTER_HEIGHT, FOOTER_TOP, MARGIN, Rect, columns, pt,
};
use crate::layout::{Layout, body_top, decoration, title_rect};
use crate::look::LEAST;
use crate::slide::{Alt, Anchor, Canvas, Shape, namespaces};
use crate::text::{Inherited, LINE, Mark, Paragraph, TITLE_LINE};

/// First of the ids of masters and layouts.
pub const FIRST_ID: u32 = 2_147_483_648;

/// Adds the theme, and the master with everything but its layouts, which must relate to it first.
pub fn add_master(context: &Context<'_>, output: &mut Output<'_>) -> Result<PartId> {
    let document = context.document;
    let name = document.meta.organization.as_deref().unwrap_or("Document");
    let theme = theme::write(&document.theme, name, &document.meta.language);
    let theme = output
        .package
        .add("/ppt/theme/theme1.xml", theme::CONTENT_TYPE, theme)?;
    let master = output
        .package
        .begin("/ppt/slideMasters/slideMaster1.xml", kinds::MASTER)?;
    layouts::add_layouts(context, output, master)?;
    output.package.relate(master, relation::THEME, theme);

    let mut canvas = Canvas::new(master, &context.writer);
    let package = &mut output.package;
    for decoration in decoration(&context.look) {
        let field = Shape::field(
            "Decoration",
            decoration.rect,
            context.palette.faint(decoration.role, decoration.alpha),
        );
        canvas.shape(package, &field);
    }
    let (x, width) = columns(10, 12);
    let top = crate::layout::title_top(&context.look);
    logo(
        context,
        output,
        &mut canvas,
        Rect::new(x, top, width, pt(30)),
        false,
    )?;
    placeholder(
        &mut canvas,
        &Prompt {
            kind: Some("title"),
            index: None,
            name: "Title",
            rect: title_rect(&context.look, 1),
            anchor: Anchor::Top,
            style: None,
            text: "Title",
        },
        context,
    );
    placeholder(
        &mut canvas,
        &Prompt {
            kind: Some("body"),
            index: Some(1),
            name: "Text",
            rect: Rect::on_grid(0, 12, body_top(&context.look, 1), BODY_END),
            anchor: Anchor::Top,
            style: None,
            text: "Text",
        },
        context,
    );
    footers(&mut canvas, context, true);

    let mut xml = Xml::document();
    xml.open("p:sldMaster", &namespaces());
    canvas.finish(&mut xml, None, Some(context.palette.ink(Role::Background)));
    xml.empty("p:clrMap", &color_map(context));
    xml.open("p:sldLayoutIdLst", &[]);
    for (index, layout) in Layout::ALL.iter().enumerate() {
        if let Some(part) = output.layouts.get(layout) {
            let relation = output.package.relate(master, kinds::TO_LAYOUT, *part);
            let id = FIRST_ID + 1 + u32::try_from(index).unwrap_or(0);
            xml.empty("p:sldLayoutId", &[("id", &id), ("r:id", &relation)]);
        }
    }
    xml.close();
    xml.constant("<p:hf hdr=\"0\"/>");
    styles(&mut xml, context);
    output.package.fill(master, xml.finish());
    Ok(master)
}

/// Which slots of the theme are page and text.
pub fn color_map(context: &Context<'_>) -> [(&'static str, &'static dyn std::fmt::Display); 12] {
    let is_dark = context.palette.is_dark();
    let [bg1, tx1, bg2, tx2]: [&'static dyn std::fmt::Display; 4] = if is_dark {
        [&"dk1", &"lt1", &"dk2", &"lt2"]
    } else {
        [&"lt1", &"dk1", &"lt2", &"dk2"]
    };
    [
        ("bg1", bg1),
        ("tx1", tx1),
        ("bg2", bg2),
        ("tx2", tx2),
        ("accent1", &"accent1"),
        ("accent2", &"accent2"),
        ("accent3", &"accent3"),
        ("accent4", &"accent4"),
        ("accent5", &"accent5"),
        ("accent6", &"accent6"),
        ("hlink", &"hlink"),
        ("folHlink", &"folHlink"),
    ]
}

/// The logo at the end of a box, or where it cannot be shown, nothing and a diagnostic. Where it is made for
/// another ground than the one it stands on, it gets a plate.
pub fn logo(
    context: &Context<'_>,
    output: &mut Output<'_>,
    canvas: &mut Canvas<'_>,
    room: Rect,
    at_start: bool,
) -> Result<()> {
    let Some(logo) = &context.document.theme.logo else {
        return Ok(());
    };
    let found = output.media.get(&mut output.package, &logo.asset)?;
    let medium = match found {
        Ok(medium) => medium,
        Err(reason) => {
            let message = format!("The logo cannot be shown: {reason}.");
            output
                .diagnostics
                .add(Code::ImageUnusable, "/theme/logo", message);
            return Ok(());
        }
    };
    let (width, height) = (
        i64::from(medium.picture.width),
        i64::from(medium.picture.height),
    );
    let by_height = room.h.saturating_mul(width) / height;
    let (w, h) = if by_height <= room.w {
        (by_height, room.h)
    } else {
        (room.w, room.w.saturating_mul(height) / width)
    };
    let x = if at_start {
        room.x
    } else {
        room.x + room.w - w
    };
    let rect = Rect::new(x, room.y, w, h);
    if logo
        .r#for
        .is_some_and(|mode| mode != context.document.theme.mode)
    {
        let plate = rect.inset(-pt(6));
        let field = Shape::field("Plate", plate, context.palette.ink(Role::Text));
        canvas.shape(&mut output.package, &field);
    }
    canvas.picture(&mut output.package, rect, medium, Alt::Text(&logo.alt));
    Ok(())
}

/// A placeholder of a master or layout.
pub struct Prompt<'a> {
    pub kind: Option<&'a str>,
    pub index: Option<u32>,
    pub name: &'a str,
    pub rect: Rect,
    pub anchor: Anchor,
    /// The look of its text, if not that of the master.
    pub style: Option<Inherited>,
    pub text: &'a str,
}

/// Writes a placeholder of a master or layout.
pub fn placeholder(canvas: &mut Canvas<'_>, prompt: &Prompt<'_>, context: &Context<'_>) {
    canvas.prompt(
        prompt.name,
        (prompt.kind, prompt.index),
        prompt.rect,
        prompt.anchor,
        |xml| {
            let Some(style) = prompt.style else {
                return;
            };
            let line = if style.is_heading { TITLE_LINE } else { LINE };
            let sample = Paragraph {
                bold: style.bold,
                is_heading: style.is_heading,
                role: style.role,
                line,
                ..Paragraph::new(Vec::new(), style.size)
            };
            context.writer.level_style(xml, "a:lvl1pPr", &sample);
        },
        |xml| {
            xml.leaf("a:t", &[], prompt.text);
        },
    );
}

/// Date, footer and slide number; `with_style` on the master, whose look layouts and slides take over.
pub fn footers(canvas: &mut Canvas<'_>, context: &Context<'_>, with_style: bool) {
    let style = |end: bool| Paragraph {
        role: Role::Muted,
        align: if end {
            crate::text::Align::End
        } else {
            crate::text::Align::Start
        },
        ..Paragraph::new(Vec::new(), LEAST)
    };
    let third = CONTENT_WIDTH / 12;
    let places = [
        ("Footer", "ftr", 11, MARGIN, third * FOOTER_COLUMNS, false),
        ("Date", "dt", 10, MARGIN + third * 8, third * 3, true),
        (
            "Slide Number",
            "sldNum",
            12,
            MARGIN + third * 11,
            third,
            true,
        ),
    ];
    for (name, kind, index, x, width, at_end) in places {
        let rect = Rect::new(x, FOOTER_TOP, width, FOOTER_HEIGHT);
        canvas.prompt(
            name,
            (Some(kind), Some(index)),
            rect,
            Anchor::Middle,
            |xml| {
                if with_style {
                    context.writer.level_style(xml, "a:lvl1pPr", &style(at_end));
                }
            },
            |xml| match kind {
                "ftr" => {
                    xml.leaf("a:t", &[], footer(context));
                }
                "dt" => {
                    xml.leaf("a:t", &[], written_date(context));
                }
                _ => {
                    xml.leaf("a:t", &[], "‹#›");
                }
            },
        );
    }
}

/// Twelfths of the width that the footer's words have.
const FOOTER_COLUMNS: i64 = 7;

/// What stands at the foot of every slide, on one line.
pub fn footer(context: &Context<'_>) -> String {
    let meta = &context.document.meta;
    let mut parts: Vec<&str> = Vec::new();
    parts.extend(meta.organization.as_deref());
    parts.extend(meta.classification.as_deref());
    if parts.is_empty() {
        parts.push(&meta.title);
    }
    let mut text = parts.join(" · ").replace('\n', " ");
    let width = CONTENT_WIDTH / 12 * FOOTER_COLUMNS;
    let fits = |text: &str| {
        let line = Paragraph::plain(text, LEAST);
        context.measure.lines(&line, width).len() <= 1
    };
    if !fits(&text) {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).take(200).collect();
        let most = ends.partition_point(|end| fits(&format!("{}…", &text[..*end])));
        let end = most.checked_sub(1).and_then(|last| ends.get(last));
        text.truncate(end.copied().unwrap_or(0));
        text = format!("{}…", text.trim_end());
    }
    text
}

/// The document's day in words of its language.
pub fn written_date(context: &Context<'_>) -> String {
    let meta = &context.document.meta;
    dates::of(meta)
}

fn styles(xml: &mut Xml, context: &Context<'_>) {
    let look = &context.look;
    let title = Paragraph {
        role: look.title_role,
        ..Paragraph::title("", look.title)
    };
    xml.open("p:txStyles", &[]);
    xml.element("p:titleStyle", &[], |xml| {
        context.writer.level_style(xml, "a:lvl1pPr", &title);
    });
    const LEVELS: [&str; 9] = [
        "a:lvl1pPr",
        "a:lvl2pPr",
        "a:lvl3pPr",
        "a:lvl4pPr",
        "a:lvl5pPr",
        "a:lvl6pPr",
        "a:lvl7pPr",
        "a:lvl8pPr",
        "a:lvl9pPr",
    ];
    xml.element("p:bodyStyle", &[], |xml| {
        for (level, name) in (0u8..).zip(LEVELS) {
            let body = Paragraph {
                level,
                mark: Mark::Bullet,
                before: 600,
                ..Paragraph::new(Vec::new(), look.body_size())
            };
            context.writer.level_style(xml, name, &body);
        }
    });
    xml.element("p:otherStyle", &[], |xml| {
        for name in LEVELS {
            let other = Paragraph::new(Vec::new(), 1_800);
            context.writer.level_style(xml, name, &other);
        }
    });
    xml.close();
}
