//! What of a brief only tells its writer something.
//!
//! Only the beginning of a brief is searched for it, and parts whose heading says so: "Prepare the weekly report" is an
//! order at the beginning of a brief, and a task of somebody else's under "Next steps". Elsewhere only a sentence that says
//! nothing but how long the document is to be, or how it is to sound, is an order: "Max 5 bullets per slide".

use std::ops::Range;

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{
    ABOUT_THE_TEXT, CHAT_QUESTIONS, DIRECTION_HEADINGS, HINTS, NEEDS, ORDERS, REQUESTS,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{fold, split};

use super::openings::opens;
use super::orders::{is_order, orders_a_case_study};
use super::signatures::{
    is_companys_name, is_greeting, is_persons_name, opens_a_letter, signs_off,
};
use super::soft_breaks::ASKED_FOR;
use super::told_readers::Told;
use super::verdicts::{Order, Place, Verdict};
use super::{Part, addressee, contacts, forms, one_line, opening_orders, outline};
use crate::runs::{part_of, trimmed};
use segments::{is_labeled, segments_of};

mod segments;

/// Most blocks before the first heading that are searched.
const MOST_SEARCHED: usize = 60;
/// Most words before a request to a colleague: `quick one, can you …`
const WORDS_BEFORE: usize = 2;
/// Most parts of a mail that may be all that it offers.
const FEWEST_PARTS: usize = 2;

/// What a title says.
#[derive(Debug, PartialEq, Eq)]
pub enum Title {
    Said(String),
    Direction,
    Nothing,
}

/// Reads a title: `Brief: Meters for Leeds` says what comes behind the colon, `Brief` says nothing.
pub fn of_title(text: &str, language: &str) -> Title {
    if is_order(text) || forms::are_named_by_title(text, language) {
        return Title::Direction;
    }
    if is_direction_heading(text) {
        return Title::Nothing;
    }
    let labeled = text.split_once([':', '：']);
    match labeled.filter(|(label, _)| is_direction_heading(label)) {
        Some((_, rest)) if rest.trim().is_empty() => Title::Nothing,
        Some((_, rest)) if is_order(rest.trim()) || forms::are_named(rest, language) => {
            Title::Direction
        }
        Some((_, rest)) => Title::Said(rest.trim().to_owned()),
        None => Title::Said(text.to_owned()),
    }
}

/// What of a brief is content, and what it tells its writer.
#[derive(Debug, Default)]
pub struct Parted {
    pub content: Vec<Part>,
    pub directions: Vec<String>,
    /// Whether it orders an account of one customer.
    pub case_study: bool,
    /// The customer of whom it tells.
    pub customer: Option<String>,
}

/// Parts the content from the directions. Where the paragraph with the order is all that there is, only its orders are
/// directions.
///
/// What was `told` before is known to be a direction. Below the title of a brief that is `titled`, one request may be what the
/// document says.
///
/// In a mail `to_colleagues`, what stands above the first heading and is not clearly what is offered is told to them.
pub fn parted(
    parts: Vec<Part>,
    language: &str,
    told: &[String],
    titled: bool,
    to_colleagues: bool,
) -> Parted {
    let found = searched(parts.clone(), language, told, true, to_colleagues);
    let says_something = found
        .content
        .iter()
        .any(|part| matches!(part, Part::Block(_)));
    let mut found = match says_something {
        true => found,
        false => searched(parts, language, told, false, false),
    };
    let request = opening_orders::mere_request(&found.content, language);
    if let Some(request) = request.filter(|_| !titled) {
        found.directions.push(request);
        found.content.clear();
    }
    found
}

fn searched(
    parts: Vec<Part>,
    language: &str,
    told: &[String],
    opens_with_order: bool,
    to_colleagues: bool,
) -> Parted {
    let is_heading = |part: &Part| matches!(part, Part::Heading { .. });
    let has_headings = parts.iter().any(is_heading);
    let has_more = has_headings || parts.len() > FEWEST_PARTS;
    let mut search = Search {
        language,
        opens: opens_with_order,
        to_colleagues,
        behind_their_order: to_colleagues && has_headings,
        has_headings,
        has_more,
        is_first: true,
        at_the_beginning: true,
        directions: Vec::new(),
        case_study: told.iter().any(|order| orders_a_case_study(order)),
        customer: None,
        ordered: !told.is_empty(),
        reader_known: !told.is_empty(),
        weighs: opens_with_order,
        after_direction: false,
        after_greeting: false,
        after_closing: false,
    };
    let mut content = Vec::new();
    // Deeper headings belong to a part of directions.
    let mut within: Option<u8> = None;
    let mut before_headings = true;
    let mut searched = 0;
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.into_iter().enumerate() {
        match part {
            Part::Heading { level, runs } => {
                before_headings = false;
                search.at_the_beginning = false;
                if within.is_some_and(|outer| level > outer) {
                    continue;
                }
                let text = one_line(&plain_text(&runs));
                // A name below thanks only looks like a heading, with nothing below it or a postscript.
                let is_name = is_persons_name(&text)
                    && (at == last || GIVEN_NAMES.contains(fold(&text).as_str()));
                if search.after_closing && is_name {
                    search.directions.push(text);
                    continue;
                }
                within = is_direction_heading(text.trim_end_matches([':', '：'])).then_some(level);
                if within.is_none() {
                    content.push(Part::Heading { level, runs });
                }
            }
            Part::Block(block) if within.is_some() => {
                search.directions.extend(super::texts_of(&[block]));
            }
            Part::Block(block) => {
                searched += usize::from(before_headings);
                search.at_the_beginning = before_headings && searched <= MOST_SEARCHED;
                content.extend(search.block(block).map(Part::Block));
            }
        }
    }
    Parted {
        content,
        directions: search.directions,
        case_study: search.case_study,
        customer: search.customer,
    }
}

#[derive(Debug)]
struct Search<'l> {
    language: &'l str,
    /// Whether nothing but directions stands before it, so that a paragraph with an order tells its writer of the reader, too.
    opens: bool,
    /// Whether it is a mail to colleagues.
    to_colleagues: bool,
    /// Whether colleagues were asked for a document, with nothing but what is told to them since.
    behind_their_order: bool,
    /// Whether headings part what it says from what is told above them.
    has_headings: bool,
    /// Whether nothing stands before it.
    is_first: bool,
    /// Whether enough stands in it besides what is told.
    has_more: bool,
    /// Whether no heading stands before it.
    at_the_beginning: bool,
    directions: Vec<String>,
    case_study: bool,
    customer: Option<String>,
    /// Whether a document was ordered before, so that somebody speaks to its writer.
    ordered: bool,
    /// Whether a document was ordered, or its reader named.
    reader_known: bool,
    /// Whether what is said of the reader is told to the writer: not where nothing else is left.
    weighs: bool,
    /// Whether what stands directly before is a direction as a whole.
    after_direction: bool,
    /// Whether what stands directly before greets or thanks somebody.
    after_greeting: bool,
    /// Whether it closes a letter or is a name below that: a company only signs there. `Hi Jo,` opens one.
    after_closing: bool,
}

impl Search<'_> {
    /// What of a block is content.
    fn block(&mut self, block: Block) -> Option<Block> {
        match block {
            Block::Paragraph(paragraph) => {
                let runs = self.runs(&paragraph.runs, true);
                self.after_direction = runs.is_empty();
                self.opens &= runs.is_empty();
                (!runs.is_empty()).then_some(Block::Paragraph(Paragraph::of(runs)))
            }
            Block::Bullets(bullets) => {
                let ordered = bullets.ordered;
                let items: Vec<Item> = bullets
                    .items
                    .into_iter()
                    .filter_map(|item| self.item(item))
                    .collect();
                self.after_direction = items.is_empty();
                self.opens &= items.is_empty();
                (!items.is_empty()).then_some(Block::Bullets(Bullets { ordered, items }))
            }
            other => {
                self.after_direction = false;
                self.opens = false;
                Some(other)
            }
        }
    }

    fn item(&mut self, item: Item) -> Option<Item> {
        let runs = self.runs(&item.runs, false);
        (!runs.is_empty()).then_some(Item {
            runs,
            items: item.items,
        })
    }

    /// Whether a sentence is a name below what greets or thanks somebody.
    fn is_signature(&self, sentence: &str) -> bool {
        self.after_greeting && is_persons_name(sentence)
            || self.after_closing && is_companys_name(sentence)
    }

    /// Whether a sentence says for whom the document is. In an account of a customer that is what the account is of. Both stand
    /// on the cover.
    fn names_the_reader(&mut self, sentence: &str) -> bool {
        let named = addressee::labeled(sentence);
        if self.case_study && self.customer.is_none() {
            self.customer.clone_from(&named);
        }
        self.reader_known |= named.is_some();
        // What is told behind the name belongs into the account: `Client: Northwind, Leeds, 140 employees`.
        named.is_some_and(|name| !self.case_study || sentence.trim_end().ends_with(&name))
    }

    /// What of a text is content; the rest becomes directions.
    fn runs(&mut self, runs: &[Run], is_paragraph: bool) -> Vec<Run> {
        let text = plain_text(runs);
        let mut kept: Vec<Range<usize>> = Vec::new();
        let mut after = self.after_direction;
        let places = segments_of(&text, self.language, self.at_the_beginning);
        let said = |place: &Range<usize>| text.get(place.clone()).unwrap_or_default();
        let orders = self.opens && self.at_the_beginning;
        let sentences: Vec<&str> = places.iter().map(&said).collect();
        let signs_off = signs_off(&sentences);
        let asked = self.to_colleagues && self.has_more && std::mem::take(&mut self.is_first);
        let mut behind_order =
            asked && is_paragraph && sentences.iter().any(|said| asks_a_colleague(said));
        for place in places {
            let sentence = said(&place);
            let whole = sentence.trim() == text.trim() || signs_off;
            let stands = match (self.at_the_beginning, whole && is_paragraph) {
                (true, _) => Place::Beginning,
                (false, true) => Place::Alone,
                (false, false) => Place::Elsewhere,
            };
            let verdict = Verdict::of(sentence, self.language, stands);
            let is_direction = match self.at_the_beginning {
                true => {
                    is_labeled(sentence)
                        || outline::is_told(sentence)
                        || is_about_the_text(sentence)
                        || is_greeting(sentence)
                        || self.is_signature(sentence)
                        || self.names_the_reader(sentence)
                        || (self.reader_known && contacts::contact(sentence).is_some())
                        || (after && opens(&HINTS, sentence))
                        || (self.ordered && Told::of(sentence, self.language).is_some())
                        || (self.ordered && opening_orders::is_due(sentence))
                        || opens(&REQUESTS, sentence)
                }
                // Somebody signs off below the last part.
                false => (whole && is_greeting(sentence)) || self.is_signature(sentence),
            };
            let is_direction = is_direction
                || verdict.is_order()
                || (behind_order && opening_orders::is_told(sentence, self.language, after))
                || (behind_order || self.behind_their_order && orders)
                    && self.to_colleagues
                    && !opening_orders::is_offered(sentence, self.language, self.has_more)
                || (self.ordered && self.weighs && opening_orders::tells_an_attitude(sentence));
            self.ordered |= matches!(verdict, Verdict::Order(Order::Document | Order::Named));
            // Beside the order, a contact is the customer's, and stands on the cover.
            self.reader_known |= self.ordered;
            behind_order |= orders && verdict.orders_a_document();
            self.behind_their_order |= behind_order && self.has_headings;
            after = is_direction;
            // Below the name may stand a role.
            let signs = self.is_signature(sentence);
            let greets = is_greeting(sentence);
            self.after_greeting = greets || signs;
            self.after_closing = greets && !opens_a_letter(sentence) || signs && self.after_closing;
            if is_direction {
                self.case_study |= orders_a_case_study(sentence);
                self.directions
                    .push(one_line(&sentence.replace(ASKED_FOR, "")));
            } else {
                kept.push(place);
            }
        }
        if kept.is_empty() {
            return Vec::new();
        }
        trimmed(part_of(runs, &kept))
    }
}

/// Whether a sentence asks the one who is greeted for something: `could you turn this into something we can send?`
fn asks_a_colleague(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let opens = |at: usize| {
        let rest = words.get(at..).unwrap_or_default();
        [&CHAT_QUESTIONS, &NEEDS, &ORDERS]
            .iter()
            .any(|list| list.open(rest))
    };
    (0..=WORDS_BEFORE).any(opens)
}

fn is_direction_heading(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    !words.is_empty() && DIRECTION_HEADINGS.are(&words)
}

fn is_about_the_text(sentence: &str) -> bool {
    let folded = fold(sentence);
    ABOUT_THE_TEXT.any_in(&split(&folded))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn short_words_on_form_are_directions() {
        for (language, order) in [
            ("en", "No jargon."),
            ("en", "For the board, at most 3 pages."),
            ("de", "Ohne Fachjargon."),
            ("de", "Für den Vorstand, höchstens 3 Seiten."),
            (
                "de",
                "Könnt ihr mir einen One-Pager für die Stadtwerke machen?",
            ),
            ("fr", "Sans jargon."),
            ("es", "Sin jerga."),
            ("es", "para la directora de operaciones, máximo 3 páginas"),
            ("it", "Tono formale."),
        ] {
            let brief = Brief::read(
                &format!("# Meters\n\n{order} Leeds reads 9 meters.\n\n## How\n\nBy hand.")
                    .replace(". Leeds", ".\n\nLeeds")
                    .replace("s Leeds", "s\n\nLeeds")
                    .replace("? Leeds", "?\n\nLeeds"),
                language,
            );
            assert_eq!(brief.directions, [order], "{}", brief.text());
        }
        let brief = Brief::read(
            "# Meters\n\nFor Leeds we read 9 pages of meters a day.\n\nNo jargon is spoken.\n\n## How\n\nBy hand.",
            "en",
        );
        assert!(brief.directions.is_empty(), "{:?}", brief.directions);
    }

    #[test]
    fn directions_go_and_content_stays() {
        let brief = Brief::read(
            "# Brief: Meters for Leeds\n\nWrite a two-page proposal for the council. Keep the tone friendly. \
             Leeds reads 4,000 meters by hand.\n\nAudience: CFO\nTone: formal\n\n## What we do\n\n1. Prepare the weekly report for the board.\n\n\
             ## Tone\n\nSober.\n\n## Price\n\n£3 each.",
            "en",
        );
        assert_eq!(brief.title.as_deref(), Some("Meters for Leeds"));
        assert_eq!(
            brief.directions,
            [
                "Write a two-page proposal for the council.",
                "Keep the tone friendly.",
                "Audience: CFO",
                "Tone: formal",
                "Sober."
            ]
        );
        let text = brief.text();
        assert!(text.contains("Leeds reads 4,000 meters by hand."), "{text}");
        assert!(text.contains("Prepare the weekly report"), "{text}");
        assert!(
            text.contains("£3 each.") && !text.contains("Sober"),
            "{text}"
        );
    }

    #[test]
    fn a_sentence_that_ends_with_a_company_signs_nothing() {
        for supplied in [
            "Hi Jo,\n\nWe supply Northwind GmbH.\n\nThe pilot takes 5 weeks.",
            "Thanks!\n\nWe supply Northwind GmbH.\n\nThe pilot takes 5 weeks.",
        ] {
            let text = Brief::read(supplied, "en").text();
            assert!(text.contains("GmbH"), "{supplied}: {text}");
        }
    }

    #[test]
    fn an_order_may_go_over_lines_and_content_may_follow_labels() {
        let brief = Brief::read(
            "Write a proposal for Tarnbeck that explains how we\nreplace paper checklists.\nAudience: the head of\noperations\nTarnbeck runs five sites.",
            "en",
        );
        assert_eq!(brief.text().trim(), "Tarnbeck runs five sites.");
        assert_eq!(brief.directions.len(), 2, "{:?}", brief.directions);
    }

    #[test]
    fn a_customer_s_contact_beside_the_order_is_no_content() {
        let brief = Brief::read(
            "Für die Molkerei Tannhof brauchen wir bis Freitag ein Angebot. Ansprechpartner dort: Frau Dr. Ellen Brandt, \
             Betriebsleitung.\n\n## Lage\n\nEs ist kalt.",
            "de",
        );
        assert_eq!(brief.text(), "Lage\nEs ist kalt.\n");
        let brief = Brief::read("# Rooms\n\nContact: Jo Doe\n\nIt is cold.", "en");
        assert!(brief.text().contains("Jo Doe"), "nobody ordered anything");
    }
}
