//! Since when the company exists, and the story that it tells of its beginning.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::names::says_what_it_is;
use super::outline::sections;
use crate::conflicts::{Statement, settle};
use crate::draft::{Draft, FOUNDED_YEAR, ORIGIN_STORY};
use crate::plan::Part;
use crate::research::Site;

/// Words of founding, folded.
const FOUNDED: &[&str] = &[
    "founded",
    "established",
    "est",
    "incorporated",
    "gegrundet",
    "grundung",
    "grundungsjahr",
    "gegrundete",
    "gegrundetes",
    "grundete",
    "grundeten",
    "fonde",
    "fondee",
    "fondes",
    "fondees",
    "creee",
    "cree",
    "fundada",
    "fundado",
    "fundo",
    "fundaron",
    "creada",
    "fondata",
    "nata",
    "opgericht",
    "تأسست",
    "تأسس",
    "نشأت",
    "נוסדה",
    "הוקמה",
];
/// Words that found something only in a short line: `It all began in 1987`.
const BEGAN: &[&str] = &[
    "started", "began", "begun", "begann", "creation", "created", "set up", "debut*",
];
/// What may follow a word of founding that speaks of the company; `our`, `a` and the like speak of something else.
const FOLLOWS: &[&str] = &[
    "in",
    "by",
    "on",
    "as",
    "with",
    "together",
    "near",
    "to",
    "around",
    "back",
    "the company",
    "the firm",
    "the business",
    "am",
    "im",
    "von",
    "das unternehmen",
    "die firma",
    "und",
    "en",
    "par",
    "le",
    "a lyon",
    "por",
    "el",
    "nel",
    "da",
    "te",
    "door",
    "who",
    "and",
    "عام",
    "سنة",
    "في",
    "على",
    "בשנת",
    "על",
];
/// Words that stand right before the year since which something is so.
const SINCE: &[&str] = &["since", "seit", "depuis", "desde", "dal", "sinds"];
/// Who else may have been founded.
const OTHERS: &[&str] = &[
    "customer*",
    "client*",
    "kunde*",
    "acquired",
    "acquisition",
    "subsidiary",
    "charity",
    "foundation",
    "museum",
    "university",
    "born",
    "cliente*",
];
const STORIES: &[&str] = &[
    "our story",
    "our history",
    "history",
    "story",
    "how it started",
    "how we started",
    "how it all began",
    "unsere geschichte",
    "geschichte",
    "wie alles begann",
    "notre histoire",
    "histoire",
    "nuestra historia",
    "historia",
    "la nostra storia",
    "ons verhaal",
    "the story of*",
];

/// Collect the year of founding and the story.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let names = first_words(site);
    let mut statements = Vec::new();
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
            if let Some(year) = founding_year(sentence, &names, |text| {
                weight == 1 || says_what_it_is(text, site)
            }) {
                statements.push(said(year, passage.page, sentence, weight));
            }
        }
    }
    for organization in &site.organizations {
        for text in organization.texts("foundingDate") {
            if let Some(year) = text.get(..4).and_then(year) {
                statements.push(said(year, organization.page, &text, 1));
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
    settle(draft, FOUNDED_YEAR, statements);
    draft.set(ORIGIN_STORY, origin_story(site, evidence));
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

fn year(text: &str) -> Option<i64> {
    (text.len() == 4)
        .then(|| text.parse::<i64>().ok())
        .flatten()
        .filter(|year| (1500..=2099).contains(year))
}

/// Whether the company is founded between two words: what follows the verb is no other thing that is.
fn founds(words: &[&str], from: usize, to: usize, names: &[String]) -> bool {
    (from..to.min(words.len())).any(|at| {
        let is_verb = words.get(at).is_some_and(|word| FOUNDED.contains(word));
        let rest = words.get(at + 1..).unwrap_or_default();
        is_verb
            && rest.first().is_none_or(|next| {
                year(next).is_some()
                    || words::starts_with_any(rest, FOLLOWS)
                    || names.iter().any(|name| name == next)
                    // A participle ends a German clause.
                    || words.get(at) == Some(&"gegrundet")
            })
    })
}

/// First words of the company's names, folded.
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

/// The year in which a sentence says that the company was founded. `is_own` says whether a text speaks of the
/// company, `names` are the first words of its names.
fn founding_year(sentence: &str, names: &[String], is_own: impl Fn(&str) -> bool) -> Option<i64> {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    if words::has_any(&words, OTHERS) {
        return None;
    }
    let short = words.len() <= 8;
    for (at, word) in words.iter().enumerate() {
        let Some(year) = year(word) else { continue };
        let before = words.get(at.saturating_sub(6)..at).unwrap_or_default();
        let after = words
            .get(at + 1..(at + 9).min(words.len()))
            .unwrap_or_default();
        let from = at.saturating_sub(6);
        let founded = founds(&words, from, at, names) || founds(&words, at + 1, at + 9, names);
        let began = short && (words::has_any(before, BEGAN) || words::has_any(after, BEGAN));
        let since = before.last().is_some_and(|word| SINCE.contains(word));
        if founded && (short || is_own(sentence))
            || began
            || since && short && words.len() >= 2 && at + 1 >= words.len().saturating_sub(5)
        {
            return Some(year);
        }
    }
    None
}

fn origin_story(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let stated = |text: &str, page: usize| {
        Claim::stated(
            text,
            vec![Excerpt {
                page,
                text: text.to_owned(),
            }],
        )
    };
    let told = sections(site, evidence)
        .into_iter()
        .filter(|section| matches!(section.part, Part::About | Part::Home | Part::Press))
        .filter(|section| section.is_headed(STORIES))
        .find_map(|section| {
            let lead = section.lead()?;
            (60..=1_500)
                .contains(&lead.text.chars().count())
                .then(|| stated(&lead.text, lead.page))
        });
    let names = first_words(site);
    told.or_else(|| {
        evidence
            .sentences
            .iter()
            .filter(|sentence| matches!(site.part(sentence.page), Part::About | Part::Home))
            .filter(|sentence| {
                sentence.kind != BlockKind::Heading
                    && sentence.words().len() >= 9
                    && sentence.is_whole()
            })
            .find(|sentence| {
                founding_year(&sentence.text, &names, |text| says_what_it_is(text, site)).is_some()
            })
            .map(|sentence| stated(&sentence.text, sentence.page))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_of_founding_are_told_from_other_years() {
        let own = |_: &str| true;
        let names = ["acme".to_owned()];
        assert_eq!(
            founding_year("Acme was founded in 2011 by three engineers.", &names, own),
            Some(2011)
        );
        assert_eq!(
            founding_year("Die Acme GmbH wurde 1998 in Ulm gegründet.", &names, own),
            Some(1998)
        );
        assert_eq!(
            founding_year("Gegründet: 1998", &names, |_| false),
            Some(1998)
        );
        assert_eq!(
            founding_year("Fondée en 1987, la maison tisse le lin.", &names, own),
            Some(1987)
        );
        assert_eq!(
            founding_year("Family-run since 1962", &names, |_| false),
            Some(1962)
        );
        assert_eq!(
            founding_year(
                "Since 2019 every meter that leaves the plant in Leeds has had a radio inside.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year(
                "Our client Globex, founded in 1950, reads meters.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year("In 2021 we opened a plant.", &names, own),
            None
        );
        assert_eq!(
            founding_year(
                "In 2015 we established our Ghent depot by the canal.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year(
                "We started shipping to nine more countries in the north in 2014.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year(
                "In 1998 two sisters founded Acme in a barn near the town of Ripon.",
                &names,
                own
            ),
            Some(1998)
        );
        assert_eq!(
            founding_year("It all began in 1987", &names, own),
            Some(1987)
        );
        assert_eq!(
            founding_year(
                "Globex was established in 1950 in a small town far away from here.",
                &names,
                |_| false
            ),
            None
        );
    }
}
