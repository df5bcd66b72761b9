//! Lines at the beginning of a brief that name the document: `Subject: lamps for hall B`, and `Case study: How Leeds saves
//! water`.

use gtm_document_model::block::Block;
use gtm_lexicon::documents::{CASE_STUDIES, SUBJECT_LABELS};
use gtm_lexicon::{fold, split};

use super::{Part, document_names, line_kinds, one_line, part_lines};
use crate::capital::capital;

/// How many parts at the beginning are searched.
const MOST_PARTS: usize = 8;
/// Fewest and most words of a title, and its longest length in characters.
const FEWEST_WORDS: usize = 2;
const MOST_WORDS: usize = 20;
const MOST_CHARS: usize = 140;

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    pub parts: Vec<Part>,
    pub title: Option<String>,
    /// What the document is called beside its title: `Case study`.
    pub kind: Option<String>,
}

/// Reads the lines before the first heading. A line that names the document is no content.
pub fn read(parts: Vec<Part>) -> Found {
    let mut found = Found::default();
    let mut before_headings = true;
    for (at, part) in parts.into_iter().enumerate() {
        before_headings &= !matches!(part, Part::Heading { .. });
        if !before_headings || at >= MOST_PARTS || found.title.is_some() {
            found.parts.push(part);
            continue;
        }
        // Only the first line of a text may be called what the document is.
        let mut may_be_called = at == 0 && matches!(part, Part::Block(Block::Paragraph(_)));
        let kept = part_lines::retain(part, |line| {
            !found.takes(line, std::mem::take(&mut may_be_called))
        });
        found.parts.extend(kept);
    }
    found
}

/// Whether it is what an account of one customer is called.
pub fn is_case_study(kind: &str) -> bool {
    let folded = fold(kind);
    CASE_STUDIES.are(&split(&folded))
}

impl Found {
    fn takes(&mut self, line: &str, may_be_called: bool) -> bool {
        let Some((label, said)) = line.split_once([':', '：']) else {
            return false;
        };
        let folded = fold(label);
        let words = split(&folded);
        let said = one_line(super::mails::without_reply_marks(said));
        let count = said.split_whitespace().count();
        let names = (FEWEST_WORDS..=MOST_WORDS).contains(&count)
            && said.chars().count() <= MOST_CHARS
            && !line_kinds::is_sentence(&said);
        let called = may_be_called && document_names::of_types().any(|kind| kind.are(&words));
        if self.title.is_some() || !names || !(called || SUBJECT_LABELS.are(&words)) {
            return false;
        }
        self.title = Some(capital(&said));
        self.kind = called.then(|| one_line(label));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn the_first_lines_name_the_document() {
        for (language, brief, title, said) in [
            (
                "es",
                "Caso de éxito: Cómo Altamira redujo un 34 % el agua de sus viñas en un solo año de trabajo\n\nSector: vino\n\nEl reto\nRiega 140 hectáreas.",
                "Cómo Altamira redujo un 34 % el agua de sus viñas en un solo año de trabajo",
                "El reto",
            ),
            (
                "it",
                "Cliente: Vela\nPreventivo n. 4/2026\nOggetto: luci del capannone B\n\nSono 84 lampade.",
                "Luci del capannone B",
                "84 lampade",
            ),
            (
                "fr",
                "Objet : nos sacs pour vos cafés\n\nIls tiennent 12 mois.",
                "Nos sacs pour vos cafés",
                "12 mois",
            ),
        ] {
            let brief = Brief::read(brief, language);
            assert_eq!(brief.title.as_deref(), Some(title));
            let text = brief.text();
            assert!(text.contains(said), "{text}");
            assert_eq!(text.matches(title).count(), 1, "{text}");
        }
    }

    #[test]
    fn other_labels_name_none() {
        for brief in [
            "Risks: two sites have no network\n\nWe start in May.",
            "We start in May.\n\nProposal: we lay a cable to both sites.",
        ] {
            assert_eq!(Brief::read(brief, "en").title, None, "{brief}");
        }
    }
}
