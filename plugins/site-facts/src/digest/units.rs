//! What may stand in the digest: sections with their first sentence, lists, rows, lines in a row, headings side by side.

use std::collections::{BTreeMap, BTreeSet};

use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{self, Evidence, Passage};
use gtm_site_research::page::{BlockKind, Page};
use gtm_site_research::sentences;
use gtm_site_research::words;

use super::score::{Frequencies, width};
use super::sections::{Line, Repeated, Section, is_stamp, lines, sections};
use super::told::Told;
use crate::part::Part as PagePart;
use crate::site::Site;

/// Widest part of an entry, and widest entry of several.
const WIDEST_PART: usize = 420;
const WIDEST_ROW: usize = 320;
/// Widest line that is read as one of a list, not as prose.
const WIDEST_LINE: usize = 110;
/// Widest heading that is shown above an entry.
const WIDEST_HEADING: usize = 240;
/// Narrowest entry with its heading, unless it has a figure.
const NARROWEST: usize = 18;
/// Fewest words of a heading that says something by itself.
const WORDS_OF_STATEMENT: usize = 5;
/// Digits of a line by which a company is reached.
const DIGITS_OF_CONTACT: usize = 5;
/// What an entry is worth by its place on the page.
const LEAD: i32 = 6;
const FIRST_OF_PAGE: i32 = 6;
const SEVERAL: i32 = 4;
/// What a sentence loses that points at one before it.
const REFERS_BACK: i32 = 8;

/// A quotation of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub block: usize,
    /// Verbatim.
    pub text: String,
}

/// A possible entry of the digest.
#[derive(Debug, Clone)]
pub struct Unit {
    pub page: usize,
    pub heading: Option<Part>,
    pub parts: Vec<Part>,
    /// Whether it is the row of a page's headings: what stands below them is not in it.
    pub is_outline: bool,
    /// What its place on the page is worth.
    pub place: i32,
    /// How much it says.
    pub score: i32,
}

impl Unit {
    /// Its heading and its text.
    fn text(&self) -> String {
        let parts = self.heading.iter().chain(&self.parts);
        let texts: Vec<&str> = parts.map(|part| part.text.as_str()).collect();
        texts.join(" ")
    }

    pub fn width(&self) -> usize {
        width(&self.text())
    }

    /// Where it stands on the page.
    pub fn block(&self) -> usize {
        self.parts.first().map_or(0, |part| part.block)
    }
}

/// The order in which a reader goes through a site.
fn rank(part: PagePart) -> u8 {
    match part {
        PagePart::Home => 0,
        PagePart::About => 1,
        PagePart::Product | PagePart::Other => 2,
        PagePart::Pricing => 3,
        PagePart::Customers | PagePart::Trust => 4,
        PagePart::Questions => 5,
        PagePart::Press => 6,
        PagePart::Careers => 7,
        PagePart::Contact => 8,
        PagePart::Legal | PagePart::External => 9,
    }
}

/// The possible entries of each page, in the order of a reader.
pub fn of_site(site: &Site, evidence: &Evidence, told: &Told) -> Vec<Vec<Unit>> {
    let foreign = evidence::pages_in_another_language(&site.research, &evidence.passages);
    let mut own: Vec<(usize, PagePart, &Page)> = site
        .own_pages()
        .filter(|(page, ..)| !foreign.contains(page) && !site.is_policy(*page))
        .collect();
    own.sort_by_key(|(page, part, _)| (rank(*part), *page));
    let mut of_page: BTreeMap<usize, Vec<&Passage>> = BTreeMap::new();
    for passage in &evidence.passages {
        of_page.entry(passage.page).or_default().push(passage);
    }
    let repeated = Repeated::of(&evidence.passages);
    let mut once = Once {
        told,
        seen: BTreeSet::new(),
    };
    let mut pages = Vec::new();
    for (page, part, content) in own {
        let passages = of_page.get(&page).map_or(&[][..], Vec::as_slice);
        let main = passages.iter().copied().filter(|passage| passage.main);
        let main = lines(content, main, &repeated);
        let declared = content.language.as_deref();
        let mut reader = Reader {
            page,
            language: declared.unwrap_or(&site.research.language),
            found: Vec::new(),
        };
        reader.read(&sections(&main), part);
        if part == PagePart::Home {
            let rest = passages.iter().copied().filter(|passage| !passage.main);
            reader.footer(&lines(content, rest, &repeated));
        }
        pages.push(once.untold(reader.found));
    }
    let mut frequencies = Frequencies::default();
    for unit in pages.iter().flatten() {
        frequencies.add(&unit.text());
    }
    for unit in pages.iter_mut().flatten() {
        unit.score = unit.place + frequencies.score(&unit.text());
    }
    pages
}

/// Keeps each text once.
struct Once<'t> {
    told: &'t Told,
    /// Letters of the parts so far.
    seen: BTreeSet<String>,
}

impl Once<'_> {
    fn untold(&mut self, units: Vec<Unit>) -> Vec<Unit> {
        let mut kept = Vec::new();
        for mut unit in units {
            unit.parts.retain(|part| {
                let letters = words::letters(&part.text);
                // A date or a count may recur with another meaning.
                let recurs = letters.chars().filter(|c| c.is_alphabetic()).count() > 3;
                !self.told.has(&part.text) && (!recurs || self.seen.insert(letters))
            });
            let says_something = (unit.parts.iter())
                .any(|part| part.text.chars().filter(|c| c.is_alphanumeric()).count() > 1);
            let text = unit.text();
            let is_wide = width(&text) >= NARROWEST || text.chars().any(char::is_numeric);
            if says_something && is_wide {
                kept.push(unit);
            }
        }
        kept
    }
}

/// Reads the entries of one page.
struct Reader<'a> {
    page: usize,
    language: &'a str,
    found: Vec<Unit>,
}

impl Reader<'_> {
    fn read(&mut self, sections: &[Section<'_>], part: PagePart) {
        let mut bare: Vec<&Section<'_>> = Vec::new();
        let mut begun = false;
        for (at, section) in sections.iter().enumerate() {
            if section.heading.is_none() && section.body.is_empty() {
                continue;
            }
            let first = !begun;
            begun = true;
            // What an advert says of a job says little of the company, and an imprint disclaims.
            let titles_only = part == PagePart::Careers && !first;
            if section.body.is_empty() || titles_only {
                let below = sections.get(at + 1).and_then(|next| next.above);
                let is_above =
                    below.map(|line| line.block) == section.heading.map(|line| line.block);
                let states = (section.heading).is_some_and(|heading| is_statement(heading.text));
                if !is_above || states || section.stamp.is_some() {
                    let of_other = bare.first().is_some_and(|known| {
                        known.above.map(|line| line.block) != section.above.map(|line| line.block)
                    });
                    if of_other {
                        self.row_of_headings(&std::mem::take(&mut bare));
                    }
                    bare.push(section);
                }
                continue;
            }
            self.row_of_headings(&std::mem::take(&mut bare));
            self.section(section, first, part);
        }
        self.row_of_headings(&bare);
        // What an imprint disclaims is of no use to a reader.
        if part != PagePart::Legal {
            self.outline(sections);
        }
    }

    /// Headings below which nothing stands: names of services, titles of news.
    fn row_of_headings(&mut self, bare: &[&Section<'_>]) {
        let parts = bare
            .iter()
            .flat_map(|section| section.stamp.iter().chain(&section.heading));
        let above = bare.first().and_then(|section| section.above);
        let lines: Vec<Line<'_>> = parts.copied().collect();
        self.rows(above, &lines, 0);
    }

    /// All headings of the page in a row.
    fn outline(&mut self, sections: &[Section<'_>]) {
        let headings = sections.iter().filter(|section| !section.body.is_empty());
        let parts: Vec<Part> = headings
            .filter_map(|section| section.heading)
            .filter(|line| line.level > 1 && width(line.text) <= WIDEST_LINE)
            .map(|line| part(&line))
            .collect();
        if parts.len() > 1 {
            self.found.push(Unit {
                is_outline: true,
                ..unit(self.page, None, parts, 0)
            });
        }
    }

    fn section(&mut self, section: &Section<'_>, first: bool, part: PagePart) {
        let mut place = LEAD + if first { FIRST_OF_PAGE } else { 0 };
        let mut row: Vec<Line<'_>> = section.stamp.into_iter().collect();
        for line in &section.body {
            if is_prose(line) {
                // A label or a date stands with the sentence behind it.
                let label = match row.as_slice() {
                    [one] if is_stamp(one) || width(one.text) < NARROWEST => row.pop(),
                    _ => None,
                };
                self.rows(section.heading, &std::mem::take(&mut row), place);
                if part != PagePart::Legal {
                    self.prose(section.heading, label, line, place);
                    place = 0;
                }
            } else {
                row.push(*line);
            }
        }
        self.rows(section.heading, &row, place);
    }

    /// The sentences of a block; the first one with what stands above it.
    fn prose(
        &mut self,
        heading: Option<Line<'_>>,
        label: Option<Line<'_>>,
        line: &Line<'_>,
        place: i32,
    ) {
        let mut label = label;
        let mut place = place;
        for sentence in sentences::split(line.text, self.language) {
            let folded = words::fold(sentence);
            let said = words::split(&folded);
            let asks = sentence.ends_with(['?', '？', '؟']);
            if asks || width(sentence) > WIDEST_PART || boilerplate::is_call_to_act(sentence) {
                continue;
            }
            let own = match sentences::refers_back(&said) {
                true => place - REFERS_BACK,
                false => place,
            };
            let quoted = Part {
                block: line.block,
                text: sentence.to_owned(),
            };
            let parts = label.take().map(|line| part(&line)).into_iter();
            let parts = parts.chain([quoted]).collect();
            self.found.push(unit(self.page, heading, parts, own));
            place = 0;
        }
    }

    /// Lines in a row, as many in one entry as fit.
    fn rows(&mut self, heading: Option<Line<'_>>, lines: &[Line<'_>], place: i32) {
        let mut parts: Vec<Part> = Vec::new();
        let mut taken = 0;
        let fits = |line: &&Line<'_>| {
            width(line.text) <= WIDEST_PART && !boilerplate::is_call_to_act(line.text)
        };
        for line in lines.iter().filter(fits) {
            let wide = width(line.text);
            if taken + wide > WIDEST_ROW && !parts.is_empty() {
                self.row(heading, std::mem::take(&mut parts), place);
                taken = 0;
            }
            taken += wide;
            parts.push(part(line));
        }
        if !parts.is_empty() {
            self.row(heading, parts, place);
        }
    }

    fn row(&mut self, heading: Option<Line<'_>>, parts: Vec<Part>, place: i32) {
        let several = if parts.len() > 2 { SEVERAL } else { 0 };
        let entry = unit(self.page, heading, parts, place + several);
        self.found.push(entry);
    }

    /// The lines outside of the page's main part by which the company is reached.
    fn footer(&mut self, lines: &[Line<'_>]) {
        let reaches = |line: &&Line<'_>| {
            let digits = line.text.chars().filter(|c| c.is_numeric()).count();
            line.kind != BlockKind::Heading
                && width(line.text) <= WIDEST_LINE
                && (line.text.contains('@') || digits >= DIGITS_OF_CONTACT)
        };
        let found: Vec<Line<'_>> = lines.iter().filter(reaches).copied().collect();
        self.rows(None, &found, 0);
    }
}

fn unit(page: usize, heading: Option<Line<'_>>, parts: Vec<Part>, place: i32) -> Unit {
    Unit {
        page,
        heading: heading
            .filter(|line| width(line.text) <= WIDEST_HEADING)
            .map(|line| part(&line)),
        parts,
        is_outline: false,
        place,
        score: 0,
    }
}

fn part(line: &Line<'_>) -> Part {
    Part {
        block: line.block,
        text: line.text.to_owned(),
    }
}

/// Whether a block is running text rather than a line of a list.
fn is_prose(line: &Line<'_>) -> bool {
    let has_end =
        line.text.contains(['。', '！']) || line.text.ends_with(['.', '!', '…', '؟', '۔', '।']);
    let wide = width(line.text);
    line.kind != BlockKind::TableRow
        && (wide > WIDEST_LINE || has_end && words::count(line.text) >= WORDS_OF_STATEMENT)
}

/// Whether a heading says something by itself.
fn is_statement(heading: &str) -> bool {
    words::count(heading) >= WORDS_OF_STATEMENT || heading.chars().any(char::is_numeric)
}
