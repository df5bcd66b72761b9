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
mod reading;
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

use gtm_document_model::block::Block;
use gtm_document_model::text::Run;
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

/// Whether a line of the orders asks for a document, or names its type, its length or its reader.
#[must_use]
pub fn orders_a_document(line: &str, language: &str) -> bool {
    let label = line.split([':', '：']).next().unwrap_or_default();
    Verdict::of(line, language, Place::Beginning).orders_a_document()
        || label.len() < line.len() && line_kinds::is_direction_label(label)
}
