//! Notes of whoever speaks to the slides: `Notes: pause here`, `Commentaire pour l'intervenant : insister`.
//!
//! Danger: `Speaker: Jo Marsh` is told to those who come. So a label that is not known as a whole has a word of a note, or a
//! preposition, beside the speaker.

use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{NOTE_FILLERS, NOTE_WORDS, SPEAKER_NOTES, SPEAKERS};
use gtm_lexicon::{fold, split};

use crate::runs::{part_of, trimmed};

/// Longest label, in words.
const LABEL_WORDS: usize = 6;

/// Whether a label says that what stands behind it is for whoever speaks.
pub fn is_label(label: &str) -> bool {
    let folded = fold(label);
    let words = split(&folded);
    SPEAKER_NOTES.are(&words) && words.len() <= LABEL_WORDS || is_made(&words)
}

/// `Hinweis für den Vortragenden`: nothing but words of a note, of a speaker and between them.
fn is_made(words: &[&str]) -> bool {
    if !(2..=LABEL_WORDS).contains(&words.len()) {
        return false;
    }
    let mut at = 0;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let known = [&NOTE_WORDS, &NOTE_FILLERS, &SPEAKERS]
            .into_iter()
            .flat_map(|list| list.at_start(rest));
        match known.map(<[_]>::len).max() {
            Some(length) => at += length,
            None => return false,
        }
    }
    NOTE_WORDS.any_in(words) && SPEAKERS.any_in(words)
}

/// Notes of a speaker: a paragraph that begins with such a label.
pub fn notes(runs: &[Run]) -> Option<Vec<Run>> {
    let text = plain_text(runs);
    let (label, rest) = text.split_once([':', '：'])?;
    let begin = text.len() - rest.len();
    let kept = part_of(runs, std::slice::from_ref(&(begin..text.len())));
    is_label(label)
        .then(|| trimmed(kept))
        .filter(|kept| !kept.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_a_speaker_are_told() {
        let runs = [Run::plain("Speaker notes: Pause here.")];
        let found = notes(&runs);
        assert_eq!(
            found.map(|runs| plain_text(&runs)).as_deref(),
            Some("Pause here.")
        );
        assert_eq!(notes(&[Run::plain("Pause: here")]), None);
    }

    #[test]
    fn labels_of_notes_name_the_speaker() {
        for label in [
            "Speaker's aside",
            "Comment for the presenter",
            "Hinweis für den Vortragenden",
            "Commentaire pour l'orateur",
            "Nota para la ponente",
            "Nota per la relatrice",
            "Notitie voor de spreker",
            "Comentário para a oradora",
            "ملاحظة للمتحدث",
        ] {
            assert!(is_label(label), "{label}");
        }
        for label in [
            "Speaker",
            "Sprecher",
            "Speakers and times",
            "Note",
            "Orateur",
        ] {
            assert!(!is_label(label), "{label}");
        }
    }
}
