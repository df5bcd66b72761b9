//! Slides with a layout of their own: cover, agenda, divider, statement, closing and the sources at the end.

use gtm_document_model::{Block, Section, Source};

use super::super::{Fill, Item, Page};
use super::{content, filled, fitted_title, text_only};
use crate::blocks::{BoxedPiece, Style, TextBlock, TextKind, TextPiece, pieces};
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::geometry::{Emu, Rect, pt};
use crate::layout::{Layout, Place, Slot};
use crate::look::LEAST;
use crate::text::{Paragraph, Span};
use gtm_ooxml::theme::Role;
use gtm_ooxml::{added_words, dates, sources};

/// Longest title that only names a subject, in words and in characters, and most lines of the sentence below it.
const SUBJECT_WORDS: usize = 5;
const SUBJECT_CHARS: usize = 40;
const SENTENCE_LINES: usize = 4;

/// A paragraph as a placeholder has it.
fn in_place(place: &Place) -> Paragraph {
    let style = place.style;
    let base = if style.is_heading {
        Paragraph::title("", style.size)
    } else {
        Paragraph::new(Vec::new(), style.size)
    };
    base.role(style.role)
}

/// The title of a layout, fitted to its place.
fn title_in(context: &Context<'_>, layout: Layout, text: &str, most: usize) -> Option<Paragraph> {
    let place = layout.place(&context.look, Slot::Title)?;
    let wanted = in_place(&place);
    let (mut title, _) = fitted_title(context, text, wanted, place.rect.w, most);
    // The place has a height, too.
    while context.measure.height(&title, place.rect.w) > place.rect.h && title.size > 1_600 {
        let size = title.size - 200;
        let wanted = Paragraph {
            size,
            ..in_place(&place)
        };
        (title, _) = fitted_title(context, text, wanted, place.rect.w, most);
        title.size = title.size.min(size);
    }
    Some(title)
}

/// Text in a placeholder, in the largest size that fits; nothing where none does.
fn text_in(
    context: &Context<'_>,
    place: &Place,
    of: impl Fn(u32) -> Vec<Paragraph>,
) -> Option<Vec<Paragraph>> {
    let sizes = [2_000, 1_800, 1_600, 1_400, 1_200, 1_100];
    let fitting = sizes.into_iter().filter(|size| *size <= place.style.size);
    for size in fitting {
        let mut paragraphs = of(size);
        for paragraph in &mut paragraphs {
            if place.style.role != Role::Text {
                paragraph.role = place.style.role;
            }
        }
        let height = context
            .measure
            .total(&paragraphs, place.rect.w, place.rect.h);
        if height <= place.rect.h {
            return Some(paragraphs);
        }
    }
    None
}

/// The first slide.
pub fn cover<'d>(context: &Context<'d>, section: Option<&'d Section>) -> Page<'d> {
    let meta = &context.document.meta;
    let title = section.map_or(&meta.title, |section| &section.title);
    let title = title_in(context, Layout::Cover, title, 3)
        .unwrap_or_else(|| Paragraph::title(&meta.title, 2_800));
    let mut fills = Vec::new();
    if let Some(place) = Layout::Cover.place(&context.look, Slot::Subtitle) {
        let own =
            section.and_then(|section| text_only(context, &section.blocks, Style { body: 2_000 }));
        let own = own.filter(|paragraphs| !paragraphs.is_empty());
        let subtitle = own.map_or_else(
            || meta.subtitle.clone().unwrap_or_default(),
            |paragraphs| joined(&paragraphs),
        );
        let paragraphs = text_in(context, &place, |size| {
            let plain = Paragraph::plain(&subtitle, size);
            let language = &meta.language;
            vec![context.measure.phrased(&plain, language, place.rect.w)]
        });
        fills.push(Fill::new(Slot::Subtitle, paragraphs.unwrap_or_default()));
    }
    if let Some(place) = Layout::Cover.place(&context.look, Slot::Imprint) {
        let mut who: Vec<&str> = Vec::new();
        who.extend(meta.author.as_deref());
        who.extend(
            meta.organization
                .as_deref()
                .filter(|name| Some(*name) != meta.author.as_deref()),
        );
        let date = dates::of(meta);
        let mut when = vec![date.as_str()];
        when.extend(meta.classification.as_deref());
        let lines = [who.join(" · "), when.join(" · ")];
        let of = |size| {
            let lines = lines.iter().filter(|line| !line.is_empty());
            lines.map(|line| Paragraph::plain(line, size)).collect()
        };
        fills.push(Fill::new(
            Slot::Imprint,
            text_in(context, &place, of).unwrap_or_default(),
        ));
    }
    let mut page = filled(Layout::Cover, title, fills);
    page.notes = section
        .map(|section| crate::text::spans(&section.notes, &context.citations))
        .filter(|notes| !notes.is_empty())
        .map(|notes| vec![Paragraph::new(notes, 1_200)])
        .unwrap_or_default();
    page
}

fn joined(paragraphs: &[Paragraph]) -> String {
    let texts = paragraphs.iter().map(|paragraph| -> String {
        let spans = paragraph.spans.iter().filter(|span| !span.is_reference);
        spans.map(|span| span.text.as_str()).collect()
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The sections without those that go on with one before them: `Price (continued)` behind `Price`.
pub fn parts_of<'s>(sections: &[&'s Section], language: &str) -> Vec<&'s Section> {
    let mut parts: Vec<&Section> = Vec::new();
    for section in sections {
        let before = parts.last();
        if before.is_none_or(|part| !goes_on(&part.title, &section.title, language)) {
            parts.push(section);
        }
    }
    parts
}

/// Whether a title is another one again, be it with the word in brackets that says so. `Price (Leeds)` is a part of its own.
fn goes_on(part: &str, title: &str, language: &str) -> bool {
    let Some(rest) = title.strip_prefix(part).map(str::trim) else {
        return false;
    };
    let word = rest
        .strip_prefix(['(', '（'])
        .and_then(|rest| rest.strip_suffix([')', '）']));
    // Whoever has no word for it in a language takes the English one.
    let says_so = |word: &str| {
        [language, "en"]
            .into_iter()
            .any(|language| word == added_words::of(language).continued)
    };
    rest.is_empty() || word.is_some_and(says_so)
}

/// What the document contains.
pub fn agenda<'d>(
    context: &Context<'d>,
    title: Option<&str>,
    sections: &[&Section],
    pointer: &str,
) -> Vec<Page<'d>> {
    use gtm_document_model::document::Layout as Hint;
    let entries = parts_of(sections, &context.document.meta.language);
    let entries = entries
        .iter()
        .filter(|section| !matches!(section.layout, Some(Hint::Cover | Hint::Agenda)));
    // Dividers name the parts of a long document; otherwise each section is a part.
    let has_dividers = sections
        .iter()
        .filter(|section| section.layout == Some(Hint::Divider))
        .count()
        >= 2;
    let entries = entries.filter(|section| !has_dividers || section.layout == Some(Hint::Divider));
    let blocks: Vec<TextBlock> = (1..)
        .zip(entries)
        .map(|(number, section)| TextBlock {
            kind: TextKind::Item(0, Some(number)),
            spans: vec![Span {
                text: section.title.clone(),
                ..Span::default()
            }],
        })
        .collect();
    let title = title.unwrap_or(context.labels.agenda);
    let make = || -> Vec<BoxedPiece<'d>> {
        vec![Box::new(TextPiece::new(blocks.clone(), pointer.to_owned()))]
    };
    let mut diagnostics = Diagnostics::default();
    content(
        context,
        title,
        &make,
        Layout::Agenda,
        pointer,
        &mut diagnostics,
        4,
        context.body_end,
    )
}

/// A slide between two parts.
pub fn divider<'d>(context: &Context<'d>, section: &'d Section) -> Option<Page<'d>> {
    let title = title_in(context, Layout::Divider, &section.title, 3)?;
    let place = Layout::Divider.place(&context.look, Slot::Body)?;
    text_only(context, &section.blocks, Style { body: 2_000 })?;
    let text = text_in(context, &place, |size| {
        text_only(context, &section.blocks, Style { body: size }).unwrap_or_default()
    })?;
    Some(filled(
        Layout::Divider,
        title,
        vec![Fill::new(Slot::Body, text)],
    ))
}

/// One thought, large: the title, or the one sentence below a title that only names the subject.
pub fn statement<'d>(context: &Context<'d>, section: &'d Section) -> Option<Page<'d>> {
    let title = title_in(context, Layout::Statement, &section.title, 3)?;
    let place = Layout::Statement.place(&context.look, Slot::Body)?;
    if let Some((title, text)) = sentence(context, section, &title, &place) {
        let mut page = filled(Layout::Statement, title, vec![Fill::new(Slot::Body, text)]);
        page.has_footer = true;
        return Some(page);
    }
    text_only(context, &section.blocks, Style { body: 2_000 })?;
    let text = text_in(context, &place, |size| {
        text_only(context, &section.blocks, Style { body: size }).unwrap_or_default()
    })?;
    let mut page = filled(Layout::Statement, title, vec![Fill::new(Slot::Body, text)]);
    page.has_footer = true;
    Some(page)
}

/// Whether a title only says what a slide is about: `How it works`. A sentence says more, and stands large itself.
fn names_a_subject(title: &str) -> bool {
    title.chars().count() <= SUBJECT_CHARS
        && title.split_whitespace().count() <= SUBJECT_WORDS
        && !title.contains(char::is_numeric)
}

/// A subject with its one sentence: what it says stands large, and what it is about small above it.
fn sentence(
    context: &Context<'_>,
    section: &Section,
    title: &Paragraph,
    place: &Place,
) -> Option<(Paragraph, Vec<Paragraph>)> {
    let [Block::Lead(lead)] = section.blocks.as_slice() else {
        return None;
    };
    let is_subject = names_a_subject(&section.title);
    let language = &context.document.meta.language;
    let text = |size| {
        let sentence = Paragraph {
            spans: crate::text::spans(&lead.runs, &context.citations),
            ..Paragraph::plain("", size)
        };
        context.measure.phrased(&sentence, language, place.rect.w)
    };
    let fits = |size: &u32| {
        let paragraph = text(*size);
        context.measure.lines(&paragraph, place.rect.w).len() <= SENTENCE_LINES
            && context.measure.height(&paragraph, place.rect.w) <= place.rect.h
    };
    let size = [3_200, 2_800, 2_400].into_iter().find(fits)?;
    let small = Paragraph {
        size: 2_000,
        role: Role::AccentText,
        spans: Paragraph::plain(&section.title, 2_000).spans,
        ..title.clone()
    };
    is_subject.then(|| (small, vec![text(size)]))
}

/// The last words: text and calls to action on the primary colour. Nothing where there is more than that.
pub fn closing<'d>(context: &Context<'d>, section: &'d Section, pointer: &str) -> Option<Page<'d>> {
    let title = title_in(context, Layout::Closing, &section.title, 2)?;
    let place = Layout::Closing.place(&context.look, Slot::Body)?;
    let is_cta = |block: &Block| matches!(block, Block::Cta(_));
    let (actions, _): (Vec<_>, Vec<_>) = section.blocks.iter().partition(|block| is_cta(block));
    let split_at = section
        .blocks
        .iter()
        .position(is_cta)
        .unwrap_or(section.blocks.len());
    let (texts, rest) = section.blocks.split_at(split_at);
    // Text after an action has no place here.
    if rest.len() != actions.len() || actions.len() > 1 {
        return None;
    }
    text_only(context, texts, Style { body: 2_000 })?;
    let all = pieces(context, rest, &format!("{pointer}/blocks"));
    let style = Style { body: 1_800 };
    let wide = Rect::on_grid(0, 10, place.rect.y, place.rect.bottom());
    let below: Emu = all
        .iter()
        .map(|piece| piece.height(context, style, wide.w, wide.h) + pt(24))
        .sum();
    let upper = Place {
        rect: Rect {
            h: place.rect.h - below,
            ..place.rect
        },
        ..place
    };
    let text = text_in(context, &upper, |size| {
        text_only(context, texts, Style { body: size }).unwrap_or_default()
    })?;
    let height = context.measure.total(&text, place.rect.w, Emu::MAX / 4);
    let mut y = place.rect.y;
    if !text.is_empty() {
        y += height + pt(24);
    }
    let body = Fill {
        // The layout's own place reaches over the button.
        rect: (!all.is_empty()).then_some(Rect {
            h: height,
            ..place.rect
        }),
        ..Fill::new(Slot::Body, text)
    };
    let mut page = filled(Layout::Closing, title, vec![body]);
    for piece in all {
        let height = piece.height(context, style, wide.w, wide.h);
        page.items.push(Item {
            piece,
            rect: Rect::new(wide.x, y, wide.w, height),
            is_beside: false,
        });
        y += height + pt(24);
    }
    page.style = style;
    page.on_primary = true;
    Some(page)
}

/// The sources that the document cites, with their numbers.
pub fn sources<'d>(
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
    room: usize,
) -> Vec<Page<'d>> {
    let cited = &context.citations.sources;
    if cited.is_empty() {
        return Vec::new();
    }
    let size = if cited.len() <= 8 { 1_400 } else { 1_200 };
    let paragraphs: Vec<Paragraph> = (1..)
        .zip(cited)
        .map(|(number, source)| source_paragraph(context, number, source, size))
        .collect();
    let make = || -> Vec<BoxedPiece<'d>> {
        let piece = TextPiece::of_paragraphs(paragraphs.clone(), "/sources".to_owned());
        vec![Box::new(piece)]
    };
    let title = context.labels.sources;
    content(
        context,
        title,
        &make,
        Layout::Content,
        "/sources",
        diagnostics,
        room,
        context.body_end,
    )
}

/// All sources as one line each, in the least size.
pub fn brief_sources(context: &Context<'_>) -> Vec<Paragraph> {
    let all = (1..).zip(&context.citations.sources);
    all.map(|(number, source)| in_brief(context, number, source))
        .collect()
}

/// A source as one line.
pub fn in_brief(context: &Context<'_>, number: u32, source: &Source) -> Paragraph {
    let mut paragraph = source_paragraph(context, number, source, LEAST);
    for span in &mut paragraph.spans {
        span.bold = false;
        if span.text == "\n" {
            span.text = " · ".to_owned();
        }
    }
    paragraph.role = Role::Muted;
    paragraph.before = 0;
    paragraph
}

fn source_paragraph(context: &Context<'_>, number: u32, source: &Source, size: u32) -> Paragraph {
    let (language, is_rtl) = (&context.document.meta.language, context.is_rtl);
    let of = |text: String, href: Option<String>| Span {
        text,
        href,
        ..Span::default()
    };
    let mut spans = vec![Span {
        bold: true,
        ..of(source.title.clone(), None)
    }];
    let mut about = Vec::new();
    // After letters that are read from the right, a day would turn around without its mark.
    about.extend(source.publisher.clone());
    about.extend(sources::day(source, language).map(|day| {
        let has_words = day.contains(char::is_alphabetic);
        if is_rtl && !has_words {
            format!("\u{200e}{day}")
        } else {
            day
        }
    }));
    if !about.is_empty() {
        spans.push(of(format!(" · {}", about.join(", ")), None));
    }
    // Only https and letters are links; a page that is read over http is named.
    if let Some(url) = &source.url {
        let is_link = url
            .get(..8)
            .is_some_and(|start| start.eq_ignore_ascii_case("https://"));
        spans.push(of("\n".to_owned(), None));
        spans.push(of(sources::shown(url), is_link.then(|| url.clone())));
    }
    Paragraph {
        mark: crate::text::Mark::Number(number),
        before: 700,
        ..Paragraph::new(spans, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_on_is_no_part() {
        for (language, titles, parts) in [
            (
                "en-GB",
                vec![
                    "Price",
                    "Price (continued)",
                    "Price (Leeds)",
                    "Price (2028)",
                    "Price (Hull and Leeds)",
                ],
                vec![0, 2, 3, 4],
            ),
            (
                "de",
                vec!["Preis", "Preis (Fortsetzung)", "Preis (netto)"],
                vec![0, 2],
            ),
            (
                "ja",
                vec!["価格", "価格（続き）", "価格（東京）"],
                vec![0, 2],
            ),
            ("xh", vec!["Ixabiso", "Ixabiso (continued)"], vec![0]),
        ] {
            let sections: Vec<Section> = titles
                .iter()
                .map(|title| Section {
                    title: (*title).to_owned(),
                    ..Section::default()
                })
                .collect();
            let sections: Vec<&Section> = sections.iter().collect();
            let found = parts_of(&sections, language);
            let found: Vec<&str> = found.iter().map(|part| part.title.as_str()).collect();
            let expected: Vec<&str> = parts.into_iter().map(|at| titles[at]).collect();
            assert_eq!(found, expected);
        }
    }
}
