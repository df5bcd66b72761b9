//! What the measures need to know about languages.

use gtm_lexicon::Words;
use gtm_lexicon::prose::{DISTANT, FAMILIAR, I, NO_PLURAL_VERBS, PLURAL_VERBS, SMALL_WORDS, WE};
use gtm_page_text::primary_language;

/// Languages in which more is measured than in any script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    French,
    Spanish,
    Dutch,
    Italian,
    Portuguese,
    Turkish,
    Polish,
    Swedish,
    Danish,
    Czech,
}

impl Language {
    /// The language of a BCP 47 tag.
    pub(super) fn of(tag: &str) -> Option<Self> {
        match primary_language(tag).to_ascii_lowercase().as_str() {
            "en" => Some(Self::English),
            "de" => Some(Self::German),
            "fr" => Some(Self::French),
            "es" => Some(Self::Spanish),
            "nl" => Some(Self::Dutch),
            "it" => Some(Self::Italian),
            "pt" => Some(Self::Portuguese),
            "tr" => Some(Self::Turkish),
            "pl" => Some(Self::Polish),
            "sv" => Some(Self::Swedish),
            "da" => Some(Self::Danish),
            "cs" => Some(Self::Czech),
            _ => None,
        }
    }

    /// Whether verbs show who speaks, so that missing pronouns say nothing.
    pub(super) fn drops_pronouns(self) -> bool {
        matches!(
            self,
            Self::Spanish
                | Self::Italian
                | Self::Portuguese
                | Self::Turkish
                | Self::Polish
                | Self::Czech
        )
    }

    /// Whether the capitals of headings tell a habit: German capitalizes nouns anyway, and of the others the small
    /// words must be known.
    pub(super) fn has_headline_case(self) -> bool {
        self != Self::German && SMALL_WORDS.of(self.code()).iter().next().is_some()
    }

    fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Dutch => "nl",
            Self::Italian => "it",
            Self::Portuguese => "pt",
            Self::Turkish => "tr",
            Self::Polish => "pl",
            Self::Swedish => "sv",
            Self::Danish => "da",
            Self::Czech => "cs",
        }
    }

    /// Whether a word is a verb in the first person plural, in a language whose verb endings show it. Few
    /// nouns have the same endings.
    fn is_plural_verb(self, word: &str) -> bool {
        let ends = |endings: Words| endings.iter().any(|ending| word.ends_with(ending));
        word.chars().count() >= 5
            && ends(PLURAL_VERBS.of(self.code()))
            && !ends(NO_PLURAL_VERBS.of(self.code()))
    }

    /// Whether this word shows that a company speaks of itself in the first person plural.
    pub(super) fn says_we(self, word: &str) -> bool {
        WE.of(self.code()).contains(word) || self.is_plural_verb(word)
    }

    /// Words of the first person singular.
    pub(super) fn i(self) -> Words {
        I.of(self.code())
    }

    /// Words that address the reader familiarly.
    pub(super) fn familiar(self) -> Words {
        FAMILIAR.of(self.code())
    }

    /// Words that address the reader formally. Compare them as written: German "Sie" differs from "sie" only
    /// by its capital.
    pub(super) fn distant(self) -> Words {
        DISTANT.of(self.code())
    }

    /// Small words that stay in lower case in a title-case heading.
    pub(super) fn is_small_word(self, word: &str) -> bool {
        SMALL_WORDS.of(self.code()).contains(word)
    }
}
