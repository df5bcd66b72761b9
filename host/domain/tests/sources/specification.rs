//! `docs/specification-tests.md` says which test holds which rule of the specification. These tests hold the page to the
//! sources: a test that was renamed or removed leaves a rule without one.

use std::collections::BTreeSet;
use std::fs;

use super::{has_word, root};

const PAGE: &str = "docs/specification-tests.md";

/// The rules with their tests, as paths from the root and names.
fn rules() -> Vec<(String, Vec<(String, String)>)> {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let rows = page.lines().filter_map(|line| {
        let (rule, tests) = line.strip_prefix("| ")?.split_once(" | ")?;
        let tests = tests.split('`').filter_map(|test| {
            let (path, name) = test.split_once("::")?;
            Some((path.to_owned(), name.to_owned()))
        });
        Some((rule.to_owned(), tests.collect()))
    });
    rows.filter(|(rule, _)| rule != "rule").collect()
}

#[test]
fn every_rule_has_a_test_that_is_there() {
    let rules = rules();
    assert!(rules.len() > 50, "{}", rules.len());
    for (rule, tests) in &rules {
        assert!(!tests.is_empty(), "{rule}");
        for (path, name) in tests {
            let source = fs::read_to_string(root().join(path));
            let source = source.unwrap_or_else(|error| panic!("{path} of {rule}: {error}"));
            let is_there = source.contains(&format!("fn {name}(")) && has_word(&source, name);
            assert!(is_there, "{path} has no test {name}, of {rule}");
        }
    }
}

#[test]
fn no_rule_stands_twice() {
    let mut known = BTreeSet::new();
    for (rule, _) in rules() {
        assert!(known.insert(rule.clone()), "{rule}");
    }
}
