//! Tests of what a brief tells in confidence.

use gtm_test_support::growth;

use super::super::{Brief, words_of};
use super::*;

mod endings;
mod harmless;
mod left_out;
mod made;
mod notices;
mod probes;
mod unclear;

fn read(brief: &str) -> (String, usize) {
    let brief = Brief::read(brief, "en");
    let texts = brief.chapters.iter();
    let texts = texts.flat_map(|chapter| texts_of(&chapter.blocks));
    (texts.collect::<Vec<_>>().join(" | "), brief.withheld.len())
}

#[test]
fn notes_in_confidence_reach_no_reader() {
    let (text, withheld) = read(
        "# Room\n\n## Price\n\nA place is £4.10 a week (internal: margin floor is £3.05, never go lower). We keep it for you.\n\n\
        - Discount 5% above 600 pallets - but only say volume price on request, do NOT put the number in\n\
        - Start in week 3 [TODO: ask Anna!]\n\n| Item | Price |\n|---|---|\n| Place (intern: bis 3,90) | £4.10 |\n",
    );
    for secret in ["3.05", "5%", "Anna", "3,90", "internal"] {
        assert!(!text.contains(secret), "{text}");
    }
    for said in [
        "A place is £4.10 a week.",
        "We keep it for you.",
        "Start in week 3",
        "Place",
    ] {
        assert!(text.contains(said), "{text}");
    }
    assert_eq!(withheld, 4);
}

#[test]
fn a_private_part_is_left_out_whole() {
    let (text, _) = read(
        "# Room\n\n## Offer\n\nRoom for you.\n\n## Internal\n\nThey are nervous.\n\n### Why\n\nMoney.\n\n## Steps\n\nA visit.",
    );
    assert_eq!(text, "Room for you. | A visit.");
}

#[test]
fn a_label_speaks_of_its_whole_text_and_of_what_stands_below_it() {
    let (text, withheld) = read(
        "# Room\n\n## Offer\n\nInternal: they pay late. Ask for a deposit of £900.\n\nRoom for you.\n\nInternal notes:\n\n\
        - Anna knows them\n- Never below £3\n\n| Item | Price | Internal |\n|---|---|---|\n| Place | £4 | £3 |\n\
        | Hall | £9 | £6 |\n| Discount limit | 15 % | |\n",
    );
    assert_eq!(
        text,
        "Room for you. | Item | Price | Place | £4 | Hall | £9"
    );
    assert_eq!(withheld, 6);
}

#[test]
fn limits_of_prices_are_private_and_promises_are_none() {
    let (text, withheld) = read(
        "# Room\n\n## Offer\n\nWe can go down to 15 % for them. The rooms can go down to -20 °C. We do not share your data.",
    );
    assert_eq!(
        text,
        "The rooms can go down to -20 °C. We do not share your data."
    );
    assert_eq!(withheld, 1);
}

fn of_part(content: &str) -> (String, usize) {
    read(&format!("# Room\n\n## Offer\n\n{content}"))
}

#[test]
fn a_part_is_private_if_anything_of_its_heading_is() {
    for heading in [
        "Internal: pricing",
        "Do not share",
        "Confidential (not for the client)",
        "Pricing – internal",
        "Internal (sales)",
        "Price (internal: floor)",
    ] {
        let (text, withheld) = read(&format!(
            "# Room\n\n## Offer\n\nRoom for you.\n\n## {heading}\n\nThe floor is £3.05.\n\n### Why\n\n- Money\n\n\
            ## Steps\n\nA visit.\n\n## No hidden prices\n\nNone.\n\n## Internal audits\n\nOne."
        ));
        assert_eq!(text, "Room for you. | A visit. | None. | One.", "{heading}");
        assert!(withheld >= 2, "{heading}");
    }
}

#[test]
fn brackets_are_private_and_labels_to_the_end_of_the_text() {
    for (said, kept) in [
        (
            "A place is £4.10 (internal: floor (hard) is £3.05).",
            "A place is £4.10.",
        ),
        (
            "A place is £4.10 (net (internal: floor) is £3.05).",
            "A place is £4.10.",
        ),
        (
            "A place is £4.10 (internal: floor is £3.05. We keep it.",
            "A place is £4.10",
        ),
        (
            "A place is £4.10 – internal: floor is £3.05.",
            "A place is £4.10",
        ),
        (
            "A place is £4.10 - Internal (sales): floor is £3.05.",
            "A place is £4.10",
        ),
        (
            "A place is £4.10 internal: floor is £3.05.",
            "A place is £4.10",
        ),
        (
            "A place is £4.10 / internal: floor is £3.05.",
            "A place is £4.10",
        ),
        (
            "A place is £4.10 {internal: floor is £3.05}.",
            "A place is £4.10.",
        ),
        (
            ":-( A place is £4.10 (internal: £3.05).",
            ":-( A place is £4.10.",
        ),
    ] {
        assert_eq!(of_part(said), (kept.to_owned(), 1), "{said}");
    }
    let (text, _) = of_part("> A place is £4.10 | internal: floor is £3.05.");
    assert!(text.contains("4.10") && !text.contains("3.05"), "{text}");
}

#[test]
fn a_label_alone_in_a_bracket_speaks_of_its_sentence() {
    for (said, kept) in [
        (
            "We keep it. The floor is £3.05 (internal). A visit.",
            "We keep it. A visit.",
        ),
        (
            "We keep it. [Internal] The floor is £3.05. They pay late.",
            "We keep it.",
        ),
        (
            "We keep it (internal: floor [internal]. Never below £3.05). A visit.",
            "A visit.",
        ),
        (
            "| Item | Price |\n|---|---|\n| Floor (internal) | £3 |\n| Place | £4 |",
            "Item | Price | Place | £4",
        ),
    ] {
        assert_eq!(of_part(said), (kept.to_owned(), 1), "{said}");
    }
}

#[test]
fn many_open_brackets_take_linear_time() {
    growth::takes_at_most(20, || {
        let open = "(".repeat(50_000);
        let (text, _) = of_part(&format!("{open} A place is £4.10 (internal: £3.05)."));
        assert!(!text.contains("3.05"));
        let closed = format!("{open}a{}", ")".repeat(50_000));
        assert!(brackets::private_brackets(&closed).is_empty());
        let tags = "It rains (internal). We go (internal: £3). ".repeat(3_000);
        let (text, _) = of_part(&tags);
        assert_eq!(text.matches("We go").count(), 3_000);
    });
}

#[test]
fn a_private_head_takes_its_column() {
    for (brief, kept) in [
        (
            "| Item | Price | Limit (internal: floor £3.05) |\n|---|---|---|\n| Place | £4 | £3 |",
            "Item | Price | Place | £4",
        ),
        (
            "| Item | Price (internal: floor £3.05) |\n|---|---|\n| Place | £3 |",
            "Item | Place",
        ),
        (
            "|  | Ours | Theirs (internal: £3.05) |\n|---|---|---|\n| Gate | new | old |\n| Hall | dry | wet |",
            "Ours | Gate | new | Hall | dry",
        ),
    ] {
        let (text, withheld) = of_part(brief);
        assert_eq!(text, kept);
        assert!(withheld >= 2, "{withheld}");
    }
}

#[test]
fn a_title_is_read_for_notes() {
    let brief = Brief::read(
        "# Offer for Acme (internal: floor £3.05)\n\n## Offer\n\nRoom.",
        "en",
    );
    assert_eq!(brief.title.as_deref(), Some("Offer for Acme"));
    assert_eq!(brief.withheld.len(), 1);
    let brief = Brief::read(
        "# Internal: Acme pays late\n\nThe floor is £3.05.\n\n## Offer\n\nRoom.",
        "en",
    );
    assert_eq!((brief.title.as_deref(), brief.withheld.len()), (None, 2));
    assert_eq!(brief.text(), "Offer\nRoom.\n");
    let brief = Brief::read("# Offer without prices\n\n## Offer\n\nRoom.", "en");
    assert_eq!(brief.title.as_deref(), Some("Offer without prices"));
}

#[test]
fn what_stands_directly_below_a_private_line_is_private() {
    for below in [
        "Ledger    40 %    £900\nArchive    30 %    £700",
        "Item    Margin    Price\nLedger    40 %    £900",
        "| Item | Margin |\n|---|---|\n| Ledger | 40 % |",
        "Ledger | 40 % | £900\nArchive | 30 % | £700",
        "- Ledger 40 %\n- Archive 30 %",
    ] {
        for line in ["Internal: our margins", "**Internal:** our margins"] {
            let (text, _) = of_part(&format!("Room.\n\n{line}\n{below}\n\nA visit."));
            assert_eq!(text, "Room. | A visit.", "{line} {below}");
        }
    }
    let (text, _) =
        of_part("Internal: our margins\nare bad\nLedger    40 %    £900\nHall    3 %    £3");
    assert_eq!(text, "");
    let (text, _) = of_part("- Price: £4\n- Internal: margins\n  go on\n- Room");
    assert_eq!(text, "Price: £4 | Room");
    let (text, _) = of_part("Internal: our margins\n\n- Room\n- Hall");
    assert_eq!(text, "Room | Hall");
    let rows = "| Ledger | 40 % |\n".repeat(6_000);
    let (text, _) = of_part(&format!(
        "Internal:\n\n| Item | Margin |\n|---|---|\n{rows}\nA visit."
    ));
    assert_eq!(text, "A visit.");
}

#[test]
fn a_label_takes_the_rest_of_its_paragraph() {
    assert_eq!(
        of_part(
            "We keep it for you. Internal: they pay late. Ask for a deposit of £900.\n\nA visit."
        ),
        ("We keep it for you. | A visit.".to_owned(), 1)
    );
    assert_eq!(
        of_part("> Room: for you\n> Internal: they pay late. Ask for £900."),
        ("Room: for you".to_owned(), 1)
    );
}

#[test]
fn a_forbidden_order_to_mention_is_private() {
    for order in [
        "Not yet: say that we hold ISO 27001.",
        "Forbidden: say that the plant leaked.",
        "Under no circumstances: mention that the plant leaked.",
        "Strictly forbidden – mention our leak.",
        "Not yet - say that we leak.",
        "Never say that we leak.",
        "Please do not say that we leak.",
        "Not yet:\n\n- say that we hold ISO 27001\n- mention our leak",
    ] {
        let (text, withheld) = of_part(&format!("Room.\n\n{order}"));
        for secret in ["27001", "leak"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert!(withheld > 0, "{order}");
    }
    let german = Brief::read(
        "# A\n\n## B\n\nNoch nicht: sagen Sie, dass wir Tore warten.",
        "de",
    );
    assert!(!german.has_content());
    let (text, _) = of_part("Not included:\n\n- cabling\n- lifts");
    assert!(text.contains("cabling"));
}

#[test]
fn what_only_sounds_private_stays() {
    let brief = "# Audits\n\n## Facts\n\nInternal audits take a day. Do not open the door while it rains. We mention each alarm (see ISO 9001).";
    let (text, withheld) = read(brief);
    assert!(text.contains("Internal audits") && text.contains("(see ISO 9001)"));
    assert_eq!(
        (
            withheld,
            words_of(&Brief::read(brief, "en").chapters[0].blocks) > 15
        ),
        (0, true)
    );
}
