//! Letters to a colleague who is to write something: they order a document, and nobody else reads them.
//!
//! Danger: such a note has a salutation and a signature like a letter for the customer. Printed as one, it would show the
//! customer what colleagues say of him. So whatever asks for a document makes a note, unless the letter asks its reader to act.

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{ADDRESSING, FORM_JOINTS, LETTERS, ORDERS, SENT_FROM};
use gtm_lexicon::trade::{ARTICLES, INDEFINITE_ARTICLES};
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::super::verdicts::{Order, Place, Verdict};
use super::super::{
    asks, document_names, greetings, line_kinds, mentions, one_line, orders, wishes,
};
use super::formulas::{closes, is_hello, is_salutation};
use crate::runs::sentences_of;

/// How many words may stand between an article and what a document is called: `the signed offer`.
const ARTICLE_REACH: usize = 3;
/// Most lines below a closing formula that are the signature of a note, and most words of each.
const SIGNATURE_LINES: usize = 4;
const SIGNATURE_WORDS: usize = 6;
/// Fewest signs that part name, role and number in one line below a mail.
const SIGNATURE_SIGNS: usize = 2;

/// For whom a letter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// The reader of the document.
    Reader,
    /// Whoever writes it.
    Writer,
}

/// For whom a letter is whose paragraphs and closing line are these, below such lines.
pub fn reader_of(body: &[&str], closing: &str, before: &[&str], language: &str) -> For {
    let sentences = |text: &str| -> Vec<String> {
        let places = sentences_of(text, language).into_iter();
        let said = places.filter_map(|place| text.get(place));
        said.map(|said| said.trim().to_owned()).collect()
    };
    let above: Vec<String> = before
        .iter()
        .flat_map(|line| sentences(line.trim()))
        .collect();
    // Behind an order for a letter nobody orders another one; another order has the letter for its material.
    if above.iter().any(|said| makes_another(said, language)) {
        return For::Writer;
    }
    if above.iter().any(|said| orders_a_letter(said, language)) {
        return For::Reader;
    }
    let mut paragraphs: Vec<String> = body
        .split(|line| line.trim().is_empty())
        .filter(|lines| !lines.is_empty())
        .map(|lines| one_line(&lines.join(" ")))
        .collect();
    // A colleague may be greeted in the line that asks for something, and no letter has headings.
    let greeted = body.first().is_some_and(|line| is_hello(line));
    if greeted && body.iter().any(|line| line_kinds::is_heading(line)) {
        return For::Writer;
    }
    if let Some(first) = paragraphs.first_mut()
        && let Some(greeting) = greetings::greeting(first, language)
    {
        *first = greeting.below;
    }
    let last = paragraphs.len().saturating_sub(1);
    paragraphs.push(one_line(closing));
    let is_order = |(at, text): (usize, &String)| {
        let mut said = sentences(text).into_iter();
        said.any(|sentence| {
            asks_for_a_document(&sentence, language)
                && !(at == last && asks_the_reader(&sentence, language))
        })
    };
    match paragraphs.iter().enumerate().any(is_order) {
        true => For::Writer,
        false => For::Reader,
    }
}

fn asks_for_a_document(sentence: &str, language: &str) -> bool {
    match Verdict::of(sentence, language, Place::Beginning) {
        Verdict::Order(Order::Document) => !is_only_polite(sentence, language),
        Verdict::Order(Order::Form | Order::Size) => true,
        Verdict::Order(_) | Verdict::Correction | Verdict::Content => false,
    }
}

/// Whether a sentence speaks politely of a document that there is: `Please find our proposal below.`
fn is_only_polite(sentence: &str, language: &str) -> bool {
    let words = mentions::plain_words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    names_a_known_one(sentence, language) && !ORDERS.open(&words)
}

/// Whether a sentence calls the reader to act, or asks for a document that the reader has.
fn asks_the_reader(sentence: &str, language: &str) -> bool {
    asks::calls(sentence) || names_a_known_one(sentence, language)
}

/// Whether the document that a sentence names is a certain one: `the signed offer`, `our proposal`.
fn names_a_known_one(sentence: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let (articles, you) = (ARTICLES.of(primary), ADDRESSING.of(primary));
    let folded = fold(sentence);
    let words = split(&folded);
    let is_article = |word: &str| articles.contains(word);
    let is_one =
        |word: &str| INDEFINITE_ARTICLES.contains(word) || wishes::number_of(word) == Some(1);
    let first = document_names::of_types()
        .filter_map(|kind| kind.places(&words).next())
        .map(|(at, _)| at)
        .min();
    first.is_some_and(|at| {
        let from = at.saturating_sub(ARTICLE_REACH);
        let before = words.get(from..at).unwrap_or_default();
        let article = before
            .iter()
            .rev()
            .find(|word| is_article(word) || is_one(word));
        let owned = before
            .last()
            .is_some_and(|word| you.contains(word) || WE.has_word(word));
        owned || article.is_some_and(|word| !is_one(word))
    })
}

/// Whether a sentence orders a document that is no letter: `Make a two-page proposal from this mail:`
fn makes_another(sentence: &str, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let named = document_names::of_types().any(|kind| kind.any_in(&words));
    named && !orders_a_letter(sentence, language) && orders::asks(sentence)
}

/// Whether a sentence orders a letter: `Write a letter`, `Bitte als Brief`. `From this letter` orders none.
fn orders_a_letter(sentence: &str, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let joints = FORM_JOINTS.of(primary_language(language));
    // A language without articles tells a letter that is ordered by its verb.
    if joints.is_none() && orders::orders_a_letter(sentence, language) {
        return true;
    }
    LETTERS.places(&words).any(|(at, _)| {
        let before = at.checked_sub(1).map(|before| words.get(before..at));
        before.flatten().is_none_or(|before| {
            before.first().is_some_and(|word| {
                INDEFINITE_ARTICLES.contains(word) || wishes::number_of(word) == Some(1)
            }) || joints.is_some_and(|joints| joints.are(before))
        })
    })
}

/// A note without its signature and its salutation, which begins at one line and ends at another, and these lines.
pub fn without_frame<'t>(
    lines: &[&'t str],
    begin: usize,
    salutation: usize,
    closing: usize,
) -> (String, Vec<&'t str>) {
    let is_bare = lines.get(salutation).is_some_and(|line| {
        is_salutation(line)
            && !line_kinds::is_sentence(line.trim())
            && line.split_whitespace().count() <= SIGNATURE_WORDS
    });
    let greeting = begin..salutation + usize::from(is_bare);
    let end = end_of_signature(lines, closing);
    let mut text = String::new();
    let mut frame = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if greeting.contains(&at) || (closing..end).contains(&at) {
            frame.extend(Some(line.trim()).filter(|line| !line.is_empty()));
            text.push('\n');
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    (text, frame)
}

/// Whether a line stands below mails alone: `Jo Marsh | Sales | Halden | 0113 555 0190`, `Sent from my phone`.
fn is_of_a_mail(line: &str) -> bool {
    let folded = fold(line);
    let parted = ["|", "·", "//"].into_iter().any(|sign| {
        let signs = line.matches(&format!(" {sign} ")).count();
        signs >= SIGNATURE_SIGNS && !line.starts_with(sign) && !line_kinds::is_sentence(line)
    });
    SENT_FROM.open(&split(&folded)) || parted
}

/// Where the name and the role below a closing formula end. Danger: what a note says behind them must stay.
fn end_of_signature(lines: &[&str], closing: usize) -> usize {
    let signs = |line: &str| {
        let line = line.trim();
        if is_of_a_mail(line) {
            return true;
        }
        // The number of a telephone.
        if !line.contains(char::is_alphabetic) {
            return true;
        }
        let numbered = line.contains(char::is_numeric) && !line.contains(['@', '+']);
        !numbered
            && !line.ends_with(':')
            && line.split_whitespace().count() <= SIGNATURE_WORDS
            && !line_kinds::is_sentence(line)
            && !line_kinds::is_heading(line)
            && line_kinds::item_of(line).is_none()
            && !closes(line)
    };
    // A blank line may stand before the name, and none behind it.
    let blank = |at: usize| lines.get(at).is_some_and(|line| line.trim().is_empty());
    let named = lines.get(closing).is_some_and(|line| {
        line.trim()
            .trim_end_matches(['.', '!'])
            .contains([',', '!'])
            && !line.trim().ends_with(',')
    });
    let from = closing + 1 + usize::from(!named && blank(closing + 1));
    let below = lines.iter().skip(from).take(SIGNATURE_LINES);
    let signed = below
        .take_while(|line| !line.trim().is_empty() && signs(line))
        .count();
    match signed {
        0 => closing + 1,
        signed => from + signed,
    }
}
