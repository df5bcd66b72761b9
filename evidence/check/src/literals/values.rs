//! Values of numbers in order: a rounded number is looked for in a range.
//!
//! DANGER: a page of nothing but numbers has hundreds of thousands of them, and a claim may have hundreds. Comparing each with
//! all takes a minute.

use std::ops::RangeInclusive;

use gtm_lexicon::numbers::{Counts, value_of};

#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    things: Vec<f64>,
    percent: Vec<f64>,
    hours: Vec<f64>,
}

impl Values {
    pub(super) fn of<'f>(forms: impl Iterator<Item = &'f str>) -> Self {
        let mut found = Self::default();
        for (counts, value) in forms.filter_map(value_of) {
            match counts {
                Counts::Things => found.things.push(value),
                Counts::Percent => found.percent.push(value),
                Counts::Hours => found.hours.push(value),
            }
        }
        for values in [&mut found.things, &mut found.percent, &mut found.hours] {
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            values.shrink_to_fit();
        }
        found
    }

    pub(super) fn has_within(&self, counts: Counts, range: &RangeInclusive<f64>) -> bool {
        let values = match counts {
            Counts::Things => &self.things,
            Counts::Percent => &self.percent,
            Counts::Hours => &self.hours,
        };
        let first = values.partition_point(|value| value < range.start());
        values.get(first).is_some_and(|value| value <= range.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_lexicon::numbers::Forms;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_range_is_found_as_among_all_forms(
            forms in prop::collection::btree_set("[0-9]{1,4}(\\.[1-9])?[%~]?|q[0-9]", 0..30),
            low in 0f64..10_000.0,
            width in 0f64..2_000.0,
        ) {
            let forms: BTreeSet<String> = forms;
            let values = Values::of(forms.iter().map(String::as_str));
            for counts in [Counts::Things, Counts::Percent, Counts::Hours] {
                let range = low..=low + width;
                prop_assert_eq!(values.has_within(counts, &range), forms.has_within(counts, &range));
            }
        }
    }
}
