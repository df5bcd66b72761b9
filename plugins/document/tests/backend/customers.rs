//! Briefs as people write them, and their documents read as a customer reads them.

use gtm_document::brief::texts_of;
use gtm_document_model::block::{Block, Item};
use gtm_document_model::document::{Layout, Section};
use gtm_document_model::{Document, plain_text};
use gtm_sdk::json::json;

use crate::run::job;
use crate::wishes::{printable, run};

const OFFER: &str = "\
# Ledgerlight for Brackwater Foods

Write a one-pager for the finance director of Brackwater Foods. Please keep it short, for the CFO. Use the blue logo.

Mention that we support SAP. Month-end at Brackwater takes eleven working days. Internal: we can go down to 15 % if they sign \
in Q1. Ledgerlight closes the books in four.

## What you get

- Mention that all bookings stay in your own data centre in Leeds.
- Every posting is matched against bank and warehouse within the hour.
- Do not mention prices of other customers.
- Please point out that the first close runs beside your old one.

## Prices

Module        Seats    Price per month
Ledger        12       £1,440
Matching      12       £960
Audit export  4        £220
Total                  £2,700

Discount limit is 15 %, do not share. The prices hold until 30 April 2027.

## Next steps

1. A call of thirty minutes with Petra Olsen
2. Two months side by side
3. Go-live on 1 March 2027
";

const MAINTENANCE: &str = "\
# Wartung der Aufzüge im Klinikum Ahrensfeld

Bitte erstelle ein Angebot für die technische Leitung des Klinikums. Bitte halte dich kurz, für den Kaufmann.

Erwähnen Sie, dass wir Anlagen aller Hersteller warten. Das Klinikum betreibt 14 Aufzüge in drei Häusern. Intern: bis 12 % \
Nachlass sind möglich. Im letzten Jahr standen sie zusammen 212 Stunden still.

## Leistungen

Bitte erwähnen Sie auch, dass die Leitstelle rund um die Uhr besetzt ist. Jede Anlage wird viermal im Jahr geprüft.

Verwenden Sie das neue Logo. Ersatzteile liegen im Lager Bernau bereit. Nicht weitergeben: die Marge liegt bei 31 %.

## Reaktionszeiten

Störung | Reaktion | Behebung
Person eingeschlossen | 30 Minuten | sofort
Stillstand | 2 Stunden | 8 Stunden
Komfortmangel | 1 Werktag | 5 Werktage

## Preise

| Leistung | Anzahl | Preis im Jahr |
|---|---|---|
| Vollwartung Bettenaufzug | 6 | 18.600 € |
| Vollwartung Personenaufzug | 8 | 15.200 € |
| Notrufaufschaltung | 14 | 2.520 € |
| Gesamt | | 36.820 € |

## Laufzeit

Der Vertrag läuft drei Jahre.

## Kündigung

Er ist mit sechs Monaten Frist kündbar.

## Nächste Schritte

- Begehung der drei Häuser im Februar
- Vertragsbeginn am 1. April 2027
";

const WORKSHOP: &str = "\
# Atelier : les données de la chaîne du froid

Préparez une présentation pour l'équipe d'exploitation de Valmer Logistique. Soyez bref, s'il vous plaît.

Mentionnez que nous travaillons avec vos capteurs actuels. N'utilisez pas de jargon. L'atelier dure une journée et réunit dix \
personnes.

## Contexte

Valmer relève 320 capteurs à la main.

## Enjeux

### Qualité

Un relevé sur douze est illisible.

### Délai

Une alerte met six heures à arriver.

### Coût

Deux personnes y passent leurs matinées.

## Objectifs de la journée

Un plan d'essai signé.

## Participants et rôles attendus pendant toute la durée de l'atelier, matin et après-midi compris

Deux chefs de quai, une responsable qualité, un informaticien.

## Matinée

- Visite des quais
- Relevés en conditions réelles
- Cartographie des pertes

## Après-midi

- Choix des indicateurs
- Construction du plan d'essai

## Ce que nous préparons

Des capteurs de démonstration et un tableau de bord.

## Ce que vous préparez

Les relevés des trois derniers mois.

## Questions ouvertes

Qui valide le plan ?

## Budget

Note interne : nous pouvons descendre à 4 800 €.

| Poste | Montant |
|---|---|
| Préparation | 1 900 € |
| Animation | 2 400 € |
| Synthèse | 1 100 € |
| Total | 5 600 € |

## Suite à donner

- Envoi de la synthèse sous cinq jours
- Décision le 12 mars 2027
";

#[test]
fn no_gap_stays_where_a_sentence_was_taken_out() {
    for brief in [OFFER, MAINTENANCE, WORKSHOP] {
        let (_, document, _, _) = run(job(brief).alone());
        for section in &document.sections {
            for text in texts_of(&section.blocks) {
                assert!(!text.contains("  "), "{text:?}");
            }
        }
    }
}

#[test]
fn tables_of_plain_text_are_tables() {
    let (_, _, text, _) = run(job(OFFER).alone());
    for line in [
        "TABLE Module <Text> | Seats <Number> | Price per month <Currency>",
        "Ledger | 12 | £1,440",
        "Total |  | £2,700",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let (_, _, text, _) = run(job(MAINTENANCE).alone());
    for line in [
        "TABLE Störung <Text> | Reaktion <Text> | Behebung <Text>",
        "Komfortmangel | 1 Werktag | 5 Werktage",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn orders_stand_in_no_document() {
    for (brief, said, orders) in [
        (
            OFFER,
            "Every posting is matched against bank and warehouse",
            ["ention that", "keep it short", "blue logo"],
        ),
        (MAINTENANCE, "Komfortmangel", ["rwähnen", "kurz", "Logo"]),
        (WORKSHOP, "2 400 €", ["Mentionnez", "bref", "jargon"]),
    ] {
        let (_, _, text, _) = run(job(brief).alone());
        assert!(text.replace('\u{a0}', " ").contains(said), "{said}: {text}");
        for order in orders {
            assert!(!text.contains(order), "{order}: {text}");
        }
    }
}

#[test]
fn what_is_told_in_confidence_stands_in_no_draft_and_is_quoted() {
    for (brief, secrets, count) in [
        (OFFER, vec!["15 %", "sign in Q1"], 2),
        (MAINTENANCE, vec!["12 %", "31 %", "Marge"], 2),
        (WORKSHOP, vec!["4 800"], 1),
    ] {
        let (draft, _, _, told) = run(job(brief).alone());
        let all = printable(draft.clone());
        for secret in secrets {
            assert!(!all.contains(secret), "{secret}: {all}");
        }
        assert!(told.contains(": “"), "{told}");
        let left_out = draft["left_out"].as_array().unwrap();
        assert!(
            left_out
                .contains(&json!({"pointer": "/brief", "reason": "confidential", "count": count})),
            "{left_out:?}"
        );
    }
}

#[test]
fn totals_that_contradict_their_rows_are_told_and_printed_as_given() {
    for (brief, given, sum) in [
        (OFFER, "£2,700", "2620"),
        (MAINTENANCE, "36.820 €", "36320"),
        (WORKSHOP, "5 600 €", "5400"),
    ] {
        let (_, _, text, told) = run(job(brief).alone());
        assert!(text.contains(given) && !text.contains(sum), "{text}");
        assert!(told.contains(given) && told.contains(sum), "{told}");
    }
}

#[test]
fn milestones_quote_whole_sentences() {
    let brief = "# Gates\n\n## Facts\n\nThe first gate opens at six in the morning.\n\n## Instructions\n\n\
        The reader knows the yard well. Whoever reads this on a phone sees only the first lines, so begin with the gates and \
        keep the rest for the end of the page. Begin with the keys to the roof, which nobody has found since the winter and \
        which the guard would dearly like to have back before the inspection by the insurer, the council and the brigade.\n\n\
        Close with the keys.";
    let (_, _, _, told) = run(job(brief).alone());
    assert!(
        told.contains("“The reader knows the yard well. …”"),
        "{told}"
    );
}

#[test]
fn short_parts_stand_together_and_a_lone_sentence_keeps_its_heading() {
    let (_, document, text, _) = run(job(WORKSHOP).alone());
    let slide = |title: &str| {
        let found = document.sections.iter().find(|slide| slide.title == title);
        found.unwrap_or_else(|| panic!("{title}: {text}"))
    };
    assert_eq!(
        texts_of(&slide("Enjeux").blocks),
        [
            "Qualité – Un relevé sur douze est illisible.",
            "Délai – Une alerte met six heures à arriver.",
            "Coût – Deux personnes y passent leurs matinées.",
        ]
    );
    // Chapters of their own stay apart.
    for (title, said) in [
        (
            "Ce que nous préparons",
            "Des capteurs de démonstration et un tableau de bord.",
        ),
        (
            "Ce que vous préparez",
            "Les relevés des trois derniers mois.",
        ),
    ] {
        assert_eq!(texts_of(&slide(title).blocks), [said]);
        assert_eq!(slide(title).layout, Some(Layout::Statement));
    }
}

/// The entries of an agenda, each with its parts.
fn listed_in(slide: &Section) -> Vec<(String, Vec<String>)> {
    let columns = slide.blocks.iter().flat_map(|block| match block {
        Block::Columns(columns) => columns.columns.iter().flat_map(|it| &it.blocks).collect(),
        other => vec![other],
    });
    let items = columns.flat_map(|block| match block {
        Block::Bullets(list) => list.items.as_slice(),
        _ => &[],
    });
    let text = |item: &Item| plain_text(&item.runs);
    items
        .map(|item| (text(item), item.items.iter().map(text).collect()))
        .collect()
}

#[test]
fn the_agenda_names_every_chapter_and_its_parts() {
    let (draft, document, _, _) = run(job(WORKSHOP).alone());
    let agenda = |document: &Document| {
        let slides = document
            .sections
            .iter()
            .filter(|slide| slide.layout == Some(Layout::Agenda));
        slides.map(listed_in).collect::<Vec<_>>()
    };
    let listed = agenda(&document);
    let outline = draft["outline"].as_array().unwrap();
    assert_eq!((listed.len(), listed[0].len()), (1, outline.len()));
    let titles: Vec<&str> = document
        .sections
        .iter()
        .map(|it| it.title.as_str())
        .collect();
    for (entry, _) in &listed[0] {
        let begin = entry.trim_end_matches('…').trim_end();
        let bears = titles.iter().any(|title| title.starts_with(begin));
        assert!(bears, "{entry} stands on no slide: {titles:?}");
        assert!(entry.chars().count() <= 44, "{entry}");
    }
    let parts: Vec<String> = listed[0]
        .iter()
        .flat_map(|(_, parts)| parts.clone())
        .collect();
    assert_eq!(parts, ["Qualité", "Délai", "Coût"]);
    let many: String = (1..=20)
        .map(|at| format!("## Gate number {at}\n\n- It opens at six\n- It shuts at nine\n\n"))
        .collect();
    let (_, document, _, _) = run(job(&format!("Write a deck.\n\n# Gates\n\n{many}")).alone());
    let listed: Vec<usize> = agenda(&document).iter().map(Vec::len).collect();
    assert_eq!(listed, [10, 10]);
}
