//! The text of a PPTX, slide by slide in the order of the presentation.
//!
//! Hidden slides, what stands beside a slide or in the colour of its ground, and speaker notes are left out, as whoever watches
//! the presentation sees none of it.

use super::drawing::{self, Line, Slide};
use super::grounds::{Below, Grounds};
use super::markup::{Markup, Piece};
use super::package::Package;
use super::shapes::Size;
use crate::limits::MAX_PAGES;
use crate::{Collected, Refusal};
use gtm_page_text::BlockKind;

/// Reads the slides into `out`. Gives their number and the language of the presentation's texts.
pub(crate) fn read(
    package: &mut Package<'_>,
    main: &str,
    out: &mut Collected,
) -> Result<(Option<u32>, Option<String>), Refusal> {
    let related = package.relationships(main)?;
    let text = package.part(main)?.ok_or(Refusal::Unreadable)?;
    let Deck {
        ids,
        language,
        size,
    } = deck(package, &text)?;
    let mut grounds = Grounds::default();
    let count = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    let mut number = 0u32;
    for id in ids.iter().take(MAX_PAGES) {
        number = number.saturating_add(1);
        let part = related.get(id).map(|related| related.part.clone());
        let Some(part) = part else { continue };
        read_slide(package, &part, (size, number), &mut grounds, out)?;
    }
    out.cut |= ids.len() > MAX_PAGES;
    Ok((Some(count), language))
}

struct Deck {
    /// Relationship ids of the slides in order.
    ids: Vec<String>,
    language: Option<String>,
    size: Option<Size>,
}

fn deck(package: &mut Package<'_>, text: &str) -> Result<Deck, Refusal> {
    let mut pieces = Markup::of(text);
    let (mut ids, mut language, mut size) = (Vec::new(), None, None);
    while let Some(piece) = pieces.next()? {
        package.budget.step(1)?;
        if let Piece::Open(element) = piece {
            match element.name() {
                "sldId" => ids.extend(element.prefixed("id")),
                "sldSz" => {
                    let side = |name: &str| element.attribute(name)?.parse::<f64>().ok();
                    size = side("cx").zip(side("cy"));
                }
                "defRPr" if language.is_none() => language = element.attribute("lang"),
                _ => {}
            }
        }
    }
    Ok(Deck {
        ids,
        language,
        size,
    })
}

fn read_slide(
    package: &mut Package<'_>,
    part: &str,
    (size, number): (Option<Size>, u32),
    grounds: &mut Grounds,
    out: &mut Collected,
) -> Result<(), Refusal> {
    let Some(text) = package.part(part)? else {
        return Ok(());
    };
    let related = package.relationships(part)?;
    let of_kind = |kind: &str| {
        let found = related.values().find(|related| related.kind == kind);
        found.map(|related| related.part.clone())
    };
    let below = match of_kind("slideLayout") {
        // Without it, the text can be read as well.
        Some(layout) => grounds.of_layout(package, &layout).unwrap_or_default(),
        None => Below::default(),
    };
    let slide = Slide::read(package, &text, size, below)?;
    out.hidden += slide.hidden;
    if let Some(notes) = of_kind("notesSlide")
        && let Some(text) = package.part(&notes)?
        && let Ok(notes) = Slide::read(package, &text, None, Below::default())
    {
        out.hidden += usize::from(notes.into_lines().next().is_some());
    }
    if !slide.shown {
        out.hidden += usize::from(slide.into_lines().next().is_some());
        return Ok(());
    }
    // The first slide's title is the presentation's.
    let first = out.passages.is_empty();
    let mut push = |line: Line| {
        let level = line.level.map(|level| if first { 1 } else { level });
        out.push(line.kind, level, &line.text, Some(number));
    };
    slide.into_lines().for_each(&mut push);
    let mut drawn: Vec<Line> = Vec::new();
    for related in related.into_values() {
        let read: fn(&mut Package<'_>, &str) -> Result<Vec<Line>, Refusal> =
            match related.kind.as_str() {
                "chart" => drawing::chart,
                "diagramData" => drawing::diagram,
                _ => continue,
            };
        if let Some(text) = package.part(&related.part)? {
            drawn.extend(read(package, &text)?);
        }
    }
    drawn
        .into_iter()
        .filter(|line| line.kind != BlockKind::Heading)
        .for_each(push);
    Ok(())
}
