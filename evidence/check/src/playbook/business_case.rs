//! Sums of the business case, calculated again.

use std::borrow::Cow;

use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::{self, InWords};
use gtm_lexicon::with_ascii_digits;
use serde_json::Value;

/// The texts of a sum to judge: what it says, without the results, and the numbers that it begins with. `None` if the formula
/// does not give its result.
pub(super) fn texts(item: &Value) -> Option<Vec<Cow<'_, str>>> {
    let said = item.get("text")?.as_str()?;
    let (formula, result) = item.get("formula")?.as_str()?.rsplit_once('=')?;
    let sum = Sum::read(formula, result)?;
    let begun: Vec<String> = sum
        .operands
        .iter()
        .map(|number| match number.is_percent() {
            true => format!("{}%", number.form()),
            false => number.form().to_owned(),
        })
        .collect();
    Some(vec![
        Cow::Owned(without_results(said, &sum)),
        Cow::Owned(begun.join(" ")),
    ])
}

/// The text without the numbers that the sum gives.
fn without_results(text: &str, sum: &Sum) -> String {
    let text = with_ascii_digits(text);
    let mut kept = String::new();
    let mut from = 0;
    for number in numbers::read(&text, InWords::Ignored).filter(|number| sum.gives(number)) {
        kept.push_str(text.get(from..number.place.start).unwrap_or_default());
        from = number.place.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn judged(text: &str, formula: &str) -> Option<Vec<String>> {
        let item = json!({"text": text, "formula": formula});
        texts(&item).map(|texts| texts.into_iter().map(Cow::into_owned).collect())
    }

    #[test]
    fn a_sum_is_what_it_begins_with() {
        assert_eq!(
            judged(
                "46 sites at 29 euros are 1,334 euros a month.",
                "46*29=1334"
            )
            .unwrap(),
            ["46 sites at 29 euros are  euros a month.", "46 29"]
        );
        assert_eq!(
            judged("That saves 20% of 340 posts, 68.", "340 * 20 / 100 = 68").unwrap(),
            ["That saves 20% of 340 posts, .", "340 20"]
        );
    }

    #[test]
    fn a_wrong_sum_is_none() {
        for formula in [
            "46*29=1400",
            "46*29",
            "=1334",
            "many*29=1334",
            "1334=1334",
            "",
        ] {
            assert_eq!(judged("1,334 euros", formula), None, "{formula}");
        }
        assert_eq!(texts(&json!({"text": "x"})), None);
    }
}
