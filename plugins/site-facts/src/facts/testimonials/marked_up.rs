//! Quotations whose place tells what is said and by whom: paragraphs within one quotation above the heading with the name,
//! and cards with a text and a name below a heading that announces the words of customers.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::company::WE;
use gtm_lexicon::names::{GIVEN_NAMES, HONORIFICS};
use gtm_lexicon::proofs::{REVIEWS, TESTIMONIAL_HEADINGS};
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::{sentences, words};

use super::super::outline::{headed, sections};
use super::{CARD, House, is_initials, is_mark, is_of_the_house, is_personal, names_author};
use crate::site::Site;

/// Fewest quotations of one form: one alone may be anything above a heading.
const LEAST: usize = 2;
/// Fewest words of what somebody says.
const LEAST_WORDS: usize = 8;
/// Fewest and most words of a name.
const NAME: std::ops::RangeInclusive<usize> = 2..=4;
/// Most words of the line below a name, and of one that opens the rest of a text.
const LONGEST_LINE: usize = 6;
const LONGEST_OPENER: usize = 4;

/// What somebody says, and who that is.
pub struct Quotation<'a> {
    said: Vec<&'a Passage>,
    signed: Vec<&'a Passage>,
    /// Whether nothing stands between the two.
    is_joined: bool,
}

/// The quotations of such forms that are not of the house itself.
pub fn quotations<'a>(site: &Site, evidence: &'a Evidence, house: &House) -> Vec<Quotation<'a>> {
    let all: Vec<&Passage> = evidence.passages.iter().filter(|line| line.main).collect();
    let is_quote = |line: &Passage| line.kind == BlockKind::Quote;
    let mut found = below(&all, is_quote);
    let form = |one: &Quotation<'_>| {
        let name = one.signed.first().copied();
        name.filter(|name| name.kind == BlockKind::Heading)
            .map(|name| (name.page, name.level))
    };
    // How many have each form, and how many of them a given name: a heading below a tagline is no name.
    let mut forms: BTreeMap<(usize, u8), (usize, usize)> = BTreeMap::new();
    for one in &found {
        if let Some(own) = form(one) {
            let (all, named) = forms.entry(own).or_default();
            *all += 1;
            *named += usize::from(one.has_given_name());
        }
    }
    found.retain(|one| {
        let counted = form(one).and_then(|own| forms.get(&own));
        counted.is_some_and(|(all, named)| *all >= LEAST && named * 2 >= *all)
    });
    let mut signed: BTreeSet<(usize, usize)> = found.iter().flat_map(Quotation::signed).collect();
    let sections = sections(site, evidence);
    for section in headed(&sections, &TESTIMONIAL_HEADINGS) {
        let says = |line: &Passage| {
            matches!(
                line.kind,
                BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem | BlockKind::Quote
            ) && words::count(&line.text) >= LEAST_WORDS
        };
        // Where quotations are marked as such, what else stands there is none.
        let is_signed = |line: &&Passage| signed.contains(&(line.page, line.block));
        if section.body.iter().any(is_signed) {
            continue;
        }
        let (mut below, above) = (below(&section.body, says), above(&section.body, says));
        // What stands further above may lead to the cards.
        for card in &mut below {
            let last = card.said.len().saturating_sub(1);
            card.said.drain(..last);
        }
        let opener = section.body.iter().find(|line| !is_sign(line));
        let opens_with_name = opener.is_some_and(|line| {
            !says(line) && words::count(&line.text) <= *NAME.end() && has_given_name(&line.text)
        });
        // What a row begins and ends with says where its names stand, even if some of them are not known as such.
        let texts = || section.body.iter().filter(|line| says(line));
        let place = |line: &Passage| (line.page, line.block);
        let begins_named = above.first().and_then(|card| card.said.first());
        let begins_named =
            begins_named.map(|line| place(line)) == texts().next().map(|line| place(line));
        let ends_named = below.last().and_then(|card| card.said.last());
        let ends_named =
            ends_named.map(|line| place(line)) == texts().next_back().map(|line| place(line));
        let order = match (begins_named, ends_named) {
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            _ => above.len().cmp(&below.len()),
        };
        let cards = match order {
            Ordering::Greater => above,
            Ordering::Less => below,
            // `Anna` is too short for a name as others are asked for, but shows where they stand.
            Ordering::Equal if opens_with_name => above,
            Ordering::Equal if ends_in_own_words(&section.body, says) => below,
            // With a text at either end, nothing else tells which of them has no name.
            Ordering::Equal => continue,
        };
        let named = cards.iter().filter(|card| card.has_given_name()).count();
        if cards.len() >= LEAST && named * 2 >= cards.len() {
            signed.extend(cards.iter().flat_map(Quotation::signed));
            found.extend(cards);
        }
    }
    found.retain(|one| {
        !one.signed
            .iter()
            .any(|line| is_of_the_house(&line.text, house))
    });
    found
}

impl Quotation<'_> {
    /// The page that has it.
    pub fn page(&self) -> usize {
        self.said.first().map_or(0, |line| line.page)
    }

    /// The blocks that say what is said.
    pub fn said(&self) -> impl Iterator<Item = (usize, usize)> {
        self.said.iter().map(|line| (line.page, line.block))
    }

    /// The blocks that say who the author is.
    pub fn signed(&self) -> impl Iterator<Item = (usize, usize)> {
        self.signed.iter().map(|line| (line.page, line.block))
    }

    /// What is said with its author, as far as whole paragraphs or sentences of it are not too long, and what carries it.
    pub fn told(&self) -> Option<(String, Vec<Excerpt>)> {
        let signed: Vec<&str> = self.signed.iter().map(|line| line.text.trim()).collect();
        let signed = signed.join(" ");
        let most = CARD.end().saturating_sub(signed.chars().count() + 1);
        let mut said = String::new();
        let mut is_whole = true;
        for line in &self.said {
            let text = line.text.trim();
            if said.chars().count() + text.chars().count() < most {
                said = format!("{said} {text}").trim_start().to_owned();
                continue;
            }
            is_whole = false;
            if said.is_empty() {
                said = opening(text, most);
            }
            break;
        }
        let told = format!("{said} {signed}");
        let excerpt = |text: &str| Excerpt {
            page: self.page(),
            text: text.to_owned(),
        };
        let excerpts = match is_whole && self.is_joined {
            true => vec![excerpt(&told)],
            false => vec![excerpt(&said), excerpt(&signed)],
        };
        CARD.contains(&said.chars().count())
            .then_some((told, excerpts))
    }

    fn has_given_name(&self) -> bool {
        let name = self.signed.first().map_or("", |line| line.text.as_str());
        has_given_name(name)
    }
}

/// Whether a name has a given name, or a title in its place: `Mrs Marsh`.
pub(super) fn has_given_name(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let end = text.find(|c: char| !c.is_alphabetic());
    let (first, behind) = text.split_at(end.unwrap_or(text.len()));
    // A single letter is short for a title, as in `M. Roux`.
    let is_title = first.chars().count() > 1 || behind.starts_with('.');
    let titled = is_title
        && HONORIFICS.contains(&words::fold(first))
        && behind.contains(char::is_alphabetic);
    let mut parts = text.split(|c: char| !c.is_alphabetic());
    titled || is_initialled(text) || parts.any(|part| GIVEN_NAMES.contains(&words::fold(part)))
}

/// Whether a text is a name of which one part is but its initial: `D. Moor`, `Ida K.`
fn is_initialled(text: &str) -> bool {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let is_initial = |part: &&str| {
        part.strip_suffix('.').is_some_and(|letter| {
            letter.chars().count() == 1 && letter.chars().all(char::is_uppercase)
        })
    };
    let is_whole = |part: &&str| {
        part.chars().count() > 2
            && part.starts_with(char::is_uppercase)
            && part
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
    };
    parts.len() == 2
        && parts.iter().filter(|part| is_initial(part)).count() == 1
        && parts.iter().filter(|part| is_whole(part)).count() == 1
}

/// Whether the last text of a section is the company's own about what customers say, and the first one leads to none: `You
/// will find more reviews of our work on Google.`
fn ends_in_own_words(body: &[&Passage], says: impl Fn(&Passage) -> bool) -> bool {
    let mut texts = body.iter().filter(|line| says(line));
    let (Some(first), Some(last)) = (texts.next(), texts.next_back()) else {
        return false;
    };
    let (first, last) = (words::fold(&first.text), words::fold(&last.text));
    let (first, last) = (words::split(&first), words::split(&last));
    let leads = REVIEWS.any_in(&first) || TESTIMONIAL_HEADINGS.any_in(&first);
    WE.any_in(&last) && REVIEWS.any_in(&last) && !leads
}

/// The sentences with which a text begins, as many as are not too long.
fn opening(text: &str, most: usize) -> String {
    let mut found = "";
    for sentence in sentences::split(text, "en") {
        let end = text.find(sentence).map(|at| at + sentence.len());
        match end.and_then(|end| text.get(..end)) {
            Some(more) if more.chars().count() <= most => found = more,
            _ => break,
        }
    }
    found.to_owned()
}

/// Whether the line at this place follows the one before it on its page. One block between them may be missing: initials in
/// place of a picture are often no main text.
fn follows(lines: &[&Passage], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| lines.get(before)) else {
        return false;
    };
    let is_near = |line: &&Passage| {
        line.page == before.page && (before.block + 1..=before.block + 2).contains(&line.block)
    };
    lines.get(at).is_some_and(is_near)
}

/// Whether a line may be a person's name.
fn is_name(line: &Passage) -> bool {
    let text = line.text.trim();
    NAME.contains(&words::count(text))
        && is_personal(text)
        && !text.contains(|c: char| c.is_numeric() || ":!?…@".contains(c))
        && !matches!(line.kind, BlockKind::TableRow | BlockKind::Code)
}

/// Whether a line only opens the rest of a text: `… See more`.
fn is_opener(line: &Passage) -> bool {
    let text = line.text.trim();
    let cut = |text: &str| text.starts_with(['…']) || text.starts_with("...");
    words::count(text) <= LONGEST_OPENER
        && (cut(text) || text.ends_with('…') || text.ends_with("..."))
}

/// Whether a line shows nothing but who speaks or how much he likes it.
fn is_sign(line: &Passage) -> bool {
    is_mark(line) || is_initials(&line.text) || is_opener(line)
}

/// Texts with the name below them.
fn below<'a>(lines: &[&'a Passage], says: impl Fn(&Passage) -> bool) -> Vec<Quotation<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let begin = at;
        while lines.get(at).is_some_and(|line| says(line)) && (at == begin || follows(lines, at)) {
            at += 1;
        }
        let end = at;
        if begin == end {
            at += 1;
            continue;
        }
        while follows(lines, at) && lines.get(at).is_some_and(|line| is_sign(line)) {
            at += 1;
        }
        let name = lines
            .get(at)
            .filter(|line| follows(lines, at) && is_name(line));
        if let Some(name) = name {
            let line = lines
                .get(at + 1)
                .filter(|line| follows(lines, at + 1) && is_line(line));
            let signed: Vec<&Passage> = [Some(name), line].into_iter().flatten().copied().collect();
            let said = lines.get(begin..end).unwrap_or_default().to_vec();
            let whole: Vec<&&Passage> = said.iter().chain(&signed).collect();
            found.push(Quotation {
                is_joined: whole.windows(2).all(|pair| match pair {
                    [one, next] => one.block + 1 == next.block,
                    _ => true,
                }),
                said,
                signed,
            });
        }
    }
    found
}

/// Texts with the name above them.
fn above<'a>(lines: &[&'a Passage], says: impl Fn(&Passage) -> bool) -> Vec<Quotation<'a>> {
    let mut found = Vec::new();
    for (at, name) in lines.iter().enumerate() {
        if !is_name(name) || says(name) {
            continue;
        }
        let mut next = at + 1;
        let line = lines
            .get(next)
            .filter(|line| follows(lines, next) && is_line(line) && !says(line));
        next += usize::from(line.is_some());
        while follows(lines, next) && lines.get(next).is_some_and(|line| is_sign(line)) {
            next += 1;
        }
        if let Some(said) = lines
            .get(next)
            .filter(|line| follows(lines, next) && says(line))
        {
            found.push(Quotation {
                said: vec![said],
                signed: [Some(name), line].into_iter().flatten().copied().collect(),
                is_joined: false,
            });
        }
    }
    found
}

/// Whether a line beside a name may be the author's role, company or town.
fn is_line(line: &Passage) -> bool {
    matches!(
        line.kind,
        BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem
    ) && words::count(&line.text) <= LONGEST_LINE
        && names_author(line)
}
