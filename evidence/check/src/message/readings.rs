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
