//! Where words tell how many times as much, or which part: `twice as`, `half of`, `半額`. What they say is a number like one in
//! digits.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_lexicon::Phrases;
use gtm_lexicon::figures::SPANS;

use super::passage::Word;

/// Their places in a text, without those of phrases that only begin like them. In scripts without blanks that is the word itself, and not the run of letters around it.
pub(super) fn told_in_words(
    text: &str,
    words: &[Word],
    multiples: &'static Phrases,
    but: Option<&'static Phrases>,
) -> Vec<Range<usize>> {
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let but: BTreeSet<usize> = but
        .into_iter()
        .flat_map(|but| but.places(&bare))
        .flat_map(|(at, phrase)| at..at + phrase.len())
        .collect();
    let places = multiples.places(&bare);
    let places = places.filter(|(at, _)| !but.contains(at));
    let found = places.filter_map(|(at, phrase)| {
        let last = words.get(at + phrase.len() - 1)?;
        let whole = words.get(at)?.range.start..last.range.end;
        let inner = phrase.first()?.strip_prefix('*');
        let inner = inner.and_then(|inner| inner.strip_suffix('*'));
        let written = text.get(whole.clone()).unwrap_or_default();
        // With a sign within that nobody sees it is not found, and the run stands for it.
        let within = inner.and_then(|inner| Some((written.find(inner)?, inner.len())));
        Some(within.map_or(whole.clone(), |(begin, length)| {
            whole.start + begin..whole.start + begin + length
        }))
    });
    found.collect()
}

/// Whether what follows makes a time of it: `in half an hour`.
pub(super) fn is_time(words: &[Word], range: &Range<usize>) -> bool {
    let behind = words.partition_point(|word| word.range.start < range.end);
    let next: Vec<&str> = words
        .iter()
        .skip(behind)
        .take(3)
        .map(|word| word.folded.as_str())
        .collect();
    let article = next.first().is_some_and(|word| word.len() <= 2);
    article && next.get(1..).is_some_and(|rest| SPANS.open(rest))
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;
    use proptest::prelude::*;

    use super::super::numbers::Approved;
    use super::super::passage::{Passage, Source};
    use super::super::vocabulary::Vocabulary;

    /// The numbers of a text that the approved one does not have.
    fn missing(language: &str, approved: &str, text: &str) -> Vec<String> {
        let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
        let approved = Approved::beside_words_of([approved]);
        let found = approved.missing_in(&passage, &Vocabulary::of(language), Source::is_own);
        let found = found.into_iter().map(|range| text[range].to_owned());
        found.collect()
    }

    #[test]
    fn parts_and_multiples_in_words_need_an_approval() {
        for (language, text, told) in [
            ("en", "It takes half the time.", "half the"),
            ("en", "Ask for it at half price.", "half price"),
            ("en", "You get twice what you had.", "twice what"),
            ("en", "We double your output.", "We double"),
            ("en", "A fifth of it is lost.", "A fifth of"),
            ("de", "Sie zahlen die Hälfte.", "Hälfte"),
            ("de", "Zum halben Preis.", "halben Preis"),
            ("de", "Das geht doppelt so schnell.", "doppelt so"),
            ("de", "In der halben Zeit fertig.", "halben Zeit"),
            ("fr", "Vous payez la moitié.", "moitié"),
            ("fr", "À moitié prix.", "moitié"),
            ("fr", "À demi-tarif.", "demi-tarif"),
            ("es", "A mitad de precio.", "mitad de"),
            ("it", "A metà prezzo.", "metà"),
            ("pt", "Por metade do preço.", "metade"),
            ("nl", "Voor de halve prijs.", "halve prijs"),
            ("ja", "費用が半分になります。", "半分"),
            ("ja", "今なら半額です。", "半額"),
            ("ja", "処理速度が倍増します。", "倍増"),
        ] {
            let found = missing(language, "", text);
            assert!(
                found.iter().any(|it| it.contains(told)),
                "{text}: {found:?}"
            );
        }
        for (language, text) in [
            ("en", "It takes half an hour."),
            ("en", "Twice a week somebody reads them."),
            ("en", "A double door."),
            ("de", "Niemand erfasst etwas doppelt."),
            ("fr", "Un double vitrage."),
            ("it", "La meta è vicina."),
            ("ja", "半年ごとに検針します。"),
        ] {
            assert_eq!(missing(language, "", text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_the_offer_says_in_words_may_be_repeated() {
        for (language, text) in [
            ("en", "Reading takes half the time."),
            ("de", "Das Ablesen dauert halb so lange."),
            ("ja", "検針時間が半分になります。"),
        ] {
            assert_eq!(
                missing(language, text, text),
                Vec::<String>::new(),
                "{text}"
            );
        }
    }

    proptest! {
        /// Wherever it stands in a run of letters, with whatever sign in it that nobody sees.
        #[test]
        fn a_part_is_found_within_a_run(
            before in "[あ-ん]{0,6}", after in "[ア-ン]{0,6}",
            hidden in prop::sample::select(vec!["", "\u{200b}", "\u{2060}"]),
            (first, last) in prop::sample::select(vec![("半", "額"), ("半", "分"), ("倍", "増")]),
        ) {
            let text = format!("{before}{first}{hidden}{last}{after}。");
            prop_assert!(!missing("ja", "", &text).is_empty(), "{}", text);
        }
    }
}
