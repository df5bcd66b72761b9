//! What the check keeps and drops, in six languages.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_site_research::evidence::Sentence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use serde_json::{Value, json};

use super::*;
use crate::check::{Checked, Verdict};
use crate::excerpts::Excerpts;
use crate::form::{Field, Form, Unit, needed, plain};

const PLAIN: &[Field] = &[needed("text", Form::Text(600))];
const PROPOSAL: &[Field] = &[needed("text", Form::Text(600)).of(Words::Proposal)];
const SELLER: &[Field] = &[needed("text", Form::Text(600)).of(Words::Seller)];
const ROLE: &[Field] = &[needed("text", Form::Text(600)).of(Words::Role)];
const RIVAL: &[Field] = &[needed("text", Form::Text(600)).of(Words::Alternative)];

const CALLER: &str =
    "Kelvio reads cold stores by radio. 12 EUR a sensor and month. Reference: Port of Brakel.";
const SHOWN: [&str; 4] = [
    "Tarnbeck runs 3 cold stores with 46 docks near Whitby.",
    "Our technicians say: 'We write the readings down by hand.'",
    "840 pallets leave on 6 days a week, 210 of them by rail.",
    "Write to post@tarnbeck.example.",
];

fn check(language: &str, unit: Unit, text: &str, cited: &[u64], sums: &[(&str, &str)]) -> Verdict {
    let answer = json!({"text": text, "citations": cited});
    check_answer(language, unit, &answer, sums)
}

fn check_answer(language: &str, unit: Unit, answer: &Value, sums: &[(&str, &str)]) -> Verdict {
    check_on(&SHOWN, language, unit, answer, sums)
}

fn check_on(
    shown: &[&str],
    language: &str,
    unit: Unit,
    answer: &Value,
    sums: &[(&str, &str)],
) -> Verdict {
    let all = shown.iter().enumerate().map(|(position, text)| Sentence {
        page: 0,
        block: position,
        position,
        role: Role::Home,
        kind: BlockKind::Paragraph,
        text: (*text).to_owned(),
        folded: words::fold(text),
    });
    let excerpts = Excerpts {
        all: all.collect(),
        ..Excerpts::default()
    };
    let ground = Ground::new(&excerpts, CALLER, "Tarnbeck tarnbeck.example", language);
    let sums: Vec<Derivation> = sums
        .iter()
        .filter_map(|(formula, result)| Derivation::read(formula, result))
        .collect();
    ground.check(unit, answer, &sums)
}

fn kept(verdict: Verdict) -> Checked {
    match verdict {
        Verdict::Kept(checked) => checked,
        other => panic!("{other:?}"),
    }
}

#[test]
fn right_numbers_stand_in_any_language() {
    for (language, text) in [
        (
            "en",
            "Three stores with forty-six docks serve Tarnbeck; a quarter of 840 pallets go by rail.",
        ),
        (
            "de",
            "Tarnbeck betreibt drei Kühlhäuser mit sechsundvierzig Toren, 25 Prozent fahren per Bahn.",
        ),
        (
            "fr",
            "Tarnbeck exploite trois entrepôts et quarante-six quais ; vingt-cinq pour cent partent par le rail.",
        ),
        (
            "es",
            "Tarnbeck tiene tres almacenes y cuarenta y seis muelles; el 25 por ciento sale en tren.",
        ),
        (
            "it",
            "Tarnbeck gestisce tre magazzini con quarantasei banchine; il 25 per cento parte in treno.",
        ),
        (
            "ja",
            "Tarnbeckは三つの冷蔵倉庫と46の荷受口を持ち、25％が鉄道です。",
        ),
    ] {
        let checked = kept(check(
            language,
            plain(PLAIN, Support::Fact),
            text,
            &[1, 3],
            &[],
        ));
        assert_eq!(checked.lost, [], "{text}");
    }
}

#[test]
fn wrong_literals_fall_in_any_language() {
    for (language, text, fault) in [
        ("en", "Tarnbeck runs seven stores.", Fault::Number),
        (
            "de",
            "Tarnbeck betreibt siebzehn Kühlhäuser.",
            Fault::Number,
        ),
        ("fr", "Tarnbeck exploite dix-sept entrepôts.", Fault::Number),
        ("es", "Tarnbeck tiene diecisiete almacenes.", Fault::Number),
        (
            "it",
            "Tarnbeck gestisce diciassette magazzini.",
            Fault::Number,
        ),
        ("ja", "Tarnbeckは十七棟の倉庫を持つ。", Fault::Number),
        (
            "en",
            "They say ‘we never write anything down’ there.",
            Fault::Quotation,
        ),
        (
            "de",
            "Dort heißt es »wir schreiben nie etwas auf«.",
            Fault::Quotation,
        ),
        (
            "fr",
            "On y dit « nous n'écrivons jamais rien ».",
            Fault::Quotation,
        ),
        (
            "ja",
            "現場は『紙には一切記録していません』と言う。",
            Fault::Quotation,
        ),
        (
            "it",
            "Scrivi a vendite@tarnbeck.example oggi.",
            Fault::Address,
        ),
        ("ja", "連絡先はsales@tarnbeck.exampleです。", Fault::Address),
        ("es", "Hoy Tarnbeck trabaja con Zenoti.", Fault::Name),
    ] {
        for support in [Support::Fact, Support::Advice] {
            let verdict = check(language, plain(PLAIN, support), text, &[1], &[]);
            assert_eq!(verdict, Verdict::Dropped(fault), "{text}");
        }
    }
}

#[test]
fn quotations_are_checked_in_proposals_but_not_own_questions() {
    let unit = plain(PROPOSAL, Support::Advice);
    let verdict = |text: &str| check("en", unit, text, &[2], &[]);
    kept(verdict(
        "They say 'we write the readings down by hand': ask for 15–20 minutes with three technicians.",
    ));
    kept(verdict("Quote the seller: 'reads cold stores by radio'."));
    kept(verdict(
        "Ask: 'Who reads the sensors at six in the evening?'",
    ));
    let invented = verdict("As they say, 'we don't trust radio at all', so wait.");
    assert_eq!(invented, Verdict::Dropped(Fault::Quotation));
}

#[test]
fn a_sum_needs_its_numbers_in_its_own_citations() {
    let unit = plain(PLAIN, Support::Advice);
    let text = "Sensors on all docks would cost €552 a month.";
    let sums = [("46*12", "552")];
    assert_eq!(kept(check("en", unit, text, &[1], &sums)).sums.len(), 1);
    let elsewhere = check("en", unit, text, &[2], &sums);
    assert_eq!(elsewhere, Verdict::Dropped(Fault::Number));
    let none = check("en", unit, text, &[1], &[]);
    assert_eq!(none, Verdict::Dropped(Fault::Number));
}

#[test]
fn what_the_seller_sells_only_the_seller_knows() {
    let unit = plain(SELLER, Support::Advice);
    let verdict = |text: &str, cited: &[u64]| check("en", unit, text, cited, &[]);
    kept(verdict("Radio readings at 12 EUR a sensor.", &[1]));
    kept(verdict("Radio readings for your 46 docks.", &[1]));
    let target_s = verdict("Kelvio reads 46 docks at once.", &[1]);
    assert_eq!(target_s, Verdict::Dropped(Fault::Number));
    // Zero cites the caller.
    let own = kept(verdict(
        "Kelvio reads by radio, as in the Port of Brakel.",
        &[0],
    ));
    assert_eq!(own.basis, gtm_site_research::claim::Basis::Provided);
    assert!(own.citations.is_empty());
}

#[test]
fn roles_and_rivals_name_nobody_unknown() {
    let role = |text: &str| check("en", plain(ROLE, Support::Advice), text, &[1], &[]);
    kept(role("Head of Cold Chain"));
    assert_eq!(role("CEO Jane Miller"), Verdict::Dropped(Fault::Person));
    let rival = |language: &str, text: &str| {
        check(language, plain(RIVAL, Support::Advice), text, &[1], &[])
    };
    kept(rival("en", "Spreadsheets and paper"));
    kept(rival("en", "Whitby"));
    for text in ["Spreadsheets or Zenoti", "Zenoti"] {
        assert_eq!(rival("en", text), Verdict::Dropped(Fault::Rival), "{text}");
    }
    // All nouns of German have a capital.
    kept(rival(
        "de",
        "Kalkulationsmodul einer CAD- oder Branchensoftware",
    ));
    kept(rival("de", "Tabellen oder Papier"));
    for text in ["Zenoti", "Tabellen oder Zenoti", "SalesForce"] {
        assert_eq!(rival("de", text), Verdict::Dropped(Fault::Rival), "{text}");
    }
}

#[test]
fn plural_abbreviations_are_no_names() {
    kept(check(
        "en",
        plain(PLAIN, Support::Fact),
        "Tarnbeck's ERPs and CFOs agree on 46 docks.",
        &[1],
        &[],
    ));
}

#[test]
fn an_objection_may_be_quoted_before_anybody_says_it() {
    const SPOKEN: &[Field] = &[needed("text", Form::Text(600)).of(Words::Spoken)];
    let text = "\u{ab}Non possiamo fermare i forni\u{bb}";
    kept(check("it", plain(SPOKEN, Support::Advice), text, &[1], &[]));
    let quoted = check("it", plain(PLAIN, Support::Advice), text, &[1], &[]);
    assert_eq!(quoted, Verdict::Dropped(Fault::Quotation));
}

#[test]
fn a_sum_of_its_own_carries_its_unit() {
    const SUM: &[Field] = &[
        needed("text", Form::Text(600)),
        needed("formula", Form::Text(90)).of(Words::Formula),
    ];
    let unit = crate::form::object(SUM, Support::Advice).also_from_caller();
    let checked = |text: &str, formula: &str, cited: &[u64]| {
        let answer = json!({"text": text, "formula": formula, "citations": cited});
        check_answer("en", unit, &answer, &[])
    };
    let sums = kept(checked("46 docks cost 552 EUR a month.", "46*12=552", &[1])).sums;
    assert_eq!(sums.len(), 1);
    for (formula, cited) in [("46*12=600", 1), ("77*12=924", 1), ("552", 1)] {
        let verdict = checked("That is much.", formula, &[cited]);
        assert_eq!(verdict, Verdict::Dropped(Fault::Number), "{formula}");
    }
}

#[test]
fn what_is_cited_one_by_one_can_be_counted() {
    let shown = [
        "Managing Director",
        "Workshop Manager",
        "Senior Welder",
        "Office Manager",
        "We have been welding in Whitby since the year of the flood.",
        "Fitter",
    ];
    let verdict = |text: &str, cited: &[u64]| {
        let answer = json!({"text": text, "citations": cited});
        check_on(&shown, "en", plain(PLAIN, Support::Fact), &answer, &[])
    };
    let checked = kept(verdict("The team page shows 5 people.", &[1, 2, 3, 4, 6]));
    assert_eq!(checked.counted, ["5"], "the critic counts again");
    kept(verdict(
        "The team page shows five people.",
        &[1, 2, 3, 4, 6],
    ));
    for cited in [&[1, 2, 3, 4][..], &[1, 2, 3, 4, 5], &[5]] {
        let wrong = verdict("The team page shows 5 people.", cited);
        assert_eq!(wrong, Verdict::Dropped(Fault::Number), "{cited:?}");
    }
}

#[test]
fn a_long_text_may_cite_more_than_a_line() {
    const LONG: &[Field] = &[needed("text", Form::Text(700))];
    const LINE: &[Field] = &[needed("text", Form::Text(240))];
    let shown = ["Cold rooms"; 30];
    let cited: Vec<u64> = (1..=30).collect();
    let answer = json!({"text": "They rent out rooms that are cold.", "citations": cited});
    let of = |fields: &'static [Field]| {
        let unit = plain(fields, Support::Advice);
        kept(check_on(&shown, "en", unit, &answer, &[]))
            .citations
            .len()
    };
    assert_eq!((of(LINE), of(LONG)), (12, 24));
}

#[test]
fn a_sum_may_go_on_from_one_that_stands() {
    let unit = plain(PLAIN, Support::Advice);
    let text = "That is €184 for each of 3 stores.";
    let sums = [("46*12", "552"), ("552/3", "184"), ("184/2", "92")];
    let checked = kept(check("en", unit, text, &[1], &sums));
    let formulas: Vec<&str> = checked
        .sums
        .iter()
        .map(|sum| sum.formula.as_str())
        .collect();
    assert_eq!(formulas, ["46*12", "552/3"]);
    // Neither without the first step, nor a third one.
    for (text, sums) in [
        (text, &sums[1..]),
        ("That is €92 for each half of 3 stores.", &sums[..]),
    ] {
        let verdict = check("en", unit, text, &[1], sums);
        assert_eq!(verdict, Verdict::Dropped(Fault::Number), "{text}");
    }
}

#[test]
fn a_page_that_says_nothing_of_a_claim_does_not_bear_it_out() {
    let unit = plain(SELLER, Support::Advice);
    let only_caller =
        |text: &str, cited: &[u64]| kept(check("en", unit, text, cited, &[])).only_caller;
    let price = "It costs 12 EUR a sensor and month.";
    assert!(only_caller(price, &[0, 4]));
    assert!(only_caller(price, &[0]));
    assert!(!only_caller(
        "Kelvio reads all cold stores of Tarnbeck by radio.",
        &[0, 1]
    ));
}
