//! Names of icons that a font draws as pictures: `<span class="material-icons">download</span>`.

use gtm_lexicon::class_names::{ICON_FONTS, ICONS};
use gtm_lexicon::documents::NEGATIONS;

/// Most characters of the name of an icon.
const LONGEST_NAME: usize = 40;

/// Whether the element's own text may be such a name: its class is that of a font of icons, or it is an inline element
/// whose class names an icon.
pub(super) fn draws_text(name: &str, classes: Option<&str>) -> bool {
    if matches!(name, "mat-icon" | "md-icon") {
        return true;
    }
    let Some(classes) = classes else {
        return false;
    };
    let classes = classes.to_ascii_lowercase();
    classes.split_ascii_whitespace().any(|class| {
        let parted = |c: char| !c.is_ascii_alphanumeric();
        let words: Vec<&str> = class
            .split(parted)
            .filter(|word| !word.is_empty())
            .collect();
        // `icon-label` stands beside the icon.
        let is_icon = || {
            matches!(name, "i" | "span") && words.last().is_some_and(|last| ICONS.contains(last))
        };
        ICON_FONTS.any_in(&words) || is_icon()
    })
}

/// Whether a text has the form of the name of an icon: one word in small letters, as `download` and `arrow_forward`. A word
/// that denies the sentence around it is none, whatever its class says.
pub(super) fn is_name_of_icon(text: &str) -> bool {
    let text = text.trim();
    text.len() <= LONGEST_NAME
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_lowercase())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && !NEGATIONS.has_word(text)
}

#[cfg(test)]
mod tests {
    use crate::html::blocks;

    #[test]
    fn what_a_font_draws_is_no_text() {
        for (html, expected) in [
            (
                "<a href=d><i class='material-icons'>download</i> Price list</a>",
                "Price list",
            ),
            (
                "<a href=d>Stairs <span class='material-symbols-outlined arrow'>\n arrow_forward </span></a>",
                "Stairs",
            ),
            ("<mat-icon>4k</mat-icon><p>Pictures</p>", "Pictures"),
            (
                "<div class='material-icons'>east</div><p>Stairs</p>",
                "Stairs",
            ),
            ("<span class='btn__icon'>add</span><p>Stairs</p>", "Stairs"),
            (
                "<span class='icon-label'>download</span> now",
                "download now",
            ),
            ("<div class='icon'>oak</div>", "oak"),
            (
                "<p>Stairs are <span class='icon'>not</span> sold.</p>",
                "Stairs are not sold.",
            ),
            (
                "<span class='icon'>Oak</span><span class='icon'> and ash</span>",
                "Oak and ash",
            ),
        ] {
            let found: Vec<String> = blocks(html).into_iter().map(|block| block.text).collect();
            assert_eq!(found, [expected], "{html}");
        }
    }
}
