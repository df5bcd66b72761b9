//! The sections of a page: a heading with what stands below it until the next one.

use std::collections::{BTreeMap, BTreeSet};

use gtm_site_research::dates;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::{BlockKind, Page};
use gtm_site_research::words;

/// Most characters of a line that is nothing but a date.
const LONGEST_STAMP: usize = 30;
/// Most words of one.
const WORDS_OF_STAMP: usize = 5;
/// Most characters of a line that is part of a template if it stands on the site often.
const LONGEST_OF_TEMPLATE: usize = 30;
/// So often.
const OFTEN: usize = 3;

/// A block of a page.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Index of the block on the page.
    pub block: usize,
    pub kind: BlockKind,
    /// Level of a heading.
    pub level: u8,
    /// Verbatim.
    pub text: &'a str,
}

/// A part of a page below one heading.
#[derive(Debug, Clone, Default)]
pub struct Section<'a> {
    pub heading: Option<Line<'a>>,
    /// The heading above that one.
    pub above: Option<Line<'a>>,
    /// A date that stands right above the heading.
    pub stamp: Option<Line<'a>>,
    pub body: Vec<Line<'a>>,
}

/// Texts that repeat on the site.
#[derive(Debug, Default)]
pub struct Repeated<'a> {
    /// How often each short text stands there.
    counts: BTreeMap<&'a str, usize>,
}

impl<'a> Repeated<'a> {
    pub fn of(passages: &'a [Passage]) -> Self {
        let mut counts = BTreeMap::new();
        for passage in passages {
            *counts.entry(passage.text.as_str()).or_insert(0) += 1;
        }
        Self { counts }
    }

    /// Whether a short text without a figure stands in many places: `Read more`.
    fn is_template(&self, text: &str) -> bool {
        let often = self.counts.get(text).is_some_and(|count| *count >= OFTEN);
        often && text.chars().count() <= LONGEST_OF_TEMPLATE && !text.chars().any(char::is_numeric)
    }
}

/// The lines of a page that say something: no navigation, no buttons, no forms.
pub fn lines<'a>(
    page: &Page,
    passages: impl Iterator<Item = &'a Passage>,
    repeated: &Repeated<'_>,
) -> Vec<Line<'a>> {
    let acts: BTreeSet<&str> = (page.links.iter())
        .filter(|link| link.navigation || link.button)
        .map(|link| link.text.trim())
        .chain(page.actions.iter().map(|action| action.text.trim()))
        .collect();
    let is_form = |at: usize| page.blocks.get(at).is_some_and(|block| block.form);
    passages
        .filter(|passage| {
            let text = passage.text.as_str();
            let is_heading = passage.kind == BlockKind::Heading;
            let has_figure = text.chars().any(char::is_numeric) || text.contains('@');
            !is_form(passage.block)
                && (is_heading || has_figure || !acts.contains(text))
                && (is_heading || !repeated.is_template(text))
        })
        .map(|passage| Line {
            block: passage.block,
            kind: passage.kind,
            level: passage.level,
            text: &passage.text,
        })
        .collect()
}

/// Whether a line is nothing but a date or a year.
pub fn is_stamp(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    let ascii = words::with_ascii_digits(text);
    let is_year = ascii.len() == 4
        && ascii
            .parse()
            .is_ok_and(|year: u16| (1800..2100).contains(&year));
    line.kind != BlockKind::Heading
        && text.chars().count() <= LONGEST_STAMP
        && words::split(&words::fold(text)).len() <= WORDS_OF_STAMP
        && (is_year || dates::find(text).is_some())
}

/// Whether dates of the page stand above the headings that they date: the first one does not stand below such a heading.
fn dates_lead(lines: &[Line<'_>]) -> bool {
    let between = |window: &[Line<'_>]| -> Option<bool> {
        let [before, stamp, next] = window else {
            return None;
        };
        let next_heads = next.kind == BlockKind::Heading;
        let before_heads = before.kind == BlockKind::Heading && before.level >= next.level;
        is_stamp(stamp).then_some(next_heads && !before_heads)
    };
    let first = lines
        .first()
        .zip(lines.get(1))
        .is_some_and(|(first, next)| is_stamp(first) && next.kind == BlockKind::Heading);
    first || lines.windows(3).find_map(between).unwrap_or(false)
}

/// The sections in the order of the page.
pub fn sections<'a>(lines: &[Line<'a>]) -> Vec<Section<'a>> {
    let lead = dates_lead(lines);
    let mut found = vec![Section::default()];
    let mut open: Vec<Line<'a>> = Vec::new();
    for line in lines {
        if line.kind != BlockKind::Heading {
            if let Some(section) = found.last_mut() {
                section.body.push(*line);
            }
            continue;
        }
        let before = found.last_mut().filter(|_| lead);
        let stamp = before.and_then(|section| section.body.pop_if(|last| is_stamp(last)));
        open.retain(|known| known.level < line.level);
        found.push(Section {
            heading: Some(*line),
            above: open.last().copied(),
            stamp,
            body: Vec::new(),
        });
        open.push(*line);
    }
    found
}
