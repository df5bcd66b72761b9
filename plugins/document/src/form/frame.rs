//! What stands around the chapters: title, cover, agenda, closing.

use gtm_document_model::block::{Block, Cta};
use gtm_document_model::document::{DocumentType, Layout, Section};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::calls::SHOWING;
use gtm_lexicon::documents::{ABOUT_US, ASKS, NEXT_STEPS, PRICE_HEADINGS, REPORTS, SUMMARIES};
use gtm_lexicon::{fold, split};
use url::Url;

use super::readers::Readers;
use super::section;
use crate::brief::{count_words, one_line};
use crate::capital::capital;
use crate::chapter::{Chapter, Role, is_forbidden, paragraph};
use crate::kind::Kind;
use crate::labels;
use crate::material::Material;
use crate::runs::cut;

/// Longest title of a document, in characters.
const LONGEST_TITLE: usize = 160;
/// Longest second line.
const LONGEST_SUBTITLE: usize = 200;
/// Most facts that a cover has, and words of each.
const MOST_FACTS: usize = 4;
const FACT_WORDS: usize = 12;
/// Fewest words of a heading that may name a whole document.
const FEWEST_NAME_WORDS: usize = 3;
/// Longest words of a button, in characters.
const LONGEST_BUTTON: usize = 40;

/// Title and second line of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Titles {
    pub title: String,
    pub subtitle: Option<String>,
}

/// The name of a type in a document's language.
fn type_label(kind: DocumentType, language: &str) -> &'static str {
    let label = match kind {
        DocumentType::Proposal => &labels::PROPOSAL,
        DocumentType::Playbook => &labels::PLAYBOOK,
        DocumentType::Deck => &labels::DECK,
        DocumentType::GtmStrategy => &labels::GTM_STRATEGY,
        DocumentType::Report => &labels::REPORT,
        DocumentType::OnePager => &labels::ONE_PAGER,
    };
    label.in_language(language)
}

/// The titles: the caller's own; else the brief's; else what it is and for whom, or what about. The sender's name is none:
/// it stands on the first page anyway.
#[must_use]
pub fn titles(material: &Material<'_>, kind: DocumentType) -> Titles {
    let language = material.language.as_str();
    let what = match kind {
        DocumentType::Report if material.brief.case_study => {
            labels::CASE_STUDY.in_language(language)
        }
        _ if material.brief.is_letter || material.brief.orders_letter => {
            labels::LETTER.in_language(language)
        }
        _ => type_label(kind, language),
    };
    let addressee = &material.brief.addressee;
    let forbidden = &material.sender.forbidden;
    let allowed = |text: &&str| !is_forbidden(text, forbidden);
    let target = material.target.as_ref().map(|target| target.name());
    let readers = Readers::of(material.brief, language);
    // Above a letter somebody may be named who only gets its mail.
    let read_by = readers.first.as_deref().filter(allowed);
    let read_by = read_by.filter(|_| !material.brief.is_letter);
    let recipient = target.or(read_by);
    // Whoever is named besides the company stands on a line with it.
    let person = match target {
        Some(target) => readers
            .in_one_line()
            .filter(|who| !fold(target).contains(&fold(who)))
            .filter(|_| readers.names_a_person()),
        None => readers.person.clone(),
    };
    let person = person.filter(|who| allowed(&who.as_str()));
    let for_whom = recipient.map(|company| {
        labels::FOR_COMPANY.filled(language, &[("what", what), ("company", company)])
    });
    let given = [
        material.request.title.as_deref(),
        material.brief.title.as_deref(),
    ];
    let given = given.into_iter().flatten().find(allowed);
    let offer = material.sender.offer.as_deref().filter(allowed);
    let offer = offer.filter(|_| !material.brief.is_letter);
    let subject = addressee.subject.as_deref().filter(allowed);
    // Nobody writes `Letter` above one: without a subject it has its sender's name for its head.
    let head = material.sender.name.as_deref().filter(allowed);
    let is_letter = material.brief.is_letter || !material.brief.letter_reader.is_empty();
    let head = head.filter(|_| is_letter && given.is_none());
    if let Some(head) = head {
        return Titles {
            title: cut(&one_line(head), LONGEST_TITLE),
            subtitle: with_facts(None, material),
        };
    }
    // The reader stands at a letter's head, and nobody writes what it is below its subject.
    if let Some(given) = given.filter(|_| is_letter) {
        return Titles {
            title: cut(&capital(&one_line(given)), LONGEST_TITLE),
            subtitle: with_facts(None, material),
        };
    }
    let (title, subtitle) = match (given, for_whom, subject) {
        (Some(given), for_whom, _) => {
            let named = recipient.is_some_and(|name| names(given, name));
            // A name of what it is says little on a slide and nothing on one page, and a report is what nobody called otherwise.
            let plain = !matches!(kind, DocumentType::Deck | DocumentType::OnePager)
                && !fold(given).contains(&fold(what))
                && (kind != DocumentType::Report || is_called_a_report(material));
            let second = match for_whom.filter(|_| !named) {
                Some(for_whom) => Some(for_whom),
                None => plain.then(|| what.to_owned()),
            };
            (given.to_owned(), second)
        }
        (None, Some(for_whom), subject) => {
            (for_whom, subject.map(capital).or(offer.map(str::to_owned)))
        }
        (None, None, Some(subject)) => (capital(subject), Some(what.to_owned())),
        (None, None, None) => match offer {
            Some(offer) => (offer.to_owned(), Some(what.to_owned())),
            None => match own_name(material, kind) {
                Some(name) => {
                    let plain = !matches!(kind, DocumentType::Deck | DocumentType::OnePager);
                    (name, plain.then(|| what.to_owned()))
                }
                None => (what.to_owned(), None),
            },
        },
    };
    let prepared = person
        .filter(|who| !fold(&title).contains(&fold(who)))
        .map(|who| labels::PREPARED_FOR.filled(language, &[("who", &who)]));
    let customer = addressee.subject.as_deref().filter(allowed);
    let customer = customer.filter(|name| material.brief.case_study && !names(&title, name));
    let known = subtitle.as_deref().map(fold);
    let customer = customer.filter(|name| !known.is_some_and(|known| known.contains(&fold(name))));
    let second: Vec<String> = subtitle
        .into_iter()
        .chain(customer.map(str::to_owned))
        .chain(prepared)
        .collect();
    let second = cut(&one_line(&second.join(" · ")), LONGEST_SUBTITLE);
    Titles {
        title: cut(&one_line(&title), LONGEST_TITLE),
        subtitle: with_facts(Some(&second), material),
    }
}

/// Whether somebody called the document a report: the caller or the orders of the brief.
fn is_called_a_report(material: &Material<'_>) -> bool {
    let brief = material.brief;
    let called = |order: &String| {
        let folded = fold(order);
        REPORTS.any_in(&split(&folded))
    };
    material.request.document_type.is_some()
        || brief.case_study
        || brief.directions.iter().any(called)
}

/// What names a document for which nobody gave a title, a reader or a subject: the subject of its mail, or the brief's first
/// heading where that says more than every document could.
fn own_name(material: &Material<'_>, kind: DocumentType) -> Option<String> {
    let brief = material.brief;
    let first = brief.chapters.first().and_then(|it| it.heading.as_deref());
    let first = first.filter(|heading| {
        let folded = fold(heading);
        let words = split(&folded);
        let is_usual = [&SUMMARIES, &NEXT_STEPS, &PRICE_HEADINGS, &ABOUT_US, &ASKS]
            .into_iter()
            .any(|names| names.any_in(&words));
        count_words(heading) >= FEWEST_NAME_WORDS && !is_usual && kind != DocumentType::Deck
    });
    let names = [brief.subject.as_deref(), first].into_iter().flatten();
    let mut names = names.filter(|name| !is_forbidden(name, &material.sender.forbidden));
    names.next().map(capital)
}

/// A second line with what the head of the brief says for the cover, as much of it as fits.
#[must_use]
pub fn with_facts(subtitle: Option<&str>, material: &Material<'_>) -> Option<String> {
    let facts = facts_of_head(material);
    joined(subtitle.unwrap_or_default(), &facts)
}

/// What the head of the brief says for the cover and the second line has no room for.
#[must_use]
pub fn facts_left_out(titles: &Titles, material: &Material<'_>) -> Vec<String> {
    let line = titles.subtitle.as_deref().unwrap_or_default();
    let mut facts = facts_of_head(material);
    facts.retain(|fact| !line.contains(fact.as_str()));
    facts
}

fn facts_of_head(material: &Material<'_>) -> Vec<String> {
    let facts = material.brief.cover_facts.iter();
    let facts = facts.filter(|fact| !is_forbidden(fact, &material.sender.forbidden));
    facts.map(|fact| one_line(fact)).collect()
}

fn joined(subtitle: &str, facts: &[String]) -> Option<String> {
    let mut line = subtitle.to_owned();
    for fact in facts {
        let between = if line.is_empty() { "" } else { " · " };
        let added = format!("{between}{fact}");
        let fits = line.chars().count() + added.chars().count() <= LONGEST_SUBTITLE;
        if fits && !line.contains(fact.as_str()) {
            line.push_str(&added);
        }
    }
    Some(line).filter(|line| !line.is_empty())
}

/// Whether a title names somebody, be it without the last word of the name: `Ltd`.
fn names(title: &str, name: &str) -> bool {
    let title = fold(title);
    let short = name.rsplit_once(' ').map(|(short, _)| short);
    let short = short.filter(|short| short.contains(' '));
    [Some(name), short]
        .into_iter()
        .flatten()
        .any(|name| title.contains(&fold(name)))
}

/// The names that the caller gives: those of target, offer and sender, and the titles.
#[must_use]
pub fn given_names(material: &Material<'_>) -> String {
    let target = material.target.as_ref().map(|target| target.name());
    let names = [
        material.request.title.as_deref(),
        material.brief.title.as_deref(),
        material.sender.offer.as_deref(),
        material.sender.name.as_deref(),
        target,
    ];
    names.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The page or slide that opens the document. A one-pager has no room for one.
#[must_use]
pub fn cover(titles: &Titles, kind: DocumentType) -> Option<Section> {
    (kind != DocumentType::OnePager)
        .then(|| section(&titles.title, Layout::Cover, Vec::new(), Vec::new()))
}

/// What a cover says of a deck besides its titles: the few facts with which a brief begins, such as the number of an offer and
/// until when it holds. On a slide of their own they would leave it almost empty.
#[must_use]
pub fn facts_of_cover(chapters: &mut Vec<Chapter>, titles: &Titles, language: &str) -> Vec<Block> {
    let others = chapters.len() > 1;
    let Some(first) = chapters.first_mut() else {
        return Vec::new();
    };
    let Some((Block::Bullets(list), rest)) = first.blocks.split_first() else {
        return Vec::new();
    };
    if rest.is_empty() && !others {
        return Vec::new();
    }
    let is_fact = |text: &String| {
        let labeled = text.split_once([':', '：']);
        let is_labeled = labeled.is_some_and(|(_, said)| !said.trim().is_empty());
        // `Offer no. 48/2026 of 20 February`
        (is_labeled || text.contains(char::is_numeric)) && count_words(text) <= FACT_WORDS
    };
    let texts: Vec<String> = (list.items.iter())
        .map(|item| one_line(&plain_text(&item.runs)))
        .collect();
    let plain = list.items.iter().all(|item| item.items.is_empty());
    let few = plain && texts.len() <= MOST_FACTS && texts.iter().all(is_fact);
    if first.heading != labels::AT_A_GLANCE.in_language(language) || !few {
        return Vec::new();
    }
    first.blocks.remove(0);
    if first.blocks.is_empty() {
        chapters.remove(0);
    }
    let lines = titles.subtitle.iter().cloned().chain([texts.join(" · ")]);
    lines
        .map(|line| paragraph(vec![Run::plain(line)]))
        .collect()
}

/// Whether the document goes to somebody who should answer.
const fn asks(kind: DocumentType) -> bool {
    matches!(
        kind,
        DocumentType::Proposal | DocumentType::Deck | DocumentType::OnePager
    )
}

/// Adds the sender's own call to action, where guideline and offer have one and the address that it leads to: as a slide of its
/// own, if there `may_be` one, or at the end of the last chapter. Words of a button that nobody gave stand nowhere, and a brief
/// that ends with its own steps gets none.
pub fn close(sections: &mut Vec<Section>, material: &Material<'_>, kind: &Kind, may_be: bool) {
    let brief = material.brief;
    let ends = (sections.last()).is_some_and(|last| last.layout == Some(Layout::Closing));
    // Behind a letter, and behind the brief's own call, everything else is filler.
    let has_own = brief.calls || ends || !brief.asks.is_empty();
    if !asks(kind.document_type) || brief.is_letter || brief.orders_letter || has_own {
        return;
    }
    let (Some(words), Some((href, host))) = (own_call(material), address(material)) else {
        return;
    };
    let button = |label: &str| {
        Block::Cta(Cta {
            label: cut(label, 200),
            href: href.clone(),
            text: Vec::new(),
            qr: false,
        })
    };
    if may_be && kind.has_slides() && kind.document_type != DocumentType::OnePager {
        let blocks = vec![button(&host)];
        sections.push(section(words, Layout::Closing, blocks, Vec::new()));
    } else if let Some(last) = sections.last_mut() {
        last.blocks.push(button(words));
    }
}

/// The sender's own words for what a reader is to do next.
fn own_call<'m>(material: &'m Material<'_>) -> Option<&'m String> {
    let sender = &material.sender;
    sender.calls_to_action.iter().find(|text| {
        text.chars().count() <= LONGEST_BUTTON
            && !only_shows(text)
            && !is_forbidden(text, &sender.forbidden)
    })
}

/// Whether words of a button only lead to more of a site: `See the services`, `Leistungen ansehen`. They ask a reader for nothing.
fn only_shows(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    let last = words.last().copied().unwrap_or_default();
    SHOWING.open(&words) || SHOWING.has_word(last)
}

/// Where a button leads: the offer's page or the sender's site, with its host.
fn address(material: &Material<'_>) -> Option<(String, String)> {
    let sender = &material.sender;
    let href = sender
        .link
        .clone()
        .filter(|href| sender.may_link(href) && gtm_document_model::is_https(href))?;
    let host = Url::parse(&href).ok()?;
    let host = host.host_str().map(gtm_page_text::bare_host)?.to_owned();
    Some((href, host))
}

/// A chapter in a list of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub heading: String,
    /// Headings of its parts.
    pub parts: Vec<String>,
}

impl Entry {
    /// Lines that it takes.
    #[must_use]
    pub fn lines(&self) -> usize {
        1 + self.parts.len()
    }
}

/// The chapters that an agenda names, with their parts. One part alone is no division.
#[must_use]
pub fn contents(chapters: &[Chapter]) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let listed = chapters.iter().filter(|it| it.role != Role::Opening);
    for chapter in listed {
        let heading = cut(&one_line(&chapter.heading), super::LONGEST_TITLE);
        if heading.is_empty() || found.iter().any(|entry| entry.heading == heading) {
            continue;
        }
        let headings = || {
            let blocks = chapter.blocks.iter();
            blocks.filter_map(|block| match block {
                Block::Heading(heading) => Some(heading),
                _ => None,
            })
        };
        let top = headings().map(|heading| heading.level).min();
        let parts = headings().filter(|heading| Some(heading.level) == top);
        let mut parts: Vec<String> = parts
            .map(|part| cut(&one_line(&plain_text(&part.runs)), super::LONGEST_TITLE))
            .collect();
        if parts.len() < 2 {
            parts.clear();
        }
        found.push(Entry { heading, parts });
    }
    found
}

/// The headings that an outline names.
#[must_use]
pub fn headings(chapters: &[Chapter]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for chapter in chapters {
        let heading = cut(&one_line(&chapter.heading), super::LONGEST_TITLE);
        if !heading.is_empty() && !found.contains(&heading) {
            found.push(heading);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_that_only_show_more_ask_for_nothing() {
        for text in [
            "See the services",
            "Leistungen ansehen",
            "Découvrez nos offres",
            "Scopri di più",
            "詳しくはこちら",
        ] {
            assert!(only_shows(text), "{text}");
        }
        for text in [
            "Book a walk-through",
            "Termin vereinbaren",
            "Demander un devis",
            "お問い合わせください",
        ] {
            assert!(!only_shows(text), "{text}");
        }
    }

    #[test]
    fn facts_of_the_head_are_joined_while_they_fit() {
        let short = "Our ref: HG-27/4".to_owned();
        let long = "x".repeat(LONGEST_SUBTITLE);
        assert_eq!(
            joined("Gates that close", &[long, short.clone()]).as_deref(),
            Some("Gates that close · Our ref: HG-27/4")
        );
        assert_eq!(
            joined("", std::slice::from_ref(&short)),
            Some(short.clone())
        );
        assert_eq!(joined("", &[]), None);
    }
}
