//! What the model is told besides excerpts and tasks: who writes for whom, how it should sound, and what the seller says.

use gtm_site_research::evidence::Sentence;
use gtm_site_research::reading::Research;
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

/// How much an excerpt says, where not all can be shown.
pub fn worth(excerpt: &Sentence, cues: &Cues) -> i32 {
    salience::for_summary(excerpt, cues).max(salience::for_angle(excerpt, cues))
}
