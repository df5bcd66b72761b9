//! Praise that nobody can check, told from phrases with the same words that praise nothing: `the best person to ask`, and
//! wishes with which a letter ends, `All the best`.

use std::ops::Range;

use super::passage::{UNREAD, Word, found};
use super::vocabulary::Vocabulary;

/// Where a passage praises what it sells.
pub(super) fn superlatives(
    text: &str,
    words: &[Word],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let plain = found(words, vocabulary.plain_superlatives);
    let mut praise = found(words, vocabulary.superlatives);
    praise.retain(|praise| {
        let first = plain.partition_point(|it| it.end <= praise.start);
        let mut near = plain.get(first..).unwrap_or_default().iter();
        !near
            .by_ref()
            .take_while(|it| it.start < praise.end)
            .any(|plain| plain.end != praise.end || is_wish(text, words, plain, praise))
    });
    praise
}

/// Whether a phrase that ends with the praise is a wish: nothing follows that it could be said of, and where it has no words of
/// its own, nothing stands before it.
fn is_wish(text: &str, words: &[Word], plain: &Range<usize>, praise: &Range<usize>) -> bool {
    let at = words.partition_point(|word| word.range.start < plain.start);
    let behind = words.partition_point(|word| word.range.start < plain.end);
    let next = words.get(behind);
    let ends = next.is_none_or(|next| {
        let between = text.get(plain.end..next.range.start).unwrap_or_default();
        next.folded == UNREAD || between.contains(|c: char| !c.is_whitespace() || c == '\n')
    });
    ends && (plain != praise || at == 0)
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::super::passage::{Passage, Source};
    use super::*;

    fn praise(language: &str, text: &str) -> Vec<String> {
        let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
        let words = passage.words(Source::is_own);
        let found = superlatives(&passage.text, &words, &Vocabulary::of(language));
        let found = found
            .into_iter()
            .map(|range| passage.text[range].to_owned());
        found.collect()
    }

    #[test]
    fn praise_is_told_from_plain_words() {
        assert_eq!(
            praise("en", "The best meters from the leading maker"),
            ["The best", "leading"]
        );
        assert_eq!(praise("de", "Die führende Lösung"), ["führende"]);
        for (language, text) in [
            ("en", "Who is the best person to ask?"),
            ("de", "Wer ist der beste Ansprechpartner?"),
        ] {
            assert_eq!(praise(language, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn wishes_at_the_end_of_a_letter_praise_nothing() {
        for (language, text) in [
            ("en", "All the best,"),
            ("en", "All the best"),
            ("en", "All the best\nAna"),
            ("en", "I wish you the best."),
            ("en", "All the best – Ana"),
            ("de", "Mit den besten Grüßen"),
            ("de", "Die besten Wünsche"),
            ("de", "Wir wünschen Ihnen nur das Beste."),
            ("fr", "Avec les meilleures salutations"),
            ("fr", "Les meilleurs vœux"),
            ("es", "Con los mejores deseos,"),
            ("es", "Reciba los mejores saludos"),
            ("it", "I migliori saluti"),
            ("it", "Con i migliori auguri,"),
            ("pt", "Com os melhores cumprimentos"),
            ("pt", "Os melhores votos"),
            ("nl", "Met de beste groeten"),
            ("nl", "De beste wensen"),
            ("nl", "Het beste, Ana"),
            ("nl", "Ik wens u het beste."),
        ] {
            assert_eq!(praise(language, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_begins_like_a_wish_praises_all_the_same() {
        for (language, text) in [
            ("en", "All the best meters come from us."),
            ("en", "We offer you the best prices."),
            ("en", "All the best of metering"),
            ("de", "Wir liefern alles, das Beste zum Schluss."),
            ("de", "Die besten Zähler und die besten Grüße"),
            ("de", "Wir geben Ihnen das Beste der Branche."),
            ("fr", "Les meilleurs relevés"),
            ("es", "Los mejores contadores"),
            ("it", "I migliori contatori"),
            ("pt", "Os melhores contadores"),
            ("nl", "De beste meters"),
            ("nl", "Wij leveren het beste."),
            ("nl", "Het beste meetbedrijf"),
        ] {
            assert_eq!(praise(language, text).len(), 1, "{text}");
        }
    }
}
