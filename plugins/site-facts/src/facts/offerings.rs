//! What the company sells: names of its products and services.

mod declared;
mod groups;

use gtm_lexicon::company::WE;
use gtm_lexicon::foundations::VALUE_HEADINGS;
use gtm_lexicon::offer::{
    APART_HEADINGS, BENEFIT_HEADINGS, LABELS, NO_OFFERINGS, OTHER_LIST_HEADINGS, TEMPLATE_LEAKS,
    WHY,
};
use gtm_lexicon::pages::PRODUCTS;
use gtm_lexicon::questions::HEADINGS as QUESTION_HEADINGS;
use gtm_lexicon::segments::HEADINGS as SEGMENT_HEADINGS;
use gtm_lexicon::trade::INDUSTRY_LABELS;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::roles::{self, Role};
use gtm_site_research::words;

pub(super) use self::declared::SOLD;
use self::groups::{Headings, has_page, heads_page, is_card, recurs};
use super::labels::{Labelled, labelled};
use super::outline::{Item, Section, sections};
use super::speaker::speaks_as_we;
use super::{legal_names, letters, names};
use crate::part::Part;
use crate::site::Site;

/// Most names kept.
const MOST: usize = 16;
/// First letters of a word that tell it from others.
const STEM: usize = 6;

/// The names, the surest first: what structured data declares, what a label announces, what stands under a
/// heading for products and services, and the headings of pages about them.
pub fn offerings(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>]) -> Vec<Claim> {
    let mut found = Found {
        site,
        claims: Vec::new(),
    };
    declared::add_to(&mut found, evidence);
    let of_trade = labelled(pairs, &INDUSTRY_LABELS).filter(|pair| listed(pair.value).len() > 1);
    // What stands under a heading belongs to its section, and a sentence is no list of names.
    let own_row = |pair: &&Labelled<'_>| pair.main && pair.excerpts.len() == 1;
    for pair in labelled(pairs, &LABELS).chain(of_trade).filter(own_row) {
        for name in listed(pair.value) {
            found.add(name, pair.excerpts.clone());
        }
    }
    let sections = sections(site, evidence);
    let page = Headings {
        site,
        evidence,
        sections: &sections,
    };
    for section in sections.iter().filter(|section| names_nothing(section)) {
        if section.is_leaf() {
            let items = section.items();
            items.iter().for_each(|item| found.item(item));
        }
    }
    // Pages about products come first: other pages tell a selection.
    let groups = page.groups();
    let of_products = |group: &&Vec<&Section<'_>>| {
        group
            .first()
            .is_some_and(|first| first.part == Part::Product)
    };
    let (first, rest): (Vec<_>, Vec<_>) = groups.iter().partition(of_products);
    for group in first.into_iter().chain(rest) {
        if page.sells(group) {
            found.group(group);
        }
    }
    for section in &sections {
        let heading = section.heading;
        let titles = heading.level == 1 && section.part == Part::Product;
        let shown = matches!(section.part, Part::Home | Part::Product | Part::Other);
        let leads = || shown && is_card(section) && heads_page(heading, site);
        if (titles || leads()) && has_page(heading, site) {
            found.passage(heading);
        }
    }
    found.claims
}

struct Found<'a> {
    site: &'a Site,
    claims: Vec<Claim>,
}

impl Found<'_> {
    fn add(&mut self, name: &str, excerpts: Vec<Excerpt>) {
        let name = name
            .trim()
            .trim_start_matches(['・', '●', '■', '◆', '•', '-', '–'])
            .trim();
        let key = letters(name);
        let known = |claim: &Claim| claim.value.as_str().map(letters).as_ref() == Some(&key);
        // `Why Acme`, `Acme's services` are headings about the company.
        let of_company = |own: &String| {
            let own = letters(legal_names::without_form(own));
            own.chars().count() >= 3 && key.contains(&own)
        };
        let is_new = !self.claims.iter().any(known);
        let is_other = self.site.research.names.iter().any(of_company);
        // Under some names stands the same in another script: `塗装工事 COATING`.
        let translated = |claim: &Claim| {
            let known = claim.value.as_str().map(letters).unwrap_or_default();
            let rest = key.strip_prefix(&known);
            !known.is_ascii() && rest.is_some_and(|rest| rest.is_ascii())
        };
        let is_new = is_new && !self.claims.iter().any(translated);
        // `Ascoltiamo` is a step of the company's work.
        let is_step = words::split(&words::fold(name))
            .first()
            .is_some_and(|first| speaks_as_we(first, self.site));
        if is_name(name) && !is_step && is_new && !is_other && self.claims.len() < MOST {
            self.claims.push(Claim::stated(name, excerpts));
        }
    }

    fn passage(&mut self, passage: &Passage) {
        let excerpt = Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        self.add(&passage.text, vec![excerpt]);
    }

    /// The headings of a group, but for those that say again what another page's list says: `Repairs` beside
    /// `Repairs and care`.
    fn group(&mut self, group: &[&Section<'_>]) {
        let page = group.first().map(|section| section.heading.page);
        let told: Vec<String> = self
            .claims
            .iter()
            .filter(|claim| claim.excerpts.first().map(|excerpt| excerpt.page) != page)
            .filter_map(|claim| claim.value.as_str().map(words::fold))
            .collect();
        for section in group {
            let folded = words::fold(&section.heading.text);
            let begun: Option<String> = words::split(&folded)
                .first()
                .filter(|word| word.is_ascii() && word.chars().count() >= STEM)
                .map(|word| word.chars().take(STEM).collect());
            let again = begun.is_some_and(|begun| {
                let words = |name: &String| {
                    words::split(name)
                        .iter()
                        .any(|word| word.starts_with(&begun))
                };
                told.iter().any(words)
            });
            if !again {
                self.passage(section.heading);
            }
        }
    }

    fn item(&mut self, item: &Item<'_>) {
        self.add(item.name, item.excerpts(false));
    }
}

/// The names under headings that announce products and services, as folded letters.
pub fn named_under_headings(site: &Site, sections: &[Section<'_>]) -> Vec<String> {
    let cards = sections.iter().filter(|section| announces(section));
    let items = cards.flat_map(Section::items);
    let own = |section: &&Section<'_>| is_card(section) && recurs(section.heading, site);
    let headings = sections
        .iter()
        .filter(own)
        .map(|section| section.heading.text.as_str());
    items
        .map(|item| letters(item.name))
        .chain(headings.map(letters))
        .collect()
}

/// Whether a section's heading does nothing but announce products and services: `Our products and services`. What
/// is listed under a heading that names something, as `Editing services`, are its parts and tools.
fn names_nothing(section: &Section<'_>) -> bool {
    let folded = words::fold(&section.heading.text);
    let words = words::split(&folded);
    let plain = |word: &&str| {
        let alone = [*word];
        PRODUCTS.any_in(&alone) || WE.any_in(&alone) || word.chars().count() <= 3
    };
    announces(section) && (LABELS.are(&words) || words.iter().all(plain))
}

/// Whether a section's heading announces products or services: it is a few words, one of them such a word.
fn announces(section: &Section<'_>) -> bool {
    matches!(
        section.part,
        Part::Home | Part::Product | Part::About | Part::Other
    ) && is_announcement(&section.heading.text)
}

/// Whether a heading, or the line above one, announces products or services.
fn is_announcement(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    (1..=5).contains(&words.len())
        && (PRODUCTS.any_in(&words) || LABELS.are(&words))
        && !other_list(text)
}

/// Whether a heading stands over something else than products: benefits, values, questions, people.
fn other_list(heading: &str) -> bool {
    let folded = words::fold(heading);
    let words = words::split(&folded);
    WE.open(&words) && !PRODUCTS.any_in(&words) || tells_other_list(heading)
}

/// Whether the words of a heading, or of the line above one, say that it stands over something else than products.
fn tells_other_list(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    WHY.open(&words)
        || [
            &APART_HEADINGS,
            &BENEFIT_HEADINGS,
            &VALUE_HEADINGS,
            &QUESTION_HEADINGS,
            &SEGMENT_HEADINGS,
        ]
        .into_iter()
        .any(|headings| headings.any_in(&words))
        || !PRODUCTS.any_in(&words) && OTHER_LIST_HEADINGS.any_in(&words)
}

/// The names in the value of a label: its lines, or what its commas separate.
pub(super) fn listed(value: &str) -> Vec<&str> {
    // Where a text needs no blanks, one is the end of a line.
    let joined = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    if value.contains(joined) && value.contains(char::is_whitespace) {
        return value.split_whitespace().collect();
    }
    let marks: &[char] = if value.contains(['\n', '・', '●', '■', ';']) {
        &['\n', '●', '■', ';']
    } else {
        &[',', '、', '，', '/', '／']
    };
    value
        .split(marks)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// Whether a text may be the name of a product or service.
fn is_name(name: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    (1..=9).contains(&words.len())
        && (2..=80).contains(&name.chars().count())
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(['?', '!', '.', ':', '…', '。', '？', '！', '：'])
        && !name.contains(['@', '|', ':'])
        && !WE.open(&words)
        // Steps and counters begin with their number.
        && !name.starts_with(|c: char| c.is_numeric())
        && !NO_OFFERINGS.open(&words)
        && !PRODUCTS.are(&words)
        // A template that got no value names nothing.
        && !TEMPLATE_LEAKS.are(&words)
        && !name.contains(['{', '}'])
        && roles::named_page(&words).is_none_or(|role| role == Role::Products)
        && !names::is_generic(name)
        && !boilerplate::is_call_to_act(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turkish_and_polish_headings_announce_offerings() {
        for heading in [
            "Ürünlerimiz",
            "HİZMETLERİMİZ",
            "Ürün ve hizmetlerimiz",
            "Faaliyet alanları",
            "Nasze usługi",
            "Zakres usług",
            "Czym się zajmujemy",
        ] {
            assert!(is_announcement(heading), "{heading}");
        }
        for other in [
            "Müşterilerimiz",
            "Neden biz?",
            "Rakamlarla Acme",
            "Nasi klienci",
            "Dlaczego my?",
            "Jak pracujemy",
        ] {
            assert!(!is_announcement(other), "{other}");
        }
        assert!(is_name("Fener camları") && is_name("Zegary wieżowe"));
        assert!(!is_name("Sıkça sorulan sorular") && !is_name("Korzyści dla miasta"));
        let role = roles::named_in("Hizmet alanlarımız");
        assert_eq!(role, Some(Role::Products));
        assert_eq!(roles::named_in("O spółce"), Some(Role::About));
    }

    #[test]
    fn what_templates_leak_is_no_name() {
        for leak in [
            "Array",
            "undefined",
            "[object Object]",
            "NaN",
            "null",
            "{{ item.name }}",
        ] {
            assert!(!is_name(leak), "{leak}");
        }
        for name in ["Array microphones", "Volets en bois", "Treppen"] {
            assert!(is_name(name), "{name}");
        }
    }
}
