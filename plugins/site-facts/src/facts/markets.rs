//! The countries in which the company operates, and the regions that it serves.

mod lists;
mod regions;

use gtm_lexicon::company::THE_COMPANY;
use gtm_lexicon::founding::BY;
use gtm_lexicon::markets::{AREA_LABELS, ELSEWHERE, FIRST_PERSON, HEADINGS, SERVES};
use gtm_lexicon::others::LABELS;
use gtm_page_text::{primary_language, region_subtag};
use gtm_site_research::claim::{Basis, Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::organization::texts;
use gtm_site_research::words;
use serde_json::{Map, Value};

use super::labels::{Labelled, labelled_anywhere};
use super::others::Own;
use super::outline::sections;
use super::speaker::{says_what_it_is, speaks_of_itself};
use super::{countries, legal_names, letters};
use crate::draft::{Draft, HEADQUARTERS, MARKETS};
use crate::part::Part;
use crate::site::Site;

/// Most markets kept.
const MOST_MARKETS: usize = 40;
/// Most words of the name of a region.
const LONGEST_AREA: usize = 10;
/// Fewest digits of a telephone number or a postal code with the number of a house.
const LEAST_DIGITS: usize = 5;
/// Most characters of a line that frames the pages.
const LONGEST_FRAME: usize = 300;
/// Most words of an address in one line.
const LONGEST_ADDRESS: usize = 20;

/// Collects the countries that the site lists as its markets.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let add = |draft: &mut Draft, code: &str, excerpt: Excerpt| {
        if draft.many(MARKETS).len() < MOST_MARKETS {
            draft.push(MARKETS, Claim::stated(code, vec![excerpt]));
        }
    };
    for section in sections(site, evidence) {
        // A place with an address is one from which the company works, not one that it serves.
        if !section.is_headed(&HEADINGS) || section.body.iter().any(|line| reaches(&line.text)) {
            continue;
        }
        for passage in &section.body {
            if passage.text.chars().count() > 400 {
                continue;
            }
            for part in lists::parts(&passage.text) {
                if let Some(code) = countries::named(part) {
                    add(
                        draft,
                        code,
                        Excerpt {
                            page: passage.page,
                            text: passage.text.clone(),
                        },
                    );
                }
            }
        }
    }
    for sentence in evidence.sentences.iter().filter(|sentence| {
        matches!(
            site.part(sentence.page),
            Part::Home
                | Part::About
                | Part::Product
                | Part::Customers
                | Part::Press
                | Part::Contact
        )
    }) {
        let speaks = says_itself(&sentence.folded)
            || says_what_it_is(&sentence.text, site)
            || continues_its_own(sentence, site, evidence);
        for code in served(&sentence.text) {
            if speaks {
                let excerpt = Excerpt {
                    page: sentence.page,
                    text: sentence.text.clone(),
                };
                add(draft, code, excerpt);
            }
        }
    }
    // Country versions of the site count if there are several: a single one may only set the spelling.
    for styled in &site.styled {
        let mut regions: Vec<&'static str> = styled
            .markup
            .alternates
            .iter()
            .filter_map(|alternate| countries::named(&region_subtag(&alternate.language)?))
            .collect();
        regions.sort_unstable();
        regions.dedup();
        if regions.len() > 1 {
            draft.extend(
                MARKETS,
                regions
                    .into_iter()
                    .map(|code| Claim::observed(code, vec![styled.receipt_id.clone()])),
            );
        }
    }
    for organization in &site.organizations {
        for text in organization.texts("areaServed") {
            if let Some(code) = countries::named(&text) {
                add(
                    draft,
                    code,
                    Excerpt {
                        page: organization.page,
                        text,
                    },
                );
            }
        }
    }
    // What is served is also where each service is offered.
    for (page, text) in lists::served(site) {
        if let Some(code) = countries::named(&text) {
            add(draft, code, Excerpt { page, text });
        }
    }
}

/// Adds the country in which the regions are that the site names as those it serves, where it names none: that of the head
/// office, as far as the site names it there.
pub fn of_areas(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    if !draft.many(MARKETS).is_empty() {
        return;
    }
    let Some(seat) = draft.one(HEADQUARTERS) else {
        return;
    };
    let code = seat.value["country"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let declared = site.organizations.iter().flat_map(|organization| {
        let addresses = organization.objects("address").into_iter();
        let texts = addresses.flat_map(|address| texts(address, "addressCountry"));
        texts.map(|text| Excerpt {
            page: organization.page,
            text,
        })
    });
    let named = seat
        .excerpts
        .iter()
        .cloned()
        .chain(declared)
        .find(|excerpt| {
            let mut parts = excerpt.text.split([',', '·', '|']);
            parts.any(|part| countries::named(part.trim()) == Some(code.as_str()))
        });
    let Some(named) = named else {
        return;
    };
    // Who works around his town does not serve the country.
    let own = evidence.passages.iter();
    let mut own = own.filter(|passage| site.part(passage.page) != Part::External);
    if own.any(|passage| regions::tells_a_distance(&passage.text)) {
        return;
    }
    let areas = areas(site, evidence, pairs).into_iter();
    let Some(area) = areas.flat_map(|area| area.excerpts).next() else {
        return;
    };
    // Two places bear it out together, and none of them says it.
    let claim = Claim::stated(code, vec![named, area]);
    let basis = Basis::Observed;
    draft.push(MARKETS, Claim { basis, ..claim });
}

/// The regions that structured data, labels and sentences of the company name as those that it serves, besides
/// countries.
pub fn areas(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>]) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut add = |text: &str, excerpts: Vec<Excerpt>| {
        let key = letters(text);
        let told = found.iter().any(|claim| {
            claim
                .value
                .as_str()
                .is_some_and(|known| letters(known).contains(&key))
        });
        let fits = !key.is_empty() && words::count(text) <= LONGEST_AREA;
        // A wider region says more: `Greater Leeds` than `Leeds`.
        if fits && !told {
            found.retain(|claim| {
                let known = claim.value.as_str().map(letters).unwrap_or_default();
                !key.contains(&known)
            });
        }
        if fits
            && !told
            && !text.ends_with(['.', '!', '?', '。'])
            && countries::named(text).is_none()
        {
            found.push(Claim::stated(text, excerpts));
        }
    };
    for organization in &site.organizations {
        for text in organization.texts("areaServed") {
            let excerpt = Excerpt {
                page: organization.page,
                text: text.clone(),
            };
            add(&text, vec![excerpt]);
        }
    }
    for (page, text) in lists::served(site) {
        let excerpt = Excerpt {
            page,
            text: text.clone(),
        };
        add(&text, vec![excerpt]);
    }
    let listed = lists::listed(site, evidence);
    for (name, passage) in &listed {
        let excerpt = Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        add(name, vec![excerpt]);
    }
    // The first place of a list is no value of its label.
    let is_listed = |text: &str| listed.iter().any(|(_, passage)| passage.text == text);
    // Some word of a region is a name.
    let has_name = |text: &str| text.contains(|c: char| c.is_alphabetic() && !c.is_lowercase());
    let is_area =
        |text: &str| !is_listed(text) && (has_name(text) || lists::whole_country(text).is_some());
    for pair in labelled_anywhere(pairs, &AREA_LABELS).filter(|pair| is_area(pair.value)) {
        add(pair.value.trim(), pair.excerpts.clone());
    }
    let language = primary_language(&site.research.language);
    let own = Own::new(site, None);
    // What frames the pages tells of the company without its name.
    for (page, part, content) in site.own_pages() {
        let frame = content.blocks.iter().filter(|block| !block.main);
        for block in frame.filter(|_| part != Part::Careers) {
            if block.text.chars().count() > LONGEST_FRAME || is_of_another(&block.text, &own) {
                continue;
            }
            for name in regions::with_surroundings(&block.text, language) {
                let text = block.text.clone();
                add(name, vec![Excerpt { page, text }]);
            }
        }
    }
    for sentence in &evidence.sentences {
        let presents = matches!(
            site.part(sentence.page),
            Part::Home | Part::About | Part::Product | Part::Contact | Part::Other
        );
        let speaks = says_itself(&sentence.folded) || says_what_it_is(&sentence.text, site);
        if !presents || !speaks || ELSEWHERE.any_in(&sentence.words()) {
            continue;
        }
        let mut names = regions::named(&sentence.text, language);
        names.extend(regions::with_surroundings(&sentence.text, language));
        names.extend(lists::whole_country(&sentence.text));
        let listed = regions::listed(&sentence.text, language);
        // Beside the company's own town, the others are places, too.
        if !listed.is_empty() && listed.iter().any(|name| is_seat(name, site, evidence)) {
            names.extend(listed);
        }
        for name in names {
            let excerpt = Excerpt {
                page: sentence.page,
                text: sentence.text.clone(),
            };
            add(name, vec![excerpt]);
        }
    }
    found
}

/// Whether a line tells of another company: whoever made the site says where it works, too.
fn is_of_another(line: &str, own: &Own) -> bool {
    let folded = words::fold(line);
    let words = words::split(&folded);
    // `Garden design for York and surrounding areas by appointment`
    let by_name = || {
        let all = line.split_whitespace();
        all.clone().zip(all.skip(1)).any(|(by, name)| {
            let bare = by.trim_matches(|c: char| !c.is_alphanumeric());
            BY.contains(&words::fold(bare)) && !name.starts_with(char::is_lowercase)
        })
    };
    let credits = LABELS.any_in(&words) && by_name();
    let named = || {
        legal_names::find(line)
            .into_iter()
            .any(|name| !own.is_named_in(name))
    };
    !own.is_named_in(line) && credits || named()
}

/// Whether a line tells how to reach somebody: by mail, by telephone, or at an address with its postal code.
fn reaches(line: &str) -> bool {
    let digits = line.chars().filter(char::is_ascii_digit).count();
    line.contains('@') || digits >= LEAST_DIGITS && words::count(line) <= LONGEST_ADDRESS
}

/// Whether a name stands in an address of the company.
fn is_seat(name: &str, site: &Site, evidence: &Evidence) -> bool {
    let declared = |object: &Map<String, Value>| {
        let mut values = object.values().filter_map(Value::as_str);
        values.any(|text| letters(text) == letters(name))
    };
    let mut addresses = site
        .organizations
        .iter()
        .flat_map(|organization| organization.objects("address"));
    // `4 Mill Lane, Ripon, HG4 1AA`
    let is_address = |text: &str| {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        digits >= 2 && words::count(text) <= LONGEST_ADDRESS
    };
    addresses.any(declared)
        || evidence.passages.iter().any(|passage| {
            is_address(&passage.text)
                && passage.text.split([',', '·', '|']).count() >= 3
                && passage
                    .text
                    .split([',', '·', '|'])
                    .any(|part| letters(part) == letters(name))
        })
}

/// Whether a sentence says `the company` in a paragraph that names this company.
fn continues_its_own(sentence: &Sentence, site: &Site, evidence: &Evidence) -> bool {
    THE_COMPANY.any_in(&sentence.words())
        && evidence.passages.iter().any(|passage| {
            (passage.page, passage.block) == (sentence.page, sentence.block)
                && speaks_of_itself(&passage.text, site)
        })
}

/// Whether a verb is in the first person, so that its subject must be the company.
fn says_itself(folded: &str) -> bool {
    FIRST_PERSON.any_in(&words::split(folded))
}

/// The countries that the company serves, according to a sentence.
fn served(sentence: &str) -> Vec<&'static str> {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    let behind = SERVES
        .places(&words)
        .map(|(at, phrase)| at + phrase.len())
        .min();
    behind
        .and_then(|at| words.get(at..))
        .filter(|rest| !ELSEWHERE.any_in(rest))
        .map(|rest| countries::all_mentioned(&rest.join(" ")))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_others_name_no_areas() {
        let own = Own::of(&["acme"], None);
        for (line, expected) in [
            (
                "Web design in York and the surrounding areas by Pixel Ltd",
                true,
            ),
            (
                "Web design in York and the surrounding areas by Pixel",
                true,
            ),
            (
                "Garden design for York and surrounding areas by appointment",
                false,
            ),
            ("Bell hanging in Ripon and the surrounding villages", false),
            (
                "Acme Ltd – bells in Ripon and the surrounding villages",
                false,
            ),
        ] {
            assert_eq!(is_of_another(line, &own), expected, "{line}");
        }
    }

    #[test]
    fn markets_are_the_countries_that_are_served() {
        assert_eq!(
            served("We sell to shops in Jordan, Saudi Arabia and the United Arab Emirates."),
            ["JO", "SA", "AE"]
        );
        assert_eq!(
            served("Acme reads invoices for 340 contractors across the United States."),
            ["US"]
        );
        assert_eq!(
            served("Wir liefern nach Österreich und in die Schweiz."),
            ["AT", "CH"]
        );
        assert_eq!(
            served("نبيع لتجار الجملة في الأردن والسعودية."),
            ["JO", "SA"]
        );
        for (sentence, countries) in [
            (
                "Trabajamos con empresas de España y Portugal.",
                vec!["ES", "PT"],
            ),
            (
                "Nos techniciens interviennent dans tout l’Ouest de la France.",
                vec!["FR"],
            ),
            (
                "Wij leveren aan klanten in Nederland en België.",
                vec!["NL", "BE"],
            ),
            ("Vendiamo in tutta Italia.", vec!["IT"]),
        ] {
            assert_eq!(served(sentence), countries, "{sentence}");
        }
        assert_eq!(served("Our head office is in Germany."), [""; 0]);
        assert_eq!(served("Trabajamos con proveedores de Italia."), [""; 0]);
        assert_eq!(served("All data stays in the United States."), [""; 0]);
        assert_eq!(
            served("We serve beers that are imported from Germany."),
            [""; 0]
        );
        assert_eq!(served("In France we sell nothing."), [""; 0]);
    }
}
