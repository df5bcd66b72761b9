//! A draft as it is read by the words of languages that are not its tag's.

use gtm_domain::message::Structure;

use super::passage::Source;
use super::template::Template;
use super::text_language::also_read_in;
use super::vocabulary::Vocabulary;

/// One of these readings.
pub(super) struct OtherReading {
    pub vocabulary: Vocabulary,
    pub template: Template,
    /// Whether the draft as a whole is in this language, and not only a line or a phrase.
    pub is_of_the_whole: bool,
}

/// All of them; none if the tag's language has lists. DANGER: a tag without lists would be a way past every check.
pub(super) fn other_readings(
    structure: &Structure,
    template: &Template,
    vocabulary: &Vocabulary,
) -> Vec<OtherReading> {
    let own: Vec<String> = (template.lines.iter())
        .map(|line| line.passage.blanked(Source::is_own))
        .collect();
    let others = also_read_in(&own, vocabulary).into_iter();
    let others = others.map(|other| {
        let vocabulary = Vocabulary::of(other.code);
        OtherReading {
            template: Template::of(structure, &vocabulary),
            vocabulary,
            is_of_the_whole: other.is_of_the_whole,
        }
    });
    others.collect()
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::{BlockKind, RubricKey};

    use super::super::sample_draft::assessed;

    /// The checks that give no points to a template with these words in a block.
    fn failing(language: &str, words: &str) -> Vec<String> {
        let assessment = assessed(language, BlockKind::Value, words, &[]);
        let failing = assessment
            .checks
            .into_iter()
            .filter(|it| it.points == 0 && it.max > 0);
        failing.map(|it| it.key).collect()
    }

    fn fails(language: &str, words: &str, key: RubricKey) -> bool {
        failing(language, words).contains(&key.as_str().to_owned())
    }

    #[test]
    fn each_check_reads_a_draft_in_its_tags_language_and_in_that_of_its_words() {
        let whole = "We leverage synergies to read the meters of your flats for you, and you cut the costs of your house by \
            half with us.";
        for language in ["ga", "mul", "en"] {
            for key in [
                RubricKey::NoJargon,
                RubricKey::ApprovedNumbers,
                RubricKey::AnchoredFacts,
            ] {
                assert!(fails(language, whole, key), "{language} {key:?}");
            }
        }
        // Of a phrase alone, what presses and praises counts, and nothing else.
        for language in ["pl", "ja"] {
            assert!(
                fails(language, "Last chance.", RubricKey::HonestWording),
                "{language}"
            );
            assert!(
                fails(language, "World class.", RubricKey::HonestWording),
                "{language}"
            );
            assert!(
                !fails(language, "Synergies.", RubricKey::NoJargon),
                "{language}"
            );
        }
        assert!(!fails(
            "pl",
            "Rozliczamy mieszkania.",
            RubricKey::HonestWording
        ));
    }
}
