//! Which document and which format, where the caller names none: a few rules over the brief's words and form.

use gtm_document_model::document::DocumentType;
use gtm_lexicon::documents::{DECKS, ONE_PAGERS, PLAYBOOKS, PROPOSALS, REPORTS, STRATEGIES};
use gtm_lexicon::{Phrases, fold, split};

use crate::brief::Brief;
use crate::format::Format;
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
const fn title(kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Proposal => "a proposal",
        DocumentType::Playbook => "a playbook",
        DocumentType::Deck => "a deck",
        DocumentType::GtmStrategy => "a go-to-market strategy",
        DocumentType::Report => "a report",
        DocumentType::OnePager => "a one-pager",
    }
}

/// The words of each type. A deck comes last: `a deck for our go-to-market strategy` is a deck, which its place in the
/// sentence tells.
const TYPES: [(DocumentType, &Phrases); 6] = [
    (DocumentType::OnePager, &ONE_PAGERS),
    (DocumentType::GtmStrategy, &STRATEGIES),
    (DocumentType::Playbook, &PLAYBOOKS),
    (DocumentType::Proposal, &PROPOSALS),
    (DocumentType::Report, &REPORTS),
    (DocumentType::Deck, &DECKS),
];

/// Fewest words of a brief that nobody wants on one page.
const LONG: usize = 900;

/// Decides on type and format. What the caller chose stands.
#[must_use]
pub fn decide(request: &Request, brief: &Brief) -> Kind {
    let (document_type, why) = match request.document_type {
        Some(chosen) => (chosen, None),
        None => {
            let (found, why) = type_of(request, brief);
            (found, Some(why))
        }
    };
    let (format, why_format) = match request.format {
        Some(chosen) => (chosen, None),
        None => {
            let (found, why) = format_of(request, brief, document_type);
            (found, Some(why))
        }
    };
    let what = title(document_type);
    let made = format.title();
    let reason = match (why, why_format) {
        (None, None) => format!("Type and format as asked for: {what} as {made}."),
        (Some(why), None) => format!("Made {what}, because {why}; {made} as asked for."),
        (None, Some(why)) => format!(
            "{} as asked for; made as {made}, because {why}.",
            capital(what)
        ),
        (Some(why), Some(because)) => {
            format!("Made {what}, because {why}; as {made}, because {because}.")
        }
    };
    Kind {
        document_type,
        format,
        reason,
    }
}

fn type_of(request: &Request, brief: &Brief) -> (DocumentType, String) {
    // Where the brief tells its writer something, its first word for a document counts; then the title.
    let orders = brief.directions.join("\n");
    let titles = [request.title.as_deref(), brief.title.as_deref()];
    let titles = titles.into_iter().flatten().collect::<Vec<_>>().join("\n");
    for (place, text) in [("the brief asks for", &orders), ("the title says", &titles)] {
        if let Some((found, word)) = first_type(text) {
            return (found, format!("{place} \u{201c}{word}\u{201d}"));
        }
    }
    if brief.has_slides() {
        let why = "the brief is written slide by slide";
        return (DocumentType::Deck, why.to_owned());
    }
    if request.target_domain.is_some() || request.sender.offer.is_some() {
        let why = if request.target_domain.is_some() {
            "it is meant for one company"
        } else {
            "an offer is bound"
        };
        return (DocumentType::Proposal, why.to_owned());
    }
    if brief.words() >= LONG || brief.chapters.len() > 2 {
        let why = "the brief is a text of several parts";
        return (DocumentType::Report, why.to_owned());
    }
    let why = "the brief is short";
    (DocumentType::OnePager, why.to_owned())
}

/// The type that the text names first, with the words that do. Where two begin at the same word, the longer one counts.
fn first_type(text: &str) -> Option<(DocumentType, String)> {
    let folded = fold(text);
    let words = split(&folded);
    let mut best: Option<(usize, std::cmp::Reverse<usize>, DocumentType, String)> = None;
    for (kind, phrases) in TYPES {
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
            let found = (at, std::cmp::Reverse(phrase.len()), kind, said);
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

fn format_of(request: &Request, brief: &Brief, kind: DocumentType) -> (Format, String) {
    let orders = brief.directions.join("\n");
    let folded = fold(&orders);
    let words = split(&folded);
    let named = words.iter().find_map(|word| {
        // Names of formats, which are alike in all languages.
        let format = match *word {
            "pptx" | "powerpoint" => Format::Pptx,
            "docx" => Format::Docx,
            "pdf" => Format::Pdf,
            _ => return None,
        };
        request.formats.contains(&format).then_some(format)
    });
    if let Some(format) = named {
        return (format, format!("the brief names {}", format.title()));
    }
    if kind != DocumentType::Deck && request.formats.contains(&Format::Pptx) && DECKS.any_in(&words)
    {
        return (Format::Pptx, "the brief speaks of slides".to_owned());
    }
    let (order, why) = match kind {
        DocumentType::Deck => (
            [Format::Pptx, Format::Pdf, Format::Docx],
            "slides are shown and edited there",
        ),
        DocumentType::Playbook | DocumentType::GtmStrategy => (
            [Format::Docx, Format::Pdf, Format::Pptx],
            "a team goes on editing it",
        ),
        DocumentType::Proposal | DocumentType::Report | DocumentType::OnePager => (
            [Format::Pdf, Format::Docx, Format::Pptx],
            "it is sent and read as it is",
        ),
    };
    let first = order
        .into_iter()
        .find(|format| request.formats.contains(format));
    let format = first.unwrap_or(Format::Pdf);
    let why = match order.first() == Some(&format) {
        true => why,
        false => "no renderer is bound for the format that suits it best",
    };
    (format, why.to_owned())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}
