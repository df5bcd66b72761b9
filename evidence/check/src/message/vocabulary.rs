//! The words of one language by which messages are read.

use gtm_lexicon::{Phrases, messages, prose};
use gtm_page_text::primary_language;

/// The lists of one language. Where it has none, nothing of that kind is looked for, and the results say so.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    /// Primary subtag in lower case, such as `en`.
    pub language: String,
    /// Words that tell an amount without a figure, and phrases that only begin so.
    pub amounts: Option<&'static Phrases>,
    pub no_amounts: Option<&'static Phrases>,
    pub ask_objects: Option<&'static Phrases>,
    pub ask_openings: Option<&'static Phrases>,
    pub ask_phrases: Option<&'static Phrases>,
    pub ask_softeners: Option<&'static Phrases>,
    pub generic_openers: Option<&'static Phrases>,
    /// What the end of an offer presses with: what ends, how, and when.
    pub deadlines: Option<&'static Phrases>,
    pub jargon: Option<&'static Phrases>,
    pub lapses: Option<&'static Phrases>,
    pub limited: Option<&'static Phrases>,
    pub multiples: Option<&'static Phrases>,
    pub negations: Option<&'static Phrases>,
    pub observations: Option<&'static Phrases>,
    /// Words that end or deny something, and beside which words of `opt_out_mail` make a notice.
    pub opt_out_denials: Option<&'static Phrases>,
    pub opt_out_mail: Option<&'static Phrases>,
    pub opt_out_phrases: Option<&'static Phrases>,
    pub plain_superlatives: Option<&'static Phrases>,
    /// Words that tell where something was read.
    pub reports: Option<&'static Phrases>,
    pub results: Option<&'static Phrases>,
    pub seller_claims: Option<&'static Phrases>,
    /// Words around a number that press with a shortage.
    pub shortages: Option<&'static Phrases>,
    pub superlatives: Option<&'static Phrases>,
    pub superlatives_of_roles: Option<&'static Phrases>,
    pub urgency: Option<&'static Phrases>,
    /// Those phrases of urgency that may name what is offered.
    pub urgency_names: Option<&'static Phrases>,
    pub urgent_openings: Option<&'static Phrases>,
}

/// The language of a BCP 47 tag, in lower case.
pub(super) fn language_of(tag: &str) -> String {
    primary_language(tag).to_ascii_lowercase()
}

impl Vocabulary {
    /// The lists of the language of this BCP 47 tag.
    pub(super) fn of(tag: &str) -> Self {
        let language = language_of(tag);
        let code = language.as_str();
        Self {
            amounts: messages::AMOUNTS.of(code),
            no_amounts: messages::NO_AMOUNTS.of(code),
            ask_objects: messages::ASK_OBJECTS.of(code),
            ask_openings: messages::ASK_OPENINGS.of(code),
            ask_phrases: messages::ASK_PHRASES.of(code),
            ask_softeners: messages::ASK_SOFTENERS.of(code),
            generic_openers: messages::GENERIC_OPENERS.of(code),
            deadlines: messages::DEADLINES.of(code),
            jargon: messages::JARGON.of(code),
            lapses: messages::LAPSES.of(code),
            limited: messages::LIMITED.of(code),
            multiples: messages::MULTIPLES.of(code),
            negations: messages::NEGATIONS.of(code),
            observations: messages::OBSERVATIONS.of(code),
            opt_out_denials: messages::OPT_OUT_DENIALS.of(code),
            opt_out_mail: messages::OPT_OUT_MAIL.of(code),
            opt_out_phrases: messages::OPT_OUT_PHRASES.of(code),
            plain_superlatives: messages::PLAIN_SUPERLATIVES.of(code),
            reports: messages::REPORTS.of(code),
            results: messages::RESULTS.of(code),
            seller_claims: messages::SELLER_CLAIMS.of(code),
            shortages: messages::SHORTAGES.of(code),
            superlatives: messages::SUPERLATIVES.of(code),
            superlatives_of_roles: messages::SUPERLATIVES_OF_ROLES.of(code),
            urgency: messages::URGENCY.of(code),
            urgency_names: messages::URGENCY_NAMES.of(code),
            urgent_openings: messages::URGENT_OPENINGS.of(code),
            language,
        }
    }

    /// How often a text addresses its reader, and how often its writer speaks of himself; none if the language has no
    /// such lists.
    pub(super) fn you_and_we<'t>(
        &self,
        words: impl Iterator<Item = &'t str>,
    ) -> Option<(usize, usize)> {
        let code = self.language.as_str();
        let (you, we) = (messages::YOU.of(code), prose::WE.of(code));
        let (i, endings, no_endings) = (
            prose::I.of(code),
            prose::PLURAL_VERBS.of(code),
            prose::NO_PLURAL_VERBS.of(code),
        );
        you.iter().next()?;
        let mut found = (0, 0);
        for word in words {
            let word = word.replace('\u{2019}', "'");
            let lower = word.to_lowercase();
            let is_one_of =
                |list: gtm_lexicon::Words| list.contains(&word) || list.contains(&lower);
            let ends = |list: gtm_lexicon::Words| list.iter().any(|end| lower.ends_with(end));
            if is_one_of(you) {
                found.0 += 1;
            } else if is_one_of(we) || is_one_of(i) || (ends(endings) && !ends(no_endings)) {
                found.1 += 1;
            }
        }
        Some(found)
    }

    /// Whether words, as they are printed, speak of the reader or of the writer. `US` is a country and the `I` of a role a
    /// grade.
    pub(super) fn speaks_of_persons<'t>(&self, words: impl Iterator<Item = &'t str>) -> bool {
        let plain = words.filter(|word| word.chars().any(char::is_lowercase));
        self.you_and_we(plain).is_some_and(|(you, we)| you + we > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_and_writers_are_told_apart() {
        let count = |tag: &str, text: &str| {
            Vocabulary::of(tag).you_and_we(text.split([' ', ',', '.']).filter(|it| !it.is_empty()))
        };
        assert_eq!(
            count("en-GB", "You and your team, we’re late."),
            Some((2, 1))
        );
        assert_eq!(
            count("de", "Sie sagen, dass sie kommen. Wir auch."),
            Some((1, 1))
        );
        assert_eq!(
            count("fr", "Vous avez votre facture, nous aussi"),
            Some((2, 1))
        );
        assert_eq!(count("es", "Ayudamos a sus equipos"), Some((1, 1)));
        assert_eq!(count("it", "voi e noi"), None);
    }
}
