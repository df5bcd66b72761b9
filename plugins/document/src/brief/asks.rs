//! What a brief without parts asks of the reader: `Ask: decision by 15 March`, `Next step: a visit`, `The next step is a visit.`
//! It ends the document, wherever it was written down.

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{ASKS, NEXT_STEP_OPENINGS, NEXT_STEPS};
use gtm_lexicon::{fold, split};

use super::{Part, one_line};
use crate::capital::capital;
use crate::runs::{part_of, trimmed};

/// Longest paragraph that is a next step as a whole, in words.
const STEP_WORDS: usize = 40;

/// What a brief asks of its reader.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Asked {
    pub asks: Vec<Vec<Run>>,
    /// The brief's own name of what is to be done next.
    pub heading: Option<String>,
}

/// Parts the lines that ask for something from a brief that has no headings.
pub fn parted(parts: Vec<Part>) -> (Vec<Part>, Asked) {
    let mut asked = Asked::default();
    if parts
        .iter()
        .any(|part| matches!(part, Part::Heading { .. }))
    {
        return (parts, asked);
    }
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Block(Block::Paragraph(Paragraph { runs })) => {
                if !asked.takes(&runs) && !asked.takes_step(&runs) {
                    kept.push(Part::Block(Block::Paragraph(Paragraph { runs })));
                }
            }
            Part::Block(Block::Bullets(Bullets { ordered, items })) => {
                let items: Vec<Item> = items
                    .into_iter()
                    .filter(|item| !item.items.is_empty() || !asked.takes(&item.runs))
                    .collect();
                if !items.is_empty() {
                    kept.push(Part::Block(Block::Bullets(Bullets { ordered, items })));
                }
            }
            other => kept.push(other),
        }
    }
    (kept, asked)
}

impl Asked {
    /// Takes what stands behind a label that asks.
    fn takes(&mut self, runs: &[Run]) -> bool {
        let text = plain_text(runs);
        let Some((label, rest)) = text.split_once([':', '：']) else {
            return false;
        };
        let folded = fold(label);
        let words = split(&folded);
        let place = text.len() - rest.len()..text.len();
        let ask = trimmed(part_of(runs, &[place]));
        let is_step = NEXT_STEPS.are(&words);
        if ask.is_empty() || !(is_step || ASKS.are(&words)) {
            return false;
        }
        if is_step && self.heading.is_none() {
            self.heading = Some(capital(&one_line(label)));
        }
        self.asks.push(ask);
        true
    }

    /// Takes a short paragraph that tells the next step as a sentence: `The next step is a visit.`
    fn takes_step(&mut self, runs: &[Run]) -> bool {
        let text = plain_text(runs);
        let folded = fold(&text);
        let words = split(&folded);
        let is_step = words.len() <= STEP_WORDS && NEXT_STEP_OPENINGS.open(&words);
        if is_step {
            self.asks.push(trimmed(runs.to_vec()));
        }
        is_step
    }
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn the_next_step_ends_a_brief_in_prose() {
        for (language, step, heading) in [
            ("en", "Next step: a visit in May.", Some("Next step")),
            ("en", "The next step is a visit in May.", None),
            (
                "de",
                "Nächster Schritt: Besuch im Mai.",
                Some("Nächster Schritt"),
            ),
            (
                "de",
                "Als nächsten Schritt schlagen wir einen Besuch vor.",
                None,
            ),
            (
                "fr",
                "Prochaine étape : une visite en mai.",
                Some("Prochaine étape"),
            ),
            ("es", "El próximo paso es una visita en mayo.", None),
        ] {
            let brief = Brief::read(&format!("{step}\n\nLeeds 4 5 6."), language);
            assert_eq!(brief.asks.len(), 1, "{step}");
            assert_eq!(brief.ask_heading.as_deref(), heading, "{step}");
            assert!(!brief.text().contains("ma"), "{}", brief.text());
        }
    }
}
