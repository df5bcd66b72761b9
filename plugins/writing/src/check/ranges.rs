//! Ranges of numbers: labels that no page prints.

use gtm_lexicon::numbers::{self as reader, InWords, Number};
use serde_json::Value;

use super::{Ground, Reading};
use crate::fault::Fault;

impl Ground<'_> {
    /// The range that an answer chose, if a cited excerpt has a number within it.
    pub(super) fn range(
        &self,
        text: &str,
        choices: &[&str],
        reading: &Reading<'_>,
    ) -> Result<Value, Fault> {
        let range = text.replace(['–', '—'], "-").replace([',', ' '], "");
        if !choices.contains(&range.as_str()) {
            return Err(Fault::Incomplete);
        }
        match self.has_within(&range, reading) {
            true => Ok(Value::from(range)),
            false => Err(Fault::Number),
        }
    }

    /// Whether a cited excerpt has a number within a range, or the answer a sum of such numbers.
    fn has_within(&self, range: &str, reading: &Reading<'_>) -> bool {
        let (low, high) = match range.split_once('-') {
            Some((low, high)) => (low.parse().ok(), high.parse().ok()),
            None => (range.trim_end_matches('+').parse().ok(), Some(f64::MAX)),
        };
        let (Some(low), Some(high)) = (low, high) else {
            return false;
        };
        let lies = |number: &Number| {
            let value = number.value().filter(|_| !number.is_percent());
            value.is_some_and(|value| (low..=high).contains(&value))
        };
        let cited = reading.citations.iter();
        let mut excerpts = cited.filter_map(|cited| self.excerpts.get(*cited));
        excerpts.any(|excerpt| reader::read(&excerpt.text, InWords::All).any(|it| lies(&it)))
            || !self
                .declared(reading, |sum| {
                    reader::read(&sum.result, InWords::Ignored).any(|it| lies(&it))
                })
                .is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::check::{Ground, Verdict};
    use crate::excerpts::Excerpts;
    use crate::form::{Field, Form, Support, Words, needed, plain};
    use crate::numbers::Derivation;
    use crate::scripted::site;
    use gtm_site_research::evidence::collect;
    use gtm_site_research::roles::Role;

    const HEADS: &[Field] = &[needed(
        "text",
        Form::Choice(&["1-10", "11-50", "5001+", "unknown"], Some("unknown")),
    )
    .of(Words::Range)];

    #[test]
    fn a_range_needs_a_number_within_it() {
        let research = site(&[(
            Role::Home,
            &[
                ("paragraph", "Our team of sixteen people builds dies."),
                ("list_item", "8 fitters"),
                ("list_item", "5 millers"),
            ],
        )]);
        let excerpts = Excerpts::choose(&research, &collect(&research), 9_000, &|_| 0);
        let ground = Ground::new(&excerpts, "", "", "en");
        let check = |range: &str, cited: &[u64], sums: &[Derivation]| {
            let answer = json!({"text": range, "citations": cited});
            match ground.check(plain(HEADS, Support::Fact), &answer, sums) {
                Verdict::Kept(kept) => kept.value == range,
                Verdict::Empty => {
                    assert_eq!(range, "unknown");
                    false
                }
                Verdict::Dropped(_) => false,
            }
        };
        assert!(check("11-50", &[1], &[]));
        for (range, cited) in [("1-10", 1), ("5001+", 1), ("unknown", 1), ("11-50", 2)] {
            assert!(!check(range, &[cited], &[]), "{range}");
        }
        let sums: Vec<Derivation> = Derivation::read("8+5", "13").into_iter().collect();
        assert!(check("11-50", &[2, 3], &sums));
    }
}
