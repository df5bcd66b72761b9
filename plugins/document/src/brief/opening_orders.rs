//! The paragraph with which a brief orders its document: `Write a proposal for Northwind. They are wary of the cloud.`
//!
//! Danger: what such a paragraph says besides its order is said to the writer, who must know it, and of the reader, who must not
//! read it. So the paragraph is an order as a whole. Only what it says to the reader, and facts in figures, are content.

use gtm_lexicon::documents::{ADDRESSING, HINTS, ORDERS, PAGE_UNITS, SLIDE_UNITS, TEXTS};
use gtm_lexicon::prose::I;
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::orders::{is_order, names_a_document, names_reader_and_size};
use super::soft_breaks::ASKED_FOR;
use super::{forms, wishes};

/// How many words behind a number its unit may stand: `two short pages`.
const UNIT_REACH: usize = 3;

/// Whether a sentence orders a document, or names its type or its extent.
pub fn orders(sentence: &str, language: &str) -> bool {
    is_order(sentence)
        || names_a_document(sentence, language)
        || names_reader_and_size(sentence, language)
        || forms::are_named(sentence, language)
        || wishes::is_size(sentence, language, true)
}

/// Whether a sentence beside an order is content.
pub fn is_content(sentence: &str, language: &str) -> bool {
    sentence.contains(ASKED_FOR)
        || states_figures(sentence)
        || speaks_to_the_reader(sentence, language)
}

/// Whether a sentence states a number that counts no pages, slides or words of a document. A number in words may be another
/// word: French `neuf` is new, too.
fn states_figures(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let counts_text = |at: usize| {
        (at + 1..=at + UNIT_REACH).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            [&PAGE_UNITS, &SLIDE_UNITS, &TEXTS]
                .iter()
                .any(|units| units.open(rest))
        })
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut numbered = words.iter().enumerate();
    numbered.any(|(at, word)| is_number(word) && !counts_text(at))
}

/// Whether a sentence speaks to the reader of the document. One that has words of orders, of documents or of the one who
/// orders speaks to the writer, and so may one that begins with the word: German `Sie` may be `they` there.
fn speaks_to_the_reader(sentence: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let (you, i) = (ADDRESSING.of(primary), I.of(primary));
    let printed = sentence
        .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty());
    let folded = fold(sentence);
    let words = split(&folded);
    let first = if primary == "de" { 1 } else { 0 };
    let addressed = printed.clone().skip(first).any(|word| {
        let small = word.to_lowercase();
        you.contains(word) || (primary != "de" && you.contains(&small))
    });
    let own = printed
        .into_iter()
        .any(|word| i.contains(&word.to_lowercase()));
    addressed && !own && !ORDERS.open(&words) && !HINTS.any_in(&words) && !TEXTS.any_in(&words)
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn the_opening_paragraph_is_an_order_as_a_whole() {
        for (language, opening) in [
            (
                "en",
                "Write a proposal for Northwind. They are wary of the cloud. The COO likes tables.",
            ),
            (
                "en",
                "Hi Jo, need a deck for Northwind, 8 slides. Their last supplier went bust so reassure them.",
            ),
            (
                "de",
                "Bitte ein Angebot für Tannach. Der Inhaber ist skeptisch. Sie hatten schon zwei Anbieter.",
            ),
            (
                "fr",
                "Rédige une proposition pour Kerhoz. Leur directrice est pressée. Ils connaissent mal le sujet.",
            ),
            (
                "es",
                "Propuesta en PDF para Ardiela. Es un cliente muy tradicional.",
            ),
            (
                "it",
                "Scrivi una proposta per Vela. Il presidente guarda ai costi.",
            ),
            (
                "nl",
                "Maak een voorstel voor De Korenaar. De eigenaar leest op zijn telefoon.",
            ),
            (
                "pt",
                "Preciso de uma proposta para a Lezíria. O dono não gosta de rodeios.",
            ),
            (
                "ja",
                "ミナト様向けの提案書を作成してください。読み手は物流部長です。",
            ),
        ] {
            let brief = Brief::read(&format!("{opening}\n\n## A\n\n40 x 60."), language);
            assert_eq!(brief.chapters.len(), 1, "{}", brief.text());
            assert_eq!(brief.chapters[0].heading.as_deref(), Some("A"), "{opening}");
        }
    }

    #[test]
    fn facts_in_figures_and_words_to_the_reader_stay() {
        for (language, opening, kept) in [
            (
                "en",
                "Write a proposal for Northwind, 2 pages. They lost 19 crane days.",
                "They lost 19 crane days.",
            ),
            (
                "en",
                "Write a proposal for Northwind. It should have three pages. With us your cranes move.",
                "With us your cranes move.",
            ),
            (
                "de",
                "Bitte ein Angebot für Tannach. Die Ablesung kostet 7.400 € im Jahr. Sie sind skeptisch.",
                "Die Ablesung kostet 7.400 € im Jahr.",
            ),
            (
                "fr",
                "Rédige une proposition pour Kerhoz. Avec nous, vos magasins sont livrés à temps.",
                "Avec nous, vos magasins sont livrés à temps.",
            ),
            (
                "es",
                "Propuesta en PDF para Ardiela. Cada parada dura 35 minutos.",
                "Cada parada dura 35 minutos.",
            ),
        ] {
            let brief = Brief::read(&format!("{opening}\n\n## A\n\nB."), language);
            assert_eq!(
                brief.text().lines().next(),
                Some(kept),
                "{:?}",
                brief.directions
            );
        }
    }

    #[test]
    fn an_order_that_is_all_there_is_loses_only_its_orders() {
        let brief = Brief::read(
            "Write a proposal for Northwind. They are wary of the cloud.",
            "en",
        );
        assert_eq!(brief.text().trim(), "They are wary of the cloud.");
    }
}
