//! Whom the company is looking for: the titles of its vacancies, never the texts that ask for applications.

mod lists;
mod rows;

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::roles::{BOTH_SEXES, JOBS, NO_OPENINGS, OPENINGS_HEADINGS, PERKS, VACANCY_LABELS};
use gtm_site_facts::facts::names_a_sum;
use gtm_site_facts::site::Site;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::Passage;
use gtm_site_research::organization;
use gtm_site_research::page::BlockKind;
use gtm_site_research::{facts, words};

use self::lists::{items_by_hand, under_nouns};
use super::{Signal, kind_of};

/// The kind of these signals.
pub const HIRING_KIND: &str = "hiring";
/// Most words and characters of a title.
const MOST_WORDS: usize = 14;
const LONGEST: usize = 160;
/// Most words of a title that only its place among others tells.
const MOST_WORDS_OF_CARD: usize = 8;
/// Longest text that ends each of several cards alike.
const LONGEST_CALL: usize = 40;

fn opening(title: &str, date: Option<Date>, page: usize, carrier: &str) -> Signal {
    Signal {
        text: title.to_owned(),
        kind: HIRING_KIND,
        date,
        excerpts: vec![Excerpt {
            page,
            text: carrier.to_owned(),
        }],
        order: usize::MAX,
    }
}

/// Vacancies in the structured data of the site's pages.
pub struct Declared {
    title: String,
    page: usize,
    posted: Option<Date>,
    until: Option<Date>,
}

impl Declared {
    /// The signal of a vacancy that is still open.
    pub fn signal(&self, now: Date) -> Option<Signal> {
        let open = self.until.is_none_or(|end| end >= now);
        open.then(|| opening(&self.title, self.posted, self.page, &self.title))
    }
}

/// Vacancies that the site declares, closed ones too.
pub fn declared(site: &Site) -> Vec<Declared> {
    let mut found = Vec::new();
    for (page, _, content) in site.own_pages() {
        for posting in content.json_ld_objects() {
            let types = organization::texts(posting, "@type");
            if !types.iter().any(|kind| kind.ends_with("JobPosting")) {
                continue;
            }
            let text = |member: &str| organization::texts(posting, member).into_iter().next();
            let date = |member: &str| text(member).as_deref().and_then(dates::find);
            if let Some(title) = text("title").filter(|title| fits(title)) {
                found.push(Declared {
                    title,
                    page,
                    posted: date("datePosted"),
                    until: date("validThrough"),
                });
            }
        }
    }
    found
}

/// Titles of vacancies on a careers page: by their words, by the letters for every sex behind them, by their label, or by
/// their place among others.
pub fn openings(passages: &[&Passage], declared: &[Declared]) -> Vec<Signal> {
    let declared: Vec<String> = declared
        .iter()
        .map(|posting| words::fold(&posting.title))
        .collect();
    let mut titles: BTreeMap<usize, &str> = BTreeMap::new();
    let mut labelled_at: BTreeSet<usize> = rows::behind_labels(passages).into_iter().collect();
    for (at, passage) in passages.iter().enumerate() {
        let text = in_one_script(passage.text.as_str());
        let folded = words::fold(text);
        let is_entry = passage.main
            && matches!(
                passage.kind,
                BlockKind::Heading | BlockKind::ListItem | BlockKind::TableRow
            );
        // Its translation may have the word.
        let told = is_entry && JOBS.any_in(&words::split(&words::fold(&passage.text)));
        if let Some(title) = labelled(text).or_else(|| in_row(passage)) {
            titles.insert(at, title);
            labelled_at.insert(at);
        } else if labelled_at.contains(&at)
            || fits(text) && (told || is_for_every_sex(text) || declared.contains(&folded))
        {
            titles.insert(at, text);
        }
    }
    rows::without_terms(passages, &mut labelled_at, &mut titles);
    for list in listed(passages) {
        // Where vacancies are told by their own words, a list without any is of something else: of places, of teams.
        if !titles.is_empty() && !list.iter().any(|at| titles.contains_key(at)) {
            continue;
        }
        for at in list {
            if let Some(passage) = passages.get(at) {
                titles.entry(at).or_insert(&passage.text);
            }
        }
    }
    for at in headings_beside(passages, &titles)
        .into_iter()
        .chain(cards(passages, &titles))
        .chain(under_nouns(passages, &titles))
    {
        let Some(passage) = passages.get(at) else {
            continue;
        };
        let text = in_one_script(&passage.text);
        if fits(text) && words::count(text) <= MOST_WORDS_OF_CARD {
            titles.entry(at).or_insert(text);
        }
    }
    let mut found: Vec<Signal> = Vec::new();
    let tables = rows::tables(passages, &labelled_at, &titles);
    for rows in &tables {
        found.push(rows::signal(passages, rows, &titles));
        titles.retain(|at, _| !rows.contains(at));
    }
    for (at, passage) in passages.iter().enumerate() {
        let date = dates::find(&passage.text);
        if tables.iter().any(|rows| rows.contains(&at)) {
            continue;
        }
        if let Some(title) = titles.get(&at) {
            let titles = items_by_hand(title).into_iter();
            found.extend(titles.map(|title| opening(title, date, passage.page, &passage.text)));
        } else if passage.main
            && passage.kind == BlockKind::Paragraph
            && passage.text.chars().count() <= 240
            && !facts::numbers(&passage.text).is_empty()
            && kind_of(&passage.text) == Some(HIRING_KIND)
        {
            // How many people a company looks for says something, that it looks for good ones does not.
            found.push(opening(&passage.text, date, passage.page, &passage.text));
        }
    }
    found
}

/// Vacancies that a page of another kind lists under a heading for them.
pub fn under_headings(passages: &[&Passage]) -> Vec<Signal> {
    let listed = listed(passages).into_iter().flatten();
    listed
        .filter_map(|at| passages.get(at))
        .map(|passage| opening(&passage.text, None, passage.page, &passage.text))
        .collect()
}

/// Most passages of text between a heading and its list.
const MOST_LEADS: usize = 2;

/// What stands in a list right under a heading such as `Open positions`, if it does not say that there are none.
fn listed(passages: &[&Passage]) -> Vec<Vec<usize>> {
    let heads =
        |passage: &Passage| passage.kind == BlockKind::Heading && is_called_openings(&passage.text);
    let mut found = Vec::new();
    for (at, heading) in passages.iter().enumerate() {
        // A line right above a heading announces what stands below it.
        let above = at.checked_sub(1).and_then(|above| passages.get(above));
        let is_announced = heading.kind == BlockKind::Heading
            && above.is_some_and(|above| {
                above.page == heading.page
                    && above.block + 1 == heading.block
                    && matches!(above.kind, BlockKind::Paragraph | BlockKind::Other)
                    && is_called_openings(&above.text)
            });
        if !heads(heading) && !is_announced {
            continue;
        }
        let under = || {
            let rest = passages.iter().enumerate().skip(at + 1);
            let within = |(_, next): &(usize, &&Passage)| {
                next.page == heading.page
                    && !(next.kind == BlockKind::Heading && next.level <= heading.level)
            };
            rest.take_while(within)
        };
        let is_lead = |(_, next): &(usize, &&Passage)| {
            matches!(next.kind, BlockKind::Paragraph | BlockKind::Other)
                && next.text.ends_with(['.', ':', '!', '。', '：'])
        };
        let leads = under().take(MOST_LEADS).take_while(is_lead).count();
        let Some((_, first)) = under().nth(leads) else {
            continue;
        };
        let level = first.level;
        let titles: Vec<usize> = match first.kind {
            // Titles over texts on each of them.
            BlockKind::Heading => under()
                .filter(|(_, next)| next.kind == BlockKind::Heading && next.level == level)
                .map(|(at, _)| at)
                .collect(),
            BlockKind::ListItem | BlockKind::TableRow | BlockKind::Other => under()
                .skip(leads)
                .take_while(|(_, next)| next.kind == first.kind && is_title(&next.text))
                .map(|(at, _)| at)
                .collect(),
            // A row of lines may be anything, unless letters say that each is for every sex.
            BlockKind::Paragraph => under()
                .skip(leads)
                .take_while(|(_, next)| {
                    next.kind == first.kind && is_title(&next.text) && is_for_every_sex(&next.text)
                })
                .map(|(at, _)| at)
                .collect(),
            _ => Vec::new(),
        };
        let denied = under()
            .take(leads + titles.len() + 1)
            .any(|(_, next)| NO_OPENINGS.any_in(&words::split(&words::fold(&next.text))));
        let all = titles
            .iter()
            .filter_map(|at| passages.get(*at))
            .all(|passage| is_title(&passage.text));
        if !denied && all {
            found.push(titles);
        }
    }
    found
}

/// Whether a text is a heading for vacancies and nothing else.
fn is_called_openings(text: &str) -> bool {
    OPENINGS_HEADINGS.are(&words::split(&words::fold(text)))
}

/// Whether a text in a list of vacancies can be the title of one.
fn is_title(text: &str) -> bool {
    fits(text)
        && words::count(text) <= MOST_WORDS_OF_CARD
        && text.chars().count() >= 2
        && !text.starts_with(|c: char| c.is_numeric() || c.is_lowercase())
        && !text.contains('@')
        && !boilerplate::is_call_to_act(text)
}

/// A title without the note behind it.
fn without_note(title: &str) -> &str {
    title.split('※').next().unwrap_or_default().trim()
}

/// The title in the row of a table behind its label.
fn in_row(passage: &Passage) -> Option<&str> {
    let (label, title) = passage.text.split_once(char::is_whitespace)?;
    let title = without_note(title);
    let is_label = VACANCY_LABELS.are(&words::split(&words::fold(label)));
    (passage.kind == BlockKind::TableRow && is_label && is_title(title)).then_some(title)
}

/// Whether a text is short enough for a title, and neither a sentence nor what is paid.
fn fits(text: &str) -> bool {
    let pays = text
        .split_once([':', '：'])
        .is_some_and(|(_, sum)| names_a_sum(sum));
    (1..=MOST_WORDS).contains(&words::count(text))
        && text.chars().count() <= LONGEST
        && !text.ends_with(['.', '?', '!', ':', '。', '：', '？', '！'])
        && !pays
        && !is_perk(text)
        && !is_about_openings(text)
}

/// Whether a line says what a vacancy offers, and names no job: `30 days of annual leave`.
fn is_perk(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    PERKS.any_in(&words) && !JOBS.any_in(&words) && !is_for_every_sex(text)
}

/// Whether a line tells of vacancies rather than naming one: how many there are (`12 open positions`), or points part where
/// and for how long, and no job stands first (`Full-time · Leeds`).
fn is_about_openings(text: &str) -> bool {
    let folded = words::fold(text);
    let counts = text.starts_with(|c: char| c.is_ascii_digit())
        && OPENINGS_HEADINGS.any_in(&words::split(&folded));
    let first = text.split(PARTING).next().unwrap_or_default();
    let names_job = || JOBS.any_in(&words::split(&words::fold(first))) || is_for_every_sex(text);
    counts || first.len() < text.len() && !names_job()
}

/// What parts the facts of one line.
const PARTING: [char; 3] = ['·', '|', '•'];

/// The title behind a label: `Open position: Technician`.
fn labelled(text: &str) -> Option<&str> {
    let (label, title) = text.split_once([':', '：'])?;
    let folded = words::fold(label);
    let title = without_note(title);
    (VACANCY_LABELS.are(&words::split(&folded)) && fits(title) && !title.is_empty())
        .then_some(title)
}

/// Whether letters say that a vacancy is for every sex: `(m/w/d)`, `H/F`, `Monteur:in`.
pub(super) fn is_for_every_sex(text: &str) -> bool {
    let mut tokens = words::tokens(text).into_iter();
    tokens.any(|(.., word)| has_both_ends(word) || marks_every_sex(word))
}

/// Whether a word is nothing but the letters for every sex: `(m/w/d)`, `H/F`.
fn marks_every_sex(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let letters: Vec<&str> = bare.split(['/', '|']).collect();
    let single = |part: &&str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    letters.len() >= 2 && letters.iter().all(single)
}

/// Whether a word written like a noun also has the end of the other sex behind a mark inside of it.
fn has_both_ends(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', ')']);
    let mut ends = BOTH_SEXES.iter();
    let stem = ends.find_map(|end| {
        let marked = word.strip_suffix(end)?;
        let stem = marked.strip_suffix('-').unwrap_or(marked);
        stem.strip_suffix([':', '*', '_', '/', '('])
    });
    stem.is_some_and(|stem| {
        stem.starts_with(char::is_uppercase)
            && stem.chars().count() >= 3
            && stem.ends_with(char::is_alphabetic)
    })
}

/// A title in a script without capitals, without the capitals of its translation that stand right behind it.
fn in_one_script(text: &str) -> &str {
    let behind =
        text.trim_end_matches(|c: char| c.is_ascii_uppercase() || matches!(c, ' ' | '&' | '/'));
    let last = behind.chars().next_back();
    let glued = last.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
    if glued && text.len() >= behind.len() + 4 {
        behind
    } else {
        text
    }
}

/// Headings of one level under one heading, of which at least half are titles: the others are, too.
fn headings_beside(passages: &[&Passage], titles: &BTreeMap<usize, &str>) -> Vec<usize> {
    let mut closed: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<(u8, Vec<usize>)> = Vec::new();
    for (at, passage) in passages.iter().enumerate() {
        if passage.kind != BlockKind::Heading {
            continue;
        }
        while let Some((_, group)) = open.pop_if(|(level, _)| *level > passage.level) {
            closed.push(group);
        }
        match open.last_mut() {
            Some((level, group)) if *level == passage.level => group.push(at),
            _ => open.push((passage.level, vec![at])),
        }
    }
    closed
        .into_iter()
        .chain(open.into_iter().map(|(_, group)| group))
        .filter(|group| {
            let known = group.iter().filter(|at| titles.contains_key(at)).count();
            known >= 2 && known * 2 >= group.len()
        })
        .flatten()
        .collect()
}

/// Cards that end with the same call, of which at least two have a title at the same place: the others have theirs there.
fn cards(passages: &[&Passage], titles: &BTreeMap<usize, &str>) -> Vec<usize> {
    let mut calls: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, passage) in passages.iter().enumerate() {
        // A call's arrow is no part of its words. Requirements may be alike on several cards, too.
        let call = passage.text.trim_matches(|c: char| !c.is_alphanumeric());
        let is_call = passage.kind != BlockKind::ListItem && passage.kind != BlockKind::Heading;
        if is_call && !call.is_empty() && passage.text.chars().count() <= LONGEST_CALL {
            calls.entry(call).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for ends in calls.values().filter(|ends| ends.len() >= 3) {
        let places = ends.windows(2).filter_map(|pair| {
            let [end, next] = pair else { return None };
            titles.range(end + 1..*next).next().map(|(at, _)| at - end)
        });
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        places.for_each(|place| *counts.entry(place).or_default() += 1);
        if let Some((place, _)) = counts.into_iter().find(|(_, count)| *count >= 2) {
            let inside = ends.windows(2).filter_map(|pair| {
                let [end, next] = pair else { return None };
                Some(end + place).filter(|at| at < next)
            });
            // What stands there must have the form of the known titles.
            let form = |at: usize| {
                passages
                    .get(at)
                    .map(|passage| (passage.kind, passage.level))
            };
            let known: Vec<_> = inside
                .clone()
                .filter(|at| titles.contains_key(at))
                .map(form)
                .collect();
            found.extend(inside.filter(|at| known.contains(&form(*at))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_vacancies_are_no_titles() {
        for text in [
            "12 open positions",
            "3 offene Stellen",
            "Full-time · Leeds · from May",
            "Vollzeit | Ulmingen",
        ] {
            assert!(!fits(text), "{text}");
        }
        for text in [
            "Engineer",
            "Monteur (m/w/d) · Ulmingen",
            "Fitter for stairs",
        ] {
            assert!(fits(text), "{text}");
        }
    }

    #[test]
    fn titles_have_a_form_of_their_own() {
        for text in [
            "Monteur (m/w/d)",
            "Technicien H/F",
            "Monteur m/v/x",
            "Zerspanungsmechaniker:in (Fräsen)",
            "Schlosser/-in",
            "Schlosser_in",
            "Schlosser(in)",
        ] {
            assert!(is_for_every_sex(text), "{text}");
        }
        assert!(!is_for_every_sex("Wir sind in Ulm: in der Stadt"));
        assert!(!is_for_every_sex("Kosten/Nutzen und/oder 24/7"));
        assert_eq!(
            labelled("📌 Posizione aperta: Tecnico riparatore"),
            Some("Tecnico riparatore")
        );
        assert_eq!(labelled("Luogo: Bologna"), None);
        assert_eq!(
            in_one_script("重機オペレーターHEAVY OPERATOR"),
            "重機オペレーター"
        );
        assert_eq!(in_one_script("営業SALES"), "営業");
        assert_eq!(in_one_script("ITエンジニア"), "ITエンジニア");
        assert_eq!(in_one_script("Head of IT"), "Head of IT");
        assert!(!fits("Workshop manager: £1,850 a month") && !fits("We look for you!"));
    }
}
