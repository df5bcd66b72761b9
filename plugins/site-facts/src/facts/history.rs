//! The founding year, and the company's story of its beginning.

mod milestones;

use gtm_lexicon::company::THE_COMPANY;
use gtm_lexicon::founding::{
    BY, FOUNDED, GENERATIONS, IN_BUSINESS, LABELS, SINCE, STARTED, STORY_HEADINGS,
};
use gtm_lexicon::proofs::CERTIFIED;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::founding::{Founded, Said, founding_year, year, year_in};
use super::labels::{Labelled, labelled};
use super::names::segments;
use super::outline::sections;
use super::speaker::{says_what_it_is, speaks_of_itself};
use super::trade::says_category;
use crate::conflicts::{Statement, settle};
use crate::draft::{Draft, FOUNDED_YEAR, ORIGIN_STORY};
use crate::part::Part;
use crate::site::Site;

/// Collects the founding year and the story.
pub fn collect(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    let names = first_words(site);
    let mut statements = Vec::new();
    // What something has been so since may be younger than the company, so it counts only beside nothing better.
    let mut since = titles(site, &names);
    for passage in &evidence.passages {
        let weight = match site.part(passage.page) {
            Part::Home
            | Part::About
            | Part::Legal
            | Part::Press
            | Part::Careers
            | Part::Contact => 2,
            Part::External => 1,
            _ => continue,
        };
        let language = &site.research.language;
        for sentence in gtm_site_research::sentences::split(&passage.text, language) {
            if sentence.chars().count() > 420 || (weight == 1 && !names_company(sentence, site)) {
                continue;
            }
            let is_news = site.part(passage.page) == Part::Press;
            if is_news && !speaks_of_itself(sentence, site) {
                continue;
            }
            let found = founding_year(sentence, &names, |text| {
                weight == 1 || says_what_it_is(text, site)
            });
            // In a list item or beside a certificate, `since` usually dates one activity, so only a founding verb counts.
            // Elsewhere, `since` dates the company.
            let dates_activity = || {
                let folded = words::fold(sentence);
                passage.kind == BlockKind::ListItem || CERTIFIED.any_in(&words::split(&folded))
            };
            let found = found.filter(|found| found.said == Said::ByVerb || !dates_activity());
            if let Some(Founded { year, said: how }) = found {
                match how {
                    Said::ByVerb => statements.push(said(year, passage.page, sentence, weight)),
                    Said::Since => since.push(said(year, passage.page, sentence, 1)),
                    Said::OfExperience => since.push(said(year, passage.page, sentence, 0)),
                }
            }
        }
    }
    statements.extend(milestones::foundings(site, evidence));
    for pair in labelled(pairs, &LABELS) {
        let folded = words::fold(pair.value);
        let words = words::split(&folded);
        let year = year_in(&folded);
        if let Some(year) = year.filter(|_| words.len() <= 8) {
            let mut told = said(year, pair.page, "", 2);
            told.excerpts.clone_from(&pair.excerpts);
            statements.push(told);
        }
    }
    for organization in &site.organizations {
        for text in organization.texts("foundingDate") {
            // Sentences date other beginnings, too; this member dates nothing else.
            if let Some(year) = text.get(..4).and_then(year) {
                statements.push(said(year, organization.page, &text, 5));
            }
        }
    }
    if let Some(data) = &site.company_data
        && let Some(year) = data.facts.founded_year
    {
        let mut told = said(year, data.page, &year.to_string(), 1);
        told.excerpts = vec![data.excerpt(year.to_string())];
        statements.push(told);
    }
    let kept = since_that_agree(since, &statements, copyright_since(site));
    statements.extend(kept);
    settle(draft, FOUNDED_YEAR, statements);
    let year = draft
        .one(FOUNDED_YEAR)
        .and_then(|claim| claim.value.as_i64());
    draft.set(ORIGIN_STORY, origin_story(site, evidence, year));
}

/// What the title of the home page says, whose subject is the company: `Acme – roofs since 1987`.
fn titles(site: &Site, names: &[String]) -> Vec<Statement> {
    let Some(home) = site.research.pages.first().map(|visited| &visited.page) else {
        return Vec::new();
    };
    let title = home.title.as_deref().unwrap_or_default();
    let segments = segments(title).into_iter();
    segments
        .filter_map(|segment| {
            let found = founding_year(segment, names, |text| says_what_it_is(text, site))?;
            Some(said(found.year, 0, segment, 2))
        })
        .collect()
}

/// The first year of a span of years in a notice of copyright: `© 1987–2026 Acme`.
fn copyright_since(site: &Site) -> Option<i64> {
    let lines = site.own_pages().flat_map(|(_, _, page)| &page.blocks);
    let spans = lines
        .filter(|block| block.text.contains('©') && block.text.chars().count() <= 300)
        .filter_map(|block| {
            let mut parts = block.text.split(['-', '–', '—']).map(str::trim);
            let begin = parts
                .next()?
                .split(|c: char| !c.is_ascii_digit())
                .next_back()?;
            let end = parts.next()?.split(|c: char| !c.is_ascii_digit()).next()?;
            let (begin, end) = (year(begin)?, year(end)?);
            (begin < end).then_some(begin)
        });
    spans.min()
}

/// The years since which something is so, as far as nothing contradicts them: neither what tells of the founding itself,
/// nor a notice of copyright that begins earlier. One that begins in the same year bears them out.
fn since_that_agree(
    mut since: Vec<Statement>,
    founded: &[Statement],
    copyright: Option<i64>,
) -> Vec<Statement> {
    since.retain(|told| {
        let agrees = founded.is_empty() || founded.iter().any(|known| known.key == told.key);
        let older =
            copyright.is_none_or(|begun| told.value.as_i64().is_some_and(|year| year <= begun));
        agrees && older
    });
    for told in &mut since {
        told.weight += u32::from(told.value.as_i64() == copyright && copyright.is_some());
    }
    since
}

fn said(year: i64, page: usize, words: &str, weight: u32) -> Statement {
    Statement {
        key: year.to_string(),
        value: year.into(),
        excerpts: vec![Excerpt {
            page,
            text: words.to_owned(),
        }],
        weight,
    }
}

fn names_company(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    site.research
        .names
        .iter()
        .any(|name| folded.contains(&words::fold(name)))
}

/// The first words of the company's names, folded.
fn first_words(site: &Site) -> Vec<String> {
    site.research
        .names
        .iter()
        .filter_map(|name| {
            let folded = words::fold(name);
            words::split(&folded).first().map(|word| (*word).to_owned())
        })
        .collect()
}

fn origin_story(site: &Site, evidence: &Evidence, founded: Option<i64>) -> Option<Claim> {
    let told = sections(site, evidence)
        .into_iter()
        .filter(|section| matches!(section.part, Part::About | Part::Home | Part::Press))
        .filter(|section| section.is_headed(&STORY_HEADINGS))
        .find_map(|section| {
            let lead = section.lead()?;
            (60..=1_500)
                .contains(&lead.text.chars().count())
                .then(|| Claim::quoted(&lead.text, lead.page))
        });
    let names = first_words(site);
    let told_by = |says: &dyn Fn(&Sentence) -> bool| {
        evidence
            .sentences
            .iter()
            .filter(|sentence| matches!(site.part(sentence.page), Part::About | Part::Home))
            .filter(|sentence| {
                sentence.kind != BlockKind::Heading
                    && sentence.words().len() >= 9
                    && sentence.is_whole()
            })
            .filter(|sentence| says(sentence))
            .collect::<Vec<_>>()
    };
    let story = |says: &dyn Fn(&Sentence) -> bool| {
        let sentence = *told_by(says).first()?;
        Some(Claim::quoted(&sentence.text, sentence.page))
    };
    // `Founded in 2010, Acme is a specialist in …` tells what it is.
    let in_passing = |sentence: &Sentence| {
        let words = sentence.words();
        words.first().is_some_and(|first| FOUNDED.contains(first))
            || says_category(&sentence.text, site)
    };
    let founding = |sentence: &Sentence| {
        let found = founding_year(&sentence.text, &names, |text| says_what_it_is(text, site));
        found.is_some_and(|found| found.said == Said::ByVerb) && !in_passing(sentence)
    };
    let by_founder = |sentence: &Sentence| {
        names_founder(&sentence.text) && says_what_it_is(&sentence.text, site)
    };
    // Sentences of the About page that mention the founding year tell the founding story.
    let of_that_year = |sentence: &Sentence| {
        let words = sentence.words();
        site.part(sentence.page) == Part::About
            && founded.is_some_and(|year| words.contains(&year.to_string().as_str()))
            && !SINCE.any_in(&words)
            && !in_passing(sentence)
    };
    // Customers have come for generations, too, and tables last for some.
    let by_family = |sentence: &Sentence| {
        let words = sentence.words();
        sentence.kind != BlockKind::Quote
            && GENERATIONS.any_in(&words)
            && (IN_BUSINESS.any_in(&words)
                || THE_COMPANY.any_in(&words)
                || opens_with_generation(&sentence.text, &names))
            && says_what_it_is(&sentence.text, site)
    };
    told.or_else(|| story(&founding))
        .or_else(|| story(&by_founder))
        .or_else(|| story(&by_family))
        .or_else(|| {
            let mut told = told_by(&of_that_year).into_iter();
            told.find_map(|sentence| with_what_began(sentence, site, evidence))
        })
}

/// Most characters of a story.
const LONGEST_STORY: usize = 1_500;

/// A sentence of the founding year, if it tells of the company or of a beginning; else with the rest of its
/// paragraph, if that does: `In 1951 the town lived off ships. Ann Roe opened a small shop for ropes.`
fn with_what_began(sentence: &Sentence, site: &Site, evidence: &Evidence) -> Option<Claim> {
    let begins = |text: &str| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        STARTED.any_in(&words) || words.iter().any(|word| FOUNDED.contains(word))
    };
    if begins(&sentence.text) || says_what_it_is(&sentence.text, site) {
        return Some(Claim::quoted(&sentence.text, sentence.page));
    }
    let passage = evidence
        .passages
        .iter()
        .find(|passage| (passage.page, passage.block) == (sentence.page, sentence.block))?;
    let (_, rest) = passage.text.split_once(sentence.text.as_str())?;
    let next = gtm_site_research::sentences::split(rest, &site.research.language);
    let fits = passage.text.chars().count() <= LONGEST_STORY;
    (fits && next.first().is_some_and(|next| begins(next)))
        .then(|| Claim::quoted(&passage.text, passage.page))
}

/// Whether a sentence says of the company's name how long a family has owned it: `Now in its third generation, Acme casts
/// bells.` What it sells has generations, too, but its name does not follow them.
fn opens_with_generation(text: &str, names: &[String]) -> bool {
    let tokens = words::tokens(text);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    GENERATIONS.places(&all).any(|(at, phrase)| {
        let end = at + phrase.len();
        let last = end.checked_sub(1).and_then(|last| tokens.get(last));
        let parted = last.is_some_and(|(.., word)| word.ends_with(','));
        let is_name = |word: &&str| names.iter().any(|name| name == word);
        let is_capital = |(.., word): &(usize, usize, &str)| word.starts_with(char::is_uppercase);
        parted && all.get(end).is_some_and(is_name) && tokens.get(end).is_some_and(is_capital)
    })
}

/// Whether a sentence says who founded: `founded by Jane Roe`.
fn names_founder(text: &str) -> bool {
    let tokens = words::tokens(text);
    tokens.windows(3).any(|three| {
        let [(.., verb), (.., by), (.., name)] = three else {
            return false;
        };
        FOUNDED.contains(&words::fold(verb))
            && BY.contains(&words::fold(by))
            && name.starts_with(char::is_uppercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_may_follow_its_generation() {
        let names = ["acme".to_owned()];
        let opens = |text: &str| opens_with_generation(text, &names);
        assert!(opens(
            "Now in its third generation, Acme casts bells in Ripon."
        ));
        for text in [
            "Now in its third generation, Acme's pump is quieter than any other.",
            "Acme tells of the second generation of its pump.",
            "Of the third generation of pumps, Acme is proud.",
        ] {
            assert!(!opens(text), "{text}");
        }
    }

    #[test]
    fn since_counts_where_nothing_contradicts_it() {
        let years = |since: &[i64], founded: &[i64], copyright: Option<i64>| {
            let told = |year: &i64| said(*year, 0, "", 1);
            let founded: Vec<Statement> = founded.iter().map(told).collect();
            let kept = since_that_agree(since.iter().map(told).collect(), &founded, copyright);
            let kept = kept.into_iter();
            kept.map(|told| (told.key, told.weight)).collect::<Vec<_>>()
        };
        let one = |year: &str, weight: u32| vec![(year.to_owned(), weight)];
        assert_eq!(years(&[1987], &[], None), one("1987", 1));
        assert_eq!(years(&[1987, 2005], &[1987], None), one("1987", 1));
        assert_eq!(years(&[1987, 2005], &[], Some(1987)), one("1987", 2));
        assert_eq!(years(&[1987], &[], Some(1999)), one("1987", 1));
        assert!(years(&[2005], &[1987], None).is_empty());
    }
}
