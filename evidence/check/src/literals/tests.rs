//! Which literals are found, which are missed, and which are told apart.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use gtm_test_support::growth;
use proptest::prelude::*;

fn missing(claim: &str, evidence: &str) -> Option<Missing> {
    Literals::first_missing(claim, &[&Literals::of(evidence)])
}

#[test]
fn numbers_match_by_value() {
    for (claim, evidence) in [
        ("14 blocks", "runs 14 blocks"),
        ("1,200 people", "1.200 Menschen"),
        ("1200 people", "1 200 personnes"),
        ("1 200 people", "1,200 people"),
        ("12 500 000 units", "12,500,000 units"),
        ("CHF 1'200", "1200 CHF"),
        ("3.5 times", "3,50-fach"),
        ("1,200.50 EUR", "1.200,5 EUR"),
        ("up 20%", "up by 20 per cent."),
        ("up 20 Prozent", "up 20 %"),
        ("10x faster", "10 times"),
        ("in 2026", "on 12.03.2026"),
        ("in 2026", "2026-03-12"),
        ("Q3 results", "the q3 numbers"),
        ("a B2B company", "nothing"),
        ("3 offices", "03 offices"),
        ("１４ blocks", "14 blocks"),
        ("founded in 2009", "تأسست عام ٢٠٠٩"),
        ("85 people", "۸۵ موظفاً"),
        ("no literal at all", ""),
    ] {
        assert_eq!(missing(claim, evidence), None, "{claim} / {evidence}");
    }
}

#[test]
fn made_up_numbers_are_found() {
    for (claim, evidence) in [
        ("14 blocks", "runs 2014 blocks and 140 more"),
        ("up 20%", "20 people"),
        ("1,200 people", "1 people, 200 dogs"),
        ("Q4 results", "the Q3 numbers"),
        ("40 staff", "no numbers"),
        ("3.5 times", "35 times"),
    ] {
        assert_eq!(
            missing(claim, evidence),
            Some(Missing::Number),
            "{claim} / {evidence}"
        );
    }
}

#[test]
fn links_and_addresses() {
    assert_eq!(
        missing("see https://www.A.example/About/", "at a.example/About."),
        None
    );
    assert_eq!(
        missing("see a.example", "at (https://a.example/About)."),
        None
    );
    assert_eq!(
        missing("see a.example/contact", "at a.example"),
        Some(Missing::Link)
    );
    assert_eq!(
        missing("visit evil.example/?q=1 now", "at a.example"),
        Some(Missing::Link)
    );
    assert_eq!(
        missing("visit [here](http://evil.example)", "here"),
        Some(Missing::Link)
    );
    assert_eq!(
        missing("write to Sales@A.example.", "mailto:sales@a.example"),
        None
    );
    assert_eq!(
        missing("write to sales [at] a (dot) example", "sales@a.example"),
        None
    );
    for claim in [
        "write to ada (at) a.example",
        "ada[at]a[dot]example",
        "ada (ät) a.example",
    ] {
        let found = missing(claim, "write to sales@a.example");
        assert!(matches!(found, Some(Missing::Email)), "{claim}: {found:?}");
    }
    assert_eq!(
        missing("write to sales (at) a.example", "sales@a.example"),
        None
    );
    assert_eq!(
        missing("write to ceo@a.example", "sales@a.example"),
        Some(Missing::Email)
    );
    assert_eq!(missing("e.g. this, i.e. that, U.S. firms", ""), None);
}

#[test]
fn a_row_of_numbers_is_joined_for_a_few_groups_only() {
    let row = "111 222 333 444 555 666 777";
    assert_eq!(missing("111222333444555", row), None);
    assert_eq!(missing("222333", row), Some(Missing::Number));
    assert_eq!(missing("111222333444555666", row), Some(Missing::Number));
    assert_eq!(missing(row, row), None);
}

/// Joining each cell of a table with all that follow takes minutes for a page of a megabyte.
#[test]
fn a_large_table_of_numbers_is_linear_work() {
    growth::is_linear(
        "a table of numbers",
        |size| "123 ".repeat(2_000 * size),
        |table| assert!(Literals::of(table).has_integer((123, 123))),
    );
}

/// Comparing each number of a claim with all of a table takes seconds.
#[test]
fn a_rounded_number_is_not_compared_with_all_others() {
    let table = |size: usize| -> String {
        (0..20_000 * size)
            .map(|n| format!("{} ", 1_000 + n * 7_919 % 9_000_000))
            .collect()
    };
    let (small, large) = (Literals::of(&table(1)), Literals::of(&table(16)));
    let claim = "99,500,000 ".repeat(MOST_NUMBERS);
    let known = Literals::of("99,501,001");
    let taken = |table: &Literals| {
        growth::work(|| {
            for _ in 0..20 {
                assert_eq!(Literals::first_missing(&claim, &[table, &known]), None);
            }
        })
    };
    let (few, many) = (taken(&small), taken(&large));
    assert!(
        many < few * 6,
        "{few:?} against 20,000 numbers, {many:?} against 16 times as many"
    );
}

#[test]
fn a_text_of_countless_numbers_is_no_claim() {
    let claim = |count: usize| "14 ".repeat(count);
    assert_eq!(missing(&claim(MOST_NUMBERS), "14"), None);
    assert_eq!(
        missing(&claim(MOST_NUMBERS + 1), "14"),
        Some(Missing::Number)
    );
}

#[test]
fn a_look_up_ends_when_it_is_told_to() {
    let stop = StopFlag::default();
    let reading = Reading {
        stop: Some(&stop),
        ..Reading::PLAIN
    };
    let known = Literals::of("14 blocks");
    assert_eq!(
        Literals::first_missing_of("14 blocks", &[&known], reading),
        None
    );
    stop.raise();
    assert_eq!(
        Literals::first_missing_of("14 blocks", &[&known], reading),
        Some(Missing::Number)
    );
}

#[test]
fn integers_serve_ranges() {
    assert!(
        Literals::of("about 1,250 people")
            .integers()
            .any(|n| n == 1250)
    );
}

proptest! {
    #[test]
    fn a_text_supports_itself(text in "\\PC{0,120}") {
        prop_assert_eq!(missing(&text, &text), None);
    }

    #[test]
    fn more_evidence_never_hurts(text in "[a-z0-9.,%@/ ]{0,60}", more in "[a-z0-9.,%@/ ]{0,60}") {
        let (a, b) = (Literals::of(&text), Literals::of(&more));
        prop_assert_eq!(Literals::first_missing(&text, &[&b, &a]), None);
    }

    #[test]
    fn a_number_that_is_not_there_is_missed(n in 1000u32..99_999_999, text in "[a-z ]{0,40}") {
        let claim = format!("{text} {n} {text}");
        prop_assert_eq!(missing(&claim, &text), Some(Missing::Number));
    }
}

#[test]
fn cells_parted_by_tabs_are_numbers_of_their_own() {
    let brief = Literals::of(
        "Concepto\tUds\tPrecio\tImporte\nSensor TF-2 con soporte\t38\t112,00 €\t4.256,00 €\nPasarela\t22\t245,00 €\t5.390,00 €",
    );
    for cell in [
        "Sensor TF-2 con soporte",
        "38",
        "112,00 €",
        "4.256,00 €",
        "22",
        "245,00 €",
    ] {
        assert_eq!(Literals::first_missing(cell, &[&brief]), None, "{cell}");
    }
}

#[test]
fn words_count_heads_from_two_on() {
    for staff in [
        "Six skilled colleagues work here.",
        "Meet our team of nine joiners.",
        "Sechs Fachkräfte sind hier tätig.",
    ] {
        assert!(Literals::of(staff).has_integer((1, 10)), "{staff}");
    }
    for other in [
        "One of the oldest workshops.",
        "Our two halls stand in Leeds.",
        "Two halls, staff and all.",
        "We built two halls for people.",
    ] {
        assert!(!Literals::of(other).has_integer((1, 10)), "{other}");
    }
}

#[test]
fn things_are_counted_and_not_measured() {
    let reading = Reading {
        things: &[3, 9],
        ..Reading::PLAIN
    };
    let missing = |text: &str| Literals::first_missing_of(text, &[], reading);
    assert_eq!(missing("The page has 3 parts."), None);
    assert_eq!(missing("It has 4 parts."), Some(Missing::Number));
    for measured in [
        "It costs 9 EUR.",
        "It costs \u{20ac}9.",
        "After 3 years.",
        "It is 9% less.",
    ] {
        assert_eq!(missing(measured), Some(Missing::Number), "{measured}");
    }
}
