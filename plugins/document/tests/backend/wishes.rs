//! Briefs of people in a hurry: what they order is obeyed or told, and what they say is printed.

use gtm_document_model::Document;
use gtm_document_model::block::Block;
use gtm_document_model::document::Layout;
use gtm_sdk::{Value, json::json};

use crate::hurried::running_prose;
use crate::printed::print;
use crate::run::{Job, job, whole};

/// The draft, its document as text, and what was told.
/// What of a draft may stand in a file: all but the parts of the brief that were left out.
pub fn printable(mut draft: Value) -> String {
    if let Some(members) = draft.as_object_mut() {
        members.remove("not_printed");
    }
    draft.to_string()
}

pub fn run(job: Job) -> (Value, Document, String, String) {
    let run = job.run();
    let told: Vec<String> = run
        .reports
        .iter()
        .filter_map(|(_, text)| text.clone())
        .collect();
    let draft = run.output.unwrap();
    let document = whole(&draft);
    let text = print(&document);
    println!("{}\n{text}", told.join("\n"));
    (draft, document, text, told.join("\n"))
}

fn titles(document: &Document) -> Vec<&str> {
    let sections = document.sections.iter();
    sections.map(|section| section.title.as_str()).collect()
}

/// A guideline whose proofs name customers.
fn with_customers(mut job: Job, proofs: Value) -> Job {
    job.brand["positioning"]["proof_points"] = proofs;
    job
}

fn english_proofs() -> Value {
    json!([
        {"value": {"key": "a", "kind": "testimonial", "text": "We stopped phoning. Head of Supply, Moss Dairies"}},
        {"value": {"key": "b", "kind": "case_study", "text": "Moss Dairies saves 40 hours a month."}},
        {"value": {"key": "c", "kind": "metric", "text": "In use at 41 cold stores in 6 countries."}},
    ])
}

const ENGLISH_SLIDES: &str = "\
8 slides, for the board
Max 5 bullets per slide
Please keep it friendly
do not name any of our customers

Slide 1: Why we are here
The winter was hard on the depots.
Slide 2: What we saw
- 14 depots
- 3 countries
- 41 alarms a night
- 6 shift engineers
- 2 control rooms
- 1 clipboard
Slide 3: What we propose
A bridge between sensors and maintenance.
Slide 4: How it works
- It reads the sensors
Slide 5: Where we start
- Leeds in March
Slide 6: What it costs
490 per site and month plus VAT
Slide 7: Who decides
Petra Olsen, COO
Slide 8: The ask
Decision by 15 March
";

const GERMAN_SLIDES: &str = "\
8 Folien, für den Vorstand
Maximal 5 Stichpunkte pro Folie
Bitte freundlich halten
Bitte keine Kundennamen nennen

Folie 1: Warum wir hier sind
Der Winter war hart für die Lager.
Folie 2: Was wir gesehen haben
- 14 Lager
- 3 Länder
- 41 Alarme je Nacht
- 6 Schichtführer
- 2 Leitstände
- 1 Klemmbrett
Folie 3: Was wir vorschlagen
Eine Brücke zwischen Sensoren und Instandhaltung.
Folie 4: Wie es geht
- Sie liest die Sensoren
Folie 5: Wo wir anfangen
- Ulm im März
Folie 6: Was es kostet
490 € je Standort und Monat zzgl. USt.
Folie 7: Wer entscheidet
Petra Olsen, Vorstand
Folie 8: Unsere Bitte
Entscheidung bis 15. März
";

#[test]
fn orders_are_obeyed_and_never_printed() {
    let german = json!([
        {"value": {"key": "a", "kind": "testimonial", "text": "Endlich Ruhe in der Nacht. Leiter Technik, Moss Molkerei"}},
        {"value": {"key": "b", "kind": "case_study", "text": "Bei Moss Molkerei fallen 40 Stunden im Monat weg."}},
    ]);
    let mut german = with_customers(job(GERMAN_SLIDES), german);
    german.brand["language"] = json!("de");
    for (job, orders, last, told_of) in [
        (
            with_customers(job(ENGLISH_SLIDES), english_proofs()),
            [
                "8 slides",
                "bullets",
                "friendly",
                "customers",
                "Moss Dairies",
            ],
            "The ask",
            "No customers are named",
        ),
        (
            german,
            ["8 Folien", "Stichpunkte", "freundlich", "Kunden", "Moss"],
            "Unsere Bitte",
            "keine Kunden genannt",
        ),
    ] {
        let (draft, document, text, told) = run(job);
        assert_eq!(
            (&draft["document_type"], &draft["format"]),
            (&json!("deck"), &json!("pptx"))
        );
        for order in orders {
            assert!(!text.contains(order), "{order}");
        }
        // Eight slides were written, so there are eight; the list of six goes on in the next.
        assert!(
            told.contains(told_of) && (told.contains("9") || document.sections.len() == 8),
            "{told}"
        );
        let last_section = document.sections.last().unwrap();
        assert_eq!(
            (last_section.title.as_str(), last_section.layout),
            (last, Some(Layout::Closing))
        );
        for section in &document.sections {
            for block in &section.blocks {
                assert!(
                    !matches!(block, Block::Bullets(list) if list.items.len() > 5),
                    "{}",
                    section.title
                );
            }
        }
        for unasked in [
            "Proven results",
            "What we propose\n  LEAD A bridge between sensor networks",
            "Why Coldwise",
            "Warum Coldwise",
            "Agenda",
        ] {
            assert!(!text.contains(unasked), "{unasked}");
        }
    }
}

#[test]
fn a_full_order_gets_nothing_unasked_and_a_short_one_is_filled() {
    let chapters = |count: usize| -> String {
        let parts = (1..=count)
            .map(|_| "## Cold store\n\nThe store is cold and stays cold, day and night.\n\n");
        parts.collect()
    };
    let brief = |count: usize| {
        format!(
            "Make a deck of 6 slides for Northwind.\n\n{}",
            chapters(count)
        )
    };
    let (_, full, _, told) = run(job(&brief(5)));
    assert_eq!(full.sections.len(), 6, "{:?}", titles(&full));
    assert!(told.contains("Proven results"), "{told}");
    let (_, filled, _, _) = run(job(&brief(2)));
    assert_eq!(filled.sections.len(), 6, "{:?}", titles(&filled));
    let (_, over, _, told) = run(job(&brief(9)));
    assert!(
        over.sections.len() > 6 && told.contains("The brief asks for 6 slides"),
        "{told}"
    );
    let (_, few, _, told) = run(job("Make a deck of 12 slides for Northwind.\n\n## Cold\n\nThe store is cold and stays cold, day and night.").alone());
    assert!(few.sections.len() < 12 && told.contains("12"), "{told}");
}

#[test]
fn pages_are_kept_where_only_unasked_chapters_are_too_many() {
    let brief = "Write a proposal for Northwind. No more than 1 page.\n\n## Today\n\nReadings are copied by hand.\n\n## Price\n\n£490 per site and month.\n";
    let (_, document, text, told) = run(job(brief));
    assert!(
        !text.contains("Proven results") && !text.contains("1 page"),
        "{text}"
    );
    assert!(
        told.contains("Proven results") && !told.contains("probably"),
        "{told}"
    );
    assert_eq!(document.meta.title, "Proposal for Northwind");
    let long = format!("{brief}{}", "## More\n\nThe store is cold, and it stays cold through the day and through the night.\n\n".repeat(30));
    let (_, _, _, told) = run(job(&long));
    assert!(told.contains("asks for 1 page"), "{told}");
}

const ENGLISH_NOTES: &str = "\
need a proposal for Lidl by friday, pls keep it friendly
met with Petra Olsen (COO) on Tuesday
14 depots, 3 countries
they copy readings by hand, 40 min a shift
ask: decision by 15 March
- **2 sites**, so that the rest can follow
- **40 minutes** saved per shift
start in Leeds in May
";

const GERMAN_NOTES: &str = "\
Angebot für Nordkühl Logistik GmbH
Maximal 3 Seiten. Bitte freundlich halten.

Ausgangslage:
12 Lager in Norddeutschland
Ablesung von Hand, 40 Minuten je Schicht

Preis:
490 € je Standort und Monat zzgl. USt. ab 1. Januar, inkl. Einbau

Zeitplan:
KW 3: Begehung
KW 5: Einbau

Nächste Schritte:
Rückfragen an Jens Holm (0431 555 12)
";

#[test]
fn raw_notes_end_with_what_is_asked_and_are_told_where_nothing_marks_them() {
    let (draft, document, text, _) = run(job(ENGLISH_NOTES));
    assert_eq!(draft["document_type"], "proposal");
    assert_eq!(document.meta.title, "Proposal for Lidl");
    for line in ["Petra Olsen", "friendly", "ask:"] {
        assert!(!text.contains(line), "{line}: {text}");
    }
    let prose = running_prose(&draft).to_lowercase();
    for line in [
        "met with petra olsen (coo) on tuesday",
        "14 depots, 3 countries",
    ] {
        assert!(prose.contains(line), "{line}: {prose}");
    }
    let last = document.sections.last().unwrap();
    assert_eq!(
        (last.title.as_str(), last.layout),
        ("Next steps", Some(Layout::Closing))
    );
    assert!(
        matches!(&last.blocks[0], Block::Paragraph(paragraph) if paragraph.runs[0].text == "Decision by 15\u{a0}March")
    );
}

#[test]
fn labels_are_headings_in_the_brief_s_own_order() {
    let (draft, document, text, told) = run(job(GERMAN_NOTES));
    assert_eq!(draft["document_type"], "proposal");
    assert_eq!(document.meta.title, "Angebot für Nordkühl Logistik GmbH");
    assert_eq!(document.meta.subtitle, None);
    let titles = titles(&document);
    let own: Vec<&&str> = titles
        .iter()
        .filter(|title| ["Ausgangslage", "Preis", "Zeitplan", "Nächste Schritte"].contains(title))
        .collect();
    assert_eq!(
        own,
        [&"Ausgangslage", &"Preis", &"Zeitplan", &"Nächste Schritte"]
    );
    assert_eq!(titles.last(), Some(&"Nächste Schritte"));
    assert!(
        text.contains("490 € je Standort und Monat zzgl. USt. ab 1. Januar, inkl. Einbau"),
        "{text}"
    );
    assert!(
        text.contains("Jens Holm (0431 555 12)") && !text.contains("Seiten"),
        "{text}"
    );
    assert!(
        told.contains("Als Anweisung gelesen")
            && told.contains("Gliederung:")
            && !told.contains("Left out"),
        "{told}"
    );
}

#[test]
fn abbreviations_end_no_sentence_on_slides() {
    for (brief, kept) in [
        (
            "Mach eine Präsentation für Nordkühl.\n\n## Preis\n\nDer Betrieb kostet 490 € je Standort und Monat zzgl. USt. und Versand. Der Einbau ist inkl. Anfahrt enthalten. Er beginnt am 3. Quartalstag des Jahres.\n",
            [
                "zzgl. USt. und Versand",
                "inkl. Anfahrt enthalten",
                "am 3. Quartalstag des Jahres",
            ],
        ),
        (
            "Make a deck for Northwind.\n\n## Price\n\nRunning it costs £490 per site and month excl. VAT and shipping. Installation is incl. Travel to the site. It starts approx. March the first.\n",
            [
                "excl. VAT and shipping",
                "incl. Travel to the site",
                "approx. March the first",
            ],
        ),
    ] {
        let (_, document, _, _) = run(job(brief).alone());
        let texts: Vec<String> = document
            .sections
            .iter()
            .flat_map(|section| gtm_document::brief::texts_of(&section.blocks))
            .collect();
        for part in kept {
            assert!(
                texts.iter().any(|text| text.contains(part)),
                "{part} in {texts:?}"
            );
        }
    }
}

#[test]
fn titles_are_of_the_brief_and_readers_stand_on_the_cover() {
    for (brief, title, subtitle) in [
        (
            "Write a proposal for the Stadium of Light.\n\n## A\n\nThe stadium has nine boilers and wants one meter for each of them.",
            "Proposal for the Stadium of Light",
            None,
        ),
        (
            "Erstelle ein Angebot für die Stadtwerke Ulm über Funkzähler.\n\n## A\n\nDie Stadtwerke lesen 4000 Zähler von Hand ab und wollen das ändern.",
            "Angebot für die Stadtwerke Ulm",
            Some("Funkzähler"),
        ),
        (
            "Write a report on alarms at night.\n\n## A\n\nThere were fewer alarms at night since the bridge was built.",
            "Alarms at night",
            Some("Report"),
        ),
        (
            "Proposal for Northwind\n\n## A\n\nThe depots of Northwind read all of their meters by hand today.",
            "Proposal for Northwind",
            None,
        ),
        (
            "# Fewer alarms\n\nClient: Northwind\n\n## A\n\nThe depots of Northwind read all of their meters by hand today.",
            "Fewer alarms",
            Some("Report for Northwind"),
        ),
    ] {
        let mut job = job(brief);
        job.offer = None;
        if brief.starts_with("# ") {
            job = job.with("/document_type", json!("report"));
        }
        let (_, document, text, _) = run(job);
        assert_eq!(
            (
                document.meta.title.as_str(),
                document.meta.subtitle.as_deref()
            ),
            (title, subtitle),
            "{text}"
        );
        assert!(!text.contains("Client:"));
    }
    let (draft, _, _, _) = run(job(
        "Proposal for Northwind\n\n## A\n\nThe depots read all of their meters by hand today.",
    )
    .alone());
    assert_eq!(draft["document_type"], "proposal");
}

#[test]
fn numbers_that_a_chart_shows_are_in_the_document() {
    let brief = "Write a deck.\n\n# Alarms\n\n## Alarms by month\n\n\
        | Month | Alarms |\n|---|---|\n| June | 640 |\n| July | 1,380 |\n| August | 1,720 |\n| September | 1,150 |\n\n\
        ## What follows\n\n- The stores get a second gate in autumn\n- Sensors report for themselves\n";
    let (_, document, _, told) = run(job(brief).alone());
    let plotted = document.sections.iter().flat_map(|section| &section.blocks);
    assert!(
        plotted
            .clone()
            .any(|block| matches!(block, Block::Chart(_)))
    );
    assert!(!told.contains("not in the document"), "{told}");
}

#[test]
fn slides_of_nothing_but_a_title_stay() {
    let (_, document, _, _) = run(job(
        "Slide 1: Nine depots are cold\nSlide 2: We need your decision by 12 May\n",
    )
    .alone());
    assert!(
        titles(&document).ends_with(&[
            "Nine depots are cold",
            "We need your decision by 12\u{a0}May"
        ]),
        "{:?}",
        titles(&document)
    );
}

#[test]
fn a_sentence_without_a_verb_orders_a_document() {
    for (brief, kind, title, order, said) in [
        (
            "A short deck for Acme.\n\n## Setup\n\nSetup takes 3 days.",
            "deck",
            "Presentation for Acme",
            "short deck",
            "Setup takes 3 days",
        ),
        (
            "Ein kurzes Angebot für Nordkühl.\n\n## Einrichtung\n\nDie Einrichtung dauert drei Tage.",
            "proposal",
            "Angebot für Nordkühl",
            "kurzes",
            "Die Einrichtung dauert drei Tage",
        ),
        (
            "il me faut une présentation de 6 diapos pour la direction de Dubois, ton sobre\n\n## Audit\n\nAudit en juin pour tous les dépôts\nmerci, Paul",
            "deck",
            "Présentation pour la direction de Dubois",
            "il me faut",
            "Audit en juin",
        ),
    ] {
        let (draft, document, text, _) = run(job(brief).alone());
        assert_eq!(draft["document_type"], kind, "{brief}");
        assert_eq!(document.meta.title, title);
        assert!(
            text.contains(said) && !text.contains(order) && !text.contains("Paul"),
            "{text}"
        );
    }
    // What a report says is no order.
    let (_, _, text, _) = run(job(
        "## Gaps\n\nThe report for 2025 shows forty gaps in the record of the cold store.",
    )
    .alone());
    assert!(text.contains("forty gaps"));
}
