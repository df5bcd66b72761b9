//! The excerpts that a model is shown: everything of the pages that says something, in order, under the pages' titles and
//! headings.
//!
//! Sentences alone don't show a site: who decides what stands in headings, whom a company serves in lists, how big it is in
//! counters. So all of it is shown, page by page, as long as the room lasts; only then are excerpts chosen by what they say.

mod material;
mod shown;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;

pub use gtm_lexicon::numbers::is_unspaced;
use material::{has_digits, length_in_words, material};
use shown::rendered;

use crate::wording;

/// Longest excerpt, in characters; a longer one is cut.
const LONGEST: usize = 1_200;
/// Characters that an excerpt's number takes.
const NUMBER_CHARS: usize = 8;
/// Most words of a text that says little by itself: a name, a number, what it counts.
const MOST_WORDS_OF_A_LABEL: usize = 4;
/// Fewest characters that are shared out to a page.
const LEAST_SHARE: usize = 400;
/// Fewest words of a heading that says something by itself.
const LEAST_WORDS_OF_A_STATEMENT: usize = 8;
/// Most words of a text that a number beside it counts.
const MOST_WORDS_COUNTED: usize = 12;

/// The numbered excerpts of a job.
#[derive(Debug, Clone, Default)]
pub struct Excerpts {
    /// The excerpts in the order of the pages; the first has the number 1.
    pub all: Vec<Sentence>,
    /// As the prompt shows them.
    pub text: String,
}

impl Excerpts {
    /// As many excerpts as `budget` characters hold. `worth` is compared where not all of them do.
    pub fn choose(
        research: &Research,
        evidence: &Evidence,
        budget: usize,
        worth: &dyn Fn(&Sentence) -> i32,
    ) -> Self {
        let material = material(research, evidence);
        let whole = Self::of(material.clone(), research, evidence);
        if whole.text.chars().count() <= budget {
            return whole;
        }
        let mut order: Vec<(bool, i32, usize)> = material
            .iter()
            .enumerate()
            .map(|(at, excerpt)| (is_bare_title(excerpt), worth(excerpt), at))
            .collect();
        // What stands under a short heading brings it along.
        order.sort_by_key(|(bare, worth, _)| (*bare, -worth));
        let mut left = budget;
        let pages: BTreeSet<usize> = material.iter().map(|excerpt| excerpt.page).collect();
        let share = budget / 2 / pages.len().max(1);
        // Little room shared out holds labels only.
        let share = if share < LEAST_SHARE { 0 } else { share };
        let mut of_page = vec![0usize; research.pages.len()];
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        // Each with what gives it its meaning, the most worthy first.
        let mut chosen: Vec<Vec<usize>> = Vec::new();
        // Half of the room is shared out, so that every page says its best; the other half goes to the best of all. No page fills
        // more than half: one long page does not represent the company.
        for most in [share, budget / 2 + 200] {
            for (_, _, at) in &order {
                let at = *at;
                let mut together = beside(&material, at);
                together.push(at);
                together.retain(|at| !taken.contains(at));
                let cost: usize = together.iter().map(|at| cost(&material, *at)).sum();
                let page = material.get(at).map(|excerpt| excerpt.page);
                let Some(used) = page.and_then(|page| of_page.get_mut(page)) else {
                    continue;
                };
                if taken.contains(&at) || cost > left || *used + cost > most {
                    continue;
                }
                *used += cost;
                left -= cost;
                taken.extend(&together);
                chosen.push(together);
            }
        }
        // The lines of pages and headings take room, too.
        loop {
            let excerpts = chosen.iter().flatten();
            let excerpts = excerpts.filter_map(|at| material.get(*at).cloned());
            let shown = Self::of(excerpts.collect(), research, evidence);
            let over = shown.text.chars().count().saturating_sub(budget);
            if over == 0 || chosen.is_empty() {
                return shown;
            }
            let mut freed = 0;
            while freed < over
                && let Some(last) = chosen.pop()
            {
                freed += last.iter().map(|at| cost(&material, *at)).sum::<usize>();
            }
        }
    }

    fn of(mut excerpts: Vec<Sentence>, research: &Research, evidence: &Evidence) -> Self {
        excerpts.sort_by_key(|excerpt| (excerpt.page, excerpt.block, excerpt.position));
        let text = rendered((1..).zip(&excerpts), research, evidence);
        Self {
            all: excerpts,
            text,
        }
    }

    /// The excerpt with a number.
    pub fn get(&self, number: u64) -> Option<&Sentence> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.all.get(index)
    }

    /// These excerpts and those right beside them, as the prompt shows them, with the numbers that they have there.
    #[must_use]
    pub fn around(
        &self,
        numbers: &BTreeSet<u64>,
        research: &Research,
        evidence: &Evidence,
    ) -> String {
        let page = |number: u64| self.get(number).map(|excerpt| excerpt.page);
        let is_wanted = |number: u64| {
            let near = [number.saturating_sub(1), number, number + 1];
            let mut near = near.into_iter().filter(|near| numbers.contains(near));
            near.any(|near| page(near) == page(number))
        };
        let all = (1..).zip(&self.all);
        rendered(
            all.filter(|(number, _)| is_wanted(*number)),
            research,
            evidence,
        )
    }

    /// The number of the excerpt of a page that is these words, that has them, or that is the most of them.
    pub fn number_of(&self, page: usize, words: &str) -> Option<u64> {
        let of_page = || {
            let all = (1u64..).zip(&self.all);
            all.filter(move |(_, excerpt)| excerpt.page == page)
        };
        let is_same = of_page().find(|(_, excerpt)| excerpt.text == words);
        let holds = || of_page().find(|(_, excerpt)| wording::holds(&excerpt.text, words));
        // One word, or the initial of a name, stands in any text by chance.
        let lies_in = || {
            of_page()
                .filter(|(_, excerpt)| length_in_words(&excerpt.text, &excerpt.folded) > 1)
                .filter(|(_, excerpt)| wording::holds(words, &excerpt.text))
                .max_by_key(|(number, excerpt)| (excerpt.text.chars().count(), Reverse(*number)))
        };
        let found = is_same.or_else(holds).or_else(lies_in);
        found.map(|(number, _)| number)
    }
}

/// Whether an excerpt is a heading that says little without what stands under it: `Why we`, `Ready to start?`.
fn is_bare_title(excerpt: &Sentence) -> bool {
    excerpt.kind == BlockKind::Heading
        && length_in_words(&excerpt.text, &excerpt.folded) < LEAST_WORDS_OF_A_STATEMENT
}

/// Characters that an excerpt takes.
fn cost(material: &[Sentence], at: usize) -> usize {
    let excerpt = material.get(at);
    excerpt.map_or(0, |excerpt| excerpt.text.chars().count() + NUMBER_CHARS)
}

/// What gives an excerpt its meaning: the heading that it stands under, and the short texts beside a short one, such as a number and
/// what it counts.
fn beside(material: &[Sentence], at: usize) -> Vec<usize> {
    let Some(excerpt) = material.get(at) else {
        return Vec::new();
    };
    let is_heading = |other: &Sentence| other.kind == BlockKind::Heading;
    let length = |other: &Sentence| length_in_words(&other.text, &other.folded);
    let is_label = |other: &Sentence| length(other) <= MOST_WORDS_OF_A_LABEL;
    let counts = |one: &Sentence, other: &Sentence| {
        is_label(one) && has_digits(&one.text) && length(other) <= MOST_WORDS_COUNTED
    };
    let together = |one: &Sentence, other: &Sentence| {
        other.page == excerpt.page
            && !is_heading(one)
            && !is_heading(other)
            && ((is_label(one) && is_label(other)) || counts(one, other))
    };
    let mut found = Vec::new();
    if !is_heading(excerpt) {
        let above = material.get(..at).unwrap_or_default().iter().enumerate();
        let mut above = above
            .rev()
            .take_while(|(_, other)| other.page == excerpt.page);
        found.extend(above.find(|(_, other)| is_heading(other)).map(|(at, _)| at));
    }
    let before = at.checked_sub(1);
    found.extend(before.filter(|before| {
        let other = material.get(*before);
        other.is_some_and(|other| together(other, excerpt))
    }));
    let other = material.get(at + 1);
    found.extend(
        other
            .filter(|other| together(excerpt, other))
            .map(|_| at + 1),
    );
    found
}
