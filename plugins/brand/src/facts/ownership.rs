//! To whom the company belongs.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::words;
use serde_json::Value;

use super::speaker::{says_what_it_is, speaks_of_itself};
use super::{Line, legal_names};
use crate::draft::{Draft, LEGAL_NAME, OWNERSHIP};
use crate::plan::Part;
use crate::research::Site;

/// Collect the ownership.
pub fn collect(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &mut Draft) {
    draft.set(OWNERSHIP, ownership(site, evidence, lines, draft));
}

/// Whose ownership a sentence may speak of besides the company's.
const OTHERS: &[&str] = &[
    "customer*",
    "client*",
    "kunde*",
    "partner*",
    "supplier*",
    "investor*",
    "donate*",
    "cliente*",
];

/// To whom the company belongs: what it says, or what its legal form means.
fn ownership(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &Draft) -> Option<Claim> {
    const SAID: &[(&str, &[&str])] = &[
        (
            "nonprofit",
            &[
                "non profit",
                "nonprofit",
                "not for profit",
                "registered charity",
                "gemeinnutzig*",
                "a but non lucratif",
                "sin animo de lucro",
            ],
        ),
        (
            "subsidiary",
            &[
                "a subsidiary of",
                "wholly owned by",
                "wholly owned subsidiary",
                "part of the",
                "tochtergesellschaft der",
                "tochterunternehmen der",
                "filiale du groupe",
                "ein unternehmen der",
            ],
        ),
        (
            "public",
            &[
                "publicly traded",
                "publicly listed",
                "listed on nasdaq",
                "listed on euronext",
                "stock exchange",
                "borsennotiert*",
                "cotee en bourse",
                "cotiza en bolsa",
            ],
        ),
        (
            "private",
            &[
                "privately held",
                "privately owned",
                "we are a private company",
                "is a private company",
                "owner managed",
                "owner operated",
                "independently owned",
                "eigentumergefuhrt*",
                "in familienbesitz",
                "family owned",
                "family run",
                "family business",
                "employee owned",
                "inhabergefuhrt*",
                "familiengefuhrt*",
                "familienunternehmen",
                "familienbetrieb",
                "entreprise familiale",
                "empresa familiar",
            ],
        ),
    ];
    let inferred = |kind: &str, why: &str, excerpt: Excerpt| {
        Claim::inferred(Value::from(kind), why, vec![excerpt])
    };
    // Phrases of which nobody else can be the subject.
    const PLAINLY: &[&str] = &[
        "we are a private company",
        "we are a privately held",
        "we are privately held",
        "we are privately owned",
        "we are a family owned",
        "we are a family run",
        "we are a family business",
        "wir sind ein familienunternehmen",
        "wir sind inhabergefuhrt",
        "nous sommes une entreprise familiale",
        "somos una empresa familiar",
    ];
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
        if words::has_any(&words, OTHERS) && !words::has_any(&words, PLAINLY) {
            continue;
        }
        for (kind, phrases) in SAID {
            let group = *kind == "subsidiary"
                && !words::has_any(
                    &words,
                    &[
                        "group",
                        "gruppe",
                        "groupe",
                        "subsidiary",
                        "wholly owned*",
                        "tochter*",
                        "ein unternehmen der",
                    ],
                );
            if words::has_any(&words, phrases) && !group && speaks(sentence) {
                let excerpt = Excerpt {
                    page: sentence.page,
                    text: sentence.text.clone(),
                };
                return Some(inferred(kind, "The company says so of itself.", excerpt));
            }
        }
    }
    let legal = draft.one(LEGAL_NAME)?;
    let name = legal.value.as_str()?;
    let meaning = legal_names::meaning_of(name)?;
    let excerpt = legal.excerpts.first().cloned().or_else(|| {
        lines
            .iter()
            .find(|line| line.text.contains(name))
            .map(Line::excerpt)
    })?;
    Some(inferred(
        meaning.as_str(),
        "The legal form of the registered name allows nothing else.",
        excerpt,
    ))
}
