//! What stands above the document that a brief is: above its title, above a rule, or above the lines of its head. There somebody
//! tells the writer what to do, in whatever language, and with or without a verb that is known.
//!
//! Danger: a text above a title may be the document's own. So what is long and orders nothing stays.

use gtm_document_model::block::Block;

use super::soft_breaks::SOFT_BREAK_CHAR;
use super::verdicts::{Place, Verdict};
use super::{Part, count_words, head, line_kinds, one_line, opening_orders, texts_of};
use crate::runs::sentences_of;

/// Most words and paragraphs above a title that are told to the writer though no order is known among them.
const MOST_WORDS: usize = 120;
const MOST_PARAGRAPHS: usize = 1;
/// Most words and parts of what orders something above a title.
const MOST_ORDERED_WORDS: usize = 300;
const MOST_PARTS: usize = 8;
/// Most filled lines above a rule.
const MOST_LINES: usize = 24;

/// The parts of a brief, and what above its title tells the writer something, a sentence each.
pub fn parted(parts: Vec<Part>, language: &str) -> (Vec<Part>, Vec<String>) {
    let is_first_level = |part: &Part| matches!(part, Part::Heading { level: 1, .. });
    let first = parts
        .iter()
        .position(|part| matches!(part, Part::Heading { .. }));
    let alone = parts.iter().filter(|part| is_first_level(part)).count() == 1;
    let at = first.filter(|at| alone && parts.get(*at).is_some_and(is_first_level));
    let Some(at) = at.filter(|at| (1..=MOST_PARTS).contains(at)) else {
        return (parts, Vec::new());
    };
    let (above, below) = parts.split_at(at);
    if !speaks_to_the_writer(above, language) {
        return (parts, Vec::new());
    }
    let Some((title, below)) = below.split_first() else {
        return (parts, Vec::new());
    };
    let mut kept = vec![title.clone()];
    let mut told = Vec::new();
    for part in above {
        // For whom it is and of which day stands on the cover.
        let lines = lines_of(part);
        if !lines.is_empty() && lines.iter().any(|line| head::is_fact(line)) {
            let (facts, orders): (Vec<String>, Vec<String>) =
                lines.into_iter().partition(|line| head::is_fact(line));
            kept.push(as_paragraph(&facts));
            told.extend(orders);
        } else {
            told.extend(sentences(part, language));
        }
    }
    kept.extend(below.iter().cloned());
    (kept, told)
}

/// What parts tell the writer, a sentence each.
pub fn told(parts: Vec<Part>, language: &str) -> Vec<String> {
    let said = parts.iter().flat_map(|part| sentences(part, language));
    said.collect()
}

/// The parts behind those that tell the writer what to do above the head of the brief, which begins at a place.
pub fn above_a_head(
    mut parts: Vec<Part>,
    head: Option<usize>,
    language: &str,
) -> (Vec<Part>, Vec<String>) {
    let Some(above) = head
        .and_then(|at| parts.get(..at))
        .filter(|it| !it.is_empty())
    else {
        return (parts, Vec::new());
    };
    let is_paragraph = |part: &Part| matches!(part, Part::Block(Block::Paragraph(_)));
    let opens = above.first().is_some_and(|part| orders(part, language));
    if !opens || !above.iter().all(is_paragraph) || words(above) > MOST_ORDERED_WORDS {
        return (parts, Vec::new());
    }
    let said = above.iter().flat_map(|part| sentences(part, language));
    // A figure may be what the document is about, and a day is when it is shown.
    let (facts, told): (Vec<String>, Vec<String>) =
        said.partition(|said| opening_orders::states_a_fact(said, language));
    let rest = parts.split_off(above.len());
    let kept = (!facts.is_empty()).then(|| as_paragraph(&[facts.join(" ")]));
    (kept.into_iter().chain(rest).collect(), told)
}

/// The text below a rule, and the one above it where that tells the writer something: `Write a letter. --- Dear Ms Olsen, …`
pub fn above_a_rule<'t>(text: &'t str, language: &str) -> Option<(&'t str, &'t str)> {
    let mut begin = 0;
    let mut filled = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let is_rule = bare.len() >= 3
            && ['-', '*', '_']
                .iter()
                .any(|sign| bare.chars().all(|c| c == *sign));
        let above = text.get(..begin)?;
        if is_rule && filled > 0 {
            // Directly below a line, dashes make a heading of it.
            let apart =
                !bare.starts_with('-') || above.ends_with("\n\n") || above.ends_with("\n\r\n");
            let below = text.get(begin + line.len()..)?;
            let told = apart && !below.trim().is_empty() && only_orders(above, language);
            return told.then_some((above, below));
        }
        filled += usize::from(!bare.is_empty());
        if line_kinds::is_heading(line) || filled > MOST_LINES {
            return None;
        }
        begin += line.len();
    }
    None
}

/// Whether a text orders a document, and states nothing that the document may be about.
fn only_orders(text: &str, language: &str) -> bool {
    let mut orders = false;
    for paragraph in text.split("\n\n") {
        for place in sentences_of(paragraph, language) {
            let said = paragraph.get(place).unwrap_or_default().trim();
            if opening_orders::states_a_fact(said, language) {
                return false;
            }
            orders |= Verdict::of(said, language, Place::Beginning).orders_a_document();
        }
    }
    orders
}

/// Whether nothing above a title is the document's own.
fn speaks_to_the_writer(above: &[Part], language: &str) -> bool {
    let is_text =
        |part: &Part| matches!(part, Part::Block(Block::Paragraph(_) | Block::Bullets(_)));
    let is_prose = |part: &&Part| {
        matches!(part, Part::Block(Block::Paragraph(_)))
            && !lines_of(part).iter().all(|line| head::is_fact(line))
    };
    if !above.iter().all(is_text) {
        return false;
    }
    let ordered = above.iter().any(|part| orders(part, language));
    let paragraphs = above.iter().filter(is_prose).count();
    match ordered {
        true => words(above) <= MOST_ORDERED_WORDS,
        false => paragraphs <= MOST_PARAGRAPHS && words(above) <= MOST_WORDS,
    }
}

fn words(parts: &[Part]) -> usize {
    let texts = parts.iter().flat_map(lines_of);
    texts.map(|text| count_words(&text)).sum()
}

/// Whether a sentence of a part orders a document.
fn orders(part: &Part, language: &str) -> bool {
    sentences(part, language)
        .iter()
        .any(|said| Verdict::of(said, language, Place::Beginning).orders_a_document())
}

fn sentences(part: &Part, language: &str) -> Vec<String> {
    let Part::Block(block) = part else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for text in texts_of(std::slice::from_ref(block)) {
        let said = sentences_of(&text, language);
        let said = said.into_iter().filter_map(|place| text.get(place));
        found.extend(said.map(|said| one_line(&said.replace(SOFT_BREAK_CHAR, " "))));
    }
    found.retain(|said| !said.is_empty());
    found
}

fn lines_of(part: &Part) -> Vec<String> {
    let Part::Block(block) = part else {
        return Vec::new();
    };
    let texts = texts_of(std::slice::from_ref(block));
    let lines = texts
        .iter()
        .flat_map(|text| text.split(['\n', SOFT_BREAK_CHAR]));
    let lines = lines.map(one_line).filter(|line| !line.is_empty());
    lines.collect()
}

fn as_paragraph(lines: &[String]) -> Part {
    let text = lines.join("\n");
    let runs = vec![gtm_document_model::text::Run::plain(text)];
    Part::Block(Block::Paragraph(gtm_document_model::block::Paragraph::of(
        runs,
    )))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn what_stands_above_the_title_is_told_to_the_writer() {
        for (language, above) in [
            (
                "es",
                "Necesitamos un informe en Word, dos páginas, para los socios. Lo quiere Inés para la feria del 9 de mayo. No pongáis los precios.",
            ),
            (
                "fr",
                "Fiche d'une page (PDF), à poser sur le comptoir. Lectrice : Zoé Morel, DRH. Ton franc.",
            ),
            ("ar", "نرجو إعداد عرض من صفحتين للسيد خالد."),
            (
                "sv",
                "En sida till Ebba inför mötet, inga priser och gärna varm ton.",
            ),
        ] {
            let brief = format!("{above}\n\n# Halden 31\n\n## A\n\nHalden 40 60.");
            let read = Brief::read(&brief, language);
            assert_eq!(read.title.as_deref(), Some("Halden 31"));
            assert_eq!(
                read.text(),
                "Halden 31\nA\nHalden 40 60.\n",
                "{:?}",
                read.directions
            );
            let told = read.directions.len() + read.withheld.len();
            assert!(told > 0, "{above}");
        }
    }

    #[test]
    fn a_long_text_above_a_title_that_orders_nothing_stays() {
        for (language, sentence) in [
            (
                "en",
                "Halden runs 40 gates in two harbours and mends them by night.",
            ),
            (
                "de",
                "Halden betreibt 40 Tore in zwei Häfen und repariert sie nachts.",
            ),
        ] {
            let brief = format!("{sentence}\n\n{sentence}\n\n# Gates\n\n## A\n\nHalden 60.");
            let text = Brief::read(&brief, language).text();
            assert_eq!(text.matches("40").count(), 2, "{text}");
        }
    }

    #[test]
    fn labels_above_the_title_are_the_head() {
        let brief = Brief::read(
            "**Para:** Clínica Alba, S. L.\n**De:** Sillas Mar\n**Fecha:** 1 de mayo de 2027\n**Formato:** PDF, una página\n**No decir:** nada del premio\n\n\
             # Sillas que no chirrían\n\n## Cómo\n\nCambiamos 40 sillas.",
            "es",
        );
        assert_eq!(
            brief.addressee.recipient.as_deref(),
            Some("Clínica Alba, S. L")
        );
        assert_eq!(brief.date.as_deref(), Some("2027-05-01"));
        assert_eq!(
            brief.text(),
            "Sillas que no chirrían\nCómo\nCambiamos 40 sillas.\n"
        );
        assert_eq!(brief.wishes.pages.map(|pages| pages.number), Some(1));
    }

    #[test]
    fn an_order_above_the_head_is_for_the_writer_as_a_whole() {
        for (language, order, label) in [
            (
                "it",
                "Serve un rapporto in PDF per Vela. Lo leggono la dott.ssa Anna Riva e il magazzino.",
                "Preparato per: Vela S.p.A.",
            ),
            (
                "en",
                "Can someone make a deck for Vela please? Showing it on Tuesday 4 May at their Hull office, 10.30.",
                "Client: Vela Ltd",
            ),
        ] {
            let brief = format!("# Gates\n\n{order}\n\n{label}\n\n## A\n\nVela 40.");
            let text = Brief::read(&brief, language).text();
            assert_eq!(text, "Gates\nA\nVela 40.\n");
        }
    }

    #[test]
    fn what_stands_above_a_rule_orders_what_stands_below() {
        for (language, order) in [
            (
                "en",
                "Write a two-page report for Vela. They want it on Friday.",
            ),
            (
                "de",
                "Bitte einen Bericht für Vela erstellen, zwei Seiten. Die wollen ihn am Freitag.",
            ),
        ] {
            let text = Brief::read(
                &format!("{order}\n\n---\n\nVela has 40 gates.\n\nTwo leak."),
                language,
            )
            .text();
            assert!(!text.contains("Fr") && text.contains("40 gates"), "{text}");
        }
    }
    #[test]
    fn facts_above_a_rule_stay() {
        let text = Brief::read(
            "Write a proposal for Vela.\n\nVela has 40 gates, two leak. We mend them for £480.\n\n---\n\nHalden Gates, Hull",
            "en",
        )
        .text();
        assert!(text.contains("40 gates") && text.contains("£480"), "{text}");
    }
}
