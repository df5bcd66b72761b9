//! How many years of school English takes to read (Flesch and Kincaid). Other languages have other formulas, and none
//! is measured.

/// Fewest words of which something can be said.
pub(super) const FEWEST_WORDS: usize = 20;

/// The grade of words in sentences of this mean length; none for too few of them.
pub(super) fn grade<'w>(words: impl Iterator<Item = &'w str>, mean_sentence: f64) -> Option<f64> {
    let (mut count, mut syllables) = (0usize, 0usize);
    for word in words.filter(|word| word.chars().any(char::is_alphabetic)) {
        count += 1;
        syllables += syllables_of(word);
    }
    if count < FEWEST_WORDS {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "a message has few words")]
    let per_word = syllables as f64 / count as f64;
    Some(0.39 * mean_sentence + 11.8 * per_word - 15.59)
}

/// Runs of vowels, without those of endings that are not spoken; at least one.
fn syllables_of(word: &str) -> usize {
    let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let is_vowel = |at: usize| {
        letters
            .get(at)
            .is_some_and(|c| "aeiouyéèêáíóúäöü".contains(*c))
    };
    let runs =
        (0..letters.len()).filter(|at| is_vowel(*at) && !at.checked_sub(1).is_some_and(is_vowel));
    // `bite`, but not `table` or `the`.
    let silent = match letters.as_slice() {
        [.., before, 'l', 'e'] => "aeiouy".contains(*before),
        [_, .., before, 'e'] => letters.len() > 2 && !"aeiouy".contains(*before),
        _ => false,
    };
    // `billed`, but not `counted`.
    let past = word.len() > 3
        && matches!(letters.as_slice(), [.., c, 'e', 'd'] if !"aeioutd".contains(*c));
    runs.count()
        .saturating_sub(usize::from(silent) + usize::from(past))
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_are_counted_as_they_are_spoken() {
        for (word, count) in [
            ("one", 1),
            ("bill", 1),
            ("meter", 2),
            ("table", 2),
            ("reading", 2),
            ("operations", 4),
            ("the", 1),
            ("x", 1),
            ("", 1),
            ("installed", 2),
            ("counted", 2),
            ("need", 1),
        ] {
            assert_eq!(syllables_of(word), count, "{word}");
        }
    }

    #[test]
    fn plain_words_have_a_lower_grade() {
        let plain =
            "you get one bill for each flat from day one and no one has to read it by hand at all";
        let heavy = "organisational optimisation necessitates comprehensive operational reconfiguration initiatives throughout \
            multidisciplinary administrative environments facilitating transformational interoperability considerations \
            regarding infrastructural modernisation requirements encompassing decentralised accountability";
        let grade = |text: &str| grade(text.split(' '), 12.0);
        assert_eq!(grade("too short"), None);
        assert!(grade(plain).is_some_and(|grade| grade < 4.0));
        assert!(grade(heavy).is_none_or(|grade| grade > 15.0));
    }
}
