//! Facts of the company profile, as far as the site's own words carry them.

use serde_json::Value;

use crate::draft::{Claim, Excerpt, Profile, Risk, RiskKind};
use crate::evidence::{Evidence, Passage, Sentence};
use crate::facts;
use crate::page::{BlockKind, ORGANIZATION_TYPES};
use crate::research::Research;
use crate::roles::Role;
use crate::words;

/// The profile. Contradictions among the pages are added to `risks`.
pub fn profile(research: &Research, evidence: &Evidence, risks: &mut Vec<Risk>) -> Profile {
    Profile {
        industry: industry(research, evidence),
        employee_range: employees(evidence, risks),
        headquarters: headquarters(research, evidence),
        business_model: business_model(evidence),
        offerings: offerings(research, evidence),
        markets: markets(evidence),
    }
}

fn part(text: &str, passage_text: &str, page: usize) -> Claim {
    Claim::stated(text, vec![Excerpt { page, text: passage_text.to_owned() }])
}

fn own_sentences(evidence: &Evidence) -> impl Iterator<Item = &Sentence> {
    evidence.sentences.iter().filter(|sentence| {
        matches!(sentence.role, Role::About | Role::Home | Role::Careers | Role::Imprint | Role::Products)
    })
}

/// Nouns after a number that make it a number of employees.
const STAFF: &[&str] = &[
    "employees", "people", "staff", "colleagues", "team members", "specialists", "professionals", "mitarbeiter", "mitarbeiterinnen", "mitarbeitende",
    "mitarbeitenden", "beschaftigte", "beschaftigten", "kolleginnen", "collaborateurs", "salaries", "employes", "personnes", "empleados", "personas",
    "trabajadores", "dipendenti", "medewerkers",
];
/// Words that say a number is about somebody else, or about something that happens to many.
const NOT_STAFF: &[&str] = &[
    "customer*", "client*", "kunden", "clientes", "users", "visitors", "readers", "companies with", "firms with", "businesses with", "teams of",
    "million*", "mio", "attend*", "trained", "deaths", "patients", "lives", "for people", "help*",
];
const QUALIFIERS: &[&str] = &[
    "over", "around", "about", "nearly", "almost", "roughly", "some", "approximately", "more than", "uber", "rund", "etwa", "circa", "ca", "mehr als",
    "environ", "plus de", "pres de", "mas de", "unos", "unas", "cerca de",
];

fn employees(evidence: &Evidence, risks: &mut Vec<Risk>) -> Option<Claim> {
    let mut found: Vec<(String, Claim)> = Vec::new();
    for sentence in own_sentences(evidence) {
        let words = sentence.words();
        if words::has_any(&words, NOT_STAFF) {
            continue;
        }
        if let Some((number, value)) = staff_number(&sentence.text) {
            found.push((number, part(&value, &sentence.text, sentence.page)));
        }
    }
    let first = found.first()?.0.clone();
    if let Some((other, _)) = found.iter().find(|(number, _)| *number != first) {
        risks.push(Risk {
            text: format!("The site gives different numbers of employees: {first} and {other}."),
            kind: RiskKind::Conflict,
        });
    }
    found.into_iter().next().map(|(_, claim)| claim)
}

/// The number, and the words from its qualifier to the noun, verbatim.
fn staff_number(sentence: &str) -> Option<(String, String)> {
    let tokens = tokens(sentence);
    for (at, &(start, _, word)) in tokens.iter().enumerate() {
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let number = facts::numbers(word).into_iter().next()?;
        let value: f64 = number.parse().ok()?;
        if !(2.0..5_000_000.0).contains(&value) || value.fract() != 0.0 {
            continue;
        }
        for noun_at in at + 1..=at + 3 {
            let Some(&(_, end, _)) = tokens.get(noun_at) else { break };
            // A comma between number and noun parts them.
            if tokens.get(noun_at - 1).is_some_and(|(_, _, word)| word.ends_with([',', ';', ':', '.', ')'])) {
                break;
            }
            let folded = words::fold(sentence.get(start..end)?);
            let words = words::split(&folded);
            let noun = words.last().copied().unwrap_or_default();
            let two = words.get(words.len().saturating_sub(2)..).map(|pair| pair.join(" ")).unwrap_or_default();
            if !(STAFF.contains(&noun) || STAFF.contains(&two.as_str())) {
                continue;
            }
            let mut begin = start;
            for back in [2, 1] {
                let Some(index) = at.checked_sub(back) else { continue };
                let Some(&(before, _, _)) = tokens.get(index) else { continue };
                let qualifier = words::fold(sentence.get(before..start)?.trim());
                if QUALIFIERS.contains(&qualifier.as_str()) {
                    begin = before;
                    break;
                }
            }
            return Some((number, sentence.get(begin..end)?.trim_end_matches(['.', ',', ';', ':', '!', ')']).to_owned()));
        }
    }
    None
}

/// Byte ranges of the words between white space.
fn tokens(text: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                found.push((begin, at, text.get(begin..at).unwrap_or_default()));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Phrases before the place of a head office, folded.
const SEATS: &[&str] = &[
    "headquartered in ", "headquarters in ", "headquarters are in ", "headquarters is in ", "head office in ", "head office is in ", "based in ",
    "hauptsitz in ", "mit sitz in ", "sitz in ", "siege social a ", "siege a ", "siege est a ", "basee a ", "base a ", "sede en ", "sede central en ",
];

fn headquarters(research: &Research, evidence: &Evidence) -> Option<Claim> {
    for sentence in own_sentences(evidence).filter(|sentence| sentence.role != Role::Products) {
        // Folding may change the length of the text: look the place up in the original by its words.
        for seat in SEATS {
            let Some(at) = find_folded(&sentence.text, seat) else { continue };
            let place = place_at(sentence.text.get(at..).unwrap_or_default());
            if !place.is_empty() {
                return Some(part(place, &sentence.text, sentence.page));
            }
        }
    }
    declared_locality(research, evidence)
}

/// Byte offset behind the first occurrence of the folded phrase.
fn find_folded(text: &str, phrase: &str) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).find_map(|start| {
        let before = text.get(..start)?.chars().next_back();
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let mut left = phrase;
        for (offset, c) in text.get(start..)?.char_indices() {
            if left.is_empty() {
                return Some(start + offset);
            }
            let folded = words::fold(c.encode_utf8(&mut [0; 4]));
            left = left.strip_prefix(folded.as_str())?;
        }
        None
    })
}

/// The capitalized words at the start of the text, with the small words of place names between them.
fn place_at(text: &str) -> &str {
    const SMALL: [&str; 14] = ["am", "an", "der", "den", "de", "del", "la", "le", "les", "sur", "upon", "of", "the", "in"];
    let mut end = 0usize;
    for (count, (start, stop, word)) in tokens(text).into_iter().enumerate() {
        let bare = word.trim_end_matches(['.', ',', ';', ':', '!', ')', '(']);
        let capital = bare.starts_with(char::is_uppercase);
        if count >= 6 || !(capital || SMALL.contains(&bare)) {
            break;
        }
        if capital {
            end = start + bare.len();
        }
        let ended = word.len() != bare.len() && !word.ends_with(',');
        if ended || stop == text.len() {
            break;
        }
    }
    text.get(..end).unwrap_or_default()
}

/// The locality of the address that structured data declares, if it stands on a page as well.
fn declared_locality(research: &Research, evidence: &Evidence) -> Option<Claim> {
    let locality = research
        .pages
        .iter()
        .filter(|visited| visited.first_party())
        .flat_map(|visited| visited.page.json_ld_of(ORGANIZATION_TYPES))
        .find_map(|organization| organization.get("address")?.get("addressLocality")?.as_str().map(str::trim))
        .filter(|locality| locality.chars().count() >= 2)?;
    let carrier = evidence
        .passages
        .iter()
        .filter(|passage| matches!(passage.role, Role::Imprint | Role::About | Role::Home))
        .filter(|passage| passage.text.chars().count() <= 400)
        .find(|passage| passage.text.contains(locality))?;
    Some(Claim {
        value: Value::from(locality),
        basis: crate::draft::Basis::Inferred,
        reasoning: Some("The site's structured data gives this as the company's address, and the page shows it.".to_owned()),
        excerpts: vec![Excerpt { page: carrier.page, text: carrier.text.clone() }],
    })
}

/// Nouns that end the description of a company.
const COMPANY_NOUNS: &[&str] = &[
    "company", "firm", "business", "group", "provider", "manufacturer", "supplier", "developer", "maker", "operator", "specialist", "agency", "consultancy",
    "distributor", "retailer", "startup", "start-up", "cooperative", "bank", "insurer", "platform",
];
/// Praise before it.
const PRAISE: &[&str] = &[
    "leading", "global", "independent", "family-owned", "family-run", "fast-growing", "growing", "innovative", "trusted", "premier", "world-class", "young",
    "small", "large", "private", "privately", "owned", "modern",
];
const INDUSTRY_LABELS: &[&str] = &["industry", "sector", "branche", "secteur", "industria", "settore"];

fn industry(research: &Research, evidence: &Evidence) -> Option<Claim> {
    for passage in evidence.passages.iter().filter(|passage| passage.role != Role::External) {
        if let Some((label, value)) = passage.text.split_once(':')
            && INDUSTRY_LABELS.contains(&words::fold(label.trim()).as_str())
            && (3..=80).contains(&value.trim().chars().count())
            && passage.text.chars().count() <= 200
        {
            return Some(part(value.trim(), &passage.text, passage.page));
        }
    }
    let names: Vec<String> = research.names.iter().map(|name| words::fold(name)).collect();
    let first_words: Vec<&str> = names.iter().filter_map(|name| words::split(name).first().copied()).collect();
    own_sentences(evidence)
        .filter(|sentence| {
            let words = sentence.words();
            words.first().is_some_and(|first| *first == "we") || first_words.iter().any(|name| words.contains(name))
        })
        .find_map(|sentence| described_as(&sentence.text).map(|value| part(value, &sentence.text, sentence.page)))
}

/// `… is a cold-chain logistics company …` → `cold-chain logistics`.
fn described_as(sentence: &str) -> Option<&str> {
    let tokens = tokens(sentence);
    for (at, pair) in tokens.windows(2).enumerate() {
        let [(_, _, verb), (_, _, article)] = pair else { continue };
        if !(matches!(*verb, "is" | "are" | "as") && matches!(*article, "a" | "an")) {
            continue;
        }
        let mut first = at + 2;
        while tokens.get(first).is_some_and(|(_, _, word)| PRAISE.contains(&words::fold(word.trim_end_matches(',')).as_str())) {
            first += 1;
        }
        for noun_at in first..first + 6 {
            let Some(&(start, end, word)) = tokens.get(noun_at) else { break };
            let bare = word.trim_end_matches(['.', ',', ';', ':']);
            if COMPANY_NOUNS.contains(&words::fold(bare).as_str()) && noun_at > first {
                let begin = tokens.get(first)?.0;
                let plain = matches!(words::fold(bare).as_str(), "company" | "firm" | "business" | "group");
                let stop = if plain { tokens.get(noun_at - 1)?.1 } else { start + bare.len() };
                return sentence.get(begin..stop.min(end.max(stop)));
            }
            if bare.len() != word.len() {
                break;
            }
        }
    }
    None
}

const MODEL_CUES: &[&str] = &[
    "per month", "a month", "per user", "per site", "per year", "a year", "per device", "subscription*", "licence*", "license*", "pay as", "free trial", "billed",
    "pricing is", "one off", "commission", "pro monat", "im monat", "monatlich*", "jahrlich*", "abo", "abonnement*", "lizenz*", "par mois", "par an",
    "al mes", "al ano", "suscripcion*", "licencia*", "mensual*",
];

fn business_model(evidence: &Evidence) -> Option<Claim> {
    evidence
        .sentences
        .iter()
        .filter(|sentence| matches!(sentence.role, Role::Pricing | Role::About | Role::Products | Role::Home))
        .filter(|sentence| crate::salience::is_quotable(sentence) && words::has_any(&sentence.words(), MODEL_CUES))
        .max_by_key(|sentence| {
            // The first of equal ones: `max_by_key` keeps the last, hence the position counts against.
            let cues = MODEL_CUES.iter().filter(|cue| words::has(&sentence.words(), cue)).count();
            (sentence.role == Role::Pricing, cues, std::cmp::Reverse((sentence.page, sentence.block, sentence.position)))
        })
        .map(|sentence| part(&sentence.text, &sentence.text, sentence.page))
}

/// Headings on product pages that name no product.
const GENERIC: &[&str] = &[
    "product*", "our product*", "solution*", "our solution*", "service*", "our service*", "feature*", "how it works", "why", "faq*", "questions", "contact", "overview",
    "benefits", "pricing", "get started", "what you get", "what we do", "what we make", "who", "what", "how", "ready", "need", "talk", "resources", "produkte",
    "losungen", "leistungen", "ubersicht", "vorteile", "warum", "haufige fragen", "nos produits", "nos solutions", "pourquoi", "productos", "soluciones",
    "por que", "ventajas", "technical data", "specifications", "common questions", "everything", "designed", "built", "works with",
];

fn offerings(research: &Research, evidence: &Evidence) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut add = |name: &str, passage: &Passage| {
        let known = found.iter().any(|claim| claim.value.as_str().is_some_and(|value| value.eq_ignore_ascii_case(name)));
        if !known && found.len() < 8 {
            found.push(part(name, &passage.text, passage.page));
        }
    };
    let declared = research
        .pages
        .iter()
        .filter(|visited| visited.first_party())
        .flat_map(|visited| visited.page.json_ld_of(&["Product", "Service", "SoftwareApplication"]))
        .filter_map(|product| product.get("name").and_then(Value::as_str));
    for name in declared.filter(|name| (2..=60).contains(&name.chars().count())) {
        let carrier = evidence
            .passages
            .iter()
            .filter(|passage| passage.main && passage.text.chars().count() <= 400 && passage.text.contains(name))
            .min_by_key(|passage| (passage.role != Role::Products, passage.kind != BlockKind::Heading));
        if let Some(passage) = carrier {
            add(name, passage);
        }
    }
    for passage in evidence.passages.iter().filter(|passage| passage.role == Role::Products && passage.main) {
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        let names_one = passage.kind == BlockKind::Heading
            && (2..=3).contains(&passage.level)
            && (1..=6).contains(&words.len())
            && passage.text.chars().count() <= 80
            && !passage.text.ends_with(['?', '!', '.', ':'])
            && !words::starts_with_any(&words, GENERIC);
        if names_one {
            add(&passage.text, passage);
        }
    }
    found
}

const MARKET_HEADINGS: &[&str] = &[
    "industries", "industries we serve", "markets", "markets we serve", "our markets", "who we serve", "whom we serve", "who we work with", "sectors",
    "where we work", "countries", "branchen", "markte", "unsere markte", "zielgruppen", "secteurs", "marches", "nos marches", "sectores", "mercados",
];

fn markets(evidence: &Evidence) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut under: Option<(usize, u8)> = None;
    for passage in evidence.passages.iter().filter(|passage| passage.main && passage.role != Role::External) {
        if passage.kind == BlockKind::Heading {
            let folded = words::fold(&passage.text);
            let name = words::split(&folded).join(" ");
            if MARKET_HEADINGS.contains(&name.as_str()) {
                under = Some((passage.page, passage.level));
                continue;
            }
            if under.is_some_and(|(page, level)| page == passage.page && passage.level > level) {
                add_market(&mut found, passage);
                continue;
            }
            under = None;
        } else if passage.kind == BlockKind::ListItem && under.is_some_and(|(page, _)| page == passage.page) {
            add_market(&mut found, passage);
        }
    }
    found
}

fn add_market(found: &mut Vec<Claim>, passage: &Passage) {
    // "Vaccines: pharmacies and wholesalers" names the market before the colon.
    let name = passage.text.split([':', '–', '—']).next().unwrap_or_default().trim();
    let known = found.iter().any(|claim| claim.value.as_str() == Some(name));
    if !known && found.len() < 8 && (3..=60).contains(&name.chars().count()) && passage.text.chars().count() <= 400 {
        found.push(part(name, &passage.text, passage.page));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staff_numbers_are_cut_out_verbatim() {
        let value = |text| staff_number(text).map(|(_, value)| value);
        assert_eq!(value("Today more than 1,200 people work here.").as_deref(), Some("more than 1,200 people"));
        assert_eq!(value("Wir sind rund 85 Mitarbeitende.").as_deref(), Some("rund 85 Mitarbeitende"));
        assert_eq!(value("A team of 140 employees.").as_deref(), Some("140 employees"));
        assert_eq!(value("Founded in 2014, with many people."), None);
        assert_eq!(value("We sold 12 units."), None);
    }

    #[test]
    fn places_end_where_names_end() {
        assert_eq!(place_at("Leeds, England, with depots in Ghent"), "Leeds, England");
        assert_eq!(place_at("Frankfurt am Main. Wir"), "Frankfurt am Main");
        assert_eq!(place_at("the north"), "");
        assert_eq!(find_folded("Die Firma mit Sitz in Köln baut", "mit sitz in "), Some("Die Firma mit Sitz in ".len()));
        assert_eq!(find_folded("Siège à Lyon", "siege a "), Some("Siège à ".len()));
    }

    #[test]
    fn descriptions_name_the_industry() {
        assert_eq!(described_as("Acme is a leading cold-chain logistics company based in Leeds."), Some("cold-chain logistics"));
        assert_eq!(described_as("We are an independent packaging manufacturer."), Some("packaging manufacturer"));
        assert_eq!(described_as("Acme is a joy to work with."), None);
        assert_eq!(described_as("It is a company."), None);
    }
}
