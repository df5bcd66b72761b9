//! Work done for customers, as cards tell it under headings for projects and on pages about them.

use gtm_lexicon::company::{WE, WE_AND_YOU, YOU};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::proofs::{PORTFOLIOS, PROJECT_HEADINGS, TESTIMONIAL_HEADINGS};
use gtm_lexicon::prose::I;
use gtm_lexicon::roles::JOBS;
use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::sentences;
use gtm_site_research::words;

use super::super::legal_names;
use super::super::letters;
use super::super::others::Own;
use super::super::outline::{Item, Section, sections};
use super::super::segments::Sold;
use super::super::speaker::addresses;
use super::super::topics;
use crate::part::Part;
use crate::site::Site;

/// Fewest projects of a list, and of a page that is called so.
const LEAST: usize = 3;
const LEAST_OF_PAGE: usize = 2;
/// Fewest projects without names or numbers on a page that is called so.
const LEAST_PLAIN: usize = 4;
/// Most words of the heading of a project.
const LONGEST_HEADING: usize = 14;
/// Fewest words of its text, and most characters of both.
const LEAST_TEXT: usize = 3;
const LONGEST: usize = 420;
/// Marks that part the name of a customer from what was done.
const BETWEEN: [&str; 6] = [" – ", " — ", " - ", " | ", " · ", ": "];

/// The projects, each with its page and whether it names someone, a place or a number: the heading and the first sentence
/// of the text below.
pub(super) fn projects(site: &Site, evidence: &Evidence) -> Vec<(usize, String, bool)> {
    let own = Own::new(site, None);
    let sold = Sold::of(site, &sections(site, evidence));
    let mut found: Vec<(usize, Project)> = Vec::new();
    // Pages about projects tell more of each than the home page.
    let mut lists = topics::about(site, evidence, &PROJECT_HEADINGS);
    lists.sort_by_key(|(_, is_page)| !is_page);
    for (section, is_page) in lists {
        let elsewhere = matches!(
            section.part,
            Part::Legal | Part::Careers | Part::Questions | Part::Press
        );
        if elsewhere || section.is_headed(&TESTIMONIAL_HEADINGS) {
            continue;
        }
        let cards = topics::cards(&section);
        // In a portfolio of goods, numbers are their sizes.
        let of_goods = is_portfolio(&section, site);
        let told: Vec<Project> = cards
            .iter()
            .filter(|card| !sold.has(card.name))
            .filter_map(|card| project(card, site, &own))
            .map(|project| Project {
                is_particular: project.is_named || project.is_particular && !of_goods,
                ..project
            })
            .collect();
        let particular = told.iter().filter(|project| project.is_particular).count();
        let least = if is_page { LEAST_OF_PAGE } else { LEAST };
        // On a page that is called so, cards that all tell of something in the same way are projects without names, too.
        let plain = is_page
            && !of_goods
            && section.part == Part::Customers
            && told.len() >= LEAST_PLAIN
            && told.len() == cards.len()
            && told.iter().all(|project| project.is_told);
        // So are cards of a gallery that each have a label of their own above: what kind of work it is, or for whom.
        let plain = plain
            || !of_goods
                && told.len() >= LEAST_PLAIN
                && told.len() == cards.len()
                && told.iter().all(|project| project.is_told)
                && cards.iter().all(|card| has_label(card, evidence));
        // Where other things stand in the row, too, the row is of something else.
        if plain || particular >= least && told.len() * 2 >= cards.len() {
            // Among projects that have names or numbers, the others are some, too.
            let all = plain || is_page && particular * 2 >= told.len();
            for project in told {
                let known = found.iter().any(|(_, known)| known.is_of(&project));
                if (all || project.is_particular) && !known {
                    found.push((section.heading.page, project));
                }
            }
        }
    }
    let texts = found.into_iter();
    texts
        .map(|(page, project)| (page, project.text, project.is_particular))
        .collect()
}

/// What a card tells of one project.
struct Project {
    text: String,
    /// The letters of the heading.
    heading: String,
    /// Whether it names someone or a place, or has a number.
    is_particular: bool,
    /// Whether it names someone or a place.
    is_named: bool,
    /// Whether a whole sentence tells of it, and not of the company.
    is_told: bool,
}

impl Project {
    /// Whether both are one project, or two for one customer: the heading of one begins with the other's.
    fn is_of(&self, other: &Self) -> bool {
        let (one, two) = (self.heading.as_str(), other.heading.as_str());
        one.starts_with(two) || two.starts_with(one)
    }
}

fn project(card: &Item<'_>, site: &Site, own: &Own) -> Option<Project> {
    let language = primary_language(&site.research.language);
    let name = card.name_passage;
    let text = card.text_passage?;
    let sentence = sentences::split(&text.text, language).into_iter().next()?;
    let is_text = matches!(
        text.kind,
        BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem
    );
    let fits = is_text
        && text.block == name.block + 1
        && is_heading(name, site, own)
        && words::count(sentence) >= LEAST_TEXT
        && !sentence.ends_with(['?', '…', ':'])
        && !sentence.starts_with(['"', '“', '„', '«', '»', '‘', '「', '『', '‹'])
        && !boilerplate::is_call_to_act(sentence)
        && !addresses(&YOU, sentence, language)
        && !says_i(sentence, language);
    let joined = format!("{} {sentence}", name.text);
    let has_number = |text: &str| text.contains(|c: char| c.is_numeric());
    let is_named = fits && is_named(&name.text, sentence, site, own);
    (fits && joined.chars().count() <= LONGEST).then(|| Project {
        heading: letters(&name.text),
        is_particular: is_named || has_number(&joined),
        is_named,
        is_told: sentence.ends_with(['.', '。']) && !addresses(&WE_AND_YOU, sentence, language),
        text: joined,
    })
}

/// Most words of a label.
const LONGEST_LABEL: usize = 4;

/// Whether a line of a few words stands right above the heading of a card.
fn has_label(card: &Item<'_>, evidence: &Evidence) -> bool {
    let heading = card.name_passage;
    let at = evidence
        .passages
        .partition_point(|passage| (passage.page, passage.block) < (heading.page, heading.block));
    let above = at.checked_sub(1).and_then(|at| evidence.passages.get(at));
    above.is_some_and(|above| {
        above.page == heading.page
            && above.block + 1 == heading.block
            && matches!(above.kind, BlockKind::Other | BlockKind::Paragraph)
            && (1..=LONGEST_LABEL).contains(&words::count(&above.text))
            && !above.text.contains(char::is_numeric)
            && !above.text.ends_with(['.', '!', '?', ':'])
    })
}

/// Whether a single person speaks: a customer, not the company.
fn says_i(text: &str, language: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    words.iter().any(|word| I.of(language).contains(word))
}

fn is_heading(name: &Passage, site: &Site, own: &Own) -> bool {
    let text = name.text.as_str();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let first = words.first().copied().unwrap_or_default();
    (1..=LONGEST_HEADING).contains(&words::count(text))
        && !text.ends_with(['?', '!', '…', '？', '！'])
        && !GIVEN_NAMES.contains(first)
        // Whoever says something of the company may be named by a role.
        && !JOBS.any_in(&words)
        && !addresses(&WE_AND_YOU, text, &site.research.language)
        && !boilerplate::is_call_to_act(text)
        && !own.is_named_in(text)
}

/// Whether nothing that calls a section one of projects is more than a word such as `portfolio`.
fn is_portfolio(section: &Section<'_>, site: &Site) -> bool {
    let Some(page) = site.research.pages.get(section.heading.page) else {
        return false;
    };
    let page = &page.page;
    let own = [page.url.as_str(), page.final_url.as_str()];
    let home = site.research.pages.first();
    let links = home.into_iter().flat_map(|home| &home.page.links);
    let links = links.filter(|link| own.contains(&link.url.as_str()));
    let address = page.final_url.rsplit('/').next().unwrap_or_default();
    let address = address.replace(['-', '_', '.'], " ");
    let is_plain = |word: &&str| PORTFOLIOS.has_word(word) || WE.any_in(&[word]);
    let calls_projects = |text: &str| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        let mut places = PROJECT_HEADINGS.places(&words);
        places.any(|(_, phrase)| !phrase.iter().all(is_plain))
    };
    let texts = section.announced().chain(page.title.as_deref());
    let mut texts = texts.chain(links.map(|link| link.text.as_str()));
    !texts.any(calls_projects) && !calls_projects(&address)
}

/// Whether a project is one that was done, and not a kind of projects, since it names somebody or a place.
fn is_named(heading: &str, sentence: &str, site: &Site, own: &Own) -> bool {
    let german = primary_language(&site.research.language) == "de";
    let parted = BETWEEN.iter().any(|mark| {
        heading.split_once(mark).is_some_and(|(name, rest)| {
            let begins = |text: &str| text.trim().starts_with(char::is_uppercase);
            begins(name) && begins(rest)
        })
    });
    let initials = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphabetic());
        letters.clone().count() >= 2 && letters.clone().all(char::is_uppercase)
    };
    let shouted = !heading.contains(char::is_lowercase);
    let short_form = !shouted && heading.split_whitespace().any(initials);
    // In most languages a capital within a sentence is that of a name.
    let named = || {
        let mut words = sentence.split_whitespace().skip(1);
        let name = |word: &&str| word.starts_with(char::is_uppercase) && !own.is_named_in(word);
        !german && words.any(|word| name(&word) && word.chars().count() > 1)
    };
    let registered = || {
        [heading, sentence]
            .iter()
            .any(|text| !legal_names::find(text).is_empty())
    };
    parted || short_form || registered() || named()
}
