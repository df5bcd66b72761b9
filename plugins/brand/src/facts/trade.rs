//! The company's line of business.

use gtm_lexicon::trade::{
    ARTICLES, COPULAS, ENDS, INDUSTRY_LABELS, NO_CATEGORIES, PLAIN_COMPANY, UNCOUNTED,
    UNCOUNTED_ENDINGS, WE,
};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::words;
use serde_json::json;

use super::labels::{Labelled, labelled};
use super::legal_names;
use crate::draft::{CATEGORY, Draft, INDUSTRIES};
use crate::plan::Part;
use crate::site::Site;

/// Whether a noun needs no article. German and Dutch compound such nouns with others: `Abrechnungssoftware`.
fn is_uncounted(noun: &str) -> bool {
    UNCOUNTED.contains(noun)
        || UNCOUNTED_ENDINGS
            .iter()
            .any(|(_, endings)| endings.iter().any(|ending| noun.ends_with(ending)))
}

/// Collects industry and category.
pub fn collect(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    if let Some(industry) = gtm_site_research::trade::industry(&site.research, evidence)
        && let Some(label) = industry.value.as_str().map(str::to_owned)
    {
        draft.push(INDUSTRIES, free_text(&label, industry.excerpts));
    }
    for organization in &site.organizations {
        for member in ["industry", "knowsAbout"] {
            for text in organization.texts(member).into_iter().take(3) {
                if (3..=60).contains(&text.chars().count()) && member == "industry" {
                    let excerpt = Excerpt {
                        page: organization.page,
                        text: text.clone(),
                    };
                    draft.push(INDUSTRIES, free_text(&text, vec![excerpt]));
                }
            }
        }
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some(pair) = labelled(pairs, &INDUSTRY_LABELS).find(|pair| {
            let words = pair.value.split_whitespace().count();
            (1..=6).contains(&words) && (3..=60).contains(&pair.value.chars().count())
        })
    {
        draft.push(INDUSTRIES, free_text(pair.value, pair.excerpts.clone()));
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some(data) = &site.company_data
        && let Some(text) = &data.facts.industry
    {
        draft.push(
            INDUSTRIES,
            free_text(text, vec![data.excerpt(text.as_str())]),
        );
    }
    draft.set(CATEGORY, category(site, evidence));
}

fn free_text(label: &str, excerpts: Vec<Excerpt>) -> Claim {
    Claim::stated(
        json!({"scheme": "free_text", "code": null, "label": label}),
        excerpts,
    )
}

/// The company's folded names, as sentences use them.
fn spoken_names(site: &Site) -> Vec<String> {
    site.research
        .names
        .iter()
        .map(|name| legal_names::without_form(name))
        .filter(|name| name.chars().count() >= 3)
        .map(words::fold)
        .collect()
}

/// Whether a sentence says what kind of company it is.
pub fn says_category(sentence: &str, site: &Site) -> bool {
    what_it_is(sentence, &spoken_names(site)).is_some()
}

/// What a sentence says the company is: `Acme is a cold-chain logistics company for …`.
fn category(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let names = spoken_names(site);
    let told = |by_name: bool| {
        evidence
            .sentences
            .iter()
            .filter(|sentence| {
                matches!(
                    site.part(sentence.page),
                    Part::Home | Part::About | Part::Product | Part::Press
                )
            })
            .filter(|sentence| {
                !by_name
                    || names
                        .iter()
                        .any(|name| sentence.folded.contains(name.as_str()))
            })
            .find_map(|sentence| {
                what_it_is(&sentence.text, &names).map(|what| {
                    Claim::stated(
                        what,
                        vec![Excerpt {
                            page: sentence.page,
                            text: sentence.text.clone(),
                        }],
                    )
                })
            })
    };
    // `We are a …` introduces many things; a sentence with the company's name is more reliable.
    told(true).or_else(|| told(false))
}

/// The words after `NAME is a`, up to the words that say for whom or how.
fn what_it_is<'a>(sentence: &'a str, names: &[String]) -> Option<&'a str> {
    let tokens = words::tokens(sentence);
    for at in 0..tokens.len().saturating_sub(2) {
        let verb = words::fold(tokens.get(at)?.2);
        let article = words::fold(tokens.get(at + 1)?.2);
        // Without their accents, the Italian and Portuguese verbs are the word for `and`.
        let is_verb = verb != "e" || matches!(tokens.get(at)?.2, "è" | "é" | "È" | "É");
        let known = || COPULAS.iter().filter(|(_, verbs)| verbs.contains(&verb));
        let counted = known().any(|(language, _)| ARTICLES.of(language).contains(&article));
        let may_be_uncounted =
            || known().any(|(language, _)| UNCOUNTED_ENDINGS.of(language).iter().next().is_some());
        if !is_verb || !(counted || may_be_uncounted()) {
            continue;
        }
        let first = at + 1 + usize::from(counted);
        let before = sentence.get(..tokens.get(at)?.0)?;
        let folded = words::fold(before.trim());
        let subject = words::split(&folded);
        let is_company = names.iter().any(|name| {
            folded.ends_with(name.as_str()) || folded.contains(name.as_str()) && subject.len() <= 6
        }) || matches!(subject.as_slice(), [pronoun] if WE.contains(pronoun));
        if !is_company {
            continue;
        }
        let begin = tokens.get(first)?.0;
        let mut end = begin;
        let mut count = 0;
        for &(start, _, word) in tokens.iter().skip(first) {
            let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
            let folded = words::fold(bare);
            // A word such as `and` ends the phrase, unless the phrase is still empty.
            if count > 0 && ENDS.contains(&folded) || matches!(word, "–" | "—" | "-") {
                break;
            }
            end = start + bare.len();
            count += 1;
            if bare.len() != word.len() || count > 7 {
                break;
            }
        }
        let what = sentence.get(begin..end)?.trim();
        let folded = words::fold(what);
        let words = words::split(&folded);
        let fits = (1..=7).contains(&count)
            && what.chars().count() >= 5
            && !NO_CATEGORIES.any_in(&words)
            && !words.iter().all(|word| PLAIN_COMPANY.contains(word))
            && (counted || words.last().is_some_and(|last| is_uncounted(last)));
        if counted || fits {
            return fits.then_some(what);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_says_what_it_is() {
        let names = ["acme rail".to_owned(), "acme".to_owned()];
        assert_eq!(
            what_it_is(
                "Acme Rail is a signalling manufacturer for regional lines.",
                &names
            ),
            Some("signalling manufacturer")
        );
        assert_eq!(
            what_it_is("We are an independent tea merchant.", &names),
            Some("independent tea merchant")
        );
        assert_eq!(
            what_it_is(
                "Die Acme ist ein Hersteller von Messtechnik für Stadtwerke.",
                &names
            ),
            Some("Hersteller von Messtechnik")
        );
        assert_eq!(
            what_it_is("Acme is a registered trademark of Acme Ltd.", &names),
            None
        );
        assert_eq!(
            what_it_is("Acme is accounts payable software for builders.", &names),
            Some("accounts payable software")
        );
        assert_eq!(what_it_is("Acme is growing fast.", &names), None);
        for (sentence, what) in [
            (
                "Acme is onderhoudssoftware voor installateurs.",
                Some("onderhoudssoftware"),
            ),
            (
                "Acme ist Abrechnungssoftware für Stadtwerke.",
                Some("Abrechnungssoftware"),
            ),
            ("Acme is een adviesbureau voor water.", Some("adviesbureau")),
            ("Acme è una cantina in collina.", Some("cantina")),
            (
                "A Acme é uma consultora de energia.",
                Some("consultora de energia"),
            ),
            // `e` without an accent means `and`, not `is`.
            ("Acme produce valvole e un sistema per la rete.", None),
            ("Acme is de enige leverancier met een winkel.", None),
            ("Acme is nieuw in Zwolle.", None),
            ("Acme is een familiebedrijf in Ede.", None),
            ("Acme es una empresa familiar.", None),
        ] {
            assert_eq!(what_it_is(sentence, &names), what, "{sentence}");
        }
        assert_eq!(
            what_it_is("We are a private company backed by our customers.", &names),
            None
        );
        assert_eq!(
            what_it_is("We are an authorised economic operator.", &names),
            None
        );
        assert_eq!(what_it_is("The weather is a surprise.", &names), None);
        assert_eq!(what_it_is("Acme is", &names), None);
    }
}
