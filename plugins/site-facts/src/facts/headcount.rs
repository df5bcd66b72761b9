//! How many people work at the company, as one of the ranges of annex A2.

use gtm_lexicon::staff::{LABELS, MORE_THAN};
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::facts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::staff;
use gtm_site_research::words;
use serde_json::Value;

use super::company_table::{self, Form};
use super::labels::{Labelled, labelled};
use crate::conflicts::{Statement, settle};
use crate::draft::{Draft, EMPLOYEE_RANGE};
use crate::organization::texts_of;
use crate::site::Site;

/// Collects the number of employees.
pub fn collect(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    let (mut statements, mut in_letters) = (Vec::new(), Vec::new());
    let told = evidence
        .own_sentences()
        .map(|sentence| (sentence, 2))
        .chain(
            evidence
                .sentences
                .iter()
                .filter(|sentence| sentence.role == Role::External)
                .map(|sentence| (sentence, 1)),
        );
    // What a vacancy lists are its tasks: a team to lead is not the staff.
    let told = told.filter(|(sentence, _)| {
        sentence.role != Role::Careers || sentence.kind != BlockKind::ListItem
    });
    for (sentence, weight) in told {
        if let Some((number, words)) = staff::stated(sentence)
            && let Some(range) = number.parse().ok().and_then(|n| range(beyond(n, &words)))
        {
            let statement = said(range, sentence.page, &sentence.text, weight);
            match words.contains(char::is_numeric) {
                true => statements.push(statement),
                false => in_letters.push(statement),
            }
        }
    }
    for pair in labelled(pairs, &LABELS) {
        if let Some(range) = in_words(pair.value) {
            let mut statement = said(range, pair.page, "", 2);
            statement.excerpts.clone_from(&pair.excerpts);
            statements.push(statement);
        }
    }
    for (form, pair) in company_table::rows(pairs) {
        if form == Form::People
            && let Some(count) = staff::counted(pair.value)
            && let Some(range) = range(beyond(count, pair.value))
        {
            let mut statement = said(range, pair.page, "", 2);
            statement.excerpts.clone_from(&pair.excerpts);
            statements.push(statement);
        }
    }
    for organization in &site.organizations {
        let Some(value) = organization.members.get("numberOfEmployees") else {
            continue;
        };
        if let Some((range, words)) = declared(value) {
            let mut statement = said(range, organization.page, "", 1);
            statement.excerpts = words
                .into_iter()
                .map(|text| Excerpt {
                    page: organization.page,
                    text,
                })
                .collect();
            statements.push(statement);
        }
    }
    if let Some(data) = &site.company_data
        && let Some(count) = data.facts.employee_count
        && let Some(range) = range(count)
    {
        let mut statement = said(range, data.page, "", 1);
        statement.excerpts = vec![data.excerpt(count.to_string())];
        statements.push(statement);
    }
    // A number in words is often that of some of the staff, so one in digits wins.
    if statements.is_empty() {
        statements = in_letters;
    }
    settle(draft, EMPLOYEE_RANGE, statements);
}

fn said(range: &str, page: usize, words: &str, weight: u32) -> Statement {
    Statement {
        key: range.to_owned(),
        value: range.into(),
        excerpts: vec![Excerpt {
            page,
            text: words.to_owned(),
        }],
        weight,
    }
}

/// The range that contains every number of a short text: `85`, `about 120`, `51–200`.
fn in_words(text: &str) -> Option<&'static str> {
    let text = words::with_ascii_digits(text);
    // Behind a bracket stands of when the number is.
    let text = text
        .split(['(', '（', '［', '['])
        .next()
        .unwrap_or_default();
    if text.split_whitespace().count() > 4 {
        return None;
    }
    let ranges: Option<Vec<&'static str>> = facts::numbers(text)
        .iter()
        .map(|number| number.parse().ok().and_then(|n| range(beyond(n, text))))
        .collect();
    let ranges = ranges?;
    let first = *ranges.first()?;
    ranges.iter().all(|range| *range == first).then_some(first)
}

/// The least that a text counts: `more than 500` are 501.
fn beyond(count: u64, text: &str) -> u64 {
    let folded = words::fold(text);
    let more = MORE_THAN.any_in(&words::split(&folded)) || text.contains(['+', '＋']);
    count.saturating_add(u64::from(more))
}

/// The range that contains the number.
fn range(count: u64) -> Option<&'static str> {
    Some(match count {
        0 => return None,
        1..=10 => "1-10",
        11..=50 => "11-50",
        51..=200 => "51-200",
        201..=500 => "201-500",
        501..=1_000 => "501-1000",
        1_001..=5_000 => "1001-5000",
        _ => "5001+",
    })
}

/// The range in structured data: of a number, or of limits that fall in the same range. A limit alone leaves the other
/// side open, so it tells the range only at the ends of the scale.
fn declared(value: &Value) -> Option<(&'static str, Vec<String>)> {
    let mut words = Vec::new();
    match value {
        Value::Object(object) => {
            for member in ["value", "minValue", "maxValue"] {
                if let Some(inner) = object.get(member) {
                    texts_of(inner, 0, &mut words);
                }
            }
        }
        other => texts_of(other, 0, &mut words),
    }
    let ranges: Option<Vec<&'static str>> = words
        .iter()
        .map(|text| text.replace([',', ' '], "").parse().ok().and_then(range))
        .collect();
    let ranges = ranges?;
    let first = *ranges.first()?;
    let has = |member: &str| value.get(member).is_some();
    let is_open = match (has("value"), has("minValue"), has("maxValue")) {
        (false, true, false) => Some(first) != range(u64::MAX),
        (false, false, true) => Some(first) != range(1),
        _ => false,
    };
    let agree = ranges.iter().all(|range| *range == first);
    (agree && !is_open).then_some((first, words))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_structured_data_become_ranges() {
        let of = |value: Value| declared(&value).map(|(range, _)| range);
        assert_eq!(of(json!(85)), Some("51-200"));
        assert_eq!(of(json!("1,200")), Some("1001-5000"));
        assert_eq!(
            of(json!({"@type": "QuantitativeValue", "minValue": 51, "maxValue": 200})),
            Some("51-200")
        );
        assert_eq!(of(json!({"minValue": 10, "maxValue": 200})), None);
        assert_eq!(of(json!({"minValue": 20})), None);
        assert_eq!(of(json!({"maxValue": 200})), None);
        assert_eq!(of(json!({"minValue": 5200})), Some("5001+"));
        assert_eq!(of(json!({"maxValue": 9})), Some("1-10"));
        assert_eq!(of(json!("many")), None);
        assert_eq!(of(json!({})), None);
    }

    #[test]
    fn numbers_behind_a_label_become_ranges() {
        assert_eq!(in_words("85"), Some("51-200"));
        assert_eq!(in_words("rund 1.200"), Some("1001-5000"));
        assert_eq!(in_words("51–200"), Some("51-200"));
        assert_eq!(in_words("٨٥ موظفاً"), Some("51-200"));
        assert_eq!(in_words("10 in Ulm, 200 in Graz and Linz"), None);
        assert_eq!(in_words("many"), None);
        for text in ["más de 500", "500+", "über 500", "500名以上"] {
            assert_eq!(in_words(text), Some("501-1000"), "{text}");
        }
        assert_eq!(in_words("about 500"), Some("201-500"));
    }
}
