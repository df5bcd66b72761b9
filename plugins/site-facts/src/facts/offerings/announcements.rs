//! Which words of a heading only announce what is sold, and which name it.

use gtm_lexicon::company::WE;
use gtm_lexicon::figures::PRICES;
use gtm_lexicon::foundations::VALUE_HEADINGS;
use gtm_lexicon::markets::NATIONWIDE;
use gtm_lexicon::offer::{
    APART_HEADINGS, BENEFIT_ENDINGS, BENEFIT_HEADINGS, LABELS, ONE_SERVICE, OTHER_LIST_HEADINGS,
    PROCESS_HEADINGS, WHY,
};
use gtm_lexicon::pages::PRODUCTS;
use gtm_lexicon::places::BEFORE;
use gtm_lexicon::questions::HEADINGS as QUESTION_HEADINGS;
use gtm_lexicon::segments::{FOR_WHOM, HEADINGS as SEGMENT_HEADINGS, SECTORS};
use gtm_lexicon::words::STOPWORDS;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use crate::facts::countries;
use crate::facts::outline::Section;
use crate::site::Site;

/// Most letters of a word of an alphabet that mostly joins others: `of`, `our`, `und`.
const SHORT: usize = 3;

/// Whether a text has words for products and services, and besides them only such as name nothing: `Our products and
/// services`, but not `SMS services`.
pub fn says_nothing(text: &str) -> bool {
    let shouts = text
        .chars()
        .filter(|c| c.is_alphabetic())
        .all(char::is_uppercase);
    let plain = |word: &&str| {
        let folded = words::fold(word);
        let alone = [folded.as_str()];
        // A script without blanks has whole words in a few signs, and capitals make a short word a name.
        let letters = word.chars().filter(|c| c.is_alphabetic());
        let capitals = letters.clone().filter(|c| c.is_uppercase()).count();
        let joins = word.chars().count() <= SHORT
            && letters.clone().all(has_case)
            && (shouts || capitals < 2);
        PRODUCTS.any_in(&alone) || WE.any_in(&alone) || STOPWORDS.contains(&folded) || joins
    };
    if is_broken(text) {
        return true;
    }
    let all = words::split(text);
    let folded = words::fold(text);
    PRODUCTS.any_in(&words::split(&folded)) && all.iter().all(plain)
}

/// Whether a text is one word for products that a line break cuts in two: `SERV ICES`.
fn is_broken(text: &str) -> bool {
    let folded = words::fold(text);
    let split = words::split(&folded);
    let [one, two] = split.as_slice() else {
        return false;
    };
    let whole = format!("{one}{two}");
    let is_word = |word: &str| PRODUCTS.any_in(&[word]) || STOPWORDS.contains(word);
    PRODUCTS.are(&[whole.as_str()]) && !is_word(one) && !is_word(two)
}

/// Whether a letter is of a script with capitals.
fn has_case(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase()
}

/// Most words of a heading that announces something.
const LONGEST_HEADING: usize = 5;
/// Marks that part such a heading from what it adds.
const TAILS: [&str; 8] = [" – ", " — ", " - ", " | ", " (", "（", ": ", "｜"];

/// Whether a heading, or the line above one, announces products or services.
pub fn is_announcement(text: &str) -> bool {
    if opens_with_label(text) {
        return !text.ends_with(['?', '？', '.', '!']);
    }
    let head = without_tail(text);
    let folded = words::fold(head);
    let words = words::split(&folded);
    (1..=LONGEST_HEADING).contains(&words.len())
        && (PRODUCTS.any_in(&words) || LABELS.are(&words) || is_broken(head))
        && (head.len() == text.len() || LABELS.are(&words) || says_nothing(head))
        && !text.ends_with(['?', '？'])
        && !tells_where(&words)
        && (LABELS.are(&words) || !other_list(text))
}

/// Most words of a heading that says for whom or where the company offers what it announces.
const LONGEST_FOR: usize = 9;

/// Whether a heading is a label such as `Our products`, and goes on for whom or where: `Our products for you at a glance`.
fn opens_with_label(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let behind = words.get(1..).unwrap_or_default();
    let whole = LABELS.at_start(&words).map(<[&str]>::len);
    // `Unsere Leistungen`: the label is the second word.
    let label = whole
        .chain(LABELS.at_start(behind).map(|label| label.len() + 1))
        .max();
    let next = label
        .filter(|label| *label > 1)
        .and_then(|label| words.get(label));
    let goes_on = |word: &&str| FOR_WHOM.any_has(word) || BEFORE.contains(word);
    words.len() <= LONGEST_FOR
        && WE.any_in(words.get(..1).unwrap_or_default())
        && next.is_some_and(goes_on)
}

/// A heading of too many words without what it adds behind a mark, or behind the place: `Our services – all from one hand`,
/// `I nostri servizi a Bassano del Grappa e provincia`. DANGER: `Roofs and gutters – our services` names something, so what
/// is left must announce by its own words, and a shorter heading stays whole.
fn without_tail(text: &str) -> &str {
    let is_long = |text: &str| words::split(text).len() > LONGEST_HEADING;
    if !is_long(text) {
        return text;
    }
    let marked = TAILS.iter().filter_map(|mark| text.find(mark)).min();
    let head = marked.and_then(|at| text.get(..at)).unwrap_or(text);
    if !is_long(head) {
        return head;
    }
    let tokens = words::tokens(head);
    let is_place = |at: usize| {
        let word = |at: usize| tokens.get(at).map(|(.., word)| *word);
        let lead = word(at).is_some_and(|word| BEFORE.contains(&words::fold(word)));
        lead && word(at + 1).is_some_and(|name| name.starts_with(char::is_uppercase))
    };
    let place = (1..tokens.len()).find(|at| is_place(*at));
    let end = place
        .and_then(|at| tokens.get(at - 1))
        .map(|(_, end, _)| *end);
    end.and_then(|end| head.get(..end)).unwrap_or(head)
}

/// Whether words say where the company's service is, which announces no list: `Nationwide service`.
fn tells_where(words: &[&str]) -> bool {
    let mut products = words.iter().filter(|word| PRODUCTS.has_word(word));
    let one = products
        .next()
        .is_some_and(|word| ONE_SERVICE.contains(word));
    one && products.next().is_none()
        && (NATIONWIDE.any_in(words) || !countries::all_mentioned(&words.join(" ")).is_empty())
}

/// Whether a compound begins like a word for products and ends with what is good about them, so that it announces
/// none: `Leistungsversprechen`.
fn is_benefit(word: &str) -> bool {
    let ends = |ending: &str| word.len() > ending.len() && word.ends_with(ending);
    PRODUCTS.has_word(word)
        && BENEFIT_ENDINGS
            .iter()
            .any(|(_, endings)| endings.iter().any(ends))
}

/// Whether the words of a heading say that what stands under it is for customers of a trade, or good about what is
/// sold, even if they are words for products: `Solutions by industry`.
pub fn tells_whom_or_how(words: &[&str]) -> bool {
    SECTORS.any_in(words) || words.iter().any(|word| is_benefit(word))
}

/// Whether a text does nothing but announce products and services.
pub fn only_announces(text: &str) -> bool {
    let folded = words::fold(text);
    is_announcement(text)
        && (LABELS.are(&words::split(&folded)) || says_nothing(text) || opens_with_label(text))
}

/// Most words of a sentence that announces a list.
const LONGEST_SENTENCE: usize = 12;
/// Among how many words at its ends a word for products stands.
const AT_ENDS: usize = 2;

/// Whether a sentence announces a list of products or services: `Our services include:`, `We offer these services:`.
fn leads_to_list(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let first = words.get(..AT_ENDS).unwrap_or(&words);
    let last = words.get(words.len().saturating_sub(AT_ENDS)..);
    text.ends_with([':', '：'])
        && (2..=LONGEST_SENTENCE).contains(&words.len())
        && (PRODUCTS.any_in(first) || last.is_some_and(|last| PRODUCTS.any_in(last)))
        && !PRICES.any_in(&words)
        && !tells_other_list(text)
}

/// The lists that a sentence right above them announces.
pub fn lists_of_sentences<'a>(site: &Site, evidence: &'a Evidence) -> Vec<Section<'a>> {
    let follows = |one: &Passage, next: &Passage| {
        next.kind == BlockKind::ListItem && next.page == one.page && next.block == one.block + 1
    };
    let rows = evidence.passages.chunk_by(follows);
    rows.filter_map(|row| {
        let (lead, items) = row.split_first()?;
        let is_sentence = matches!(lead.kind, BlockKind::Paragraph | BlockKind::Other);
        (lead.main && is_sentence && items.len() > 1 && leads_to_list(&lead.text)).then(|| {
            Section {
                part: site.part(lead.page),
                heading: lead,
                label: None,
                body: items.iter().collect(),
            }
        })
    })
    .collect()
}

/// Whether a heading stands over something else than products: benefits, values, questions, people.
fn other_list(heading: &str) -> bool {
    let folded = words::fold(heading);
    let words = words::split(&folded);
    let named = PRODUCTS.any_in(&words) || LABELS.are(&words);
    WE.open(&words) && !named || tells_other_list(heading)
}

/// Whether the words of a heading, or of the line above one, say that it stands over something else than products.
pub fn tells_other_list(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    WHY.open(&words)
        || tells_whom_or_how(&words)
        || [
            &APART_HEADINGS,
            &BENEFIT_HEADINGS,
            &PROCESS_HEADINGS,
            &VALUE_HEADINGS,
            &QUESTION_HEADINGS,
            &SEGMENT_HEADINGS,
        ]
        .into_iter()
        .any(|headings| headings.any_in(&words))
        || !PRODUCTS.any_in(&words) && OTHER_LIST_HEADINGS.any_in(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_services_name_nothing_by_themselves() {
        for text in [
            "Our products and services",
            "OUR PRODUCTS",
            "Leistungen",
            "Unsere Produkte und Leistungen",
            "Tous nos services",
            "サービス",
            "製品・サービス",
            "제품 및 서비스",
        ] {
            assert!(only_announces(text), "{text}");
        }
        for text in [
            "SMSサービス",
            "決済・サービス",
            "IT services",
            "CNC-Produkte",
            "Editing services",
            "화물 서비스",
            "印刷",
            "Team",
        ] {
            assert!(!only_announces(text), "{text}");
        }
    }

    #[test]
    fn sentences_announce_lists_of_services() {
        for text in [
            "Our services include:",
            "Wir bieten folgende Leistungen an:",
            "Nos prestations comprennent :",
            "We offer these services:",
        ] {
            assert!(leads_to_list(text), "{text}");
        }
        for text in [
            "As a customer of our services you get, every year:",
            "The price of our services:",
            "Our services include",
            "What you need to bring:",
        ] {
            assert!(!leads_to_list(text), "{text}");
        }
    }

    #[test]
    fn a_word_that_a_line_break_cuts_is_one() {
        for text in ["SERV ICES", "HİZMET LERİMİZ", "Leis tungen"] {
            assert!(only_announces(text), "{text}");
        }
        for text in ["Web design", "Garden services", "Ice cream"] {
            assert!(!only_announces(text), "{text}");
        }
    }

    #[test]
    fn what_a_heading_adds_does_not_hide_what_it_announces() {
        for heading in [
            "Our services – everything for roofs and gutters",
            "Unsere Leistungen (vom ersten Plan bis zur Abnahme)",
            "Nos services à Cergy et dans tout le département",
            "I nostri servizi a Marano e in tutta la provincia",
            "Nuestros servicios en Huesca y en toda la comarca",
        ] {
            assert!(is_announcement(heading), "{heading}");
        }
        for heading in [
            "Our products for you at a glance",
            "Unsere Leistungen für Ihr Haus und Ihren Garten",
            "Nos produits pour les artisans de la région",
        ] {
            assert!(only_announces(heading), "{heading}");
        }
        for heading in [
            "Our products are tested every single day",
            "Our products for every house last longer than all of the others",
            "Roofs and gutters for every house – our services",
            "Why our services are worth it – and to whom",
            "Product quality: we test every single one of them",
            "Wir sind in Ulm zu Hause und lieben gute Produkte",
        ] {
            assert!(!is_announcement(heading), "{heading}");
        }
    }

    #[test]
    fn turkish_and_polish_headings_announce_offerings() {
        for heading in [
            "Ürünlerimiz",
            "HİZMETLERİMİZ",
            "Ürün ve hizmetlerimiz",
            "Faaliyet alanları",
            "Industry-leading products",
            "Unsere Gewerke",
            "Nasze usługi",
            "Zakres usług",
            "Czym się zajmujemy",
        ] {
            assert!(is_announcement(heading), "{heading}");
        }
        for other in [
            "Müşterilerimiz",
            "Industry-specific solutions",
            "Branchenlösungen",
            "Unser Leistungsversprechen",
            "Produktqualität",
            "Nationwide service",
            "Service in Ireland",
            "Neden biz?",
            "Rakamlarla Acme",
            "Nasi klienci",
            "Dlaczego my?",
            "Jak pracujemy",
        ] {
            assert!(!is_announcement(other), "{other}");
        }
    }
}
