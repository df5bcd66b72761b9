//! Where the company has its headquarters.

mod authorities;
mod countries_shown;
mod declared;
mod labelled;
mod merging;
pub(super) mod regions;
mod units;

use gtm_lexicon::countries::Country;
use gtm_lexicon::others::PLACES;
use gtm_lexicon::postal as codes;
use gtm_lexicon::seats::LABELS;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::places;
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use serde_json::json;

use self::authorities::is_of_authority;
use self::countries_shown::{Shown, country_in_address};
use self::declared::{declared, parts_of};
use self::labelled::{of_label, under_label};
use self::merging::agreeing;
use self::units::is_of_further_unit;
use super::company_table::{self, Form};
use super::identifiers::named_above;
use super::labels::{Labelled, labelled};
use super::others::{Own, Owner};
use super::postal::{Place, place_before_country};
use super::speaker::speaks_of_itself;
use super::{Line, countries, legal_names, letters, placeholders};
use crate::conflicts::{Statement, settle};
use crate::draft::{Draft, HEADQUARTERS, LEGAL_NAME};
use crate::part::Part;
use crate::site::Site;

/// Most lines between an address and the line that names its country.
const NEAR: usize = 4;
/// Collects the headquarters.
pub fn collect(
    site: &Site,
    evidence: &Evidence,
    lines: &[Line<'_>],
    pairs: &[Labelled<'_>],
    draft: &mut Draft,
) {
    let legal = draft.one(LEGAL_NAME).and_then(|claim| claim.value.as_str());
    let own = Own::new(site, legal);
    let lines = &placeholders::without(lines);
    // Whoever takes a site's payments may sit elsewhere.
    let of_another = |text: &str| {
        !own.is_named_in(text)
            && !legal.is_some_and(|name| text.contains(name))
            && !legal_names::find(text).is_empty()
    };
    let own_lines: Vec<Line<'_>> = lines
        .iter()
        .filter(|line| !of_another(line.text))
        .cloned()
        .collect();
    let shown = Shown::of(&own_lines);
    let mut statements = declared(site, &shown);
    statements.extend(written(site, lines, &shown, &own));
    statements.extend(told(evidence, &shown, site));
    statements.extend(labelled(pairs, &LABELS).filter_map(|pair| of_label(pair, &shown, site)));
    statements.extend(under_label(lines, &shown, site));
    // The first address among a company's particulars is its seat.
    let mut of_table = company_table::rows(pairs).into_iter();
    let first = of_table.find(|(form, _)| *form == Form::Address);
    statements.extend(first.and_then(|(_, pair)| of_label(pair, &shown, site)));
    if let Some(data) = &site.company_data {
        let facts = &data.facts;
        if let Some(country) = facts.country.as_deref().and_then(countries::named) {
            let parts = [&facts.locality, &facts.region, &facts.country];
            let excerpts = parts
                .into_iter()
                .flatten()
                .map(|fact| data.excerpt(fact.as_str()))
                .collect();
            statements.push(seat(
                facts.locality.clone(),
                facts.region.clone(),
                country,
                excerpts,
                1,
            ));
        }
    }
    settle(draft, HEADQUARTERS, agreeing(statements));
}

/// The place of the address in a text. Where a line break before a town became a blank, the town is what other texts of the site
/// name alone.
fn place_in(text: &str, site: &Site) -> Option<Place> {
    let place = super::postal::place_in(text)?;
    if place.country != Some("BR") || !place.locality.contains(' ') {
        return Some(place);
    }
    let starts = words::tokens(&place.locality)
        .into_iter()
        .map(|(start, ..)| start);
    let mut ends = starts.filter_map(|start| place.locality.get(start..));
    let town = ends
        .find(|town| is_named_alone(town, site))
        .map(str::to_owned);
    let whole = place.locality.split_whitespace().count() <= 3;
    let locality = town.or_else(|| whole.then(|| place.locality.clone()))?;
    Some(Place { locality, ..place })
}

/// Whether a text of the site names a place without a capitalized word before it, which could be a part of the name.
fn is_named_alone(town: &str, site: &Site) -> bool {
    let stands_alone = |text: &str| {
        text.match_indices(town).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let last = before.split_whitespace().next_back();
            let parted = before.ends_with([' ', '\u{a0}', '(']) && !before.trim_end().is_empty();
            parted
                && last.is_some_and(|word| {
                    !word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                })
        })
    };
    let mut blocks = site.own_pages().flat_map(|(_, _, page)| &page.blocks);
    blocks.any(|block| stands_alone(&block.text))
}

/// The town of the head office where nothing tells its country: in a sentence, or in structured data that a page
/// bears out.
pub fn town(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let said = evidence
        .own_sentences()
        .filter(|sentence| sentence.role != Role::Products)
        .find_map(|sentence| {
            let place = places::head_office(&sentence.text, &sentence.folded)?;
            let first = place.split(',').next().unwrap_or_default().trim();
            if regions::is_region(first) {
                return None;
            }
            Some(Claim::told(
                place,
                Excerpt {
                    page: sentence.page,
                    text: sentence.text.clone(),
                },
            ))
        });
    let declared = || {
        let addresses = site
            .organizations
            .iter()
            .flat_map(|known| known.objects("address"));
        let town = addresses.filter_map(parts_of).find_map(|(town, ..)| town)?;
        let shown = |passage: &&Passage| {
            passage.text.chars().count() <= 400 && passage.text.contains(&town)
        };
        let carrier = evidence.passages.iter().find(shown)?;
        let excerpt = Excerpt {
            page: carrier.page,
            text: carrier.text.clone(),
        };
        Some(Claim::told(town, excerpt))
    };
    said.or_else(declared)
}

fn seat(
    locality: Option<String>,
    region: Option<String>,
    country: &str,
    excerpts: Vec<Excerpt>,
    weight: u32,
) -> Statement {
    let coded = locality
        .as_deref()
        .and_then(|locality| regions::with_code(locality, country));
    let (locality, region) = match coded {
        Some((town, province)) => {
            let town = Some(town.to_owned());
            (town, region.or_else(|| province.map(str::to_owned)))
        }
        None => (locality, region),
    };
    // The code of a country behind a town is none of a region: `1010 Wien (AT)`.
    let of_country = |code: &String| {
        countries::named(code).is_some()
            && code.len() == 2
            && Country::of_code(country).is_some_and(|country| !country.has_region(code))
    };
    let region = region.filter(|code| !of_country(code));
    Statement {
        key: format!(
            "{country} {}",
            locality.as_deref().map(letters).unwrap_or_default()
        ),
        value: json!({"locality": locality, "region": region, "country": country}),
        excerpts,
        weight,
    }
}

/// Addresses in the lines of legal and contact pages, and in the footers of other pages.
fn written(site: &Site, lines: &[Line<'_>], shown: &Shown, own: &Own) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut pages_done: Vec<usize> = Vec::new();
    let only = of_only_town(lines, site, own);
    for (at, line) in lines.iter().enumerate() {
        let weight = match line.part {
            // Terms of trade must also say who hears complaints.
            Part::Legal if site.is_terms(line.page) => 2,
            Part::Legal => 4,
            Part::Contact => 3,
            // The main text of these pages also gives other places: trade fairs, customers, depots.
            Part::Home | Part::About
                if !line.main || begins_with_own(line.text, own) || only.contains(&at) =>
            {
                2
            }
            _ => continue,
        };
        // A page's first address is the company's; further ones belong to branches or authorities.
        if pages_done.contains(&line.page) || line.text.chars().count() > 300 {
            continue;
        }
        // The page's first address may belong to a distributor or an authority: skip it.
        let owner = match own.of_number(line.text, line.text.len()) {
            Owner::Unnamed => named_above(lines, at, own),
            owner => owner,
        };
        if owner == Owner::Other
            || is_of_other_place(line.text, own)
            || is_of_further_unit(lines, at)
            || is_of_authority(lines, at, site, own)
        {
            continue;
        }
        // The line before the address may still be the end of another address.
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        let near: Vec<&Line<'_>> = lines
            .iter()
            .skip(at)
            .take(NEAR)
            .chain(before)
            .filter(|other| other.page == line.page)
            .collect();
        let Some(place) = place_in(line.text, site) else {
            // A sentence that lists places can end like an address: ignore the home page and long lines.
            let is_address = line.part != Part::Home && line.text.chars().count() <= 160;
            if let Some((town, code)) = place_before_country(line.text).filter(|_| is_address) {
                let excerpts = vec![line.excerpt()];
                found.push(seat(Some(town.to_owned()), None, code, excerpts, weight));
                pages_done.push(line.page);
            }
            continue;
        };
        let country = near
            .iter()
            .find_map(|other| country_in_address(other.text).map(|code| (code, other.excerpt())))
            .or_else(|| place.country.map(|code| (code, line.excerpt())))
            .or_else(|| shown.on(line.page))
            .or_else(|| shown.anywhere())
            .or_else(|| Some((country_of_site(site, &place)?, line.excerpt())));
        let Some((country, carrier)) = country else {
            continue;
        };
        if place.country.is_some_and(|told| told != country) {
            continue;
        }
        if !is_coded_in(&place, country) {
            continue;
        }
        let place = place.within(country);
        let mut excerpts = vec![line.excerpt()];
        if carrier.text != line.text {
            excerpts.push(carrier);
        }
        pages_done.push(line.page);
        found.push(seat(
            Some(place.locality),
            place.region,
            country,
            excerpts,
            weight,
        ));
    }
    found
}

/// The lines that are a whole address each, if all of a site's name one town: nobody else has an address there.
fn of_only_town(lines: &[Line<'_>], site: &Site, own: &Own) -> Vec<usize> {
    let address = |line: &Line<'_>| {
        let place = place_in(line.text, site)?;
        let (before, _) = line.text.split_once(place.locality.as_str())?;
        // A street has a number, and its code is another.
        let street = place
            .code
            .as_deref()
            .and_then(|code| before.rsplit_once(code))
            .map_or(before, |(street, _)| street);
        let mut numbers = street.split(|c: char| !c.is_ascii_digit());
        let numbered = numbers
            .by_ref()
            .any(|number| (1..=4).contains(&number.len()));
        let coded = place.code.is_some() || numbers.any(|number| number.len() >= 4);
        let fits = numbered
            && coded
            && line.text.starts_with(char::is_alphabetic)
            && line.text.chars().count() <= 120
            && !is_of_other_place(line.text, own);
        fits.then_some(place.locality)
    };
    let found: Vec<(usize, String)> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, letters(&address(line)?))))
        .collect();
    let one = found
        .iter()
        .all(|(_, town)| Some(town) == found.first().map(|(_, town)| town));
    found
        .into_iter()
        .map(|(at, _)| at)
        .filter(|_| one)
        .collect()
}

/// Whether a line begins with the company's registered name, as a notice of its particulars does.
fn begins_with_own(text: &str, own: &Own) -> bool {
    legal_names::find(text)
        .first()
        .is_some_and(|name| text.starts_with(name) && own.is_named_in(name))
}

/// The country of an address that no line names, by its postal code and the site.
fn country_of_site(site: &Site, place: &Place) -> Option<&'static str> {
    let here = codes::Site {
        domain: &site.research.domain,
        language: &site.research.language,
    };
    let country = codes::country_of_site(place.code.as_deref()?, here)?;
    Some(country.code)
}

/// Whether the postal code of a place, if it has one, is one of the country.
fn is_coded_in(place: &Place, country: &str) -> bool {
    let code = place.code.as_deref();
    code.is_none_or(|code| codes::prints(country, code))
}

/// Whether an address is marked as a distributor's or a branch's.
fn is_of_other_place(text: &str, own: &Own) -> bool {
    PLACES.any_in(&words::split(&words::fold(text))) && !own.is_named_in(text)
}

/// The headquarters in a sentence that gives an address: `Our head office is at Unit 9, Elm Way, Bristol BS11
/// 8DB`.
fn addressed(sentence: &Sentence, shown: &Shown, site: &Site, weight: u32) -> Option<Statement> {
    let text = places::head_office_address(&sentence.text, &sentence.folded)?;
    let place = place_in(text, site)?;
    let mut excerpts = vec![Excerpt {
        page: sentence.page,
        text: sentence.text.clone(),
    }];
    let country = match place.country.or_else(|| country_in_address(text)) {
        Some(code) => code,
        None => match shown.on(sentence.page).or_else(|| shown.anywhere()) {
            Some((code, carrier)) => {
                excerpts.push(carrier);
                code
            }
            None => country_of_site(site, &place)?,
        },
    };
    is_coded_in(&place, country).then(|| {
        let place = place.within(country);
        seat(
            Some(place.locality),
            place.region,
            country,
            excerpts,
            weight,
        )
    })
}

/// Headquarters named in sentences: `headquartered in Leeds, England`.
fn told(evidence: &Evidence, shown: &Shown, site: &Site) -> Vec<Statement> {
    let mut found = Vec::new();
    let given = |sentence: &&Sentence| !placeholders::is_in(&sentence.text);
    for sentence in evidence.sentences.iter().filter(given) {
        let part = site.part(sentence.page);
        let weight = match part {
            Part::Home
            | Part::About
            | Part::Careers
            | Part::Contact
            | Part::Press
            | Part::Legal => 3,
            Part::External => 1,
            _ => continue,
        };
        // News items also report on other companies.
        if matches!(part, Part::Press | Part::External) && !speaks_of_itself(&sentence.text, site) {
            continue;
        }
        if let Some(seat) = addressed(sentence, shown, site, weight) {
            found.push(seat);
            continue;
        }
        let Some(place) = places::head_office(&sentence.text, &sentence.folded) else {
            continue;
        };
        let parts: Vec<&str> = place
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        let excerpt = Excerpt {
            page: sentence.page,
            text: sentence.text.clone(),
        };
        let mut excerpts = vec![excerpt];
        let (code, named_at) = match parts
            .iter()
            .position(|part| countries::named(part).is_some())
        {
            Some(at) => (
                parts.get(at).and_then(|part| countries::named(part)),
                Some(at),
            ),
            None => match countries::mentioned(&sentence.text) {
                Some(code) => (Some(code), None),
                None => match shown.anywhere() {
                    Some((code, carrier)) => {
                        excerpts.push(carrier);
                        (Some(code), None)
                    }
                    None => (None, None),
                },
            },
        };
        let Some(code) = code else { continue };
        let local: Vec<&str> = parts
            .iter()
            .enumerate()
            .filter(|(at, _)| Some(*at) != named_at)
            .map(|(_, part)| *part)
            .collect();
        let (locality, region) = match local.as_slice() {
            [] => (None, None),
            [first, ..] if regions::is_region(first) => (None, Some((*first).to_owned())),
            [town, rest @ ..] => (
                Some((*town).to_owned()),
                rest.first().map(|part| (*part).to_owned()),
            ),
        };
        found.push(seat(locality, region, code, excerpts, weight));
    }
    found
}
