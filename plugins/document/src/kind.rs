//! Which document and which format, where the caller names none: a few rules over the brief's words and form.

use gtm_document_model::document::DocumentType;
use gtm_lexicon::documents::{CAPITALIZED_FORMATS, DECKS, LEFT_OUT, NEGATIONS};
use gtm_lexicon::{fold, split};
use gtm_site_research::fixed_texts::FixedText;

use crate::brief::{Brief, NAMES_OF_TYPES, orders_a_document};
use crate::capital::capital;
use crate::format::Format;
use crate::milestones;
use crate::request::Request;

/// What the document is to be, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    pub document_type: DocumentType,
    pub format: Format,
    /// One sentence for people.
    pub reason: String,
}

impl Kind {
    /// Whether it is made of slides.
    #[must_use]
    pub fn has_slides(&self) -> bool {
        self.document_type == DocumentType::Deck || self.format == Format::Pptx
    }
}

/// The name in requests and drafts.
#[must_use]
pub const fn key(kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Proposal => "proposal",
        DocumentType::Playbook => "playbook",
        DocumentType::Deck => "deck",
        DocumentType::GtmStrategy => "gtm_strategy",
        DocumentType::Report => "report",
        DocumentType::OnePager => "one_pager",
    }
}

/// The name for people, with its article.
const fn title(kind: DocumentType) -> &'static FixedText {
    match kind {
        DocumentType::Proposal => &milestones::A_PROPOSAL,
        DocumentType::Playbook => &milestones::A_PLAYBOOK,
        DocumentType::Deck => &milestones::A_DECK,
        DocumentType::GtmStrategy => &milestones::A_STRATEGY,
        DocumentType::Report => &milestones::A_REPORT,
        DocumentType::OnePager => &milestones::A_ONE_PAGER,
    }
}

/// How far into a line of the orders it is denied what it names, in words.
const DENIAL_REACH: usize = 4;
/// Fewest words of a brief that nobody wants on one page.
const LONG: usize = 900;

/// Decides on type and format, and says why in a language. What the caller chose stands.
#[must_use]
pub fn decide(request: &Request, brief: &Brief, language: &str) -> Kind {
    let (document_type, why) = match request.document_type {
        Some(chosen) => (chosen, None),
        None => {
            let (found, why) = type_of(request, brief, language);
            (found, Some(why))
        }
    };
    let (format, because) = match request.format {
        Some(chosen) => (chosen, None),
        None => {
            let (found, because) = format_of(request, brief, document_type, language);
            (found, Some(because))
        }
    };
    let what = title(document_type).in_language(language);
    let made = format.title();
    let (text, what) = match (&why, &because) {
        (None, None) => (&milestones::AS_ASKED, what.to_owned()),
        (Some(_), None) => (&milestones::TYPE_CHOSEN, what.to_owned()),
        (None, Some(_)) => (&milestones::FORMAT_CHOSEN, capital(what)),
        (Some(_), Some(_)) => (&milestones::BOTH_CHOSEN, what.to_owned()),
    };
    let places = [
        ("what", what.as_str()),
        ("made", made),
        ("why", why.as_deref().unwrap_or_default()),
        ("because", because.as_deref().unwrap_or_default()),
    ];
    Kind {
        document_type,
        format,
        reason: text.filled(language, &places),
    }
}

fn type_of(request: &Request, brief: &Brief, language: &str) -> (DocumentType, String) {
    // Where the brief orders a document, its first word for one counts; then what else it tells its writer, and the title.
    // What is to be left out names no document.
    let lines = brief.directions.iter();
    let (orders, told): (Vec<&String>, Vec<&String>) =
        lines.partition(|line| orders_a_document(line, language));
    let joined = |lines: Vec<&String>| -> String {
        let lines: Vec<String> = lines.into_iter().map(|it| without_denials(it)).collect();
        lines.join("\n")
    };
    let (orders, told) = (joined(orders), joined(told));
    let titles = [request.title.as_deref(), brief.title.as_deref()];
    let titles = titles.into_iter().flatten().collect::<Vec<_>>().join("\n");
    if brief.orders_letter {
        let why = milestones::IS_LETTER.in_language(language);
        return (DocumentType::OnePager, why.to_owned());
    }
    let places = [
        (&milestones::BRIEF_ASKS, &orders),
        (&milestones::BRIEF_ASKS, &told),
        (&milestones::TITLE_SAYS, &titles),
    ];
    for (says, text) in places {
        if let Some((found, word)) = first_type(text) {
            return (found, says.filled(language, &[("word", &word)]));
        }
    }
    let target = request.target_domain.is_some();
    let (found, why) = if brief.is_letter || brief.orders_letter {
        (DocumentType::OnePager, &milestones::IS_LETTER)
    } else if brief.has_slides() {
        (DocumentType::Deck, &milestones::IN_SLIDES)
    } else if brief.wishes.slides.is_some() {
        (DocumentType::Deck, &milestones::COUNTS_SLIDES)
    } else if target {
        (DocumentType::Proposal, &milestones::FOR_ONE_COMPANY)
    } else if request.sender.offer.is_some() {
        (DocumentType::Proposal, &milestones::OFFER_BOUND)
    } else if brief.wishes.pages.is_some_and(|pages| pages.number == 1) {
        (DocumentType::OnePager, &milestones::COUNTS_PAGES)
    } else if brief.words() >= LONG || brief.chapters.len() > 2 {
        (DocumentType::Report, &milestones::SEVERAL_PARTS)
    } else if brief.wishes.pages.is_some_and(|pages| pages.number > 1) {
        (DocumentType::Report, &milestones::COUNTS_PAGES)
    } else {
        (DocumentType::OnePager, &milestones::SHORT_BRIEF)
    };
    (found, why.in_language(language).to_owned())
}

/// A line of the orders without the clauses that say that something is to be left out: `please do not mention the annual
/// report`.
fn without_denials(line: &str) -> String {
    let denies = |clause: &&str| {
        let folded = fold(clause);
        let words = split(&folded);
        let begin = words.get(..DENIAL_REACH.min(words.len()));
        NEGATIONS.any_in(begin.unwrap_or_default()) || LEFT_OUT.any_in(&words)
    };
    let clauses = line.split_inclusive([',', ';', '.', '–', '—', '、', '。']);
    clauses.filter(|clause| !denies(clause)).collect()
}

/// The type that the text names first, with the words that do. Where two begin at the same word, the longer one counts.
fn first_type(text: &str) -> Option<(DocumentType, String)> {
    let folded = fold(text);
    let words = split(&folded);
    let mut best: Option<(usize, std::cmp::Reverse<usize>, DocumentType, String)> = None;
    for (kind, phrases) in &NAMES_OF_TYPES {
        for (at, phrase) in phrases.places(&words) {
            let said = words
                .get(at..at + phrase.len())
                .unwrap_or_default()
                .join(" ");
            let inside = phrase.first().is_some_and(|word| word.starts_with('*'));
            let said = match inside {
                true => phrase.concat().replace('*', ""),
                false => said,
            };
            let found = (at, std::cmp::Reverse(phrase.len()), *kind, said);
            let is_first = best
                .as_ref()
                .is_none_or(|best| (found.0, found.1) < (best.0, best.1));
            if is_first {
                best = Some(found);
            }
        }
    }
    best.map(|(_, _, kind, said)| (kind, said))
}

fn format_of(
    request: &Request,
    brief: &Brief,
    kind: DocumentType,
    language: &str,
) -> (Format, String) {
    let orders = brief.directions.join("\n");
    let folded = fold(&orders);
    let words = split(&folded);
    let named = words.iter().find_map(|word| {
        // Names of formats, which are alike in all languages.
        let format = match *word {
            "ppt" | "pptx" | "powerpoint" => Format::Pptx,
            "docx" => Format::Docx,
            "pdf" => Format::Pdf,
            _ => return None,
        };
        request.formats.contains(&format).then_some(format)
    });
    let word = || names_word(&orders) && request.formats.contains(&Format::Docx);
    if let Some(format) = named.or_else(|| word().then_some(Format::Docx)) {
        let why = milestones::FORMAT_NAMED.filled(language, &[("made", format.title())]);
        return (format, why);
    }
    if kind != DocumentType::Deck && request.formats.contains(&Format::Pptx) && DECKS.any_in(&words)
    {
        let why = milestones::SPEAKS_OF_SLIDES.in_language(language);
        return (Format::Pptx, why.to_owned());
    }
    let (order, why) = match kind {
        DocumentType::Deck => (
            [Format::Pptx, Format::Pdf, Format::Docx],
            &milestones::SLIDES_THERE,
        ),
        DocumentType::Playbook | DocumentType::GtmStrategy => (
            [Format::Docx, Format::Pdf, Format::Pptx],
            &milestones::TEAM_EDITS,
        ),
        DocumentType::Proposal | DocumentType::Report | DocumentType::OnePager => (
            [Format::Pdf, Format::Docx, Format::Pptx],
            &milestones::READ_AS_IS,
        ),
    };
    let first = order
        .into_iter()
        .find(|format| request.formats.contains(format));
    let format = first.unwrap_or(Format::Pdf);
    let why = match order.first() == Some(&format) {
        true => why,
        false => &milestones::SECOND_CHOICE,
    };
    (format, why.in_language(language).to_owned())
}

/// Whether the orders name the program, and not a word: `as a Word file`, `als Word-Datei`, `Word, 2 pages`. At the beginning of
/// a sentence nobody can tell otherwise.
fn names_word(orders: &str) -> bool {
    orders.lines().any(|order| {
        let opening = order.trim_start().split_once(',');
        let first = opening.is_some_and(|(word, _)| CAPITALIZED_FORMATS.contains(word));
        let words = order.split_whitespace().skip(usize::from(!first));
        words
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter_map(|word| word.split('-').next())
            .any(|word| CAPITALIZED_FORMATS.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_left_out_names_no_document() {
        for line in [
            "Please don't mention the annual report.",
            "No word about the annual report",
            "Bitte keine Angebote erwähnen.",
            "Ne citez pas le rapport annuel.",
        ] {
            assert_eq!(first_type(&without_denials(line)), None, "{line}");
        }
        for line in [
            "Write a report.",
            "Word, no jargon, a two-page report",
            "Report, not too long",
        ] {
            let found = first_type(&without_denials(line));
            assert_eq!(
                found.map(|(kind, _)| kind),
                Some(DocumentType::Report),
                "{line}"
            );
        }
    }

    #[test]
    fn types_are_called_many_names() {
        for (name, kind) in [
            ("product sheet", DocumentType::OnePager),
            ("Produktblatt", DocumentType::OnePager),
            ("fiche produit", DocumentType::OnePager),
            ("scheda prodotto", DocumentType::OnePager),
            ("hoja de producto", DocumentType::OnePager),
            ("productblad", DocumentType::OnePager),
            ("製品資料", DocumentType::OnePager),
            ("بطاقة منتج", DocumentType::OnePager),
        ] {
            assert_eq!(first_type(name).map(|(kind, _)| kind), Some(kind), "{name}");
        }
    }

    #[test]
    fn the_program_is_told_from_a_word() {
        assert!(names_word("Schreib eine Fallstudie als Word-Datei."));
        assert!(names_word("Write a report, as a Word document."));
        assert!(names_word("Word, 2 pages max"));
        assert!(!names_word("Word count: 300"));
        assert!(!names_word("Write a word or two on meters."));
    }
}
