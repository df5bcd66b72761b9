//! What the company works with: its machines, vehicles and premises, which lists under headings for them name and sentences
//! count.

use gtm_lexicon::company::YOU;
use gtm_lexicon::denials::OF_VERBS;
use gtm_lexicon::trade::{EQUIPMENT_HEADINGS, HOLDS, MEANS, PLAIN_EQUIPMENT};
use gtm_site_facts::facts::says_what_it_is;
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::facts;
use gtm_site_research::fixed_texts::EQUIPMENT_IS;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

use super::{distinct, excerpt, stands_alone};

/// Most lists, and most sentences.
const MOST_LISTS: usize = 6;
const MOST_SENTENCES: usize = 5;
/// Most characters of an entry, and of all entries of a list together.
const LONGEST_ENTRY: usize = 160;
const LONGEST: usize = 560;
/// Most characters of a sentence.
const LONGEST_SENTENCE: usize = 400;
/// What parts the entries.
const MARK: &str = " · ";

/// The lists and sentences, each with what carries it.
pub fn equipment(site: &Site, evidence: &Evidence, language: &str) -> Vec<Claim> {
    let mut found = lists(site, evidence, language);
    found.extend(sentences(site, evidence));
    found
}

/// What stands under each heading for it.
fn lists(site: &Site, evidence: &Evidence, language: &str) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    for (at, heading) in evidence.passages.iter().enumerate() {
        if found.len() >= MOST_LISTS || !heads(heading, site) {
            continue;
        }
        let rest = evidence.passages.get(at + 1..).unwrap_or_default();
        let list = entries(heading, rest);
        let Some(claim) = joined(&list, language) else {
            continue;
        };
        if !found.iter().any(|known| known.value == claim.value) {
            found.push(claim);
        }
    }
    found
}

/// Whether a passage is a heading over what the company works with, or a line with a colon that announces it.
fn heads(passage: &Passage, site: &Site) -> bool {
    let folded = words::fold(&passage.text);
    let said = words::split(&folded);
    let announces = matches!(passage.kind, BlockKind::Paragraph | BlockKind::Other)
        && passage.text.trim_end().ends_with([':', '：']);
    passage.main
        && site.part(passage.page) != Part::External
        && (passage.kind == BlockKind::Heading || announces)
        && (EQUIPMENT_HEADINGS.are(&said)
            || passage.role == Role::About && PLAIN_EQUIPMENT.are(&said))
}

/// The entries under a heading: items, rows, smaller headings and counted paragraphs. A page's title with another heading
/// right below it stands above the whole page.
fn entries<'p>(heading: &Passage, rest: &'p [Passage]) -> Vec<&'p Passage> {
    let is_title = heading.kind == BlockKind::Heading
        && rest.first().is_some_and(|next| {
            next.kind == BlockKind::Heading && next.level == heading.level && heading.level == 1
        });
    let within = |next: &&Passage| {
        let ends = next.kind == BlockKind::Heading && next.level <= heading.level;
        next.page == heading.page
            && next.main
            && (is_title || heading.kind != BlockKind::Heading || !ends)
    };
    let is_entry = |next: &&Passage| {
        let length = next.text.chars().count();
        let counted = || !facts::numbers(&words::with_ascii_digits(&next.text)).is_empty();
        length <= LONGEST_ENTRY
            && match next.kind {
                BlockKind::ListItem | BlockKind::TableRow => true,
                BlockKind::Heading => !is_title && heading.kind == BlockKind::Heading,
                // A sentence is no entry.
                BlockKind::Paragraph | BlockKind::Other => {
                    heading.kind == BlockKind::Heading
                        && counted()
                        && !next.text.ends_with(['.', '!', '?', '。'])
                }
                _ => false,
            }
    };
    let inside = rest.iter().take_while(within);
    match heading.kind {
        BlockKind::Heading => inside.filter(is_entry).collect(),
        // Below a line only the list right behind it is meant.
        _ => inside.take_while(is_entry).collect(),
    }
}

/// Entries as one text, as many as fit.
fn joined(list: &[&Passage], language: &str) -> Option<Claim> {
    let mut texts: Vec<&str> = Vec::new();
    let mut excerpts: Vec<Excerpt> = Vec::new();
    let mut length = 0;
    for entry in list {
        let text = entry.text.trim().trim_end_matches([';', ',', '.']);
        length += text.chars().count() + MARK.len();
        if length > LONGEST {
            break;
        }
        if !texts.contains(&text) {
            texts.push(text);
            excerpts.push(Excerpt {
                page: entry.page,
                text: entry.text.clone(),
            });
        }
    }
    (!texts.is_empty()).then(|| {
        let value = EQUIPMENT_IS.filled(language, &[("text", &texts.join(MARK))]);
        Claim::stated(value, excerpts)
    })
}

/// Sentences in which the company counts what it has.
fn sentences(site: &Site, evidence: &Evidence) -> Vec<Claim> {
    let told: Vec<&Sentence> = evidence
        .sentences
        .iter()
        .filter(|sentence| {
            matches!(
                sentence.role,
                Role::Home | Role::About | Role::Products | Role::Other
            ) && site.part(sentence.page) != Part::Legal
                && sentence.is_quotable()
                && sentence.text.chars().count() <= LONGEST_SENTENCE
                && counts(sentence)
                && stands_alone(sentence)
                && says_what_it_is(&sentence.text, site)
        })
        .collect();
    let told = distinct(told, MOST_SENTENCES).into_iter();
    told.map(|sentence| Claim::told(sentence.text.as_str(), excerpt(sentence)))
        .collect()
}

/// Whether a sentence says that somebody has something and how much of it.
fn counts(sentence: &Sentence) -> bool {
    let words = sentence.words();
    let has_area = ["m²", "㎡", "sq ft", "sq. ft"]
        .iter()
        .any(|unit| sentence.text.contains(unit));
    !facts::numbers(&words::with_ascii_digits(&sentence.text)).is_empty()
        && (HOLDS.any_in(&words) && MEANS.any_in(&words) || has_area && MEANS.any_in(&words))
        && !OF_VERBS.any_in(&words)
        && !YOU.any_in(&words)
}
