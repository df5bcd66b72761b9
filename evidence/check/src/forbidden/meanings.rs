//! The words of a promise by what they mean, in all languages (`messages.claims`).

use std::sync::LazyLock;

use gtm_lexicon::Phrases;
use gtm_lexicon::messages::{CLAIMS, ENDINGS};

/// Whether a word by itself is in a class.
pub(super) fn is_of_a_class(word: &str) -> bool {
    classes().iter().any(|class| class.phrases.has_word(word))
}

/// Words and phrases of one meaning in one language.
pub(super) struct Class {
    pub language: &'static str,
    pub meaning: &'static str,
    pub phrases: &'static Phrases,
}

/// The classes of all languages. One is known by its place here.
pub(super) fn classes() -> &'static [Class] {
    static ALL: LazyLock<Vec<Class>> = LazyLock::new(|| {
        let of = |language: &'static str| {
            let classes = CLAIMS.of(language);
            classes.map(move |(meaning, phrases)| Class {
                language,
                meaning,
                phrases,
            })
        };
        ENDINGS
            .iter()
            .flat_map(|(language, _)| of(language))
            .collect()
    });
    &ALL
}
