//! The text of a PPTX, slide by slide in the order of the presentation.
//!
//! Hidden slides and speaker notes are left out, as whoever watches the presentation sees neither.

use super::drawing::{self, Line, Slide};
use super::markup::{Markup, Piece};
use super::package::Package;
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
    let (ids, language) = slide_ids(package, &text)?;
    let count = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    let mut number = 0u32;
    for id in ids.iter().take(MAX_PAGES) {
        number = number.saturating_add(1);
        let part = related.get(id).map(|related| related.part.clone());
        let Some(part) = part else { continue };
        read_slide(package, &part, number, out)?;
    }
    out.cut |= ids.len() > MAX_PAGES;
    Ok((Some(count), language))
}

/// Relationship ids of the slides in order.
fn slide_ids(
    package: &mut Package<'_>,
    text: &str,
) -> Result<(Vec<String>, Option<String>), Refusal> {
    let mut pieces = Markup::of(text);
    let (mut ids, mut language) = (Vec::new(), None);
    while let Some(piece) = pieces.next()? {
        package.budget.step(1)?;
        if let Piece::Open(element) = piece {
            match element.name() {
                "sldId" => ids.extend(element.prefixed("id")),
                "defRPr" if language.is_none() => language = element.attribute("lang"),
                _ => {}
            }
        }
    }
    Ok((ids, language))
}

fn read_slide(
    package: &mut Package<'_>,
    part: &str,
    number: u32,
    out: &mut Collected,
) -> Result<(), Refusal> {
    let Some(text) = package.part(part)? else {
        return Ok(());
    };
    let slide = Slide::read(package, &text)?;
    if !slide.shown {
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
    for related in package.relationships(part)?.into_values() {
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
