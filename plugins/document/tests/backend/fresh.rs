//! Briefs that were written after the rules were, and the faults they showed.

use crate::hurried::{holds, running_prose};
use crate::run::job;
use crate::wishes::run;

const ONE_PAGER: &str = "\
# Northgate Payroll for Ellis & Moor

One-pager for the HR director. Tone: warm but factual. No jargon please. We shouldn't mention the outage in May.

Ellis & Moor pays 860 people in four countries. Payday takes three people two days.

Please say we are certified to ISO 27001. Note to writer: their COO hates the word 'platform'.

## What changes

* One run for all four countries
* Make it clear that no data leaves the EU
* Payslips in the employee's own language

## Cost

Service          Monthly
Payroll run      EUR 3,440
Helpdesk         EUR 610
Year-end forms   EUR 95
Sum              EUR 4,145

If they push back, we can drop to EUR 3,900. VAT is extra.

## Timeline

Week 1   Data check
Week 3   Parallel run
Week 6   First live payday

Please end with a call to action.
";

const OFFER: &str = "\
Angebot Reinraumreinigung für Sensorwerk Plauen

Bitte ein Angebot, höchstens 3 Seiten, Anrede mit Sie. Das Logo bitte oben rechts. Bitte keine Konkurrenten nennen.

Ausgangslage:
Das Werk hat 1.200 m² Reinraum der Klasse ISO 7. Im Audit vom März gab es zwei Abweichungen. Wichtig: schreiben Sie, dass wir \
nur eigenes Personal einsetzen.

Leistungsumfang:
- tägliche Bodenreinigung
- wöchentliche Wandreinigung
- monatliche Partikelmessung (intern: macht Subunternehmer Hauck)

Preise:
Leistung | Turnus | Preis netto
Boden | täglich | 4.100 €/Monat
Wände | wöchentlich | 1.250 €/Monat
Messung | monatlich | 380 €/Monat
Gesamt | | 5.730 €/Monat

Nachlass max. 8 %, aber nur wenn sie nachfragen.

Ansprechpartnerin:
Frau Dietz, Telefon 03741 555 010

Nächste Schritte:
- Begehung am 14. Januar
- Start am 1. März
";

const SLIDES: &str = "\
# Feuille de route : portail fournisseurs de Brévent Textile

Faites un diaporama pour le comité d'achats, huit diapositives maximum. Évitez les anglicismes. N'oubliez pas de rappeler que le \
portail est hébergé en France.

## Pourquoi maintenant

Brévent traite 1 150 commandes par mois. 38 % arrivent par courriel.

## Ce qui bloque

### Les saisies

Chaque commande est saisie deux fois.

### Les litiges

Un litige dure 21 jours.

## Calendrier

Étape\tDate\tResponsable
Cadrage\tjanvier 2027\tachats
Pilote\tmars 2027\tusine de Sallanches
Généralisation\tseptembre 2027\ttous les sites

## Conditions

Le prix reste à confirmer. À ne pas diffuser : remise possible de 10 % après le pilote. L'abonnement commence au pilote.

## Risques

> Sans les fournisseurs, le portail est vide.
> — Directrice des achats

## Décision attendue

Valider le pilote avant le 18 décembre.
";

const SCHOOLS: &str = "\
# Brightlock access control for Moorside Schools

Please draft a proposal for the trust's estates team. I'd like it upbeat. Don't quote Gallagher's prices.

Moorside runs six schools with 1,900 keys. 212 keys went missing last year; each lost key costs about £85 to replace. Worth \
saying: our readers work in a power cut.

## What we install

Site | Doors | Readers
Hill Road | 24 | 30
Fenwick | 31 | 40
Total | 55 | 75

## Support

We should emphasise that engineers come within four hours. Our real average is five, keep that quiet.

## Price

£46,200 for all sites. Could drop 10% for a three-year deal but don't offer it yet.

## Next steps

1. Survey in February half-term
2. Install over Easter
";

const KICK_OFF: &str = "\
# Einführungs-Workshop Planungssoftware

Folien für das Kick-off bei Möbel Harms. Maximal 9 Folien. Nicht zu textlastig bitte.

## Ziele

Alle Schichten planen ab Mai mit einem Werkzeug.

## Ablauf

09:00    Begrüßung
09:30    Heutige Planung
11:00    Neues Werkzeug
14:00    Übungen

## Rollen

### Projektleitung

Frau Seidel entscheidet.

### Schichtleiter

Sie testen drei Wochen lang.

## Hinweise für den Referenten

Nicht auf die alten Excel-Listen schimpfen.

## Was wir brauchen

- Schichtpläne der letzten acht Wochen
- Bitte nicht vergessen zu erwähnen, dass der Betriebsrat eingeladen ist
";

#[test]
fn an_english_one_pager() {
    holds(
        ONE_PAGER,
        &[
            "We are certified to ISO 27001.",
            "No data leaves the EU",
            "Payroll run | EUR 3,440",
            "VAT is extra.",
        ],
        &["Please", "call to action", "jargon"],
        &["outage", "3,900", "platform", "asks for 1 pages"],
    );
}

#[test]
fn a_german_offer() {
    holds(
        OFFER,
        &[
            "Zu erwähnen ist, dass wir nur eigenes Personal einsetzen.",
            "Messung | monatlich | 380 €/Monat",
            "<Currency>",
        ],
        &["Logo", "Konkurrenten", "schreiben Sie"],
        &["Hauck", "8 %"],
    );
}

#[test]
fn french_slides() {
    holds(
        SLIDES,
        &[
            "Le portail est hébergé en France",
            "Les litiges – Un litige dure 21 jours.",
            "Pilote | mars 2027 | usine de Sallanches",
        ],
        &["oubliez", "anglicismes"],
        &["10 %"],
    );
}

#[test]
fn a_proposal_for_schools() {
    holds(
        SCHOOLS,
        &[
            "Moorside runs",
            "Engineers come within four hours.",
            "£46,200 for all sites.",
            "Total | 55 | 75",
        ],
        &["upbeat", "emphasise", "Gallagher"],
        &["average is five", "10%"],
    );
}

#[test]
fn slides_of_a_kick_off() {
    holds(
        KICK_OFF,
        &[
            "- 09:00: Begrüßung",
            "Schichtleiter – Sie testen drei Wochen lang.",
        ],
        &["textlastig", "schimpfen", "Referenten"],
        &[],
    );
}

const A_MAIL: &str = "\
From: Laura Finch <laura.finch@northgate.example>
Sent: Tuesday, 12 October 2027 08:55
To: Marcus Bell
Subject: Lift maintenance

Hi Marcus,

Would you mind drafting a two-page proposal from the below? They're comparing us with two others, so lead with response times.

We answer every call in under 30 minutes. We thought of quarterly visits. Scrap that, monthly ones.

## Fee

£310 per lift per month.

Ta,
Laura
";

#[test]
fn a_mail_to_a_colleague_is_printed_without_its_frame_and_its_orders() {
    let (draft, _, text, told) = run(job(A_MAIL).alone());
    assert!(text.contains("£310 per lift per month."), "{text}");
    let prose = running_prose(&draft);
    assert!(
        prose.contains("We answer every call in under 30 minutes."),
        "{prose}"
    );
    assert!(!text.contains("answer every call"), "{text}");
    for told in ["Laura", "Marcus", "comparing", "Sent", "quarterly", "Scrap"] {
        assert!(!text.contains(told), "{told}: {text}");
    }
    assert!(
        told.contains(
            "Left out as something the brief corrects itself: “We thought of quarterly visits.”"
        ),
        "{told}"
    );
    assert!(
        told.contains("Left out as the head or signature of a mail: “From: Laura Finch"),
        "{told}"
    );
}
