//! Notes in confidence whose label is no clear one.

use super::*;

/// What of a part in a language is content.
pub fn said_in(language: &str, content: &str) -> (String, usize) {
    let brief = Brief::read(&format!("# A\n\n## B\n\n{content}"), language);
    let texts = brief.chapters.iter();
    let texts = texts.flat_map(|chapter| texts_of(&chapter.blocks));
    (texts.collect::<Vec<_>>().join(" | "), brief.withheld.len())
}

/// Whether a note is withheld, and what stands around it is not.
pub fn withholds(language: &str, content: &str) {
    let (text, withheld) = said_in(language, content);
    for secret in [
        "40", "35", "Anna", "internal", "Internal", "nterne", "ntern ",
    ] {
        assert!(!text.contains(secret), "{content}: {text}");
    }
    assert!(withheld > 0, "{content}");
}

#[test]
fn a_dash_ends_a_label_as_a_colon_does() {
    for (language, note) in [
        ("en", "Internal – the margin is 40 %. We can go to 35 %."),
        ("en", "Internal - the margin is 40 %. We can go to 35 %."),
        ("en", "Internal — don't tell Anna. 35 % is fine, too."),
        ("en", "Internal- the margin is 40 %."),
        ("en", "**Internal** – the margin is 40 %."),
        ("en", "Internal note | the margin is 40 %."),
        ("en", "Internal = the margin is 40 %."),
        ("en", "Internal → the margin is 40 %."),
        ("en", "INTERNAL the margin is 40 %. Or 35 %."),
        ("en", "Internal. The margin is 40 %. Or 35 %."),
        ("en", "For internal use only, the margin is 40 %. Or 35 %."),
        (
            "de",
            "Intern – die Marge beträgt 40 %. Wir können auf 35 % gehen.",
        ),
        (
            "de",
            "Vertraulich - Frau Anna kündigt. Die Marge beträgt 40 %.",
        ),
        ("de", "Interner Hinweis – die Marge beträgt 40 %."),
        (
            "fr",
            "Interne – notre marge est de 40 %. Jusqu'à 35 % possible.",
        ),
        ("fr", "Note interne - notre marge est de 40 %."),
        (
            "es",
            "Interno – el margen es del 40 %. Hasta 35 % es posible.",
        ),
        ("es", "Nota interna - el margen es del 40 %."),
        ("it", "Nota interna – il margine è del 40 %. Anche 35 %."),
        ("ja", "社内メモ：利益率は40％。35％まで可能。"),
    ] {
        withholds(language, note);
        withholds(language, &format!("- Room\n- {note}"));
        withholds(language, &format!("> {note}"));
        withholds(
            language,
            &format!("| Item | Note |\n|---|---|\n| Room | {note} |"),
        );
    }
}

#[test]
fn a_label_may_stand_behind_ordinary_words() {
    for (language, note) in [
        ("en", "Please note, internal: the margin is 40 %. Or 35 %."),
        ("en", "NB internal: the margin is 40 %. Or 35 %."),
        ("en", "N.B. internal: the margin is 40 %. Or 35 %."),
        ("en", "NB: internal – the margin is 40 %. Or 35 %."),
        ("en", "PS (internal): the margin is 40 %. Or 35 %."),
        ("en", "Just a quick internal note: the margin is 40 %."),
        ("en", "Our margin, internal: 40 %."),
        ("en", "Internal note from Anna: the margin is 40 %."),
        (
            "en",
            "Internal notes for the deal team – the margin is 40 %.",
        ),
        (
            "de",
            "Bitte beachten, intern: die Marge beträgt 40 %. Oder 35 %.",
        ),
        ("de", "Achtung intern: die Marge beträgt 40 %. Oder 35 %."),
        ("de", "Kurzer interner Hinweis: die Marge beträgt 40 %."),
        ("fr", "À noter, interne : la marge est de 40 %. Ou 35 %."),
        ("fr", "NB interne : la marge est de 40 %. Ou 35 %."),
        ("fr", "Petite note interne : la marge est de 40 %."),
        ("es", "Ojo, interno: el margen es del 40 %. O 35 %."),
        ("es", "NB interno: el margen es del 40 %. O 35 %."),
        ("es", "Una nota interna: el margen es del 40 %."),
    ] {
        withholds(language, note);
        withholds(language, &format!("- Room\n- {note}"));
        // Nothing of it stays, not even the words before the label.
        let (text, _) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert_eq!(text.replace("N.B. | ", ""), "Room. | A visit.", "{note}");
    }
}

#[test]
fn a_label_within_a_sentence_speaks_of_the_next_sentences_too() {
    for (language, note) in [
        (
            "en",
            "A place is £9 – internal: margin is 40 %. We can go down to £35.",
        ),
        (
            "en",
            "A place is £9, internal: margin is 40 %. Anna knows it. Or 35 %.",
        ),
        (
            "en",
            "A place is £9 (internal: margin is 40 %. Anna knows it.",
        ),
        (
            "en",
            "A place is £9 internal: margin is 40 %. Anna knows it.",
        ),
        (
            "de",
            "Ein Platz kostet 9 € – intern: Marge 40 %. Anna weiß davon.",
        ),
        (
            "fr",
            "Une place coûte 9 € – interne : marge de 40 %. Anna le sait.",
        ),
        (
            "es",
            "Una plaza cuesta 9 € – interno: margen del 40 %. Anna lo sabe.",
        ),
    ] {
        withholds(language, note);
        let (text, _) = said_in(language, note);
        assert!(text.contains('9'), "{text}");
    }
    let (text, _) = said_in("en", "> A good place.\n> Internal: 40 %.\n> — Anna Smith");
    assert_eq!(text, "A good place.");
}

#[test]
fn a_label_on_a_line_of_its_own_speaks_of_the_lines_below_it() {
    for (language, label) in [
        ("en", "Internal"),
        ("en", "Internal note"),
        ("en", "Internal note:"),
        ("en", "**Internal note**"),
        ("en", "**Internal:**"),
        ("en", "NB internal:"),
        ("en", "Internal note –"),
        ("de", "Interner Hinweis"),
        ("de", "Nur intern"),
        ("fr", "Note interne"),
        ("fr", "Note interne :"),
        ("es", "Nota interna"),
    ] {
        for text in [
            "The margin is 40 %.\nWe can go to 35 %.",
            "Margin 40\nAnna leaves",
            "margin 40\nfloor 35",
            "\nThe margin is 40 %. We can go to 35 %.",
            "\nThe margin is 40 %.\n\nWe can go to 35 %.",
            "\nOur numbers are these:\n\n- margin 40\n- floor 35",
            "\n- margin 40\n- floor 35",
            "- margin 40\n  - Anna knows\n- floor 35",
        ] {
            for before in ["", "Room.\n\n", "A hall with two gates\n14 depots\n\n"] {
                let note = format!("{before}{label}\n{text}");
                withholds(language, &note);
                // Without any heading, too.
                let bare = Brief::read(&note, language);
                assert!(!bare.text().contains("40"), "{note}: {}", bare.text());
                assert!(!bare.text().contains("Anna"), "{note}: {}", bare.text());
            }
            let (shown, _) = said_in(language, &format!("{label}\n{text}\n\n## C\n\nA visit."));
            assert!(shown.ends_with("A visit."), "{shown}");
        }
    }
    let (text, _) =
        of_part("Two gates\n14 depots\nInternal note\nMargin 40\nAnna leaves\n\n- Room");
    assert_eq!(text, "Two gates | 14 depots | Room");
}

#[test]
fn items_below_a_private_one_are_private() {
    for list in [
        "- Room\n- Internal\n  - margin 40\n  - floor 35",
        "- Room\n- Internal:\n- margin 40\n- floor 35",
        "- Room\n- Internal notes\n- margin 40\n- floor 35",
        "- Room\n- Place – internal: our margins:\n  - 40 %\n  - 35 %",
        "- Room\n- Place – internal\n  - 40 %\n  - 35 %",
    ] {
        let (text, withheld) = of_part(list);
        assert!(text.starts_with("Room"), "{text}");
        for secret in ["40", "35", "nternal"] {
            assert!(!text.contains(secret), "{list}: {text}");
        }
        assert!(withheld >= 2, "{list}: {withheld}");
    }
    let (text, _) = of_part("- Internal:\n- margin 40\n- Rooms:\n- Hall");
    assert!(text.contains("Hall") && !text.contains("40"), "{text}");
}

#[test]
fn all_below_a_private_heading_is_private_up_to_the_next_of_its_level() {
    for (language, heading) in [
        ("en", "Internal – pricing"),
        ("en", "Our internal notes"),
        ("en", "Internal notes on the price"),
        ("en", "Pricing notes (not for the client)"),
        ("en", "For internal use: numbers"),
        ("en", "INTERNAL pricing"),
        ("de", "Interne Hinweise zur Verhandlung"),
        ("de", "Unsere internen Notizen"),
        ("fr", "Notes internes sur la négociation"),
        ("es", "Notas internas sobre el precio"),
    ] {
        let (text, withheld) = said_in(
            language,
            &format!(
                "Room.\n\n### {heading}\n\nAnna knows.\n\nThe margin is 40 %.\n\n#### Why\n\n- 35 %\n\n\
                 | a | b |\n|---|---|\n| 40 | 35 |\n\nAnna again.\n\n### Steps\n\nA visit."
            ),
        );
        assert_eq!(text, "Room. | Steps | A visit.", "{heading}");
        assert!(withheld >= 4, "{heading}: {withheld}");
    }
    // A line in bold stands for a heading.
    let (text, _) = of_part(
        "Room.\n\n**Internal**\n\n- 40 %\n\nAnna knows.\n\nThe floor is 35 %.\n\n**Steps**\n\nA visit.",
    );
    assert_eq!(text, "Room. | Steps | A visit.");
}

#[test]
fn a_mark_of_what_is_to_be_done_takes_its_own_sentence() {
    for (said, kept) in [
        ("Room. [TODO] Ask Anna. We keep it.", "Room. We keep it."),
        (
            "[TODO] Ask Anna. We keep it. A visit.",
            "We keep it. A visit.",
        ),
        ("Start in week 3 [TODO]. We keep it.", "We keep it."),
        ("(TODO) Ask Anna. We keep it.", "We keep it."),
        ("[Zu klären] Wann? We keep it.", "We keep it."),
    ] {
        assert_eq!(of_part(said), (kept.to_owned(), 1), "{said}");
    }
}

#[test]
fn a_bracket_that_only_forbids_speaks_of_its_sentence() {
    for (said, kept) in [
        ("The floor is 40 (not for the client). A visit.", "A visit."),
        (
            "The floor is 40 (internal, do not show). A visit.",
            "A visit.",
        ),
        (
            "The floor is 40 (please do not share). A visit.",
            "A visit.",
        ),
        (
            "The floor is 40 (nur intern, bitte nicht zeigen). A visit.",
            "A visit.",
        ),
        ("The floor is 40 (ne pas diffuser). A visit.", "A visit."),
        ("The floor is 40 [no mencionar]. A visit.", "A visit."),
        (
            "| Risk | Answer |\n|---|---|\n| Strike (internal, do not show) | Ask Anna |\n| Fire | Water |",
            "Risk | Answer | Fire | Water",
        ),
    ] {
        assert_eq!(of_part(said), (kept.to_owned(), 1), "{said}");
    }
    // What a bracket itself tells is all that is private.
    let (text, _) = of_part("A place is £9 (not for the client: we paid 40). A visit.");
    assert_eq!(text, "A place is £9. A visit.");
    let (text, withheld) = of_part("Training (two days, internal) is free.");
    assert!(text.contains("internal") && withheld == 0, "{text}");
}

#[test]
fn a_label_may_end_in_emphasis_a_semicolon_or_a_number_before_it() {
    for note in [
        "**Internal** The margin is 40 %. Or 35 %.",
        "*Internal* the margin is 40 %.",
        "A visit.\n**Internal** The margin is 40 %. Or 35 %.",
        "Internal; the margin is 40 %. Or 35 %.",
        "1 internal: the margin is 40 %.",
        "🔒 Internal: the margin is 40 %.",
    ] {
        withholds("en", note);
        withholds("en", &format!("- Room\n- {}", note.replace('\n', " ")));
    }
    let (text, withheld) = of_part("Our **internal** audits take a day.");
    assert!(text.contains("internal") && withheld == 0, "{text}");
}

#[test]
fn a_sentence_that_speaks_of_a_private_one_is_private() {
    for (language, said) in [
        (
            "en",
            "Between us, the owner hesitates. He saw Anna's offer. A visit.",
        ),
        (
            "en",
            "Do not mention the leak. It cost 40 pallets. They fear 35 more. A visit.",
        ),
        (
            "en",
            "The floor is 40 (internal). That is what Anna says. A visit.",
        ),
        ("fr", "Entre nous, le patron hésite. Il a vu Anna. A visit."),
        (
            "de",
            "Bitte das Leck nicht erwähnen. Es kostete 40 Paletten. A visit.",
        ),
        ("es", "No mencione la fuga. Esto costó 40 palés. A visit."),
    ] {
        let (text, withheld) = said_in(language, said);
        assert_eq!(text, "A visit.", "{said}");
        assert!(withheld > 0);
    }
    let (text, _) = of_part("A place is £9 (internal: floor is 40). It is dry.");
    assert_eq!(text, "A place is £9. It is dry.");
}

#[test]
fn notes_of_people_who_sell_are_private() {
    for note in [
        "Confidential background\n\nAnna left.\n\nThey owe us 40.",
        "For the writer: make the 40 sound big.",
        "Sales note – they will sign at £35.",
        "Price: £9 a month – can go to £35.",
        "Fuel is dear (Anna's report, don't quote).",
        "#### Not for the client\n\nAnna left.\n\nThey owe us 40.",
    ] {
        withholds("en", note);
    }
    let brief = Brief::read(
        "# A\n\n## B\n\nRoom.\n\n## Not for the client\n\nThey owe us 40.",
        "en",
    );
    assert!(!brief.wishes.no_customers && brief.directions.is_empty());
}

#[test]
fn an_order_that_tells_something_is_never_told() {
    let brief = |order: &str| Brief::read(&format!("# A\n\n## B\n\nRoom. {order}"), "en");
    let told = brief("Please do not mention prices.");
    assert_eq!((told.directions.len(), told.withheld.len()), (1, 0));
    for order in [
        "Please don't mention that we know the lessor's price.",
        "(Please don't mention that we know the lessor's price.)",
        "Do not mention the price of 40 that Anna got.",
    ] {
        let told = brief(order);
        assert_eq!(
            (told.directions.len(), told.withheld.len()),
            (0, 1),
            "{order}"
        );
        assert_eq!(told.text().trim(), "A\nB\nRoom.");
    }
}

#[test]
fn lines_directly_below_a_private_one_are_private() {
    for note in [
        "14 depots\nInternal - Anna hesitates\nHer boss wants 40\nMargin 35",
        "14 depots\nInternal: margin 40\nAnna hesitates",
        "14 depots\nNB internal: margin 40\nAnna hesitates",
        "14 depots\n[internal] margin 40\nAnna hesitates",
        "14 depots\nInternal | margin 40\nAnna hesitates",
    ] {
        let (text, _) = of_part(&format!(
            "{note}\nFloor: 35\n\nWhen: 4 May\nWhere: Leeds\n\nA visit."
        ));
        assert_eq!(
            text, "14 depots | When: 4 May | Where: Leeds | A visit.",
            "{note}"
        );
    }
}

#[test]
fn a_column_of_nothing_but_notes_goes() {
    let (text, withheld) = of_part(
        "| Item | Price | Note |\n|---|---|---|\n| Hall | £9 | |\n| Room | £4 | internal: cost is 3 |",
    );
    assert_eq!(
        (text.as_str(), withheld),
        ("Item | Price | Hall | £9 | Room | £4", 1)
    );
}

#[test]
fn a_statement_speaks_of_what_stands_around_it() {
    for (language, note) in [
        ("en", "What follows is internal:\n\n- margin 40"),
        ("en", "The following is confidential.\n\n- margin 40"),
        (
            "en",
            "This paragraph is confidential. Anna leaves. Margin 40.",
        ),
        ("en", "Please keep the following confidential: margin 40."),
        ("en", "Don't tell anyone, but the margin is 40."),
        ("en", "The margin is 40, but that stays internal."),
        ("en", "The margin is 40. This must stay internal."),
        ("en", "The margin is 40. (This is internal.)"),
        ("en", "The margin is 40. Keep this internal."),
        ("en", "Note (internal) the margin is 40. Or 35."),
        ("de", "Die Marge ist 40. Bitte vertraulich behandeln."),
        ("de", "Das Folgende ist intern:\n\n- Marge 40"),
        ("de", "Nur für euch: Marge 40. Anna geht."),
        ("de", "Die Marge ist 40 (bleibt intern)."),
        ("fr", "La marge est de 40 (à garder pour nous)."),
        ("fr", "Pour vous seulement : marge de 40. Anna part."),
        ("es", "El margen es 40 (que no salga de aquí)."),
        ("es", "Sólo para ti: margen 40. Anna se va."),
    ] {
        withholds(language, note);
        let (text, _) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert_eq!(text, "Room. | A visit.", "{note}");
    }
    let (text, withheld) =
        of_part("Your data stays here. We keep it confidential. All data stays internal.");
    assert!(text.contains("confidential") && withheld == 0, "{text}");
}
