//! Marks in a text that mean more to its writer than to its reader.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization as _;

use super::super::Inline;
use super::Checker;
use crate::message::characters::{is_default_ignorable, is_of_spaced_script};
use crate::message::directions::has_misleading_mark;
use crate::message::encoded_words::has_encoded_word;
use crate::message::letters_apart::has_letters_apart;
use crate::message::lookalikes::{has_lookalikes, has_masked_words};
use crate::message::markup::{has_html, has_mailbox, has_markdown};
use crate::message::rendered::MessageFault;

/// The marks in a text of a draft that cannot be read as a structure, so that whoever mends it is told all at once.
pub fn marks_of(inlines: &[Inline], at: &str, is_head: bool) -> Vec<MessageFault> {
    let mut checker = Checker::of(inlines.iter());
    checker.marks(inlines, at, is_head);
    checker.faults
}

impl Checker {
    /// Values that stand within a word.
    ///
    /// DANGER: no list finds a word that a value cuts in two, and where the value is short or left out its reader does. An
    /// ending behind a value (`{{company.name}}s`) is part of many languages, and so is an opening before it (`d’`).
    pub(super) fn values_within_words(&mut self, inlines: &[Inline], at: &str) {
        // What a reader sees of the texts, and where among it values stand.
        let (mut seen, mut values) = (String::new(), Vec::new());
        for inline in inlines {
            match inline.own_words() {
                Some(text) => seen.extend(text.nfkc().filter(|c| !is_beside_letters(*c))),
                None => values.push(seen.len()),
            }
        }
        values.dedup();
        let is_letter =
            |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && is_of_spaced_script(c));
        for place in values {
            let (before, behind) = seen.split_at_checked(place).unwrap_or_default();
            if is_letter(before.chars().next_back()) && is_letter(behind.chars().next()) {
                self.fault(
                    at,
                    "value_within_word",
                    "A value must not stand within a word: write a blank or a mark before it or behind it.",
                );
            }
        }
    }

    /// What a reader would see as marks or, in the subject and the preview (`is_head`), take for the head of a mail.
    pub(super) fn marks(&mut self, inlines: &[Inline], at: &str, is_head: bool) {
        let joined = |of_variables: fn(&str) -> &str| -> String {
            let pieces = inlines.iter().map(|inline| match inline {
                Inline::Var { name } => of_variables(name),
                other => other.own_words().unwrap_or_default(),
            });
            pieces.collect()
        };
        let whole = joined(|name| name);
        if has_markdown(&whole) {
            self.fault(
                at,
                "markup_not_allowed",
                "A text must not contain Markdown; its marks would be shown as they stand.",
            );
        }
        if has_html(&whole) {
            self.fault(
                at,
                "markup_not_allowed",
                "A text must not contain tags or entities of HTML; they would be shown as they stand.",
            );
        }
        if has_misleading_mark(&whole) {
            self.fault(
                at,
                "direction_mark_not_allowed",
                "A text must not contain a mark of direction that serves no letter from the right, or parts a number; readers would see another order.",
            );
        }
        // A variable's value is no part of the word beside it: in Russian an ending may follow.
        let words = joined(|_| " ");
        if has_lookalikes(&words) || (self.is_latin && has_masked_words(&words)) {
            self.fault(
                at,
                "letters_not_allowed",
                "A word must not have letters of another script that look like Latin ones, nor small capitals or letters in circles or squares; it would be read as another one.",
            );
        }
        if has_letters_apart(&words) {
            self.fault(
                at,
                "letters_not_allowed",
                "A word must not be written letter by letter; write it without what stands between them.",
            );
        }
        if has_encoded_word(&whole) {
            self.fault(
                at,
                "encoded_word_not_allowed",
                "A text must not contain an encoded word of mail (=?charset?Q?…?=); mail programs would show other words.",
            );
        }
        if is_head && has_mailbox(&whole) {
            self.fault(
                at,
                "address_not_allowed",
                "No e-mail address may stand here; it would look like the head of a mail.",
            );
        }
    }
}

/// Whether it shows nothing, or only a mark at the letter before it.
fn is_beside_letters(c: char) -> bool {
    is_default_ignorable(c)
        || (!c.is_ascii()
            && matches!(
                get_general_category(c),
                GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark
            ))
}
