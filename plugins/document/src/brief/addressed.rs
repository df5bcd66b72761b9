//! Whether a brief is addressed to whoever writes the document: a mail, a chat, a dictation, a note to a colleague.
//!
//! Danger: among colleagues people say what no customer may read, in words that nobody can list. So one sign anywhere makes the
//! whole brief addressed, and then only what has the form of content is printed (`printed`).

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{CHAT_ASIDES, CHAT_QUESTIONS, NEEDS, ORDERS, REQUESTS};
use gtm_lexicon::prose::{FAMILIAR, I};
use gtm_lexicon::{ByLanguage, fold, split};
use gtm_page_text::{detect_language, primary_language};

use super::openings::opens;
use super::verdicts::{Place, Verdict};
use super::{chats, greetings, letters, mails, one_line, private_notes, retractions, signatures};
use crate::runs::sentences_of;

/// How many words may stand before a request: `Hi Tom, could you …`, `For Vela we need …`.
const WORDS_BEFORE: usize = 5;
/// Marks around what somebody else said.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」')];

/// Whether anything in a brief is said to its writer. `prose` are its paragraphs and items, without headings and tables.
pub fn is_addressed(text: &str, prose: &[String], language: &str) -> bool {
    mails::Mails::of(text).is_some()
        || chats::Chat::of(text, language).is_some()
        || greetings::greeting(text, language).is_some()
        || greetings::greets(text)
        || signatures::without_mails_own(text).is_some()
        || matches!(
            letters::Found::of(text, language),
            Some(letters::Found::Note { .. })
        )
        || prose.iter().any(|text| {
            let languages = languages_of(text, language);
            said(text, language).iter().any(|sentence| {
                speaks_to_the_writer(sentence, &languages)
                    || Verdict::of(sentence, language, Place::Beginning).is_order()
            }) || private_notes::is_in_confidence(text, language)
        })
}

/// Whether a text speaks to somebody.
pub fn says_you(text: &str) -> bool {
    let folded = fold(text);
    split(&folded).iter().any(|word| YOU.has_word(word))
}

/// Whether a sentence of a text shows that somebody speaks to whoever writes.
pub fn is_said_to_the_writer(text: &str, language: &str) -> bool {
    let languages = languages_of(text, language);
    let sentences = said(text, language);
    let mut sentences = sentences.iter();
    sentences.any(|sentence| {
        speaks_to_the_writer(sentence, &languages)
            || Verdict::of(sentence, language, Place::Beginning).orders_a_document()
            || private_notes::are_told_of(sentence)
    })
}

/// The language that the caller named, and the one that the text is in: a mail may order a document in another language.
fn languages_of<'l>(text: &str, language: &'l str) -> Vec<&'l str> {
    let mut languages = vec![primary_language(language)];
    languages.extend(detect_language([text]));
    languages
}

/// The sentences of a text, without what others are quoted with.
fn said(text: &str, language: &str) -> Vec<String> {
    let text = one_line(&text.replace(super::soft_breaks::SOFT_BREAK_CHAR, " "));
    let text = without_quotations(&text);
    let places = sentences_of(&text, language).into_iter();
    let sentences = places.filter_map(|place| text.get(place).map(|it| it.trim().to_owned()));
    sentences.filter(|sentence| !sentence.is_empty()).collect()
}

/// A text without what stands in quotation marks: a customer may say `I`.
fn without_quotations(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let found = rest.char_indices().find_map(|(at, open)| {
            let (_, close) = QUOTES.iter().find(|(mark, _)| *mark == open)?;
            let inner = at + open.len_utf8();
            let length = rest.get(inner..)?.find(*close)?;
            Some((at, inner + length + close.len_utf8()))
        });
        let Some((begin, end)) = found else {
            out.push_str(rest);
            return out;
        };
        out.push_str(rest.get(..begin).unwrap_or_default());
        out.push('…');
        rest = rest.get(end..).unwrap_or_default();
    }
}

/// Whether a sentence is in the first person singular, familiar, a request or a question to somebody, or takes something back.
fn speaks_to_the_writer(sentence: &str, languages: &[&str]) -> bool {
    let printed: Vec<String> = split(sentence).into_iter().map(str::to_lowercase).collect();
    let has = |list: &ByLanguage| {
        languages.iter().any(|language| {
            let list = list.of(language);
            printed.iter().any(|word| list.contains(word.as_str()))
        })
    };
    let folded = fold(sentence);
    let words = split(&folded);
    let requests = [&CHAT_QUESTIONS, &NEEDS, &ORDERS];
    let asks = (0..=WORDS_BEFORE).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        requests.iter().any(|list| list.open(rest))
    });
    let asks_you = sentence.contains(['?', '？']) && words.iter().any(|word| YOU.has_word(word));
    has(&I)
        || has(&FAMILIAR)
        || asks
        || asks_you
        || opens(&REQUESTS, sentence)
        || CHAT_ASIDES.any_in(&words)
        || retractions::retracts(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sign_anywhere_makes_a_brief_addressed() {
        for (language, text) in [
            ("en", "Morning Lucy,\n\nthey run four surgeries."),
            ("en", "The hall has 14 doors. I think two of them leak."),
            ("de", "Für Vela brauchen wir ein Angebot. 40 Tore."),
            ("fr", "Vela a 40 portes. Tu peux en faire une fiche ?"),
            ("es", "Necesito una propuesta para Vela. 40 puertas."),
            ("ja", "ベラ社向けの提案書を作成してください。扉は40枚です。"),
        ] {
            assert!(is_addressed(text, &[text.to_owned()], language), "{text}");
        }
        for (language, text) in [
            ("en", "Halden runs 40 gates in two harbours."),
            ("en", "\"I sleep again\", says their head of sites."),
            ("de", "Halden betreibt 40 Tore in zwei Häfen."),
        ] {
            assert!(!is_addressed(text, &[text.to_owned()], language), "{text}");
        }
    }
}
