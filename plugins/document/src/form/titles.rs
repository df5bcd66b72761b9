//! Titles of slides: the heading, or the first sentence below it where that says more.

use std::ops::Range;

use gtm_document_model::text::Run;
use gtm_lexicon::company::REFERRING;
use gtm_lexicon::documents::HINTS;
use gtm_lexicon::{fold, split};

use crate::brief::count_words;
use crate::runs::{cut, part_of};
use crate::sender;

/// Most words and characters of a title.
const TITLE_WORDS: usize = 13;
const TITLE_CHARS: usize = 90;
/// Words of a heading that only names its subject.
const SUBJECT_WORDS: usize = 4;
/// Most words of a title with more than one clause.
const CLAUSE_WORDS: usize = 9;

/// Whether a heading only names its subject, so that a sentence says more. One with a number, a name of a part or a question is
/// what the audience will ask for: `Phase 2: Hall 14`, `Why us?`.
pub fn names_a_subject(heading: &str) -> bool {
    count_words(heading) <= SUBJECT_WORDS
        && !heading.contains(char::is_numeric)
        && !heading.contains(['?', '？', '؟', '!', '！', ':', '：', '–', '—'])
}

/// Whether a sentence is understood by itself: it speaks of nothing that stands elsewhere, asks for nothing, and is no list of
/// clauses.
fn stands_alone(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let refers = words
        .iter()
        .find(|word| !word.is_empty())
        .is_some_and(|word| REFERRING.contains(word));
    let clauses = sentence.contains([
        ';', '；', '(', '（', '"', '“', '„', '«', '@', '/', ':', '：',
    ]) || (sentence.contains([',', '，']) && count_words(sentence) > CLAUSE_WORDS);
    !refers && !clauses && !HINTS.open(&words)
}

/// The sentence as a title, if it is one that states a point and has nothing that a title cannot have.
pub fn statement(runs: &[Run], text: &str, place: Range<usize>) -> Option<String> {
    let sentence = text.get(place.clone())?.trim();
    let part = part_of(runs, &[place]);
    // What the sender says itself needs no note, so nothing is lost where a title cannot have one.
    let own = [sender::BRAND, sender::OFFER, sender::BRIEF];
    let plain = part
        .iter()
        .all(|run| run.href.is_none() && run.cite.iter().all(|id| own.contains(&id.as_str())));
    let ends = sentence.ends_with(['?', '？', ':', '：']);
    let title = sentence.trim_end_matches(['.', '。']);
    let fits = plain
        && !ends
        && stands_alone(title)
        && !sentence.contains('\n')
        && (3..=TITLE_WORDS).contains(&count_words(title))
        && title.chars().count() <= TITLE_CHARS;
    fits.then(|| cut(title, TITLE_CHARS))
}

#[cfg(test)]
mod tests {
    use super::super::slides::slides;
    use super::*;
    use crate::chapter::{Chapter, paragraph};
    use gtm_document_model::block::{Block, Heading};

    fn title_of(heading: &str, text: &str) -> String {
        let chapter = Chapter {
            heading: heading.to_owned(),
            blocks: vec![paragraph(vec![Run::plain(text)])],
            ..Chapter::default()
        };
        let slides = slides(vec![chapter], "en", false, None);
        slides
            .first()
            .map(|slide| slide.title.clone())
            .unwrap_or_default()
    }

    #[test]
    fn a_sentence_that_states_the_point_is_the_title() {
        let text = "Readings arrive one shift late. Errors show at the next audit.";
        assert_eq!(title_of("Today", text), "Readings arrive one shift late");
    }

    #[test]
    fn a_heading_stays_where_it_says_more_than_the_first_sentence() {
        for (heading, text) in [
            ("Today", "It takes 40 minutes a shift. Errors show late."),
            ("Today", "These readings arrive late. Errors show late."),
            (
                "Why Coldwise?",
                "Readings arrive one shift late. Errors show late.",
            ),
            (
                "Phase 2",
                "Readings arrive one shift late. Errors show late.",
            ),
            (
                "Phase two: Leeds",
                "Readings arrive one shift late. Errors show late.",
            ),
            ("Today", "The hall (built in May) is dry. Errors show late."),
            ("Today", "Please see the hall in May. Errors show late."),
            (
                "Today",
                "Readings arrive late, errors show later, and nobody in the hall knows. It rains.",
            ),
        ] {
            assert_eq!(title_of(heading, text), heading, "{text}");
        }
    }
    #[test]
    fn parts_bear_the_name_of_a_chapter_that_has_no_slide() {
        let heading = |text: &str| {
            let runs = vec![Run::plain(text)];
            Block::Heading(Heading { level: 2, runs })
        };
        let said = |text: &str| paragraph(vec![Run::plain(text)]);
        let titles = |blocks: Vec<Block>, as_written: bool| -> Vec<String> {
            let chapter = Chapter {
                heading: "Cost".to_owned(),
                blocks,
                ..Chapter::default()
            };
            let slides = slides(vec![chapter], "en", as_written, None);
            slides.into_iter().map(|slide| slide.title).collect()
        };
        let parts = || {
            vec![
                heading("Hardware"),
                said("£410."),
                heading("Service"),
                said("£39."),
            ]
        };
        assert_eq!(
            titles(parts(), false),
            ["Cost – Hardware", "Cost – Service"]
        );
        assert_eq!(titles(parts(), true), ["Hardware", "Service"]);
        let mut led = parts();
        led.insert(0, said("It pays back in nine months."));
        let shown = titles(led, false);
        assert_eq!(
            shown.get(1..),
            Some(&["Hardware".to_owned(), "Service".to_owned()][..])
        );
    }
}
