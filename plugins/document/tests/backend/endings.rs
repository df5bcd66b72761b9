//! Briefs as people write them to colleagues: what is said only to these, in which language the document is, and what it is called.

use gtm_document_model::Document;
use gtm_document_model::document::DocumentType;
use gtm_sdk::json::json;

use crate::run::job;
use crate::wishes::run;

/// The document of a brief by itself, its text, and what was told.
fn of(brief: &str) -> (Document, String, String) {
    let (_, document, text, told) = run(job(brief).alone());
    (document, text, told)
}

#[test]
fn one_line_of_orders_in_another_language_makes_no_document_in_that_one() {
    let (document, text, _) = of(
        "Please keep it short, two pages at most, no buzzwords and no stock photos in it.\n\n# Lectores para Bodegas Ardiela\n\n\
         ## Situación\n\nLa bodega lee 40 depósitos a mano.\n\n## Precio\n\n| Concepto | Precio |\n|---|---|\n| Lectores | 9.400 € |\n\
         | Montaje | 1.200 € |\n\n## Próximos pasos\n\n- Visita el 4 de mayo de 2027\n",
    );
    assert_eq!(document.meta.language, "es", "{text}");
    assert!(!text.contains("Please"), "{text}");
}

#[test]
fn an_italian_request_is_an_order_and_names_what_is_wanted() {
    let (document, text, told) = of(
        "Ciao Luca, mi servirebbe un'offerta per la Cantina Vela. Puoi preparare un'offerta di due pagine?\n\n## A\n\nLa cantina legge 40 \
         serbatoi a mano.\n\nIl sistema costa 9.400 euro.\n\nGrazie,\nGiulia",
    );
    for order in ["servirebbe", "Puoi", "Luca", "Giulia", "Grazie"] {
        assert!(!text.contains(order), "{order}: {text}");
    }
    assert!(text.contains("40") && text.contains("9.400"), "{text}");
    let kind = document.meta.document_type;
    assert_eq!(kind, DocumentType::Proposal, "{told}");
}

#[test]
fn to_whom_it_goes_is_printed_on_the_cover_alone() {
    let (_, text, _) = of(
        "Haz una propuesta de dos páginas. Va dirigida a la señora Ruiz, directora de compras.\n\n## Situación\n\nLa planta lee 40 \
         depósitos a mano.",
    );
    assert!(!text.contains("Va dirigida"), "{text}");
    assert!(text.contains("Ruiz"), "{text}");
    let (_, text, _) = of(
        "Write a proposal, two pages. It goes to Ms Jane Doe, purchasing, at Northwind Foods.\n\n## Why\n\nTwo of nine gates leak by night.",
    );
    assert!(
        text.contains("Northwind Foods") && text.contains("Jane Doe"),
        "{text}"
    );
    assert!(!text.contains("It goes"), "{text}");
    let (_, text, _) = of(
        "Maak een voorstel van twee pagina's.\n\nKlant: Korenaar B.V.\nT.a.v. mevrouw De Wit\n\n## Waarom\n\nTwee van negen deuren lekken.",
    );
    assert!(!text.contains("T.a.v."), "{text}");
    assert!(text.contains("De Wit"), "{text}");
}

#[test]
fn an_arabic_note_leaves_its_frame_and_its_orders() {
    let (_, text, told) = of(
        "مرحبا سامي،\n\nأحتاج عرض أسعار لشركة النور من صفحتين. اجعله مختصرا.\n\n## الوضع\n\nفي المستودع 14 بابا قديما.\n\n## السعر\n\n\
         | البند | السعر |\n|---|---|\n| الأبواب | 9400 |\n\nشكرا لك،\nهدى",
    );
    for order in ["سامي", "أحتاج", "مختصرا", "شكرا", "هدى"] {
        assert!(!text.contains(order), "{order}: {text} / {told}");
    }
    assert!(text.contains("14 بابا") && text.contains("9400"), "{text}");
}

#[test]
fn names_with_an_and_stay_whole_and_a_price_list_is_no_report() {
    let (document, _, _) = of(
        "Write a proposal for Harrow and Finch Dairies.\n\n## Why\n\nTwo of nine gates leak by night and nobody sees it.",
    );
    assert_eq!(document.meta.title, "Proposal for Harrow and Finch Dairies");
    let (document, _, _) = of(
        "Mach bitte ein Angebot für Harms und Söhne.\n\n## Warum\n\nZwei von neun Toren lecken in der Nacht.",
    );
    assert_eq!(document.meta.title, "Angebot für Harms und Söhne");
    let (document, text, _) = of(
        "# Price list 2027\n\n## Gates\n\n| Item | Price |\n|---|---|\n| Gate | £480 |\n| Lock | £40 |\n\n## Service\n\n\
         | Item | Price |\n|---|---|\n| Visit | £90 |\n\n## Terms\n\nPrices are net of VAT.",
    );
    assert_eq!(document.meta.subtitle, None, "{text}");
}

#[test]
fn who_signs_a_brief_is_no_chapter() {
    let (document, text, _) = of(
        "# Gates that close\n\n## Why\n\nTwo of nine gates leak by night.\n\nThanks,\n\nRoss\n\nP.S. Their chairman thinks we are too dear.",
    );
    let titles: Vec<&str> = document
        .sections
        .iter()
        .map(|it| it.title.as_str())
        .collect();
    assert!(
        !titles.contains(&"Ross") && !text.contains("Ross"),
        "{text}"
    );
    assert!(!text.contains("chairman"), "{text}");
}

#[test]
fn a_picture_that_a_letter_is_to_have_is_not_asked_of_its_reader() {
    let (_, text, _) = of(
        "Dear Ms Olsen,\n\nthe new gate is quiet. Add a picture of the gate here.\n\nIt costs £480.\n\nYours sincerely,\n\nJo Marsh",
    );
    assert!(!text.contains("Add a picture"), "{text}");
    assert!(text.contains("quiet") && text.contains("£480"), "{text}");
}

#[test]
fn a_course_of_four_months_is_a_chart() {
    for brief in [
        "# Fewer stops\n\n## Downtime\n\nDowntime fell: January 14 hours, February 11 hours, March 9 hours, April 6 hours.\n\n## Next\n\nWe go on.",
        "# Fewer stops\n\n## Downtime\n\n- January: 14 h\n- February: 11 h\n- March: 9 h\n- April: 6 h\n\n## Next\n\nWe go on.",
        "# Fewer stops\n\n## Downtime\n\n| Month | Hours |\n|---|---|\n| January | 14 |\n| February | 11 |\n| March | 9 |\n| April | 6 |\n\n\
         ## Next\n\nWe go on.",
    ] {
        let job = job(brief).alone().with("/document_type", json!("deck"));
        let (draft, _, text, _) = run(job);
        assert!(
            draft.to_string().contains("\"categories\""),
            "{brief}: {text}"
        );
    }
}

#[test]
fn a_playbook_keeps_what_to_answer_and_no_price_to_go_down_to() {
    let brief = "# Playbook for gates\n\n## Objections\n\nIf they ask about noise, show them the test of May.\n\nIf they insist, 8 % is fine.";
    let job = job(brief).alone().with("/document_type", json!("playbook"));
    let (_, _, text, _) = run(job);
    assert!(text.contains("show them the test of May"), "{text}");
    assert!(!text.contains("8 %"), "{text}");
}
