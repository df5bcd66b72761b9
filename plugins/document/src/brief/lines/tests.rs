//! Tests of how the lines of a brief become Markdown.

use gtm_test_support::growth;
use proptest::prelude::*;

use super::*;

fn lines(text: &str) -> Vec<String> {
    let read = as_markdown(text);
    let lines = read.lines().map(str::trim_end);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn lines_of_slides_are_headings() {
    assert_eq!(
        lines(
            "Slide 1: Why\nA hard winter\nSlide 2: What we saw\n- 14 depots\n**Folie 3 – Preis**\n- Slide 4: Ask\n  - Sign by May"
        ),
        [
            "## Slide 1: Why",
            "A hard winter",
            "## Slide 2: What we saw",
            "- 14 depots",
            "## Folie 3: Preis",
            "## Slide 4: Ask",
            "- Sign by May"
        ]
    );
    assert_eq!(
        lines("Slide 1\nWhy\nText\n\nSlide 2\nHow"),
        ["## Slide 1: Why", "Text", "## Slide 2: How"]
    );
    // One line alone makes no deck.
    assert_eq!(
        lines("See slide 2: it shows all."),
        ["See slide 2: it shows all."]
    );
}

#[test]
fn labels_alone_on_a_line_are_headings_where_there_are_no_others() {
    assert_eq!(
        lines("Ausgangslage:\n12 Lager\n\n**Zeitplan**\n- Mai\n\nPreis\n490 €"),
        [
            "## Ausgangslage",
            "12 Lager",
            "## Zeitplan",
            "- Mai",
            "- Preis",
            "- 490 €"
        ]
    );
    assert_eq!(
        lines("## Lage\n\nVoraussetzungen:\n- Strom"),
        ["## Lage", "Voraussetzungen:", "- Strom"]
    );
    assert_eq!(
        lines("Please include:\n- prices"),
        ["Please include:", "- prices"]
    );
    // A direction's label takes what stands directly below it, and no more.
    assert_eq!(
        lines("Tone:\nfriendly\n\nTarnbeck runs five sites."),
        ["Tone: friendly", "Tarnbeck runs five sites."]
    );
    assert_eq!(
        lines("Audience:\n- CFO\n- COO\n\nText."),
        ["- Audience: CFO", "- Audience: COO", "Text."]
    );
}

#[test]
fn short_lines_above_others_are_headings_where_several_are() {
    assert_eq!(
        lines(
            "The problem\n- Letters take 6 days\n\nPrice\n£89 a month\nSetup £600\n\nNext step\nDemo on 3 June"
        ),
        [
            "## The problem",
            "- Letters take 6 days",
            "## Price",
            "- £89 a month",
            "- Setup £600",
            "## Next step",
            "Demo on 3 June"
        ]
    );
    // One alone, a greeting, and what only stands above text are none.
    for text in [
        "Met Petra\nbudget around 50k\n\n14 depots\n3 countries",
        "Many thanks\nMia\n\nKind regards\nJo",
        "Jane Smith\nActon Ltd\n\nPetra Olsen\nMoss Dairies",
    ] {
        assert!(
            !lines(text).iter().any(|line| line.starts_with('#')),
            "{text}"
        );
    }
}

#[test]
fn notes_are_items_and_wrapped_text_is_none() {
    assert_eq!(
        lines("met Petra on Tuesday\nbudget around 50k\n• wants a call"),
        [
            "- Met Petra on Tuesday",
            "- Budget around 50k",
            "- wants a call"
        ]
    );
    let wrapped = "Tarnbeck measures every pallet position once a minute, but the\nreadings reach the maintenance system only once a shift, and by\nhand";
    assert_eq!(as_markdown(wrapped).trim(), wrapped);
    let sentences = "Tarnbeck runs five sites.\nEach has a gate.\nIt rains.";
    assert_eq!(as_markdown(sentences).trim(), sentences);
    assert_eq!(
        lines("- one\nand so we can start"),
        ["- one", "and so we can start"]
    );
    let table = "| a | b |\n|---|---|\n| 1 | 2 |";
    assert_eq!(as_markdown(table).trim(), table);
    let code = "```\nSlide 1: a\nSlide 2: b\n```";
    assert_eq!(as_markdown(code).trim(), code);
}

#[test]
fn lines_that_begin_no_table_are_not_asked_again_and_again() {
    growth::takes_at_most(30, || {
        for pair in [
            "a | b\na | b | c\n",
            "a  b\na  b  c  d\n",
            "a\tb\na\tb\tc\n",
        ] {
            let text = pair.repeat(2_500);
            let read = as_markdown(&text);
            assert_eq!(read.matches('c').count(), 2_500);
        }
    });
}

#[test]
fn a_first_line_that_names_a_document_is_its_title() {
    assert_eq!(
        lines("proposal for Northwind\n14 depots\n3 countries"),
        ["# Proposal for Northwind", "- 14 depots", "- 3 countries"]
    );
    assert_eq!(lines("Proposal for Northwind"), ["Proposal for Northwind"]);
    assert_eq!(
        lines("deck for Northwind, 8 slides\n14 depots")[0],
        "- Deck for Northwind, 8 slides"
    );
}

proptest! {
    #[test]
    fn no_word_is_lost(text in "([a-zA-Z0-9:.*#|> -]{0,24}\n){0,12}") {
        let words = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase() };
        // Labels of directions are said once for each item.
        prop_assert!(words(&as_markdown(&text)).len() >= words(&text).len());
    }
}
