//! A planned slide becomes a part.

use gtm_ooxml::Xml;
use gtm_ooxml::theme::Role;

use crate::blocks::Place;
use crate::compose::Page;
use crate::context::{Context, Output, Result};
use crate::geometry::{MARGIN, Rect, SLIDE, of_size, pt};
use crate::layout::{Layout, Slot, title_top};
use crate::look::{Head, LEAST};
use crate::parts;
use crate::slide::{Canvas, Placeholder, Shape, Words, namespaces};
use crate::text::{Align, Inherited, Paragraph, balanced};

/// Draws a slide.
///
/// # Errors
/// Where the package refuses a part.
pub fn draw(context: &Context<'_>, output: &mut Output<'_>, page: &Page<'_>) -> Result<()> {
    let number = output.slides.len() + 1;
    let name = format!("/ppt/slides/slide{number}.xml");
    let part = output.package.begin(&name, parts::SLIDE)?;
    if let Some(layout) = output.layouts.get(&page.layout) {
        output.package.relate(part, parts::TO_LAYOUT, *layout);
    }
    let mut canvas = Canvas::new(part, &context.writer);
    title(context, output, &mut canvas, page);
    for fill in &page.fills {
        let slot = fill.slot;
        let Some(place) = page.layout.place(&context.look, slot) else {
            continue;
        };
        let (kind, index) = slot.mark(page.layout);
        let placeholder = Placeholder {
            name: slot.name(),
            kind,
            index,
            rect: fill.rect,
            inherited: place.style,
        };
        // An empty placeholder shows its prompt while editing, so there is none.
        if !fill.paragraphs.is_empty() {
            canvas.placeholder(&mut output.package, &placeholder, &fill.paragraphs);
        }
    }
    items(context, output, &mut canvas, page)?;
    if page.has_footer {
        footer(context, output, &mut canvas, number);
    }
    let mut xml = Xml::document();
    xml.open("p:sld", &namespaces());
    canvas.finish(&mut xml, None, None);
    xml.constant("<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>");
    output.package.fill(part, xml.finish());
    if !page.notes.is_empty() {
        parts::add_notes(context, output, part, number, &page.notes)?;
    }
    output.slides.push(part);
    Ok(())
}

fn title(context: &Context<'_>, output: &mut Output<'_>, canvas: &mut Canvas<'_>, page: &Page<'_>) {
    let Some(place) = page.layout.place(&context.look, Slot::Title) else {
        return;
    };
    let look = &context.look;
    if page.layout.has_master_shapes()
        && page.layout != Layout::Statement
        && look.head == Head::Edge
        && let Some(overline) = &page.overline
    {
        let rect = Rect::new(MARGIN, title_top(look) - pt(20), pt(26), pt(16));
        let words = [Paragraph::plain(overline, 1_200)
            .bold()
            .role(Role::AccentText)];
        let shape = Shape::text("Section number", rect, Words::new(&words));
        canvas.shape(&mut output.package, &shape);
    }
    let (kind, index) = Slot::Title.mark(page.layout);
    let height = context.measure.height(&page.title, place.rect.w);
    let width = balanced(&context.measure, &page.title, place.rect.w);
    let is_own = height > place.rect.h || width < place.rect.w;
    let placeholder = Placeholder {
        name: "Title",
        kind,
        index,
        rect: is_own.then_some(Rect {
            w: width,
            h: height.max(place.rect.h),
            ..place.rect
        }),
        inherited: place.style,
    };
    canvas.placeholder(
        &mut output.package,
        &placeholder,
        std::slice::from_ref(&page.title),
    );
    if let Some((part, of)) = page.part {
        let beside = match look.head {
            Head::Bar => pt(48),
            Head::Edge => pt(28),
            Head::Rule | Head::Top | Head::Plain => 0,
        };
        let rect = Rect::new(MARGIN + beside, title_top(look) - pt(19), pt(100), pt(15));
        let words = [Paragraph::plain(format!("{part}/{of}"), LEAST).role(Role::Muted)];
        let shape = Shape::text("Part", rect, Words::new(&words));
        canvas.shape(&mut output.package, &shape);
    }
    if look.head == Head::Rule
        && page.layout.has_master_shapes()
        && page.layout != Layout::Statement
    {
        let y = title_top(look) + height.max(of_size(look.title, 1_150)) + pt(12);
        let rule = Rect::new(MARGIN, y, SLIDE.w - 2 * MARGIN, pt(1));
        let field = Shape::field("Rule", rule, context.palette.ink(Role::Rule));
        canvas.shape(&mut output.package, &field);
    }
}

fn items(
    context: &Context<'_>,
    output: &mut Output<'_>,
    canvas: &mut Canvas<'_>,
    page: &Page<'_>,
) -> Result<()> {
    // The first text fills the layout's body; what follows has boxes of its own.
    let mut body = page.layout.place(&context.look, Slot::Body);
    let mut beside = page
        .layout
        .place(&context.look, Slot::Beside)
        .map(|_| Slot::Beside.mark(page.layout).1);
    for item in &page.items {
        if let Some(text) = item.piece.as_text()
            && page.fills.is_empty()
            && let Some(place) = body.take()
        {
            let (kind, index) = Slot::Body.mark(page.layout);
            let placeholder = Placeholder {
                name: Slot::Body.name(),
                kind,
                index,
                rect: Some(item.rect),
                inherited: Inherited {
                    role: Role::Text,
                    ..place.style
                },
            };
            let paragraphs = text.paragraphs(page.style);
            canvas.placeholder(&mut output.package, &placeholder, &paragraphs);
            continue;
        }
        let placeholder = if item.is_beside {
            beside.take().flatten()
        } else {
            None
        };
        item.piece.draw(&mut Place {
            context,
            output: &mut *output,
            canvas: &mut *canvas,
            style: page.style,
            rect: item.rect,
            placeholder,
            on_primary: page.on_primary,
        })?;
    }
    Ok(())
}

fn footer(context: &Context<'_>, output: &mut Output<'_>, canvas: &mut Canvas<'_>, number: usize) {
    let inherited = Inherited {
        size: LEAST,
        bold: false,
        role: Role::Muted,
        is_heading: false,
    };
    let places = [
        (
            "Footer",
            "ftr",
            11,
            parts::footer_text(context),
            Align::Start,
        ),
        ("Date", "dt", 10, parts::written_date(context), Align::End),
    ];
    for (name, kind, index, text, align) in places {
        let words = [Paragraph::plain(text, LEAST).role(Role::Muted).align(align)];
        let placeholder = Placeholder {
            name,
            kind: Some(kind),
            index: Some(index),
            rect: None,
            inherited,
        };
        canvas.placeholder(&mut output.package, &placeholder, &words);
    }
    canvas.slide_number(number);
}
