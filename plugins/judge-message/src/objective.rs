//! Does the copy serve the stated objective? It does if the words of the objective come back. An aim of the seller's own
//! ("find out if …") has words that no honest copy can say; of such an aim only those count that offer or next step have.

use std::collections::BTreeSet;

use crate::copy::{Copy, Sentence};
use crate::paraphrase;
use crate::points::Judged;
use crate::stems;

const MAX: u32 = 5;
/// Most points for what the objective shares with offer and next step.
const MOST_OF_SHARED: u32 = 4;
/// Most points if it shares nothing with them: then the copy can only speak of the offer.
const MOST_OF_OFFER: u32 = 3;
/// Most points if nothing that is said is the offer's: what is served then is another offer.
const MOST_BESIDE_OFFER: u32 = 2;
/// Most stems that a note names.
const NAMED: usize = 4;

/// Gives up to five points.
pub fn judge(copy: &Copy) -> Judged {
    let said = Said::of(copy);
    let subjects = &copy.subjects;
    let shared = match subjects.reachable.is_empty() {
        true => {
            let known = subjects.offer.union(&subjects.wished).cloned().collect();
            said.points(&known).min(MOST_OF_OFFER)
        }
        false => said.points(&subjects.reachable).min(MOST_OF_SHARED),
    };
    let mut points = said.points(&subjects.goal).max(shared);
    if paraphrase::strays(copy) {
        points = points.min(MOST_BESIDE_OFFER);
    }
    let missing = subjects.goal.iter().filter(|stem| said.tenths(stem) < 10);
    let missing: Vec<String> = missing
        .take(NAMED)
        .map(|stem| format!("“{stem}…”"))
        .collect();
    let mut note = "Too little of the copy speaks of what the objective names".to_owned();
    if !missing.is_empty() {
        note.push_str(&format!("; its own words have no {}", missing.join(", ")));
    }
    note.push('.');
    Judged {
        key: "relevance.serves_objective",
        points: copy.bounded(points),
        max: MAX,
        note,
    }
}

/// What the copy says, in its own words and by placeholders.
struct Said<'c> {
    copy: &'c Copy,
    literal: Vec<String>,
    offer: bool,
    ask: bool,
}

impl<'c> Said<'c> {
    fn of(copy: &'c Copy) -> Self {
        let says = |sentence: &&Sentence| !sentence.empty_talk;
        let sentences = copy.sentences().chain([&copy.subject_line]).filter(says);
        let literal = sentences.flat_map(|sentence| sentence.words.clone());
        let has = |group: &str| {
            let mut sentences = copy.sentences().filter(says);
            sentences.any(|sentence| sentence.has_placeholder(group))
        };
        Self {
            copy,
            literal: literal.collect(),
            offer: has("offer."),
            ask: has("next_step.ask"),
        }
    }

    /// How far a stem is said, in tenths: what a placeholder will say counts less than what the writer says.
    fn tenths(&self, stem: &str) -> usize {
        let subjects = &self.copy.subjects;
        let carried = (self.offer && subjects.offer.contains(stem))
            || (self.ask && subjects.wished.contains(stem));
        match (stems::stands_in(stem, &self.literal), carried) {
            (true, _) => 10,
            (false, true) => 6,
            (false, false) => 0,
        }
    }

    /// Points for these stems: all for half of them.
    fn points(&self, stems: &BTreeSet<String>) -> u32 {
        let found: usize = stems.iter().map(|stem| self.tenths(stem)).sum();
        let tenths = found.checked_div(stems.len()).unwrap_or(0);
        u32::try_from(tenths).unwrap_or(MAX).min(MAX)
    }
}
