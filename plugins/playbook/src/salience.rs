//! How much a sentence says about the company, and how much of it concerns the seller.
//!
//! Whole numbers only, so that the order is the same on every machine.

use std::collections::BTreeSet;

use crate::request::{Request, Tone};
use gtm_lexicon::company::{DOES, YOU};
use gtm_lexicon::signals::MOVES;
use gtm_lexicon::trade::{TECHNICAL, WE};
use gtm_site_research::evidence::Sentence;
use gtm_site_research::facts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

/// What this job looks for.
#[derive(Debug, Clone)]
pub struct Cues {
    company: Vec<String>,
    seller: BTreeSet<String>,
    tone: Tone,
}

impl Cues {
    /// The cues of a request about a researched company.
    pub fn new(request: &Request, research: &Research) -> Self {
        let mut company = Vec::new();
        for name in &research.names {
            let folded = words::fold(name);
            if let Some(first) = words::split(&folded)
                .first()
                .filter(|word| word.chars().count() >= 4)
            {
                company.push((*first).to_owned());
            }
            company.push(folded.clone());
        }
        Self {
            company,
            seller: words::stems(&request.seller.subject()),
            tone: request.tone,
        }
    }

    /// Whether a folded text names the company.
    pub fn names_company(&self, folded: &str) -> bool {
        self.company
            .iter()
            .any(|name| folded.contains(name.as_str()))
    }

    /// How many of the seller's subjects the text mentions.
    pub fn seller_overlap(&self, text: &str) -> i32 {
        let shared = words::stems(text).intersection(&self.seller).count();
        i32::try_from(shared).unwrap_or(i32::MAX)
    }
}

/// What every use of a sentence has in common: who speaks, how long it is, whether it has substance.
fn substance(sentence: &Sentence, cues: &Cues) -> i32 {
    let words = sentence.words();
    let length = sentence.text.chars().count();
    let mut score = 0;
    if cues.names_company(&sentence.folded) {
        score += 30;
    }
    if !facts::numbers(&sentence.text).is_empty() {
        score += 10;
    }
    if (45..=260).contains(&length) {
        score += 10;
    }
    if !sentence.is_whole() {
        score -= 12;
    }
    if sentence.kind == BlockKind::Quote {
        score -= 30;
    }
    if sentence.text.ends_with('!') {
        score -= 15;
    }
    if sentence.role == Role::Imprint {
        score -= 60;
    }
    // "You" addresses the reader; it says nothing about the company.
    if YOU.any_in(&words) {
        score -= 8;
    }
    score
}

/// How well the sentence says what the company is and does.
pub fn for_summary(sentence: &Sentence, cues: &Cues) -> i32 {
    let words = sentence.words();
    let mut score = substance(sentence, cues);
    score += match sentence.role {
        Role::Home => 30,
        Role::About => 40,
        Role::Products => 20,
        Role::Customers | Role::Other => 5,
        Role::External => -10,
        Role::News | Role::Careers | Role::Pricing | Role::Imprint => -25,
    };
    score += match sentence.position {
        0 => 20,
        1 => 15,
        2 => 10,
        3..=5 => 5,
        _ => 0,
    };
    if DOES.any_in(&words) {
        score += 25;
    }
    if words.first().is_some_and(|first| WE.contains(first)) {
        score += 10;
    }
    score + of_tone(&words, cues.tone) / 2
}

/// How well the sentence serves as a reason to talk to the company.
pub fn for_angle(sentence: &Sentence, cues: &Cues) -> i32 {
    let words = sentence.words();
    let mut score = substance(sentence, cues);
    score += match sentence.role {
        Role::News => 25,
        Role::Careers | Role::Products | Role::Customers => 15,
        Role::About | Role::Home | Role::Other => 10,
        Role::External => 5,
        Role::Pricing => 0,
        Role::Imprint => -40,
    };
    let moves = MOVES.count_in(&words);
    score += i32::try_from(moves.min(3)).unwrap_or(0) * 12;
    score += cues.seller_overlap(&sentence.text).min(6) * 18;
    score + of_tone(&words, cues.tone)
}

fn of_tone(words: &[&str], tone: Tone) -> i32 {
    match tone {
        Tone::Technical if TECHNICAL.any_in(words) => 16,
        Tone::Direct if words.len() <= 22 => 8,
        _ => 0,
    }
}
