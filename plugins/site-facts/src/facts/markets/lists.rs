//! Regions in lists under a heading for them, in structured data of services, and whole countries.

use gtm_lexicon::markets::{AREA_LABELS, NATIONWIDE};
use gtm_lexicon::segments::JOINTS;
use gtm_lexicon::trade::ARTICLES;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::organization;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::countries;
use crate::part::Part;
use crate::site::Site;

/// Fewest places of a list.
const LEAST: usize = 3;
/// Most words, and characters, of the name of a place.
const LONGEST: usize = 4;
const NAME: std::ops::RangeInclusive<usize> = 2..=40;
/// Most passages of text between a heading and its list.
const MOST_LEADS: usize = 2;
/// Most places of a list.
const MOST: usize = 40;

/// The areas that structured data declares for services of the site, each with its page.
pub fn served(site: &Site) -> Vec<(usize, String)> {
    let pages = site.own_pages();
    let services = pages.flat_map(|(page, _, content)| {
        let objects = content.json_ld_of(&["Service"]).into_iter();
        objects.map(move |object| (page, object))
    });
    let areas = services.flat_map(|(page, object)| {
        let texts = organization::texts(object, "areaServed").into_iter();
        texts.map(move |text| (page, text))
    });
    areas
        .filter(|(_, text)| is_place(text))
        .take(MOST)
        .collect()
}

/// The places in the lists under headings such as `Service areas`, each with the passage that has it.
pub fn listed<'a>(site: &Site, evidence: &'a Evidence) -> Vec<(&'a str, &'a Passage)> {
    let mut found = Vec::new();
    let heads = |passage: &Passage| {
        passage.main
            && passage.kind == BlockKind::Heading
            && site.part(passage.page) != Part::External
            && AREA_LABELS.are(&words::split(&words::fold(&passage.text)))
    };
    for (at, heading) in evidence.passages.iter().enumerate() {
        if !heads(heading) {
            continue;
        }
        let under = || {
            let rest = evidence.passages.iter().skip(at + 1).enumerate();
            rest.take_while(|(behind, next)| {
                next.page == heading.page && next.block == heading.block + 1 + behind
            })
            .map(|(_, next)| next)
        };
        let is_lead = |next: &&Passage| {
            next.kind != BlockKind::Heading && next.text.ends_with(['.', ':', '!', '。', '：'])
        };
        let leads = under().take(MOST_LEADS).take_while(is_lead).count();
        let Some(first) = under().nth(leads) else {
            continue;
        };
        let in_one: Vec<&str> = first
            .text
            .split([',', '、', '·', '•', '|', ';'])
            .map(str::trim)
            .collect();
        let places: Vec<(&str, &Passage)> = if in_one.len() >= LEAST {
            in_one.into_iter().map(|name| (name, first)).collect()
        } else {
            let fits = |next: &&Passage| {
                let below = next.kind == BlockKind::Heading && next.level <= heading.level;
                next.kind == first.kind && !below && is_place(&next.text)
            };
            let row = under().skip(leads).take_while(fits).take(MOST);
            row.map(|next| (next.text.as_str(), next)).collect()
        };
        if places.len() >= LEAST && places.iter().all(|(name, _)| is_place(name)) {
            found.extend(places.into_iter().take(MOST));
        }
    }
    found
}

/// The parts of a list of countries: what marks part, and what words such as `and` join, unless both are one name.
pub fn parts(text: &str) -> Vec<&str> {
    let marks = [',', ';', ':', '·', '|', '、', '・', '•'];
    let mut found = Vec::new();
    for part in text.split(marks) {
        let part = part.trim().trim_end_matches(['.', '。']);
        if countries::named(part).is_some() {
            found.push(part);
            continue;
        }
        let mut begin = 0;
        for (start, end, word) in words::tokens(part) {
            if word == "&" || JOINTS.any_has(&words::fold(word)) {
                found.extend(part.get(begin..start).map(str::trim));
                begin = end;
            }
        }
        found.extend(part.get(begin..).map(str::trim));
    }
    found.retain(|part| !part.is_empty());
    found
}

/// Whether a text can name a place and nothing else.
fn is_place(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    NAME.contains(&text.chars().count())
        && (1..=LONGEST).contains(&words.len())
        && text.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
        && !text.contains(|c: char| c.is_numeric() || "@:?!.。：/".contains(c))
        && !boilerplate::is_call_to_act(text)
}

/// The words with which a sentence says that the company serves the whole country.
pub fn whole_country(sentence: &str) -> Option<&str> {
    let tokens = words::tokens(sentence);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let (at, phrase) = NATIONWIDE.places(&all).next()?;
    // `Part of a worldwide group` says nothing of whom it serves.
    let before = at.checked_sub(1).and_then(|before| all.get(before));
    if before.is_some_and(|word| ARTICLES.any_has(word)) {
        return None;
    }
    // Without blanks between words, the phrase stands somewhere within a token.
    let begin = tokens.get(at)?.0;
    let end = tokens.get(at + phrase.len() - 1)?;
    let inside = phrase.first().and_then(|part| part.strip_prefix('*'));
    match inside.map(|part| part.trim_end_matches('*')) {
        Some(part) => sentence
            .find(part)
            .and_then(|at| sentence.get(at..at + part.len())),
        None => {
            let bare = end.2.trim_end_matches(|c: char| !c.is_alphanumeric());
            sentence.get(begin..end.0 + bare.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_countries_have_parts() {
        assert_eq!(
            parts("France, l’Italie et la Suisse."),
            ["France", "l’Italie", "la Suisse"]
        );
        assert_eq!(
            parts("Ireland, Malta, and the UK"),
            ["Ireland", "Malta", "the UK"]
        );
    }

    #[test]
    fn a_whole_country_is_served() {
        for (sentence, words) in [
            ("Wir liefern bundesweit.", Some("bundesweit")),
            (
                "Lavoriamo in tutta Italia, sempre.",
                Some("in tutta Italia"),
            ),
            ("屋根の工事は全国対応です。", Some("全国対応")),
            ("Wir liefern nach Ulm.", None),
            ("We are part of a worldwide group.", None),
        ] {
            assert_eq!(whole_country(sentence), words, "{sentence}");
        }
    }
}
