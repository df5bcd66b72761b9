//! Whoever reviews a policy must see on what each of its rules rests.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;

#[test]
fn each_rule_of_each_policy_names_its_source() {
    for policy in ["policy-de", "policy-gb", "policy-us"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{policy}/README.md"));
        let readme = fs::read_to_string(&path).unwrap();
        assert!(
            readme.contains("**A fixture for counsel to review, not legal advice.**"),
            "{policy}"
        );
        let rows = readme.lines().skip_while(|line| *line != "|---|---|");
        let rows = rows.skip(1).take_while(|line| line.starts_with('|'));
        let mut count = 0;
        for row in rows {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [rule, source] = cells.as_slice() else {
                panic!("{policy}: {row}");
            };
            // A paragraph of a law, or in words that there is none.
            let names_law = source.contains(|c: char| c.is_ascii_digit());
            let says_why = source.split(' ').count() >= 4;
            assert!(
                !rule.is_empty() && (names_law || says_why),
                "{policy}: {row}"
            );
            count += 1;
        }
        assert!(count >= 5, "{policy}: {count}");
    }
}
