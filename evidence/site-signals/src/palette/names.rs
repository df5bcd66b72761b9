//! What the names of colours say of them.

use gtm_lexicon::Words;
use gtm_lexicon::class_names::{
    ACCENTS, ACTIONS, BODY_TEXT, FIRST_COLOURS, SECOND_COLOURS, SHADES, STATUS,
    SURELY_FIRST_COLOURS,
};

use super::ColorRole;
use crate::css::{ColorUse, words};
use crate::utilities::is_default_color;

/// Whether frameworks and site builders give this name to their own colours, used or not.
pub(super) fn is_framework_name(name: &str) -> bool {
    [
        "--bs-",
        "--wp-",
        "--tw-",
        "--bulma-",
        "--swiper-",
        "--fa-",
        "--ifm-",
        "--pico-",
        "--chakra-",
        "--mantine-",
        "--mdc-",
        "--mat-",
        "--md-",
        "--ant-",
        "--el-",
        "--toastify-",
        "--plyr-",
        "--color-red-",
        "--color-blue-",
        "--color-green-",
        "--color-gray-",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
        || is_default_color(name)
}

/// From so many colours on that the site calls its brand's, the word only says that they are its own: `--brand-ink`,
/// `--brand-paper`, `--brand-ember`.
const ALL_OF_BRAND: usize = 3;

/// Whether the site calls so many of its colours the brand's that it says nothing of one of them.
pub(super) fn calls_all_its_brand<'a>(colors: impl Iterator<Item = &'a ColorUse>) -> bool {
    let by_brand = |color: &&ColorUse| {
        let mut names = color.names.iter().filter(|name| !is_framework_name(name));
        names.any(|name| {
            let name = name.to_lowercase();
            let has = |wanted: Words| words(&name).any(|word| wanted.contains(word));
            let told = [SURELY_FIRST_COLOURS, SECOND_COLOURS, ACCENTS, SHADES];
            has(FIRST_COLOURS) && !told.into_iter().any(has)
        })
    };
    colors.filter(by_brand).count() >= ALL_OF_BRAND
}

/// The role that a colour's names claim. `all_of_brand` tells whether the site calls all its colours the brand's.
pub(super) fn claimed_role(color: &ColorUse, all_of_brand: bool) -> Option<ColorRole> {
    let own: Vec<String> = color
        .names
        .iter()
        .filter(|name| !is_framework_name(name))
        .map(|name| name.to_lowercase())
        // The shade for a state is not the colour itself.
        .filter(|name| !words(name).any(|word| SHADES.contains(word)))
        .collect();
    let has = |wanted: Words| {
        own.iter()
            .any(|name| words(name).any(|word| wanted.contains(word)))
    };
    if has(FIRST_COLOURS) && (!all_of_brand || has(SURELY_FIRST_COLOURS)) {
        // `--brand-secondary` names the second colour, not the main one.
        if has(SURELY_FIRST_COLOURS) || !(has(SECOND_COLOURS) || has(ACCENTS)) {
            return Some(ColorRole::Primary);
        }
    }
    if has(SECOND_COLOURS) {
        Some(ColorRole::Secondary)
    } else if has(ACCENTS) || has(ACTIONS) {
        Some(ColorRole::Accent)
    } else {
        None
    }
}

/// Whether a colour only signals success or failure: by its names, otherwise by what uses it.
pub(super) fn is_status(color: &ColorUse) -> bool {
    let status = |text: &&String| words(&text.to_lowercase()).any(|word| STATUS.contains(word));
    let names: Vec<&String> = color
        .names
        .iter()
        .filter(|name| !is_framework_name(name))
        .collect();
    if !names.is_empty() {
        // `--green` beside `--success` says nothing more, unless it paints more than messages.
        let claims = claimed_role(color, false);
        let told = names.iter().any(status) && claims.is_none() && color.weight <= 3;
        return told || names.iter().all(status);
    }
    // A framework's name for it tells, too, where hardly anything else has it.
    if color.weight <= 3 && color.names.iter().any(|name| status(&name)) {
        return true;
    }
    // Uses in messages have no weight, so any weight comes from other uses.
    let uses = color.selectors.iter().filter(status).count();
    color.weight <= 3 && uses * 2 > color.selectors.len()
}

/// The site's name for a colour: the shortest of its own names, preferring those that say what it is for.
pub(super) fn site_name(color: &ColorUse) -> Option<String> {
    color
        .names
        .iter()
        .filter(|name| !is_framework_name(name))
        .min_by_key(|name| {
            let lower = name.to_lowercase();
            let says = words(&lower).any(|word| {
                [FIRST_COLOURS, SECOND_COLOURS, ACCENTS]
                    .iter()
                    .any(|names| names.contains(word))
            });
            (!says, name.chars().count())
        })
        .map(|name| name.trim_start_matches('-').to_owned())
        .filter(|name| !name.is_empty())
}

/// Whether the site calls a colour nothing but that of text.
pub(super) fn names_text(color: &ColorUse) -> bool {
    let own = || color.names.iter().filter(|name| !is_framework_name(name));
    let is_text = |name: &String| words(&name.to_lowercase()).any(|word| BODY_TEXT.contains(word));
    own().next().is_some() && own().all(is_text)
}
