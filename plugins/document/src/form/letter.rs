//! A letter on pages begins with its head, be that no more than the day; on a slide it is one text.

use crate::chapter::{Chapter, Role};
use crate::format::Format;

/// The chapters of a letter as its format shows them.
#[must_use]
pub fn laid_out(mut chapters: Vec<Chapter>, format: Format) -> Vec<Chapter> {
    let has_head = chapters
        .first()
        .is_some_and(|first| first.role == Role::LetterHead);
    match (format, has_head) {
        (Format::Pptx, true) => {
            let head = chapters.remove(0);
            if let Some(letter) = chapters.first_mut() {
                letter.blocks.splice(0..0, head.blocks);
            }
        }
        (Format::Docx | Format::Pdf, false) => {
            let heading = chapters.first().map(|first| first.heading.clone());
            let head = Chapter {
                heading: heading.unwrap_or_default(),
                role: Role::LetterHead,
                ..Chapter::default()
            };
            chapters.insert(0, head);
        }
        _ => {}
    }
    chapters
}

#[cfg(test)]
mod tests {
    use gtm_document_model::text::Run;

    use super::*;
    use crate::chapter::paragraph;

    fn chapter(role: Role) -> Chapter {
        Chapter {
            heading: "Lift 4".to_owned(),
            blocks: vec![paragraph(vec![Run::plain(format!("{role:?}"))])],
            role,
            ..Chapter::default()
        }
    }

    #[test]
    fn a_page_has_the_head_apart_and_a_slide_has_not() {
        let whole = || vec![chapter(Role::LetterHead), chapter(Role::Letter)];
        let roles = |chapters: &[Chapter]| -> Vec<(Role, usize)> {
            let chapters = chapters.iter();
            chapters.map(|it| (it.role, it.blocks.len())).collect()
        };
        assert_eq!(
            roles(&laid_out(whole(), Format::Docx)),
            [(Role::LetterHead, 1), (Role::Letter, 1)]
        );
        assert_eq!(roles(&laid_out(whole(), Format::Pptx)), [(Role::Letter, 2)]);
        let bare = laid_out(vec![chapter(Role::Letter)], Format::Pdf);
        assert_eq!(roles(&bare), [(Role::LetterHead, 0), (Role::Letter, 1)]);
        assert!(bare.iter().all(|it| it.heading == "Lift 4"));
    }
}
