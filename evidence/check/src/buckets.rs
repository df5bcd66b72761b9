//! Headcount ranges. `51-200` is a label of annex A2, not a number that a page prints. It is supported if
//! some number of the evidence lies inside it.

/// The ranges of annex A2 with their bounds.
const RANGES: [(&str, u64, u64); 7] = [
    ("1-10", 1, 10),
    ("11-50", 11, 50),
    ("51-200", 51, 200),
    ("201-500", 201, 500),
    ("501-1000", 501, 1000),
    ("1001-5000", 1001, 5000),
    ("5001+", 5001, u64::MAX),
];

/// The bounds of a headcount range; `None` if the text is not one.
#[must_use]
pub fn bounds(label: &str) -> Option<(u64, u64)> {
    let label = label.replace(['–', '—'], "-").replace([',', ' '], "");
    RANGES
        .iter()
        .find(|(name, ..)| *name == label)
        .map(|(_, low, high)| (*low, *high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_other_texts() {
        assert_eq!(bounds("51-200"), Some((51, 200)));
        assert_eq!(bounds("1,001–5,000"), Some((1001, 5000)));
        assert_eq!(bounds("about 120"), None);
    }
}
