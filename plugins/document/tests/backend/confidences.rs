//! Briefs with confidences in many forms, and documents that somebody has to send: what each must say, and what it may not.

use crate::hurried::holds;

const AN_ENGLISH_PROPOSAL: &str = "\
# Proposal: Fleet telematics for Brannock Haulage

Please write a proposal for Brannock Haulage's fleet manager, 2-3 pages. No buzzwords.

Confidential background

Brannock lost two drivers last month.

They owe us £4,000.

## Situation

Brannock runs 64 trucks. Fuel is 31 % of cost (source: their annual report, don't quote). Idle time is 52 minutes a day per truck.

> \"We guess where the trucks are.\"
> — Fleet manager
> (internal: he said that off the record)

## Solution

1. **Trackers** in 64 trucks
   - fitted in 40 minutes each
   - fyi: 8 units are refurbished
2. **Dashboard** for dispatch
3. **Training**: internal, two half days

For the writer: make the saving sound big.

Sales note – they will sign at £21 per truck.

## Terms

Price per truck: £24 a month – can go to £21.
Contract: 24 months
Notice: 3 months
Walk-away price: £19

| Month | Trucks fitted |
|---|---|
| January | 20 |
| February | 24 |
| March | 20 |

## Not for the client

Legal has not cleared clause 7.

#### Open points

- Ask Dana about insurance.

## Next steps

Call on 14 January 2027.
";

const AN_ENGLISH_DECK: &str = "\
# Managed printing for Coppice Law

Write a deck for Coppice Law, 10 slides.

## Where you stand

- 46 printers of 11 makes
- Paper costs £38,000 a year
  - of which colour: £14,000
- IT spends 9 hours a week on printers

> [!NOTE]
> Internal: their IT head wants our job.
> He applied twice.

## What changes

It starts with an audit. Then 46 printers become 18.

### Secure print

Pages come out only at the badge.

### Toner on time

Toner is sent before it runs out.

- **Do not promise** same-day delivery
- We guarantee the next working day

## Why Coppice Law should act now

The lease ends on 31 October 2027. (Please don't mention that we know the lessor's price.)

## Price

| Option | Per page | Minimum | Note |
|---|---|---|---|
| Black | 0.9 p | £900 | |
| Colour | 5.5 p | £300 | internal: cost is 3.1 p |
| Rebate | 4 % | – | not for the client |

**Note to self:** check VAT
**Reminder (internal):** ask Phil about the bonus.

## Plan

| Phase | Weeks |
|---|---|
| Audit | 2 weeks |
| Rollout | 5 weeks |
| Review | 1 week |

## Decision

Sign by 30 June 2027; NB internal: sooner is better, Q2 bonus!
";

const A_GERMAN_PROPOSAL: &str = "\
# Wartungsvertrag für die Druckerei Seidel

Erstelle bitte ein Angebot für den Betriebsleiter der Druckerei Seidel. Höchstens 3 Seiten. Sachlich halten.

Die Druckerei Seidel betreibt 6 Maschinen im Zweischichtbetrieb. Jeder Stillstand kostet rund 1.900 € je Stunde.

## Ausgangslage

- Maschinen
  - 4 Offsetmaschinen, Baujahr 2011 bis 2017
  - 2 Digitaldruckmaschinen
- Störungen 2025
  - 41 Einsätze, davon 9 nachts
  - Intern: der Wettbewerber Kranz war 3-mal nicht erreichbar

Bitte beachten, intern: Herr Seidel will verkaufen. Nicht darauf ansprechen.

## Leistungen

Wir warten jede Maschine viermal im Jahr. Nicht vergessen: Erwähnen Sie, dass wir eigene Ersatzteile lagern.

Schulung: intern
Fernwartung: extern
Rufbereitschaft: rund um die Uhr

## Preise

Leistung | Menge | Preis pro Jahr
Wartung | 24 | 28.800 €
Rufbereitschaft | 1 | 7.200 €
Schulung | 2 Tage | 1.900 €
Gesamt | | 37.900 €

Interner Hinweis – bis 34.000 € können wir gehen. Darunter fragt ihr bitte Ute.

## Intern: Verhandlung

Seidel zahlt spät.

Die Bank hat die Linie gekürzt.

## Nächste Schritte

1. Rundgang am 14. Januar 2027
2. Vertragsentwurf bis 22. Januar
3. Start am 1. März 2027
";

const A_GERMAN_HURRY: &str = "\
Angebot Hausverwaltung Birkner

Zielgruppe: Eigentümerbeirat

Ausgangslage
84 Wohnungen, 3 Aufzüge
Heizkosten 2026: 112.000 €
Intern - Beirat ist zerstritten
Herr Olm zieht weg

Unser Angebot
- Hydraulischer Abgleich
- Neue Pumpen
- Fernüberwachung
  - intern
  - täglich

Preise
Abgleich    1    18.400 €
Pumpen    6    9.300 €
Gesamt        27.700 €

(vertraulich, nicht weitergeben) Einkauf Pumpen 5.100 €. Marge reicht.

Nächste Schritte
Begehung am 9. Februar 2027
Beschluss in der Versammlung am 18. März 2027
";

const A_FRENCH_DECK: &str = "\
# Ramassage des biodéchets pour les cantines de Valmont

Rédigez une présentation de 8 diapositives pour le directeur général des services. Restez bref.

## Constat

Les 22 cantines de Valmont jettent 61 tonnes de biodéchets par an. La loi impose le tri depuis 2024. À noter, interne : le maire veut une annonce avant juin. Ne pas en parler.

## Pourquoi nous ?

Nos tournées sont électriques. Elles passent avant 7 heures.

## Notre offre

### Collecte

Trois passages par semaine dans chaque cantine.

### Formation

Deux demi-journées pour 40 agents.

### Suivi

Un rapport mensuel par cantine.

Note interne
Le concurrent Vertige est à 92 €.
On peut descendre à 88 €.

## Tarifs

| Prestation | Prix |
|---|---|
| Collecte, par tonne | 96 € |
| Bacs, par an | 1 240 € |

Interne – la marge est de 31 %. Le transport coûte 40 €.

## Évolution

| Année | Tonnes triées |
|---|---|
| 2022 | 12 |
| 2023 | 19 |
| 2024 | 33 |
| 2025 | 47 |

## Prochaines étapes

- Visite de deux cantines le 9 février 2027
- Décision du conseil le 4 mars
";

const A_SPANISH_PROPOSAL: &str = "\
Propuesta para Bodegas Llerena
para la directora de operaciones, máximo 3 páginas

Llerena embotella 4,2 millones de botellas al año
la línea 2 para 40 minutos al día
ojo, interno: la directora se lleva mal con el jefe de planta. No nombrarlo.

Qué proponemos:
- sensores en las 3 líneas
- un panel por turno
- No olvide: mencione que instalamos sin parar la línea

Precio:
Instalación    1    14.500 €
Licencia anual    3    5.400 €
Total    4    19.900 €

Nota interna:
el mínimo es 17.000 €
Pagan a 90 días

Próximos pasos:
- visita el 11 de enero de 2027
- decisión antes del 29 de enero
";

const AN_ITALIAN_PROPOSAL: &str = "\
# Manutenzione degli impianti per l'Ospedale San Corrado

Prepara una proposta per il direttore tecnico. Tono formale.

L'ospedale gestisce 31 ascensori e 4 centrali termiche. Nel 2025 gli ascensori si sono fermati 118 volte. Non dimenticare: menziona che abbiamo una sede a 6 km.

## Servizi

- Ascensori
  - controllo mensile
  - intervento entro 30 minuti
- Centrali termiche
  - controllo trimestrale
  - riservato: il fornitore attuale perde la certificazione a marzo

Nota bene, interno: il direttore va in pensione a giugno. Il successore è Carla Nisi.

## Tempi di intervento

| Guasto | Intervento | Ripristino |
|---|---|---|
| Persona bloccata | 30 minuti | 2 ore |
| Fermo | 2 ore | 8 ore |
| Rumore | 1 giorno | 5 giorni |

## Prezzi

| Voce | Prezzo annuo |
|---|---|
| Ascensori | 62.000 € |
| Centrali | 18.500 € |
| Totale | 80.500 € |

Riservato – possiamo arrivare a 74.000 €. Serve il via libera di Paolo.

## Prossimi passi

1. Sopralluogo: 12 gennaio 2027
2. Firma entro il 5 febbraio 2027
";

const A_JAPANESE_PROPOSAL: &str = "\
# 倉庫温度監視のご提案

みどり物流様向けの提案書を作成してください。簡潔に書いてください。

みどり物流様は全国7か所の冷凍倉庫を運営されています。2025年の温度逸脱は43件でした。社内メモ：前回の失注理由は価格。今回は15％まで値引き可。

## 現状の課題

- 記録
  - 一日3回の手書き
  - 社外秘：担当の佐藤様は来年退職予定
- 警報
  - 夜間は気づくまで平均90分

## ご提案内容

全拠点にセンサーを設置し、異常を1分以内に通知します。

## 費用

| 項目 | 金額 |
|---|---|
| 初期費用 | 2,100,000円 |
| 月額費用 | 180,000円 |

社内限り
粗利は42％。
下限は月額150,000円。

## スケジュール

| 工程 | 期間 |
|---|---|
| 調査 | 2週間 |
| 設置 | 3週間 |
| 試験運用 | 4週間 |

## 次のステップ

1. 現地調査（2027年1月15日）
2. ご契約（2月末まで）
";

#[test]
fn an_english_proposal_with_notes_of_its_seller() {
    holds(
        AN_ENGLISH_PROPOSAL,
        &[
            "Fuel is 31 % of cost. Idle time",
            "Training: internal, two half days",
            "Price per truck: £24 a month.",
            "Contract: 24 months",
            "Call on 14 January 2027.",
        ],
        &["buzzwords"],
        &[
            "Confidential",
            "two drivers",
            "£4,000",
            "off the record",
            "refurbished",
            "sound big",
            "£21",
            "£19",
            "clause 7",
            "Dana",
            "don't quote",
        ],
    );
}

#[test]
fn an_english_deck_with_notes_in_quotes_cells_and_brackets() {
    holds(
        AN_ENGLISH_DECK,
        &[
            "  - What changes\n    - Secure print\n    - Toner on time",
            "We guarantee the next working day",
            "Colour | 5.5 p | £300\n",
            "Sign by 30 June 2027",
        ],
        &[],
        &[
            "our job", "twice", "same-day", "lessor", "3.1 p", "Rebate", "VAT", "Phil", "bonus",
        ],
    );
}

#[test]
fn a_german_proposal_with_values_and_notes() {
    holds(
        A_GERMAN_PROPOSAL,
        &[
            "Zu erwähnen ist, dass wir eigene Ersatzteile lagern.",
            "- Schulung: intern",
            "- Fernwartung: extern",
            "Gesamt |  | 37.900 €",
        ],
        &["Nicht vergessen"],
        &["Kranz", "verkaufen", "34.000", "Ute", "spät", "Bank"],
    );
}

#[test]
fn german_notes_of_somebody_in_a_hurry() {
    holds(
        A_GERMAN_HURRY,
        &[
            "[Content] Unser Angebot",
            "    - intern\n    - täglich",
            "Heizkosten 2026: 112.000 €",
            "Begehung am 9. Februar 2027",
        ],
        &["Zielgruppe"],
        &["zerstritten", "Olm", "5.100", "Marge"],
    );
}

#[test]
fn a_french_deck_with_notes() {
    holds(
        A_FRENCH_DECK,
        &[
            "[Content] Pourquoi nous ?",
            "La loi impose le tri depuis 2024.",
            "[Statement] Notre offre – Collecte",
            "Décision du conseil le 4 mars",
        ],
        &["Restez"],
        &["maire", "Vertige", "88 €", "31 %", "transport"],
    );
}

#[test]
fn a_spanish_proposal_in_lines() {
    holds(
        A_SPANISH_PROPOSAL,
        &[
            "Instalamos sin parar la línea",
            "Licencia anual | 3 | 5.400 €",
            "visita el 11 de enero de 2027",
        ],
        &["directora", "máximo"],
        &["se lleva mal", "17.000", "90 días"],
    );
}

#[test]
fn an_italian_proposal_with_durations() {
    holds(
        AN_ITALIAN_PROPOSAL,
        &[
            "Abbiamo una sede a 6 km.",
            "TABLE Guasto <Text> | Intervento <Text> | Ripristino <Text>",
            "Totale | 80.500 €",
        ],
        &["Tono", "CHART"],
        &["certificazione", "pensione", "Nisi", "74.000", "Paolo"],
    );
}

#[test]
fn a_japanese_proposal_with_notes() {
    holds(
        A_JAPANESE_PROPOSAL,
        &[
            "2025年の温度逸脱は43件でした。",
            "設置 | 3週間",
            "夜間は気づくまで平均90分",
        ],
        &["簡潔に", "CHART"],
        &["15％", "佐藤", "42％", "150,000"],
    );
}
