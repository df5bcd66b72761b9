//! The company's register numbers, tax numbers and other identifiers, verbatim.

use gtm_lexicon::registers::{FOREIGN_LABELS, LEI_LABELS, NUMBER_LABELS};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words;
use serde_json::json;

use super::labels::{Labelled, labelled, labelled_as};
use super::others::{Own, Owner, offset_in};
use super::registers::{british_number, number_at_place, register_numbers, register_of_label};
use super::tax_numbers::{
    bare_labels, bare_number, bare_vat_number, compact, vat_is_valid, vat_numbers,
};
use super::{Line, check_digits, legal_names, letters, placeholders, tickers};
use crate::draft::{Draft, IDENTIFIERS, LEGAL_NAME};
use crate::part::Part;
use crate::site::Site;

/// Most identifiers kept.
const MOST_IDENTIFIERS: usize = 8;
/// Most numbers compared; a site that shows more lists other companies' numbers.
const MOST_CANDIDATES: usize = 300;
/// Most lines between a number and the name of its owner above it.
const NEAR: usize = 5;

/// A number found on a page.
struct Candidate {
    scheme: &'static str,
    /// Country or register: the company has at most one number for each.
    one_of: Option<String>,
    /// Normalized number, equal for all its spellings.
    key: String,
    value: String,
    owner: Owner,
    excerpts: Vec<Excerpt>,
}

/// Collects the identifiers of legal pages, footers and structured data.
pub fn collect(site: &Site, lines: &[Line<'_>], pairs: &[Labelled<'_>], draft: &mut Draft) {
    let legal = draft
        .one(LEGAL_NAME)
        .and_then(|claim| claim.value.as_str())
        .map(str::to_owned);
    let own = Own::new(site, legal.as_deref());
    let mut found = written(lines, &own);
    found.extend(labelled_numbers(pairs));
    found.extend(declared(site));
    found.retain(|candidate| !placeholders::is_number(&candidate.value));
    let symbols = symbols(site, lines, &own);
    found.truncate(MOST_CANDIDATES);
    let mut claims = settled(found);
    claims.extend(symbols);
    claims.truncate(MOST_IDENTIFIERS);
    draft.extend(IDENTIFIERS, claims);
}

/// Numbers in the lines of pages, legal pages first.
fn written(lines: &[Line<'_>], own: &Own) -> Vec<Candidate> {
    let mut found = Vec::new();
    let legal = |line: &Line<'_>| line.part == Part::Legal;
    let numbered = || lines.iter().enumerate();
    let legal_first = numbered()
        .filter(|(_, line)| legal(line))
        .chain(numbered().filter(|(_, line)| !legal(line)));
    for (at, line) in legal_first {
        if line.text.chars().count() > 600 {
            continue;
        }
        let mut add = |scheme, one_of: Option<&str>, key: String, value: &str| {
            let owner = match own.of_number(line.text, offset_in(line.text, value)) {
                Owner::Unnamed => named_above(lines, at, own),
                owner => owner,
            };
            if owner != Owner::Other {
                found.push(Candidate {
                    scheme,
                    one_of: one_of.map(str::to_owned),
                    key,
                    value: value.to_owned(),
                    owner,
                    excerpts: vec![line.excerpt()],
                });
            }
        };
        for value in vat_numbers(line.text) {
            let number = compact(value);
            add("vat", number.get(..2), number.clone(), value);
        }
        if let Some((country, value)) = bare_vat_number(line.text) {
            add(
                "vat",
                Some(country),
                format!("{country}{}", compact(value)),
                value,
            );
        }
        for number in register_numbers(line.text) {
            add(
                "company_register",
                Some(number.register),
                number.key(),
                number.text,
            );
        }
        if let Some(value) = labelled_lei(line.text) {
            add("lei", Some(""), compact(value), value);
        }
    }
    found
}

/// The owner of the last registered name above a line of a legal or contact page.
pub fn named_above(lines: &[Line<'_>], at: usize, own: &Own) -> Owner {
    let Some(line) = lines
        .get(at)
        .filter(|line| matches!(line.part, Part::Legal | Part::Contact) && line.main)
    else {
        return Owner::Unnamed;
    };
    let above = lines.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    above
        .iter()
        .rev()
        .take_while(|other| other.page == line.page)
        .find(|other| !legal_names::find(other.text).is_empty())
        .map_or(Owner::Unnamed, |other| {
            own.of_number(other.text, other.text.len())
        })
}

/// Numbers after or below their labels.
fn labelled_numbers(pairs: &[Labelled<'_>]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut add = |scheme, one_of: &str, value: &str, excerpts: Vec<Excerpt>| {
        found.push(Candidate {
            scheme,
            one_of: Some(one_of.to_owned()),
            key: match scheme {
                "vat" => format!("{one_of}{}", compact(value)),
                _ => letters(value),
            },
            value: value.to_owned(),
            owner: Owner::Unnamed,
            excerpts,
        });
    };
    // The label and the number below it together form the evidence: `Company number` over `09123456`.
    for pair in labelled(pairs, &NUMBER_LABELS) {
        if let [number] = words::tokens(pair.value).as_slice()
            && british_number(pair.value) == Some(number.2)
        {
            let excerpt = Excerpt {
                page: pair.page,
                text: pair.value.to_owned(),
            };
            add("company_register", "GB", number.2, vec![excerpt]);
        }
    }
    for (vat, labels) in bare_labels() {
        for pair in labelled_as(pairs, |label| labels.iter().any(|known| known == label)) {
            if bare_number(pair.value, vat) == Some(pair.value.trim_end_matches('.')) {
                let value = pair.value.trim_end_matches('.');
                add("vat", vat.country, value, pair.excerpts.clone());
            }
        }
    }
    for pair in labelled(pairs, &FOREIGN_LABELS) {
        let excerpts = || pair.excerpts.iter().take(1).cloned().collect();
        let number = pair.value.trim_end_matches('.');
        let digits = check_digits::digits(&words::with_ascii_digits(number)).len();
        let plain = number.chars().all(|c| {
            c.is_numeric() || matches!(c, ' ' | '-' | '.' | '/') || c.is_ascii_uppercase()
        });
        if plain && (5..=14).contains(&digits) && number.chars().count() <= 20 {
            let register = register_of_label(&pair.label).unwrap_or(&pair.label);
            add("company_register", register, number, excerpts());
        } else if let Some((register, number)) = number_at_place(&pair.label, pair.value) {
            add("company_register", register, number, excerpts());
        }
    }
    found
}

/// Numbers in structured data about the company.
fn declared(site: &Site) -> Vec<Candidate> {
    let mut found = Vec::new();
    for organization in &site.organizations {
        for (member, scheme) in [("vatID", "vat"), ("leiCode", "lei")] {
            for text in organization.texts(member) {
                let number = compact(&text);
                let valid = match scheme {
                    "vat" => vat_is_valid(&number),
                    _ => check_digits::lei(&number),
                };
                if valid {
                    let country = number.get(..2).filter(|_| scheme == "vat");
                    found.push(Candidate {
                        scheme,
                        one_of: Some(country.unwrap_or_default().to_owned()),
                        key: number,
                        excerpts: vec![Excerpt {
                            page: organization.page,
                            text: text.clone(),
                        }],
                        value: text,
                        owner: Owner::Own,
                    });
                }
            }
        }
    }
    found
}

/// Chooses among numbers of one country or register: keeps them if they agree, or else the number beside the
/// company's own name.
fn settled(found: Vec<Candidate>) -> Vec<Claim> {
    let mut claims: Vec<(&str, String, Claim)> = Vec::new();
    for candidate in &found {
        let rivals = || {
            found.iter().filter(|other| {
                other.scheme == candidate.scheme && other.one_of == candidate.one_of
            })
        };
        let agreed = rivals().all(|other| other.key == candidate.key);
        let owns = || rivals().filter(|other| other.owner == Owner::Own);
        let is_own = owns().any(|other| other.key == candidate.key)
            && owns().all(|other| other.key == candidate.key);
        // Where a number appears more than once, cite the first place that also has the company's name.
        let carried = found.iter().position(|other| {
            other.scheme == candidate.scheme
                && other.value == candidate.value
                && (other.owner == Owner::Own || !is_own)
        });
        // Drop `HRB 734512` if `Amtsgericht Ulm, HRB 734512` is already kept.
        let key = letters(&candidate.value);
        // So is a VAT number with its country, beside the same without.
        let known = claims.iter().any(|(scheme, other, _)| {
            *scheme == candidate.scheme
                && (other.ends_with(&key) || candidate.scheme == "vat" && key.ends_with(other))
        });
        if !(agreed || is_own) || known || key.is_empty() {
            continue;
        }
        let carrier = carried.and_then(|carried| found.get(carried));
        let excerpts = carrier.unwrap_or(candidate).excerpts.clone();
        let value = json!({"scheme": candidate.scheme, "value": candidate.value});
        claims.push((candidate.scheme, key, Claim::stated(value, excerpts)));
    }
    claims.into_iter().map(|(_, _, claim)| claim).collect()
}

/// Symbols of the company's own shares, without any symbol that a page gives to another company.
fn symbols(site: &Site, lines: &[Line<'_>], own: &Own) -> Vec<Claim> {
    let mut of_others: Vec<String> = Vec::new();
    let mut found: Vec<(String, String, Excerpt)> = Vec::new();
    for line in lines {
        for ticker in tickers::find(line.text, own) {
            if ticker.is_own {
                found.push((letters(ticker.text), ticker.text.to_owned(), line.excerpt()));
            } else if line.text.chars().count() > ticker.text.chars().count() + 4 {
                of_others.push(letters(ticker.text));
            }
        }
    }
    for organization in &site.organizations {
        for text in organization.texts("tickerSymbol") {
            if text.chars().count() <= 20 {
                let excerpt = Excerpt {
                    page: organization.page,
                    text: text.clone(),
                };
                found.push((letters(&text), text, excerpt));
            }
        }
    }
    if let Some(data) = &site.company_data
        && let Some(symbol) = &data.facts.ticker
    {
        found.push((
            letters(symbol),
            symbol.clone(),
            data.excerpt(symbol.as_str()),
        ));
    }
    found.truncate(MOST_CANDIDATES);
    let mut known: Vec<String> = Vec::new();
    found.retain(|(key, ..)| {
        let new = !known.iter().any(|other| other.ends_with(key.as_str()));
        let theirs = of_others.iter().any(|other| other.ends_with(key.as_str()));
        known.push(key.clone());
        new && !theirs && !key.is_empty()
    });
    found
        .into_iter()
        .map(|(_, value, excerpt)| {
            Claim::stated(json!({"scheme": "ticker", "value": value}), vec![excerpt])
        })
        .collect()
}

/// The LEI after its label.
fn labelled_lei(text: &str) -> Option<&str> {
    let folded = words::fold(text);
    if !LEI_LABELS.any_in(&words::split(&folded)) {
        return None;
    }
    words::tokens(text)
        .into_iter()
        .map(|(_, _, token)| token.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
        .find(|token| check_digits::lei(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lei_has_its_label() {
        assert_eq!(
            labelled_lei("LEI: 529900T8BM49AURSDO55."),
            Some("529900T8BM49AURSDO55")
        );
        assert_eq!(labelled_lei("529900T8BM49AURSDO55"), None);
    }
}
