//! Certificates under headings for them and on pages about them, each in a card or an item of its own.

use std::collections::BTreeSet;

use gtm_lexicon::proofs::{
    CERTIFICATE_HEADINGS, CERTIFICATE_NOUNS, NATIONAL_STANDARDS, NUMBERED_STANDARDS,
    PRODUCT_LABELS, STANDARDS,
};
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::letters;
use super::super::numbering;
use super::super::others::Own;
use super::super::outline::{Item, Section};
use super::super::topics;
use super::Told;
use crate::part::Part;
use crate::site::Site;

/// Most words of the name of a certificate.
const LONGEST: usize = 8;
/// Most words that spell out initials.
const LONGEST_SPELLED: usize = 12;
/// Most letters of a word that joins others in such a name.
const LONGEST_JOINT: usize = 4;
/// Most words of one that begins with a noun for certificates.
const LONGEST_TITLE: usize = 14;
/// Among how many words of a name the mark of a standard stands: behind more of them, something else is made by it.
const OPENING: usize = 4;
/// Among how many words behind the mark of a standard its number stands.
const BEHIND: usize = 3;
/// Fewest and most letters of initials.
const INITIALS: std::ops::RangeInclusive<usize> = 2..=9;
/// Fewest words of the text of a card, and of a sentence.
const LEAST_TEXT: usize = 4;
/// Fewest names of a row that only initials tell to be certificates.
const LEAST: usize = 2;

/// The certificates that cards and lists name, where headings or the names of pages say that certificates stand there.
pub fn certificates(site: &Site, evidence: &Evidence) -> Vec<Told> {
    let own = Own::new(site, None);
    let mut found: Vec<Told> = Vec::new();
    for (section, _) in topics::about(site, evidence, &CERTIFICATE_HEADINGS) {
        let rows = topics::rows(&section).into_iter().map(of_cards);
        for row in rows.chain([of_lists(&section)]) {
            let names: Vec<(&str, &Passage)> = row
                .into_iter()
                .map(|passage| (name_of(&passage.text), passage))
                .filter(|(name, passage)| {
                    let is_sentence =
                        passage.text.ends_with(['.', '。']) && words::count(name) >= LEAST_TEXT;
                    may_name(name) && !is_sentence && !own.is_named_in(name)
                })
                .collect();
            let formed = |name: &str| names_standard(name) || begins_with_initials(name);
            let most = names.iter().filter(|(name, _)| formed(name)).count();
            let is_row = most >= LEAST && most * 2 >= names.len();
            // Where most names of a list have the form of one, the others are some, too; in other rows those with a
            // figure or a capital within a word: `RoHS`, `Globex D6-17`.
            let mostly = is_row && most * 2 > names.len();
            let all = mostly && is_list(&section, &names);
            let certified = names.into_iter().filter(|(name, _)| {
                all || names_standard(name)
                    || is_row && begins_with_initials(name)
                    || mostly && is_coded(name)
            });
            found.extend(certified.map(|(name, passage)| told(name, passage)));
        }
    }
    let services = services(site);
    let lines = evidence.passages.iter().filter(|passage| {
        let presents = matches!(
            site.part(passage.page),
            Part::About | Part::Customers | Part::Trust
        );
        // Elsewhere it may be a service, as what a menu leads to is.
        (presents || !passage.main)
            && !services.contains(&letters(&passage.text))
            && matches!(passage.kind, BlockKind::Heading | BlockKind::ListItem)
            && begins_with_noun(name_of(&passage.text))
            && !own.is_named_in(&passage.text)
    });
    found.extend(lines.map(|passage| told(name_of(&passage.text), passage)));
    let all: Vec<String> = found.iter().map(|told| bare(&told.text)).collect();
    let mut at = 0..all.len();
    // What another one says in more words is told with it.
    found.retain(|_| {
        let here = at.next().unwrap_or_default();
        let own = all.get(here).map(String::as_str).unwrap_or_default();
        let mut others = all.iter().enumerate().filter(|(other, _)| *other != here);
        !others.any(|(other, text)| text.contains(own) && (text != own || other < here))
    });
    let tells = |page: usize| !matches!(site.part(page), Part::External | Part::Press);
    found.retain(|told| tells(told.page));
    spell_out(&mut found, evidence);
    found
}

/// The letters of a name without a noun for certificates: `FSC` of `FSC certificate`, also where a page in another
/// language calls it `FSC-Zertifikat`.
fn bare(name: &str) -> String {
    let folded = words::fold(name);
    let words = words::split(&folded);
    let is_noun = |word: &&&str| words.len() > 1 && CERTIFICATE_HEADINGS.are(&[**word]);
    let others: Vec<&str> = words
        .iter()
        .filter(|word| !is_noun(word))
        .copied()
        .collect();
    letters(&others.concat())
}

/// The texts of links in navigations, and of those to pages about what is sold, as letters.
fn services(site: &Site) -> BTreeSet<String> {
    let products: BTreeSet<&str> = site
        .own_pages()
        .filter(|(_, part, _)| *part == Part::Product)
        .flat_map(|(_, _, page)| [page.url.as_str(), page.final_url.as_str()])
        .collect();
    let links = site.own_pages().flat_map(|(_, _, page)| &page.links);
    links
        .filter(|link| link.navigation || products.contains(link.url.as_str()))
        .map(|link| letters(&link.text))
        .collect()
}

/// Adds to names that are nothing but initials what stands below them: `AEO`, `Authorised Economic Operator`.
fn spell_out(found: &mut [Told], evidence: &Evidence) {
    for told in found.iter_mut().filter(|told| is_initials(&told.text)) {
        let mut pairs = evidence.passages.windows(2);
        let below = pairs.find_map(|pair| match pair {
            [name, below] => (name.page == told.page
                && name.text == told.text
                && name.kind != below.kind
                && below.kind != BlockKind::Heading
                && below.page == name.page
                && below.block == name.block + 1
                && (2..=LONGEST_SPELLED).contains(&words::count(&below.text))
                && !below.text.ends_with(['.', '!', '?', ':']))
            .then_some(below),
            _ => None,
        });
        if let Some(below) = below {
            told.text = format!("{} {}", told.text, below.text);
            told.carrier.clone_from(&told.text);
        }
    }
}

fn told(name: &str, passage: &Passage) -> Told {
    Told {
        text: name.to_owned(),
        page: passage.page,
        carrier: passage.text.clone(),
    }
}

/// A name without the full stop that some sites put behind headings.
fn name_of(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '。', ':', '：'])
}

/// The headings of cards with a text of their own.
fn of_cards(cards: Vec<Item<'_>>) -> Vec<&Passage> {
    let told = |card: &Item<'_>| {
        names_standard(name_of(card.name))
            || card
                .text
                .is_some_and(|text| words::count(text) >= LEAST_TEXT)
    };
    let cards = cards.into_iter().filter(told);
    cards.map(|card| card.name_passage).collect()
}

/// Whether names are all that stands under a heading that does nothing but announce them.
fn is_list(section: &Section<'_>, names: &[(&str, &Passage)]) -> bool {
    let folded = words::fold(&section.heading.text);
    let is_item = |(_, passage): &(&str, &Passage)| passage.kind == BlockKind::ListItem;
    CERTIFICATE_HEADINGS.are(&words::split(&folded))
        && names.len() == section.body.len()
        && names.iter().all(is_item)
}

/// The items of lists, and the lines of tiles: those that name a standard, or that have a text below.
fn of_lists<'a>(section: &Section<'a>) -> Vec<&'a Passage> {
    let body = section.body.iter().copied().enumerate();
    let fits = |(at, passage): &(usize, &Passage)| {
        let below = section.body.get(at + 1);
        let told = || below.is_some_and(|below| below.kind == BlockKind::Paragraph);
        match passage.kind {
            BlockKind::ListItem => true,
            BlockKind::Other => told() || names_standard(&passage.text),
            _ => false,
        }
    };
    body.filter(fits).map(|(_, passage)| passage).collect()
}

fn may_name(name: &str) -> bool {
    let longest = if opens_with_noun(name) {
        LONGEST_TITLE
    } else {
        LONGEST
    };
    (1..=longest).contains(&words::count(name))
        && !name.ends_with(['?', '!', '…', '？', '！'])
        && !boilerplate::is_call_to_act(name)
}

/// Whether a name has a known standard, or the mark of standards with a number. Under such a heading no word of
/// certification need stand beside it.
fn names_standard(name: &str) -> bool {
    let opening = if opens_with_noun(name) {
        LONGEST_TITLE
    } else {
        OPENING
    };
    let folded = words::fold(name);
    let words = words::split(&folded);
    let is_mark = |word: &str| {
        let folded = words::fold(word);
        // `en 2019` is a year in some languages.
        word.starts_with(char::is_uppercase)
            && (NUMBERED_STANDARDS.contains(&folded) || NATIONAL_STANDARDS.contains(&folded))
    };
    let printed: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let marked = printed.iter().enumerate().take(opening).any(|(at, word)| {
        let mut behind = printed.iter().skip(at + 1).take(BEHIND);
        is_mark(word) && behind.any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    });
    let labelled = words.iter().any(|word| PRODUCT_LABELS.contains(word));
    marked || labelled || STANDARDS.any_in(&words)
}

/// Whether a name begins with initials, as those of most bodies that accredit: `QVX 6.3 Qualified`. Where everything is in
/// capitals, only a name that is nothing else counts.
fn begins_with_initials(name: &str) -> bool {
    // `Attestation QVX for …`
    let skipped = usize::from(opens_with_noun(name));
    let first = name.split_whitespace().nth(skipped).unwrap_or_default();
    let first = first.split('-').next().unwrap_or_default();
    let alone = name.split_whitespace().count() == 1;
    is_initials(first)
        && (alone || name.contains(char::is_lowercase) || name.contains(char::is_numeric))
}

/// Whether a name has a capital within a word, or a word of letters and figures: `RoHS`, `Globex D6-17`. A figure alone may
/// be a year or a count.
fn is_coded(name: &str) -> bool {
    let inner = |word: &str| word.chars().skip(1).any(char::is_uppercase);
    let within = |word: &str| word.contains(char::is_lowercase) && inner(word);
    let mixed =
        |word: &str| word.starts_with(char::is_uppercase) && word.contains(char::is_numeric);
    let mut words = name.split_whitespace();
    !numbering::begins_with_number(name) && words.any(|word| within(word) || mixed(word))
}

/// Whether a word consists of capitals, perhaps with figures and marks: `AEO`, `QVX/WHMA`.
fn is_initials(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic());
    INITIALS.contains(&letters.clone().count()) && letters.clone().all(char::is_uppercase)
}

/// Whether a name begins with a noun for certificates.
fn opens_with_noun(name: &str) -> bool {
    let folded = words::fold(name);
    CERTIFICATE_NOUNS.open(&words::split(&folded))
}

/// Whether a line is a noun for certificates with a name in initials behind it: `Certification ABC Nord`.
fn begins_with_noun(line: &str) -> bool {
    let folded = words::fold(line);
    let all = words::split(&folded);
    let Some(noun) = CERTIFICATE_NOUNS
        .at_start(&all)
        .map(|phrase| phrase.len())
        .max()
    else {
        return false;
    };
    let tokens = words::tokens(line);
    let name = tokens.get(noun..).unwrap_or_default();
    let part_of_name = |(.., word): &(usize, usize, &str)| {
        word.starts_with(|c: char| !c.is_lowercase()) || word.chars().count() <= LONGEST_JOINT
    };
    let initials = |(.., word): &(usize, usize, &str)| is_initials(word);
    !name.is_empty()
        && tokens.len() <= LONGEST
        && name.iter().all(part_of_name)
        && name.iter().any(initials)
        // All in capitals, nothing is told by them.
        && line.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_behind_a_noun_are_certificates() {
        for line in [
            "Certification QUBE Rhône",
            "Zertifizierung nach DIN EN 1090",
            "Certificazione ISO 9001:2015",
        ] {
            assert!(begins_with_noun(line), "{line}");
        }
        for line in [
            "Certification",
            "Certification of your staff",
            "CERTIFICATION ABC",
            "Certification Programmes",
            "Zertifizierung Ihrer Anlage",
        ] {
            assert!(!begins_with_noun(line), "{line}");
        }
    }

    #[test]
    fn codes_have_letters_and_figures() {
        for name in ["Globex D6-17", "RoHS"] {
            assert!(is_coded(name), "{name}");
        }
        for name in [
            "Since 1987",
            "24/7 service",
            "Over 500 customers",
            "Our 2nd plant",
        ] {
            assert!(!is_coded(name), "{name}");
        }
    }

    #[test]
    fn initials_begin_a_name() {
        for name in [
            "QVX",
            "QVX/WHMA A-620",
            "QRX 6.3 Qualified",
            "QVX-Zulassung",
        ] {
            assert!(begins_with_initials(name), "{name}");
        }
        for name in ["Reworking to QVX", "CODICE ETICO", "Our HR", "Quality"] {
            assert!(!begins_with_initials(name), "{name}");
        }
    }

    #[test]
    fn standards_have_a_mark_and_a_number() {
        for name in [
            "DIN EN ISO 3834-3",
            "EN 1090-2",
            "IATF 16949 Certified",
            "HACCP",
        ] {
            assert!(names_standard(name), "{name}");
        }
        for name in ["QUBE 7", "Quality", "In 20 days"] {
            assert!(!names_standard(name), "{name}");
        }
    }
}
