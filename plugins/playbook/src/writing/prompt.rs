//! What the model is told besides excerpts and tasks: who writes for whom, how it should sound, and what the seller says.

use gtm_site_research::evidence::Sentence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;
use gtm_writing::prompt::one_line;

use crate::request::{Request, Tone};
use crate::salience::{self, Cues};

/// Who writes what for whom.
pub const PURPOSE: &str =
    "You write parts of a sales playbook: a seller prepares to talk to a target company.";

/// How it should sound, and what must not be claimed.
pub fn style(request: &Request) -> String {
    let mut text = match request.tone {
        Tone::Consultative => "Sound like a thoughtful adviser.",
        Tone::Direct => "Be brief and direct.",
        Tone::Technical => {
            "Write for technical readers; name mechanics, standards and interfaces that the excerpts name."
        }
    }
    .to_owned();
    if let Some(voice) = &request.seller.voice {
        text.push_str(&format!("\nThe seller's voice: {}", one_line(voice, 300)));
    }
    if !request.seller.restrictions.is_empty() {
        text.push_str(&format!(
            "\nNever claim: {}",
            one_line(&request.seller.restrictions.join("; "), 400)
        ));
    }
    text
}

/// The target, and the seller's own words in at most about `most` characters.
pub fn context(request: &Request, research: &Research, most: usize) -> String {
    let target = match &research.company {
        Some(company) => format!("Target: {} ({})", one_line(company, 80), research.domain),
        None => format!("Target: {}", research.domain),
    };
    format!("{target}\n\n{}", request.seller.context(most))
}

/// What it counts that a sentence names the company, where excerpts are chosen rather than sentences to quote.
const NAMED: i32 = 25;
/// What it counts there that a text is no whole sentence.
const PIECE: i32 = 12;

/// How much an excerpt says, where not all can be shown.
///
/// On its own pages a company need not be named, and lists, counters and cards say what it has without being sentences.
pub fn worth(excerpt: &Sentence, cues: &Cues) -> i32 {
    let mut worth = salience::for_summary(excerpt, cues).max(salience::for_angle(excerpt, cues));
    if excerpt.role != Role::External && cues.names_company(&excerpt.folded) {
        worth -= NAMED;
    }
    if excerpt.kind != BlockKind::Heading && !excerpt.is_whole() {
        worth += PIECE;
    }
    worth
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use gtm_site_research::evidence;
    use gtm_site_research::page::Page;
    use gtm_site_research::reading::Visited;
    use gtm_site_research::words;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_of_machines_is_worth_more_than_the_company_s_name() {
        let page = Page::read(json!({
            "receipt_id": "rcp_1", "url": "https://a.example/", "final_url": "https://a.example/",
            "blocks": [
                {"kind": "paragraph", "main": true, "text": "Groundwell masters these two frameworks."},
                {"kind": "list_item", "main": true, "text": "12 excavators, 4 rollers, 9 tippers and 3 cranes of our own"},
            ],
        }));
        let research = Research {
            company: Some("Groundwell".to_owned()),
            names: vec!["Groundwell".to_owned()],
            domain: "a.example".to_owned(),
            language: "en".to_owned(),
            pages: vec![Visited {
                page: page.unwrap(),
                role: Role::Products,
            }],
            misses: Vec::new(),
        };
        let input = json!({"input": {"target_company_domain": "a.example"}, "sections": []});
        let request = Request::read(input).unwrap();
        let cues = Cues::new(&request, &research);
        let found = evidence::collect(&research);
        let of = |start: &str| {
            let mut all = found.sentences.iter();
            let one = all.find(|sentence| sentence.folded.starts_with(&words::fold(start)));
            worth(one.unwrap(), &cues)
        };
        assert!(of("12 excavators") > of("Groundwell masters"));
    }
}
