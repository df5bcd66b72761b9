//! Since when the company exists, and the story that it tells of its beginning.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::labels::{Labelled, labelled};
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
    "fondo",
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
    "fondato",
    "nata",
    "nee",
    "ne",
    "nacio",
    "opgericht",
    "تأسست",
    "تأسس",
    "أسست",
    "أسسها",
    "نشأت",
    "انطلقت",
    "נוסדה",
    "הוקמה",
];
/// Words that found something only in a short line: `It all began in 1987`.
const BEGAN: &[&str] = &[
    "started", "began", "begun", "begann", "creation", "created", "set up", "debut*",
];
/// Verbs that found a company in a sentence of any length, if the company is what follows: `We started Acme in
/// 2013`. Folded.
const STARTED: &[&str] = &[
    "started",
    "founded",
    "established",
    "set up",
    "opened",
    "launched",
    "created",
    "built",
    "grundete",
    "grundeten",
    "eroffnete",
    "eroffneten",
    "fonde",
    "cree",
    "ouvert",
    "fonda",
    "crea",
    "creo",
    "creerent",
    "fonderent",
    "fundo",
    "fundaron",
    "abrio",
    "abrieron",
    "fondo",
    "fondarono",
    "apri",
    "aprirono",
    "أسس",
    "أسسنا",
    "أسست",
];
/// What a company is called where it tells its own beginning, folded.
const THE_COMPANY: &[&str] = &[
    "the company",
    "the firm",
    "the business",
    "the studio",
    "the agency",
    "this company",
    "this business",
    "our company",
    "den betrieb",
    "die firma",
    "das unternehmen",
    "das geschaft",
    "das studio",
    "die agentur",
    "unseren betrieb",
    "unsere firma",
    "unser unternehmen",
    "l entreprise",
    "la societe",
    "la maison",
    "l atelier",
    "l agence",
    "la empresa",
    "la compania",
    "el negocio",
    "el taller",
    "l azienda",
    "la societa",
    "l impresa",
    "la ditta",
    "la bottega",
    "الشركة",
    "شركتنا",
];
/// What may follow a word of founding that speaks of the company; `our`, `a` and the like speak of something else.
const FOLLOWS: &[&str] = &[
    "in",
    "by",
    "on",
    "as",
    "over",
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
    "dans",
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
/// Labels of the year of founding, folded.
const LABELS: &[&str] = &[
    "founded",
    "founded in",
    "year founded",
    "established",
    "established in",
    "year of foundation",
    "founding year",
    "since",
    "gegrundet",
    "grundung",
    "grundungsjahr",
    "gegrundet im jahr",
    "seit",
    "fondee en",
    "fonde en",
    "fondation",
    "annee de creation",
    "date de creation",
    "creation",
    "fundada",
    "fundada en",
    "fundacion",
    "ano de fundacion",
    "fondata",
    "fondata nel",
    "anno di fondazione",
    "opgericht",
    "oprichting",
    "سنة التأسيس",
    "عام التأسيس",
    "تاريخ التأسيس",
    "التأسيس",
    "تأسست",
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
pub fn collect(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
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
    for pair in labelled(pairs, LABELS) {
        let folded = words::fold(pair.value);
        let words = words::split(&folded);
        let year = words.iter().find_map(|word| year(word));
        if let Some(year) = year.filter(|_| words.len() <= 5) {
            let mut told = said(year, pair.page, "", 2);
            told.excerpts.clone_from(&pair.excerpts);
            statements.push(told);
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
    let year = draft
        .one(FOUNDED_YEAR)
        .and_then(|claim| claim.value.as_i64());
    draft.set(ORIGIN_STORY, origin_story(site, evidence, year));
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

/// Whether one of the verbs of beginning is followed by the company, with the year a few words before or behind.
fn starts_company(words: &[&str], year_at: usize, names: &[String]) -> bool {
    STARTED.iter().any(|verb| {
        let length = verb.split(' ').count();
        (year_at.saturating_sub(10)..words.len().min(year_at + 10)).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            let object = rest.get(length..).unwrap_or_default();
            words::starts_with_any(rest, &[verb])
                && (words::starts_with_any(object, THE_COMPANY)
                    || object
                        .first()
                        .is_some_and(|word| names.iter().any(|name| name == word)))
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
        let started = starts_company(&words, at, names);
        let since = before.last().is_some_and(|word| SINCE.contains(word));
        if founded && (short || is_own(sentence))
            || began
            || started
            || since && short && words.len() >= 2 && at + 1 >= words.len().saturating_sub(5)
        {
            return Some(year);
        }
    }
    None
}

fn origin_story(site: &Site, evidence: &Evidence, founded: Option<i64>) -> Option<Claim> {
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
    let story = |says: &dyn Fn(&Sentence) -> bool| {
        evidence
            .sentences
            .iter()
            .filter(|sentence| matches!(site.part(sentence.page), Part::About | Part::Home))
            .filter(|sentence| {
                sentence.kind != BlockKind::Heading
                    && sentence.words().len() >= 9
                    && sentence.is_whole()
            })
            .find(|sentence| says(sentence))
            .map(|sentence| stated(&sentence.text, sentence.page))
    };
    let founding = |sentence: &Sentence| {
        founding_year(&sentence.text, &names, |text| says_what_it_is(text, site)).is_some()
    };
    // What the page about the company tells of the year of its founding is the story of its founding.
    let of_that_year = |sentence: &Sentence| {
        let words = sentence.words();
        site.part(sentence.page) == Part::About
            && founded.is_some_and(|year| words.contains(&year.to_string().as_str()))
            && !words::has_any(&words, SINCE)
    };
    told.or_else(|| story(&founding))
        .or_else(|| story(&of_that_year))
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
        for (text, year) in [
            (
                "We started Acme in 2013 because the library where we met had its lights on at noon.",
                Some(2013),
            ),
            (
                "Alois Huber gründete den Betrieb 1986 in der Garage seines Elternhauses am Rand der Stadt.",
                Some(1986),
            ),
            (
                "En 1998, Jeanne Roux a fondé la maison avec son frère dans une minoterie.",
                Some(1998),
            ),
            (
                "Jeanne Roux et son frère ont créé l'entreprise en 1998 dans une ancienne minoterie.",
                Some(1998),
            ),
            (
                "تأسست Acme عام ٢٠٠٩ حين غرست العائلة ستمئة فسيلة في أرض قديمة.",
                Some(2009),
            ),
            (
                "We started the programme in 2013 because the library where we met was dark.",
                None,
            ),
            (
                "Sie gründete die Stiftung 2019 in der Nähe von Ulm für alle Kinder der Stadt.",
                None,
            ),
        ] {
            assert_eq!(founding_year(text, &names, |_| true), year, "{text}");
        }
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
