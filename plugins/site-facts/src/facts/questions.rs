//! Questions that buyers ask, and the company's answers.

use gtm_lexicon::questions::{HEADINGS, INVITATIONS};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use crate::draft::{Draft, OBJECTIONS};
use crate::part::Part;
use crate::site::Site;

/// Most questions kept.
const MOST: usize = 6;

/// Collects questions and answers from pages that have several of them.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    for (page, part, _) in site.own_pages() {
        let asks_everywhere = matches!(
            part,
            Part::Home | Part::Product | Part::Pricing | Part::Questions
        );
        // On other pages, only the text under a heading for questions counts.
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
        let announced = part == Part::Questions
            || passages
                .iter()
                .any(|passage| is_heading_of_questions(passage));
        let answered: Vec<(&Passage, &Passage)> = passages
            .windows(2)
            .filter_map(|pair| match pair {
                [question, answer] if answers(question, answer) => Some((*question, *answer)),
                _ => None,
            })
            .collect();
        // One or two questions are probably rhetorical, unless a heading announces them.
        if answered.len() < if announced { 2 } else { 3 } {
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

fn is_heading_of_questions(passage: &Passage) -> bool {
    let folded = words::fold(&passage.text);
    let words = words::split(&folded);
    passage.kind == BlockKind::Heading && words.len() <= 8 && HEADINGS.any_in(&words)
}

fn answers(question: &Passage, answer: &Passage) -> bool {
    let folded = words::fold(&question.text);
    let words = words::split(&folded);
    let asks = question.text.ends_with(['?', '؟'])
        && (3..=25).contains(&words.len())
        && !(question.kind == BlockKind::Heading && question.level <= 1)
        && !matches!(question.kind, BlockKind::Quote | BlockKind::TableRow)
        && !INVITATIONS.open(&words);
    asks && !matches!(
        answer.kind,
        BlockKind::Heading | BlockKind::Quote | BlockKind::TableRow
    ) && !answer.text.ends_with(['?', '؟'])
        && (20..=1_000).contains(&answer.text.chars().count())
}
