//! What a brief without parts asks of the reader: `Ask: decision by 15 March`, `Next step: a visit`, `The next step is a visit.`
//! It ends the document, wherever it was written down. And so does what calls the reader to act at the end of the brief itself.

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{ASKS, NEXT_STEP_OPENINGS, NEXT_STEPS, READER_CALLS};
use gtm_lexicon::{fold, split};

use super::{Part, mentions, one_line};
use crate::capital::capital;
use crate::runs::{part_of, sentences_of, trimmed};

/// Longest paragraph that is a next step as a whole, in words.
const STEP_WORDS: usize = 40;
/// Longest sentence that calls the reader to act, in words.
const CALL_WORDS: usize = 30;

/// What a brief asks of its reader.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Asked {
    pub asks: Vec<Vec<Run>>,
    /// The brief's own name of what is to be done next.
    pub heading: Option<String>,
    /// Whether the last of it is the brief's own end, which calls the reader to act.
    pub calls: bool,
}

/// Whether a sentence calls the reader to act: `Please sign and return the offer by 8 January.`
pub fn calls(sentence: &str) -> bool {
    let words = mentions::plain_words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    (2..=CALL_WORDS).contains(&words.len()) && READER_CALLS.open(&words)
}

/// Whether a text ends with a sentence that calls the reader to act.
pub fn ends_with_call(text: &str, language: &str) -> bool {
    let places = sentences_of(text, language);
    let last = places.last().and_then(|place| text.get(place.clone()));
    last.is_some_and(calls)
}

/// Whether a text ends by telling where to write to: `Venite allo stand o scrivete a cantine@coldwise.example`.
pub fn ends_with_address(text: &str) -> bool {
    let line = text.trim_end().rsplit('\n').next().unwrap_or_default();
    line.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let parted = word.split_once('@');
        parted.is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
    })
}

/// A next step that is told at the end below other headings, as a part of its own: `Next step: a survey on 14 May.`
fn headed_end(mut parts: Vec<Part>) -> Vec<Part> {
    let levels = parts.iter().filter_map(|part| match part {
        Part::Heading { level, .. } => Some(*level),
        Part::Block(_) => None,
    });
    let Some(level) = levels.min() else {
        return parts;
    };
    let Some(Part::Block(Block::Paragraph(last))) = parts.last() else {
        return parts;
    };
    let text = plain_text(&last.runs);
    let Some((label, rest)) = text.split_once([':', '：']) else {
        return parts;
    };
    let folded = fold(label);
    let place = text.len() - rest.len()..text.len();
    let step = trimmed(part_of(&last.runs, &[place]));
    let above = parts.len().checked_sub(2).and_then(|at| parts.get(at));
    let is_first = matches!(above, Some(Part::Heading { .. }));
    let words = split(&folded);
    let announces = NEXT_STEPS.are(&words) || ASKS.are(&words);
    if step.is_empty() || is_first || !announces {
        return parts;
    }
    let heading = vec![Run::plain(capital(&one_line(label)))];
    parts.pop();
    parts.push(Part::Heading {
        level,
        runs: heading,
    });
    parts.push(Part::Block(Block::Paragraph(Paragraph::of(begun(step)))));
    parts
}

/// A text that begins like a sentence.
fn begun(mut runs: Vec<Run>) -> Vec<Run> {
    if let Some(first) = runs.first_mut() {
        first.text = capital(&first.text);
    }
    runs
}

/// Parts the lines that ask for something from a brief that has no headings.
pub fn parted(parts: Vec<Part>, language: &str) -> (Vec<Part>, Asked) {
    let mut asked = Asked::default();
    if parts
        .iter()
        .any(|part| matches!(part, Part::Heading { .. }))
    {
        return (headed_end(parts), asked);
    }
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Block(Block::Paragraph(Paragraph { runs, .. })) => {
                if !asked.takes(&runs) && !asked.takes_step(&runs) {
                    kept.push(Part::Block(Block::Paragraph(Paragraph::of(runs))));
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
    asked.takes_end(&mut kept, language);
    (kept, asked)
}

impl Asked {
    /// Takes the sentence at the end of a brief that calls the reader to act. What asks before it stays before it.
    fn takes_end(&mut self, parts: &mut Vec<Part>, language: &str) {
        let Some(Part::Block(Block::Paragraph(last))) = parts.last_mut() else {
            return;
        };
        let text = plain_text(&last.runs);
        let Some(place) = sentences_of(&text, language).pop() else {
            return;
        };
        if !text.get(place.clone()).is_some_and(calls) {
            return;
        }
        let call = trimmed(part_of(&last.runs, std::slice::from_ref(&place)));
        let before = 0..place.start;
        last.runs = trimmed(part_of(&last.runs, std::slice::from_ref(&before)));
        if last.runs.is_empty() {
            parts.pop();
        }
        self.asks.push(call);
        self.calls = true;
    }

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
    #![allow(clippy::unwrap_used)]
    use super::super::Brief;

    #[test]
    fn a_next_step_at_the_end_is_a_part_of_its_own() {
        let brief = Brief::read(
            "# A\n\n## Why us\n\nWe are near.\n\nNext step: a visit on 2 June.",
            "en",
        );
        let last = brief.chapters.last().unwrap();
        assert_eq!(last.heading.as_deref(), Some("Next step"));
        assert!(brief.text().trim_end().ends_with("\nA visit on 2 June."));
        let brief = Brief::read("# A\n\n## B\n\nWrite to a.b@coldwise.example", "en");
        assert!(brief.calls);
        let brief = Brief::read("# A\n\n## B\n\nWe mix 4 parts @ 20 °C.", "en");
        assert!(!brief.calls);
    }

    #[test]
    fn what_calls_the_reader_at_the_end_ends_the_document() {
        for (language, brief) in [
            (
                "en",
                "We read 9 meters. Please sign and return the offer by 8 May.",
            ),
            (
                "de",
                "Wir lesen 9 Zähler ab.\n\nBitte melden Sie sich bis Mai bei uns.",
            ),
            (
                "fr",
                "Nous lisons 9 compteurs. Appelez-nous avant le 8 mai.",
            ),
            ("es", "Leemos 9 contadores. Llámenos antes del 8 de mayo."),
            (
                "it",
                "Leggiamo 9 contatori.\n\nContattateci entro l'8 maggio.",
            ),
            ("nl", "Wij lezen 9 meters af. Bel ons voor 8 mei."),
            (
                "pt",
                "Lemos 9 contadores. Por favor, responda até 8 de maio.",
            ),
        ] {
            let brief = Brief::read(brief, language);
            assert!(brief.calls && brief.asks.len() == 1, "{}", brief.text());
        }
        let headed = Brief::read("# A\n\n## B\n\nWe read 9 meters. Call us by 8 May.", "en");
        assert!(headed.calls && headed.asks.is_empty());
        let none = Brief::read("Call us late sleepers. We read 9 meters.", "en");
        assert!(!none.calls);
        for (language, statement) in [
            ("en", "Book sales grew in May."),
            ("en", "Sign language is taught in May."),
            ("en", "Schedule changes cost 9 hours."),
            ("nl", "Boek 3 is uit in mei."),
        ] {
            let brief = Brief::read(&format!("We read 9 meters. {statement}"), language);
            assert!(!brief.calls && brief.asks.is_empty(), "{statement}");
        }
    }

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
