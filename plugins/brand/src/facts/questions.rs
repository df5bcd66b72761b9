//! What buyers ask before they buy, and what the company answers.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use crate::draft::{Draft, OBJECTIONS};
use crate::plan::Part;
use crate::research::Site;

/// Questions that are kept.
const MOST: usize = 6;
/// Openings of a question that asks the reader to act, folded.
const INVITATIONS: &[&str] = &[
    "ready",
    "want",
    "need",
    "looking",
    "interested",
    "curious",
    "have a question",
    "have questions",
    "got questions",
    "still have",
    "any questions",
    "questions",
    "bereit",
    "lust",
    "interesse",
    "noch fragen",
    "haben sie fragen",
    "fragen",
    "sie haben",
    "sie suchen",
    "pret",
    "envie",
    "besoin",
    "une question",
    "des questions",
    "vous cherchez",
    "listo",
    "tiene preguntas",
    "quieres",
    "necesitas",
    "domande",
    "klaar",
    "benieuwd",
    "vragen",
    "heb je vragen",
    "heeft u vragen",
    "wil je",
    "wilt u",
    "zin",
    "op zoek",
    "pronto",
    "hai domande",
    "vuoi",
    "cerchi",
    "quer",
    "tem duvidas",
    "tem perguntas",
    "precisa",
    "procura",
    "busca",
    "buscas",
    "quiere",
    "desea",
    "hablamos",
    "vous souhaitez",
    "vous avez",
];

/// Collect questions with their answers from pages that have several of them.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    for (page, part, _) in site.own_pages() {
        let asks_everywhere = matches!(
            part,
            Part::Home | Part::Product | Part::Pricing | Part::Questions
        );
        // Other pages are asked only under a heading that says so.
        let may_ask = matches!(
            part,
            Part::Contact | Part::About | Part::Customers | Part::Trust | Part::Other
        );
        if !asks_everywhere && !may_ask {
            continue;
        }
        let passages: Vec<&Passage> = evidence
            .passages
            .iter()
            .filter(|passage| passage.page == page && passage.main)
            .skip_while(|passage| !asks_everywhere && !is_heading_of_questions(passage))
            .collect();
        let answered: Vec<(&Passage, &Passage)> = passages
            .windows(2)
            .filter_map(|pair| match pair {
                [question, answer] if answers(question, answer) => Some((*question, *answer)),
                _ => None,
            })
            .collect();
        // A single question is a figure of speech.
        if answered.len() < 2 {
            continue;
        }
        for (question, answer) in answered {
            if draft.many(OBJECTIONS).len() >= MOST {
                return;
            }
            let value = json!({"objection": question.text, "response": answer.text});
            let excerpts = [question, answer].map(|passage| Excerpt {
                page,
                text: passage.text.clone(),
            });
            draft.push(OBJECTIONS, Claim::stated(value, excerpts.to_vec()));
        }
    }
}

/// Headings over the questions of buyers, folded.
const HEADINGS: &[&str] = &[
    "faq",
    "faqs",
    "frequently asked questions",
    "common questions",
    "haufige fragen",
    "haufig gestellte fragen",
    "fragen und antworten",
    "questions frequentes",
    "foire aux questions",
    "vos questions",
    "preguntas frecuentes",
    "domande frequenti",
    "veelgestelde vragen",
    "perguntas frequentes",
    "الأسئلة الشائعة",
];

fn is_heading_of_questions(passage: &Passage) -> bool {
    let folded = words::fold(&passage.text);
    let words = words::split(&folded);
    passage.kind == BlockKind::Heading && words.len() <= 8 && words::has_any(&words, HEADINGS)
}

fn answers(question: &Passage, answer: &Passage) -> bool {
    let folded = words::fold(&question.text);
    let words = words::split(&folded);
    let asks = question.text.ends_with(['?', '؟'])
        && (3..=25).contains(&words.len())
        && !(question.kind == BlockKind::Heading && question.level <= 1)
        && !matches!(question.kind, BlockKind::Quote | BlockKind::TableRow)
        && !words::starts_with_any(&words, INVITATIONS);
    asks && !matches!(
        answer.kind,
        BlockKind::Heading | BlockKind::Quote | BlockKind::TableRow
    ) && !answer.text.ends_with(['?', '؟'])
        && (20..=1_000).contains(&answer.text.chars().count())
}
