//! Steps in which a company works, which look like a list of what buyers get.

use gtm_lexicon::offer::PROCESS_HEADINGS;
use gtm_lexicon::with_ascii_digits;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::outline::{Item, Section};

/// Most words of a heading that announces steps.
const LONGEST_HEADING: usize = 8;
/// Most words of a label that numbers a step: `Step 1 of`.
const LONGEST_LABEL: usize = 3;

/// Whether the heading of a section, or the label above it, announces steps.
pub fn announces(section: &Section<'_>) -> bool {
    section.announced().any(|text| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        words.len() <= LONGEST_HEADING && PROCESS_HEADINGS.any_in(&words)
    })
}

/// Whether what stands in a section is numbered from one on: `1. Survey`, `2. Fitting`.
pub fn are_numbered(section: &Section<'_>) -> bool {
    let places: Vec<u32> = section
        .body
        .iter()
        .filter_map(|passage| place_of(passage))
        .collect();
    places.windows(2).any(|pair| pair == [1, 2])
}

/// What stands below numbers from one on, without headings or a list: a name, perhaps with a text about it.
pub fn numbered<'a>(body: &[&'a Passage]) -> Vec<Item<'a>> {
    let is_number = |at: usize| {
        let passage = body.get(at)?;
        let is_label = words::count(&passage.text) <= LONGEST_LABEL;
        place_of(passage).filter(|_| is_label)
    };
    let mut found: Vec<Item<'a>> = Vec::new();
    for at in 0..body.len() {
        let next = u32::try_from(found.len() + 1).ok();
        if is_number(at).is_none() || is_number(at) != next {
            continue;
        }
        let Some(name) = body.get(at + 1).filter(|_| is_number(at + 1).is_none()) else {
            break;
        };
        let is_text = |text: &&&Passage| words::count(&text.text) > words::count(&name.text);
        let text = body.get(at + 2).filter(is_text).copied();
        found.push(Item {
            name_passage: name,
            name: &name.text,
            text_passage: text,
            text: text.map(|text| text.text.as_str()),
        });
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The place in an order that a heading begins with, or that a label is: `02`, `Step 3`, `STEP4`.
fn place_of(passage: &Passage) -> Option<u32> {
    let is_label = words::count(&passage.text) <= LONGEST_LABEL;
    if passage.kind != BlockKind::Heading && !is_label {
        return None;
    }
    let text = with_ascii_digits(passage.text.trim());
    let parse = |digits: &str| (1..=2).contains(&digits.len()).then(|| digits.parse().ok());
    let length = text.chars().take_while(char::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let is_mark = |c: char| c.is_whitespace() || ".):/|-–—．、）".contains(c);
    if !digits.is_empty() {
        return parse(digits)
            .filter(|_| rest.is_empty() || rest.starts_with(is_mark))
            .flatten();
    }
    let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(stem.len()..)?;
    parse(digits).filter(|_| is_label).flatten()
}
