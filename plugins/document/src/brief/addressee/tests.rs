//! Tests of whom a document is for, and what about.

use super::*;

fn of(order: &str, language: &str) -> (Option<String>, Option<String>) {
    let found = Addressee::of(&[order.to_owned()], language);
    (found.recipient, found.subject)
}

#[test]
fn titles_and_legal_forms_with_full_stops_are_parts_of_a_name() {
    for (line, name) in [
        (
            "Destinatario: ing. Paolo Ferri, Vela S.p.A. Lodi",
            "ing. Paolo Ferri, Vela S.p.A. Lodi",
        ),
        ("Cliente: Vela S.p.A. Lodi", "Vela S.p.A. Lodi"),
        ("ご担当：佐藤様", "佐藤"),
        ("Client: Vela, s.r.o.", "Vela, s.r.o."),
        ("Cliente: Vela, s.r.l., via Roma 4, Lodi", "Vela, s.r.l."),
        ("Client: Northwind, Inc", "Northwind, Inc"),
    ] {
        assert_eq!(labeled(line).as_deref(), Some(name), "{line}");
    }
    assert_eq!(labeled("Client: Leeds. They pay late"), None);
    assert_eq!(labeled("Client: Vela S.p.A. Haggles over every cent"), None);
}

#[test]
fn a_reader_who_is_named_below_is_not_named_by_pointing_there() {
    for (order, language, recipient) in [
        (
            "Mi serve un preventivo per il cliente qui sotto",
            "it",
            None,
        ),
        ("Write a proposal for the client below", "en", None),
        (
            "Write a proposal for the client Halden",
            "en",
            Some("the client Halden"),
        ),
        ("Haz una propuesta para el cliente", "es", None),
        (
            "Make a one-pager for Brindle & Hay Ltd., haggles over everything.",
            "en",
            Some("Brindle & Hay Ltd"),
        ),
    ] {
        assert_eq!(of(order, language).0.as_deref(), recipient, "{order}");
    }
}

/// What is said of a reader behind the name is for the writer, whatever it says.
#[test]
fn what_is_told_of_a_reader_is_no_part_of_the_name() {
    for (line, name) in [
        ("Client: Halden, slow payer", "Halden"),
        ("Client: Halden Group (slow payer)", "Halden Group"),
        ("Client: Halden - always late with money", "Halden"),
        (
            "Kunde: Brenner GmbH, zahlt erst nach der zweiten Mahnung",
            "Brenner GmbH",
        ),
        (
            "Cliente: Vela S.L. (Toledo) - ojo, nos deben una factura",
            "Vela S.L.",
        ),
        ("Client : Kerhoz, à relancer souvent", "Kerhoz"),
        ("Cliente: Vela, de Luca e figli", "Vela, de Luca e figli"),
    ] {
        assert_eq!(labeled(line).as_deref(), Some(name), "{line}");
    }
}

#[test]
fn readers_and_subjects_are_told() {
    for (order, language, recipient, subject) in [
        (
            "Write a two-page proposal for the Head of Engineering at Tarnbeck.",
            "en",
            Some("the Head of Engineering at Tarnbeck"),
            None,
        ),
        (
            "need a one pager for Lidl by friday, pls keep it friendly",
            "en",
            Some("Lidl"),
            None,
        ),
        ("8 slides, for the board", "en", Some("the board"), None),
        (
            "Please write a report on cold chain failures in Q3 for the CFO.",
            "en",
            Some("the CFO"),
            Some("cold chain failures in Q3"),
        ),
        ("Client: Northwind Ltd.", "en", Some("Northwind Ltd"), None),
        (
            "Client : Biscuiterie Kerhoz, Lorient, 140 salariés.",
            "fr",
            Some("Biscuiterie Kerhoz"),
            None,
        ),
        (
            "Kunde: Holzwerk Brandl (85 Mitarbeitende)",
            "de",
            Some("Holzwerk Brandl"),
            None,
        ),
        (
            "Cliente: Conservas Ardiela, Vigo, conservas desde 1932",
            "es",
            Some("Conservas Ardiela"),
            None,
        ),
        (
            "Client: Doe, Roe & Sons",
            "en",
            Some("Doe, Roe & Sons"),
            None,
        ),
        ("Write a case study for our website.", "en", None, None),
        (
            "Erstelle bitte ein Angebot für die Stadtwerke Ulm über Funkzähler.",
            "de",
            Some("die Stadtwerke Ulm"),
            Some("Funkzähler"),
        ),
        (
            "8 Folien für den Vorstand",
            "de",
            Some("den Vorstand"),
            None,
        ),
        (
            "Rédigez une présentation pour la direction technique.",
            "fr",
            Some("la direction technique"),
            None,
        ),
        ("Make me a deck for tomorrow", "en", None, None),
        (
            "build a deck for Northwind, I present on Thursday",
            "en",
            Some("Northwind"),
            None,
        ),
        ("Write a report on our bridge", "en", None, None),
        (
            "für die Molkerei Tannhof brauchen wir bis Freitag ein Angebot, zwei Seiten genügen",
            "de",
            Some("die Molkerei Tannhof"),
            None,
        ),
        (
            "Für Tannach bis Freitag brauchen wir ein Angebot",
            "de",
            Some("Tannach"),
            None,
        ),
        (
            "Der Tannhof will ein Angebot, zwei Seiten",
            "de",
            Some("Tannhof"),
            None,
        ),
        (
            "For Northwind we need a proposal by Friday",
            "en",
            Some("Northwind"),
            None,
        ),
        (
            "Conservas de Ardiela quiere una propuesta",
            "es",
            Some("Conservas de Ardiela"),
            None,
        ),
        (
            "株式会社みなと製氷様向けに、提案書をスライド5枚以内で作成してください。",
            "ja",
            Some("株式会社みなと製氷"),
            None,
        ),
        ("For Friday we need a proposal", "en", None, None),
        ("Write a proposal.", "en", None, None),
        (
            "Hi Mia - can you turn this into something I can attach for Brackwell by Thursday?",
            "en",
            Some("Brackwell"),
            None,
        ),
        ("Can you do this for Friday?", "en", None, None),
        (
            "Can you do this for Doe & Sons Ltd, please?",
            "en",
            Some("Doe & Sons Ltd"),
            None,
        ),
        (
            "Prepare a deck for J. P. Doe, Acme",
            "en",
            Some("J. P. Doe"),
            None,
        ),
    ] {
        let expected = (recipient.map(str::to_owned), subject.map(str::to_owned));
        assert_eq!(of(order, language), expected, "{order}");
    }
}

#[test]
fn another_customer_and_whoever_gets_the_file_are_no_readers() {
    let of = |orders: &[&str]| {
        let orders: Vec<String> = orders.iter().map(|&order| order.to_owned()).collect();
        Addressee::of(&orders, "en").recipient
    };
    let order = "Make a two-page proposal from the notes below.";
    for told in [
        "Please make it like the one we did for Globex.",
        "Please send it to Jonas by Thursday.",
        "Please keep room for Globex.",
    ] {
        assert_eq!(of(&[order, told]), None, "{told}");
    }
    for told in [
        "Can you make it like the one for Globex?",
        "Please send it to Jonas by Thursday.",
        "Can you make it nicer and send it to Jonas?",
        "Can you do what we did for Globex?",
    ] {
        assert_eq!(of(&[told]), None, "{told}");
    }
    for (orders, name) in [
        (
            ["Hi Mia.", "Can you turn this into something for Brackwell?"],
            "Brackwell",
        ),
        (["Please do this for Brackwell.", "Two pages."], "Brackwell"),
        (
            [
                "Hi Mia.",
                "Can you turn our notes into something for Brackwell?",
            ],
            "Brackwell",
        ),
        (
            [
                "Hi Mia.",
                "Can you go through these and make something for Brackwell?",
            ],
            "Brackwell",
        ),
        (
            ["Hi Mia, we need something nice for Brackwell, ok?", ""],
            "Brackwell",
        ),
    ] {
        assert_eq!(of(&orders).as_deref(), Some(name), "{orders:?}");
    }
    for line in ["Attn: Petra, picky buyer", "Attn: Petra, picky & stingy"] {
        assert_eq!(labeled(line).as_deref(), Some("Petra"), "{line}");
    }
}
