//! Who owns the company.

use gtm_lexicon::ownership::{
    GROUP, ITSELF, NONPROFIT, OTHERS, PLAINLY, PRIVATE, PUBLIC, SUBSIDIARY,
};
use gtm_lexicon::segments::{BEFORE, HEADINGS as SEGMENT_HEADINGS, KINDS};
use gtm_lexicon::{Meaning, Phrases};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::fixed_texts::{FixedText, LEGAL_FORM_SAYS_SO, SAYS_SO_OF_ITSELF};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::Value;

use super::outline::sections;
use super::speaker::{says_what_it_is, speaks_of_itself};
use super::{Line, legal_names};
use crate::draft::{Draft, LEGAL_NAME, OWNERSHIP};
use crate::part::Part;
use crate::site::Site;

/// Most words of a heading or item that says it without a verb.
const LONGEST_LINE: usize = 8;

/// Collects the ownership.
pub fn collect(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &mut Draft) {
    draft.set(OWNERSHIP, ownership(site, evidence, lines, draft));
}

/// Who owns the company, according to its own words or its legal form.
fn ownership(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &Draft) -> Option<Claim> {
    const SAID: [(&str, &Phrases); 4] = [
        ("nonprofit", &NONPROFIT),
        ("subsidiary", &SUBSIDIARY),
        ("public", &PUBLIC),
        ("private", &PRIVATE),
    ];
    let inferred = |kind: &str, why: &FixedText, excerpt: Excerpt| {
        let why = why.in_language(&site.research.language);
        Claim::inferred(Value::from(kind), why, vec![excerpt])
    };
    for sentence in &evidence.sentences {
        if !matches!(
            site.part(sentence.page),
            Part::Home | Part::About | Part::Press | Part::Careers | Part::Contact
        ) {
            continue;
        }
        let speaks = |sentence: &Sentence| match site.part(sentence.page) {
            Part::Press => speaks_of_itself(&sentence.text, site),
            _ => says_what_it_is(&sentence.text, site),
        };
        let words = sentence.words();
        if OTHERS.any_in(&words) && !PLAINLY.any_in(&words) {
            continue;
        }
        for (kind, phrases) in SAID {
            let group = kind == "subsidiary" && !GROUP.any_in(&words);
            let owned = kind == "subsidiary" && owns_others(&words, site);
            if phrases.any_in(&words) && !group && !owned && speaks(sentence) {
                let excerpt = Excerpt {
                    page: sentence.page,
                    text: sentence.text.clone(),
                };
                return Some(inferred(kind, &SAYS_SO_OF_ITSELF, excerpt));
            }
        }
    }
    if let Some((kind, passage)) = said_by_a_line(site, evidence) {
        let excerpt = Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        return Some(inferred(kind, &SAYS_SO_OF_ITSELF, excerpt));
    }
    let legal = draft.one(LEGAL_NAME)?;
    let name = legal.value.as_str()?;
    let meaning = legal_names::meaning_of(name)?;
    // Most companies are private: the form tells it only where its own words do, as those of `Pvt. Ltd.`.
    let folded = words::fold(name);
    if meaning == Meaning::Private && !PRIVATE.any_in(&words::split(&folded)) {
        return None;
    }
    let excerpt = legal.excerpts.first().cloned().or_else(|| {
        lines
            .iter()
            .find(|line| line.text.contains(name))
            .map(Line::excerpt)
    })?;
    Some(inferred(meaning.as_str(), &LEGAL_FORM_SAYS_SO, excerpt))
}

/// Whether the owner of whom a text speaks is this company itself: `Globex, filiale du groupe Acme`.
fn owns_others(words: &[&str], site: &Site) -> bool {
    let own = |word: &&str| {
        site.research
            .names
            .iter()
            .any(|name| words::split(&words::fold(name)).first() == Some(word))
    };
    SUBSIDIARY.places(words).any(|(at, phrase)| {
        let behind = words.get(at + phrase.len()..).unwrap_or_default();
        behind.iter().take(2).any(own)
    })
}

/// What a heading, an item or a tile says without a verb, where the company presents itself: nobody else can be
/// meant there. Headings further down the home page tell of others, such as customers.
fn said_by_a_line<'a>(site: &Site, evidence: &'a Evidence) -> Option<(&'static str, &'a Passage)> {
    let of_buyers: Vec<_> = sections(site, evidence)
        .into_iter()
        .filter(|section| section.is_headed(&SEGMENT_HEADINGS))
        .collect();
    let buys = |passage: &Passage| {
        of_buyers.iter().any(|section| {
            let mut all = section.body.iter().chain([&section.heading]);
            all.any(|known| (known.page, known.block) == (passage.page, passage.block))
        })
    };
    let presents = |passage: &Passage| match (site.part(passage.page), passage.kind) {
        (Part::About, BlockKind::Heading) => true,
        (Part::Home, BlockKind::Heading) => passage.level == 1,
        (Part::About | Part::Home, BlockKind::ListItem | BlockKind::Other) => true,
        _ => false,
    };
    let lines = evidence.passages.iter();
    lines
        .filter(|passage| passage.main && presents(passage))
        .find_map(|passage| {
            let folded = words::fold(&passage.text);
            let words = words::split(&folded);
            let links = site.research.pages.get(passage.page)?;
            let is_link = || {
                links
                    .page
                    .links
                    .iter()
                    .any(|link| link.text == passage.text)
            };
            let of_others = || {
                [&OTHERS, &BEFORE, &KINDS]
                    .iter()
                    .any(|phrases| phrases.any_in(&words))
                    || !legal_names::find(&passage.text).is_empty()
            };
            if words.len() > LONGEST_LINE
                || !ITSELF.any_in(&words)
                || passage.text.ends_with(['?', '？'])
                || of_others()
                || is_link()
                || buys(passage)
            {
                return None;
            }
            // Without a name behind it, the line stands over a list of subsidiaries.
            let of_group = || {
                GROUP.any_in(&words)
                    && !owns_others(&words, site)
                    && SUBSIDIARY
                        .at_start(&words)
                        .any(|phrase| words.len() > phrase.len())
            };
            if PRIVATE.any_in(&words) {
                return Some(("private", passage));
            }
            (SUBSIDIARY.any_in(&words) && of_group()).then_some(("subsidiary", passage))
        })
}
