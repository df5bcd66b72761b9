//! Amounts that words tell: `thousands of`, `every second`, `half of`. What approves one is the same words, or a number of its
//! value, of the same thing.

use std::ops::RangeInclusive;

use gtm_lexicon::Phrases;
use gtm_lexicon::figures::{IMPLIED, MULTIPLES, NUMBERS, SCALES, SHARES};
use gtm_lexicon::messages;
use gtm_lexicon::numbers::Counts;

use super::beside::said_around;
use super::clauses::Said;
use super::passage::{Passage, Source};

/// Most amounts of approved texts that are kept.
const MOST: usize = 200;
/// The least that may be told in the plural: `dozens of`.
const LEAST_PLURAL: f64 = 10.0;
/// How many of what is told in the plural there are: thousands are two thousand at least, and no million.
const PLURAL: RangeInclusive<f64> = 2.0..=999.0;
/// How much a million may be rounded.
const ROUNDING: f64 = 0.005;

/// Amounts in words of approved texts.
#[derive(Debug, Clone, Default)]
pub(super) struct Amounts(Vec<Amount>);

#[derive(Debug, Clone)]
struct Amount {
    words: Vec<String>,
    /// What its text says around it. None where the words may be repeated wherever they stand.
    said: Option<Said>,
}

impl Amounts {
    /// Those of texts. `beside`: whether they approve the same words only of the same thing.
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>, beside: bool) -> Self {
        let mut found = Vec::new();
        for text in texts {
            let mut passage = Passage::default();
            passage.push(text, Source::Literal);
            let words = passage.words(Source::is_own);
            let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
            let lists = messages::AMOUNTS.iter().chain(messages::MULTIPLES.iter());
            let places = lists.flat_map(|(_, phrases): (_, &'static Phrases)| {
                phrases.places(&bare).collect::<Vec<_>>()
            });
            for (at, phrase) in places.take(MOST) {
                let told = words.get(at..at + phrase.len()).unwrap_or_default();
                let (Some(first), Some(last)) = (told.first(), told.last()) else {
                    continue;
                };
                let lead = text.get(..first.range.start).unwrap_or_default();
                let tail = text.get(last.range.end..).unwrap_or_default();
                found.push(Amount {
                    words: told.iter().map(|word| word.folded.clone()).collect(),
                    said: beside.then(|| said_around(lead, tail, None)),
                });
            }
        }
        found.truncate(MOST);
        Self(found)
    }

    /// Whether one of them is told in these words.
    /// `bears_out`: whether what is said around approved words bears out what is said around these.
    pub(super) fn approve(&self, words: &[&str], bears_out: impl Fn(&Said) -> bool) -> bool {
        let mut same = self.0.iter().filter(|amount| amount.words == words);
        same.any(|amount| amount.said.as_ref().is_none_or(&bears_out))
    }
}

/// The values of which one approves these words.
pub(super) fn values_of(words: &[&str], language: &str) -> Vec<(Counts, RangeInclusive<f64>)> {
    let language = Some(language);
    let near = |value: f64| value - 0.5..=value + 0.5;
    let rests = || (0..words.len()).filter_map(|at| Some((at, words.get(at..)?)));
    let share = rests().find_map(|(_, rest)| SHARES.at_start(rest, language).into_iter().next());
    if let Some((.., share)) = share {
        return vec![(Counts::Percent, near(share * 100.0))];
    }
    let plural = |at: usize, value: f64| match at == 0 && value >= LEAST_PLURAL {
        true => value * PLURAL.start()..=value * PLURAL.end(),
        false => value * (1.0 - ROUNDING)..=value * (1.0 + ROUNDING),
    };
    let scale = rests().find_map(|(at, rest)| {
        let (.., value) = SCALES.at_start(rest, language).into_iter().next()?;
        Some((Counts::Things, plural(at, value)))
    });
    if let Some(scale) = scale {
        return vec![scale];
    }
    // `one` is an article in most languages.
    let times = rests().find_map(|(at, rest)| {
        let mut found = [MULTIPLES, NUMBERS]
            .into_iter()
            .flat_map(|values| values.at_start(rest, language));
        let (.., value) = found.find(|(.., value)| *value != 1.0)?;
        Some((at, value))
    });
    if let Some((at, times)) = times {
        return vec![
            (Counts::Things, plural(at, times)),
            (Counts::Percent, near(times * 100.0)),
            (Counts::Percent, near((times - 1.0) * 100.0)),
        ];
    }
    // Every second one is a half.
    let one_of = rests().find_map(|(_, rest)| IMPLIED.at_start(rest, language).into_iter().next());
    let one_of = one_of.map(|(.., count)| (Counts::Percent, near(100.0 / count)));
    one_of.into_iter().collect()
}
