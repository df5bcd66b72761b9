//! Short briefs in prose, as people write them who have a quarter of an hour: what they order is obeyed, and what they say is
//! the document.

use gtm_document_model::Document;
use gtm_document_model::block::Block;
use gtm_document_model::document::Layout;
use gtm_sdk::{Value, json::json};

use crate::run::job;
use crate::wishes::run;

const FRENCH_CASE_STUDY: &str = "\
Rédige une étude de cas pour notre site, en docx.

Client : Biscuiterie Kerhoz, Lorient, 140 salariés.

Kerhoz livre 210 magasins chaque matin. Avant notre logiciel, les tournées étaient préparées sur papier et trois camions sur dix \
rentraient à moitié pleins.

Ce que nous avons fait : le plan des tournées est calculé chaque nuit à partir des commandes. La mise en route a duré six semaines.

Résultats : 22 % de kilomètres en moins et deux camions de moins en location. Les chambres froides tiennent -25 °C sans rupture.

Prochaine étape : une visite du dépôt de Lorient le 12 mars.
";

const GERMAN_PITCH: &str = "\
Erstelle einen One-Pager für die Stadtwerke Tannach.

Tannach liest 18.400 Wasserzähler von Hand ab. Das dauert jedes Jahr elf Wochen und kostet 24 € je Zähler.

Nutzen: Die Abrechnung ist am ersten Werktag fertig. Niemand muss mehr klingeln.

Warum jetzt: Die Eichfrist von 6.200 Zählern läuft 2027 ab.

Risiken: Im Ortsteil Au fehlt der Funkempfang. Wir messen ihn vorher auf eigene Kosten.

Nächster Schritt: Funkmessung in der Au am 14. April.
";

const ENGLISH_DECK: &str = "\
Write a short sales deck for Marrow Bakeries. Speaker is our sales director, who has ten minutes.

Marrow bakes at night and plans by phone. Every fifth shift starts one person short.

Why now: the new ovens start in June and need two people more per shift. The works council has agreed to a trial.

What changes: planners see each shift a week ahead. Gaps are filled by text message within 20 minutes.

Risks: older bakers do not use phones at work. We put a screen at the time clock.

Next step: a trial in the Harwell bakery from 4 May.
";

const ENGLISH_REPORT: &str = "\
Please write a monthly report for the board of Fenwater Logistics. Sections: summary, volumes, incidents, outlook.

## Volumes

Volumes grew for the third month: January 120, February 140, March 165 pallets.

## Incidents

Incidents stayed low. One trailer was damaged in Hull, nobody was hurt.

## Outlook

The outlook is steady, with two new customers from April.

## Summary

In short, the first quarter was the best since the move to Hull.
";

const SPANISH_PROPOSAL: &str = "\
Haz una propuesta para Conservas Ardiela en pdf.

Ardiela etiqueta 9.000 latas por hora y para la línea cuatro veces por turno. Cada parada cuesta 310 €.

Beneficio: la línea pierde una hora menos por turno. Las etiquetas se revisan con dos cámaras.

Por qué ahora: en septiembre empieza la campaña del bonito.

Próximo paso: una prueba de dos días en la línea 3.
";

const GERMAN_NOTE: &str = "\
Schreib bitte eine Fallstudie über Holzwerk Brandl als Word-Datei.

Kunde: Holzwerk Brandl, Passau, 85 Mitarbeitende.

Das Werk trocknet Schnittholz in neun Kammern. Bis 2025 wurde die Feuchte von Hand gemessen.

Lösung: Sensoren messen alle zehn Minuten. Die Kammer öffnet, sobald das Holz fertig ist.

Ergebnis: 17 % weniger Gas und zwei Tage kürzere Trocknung.
";

fn titles(document: &Document) -> Vec<&str> {
    let sections = document.sections.iter();
    sections.map(|section| section.title.as_str()).collect()
}

/// The draft, its document and the document as text, from a brief alone.
fn alone(brief: &str) -> (Value, Document, String) {
    let (draft, document, text, _) = run(job(brief).alone());
    (draft, document, text)
}

#[test]
fn a_french_case_study_is_ordered_and_not_printed() {
    let (draft, document, text) = alone(FRENCH_CASE_STUDY);
    assert_eq!(draft["format"], "docx");
    assert_eq!(draft["document_type"], "report");
    assert_eq!(document.meta.title, "Biscuiterie Kerhoz");
    assert_eq!(document.meta.subtitle.as_deref(), Some("Étude de cas"));
    assert!(!text.contains("Rédige"), "{text}");
    let titles = titles(&document);
    assert!(titles.contains(&"Ce que nous avons fait"), "{titles:?}");
    assert_eq!(titles.last(), Some(&"Prochaine étape"));
}

#[test]
fn a_german_pitch_has_its_labels_as_headings() {
    let (draft, document, text) = alone(GERMAN_PITCH);
    assert_eq!(draft["document_type"], "one_pager");
    let titles = titles(&document);
    assert_eq!(
        titles.get(..),
        Some(
            &[
                // What a chapter of benefits states is its title.
                "Die Abrechnung ist am ersten Werktag fertig",
                "Warum jetzt",
                "Risiken",
                "Nächster Schritt"
            ][..]
        )
    );
    assert!(!text.contains("Erstelle"), "{text}");
    assert!(text.contains("Niemand muss mehr klingeln."), "{text}");
}

#[test]
fn an_english_deck_does_not_show_who_speaks() {
    let (_, document, text) = alone(ENGLISH_DECK);
    assert!(!text.contains("sales director"), "{text}");
    assert!(!text.contains("sales deck"), "{text}");
    let last = document.sections.last().unwrap();
    assert_eq!(
        (last.title.as_str(), last.layout),
        ("Next step", Some(Layout::Closing))
    );
    assert!(text.contains("A trial in the Harwell bakery"), "{text}");
}

#[test]
fn an_english_report_follows_its_outline() {
    let (_, document, text) = alone(ENGLISH_REPORT);
    let titles = titles(&document);
    assert_eq!(
        titles.get(1..),
        Some(&["Summary", "Volumes", "Incidents", "Outlook"][..])
    );
    assert!(!text.contains("Sections"), "{text}");
    let charts = document.sections.iter().flat_map(|section| &section.blocks);
    let charts: Vec<_> = charts
        .filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
        .collect();
    let [chart] = charts.as_slice() else {
        panic!("{text}")
    };
    assert_eq!(chart.categories, ["January", "February", "March"]);
}

#[test]
fn a_spanish_proposal_and_a_german_case_study() {
    let (draft, document, text) = alone(SPANISH_PROPOSAL);
    assert_eq!(draft["format"], "pdf");
    assert_eq!(draft["document_type"], "proposal");
    assert!(!text.contains("Haz una"), "{text}");
    assert_eq!(titles(&document).last(), Some(&"Próximo paso"));
    let (draft, document, text) = alone(GERMAN_NOTE);
    assert_eq!(draft["format"], "docx");
    assert_eq!(document.meta.title, "Holzwerk Brandl");
    assert!(!text.contains("Schreib bitte"), "{text}");
}

#[test]
fn a_client_with_facts_is_named_in_the_title_and_no_more() {
    for (language, brief, title) in [
        (
            "en",
            "Write a proposal.\n\nClient: Fenwater Logistics, Hull, 140 employees.\n\n## A\n\nFenwater moves pallets by hand.",
            "Proposal for Fenwater Logistics",
        ),
        (
            "de",
            "Erstelle ein Angebot.\n\nKunde: Holzwerk Brandl, Passau, 85 Mitarbeitende.\n\n## A\n\nDas Werk trocknet sein Holz in neun Kammern.",
            "Angebot für Holzwerk Brandl",
        ),
        (
            "fr",
            "Rédige une proposition.\n\nClient : Biscuiterie Kerhoz, Lorient, 140 salariés.\n\n## A\n\nKerhoz livre ses magasins chaque matin.",
            "Proposition pour Biscuiterie Kerhoz",
        ),
        (
            "es",
            "Haz una propuesta.\n\nCliente: Conservas Ardiela, Vigo, 60 empleados.\n\n## A\n\nArdiela etiqueta sus latas a mano cada noche.",
            "Propuesta para Conservas Ardiela",
        ),
    ] {
        let mut wanted = job(brief).alone();
        wanted.brand = json!({"language": language});
        let (_, document, text, told) = run(wanted);
        assert_eq!(document.meta.title, title);
        assert!(!text.contains("140") && !text.contains("85 M"), "{text}");
        // The writer is told what was not printed.
        assert!(
            told.contains(&brief.lines().nth(2).unwrap()[..20]),
            "{told}"
        );
    }
}

#[test]
fn what_the_sender_adds_is_shorter_than_a_short_brief_and_says_nothing_twice() {
    let brief = "Write a proposal for Fenwater Logistics.\n\n## Today\n\nAt Moss we saw 38 percent fewer alarms at night within three months. \
        Fenwater has four cold stores, and its engineers copy every reading by hand. That takes two hours a shift.\n\n\
        ## Why now\n\n the auditor comes in June and wants one record for each chamber.";
    let (_, document, text, _) = run(job(brief));
    assert_eq!(text.matches("38").count(), 1, "{text}");
    let words = |sections: &[gtm_document_model::document::Section]| -> usize {
        let blocks = sections.iter().map(|section| &section.blocks);
        blocks
            .map(|blocks| gtm_document::brief::words_of(blocks))
            .sum()
    };
    assert!(words(&document.sections) < 130, "{text}");
    assert!(!text.contains("Let us talk"), "{text}");
}

#[test]
fn numbers_stay_with_their_units() {
    let run = job(FRENCH_CASE_STUDY).alone().run();
    let draft = run.output.unwrap().to_string();
    assert!(
        draft.contains("-25\u{a0}°C") && draft.contains("22\u{a0}%"),
        "{draft}"
    );
}
