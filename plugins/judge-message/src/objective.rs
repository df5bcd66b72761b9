//! Does the copy serve the stated objective? It does if the words of the objective come back.

use crate::copy::Copy;
use crate::points::Judged;
use crate::stems;

const MAX: u32 = 5;

/// Gives up to five points.
pub fn judge(copy: &Copy) -> Judged {
    let goal = &copy.subjects.goal;
    let says = |sentence: &&crate::copy::Sentence| !sentence.empty_talk;
    let literal: Vec<String> = copy
        .sentences()
        .chain([&copy.subject_line])
        .filter(says)
        .flat_map(|sentence| sentence.words.clone())
        .collect();
    let has = |group: &str| {
        copy.sentences()
            .filter(says)
            .any(|sentence| sentence.has_placeholder(group))
    };
    let (offer, ask) = (has("offer."), has("next_step.ask"));
    // In tenths: what a placeholder will say counts less than what the writer says.
    let found: usize = goal
        .iter()
        .map(|stem| {
            let carried = (offer && copy.subjects.offer.contains(stem))
                || (ask && copy.subjects.wished.contains(stem));
            match (stems::stands_in(stem, &literal), carried) {
                (true, _) => 10,
                (false, true) => 6,
                (false, false) => 0,
            }
        })
        .sum();
    let points = match found.checked_div(goal.len()).unwrap_or(0) {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 3,
        4 => 4,
        _ => MAX,
    };
    Judged {
        key: "relevance.serves_objective",
        points: copy.bounded(points),
        max: MAX,
        note: "Too little of the copy speaks of what the objective names.",
    }
}
