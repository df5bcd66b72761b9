//! What the brand is called, and how it introduces itself.

use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::instructions;
use gtm_site_research::page::{BlockKind, Page};
use gtm_site_research::words;

use super::{legal_names, letters};
use crate::draft::{BRAND_NAME, DESCRIPTION_LONG, DESCRIPTION_SHORT, Draft, TAGLINE};
use crate::plan::Part;
use crate::request::Request;
use crate::research::Site;

/// Longest short description, in characters (annex A2).
const SHORT: usize = 160;
/// Longest long description, in characters.
const LONG: usize = 1_500;
/// Marks between the parts of a page's title.
const TITLE_MARKS: &[&str] = &[" | ", " – ", " — ", " - ", " · ", " • ", " :: ", ": "];
/// Texts that stand where a name or a motto could, and are none.
const GENERIC: &[&str] = &[
    "home",
    "homepage",
    "home page",
    "start",
    "startseite",
    "accueil",
    "inicio",
    "welcome",
    "willkommen",
    "herzlich willkommen",
    "bienvenue",
    "bienvenido",
    "benvenuti",
    "welkom",
    "website",
    "official site",
    "official website",
    "untitled",
    "index",
    "loading",
    "menu",
    "my site",
    "news",
    "blog",
    "contact",
    "about",
    "about us",
];

/// Collect name, tagline and descriptions.
pub fn collect(request: &Request, site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let name = name(request, site);
    draft.set(TAGLINE, tagline(site, name.as_ref()));
    draft.set(BRAND_NAME, name);
    let (short, long) = descriptions(site, evidence);
    draft.set(DESCRIPTION_SHORT, short);
    draft.set(DESCRIPTION_LONG, long);
}

/// Whether two words of a name stand in the address, such as those of "Tarn Valve Works" in `tarnvalves`.
fn shares_words(name: &str, label: &str) -> bool {
    let folded = words::fold(name);
    let shared = words::split(&folded)
        .into_iter()
        .filter(|word| word.chars().count() >= 3 && label.contains(word));
    shared.count() >= 2
}

struct Named {
    text: String,
    page: usize,
    score: i32,
}

/// What the brand is called: by its structured data, its metadata, its title, its first heading, its notices.
pub fn name(request: &Request, site: &Site) -> Option<Claim> {
    let mut found: Vec<Named> = Vec::new();
    let mut add = |text: &str, page: usize, score: i32| {
        let text = gtm_page_text::normalize(text);
        let folded = words::fold(&text);
        let split = words::split(&folded);
        let fits = (1..=6).contains(&split.len()) && text.chars().count() <= 60;
        if !fits
            || GENERIC.contains(&split.join(" ").as_str())
            || instructions::addressed_to_a_model(&text)
        {
            return;
        }
        let key = letters(&text);
        match found.iter_mut().find(|known| letters(&known.text) == key) {
            // The same name in several places is surer, but a page can't shout it up.
            Some(known) => known.score = known.score.max(score) + 1,
            None => found.push(Named { text, page, score }),
        }
    };
    for organization in &site.organizations {
        for text in organization.texts("name") {
            add(&text, organization.page, 6);
        }
    }
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let metadata = |name: &str| home.metadata.get(name).and_then(|value| value.as_str());
    // Not the page's `site_name`: that may come from structured data about somebody else.
    if let Some(name) = metadata("og:site_name") {
        add(name, 0, 5);
    }
    if let Some(name) = metadata("application-name") {
        add(name, 0, 3);
    }
    let label = site
        .label()
        .map(|label| letters(&label))
        .filter(|label| !label.is_empty());
    // A part of the title may be a motto: it is a name if the address or the caller says so too.
    let given = request.company_name.as_deref().map(letters);
    for segment in segments(home.title.as_deref().unwrap_or_default()) {
        let key = letters(segment);
        let alike = |known: &Option<String>| {
            known
                .as_deref()
                .is_some_and(|known| key.contains(known) || known.contains(&key))
        };
        if alike(&label)
            || label
                .as_deref()
                .is_some_and(|label| shares_words(segment, label))
            || alike(&given)
            || label.is_none() && segment.split_whitespace().count() <= 3
        {
            add(segment, 0, 2);
        }
    }
    // A short heading is a name only if the address says so too.
    let headings = home
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Heading && block.level == Some(1));
    let alts = site
        .styled
        .iter()
        .flat_map(|styled| &styled.markup.images)
        .filter(|image| image.in_home_link)
        .filter_map(|image| image.alt.as_deref());
    for text in headings.map(|block| block.text.as_str()).chain(alts) {
        let words: Vec<&str> = text
            .split_whitespace()
            .filter(|word| !matches!(words::fold(word).as_str(), "logo" | "home" | "homepage"))
            .collect();
        let text = words.join(" ");
        if words.len() <= 3
            && label
                .as_deref()
                .is_some_and(|label| letters(&text).contains(label))
        {
            add(&text, 0, 2);
        }
    }
    for (page, _, content) in site.own_pages() {
        for block in &content.blocks {
            if block.text.chars().count() <= 300 && block.text.contains(['©', '®']) {
                for legal in legal_names::find(&block.text) {
                    add(legal_names::without_form(legal), page, 2);
                }
            }
        }
    }
    let shown = words::fold(&home.text());
    for named in &mut found {
        let key = letters(&named.text);
        if let Some(label) = label.as_deref() {
            named.score += if key == label {
                4
            } else if key.contains(label) || label.contains(&key) {
                2
            } else {
                0
            };
        }
        if shown.contains(words::fold(&named.text).as_str()) {
            named.score += 3;
        }
        if given.as_deref().is_some_and(|given| given == key) {
            named.score += 6;
        } else if given
            .as_deref()
            .is_some_and(|given| given.contains(&key) || key.contains(given))
        {
            named.score += 3;
        }
    }
    found.sort_by_key(|named| std::cmp::Reverse(named.score));
    let best = found.into_iter().find(|named| named.score >= 4);
    if let Some(best) = best {
        return Some(Claim::stated(
            best.text.clone(),
            vec![Excerpt {
                page: best.page,
                text: best.text,
            }],
        ));
    }
    let given = request.company_name.as_deref()?;
    let folded = words::fold(given);
    let carrier = site
        .own_pages()
        .find(|(_, _, content)| words::fold(&content.text()).contains(&folded));
    Some(match carrier {
        Some((page, _, _)) => Claim::stated(
            given,
            vec![Excerpt {
                page,
                text: given.to_owned(),
            }],
        ),
        None => Claim::provided(
            given,
            "The name that the caller gives the brand; its pages don't show it.",
        ),
    })
}

/// Parts of a title, in order.
fn segments(title: &str) -> Vec<&str> {
    let mut parts = vec![title];
    for mark in TITLE_MARKS {
        parts = parts
            .into_iter()
            .flat_map(|part| part.split(mark))
            .collect();
    }
    parts
        .into_iter()
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

fn tagline(site: &Site, name: Option<&Claim>) -> Option<Claim> {
    let name = name
        .and_then(|claim| claim.value.as_str())
        .unwrap_or_default();
    let name_key = letters(name);
    let fits = |text: &str| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        (2..=14).contains(&words.len())
            && text.chars().count() <= 110
            && letters(text) != name_key
            && !GENERIC.contains(&words.join(" ").as_str())
            && !words::starts_with_any(
                &words,
                &[
                    "welcome",
                    "willkommen",
                    "herzlich willkommen",
                    "bienvenue",
                    "bienvenid*",
                ],
            )
            && !instructions::addressed_to_a_model(text)
    };
    let stated = |text: &str, page: usize| {
        Claim::stated(
            text,
            vec![Excerpt {
                page,
                text: text.to_owned(),
            }],
        )
    };
    let slogan = site.organizations.iter().find_map(|organization| {
        organization
            .text("slogan")
            .filter(|text| fits(text))
            .map(|text| stated(&text, organization.page))
    });
    if slogan.is_some() {
        return slogan;
    }
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let first_heading = home
        .blocks
        .iter()
        .find(|block| block.kind == BlockKind::Heading && block.level == Some(1));
    if let Some(block) = first_heading.filter(|block| fits(&block.text)) {
        return Some(stated(&block.text, 0));
    }
    let og_title = home
        .metadata
        .get("og:title")
        .and_then(|value| value.as_str());
    [og_title, home.title.as_deref()]
        .into_iter()
        .flatten()
        .flat_map(|title| segments(title))
        .find(|segment| {
            fits(segment)
                && segment.split_whitespace().count() >= 3
                && !letters(segment).contains(&name_key)
        })
        .map(|segment| stated(&gtm_page_text::normalize(segment), 0))
}

/// The short and the long description.
fn descriptions(site: &Site, evidence: &Evidence) -> (Option<Claim>, Option<Claim>) {
    // What the site says of itself where it must be short, then its structured data, then its text.
    let mut declared: Vec<(String, usize)> = Vec::new();
    let mut add = |text: &str, page: usize| {
        let text = gtm_page_text::normalize(text);
        let fits =
            (25..=LONG).contains(&text.chars().count()) && text.split_whitespace().count() >= 4;
        if fits && !instructions::addressed_to_a_model(&text) && !boilerplate::is_boilerplate(&text)
        {
            declared.push((text, page));
        }
    };
    if let Some(home) = site.research.pages.first().map(|visited| &visited.page) {
        for text in meta_descriptions(home) {
            add(&text, 0);
        }
    }
    for organization in &site.organizations {
        for text in organization.texts("description") {
            add(&text, organization.page);
        }
    }
    let stated = |text: &str, page: usize, carrier: &str| {
        Claim::stated(
            text,
            vec![Excerpt {
                page,
                text: carrier.to_owned(),
            }],
        )
    };
    let short = declared
        .iter()
        .find(|(text, _)| text.chars().count() <= SHORT)
        .map(|(text, page)| stated(text, *page, text))
        .or_else(|| {
            declared.iter().find_map(|(text, page)| {
                let first = gtm_site_research::sentences::split(text, "en")
                    .into_iter()
                    .next()?;
                let fits =
                    (25..=SHORT).contains(&first.chars().count()) && first.ends_with(['.', '!']);
                fits.then(|| stated(first, *page, text))
            })
        })
        .or_else(|| {
            evidence
                .sentences
                .iter()
                .filter(|sentence| matches!(site.part(sentence.page), Part::Home | Part::About))
                .filter(|sentence| sentence.is_quotable() && sentence.kind != BlockKind::Quote)
                .find(|sentence| {
                    sentence.text.chars().count() <= SHORT && says_what_it_is(&sentence.text, site)
                })
                .map(|sentence| stated(&sentence.text, sentence.page, &sentence.text))
        });
    let long = declared
        .iter()
        .find(|(text, _)| (SHORT + 1..=LONG).contains(&text.chars().count()))
        .map(|(text, page)| stated(text, *page, text))
        .or_else(|| {
            let paragraph = |part: Part| {
                evidence
                    .passages
                    .iter()
                    .filter(|passage| passage.main && passage.kind == BlockKind::Paragraph)
                    .filter(|passage| site.part(passage.page) == part)
                    .find(|passage| {
                        (SHORT + 1..=LONG).contains(&passage.text.chars().count())
                            && says_what_it_is(&passage.text, site)
                    })
                    .map(|passage| stated(&passage.text, passage.page, &passage.text))
            };
            paragraph(Part::About).or_else(|| paragraph(Part::Home))
        });
    (short, long)
}

fn meta_descriptions(home: &Page) -> Vec<String> {
    let metadata = |name: &str| {
        home.metadata
            .get(name)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    [
        metadata("description").or_else(|| home.description.clone()),
        metadata("og:description"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether the text speaks of the company: it names it, or says `we`.
pub fn says_what_it_is(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    words::has_any(
        &words,
        &[
            "we",
            "our",
            "wir",
            "unser*",
            "nous",
            "notre",
            "nos",
            "nosotros",
            "nuestr*",
            "noi",
            "wij",
            "ons",
            "onze",
            "نحن",
            "نبني",
            "شركتنا",
            "אנחנו",
            "אנו",
        ],
    ) || site.research.names.iter().any(|name| {
        let name = words::fold(legal_names::without_form(name));
        !name.is_empty() && folded.contains(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_fall_into_segments() {
        assert_eq!(
            segments("Acme Rail – Signals for regional lines | Home"),
            ["Acme Rail", "Signals for regional lines", "Home"]
        );
        assert!(segments("  ").is_empty());
    }
}
