//! Who owns the company.

use gtm_lexicon::ownership::{GROUP, NONPROFIT, OTHERS, PLAINLY, PRIVATE, PUBLIC, SUBSIDIARY};
use gtm_lexicon::{Meaning, Phrases};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::fixed_texts::{FixedText, LEGAL_FORM_SAYS_SO, SAYS_SO_OF_ITSELF};
use gtm_site_research::words;
use serde_json::Value;

use super::speaker::{says_what_it_is, speaks_of_itself};
use super::{Line, legal_names};
use crate::draft::{Draft, LEGAL_NAME, OWNERSHIP};
use crate::part::Part;
use crate::site::Site;

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
            if phrases.any_in(&words) && !group && speaks(sentence) {
                let excerpt = Excerpt {
                    page: sentence.page,
                    text: sentence.text.clone(),
                };
                return Some(inferred(kind, &SAYS_SO_OF_ITSELF, excerpt));
            }
        }
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
