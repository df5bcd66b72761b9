//! A set of short texts that takes little more memory than the texts themselves.
//!
//! DANGER: evidence is chosen by strangers, and a page of nothing but numbers has hundreds of thousands of
//! them. A tree of strings takes some seventy bytes for each.

use std::ops::Range;

/// From this many new bytes on, an addition may sort them in.
const LEAST_NEW_BYTES: usize = 64 * 1024;

/// The texts stand one after the other in one string.
#[derive(Debug, Clone, Default)]
pub(super) struct TextSet {
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
    /// How many of them are sorted and without duplicates.
    sorted: usize,
}

impl TextSet {
    /// Adds a text. [`settle`](Self::settle) has to follow before the set is read.
    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let new = self.text.len() - self.sorted_bytes();
        if new >= LEAST_NEW_BYTES && new >= self.sorted_bytes() {
            self.settle();
        }
    }

    /// Sorts what was added and drops duplicates.
    pub(super) fn settle(&mut self) {
        if self.sorted == self.ends.len() {
            return;
        }
        let mut order: Vec<Range<usize>> = (0..self.ends.len()).map(|at| self.range(at)).collect();
        order.sort_unstable_by(|a, b| self.text[a.clone()].cmp(&self.text[b.clone()]));
        order.dedup_by(|a, b| self.text[a.clone()] == self.text[b.clone()]);
        let mut text = String::with_capacity(order.iter().map(Range::len).sum());
        let mut ends = Vec::with_capacity(order.len());
        for range in order {
            text.push_str(&self.text[range]);
            ends.push(text.len());
        }
        self.sorted = ends.len();
        self.text = text;
        self.ends = ends;
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        debug_assert_eq!(self.sorted, self.ends.len(), "read before it was settled");
        let (mut low, mut high) = (0, self.sorted);
        while low < high {
            let middle = low.midpoint(high);
            match self.text[self.range(middle)].cmp(text) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|at| &self.text[self.range(at)])
    }

    fn range(&self, at: usize) -> Range<usize> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[at]
    }

    fn sorted_bytes(&self) -> usize {
        self.sorted.checked_sub(1).map_or(0, |last| self.ends[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_holds_what_was_added(rounds in prop::collection::vec(prop::collection::vec("[a-c]{0,3}", 0..40), 0..4), other in "[a-c]{0,3}") {
            let mut set = TextSet::default();
            let mut known = BTreeSet::new();
            for texts in rounds {
                texts.iter().for_each(|text| set.add(text));
                set.settle();
                known.extend(texts);
            }
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), known.iter().collect::<Vec<_>>());
            prop_assert!(known.iter().all(|text| set.contains(text)));
            prop_assert_eq!(set.contains(&other), known.contains(&other));
        }
    }

    #[test]
    fn many_equal_texts_take_no_room() {
        let mut set = TextSet::default();
        for _ in 0..1_000_000 {
            set.add("2026");
        }
        assert!(set.text.len() <= 2 * LEAST_NEW_BYTES, "{}", set.text.len());
        set.settle();
        assert_eq!(set.iter().collect::<Vec<_>>(), ["2026"]);
    }
}
