//! Labels of aspects, which are said of one thing that is sold and name none: `Price`, `Sizes`.

use std::collections::BTreeSet;

use gtm_lexicon::offer::{ASPECTS, NO_OFFERINGS};
use gtm_lexicon::segments::IDEAL_FOR;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use crate::facts::letters;
use crate::facts::outline::Section;
use crate::part::Part;

/// Most words of a label.
const LONGEST: usize = 4;
/// Fewest sections that have a label alike, and fewest labels that two sections have alike.
const SECTIONS: usize = 3;
const LABELS: usize = 2;

/// The labels that sections beside each other have alike, each over another text.
pub struct Aspects(BTreeSet<String>);

impl Aspects {
    pub fn of(sections: &[Section<'_>]) -> Self {
        let mut found = BTreeSet::new();
        // Only sections of one page stand beside each other. Cards of cases name what was sold, each alike.
        let pages = sections.chunk_by(|one, other| one.heading.page == other.heading.page);
        let told = |page: &&[Section<'_>]| {
            let part = page.first().map(|section| section.part);
            part != Some(Part::Customers)
        };
        for page in pages.filter(told) {
            found.extend(Self::of_page(page));
        }
        Self(found)
    }

    fn of_page(sections: &[Section<'_>]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let labels: Vec<_> = sections
            .iter()
            .map(|section| (letters(&section.heading.text), labels(section)))
            .collect();
        for (one, (name, own)) in sections.iter().zip(&labels) {
            let beside = sections.iter().zip(&labels).filter(|(other, (named, _))| {
                let (a, b) = (one.heading, other.heading);
                a.level == b.level && a.block != b.block && name != named
            });
            // The same over the same is the same thing under two headings.
            let shared = |others: &[(String, String)]| -> Vec<String> {
                let alike = own.iter().filter(|(label, text)| {
                    others
                        .iter()
                        .any(|(other, value)| label == other && text != value)
                });
                alike.map(|(label, _)| label.clone()).collect()
            };
            let beside: Vec<Vec<String>> = beside.map(|(_, (_, others))| shared(others)).collect();
            for alike in &beside {
                let often = |label: &&String| {
                    let others = beside.iter().filter(|others| others.contains(label));
                    alike.len() >= LABELS || others.count() + 1 >= SECTIONS
                };
                found.extend(alike.iter().filter(often).cloned());
            }
        }
        found
    }

    /// Whether a text is such a label, or one by its words.
    pub fn has(&self, text: &str) -> bool {
        self.0.contains(&letters(text)) || is_label(text)
    }

    /// Whether at least half of the headings are such labels: the rest are, too.
    pub fn are(&self, group: &[&Section<'_>]) -> bool {
        let labels = group
            .iter()
            .filter(|section| self.has(&section.heading.text));
        labels.count() * 2 >= group.len()
    }
}

/// Whether the words of a text are those of a label.
pub fn is_label(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let whole = |phrase: gtm_lexicon::Phrase| phrase.len() == words.len();
    NO_OFFERINGS.at_start(&words).any(whole) || ASPECTS.are(&words) || IDEAL_FOR.are(&words)
}

/// The short lines of a section with what follows each of them.
fn labels(section: &Section<'_>) -> Vec<(String, String)> {
    let is_short = |passage: &Passage| {
        !matches!(passage.kind, BlockKind::Paragraph | BlockKind::TableRow)
            && words::count(&passage.text) <= LONGEST
    };
    let pairs = section.body.windows(2).filter_map(|pair| match pair {
        [label, next] if is_short(label) && next.kind != BlockKind::Heading => {
            Some((letters(&label.text), letters(&next.text)))
        }
        _ => None,
    });
    pairs.filter(|(label, _)| !label.is_empty()).collect()
}
