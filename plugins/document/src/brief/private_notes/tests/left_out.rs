//! Orders to leave something out, and what only sounds like them.

use super::unclear::said_in;

#[test]
fn a_heading_that_orders_to_leave_out_withholds_all_below_it() {
    for (language, heading) in [
        ("en", "Do not include"),
        ("en", "Please do not include in the document"),
        ("de", "Nicht in das Dokument"),
        ("de", "Nicht aufnehmen"),
        ("de", "Hintergrund für dich"),
        ("fr", "À ne pas mettre"),
        ("fr", "À NE PAS METTRE"),
        ("fr", "Ne pas publier"),
        ("es", "No incluir"),
        ("it", "Da non inserire"),
        ("nl", "Niet opnemen"),
        ("pt", "Não incluir no documento"),
        ("ja", "掲載しない内容"),
        ("ja", "掲載不可"),
    ] {
        let brief = format!("Room.\n\n## {heading}\n\nAnna pays 40.\n\nOr 35.\n\n## C\n\nA visit.");
        let (text, withheld) = said_in(language, &brief);
        assert_eq!(text, "Room. | A visit.", "{heading}");
        assert!(withheld >= 2, "{heading}");
    }
    for (language, heading) in [
        ("en", "Not included"),
        ("en", "Do not miss the opening"),
        ("de", "Nicht im Preis enthalten"),
        ("de", "Das darf nicht fehlen"),
        ("fr", "Non compris"),
        ("fr", "À ne pas manquer"),
        ("es", "No incluido en el precio"),
        ("it", "Non incluso nel prezzo"),
        ("it", "Da non perdere"),
        ("nl", "Niet inbegrepen"),
        ("ja", "含まれないもの"),
    ] {
        let brief = format!("Room.\n\n## {heading}\n\nForty lifts.");
        let (text, withheld) = said_in(language, &brief);
        assert!(text.ends_with("Forty lifts."), "{heading}: {text}");
        assert_eq!(withheld, 0, "{heading}");
    }
}

#[test]
fn what_must_not_stand_in_the_document_is_withheld_with_its_sentence() {
    for (language, note) in [
        (
            "en",
            "Anna would pay 40, but that obviously mustn't be in there.",
        ),
        ("en", "Anna pays 40, that should not go in there."),
        ("en", "Anna's 40 must not be mentioned."),
        ("en", "Anna's 40 should not be in the document."),
        (
            "en",
            "Anna took 40 weeks, 2 too many because of the flood – leave the delay out.",
        ),
        ("en", "Anna wanted 40 but I said no, so ignore her mail."),
        ("en", "Anna says 40 -> legal said no, don't use"),
        (
            "de",
            "Unter 40 € geht Anna nicht, das darf da aber natürlich nicht drinstehen.",
        ),
        (
            "de",
            "Unter 40 € geht Anna nicht, das darf natürlich nicht rein.",
        ),
        ("de", "Annas 40 dürfen auf keinen Fall drinstehen."),
        ("de", "Annas 40 sollten nicht ins Dokument."),
        ("de", "Anna kam 40 Tage zu spät – lass die Verspätung weg."),
        ("fr", "Anna paie 40, mais ça ne doit pas y figurer."),
        ("es", "Anna paga 40, pero eso no debe aparecer ahí."),
        ("it", "Anna paga 40, ma questo non deve esserci."),
        ("nl", "Anna betaalt 40, maar dat mag niet erin staan."),
        ("pt", "A Anna paga 40, mas isso não deve aparecer lá."),
        ("ja", "Annaは40ですが、資料には載せないでください。"),
    ] {
        let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert_eq!(text, "Room. | A visit.", "{note}");
        assert!(withheld > 0, "{note}");
    }
    for (language, said) in [
        ("en", "Water must not get in there in 40 years."),
        ("en", "Bleach must not be in there for 40 hours."),
        ("en", "Open the hall, leave the keys with us for 40 days."),
        ("en", "When 40 others said no, we said yes."),
        ("en", "I said no to paper 40 years ago."),
        ("en", "Our 40 halls must not be opened at night."),
        ("de", "Das Wasser darf nicht rein, auch nach 40 Jahren."),
        ("de", "Die 40 Lampen dürfen nicht fehlen."),
        ("de", "Das darf bei 40 Lieferungen nicht vorkommen."),
        ("fr", "Le gel ne doit pas entrer dans les 40 salles."),
        ("it", "IVA non inclusa nel prezzo di 40 €."),
        ("ja", "40台の上に物を載せないでください。"),
    ] {
        assert_eq!(said_in(language, said), (said.to_owned(), 0));
    }
}

#[test]
fn a_ban_that_adds_to_another_withholds_what_stands_before_it() {
    for (language, note) in [
        (
            "de",
            "Unter 40 € geht Anna nicht, klar. Die Wettbewerber bitte auch nicht nennen.",
        ),
        (
            "en",
            "Anna won't go below £40, obviously. Don't mention the rivals either.",
        ),
        (
            "fr",
            "Anna ne descend pas sous 40 €. Ne pas mentionner les concurrents non plus.",
        ),
    ] {
        let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert_eq!(text, "Room. | A visit.", "{note}");
        assert!(withheld > 0, "{note}");
    }
    let said = "Forty rooms are new. Die Wettbewerber bitte auch nicht nennen.";
    assert_eq!(said_in("de", said).0, "Forty rooms are new.");
}

#[test]
fn what_is_said_behind_a_readers_back_is_withheld() {
    for (language, note) in [
        ("en", "(Anna's MD is difficult, tread carefully, 40 calls.)"),
        ("en", "Their budget is £40k, just so you know."),
        ("en", "Target margin is 40%."),
        (
            "de",
            "Der Einkaufsleiter mag keine Superlative, höchstens 40.",
        ),
        ("de", "Unsere Zielmarge liegt bei 40 %."),
        ("fr", "Marge cible 40 %."),
        ("es", "Margen objetivo 40 %."),
        ("it", "Margine obiettivo 40 %."),
    ] {
        let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert_eq!(text, "Room. | A visit.", "{note}");
        assert!(withheld > 0, "{note}");
    }
    for (language, said) in [
        ("en", "A manager of 40 halls is difficult to replace."),
        ("en", "We reach your target margin of 40%."),
        ("en", "The director likes the 40 new gates."),
        ("de", "Der Geschäftsführer mag die 40 neuen Tore."),
    ] {
        assert_eq!(said_in(language, said), (said.to_owned(), 0));
    }
}
