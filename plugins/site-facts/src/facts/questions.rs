//! Questions that buyers ask, and the company's answers.

use gtm_lexicon::company::WE_AND_YOU;
use gtm_lexicon::questions::{DEFINITIONS, HEADINGS, INVITATIONS, LAWS, PLAIN, PRESSING, TRUST};
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
/// Most characters of a sign that opens an answer, the blank before it included.
const LONGEST_SIGN: usize = 3;

/// Collects questions and answers from pages that have several of them.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let mut found = answered(site, evidence);
    found.retain(|(question, _)| is_doubt(&question.text));
    // Of many, those on which a purchase depends are kept, in the order of the pages.
    if found.len() > MOST {
        let mut ranked: Vec<usize> = (0..found.len()).collect();
        ranked.sort_by_key(|at| {
            !found
                .get(*at)
                .is_some_and(|(question, _)| is_pressing(question))
        });
        ranked.truncate(MOST);
        let mut at = 0..;
        found.retain(|_| at.next().is_some_and(|at| ranked.contains(&at)));
    }
    for (question, answer) in found {
        let value = json!({
            "objection": bare(unmarked(&question.text)),
            "response": unmarked(&answer.text),
        });
        let excerpts = [question, answer].map(|passage| Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        });
        draft.push(OBJECTIONS, Claim::stated(value, excerpts.to_vec()));
    }
}

/// Whether a question may be one that keeps a reader from buying: it does not ask what something is, what the law says, or
/// for a plain fact such as where the company is, unless that is about price, time, obligation or trust.
fn is_doubt(question: &str) -> bool {
    let folded = words::fold(unmarked(question));
    let words = words::split(&folded);
    let ends = || {
        let mut places = DEFINITIONS.places(&words);
        places.any(|(at, phrase)| at + phrase.len() == words.len())
    };
    let defines = (DEFINITIONS.open(&words) || ends()) && !WE_AND_YOU.any_in(&words);
    let is_plain = || PLAIN.open(&words) && !TRUST.any_in(&words);
    PRESSING.any_in(&words) || !defines && !LAWS.any_in(&words) && !is_plain()
}

/// Whether a question is about price, time or obligation.
fn is_pressing(question: &Passage) -> bool {
    PRESSING.any_in(&words::split(&words::fold(&question.text)))
}

/// The questions of all pages with their answers; one that several pages have, once.
fn answered<'e>(site: &Site, evidence: &'e Evidence) -> Vec<(&'e Passage, &'e Passage)> {
    let mut found: Vec<(&Passage, &Passage)> = Vec::new();
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
            let known = |(asked, told): &(&Passage, &Passage)| {
                asked.text == question.text && told.text == answer.text
            };
            if !found.iter().any(known) {
                found.push((question, answer));
            }
        }
    }
    found
}

fn is_heading_of_questions(passage: &Passage) -> bool {
    let folded = words::fold(&passage.text);
    let words = words::split(&folded);
    passage.kind == BlockKind::Heading && words.len() <= 8 && HEADINGS.any_in(&words)
}

fn answers(question: &Passage, answer: &Passage) -> bool {
    let asked = unmarked(&question.text);
    let folded = words::fold(asked);
    let words = words::split(&folded);
    let asks = is_question(asked)
        && (3..=25).contains(&words::count(asked))
        && !(question.kind == BlockKind::Heading && question.level <= 1)
        && !matches!(question.kind, BlockKind::Quote | BlockKind::TableRow)
        && !INVITATIONS.open(&words);
    let response = unmarked(&answer.text);
    asks && !matches!(
        answer.kind,
        BlockKind::Heading | BlockKind::Quote | BlockKind::TableRow
    ) && !is_question(response)
        // What a colon announces is the rest of the answer, and it is lost.
        && !response.ends_with([':', '：'])
        && (20..=1_000).contains(&answer.text.chars().count())
}

/// Whether a text ends as a question does. Japanese ones need no mark: `できますか。`
fn is_question(text: &str) -> bool {
    let text = bare(text);
    text.ends_with(['?', '؟', '？']) || text.trim_end_matches('。').ends_with('か')
}

/// A question without the sign behind it that opens its answer: `+`, `▾`.
fn bare(text: &str) -> &str {
    let asked = text.rfind(['?', '؟', '？']).map(|at| {
        let (_, behind) = text.split_at_checked(at).unwrap_or((text, ""));
        let mark = behind.chars().next().map_or(0, char::len_utf8);
        at + mark
    });
    let Some((question, behind)) = asked.and_then(|at| text.split_at_checked(at)) else {
        return text;
    };
    if !behind.contains(char::is_alphanumeric) && behind.chars().count() <= LONGEST_SIGN {
        question
    } else {
        text
    }
}

/// A question or an answer without the mark that says which of the two it is: `Q1. `, `A：`.
fn unmarked(text: &str) -> &str {
    let Some(rest) = text.strip_prefix(['Q', 'A', 'Ｑ', 'Ａ']) else {
        return text;
    };
    let behind = rest.trim_start_matches(|c: char| c.is_numeric());
    let bare = behind.trim_start_matches(['.', ':', '：', '．', '、', ')', '）', '　', ' ']);
    // `A pump` begins with a word.
    let is_mark = behind.starts_with(['.', ':', '：', '．', '、', ')', '）', '　'])
        || behind.len() < rest.len() && behind.starts_with(' ');
    if is_mark && !bare.is_empty() {
        bare
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_end_with_their_mark_or_word() {
        for text in [
            "Do you deliver on Sundays?",
            "見積もりは無料ですか？",
            "支払い方法を選べますか。",
        ] {
            assert!(is_question(text), "{text}");
        }
        for text in [
            "Do you deliver?+",
            "Do you deliver? ▾",
            "見積もりは無料ですか？＋",
        ] {
            assert!(is_question(text), "{text}");
        }
        assert_eq!(bare("Do you deliver? +"), "Do you deliver?");
        assert_eq!(bare("Why? Because."), "Why? Because.");
        assert!(!is_question("はい、無料です。") && !is_question("We do."));
    }

    #[test]
    fn what_a_word_or_the_law_says_is_no_doubt_of_a_buyer() {
        for text in [
            "What is a ram pump?",
            "Was ist eine Wangentreppe?",
            "Qu’est-ce qu’un limon ?",
            "Che cos’è un bilico?",
            "Co to jest limba?",
            "側板とは何ですか？",
            "Is a handrail required by law?",
            "Ist ein Geländer gesetzlich vorgeschrieben?",
        ] {
            assert!(!is_doubt(text), "{text}");
        }
        for text in [
            "What is the price of a pump?",
            "What are your lead times?",
            "What is included?",
            "Was kostet eine Treppe?",
            "Qu’est-ce qui est compris ?",
            "Can I return it?",
            "Wie pflege ich mein Brett?",
            "土曜日も相談できますか。",
        ] {
            assert!(is_doubt(text), "{text}");
        }
    }

    #[test]
    fn who_asks_for_a_plain_fact_has_no_doubt() {
        for text in [
            "Where are you based?",
            "Which areas do you cover?",
            "What materials do you use?",
            "Welche Materialien verarbeiten Sie?",
            "Wo finde ich Sie?",
            "Où se trouve votre atelier ?",
            "Quels bois travaillez-vous ?",
            "¿Dónde están ustedes?",
            "¿Qué materiales trabajan?",
            "Dove vi trovate?",
            "Quali legni lavorate?",
            "Onde fica a oficina?",
            "Quais materiais usam?",
            "Waar zijn jullie gevestigd?",
            "Welke houtsoorten gebruiken jullie?",
            "工場はどこにありますか？",
            "どんな素材を扱っていますか。",
        ] {
            assert!(!is_doubt(text), "{text}");
        }
        for text in [
            "Where is our data stored?",
            "Which guarantee do I get?",
            "What qualifications do your fitters have?",
            "What happens if it breaks?",
            "When will my stairs be ready?",
            "Welche Garantie geben Sie?",
            "Welche Erfahrung haben Sie mit Altbauten?",
            "Wann ist meine Treppe fertig?",
            "Quel délai faut-il prévoir ?",
            "Quelles assurances avez-vous ?",
            "¿Qué pasa si hay una avería?",
            "¿Cuál es el plazo?",
            "Quali sono i tempi?",
            "Qual é o prazo?",
            "Welke garantie krijg ik?",
            "どの保証が付きますか？",
            "どのくらい時間がかかりますか。",
        ] {
            assert!(is_doubt(text), "{text}");
        }
    }

    #[test]
    fn marks_of_questions_are_left_out() {
        for (text, bare) in [
            ("Q：どこまで配達しますか？", "どこまで配達しますか？"),
            ("Q1. Do you deliver?", "Do you deliver?"),
            ("Ａ．県内です。", "県内です。"),
            ("Q3 Can I pay later?", "Can I pay later?"),
            ("A pump needs care.", "A pump needs care."),
            ("Quality first?", "Quality first?"),
            ("A.", "A."),
        ] {
            assert_eq!(unmarked(text), bare);
        }
    }
}
