//! The brief: what is to stand in the document, and what only tells its writer how to write it.
//!
//! A brief is Markdown, or text that Markdown leaves as it is. Its headings, lists, tables and quotations are content;
//! "Write a two-page proposal" and "Audience: CFO" are directions, and no reader of the document ever sees them.

mod addressee;
mod asides;
mod asks;
mod called;
mod chapters;
mod charts;
mod chat_forms;
mod chats;
mod colleague_notes;
mod company_forms;
mod contacts;
mod corrections;
mod directions;
mod document_names;
mod first_lines;
mod forms;
mod greetings;
mod head;
mod html;
mod html_document;
mod html_tables;
mod key_figures;
mod labeled;
mod letters;
mod line_kinds;
mod lines;
mod links;
mod lists;
mod mails;
mod making_notes;
mod manner;
mod markdown;
mod marked_asides;
mod marked_parts;
mod marks;
mod mentions;
mod notations;
mod opening_orders;
mod openings;
mod orders;
mod outline;
mod own_date;
mod part_lines;
mod placed_words;
mod plain_headings;
mod plain_tables;
mod preface;
mod price_lines;
mod private_notes;
mod retractions;
mod running_prose;
mod series;
mod shown;
mod signatures;
mod soft_breaks;
mod speakers;
mod spoken_to;
mod stamps;
mod tables;
mod texts;
mod title;
mod told_readers;
mod totals;
mod verdicts;
mod wishes;

use std::borrow::Cow;

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::PLAYBOOKS;
use gtm_lexicon::{fold, split};
pub use gtm_writing::answer::one_line;

pub use addressee::{Addressee, before_suffix, labeled as reader_of, names_a_person_beside};
pub use charts::{Shown, of_table as chart_of};
pub use company_forms::is_legal_form;
pub use contacts::{
    contact as contact_of, labeled_in_brackets, may_be_a_persons_name, may_be_attended,
};
pub use document_names::TYPES as NAMES_OF_TYPES;
pub use letters::is_salutation as addresses_a_reader;
use line_kinds::slide_mark;
pub use lists::announces_steps;
pub use price_lines::has_money;
pub use series::chart_of as course_of;
pub use tables::kind_of as column_kind;
pub use texts::{count_words, texts_of, words_of};
pub use totals::{Contradiction, names_total};
use verdicts::{Place, Verdict};
pub use wishes::{Count, Wishes};

/// Most notes of colleagues that a brief has below one another.
const MOST_NOTES: usize = 4;
/// Fewest words of the writer's own that make a document without the mail that they quote.
const OWN_WORDS: usize = 30;
/// Fewest headings naming slides of a brief that is written slide by slide.
const FEWEST_SLIDES: usize = 2;
/// Most parts of a brief that become content.
const MOST_PARTS: usize = 6_000;

/// A part of the brief as its Markdown has it.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "almost every part is a block, and they are short-lived"
)]
pub enum Part {
    Heading { level: u8, runs: Vec<Run> },
    Block(Block),
}

/// What stands under one heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chapter {
    /// None where a brief begins without a heading.
    pub heading: Option<String>,
    /// What is shown, headings below the chapter's own included.
    pub blocks: Vec<Block>,
    /// What the speaker says.
    pub notes: Vec<Run>,
}

/// A brief that was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Brief {
    pub title: Option<String>,
    /// The day that it bears, as `2027-03-12`.
    pub date: Option<String>,
    /// The date as its head has it, where that is no day or says more than one: `November 2026`, `Bremen, den 12. März 2027`.
    pub date_words: Option<String>,
    /// Lines of its head that stand on the cover besides title, reader and day: `Offer no.: 48/2026`.
    pub cover_facts: Vec<String>,
    /// What it tells its writer, a sentence each.
    pub directions: Vec<String>,
    pub chapters: Vec<Chapter>,
    /// Pictures that were left out: nobody has their files.
    pub pictures: usize,
    /// Whether its headings name slides.
    slides: bool,
    /// Parts beyond what is read.
    pub surplus: usize,
    /// Prose that has not the form of content, where the brief was read to be printed.
    pub running_prose: Vec<String>,
    /// Notes in confidence that were left out.
    pub withheld: Vec<String>,
    /// What it takes back itself, with the words that do.
    pub corrected: Vec<String>,
    /// The texts of links that led elsewhere than they say. They stay, without the link.
    pub unlinked: Vec<String>,
    /// Corrections of which nobody can tell what they correct. Both figures stay.
    pub doubtful: Vec<String>,
    /// Lines of its mails that say who writes to whom and when: their heads and signatures.
    pub mail_frame: Vec<String>,
    /// What the directions ask for that can be counted or checked.
    pub wishes: Wishes,
    /// For whom it is and what about, as the directions say.
    pub addressee: Addressee,
    /// What the reader is asked for, where no heading announces it: `Ask: sign by May`.
    pub asks: Vec<Vec<Run>>,
    /// What the brief itself calls that.
    pub ask_heading: Option<String>,
    /// Whether the brief ends with what calls the reader to act, so that nothing need be added behind it.
    pub calls: bool,
    /// Whether it orders an account of one customer.
    pub case_study: bool,
    /// Whether its content is a letter, which is printed as it is.
    pub is_letter: bool,
    /// Whether it orders a letter, be its content one or notes for it.
    pub orders_letter: bool,
    /// Who reads the letter that it orders, a line each, where it says so with an address.
    pub letter_reader: Vec<String>,
    /// What the mail is about in which it stands. It titles a document only if nothing else does.
    pub subject: Option<String>,
}

/// What is known of a text from what stood around it.
#[derive(Debug, Default)]
struct Beside {
    /// What was told its writer there.
    directions: Vec<String>,
    /// Whether it is a mail to colleagues, who are greeted in it.
    to_colleagues: bool,
    /// Whether it was said in a chat.
    is_chat: bool,
}

/// How a brief is read.
#[derive(Debug, Clone, Copy)]
struct Reading<'r> {
    language: &'r str,
    /// Whether its document is to advise whoever sells.
    advises: bool,
    /// The brief as it was written, where no model writes, so that its own texts are printed.
    to_print: Option<&'r running_prose::Written>,
    /// Whether it stands in a mail.
    is_mail: bool,
}

impl<'r> Reading<'r> {
    /// How what is told to the writer is read.
    const fn of(language: &'r str) -> Self {
        Self {
            language,
            advises: false,
            to_print: None,
            is_mail: false,
        }
    }
}

impl Brief {
    /// Reads a brief in a language.
    #[must_use]
    pub fn read(text: &str, language: &str) -> Self {
        Self::read_as(text, language, false)
    }

    /// Reads a brief in a language; `advises` says that its document is to advise whoever sells.
    #[must_use]
    pub fn read_as(text: &str, language: &str, advises: bool) -> Self {
        Self::read_for(text, language, advises, false)
    }

    /// Reads a brief of which what has the form of content is printed as it stands.
    #[must_use]
    pub fn read_to_print(text: &str, language: &str, advises: bool) -> Self {
        Self::read_for(text, language, advises, true)
    }

    fn read_for(text: &str, language: &str, advises: bool, to_print: bool) -> Self {
        let text = match html_document::as_markdown(text) {
            Some(markdown) => Cow::Owned(markdown),
            None => html::without_tags(text),
        };
        let signed = signatures::without_mails_own(&text);
        let (text, signature) = match signed {
            Some((text, signature)) => (Cow::Owned(text), signature),
            None => (text, Vec::new()),
        };
        let (text, left_out) = marked_asides::parted(&text);
        let written = to_print.then(|| running_prose::Written::of(&text));
        let reading = Reading {
            language,
            advises,
            to_print: written.as_ref(),
            is_mail: !signature.is_empty(),
        };
        let mut brief = Self::of_source(&text, reading);
        brief.withheld.splice(0..0, left_out);
        brief.mail_frame.extend(signature);
        brief
    }

    /// Reads a text that may be a mail.
    fn of_source(text: &str, reading: Reading<'_>) -> Self {
        let Some(mails) = mails::Mails::of(text) else {
            return Self::of_pasted(text, reading, true);
        };
        let Reading { language, .. } = reading;
        let reading = Reading {
            is_mail: true,
            ..reading
        };
        if let Some(mut brief) = letters::above(&mails, language) {
            brief.title = brief.title.or(mails.subject);
            brief.mail_frame = mails.heads.into_iter().chain(brief.mail_frame).collect();
            return brief;
        }
        if mails.quotes {
            // Where the writer's own words make a document, what a customer wrote is only what they answer.
            let mut own = Self::of_pasted(&mails.own, reading, false);
            if own.words() >= OWN_WORDS {
                let lines = mails.heads.into_iter().chain(mails.quoted);
                let lines = lines.chain(own.mail_frame);
                own.mail_frame = lines.filter(|line| !line.is_empty()).collect();
                return own;
            }
        }
        let mut brief = Self::of_pasted(&mails.text, reading, !mails.quotes);
        if brief.is_letter {
            brief.title = brief.title.or(mails.subject);
            if !mails.quotes {
                letters::headed(&mut brief, &mails.heads, language);
            }
        } else {
            brief.subject = mails.subject.filter(|it| title::may_be_one(it, language));
        }
        brief.mail_frame.splice(0..0, mails.heads);
        brief
    }

    /// Reads a text that may be copied from a chat or a letter.
    fn of_pasted(text: &str, reading: Reading<'_>, may_be_letter: bool) -> Self {
        let Reading { language, .. } = reading;
        if let Some(chat) = chats::Chat::of(text, language) {
            let beside = Beside {
                directions: chat.directions,
                to_colleagues: false,
                is_chat: true,
            };
            let mut brief = Self::of_text(&chat.text, reading, beside);
            brief.withheld.extend(chat.withheld);
            return brief;
        }
        let mut note = text.to_owned();
        let mut frame = Vec::new();
        // A note may have another one below it.
        for _ in 0..MOST_NOTES {
            match letters::Found::of(&note, language) {
                Some(letters::Found::Letter(letter))
                    if may_be_letter
                        && frame.is_empty()
                        && (reading.to_print.is_none() || letter.is_for_its_reader(language)) =>
                {
                    return letter.brief(language);
                }
                Some(letters::Found::Note { text, frame: found }) if !found.is_empty() => {
                    note = text;
                    frame.extend(found);
                }
                _ => break,
            }
        }
        let below = letters::call_at_the_top(&note);
        frame.extend(below.map(|(call, _)| call.to_owned()));
        let note = below.map_or(note.as_str(), |(_, below)| below);
        // Whom the note greets, it may call again: `Oh and Priya, keep it short.`
        let greeting = greetings::greeting(note, language);
        let note = greeting.as_ref().map_or(note, |greeting| &greeting.below);
        let colleagues = called::greeted(&frame, greeting.as_ref());
        frame.extend(greeting.as_ref().map(|greeting| greeting.line.clone()));
        let to_colleagues = !colleagues.is_empty() || !frame.is_empty() || greetings::greets(note);
        let signed = to_colleagues
            .then(|| signatures::without_names_at_the_end(note))
            .flatten();
        let signed = signed.unwrap_or_else(|| signatures::Signed::without(note));
        frame.extend(signed.names);
        let note = signed.note;
        let (note, called) = called::without(&note, &colleagues, language);
        let beside = Beside {
            directions: called,
            to_colleagues,
            is_chat: false,
        };
        let mut brief = Self::of_text(&note, reading, beside);
        brief.mail_frame = frame;
        brief.withheld.extend(signed.below);
        brief
    }

    /// Reads a text, with what is known of it from what stood around it.
    fn of_text(text: &str, reading: Reading<'_>, beside: Beside) -> Self {
        let Reading {
            language, advises, ..
        } = reading;
        let (above, text) = preface::above_a_rule(text, language)
            .map_or((None, text), |(above, below)| (Some(above), below));
        let plain = notations::without(text);
        let plain = price_lines::without_leaders(&plain);
        let mut read = markdown::read(&lines::as_markdown(&marks::as_markdown(&plain)));
        let surplus = read.parts.len().saturating_sub(MOST_PARTS);
        read.parts.truncate(MOST_PARTS);
        let mut brief = Self {
            directions: beside.directions,
            pictures: read.pictures,
            unlinked: read.unlinked,
            surplus,
            ..Self::default()
        };
        let struck = read
            .struck
            .iter()
            .map(|text| one_line(&text.replace(soft_breaks::SOFT_BREAK, " ")));
        brief
            .withheld
            .extend(struck.filter(|text| !text.is_empty()));
        let above = above.map(|above| markdown::read(&lines::as_markdown(above)).parts);
        let (parts, mut told) = preface::parted(read.parts, language);
        told.splice(0..0, preface::told(above.unwrap_or_default(), language));
        let told = brief.kept_quiet(told, language);
        let parts = brief.take_title(parts, language);
        let advises = advises || speaks_of_a_playbook(brief.title.as_deref(), &parts);
        let kind = match advises {
            true => private_notes::Kind::Advice,
            false => private_notes::Kind::Document,
        };
        let private_notes::Parted { parts, notes, bans } =
            private_notes::parted(parts, language, kind);
        let corrections::Corrected {
            parts,
            corrected,
            doubtful,
        } = corrections::made(parts, language);
        let (parts, taken_back) = retractions::without(parts, language);
        brief
            .corrected
            .extend(corrected.into_iter().chain(taken_back));
        brief.doubtful = doubtful;
        let (parts, orders) = match advises {
            true => (parts, Vec::new()),
            false => mentions::told(parts, language),
        };
        let (parts, asides) = asides::parted(parts, language);
        let head = head::taken(parts, brief.title.is_some());
        brief.title = brief.title.or(head.title);
        brief.cover_facts = head.facts;
        let (parts, above) = preface::above_a_head(head.parts, head.at, language);
        let (parts, date) = own_date::taken(parts, language);
        match date {
            Some(day) => {
                brief.date = Some(day);
                brief.cover_facts.extend(head.month);
            }
            None => brief.date_words = head.month,
        }
        let told: Vec<String> = told.into_iter().chain(above).collect();
        let directions::Parted {
            content: parts,
            directions,
            case_study,
            customer,
        } = directions::parted(
            parts,
            language,
            &told,
            brief.title.is_some(),
            beside.to_colleagues,
        );
        brief.directions.extend(told);
        brief.directions.extend(head.readers);
        let parts = brief.take_first_lines(parts);
        brief.directions.extend(directions);
        brief.case_study |= case_study;
        brief.directions.extend(asides);
        brief.directions.extend(orders);
        brief.directions.extend(bans);
        brief.orders_letter = brief
            .directions
            .iter()
            .any(|it| orders::orders_a_letter(it, language));
        if brief.orders_letter {
            let reader = letters::reader_in(&brief.directions, language);
            brief.letter_reader = reader.unwrap_or_default();
        }
        brief.wishes = Wishes::of(&brief.directions);
        // An order to keep quiet may say more: `8 slides, and only say the price on request`.
        let Wishes {
            slides,
            pages,
            items,
            ..
        } = Wishes::of(&notes);
        brief.wishes.slides = brief.wishes.slides.or(slides);
        brief.wishes.pages = brief.wishes.pages.or(pages);
        brief.wishes.items = brief.wishes.items.or(items);
        brief.withheld.extend(notes);
        brief.addressee = Addressee::of(&brief.directions, language);
        if case_study {
            // It tells of a customer, and is for everybody.
            let Addressee {
                recipient, subject, ..
            } = std::mem::take(&mut brief.addressee);
            brief.addressee.subject = customer.or(subject).or(recipient);
        }
        let parts = labeled::parted(
            parts.into_iter().map(soft_breaks::settled).collect(),
            language,
        );
        let (parts, asked) = asks::parted(parts, language);
        brief.asks = asked.asks;
        brief.ask_heading = asked.heading;
        brief.calls = asked.calls;
        let is_marked = text.lines().any(line_kinds::is_heading);
        let mut parts = labeled::headed(parts, is_marked);
        if let Some(written) = reading.to_print {
            let addressed = reading.is_mail
                || beside.is_chat
                || beside.to_colleagues
                || !brief.withheld.is_empty();
            (parts, brief.running_prose) =
                running_prose::without(parts, written, addressed, language);
        }
        let parts = outline::followed(parts, &outline::of(&brief.directions));
        let (chapters, slides) = chapters::of(parts);
        brief.chapters = chapters;
        brief.slides = slides >= FEWEST_SLIDES;
        brief.take_first_line(language);
        let last = brief.chapters.last();
        let last = last.and_then(|chapter| texts_of(&chapter.blocks).pop());
        brief.calls |= last.is_some_and(|text| {
            asks::ends_with_call(&text, language) || asks::ends_with_address(&text)
        });
        brief
    }

    /// What is told to the writer without what is told in confidence.
    fn kept_quiet(&mut self, told: Vec<String>, language: &str) -> Vec<String> {
        let part = |text: String| {
            let runs = vec![Run::plain(text)];
            Part::Block(Block::Paragraph(Paragraph::of(runs)))
        };
        let parts = told.into_iter().map(part).collect();
        let private_notes::Parted { parts, notes, bans } =
            private_notes::parted(parts, language, private_notes::Kind::Document);
        self.withheld.extend(notes);
        let said = parts.into_iter().filter_map(|part| match part {
            Part::Block(block) => texts_of(&[block]).into_iter().next(),
            Part::Heading { .. } => None,
        });
        said.chain(bans).collect()
    }
}

/// Whether a line of the orders asks for a document, or names its type, its length or its reader.
#[must_use]
pub fn orders_a_document(line: &str, language: &str) -> bool {
    let label = line.split([':', '：']).next().unwrap_or_default();
    Verdict::of(line, language, Place::Beginning).orders_a_document()
        || label.len() < line.len() && line_kinds::is_direction_label(label)
}

/// Whether the title or the beginning calls the document a playbook.
fn speaks_of_a_playbook(title: Option<&str>, parts: &[Part]) -> bool {
    let opening = parts.iter().find_map(|part| match part {
        Part::Block(Block::Paragraph(paragraph)) => Some(plain_text(&paragraph.runs)),
        _ => None,
    });
    let texts = title.map(str::to_owned).into_iter().chain(opening);
    let mut folded = texts.map(|text| fold(&text));
    folded.any(|text| PLAYBOOKS.any_in(&split(&text)))
}
