//! Which language a text is in, where the page doesn't say: by its commonest words.

use gtm_lexicon::language::MARKERS;

use crate::words;

/// The language's primary tag, or `und` when the text is too short or in none of the known ones.
pub fn detect(text: &str) -> &'static str {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let mut best = ("und", 0usize);
    let mut second = 0usize;
    for (tag, markers) in MARKERS.iter() {
        let hits = words
            .iter()
            .take(2_000)
            .filter(|word| markers.contains(word))
            .count();
        if hits > best.1 {
            second = best.1;
            best = (tag, hits);
        } else if hits > second {
            second = hits;
        }
    }
    if best.1 >= 4 && best.1 > second {
        best.0
    } else {
        "und"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_their_commonest_words() {
        assert_eq!(
            detect("We build the tools that keep the cold chain cold for our customers and you."),
            "en"
        );
        assert_eq!(
            detect(
                "Wir entwickeln die Messtechnik, mit der das Gebäude und die Anlage sparsam sind."
            ),
            "de"
        );
        assert_eq!(detect("Kühlkette"), "und");
    }
}
