//! Briefs of people who mix what they say with how it is to be said.

use crate::run::job;
use crate::wishes::{printable, run};

const PROPOSAL: &str = "\
Hi team,

can you put together a proposal for Halden Ports, please? Two pages max. Keep the language plain and don't use stock photos.

Don't forget to say that our crane sensors survive salt water for ten years. Also mention our ISO 14001 certificate. Halden lost \
19 crane days last winter to cold.  Each day costs them about NOK 240,000 in demurrage.

**Why us**

We monitor 310 cranes in 14 harbours. Our people answer within 20 minutes, day and night. (not for the client: response time in \
August was 41 min)

**What it costs**

Setup\tonce\tNOK 180,000
Monitoring\tper year\tNOK 96,000
Spare sensors\tper year\tNOK 22,000

Between us, I would go as low as NOK 80,000 for the monitoring. Prices exclude VAT.

**What we need from you**

- crane drawings
- a contact for the night shift
- please stress that we need the drawings by 8 January

Cheers, Mia
";

const REPORT: &str = "\
# Quartalsbericht Fuhrpark Q3

Verfasse einen Bericht für den Beirat. Kein Marketing-Deutsch bitte. Betone, dass kein Unfall mit Personenschaden passiert ist.

## Kennzahlen

Kennzahl            Q2 2026     Q3 2026
Gefahrene km        412.000     398.500
Pannen              17          9
Leerfahrten         21 %        18 %

## Standorte

### Kassel

Neue Ladesäulen seit Juli. Die Auslastung liegt bei 64 %.

### Gera

Zwei Fahrer fehlen. Vertraulich: Herr Lott verlässt uns zum Jahresende.

### Ulm

Umbau bis November.

## Kosten

| Kostenart | Betrag |
|---|---|
| Kraftstoff | 88.400 € |
| Werkstatt | 31.250 € |
| Maut | 12.900 € |
| Summe | 132.550 € |

Weisen Sie bitte darauf hin, dass die Maut ab Januar steigt. Die Zahl der Werkstattkosten bitte nicht kommentieren. Interner \
Hinweis: Werkstatt Gera berechnet zu viel.

## Ausblick

Im vierten Quartal kommen 6 Elektro-Lkw dazu. Erwähnen Sie auch, dass wir dafür Fördermittel beantragt haben.
";

const DECK: &str = "\
# Plan de adopción: Firma digital en Clínicas Mirasol

Prepara una presentación de 10 diapositivas para la dirección médica. Sé breve, por favor. Usa los colores corporativos.

## Situación

Mirasol firma 2.300 consentimientos en papel cada mes. Menciona que ya trabajamos con tres hospitales de la región.

## Problemas

### Tiempo

Cada firma tarda 11 minutos.

### Archivo

Se pierden 4 de cada 100 formularios.

### Auditoría

La última inspección pidió 60 documentos y faltaron 7.

## Propuesta

- Tabletas en cada consulta
- Firma con validez legal
- Archivo automático en la historia clínica

## Fases

- Semana 1: instalación
- Semana 2: formación de 40 personas
- Semana 4: arranque en dos clínicas

## Precio

Concepto | Unidades | Precio mensual
Licencias | 40 | 1.200 €
Soporte | 1 | 300 €
Total | | 1.500 €

Nota interna: podemos bajar a 1.100 € si firman en diciembre.

No mencione a la competencia.

## Riesgos

Resistencia al cambio entre el personal veterano.

## Equipo

Una jefa de proyecto y dos formadores.

## Próximos pasos

- Visita a la clínica de Alcora
- Decisión antes del 15 de enero
";

/// What the draft tells of prose that is not printed.
pub fn running_prose(draft: &gtm_sdk::Value) -> String {
    let told = draft["not_printed"].as_array().into_iter().flatten();
    let prose = told.filter(|it| it["reason"] == "running_prose");
    let texts = prose.filter_map(|it| it["text"].as_str());
    texts.collect::<Vec<_>>().join(" ")
}

/// Runs a brief: what its document must say, unless it is told to stand in prose that is not printed, and what its draft may not. The milestones quote how private notes begin, so
/// that whoever wrote the brief sees what was read as one.
pub fn holds(brief: &str, said: &[&str], never: &[&str], secret: &[&str]) {
    let (draft, _, text, told) = run(job(brief).alone());
    // Blanks that break no line are blanks to a reader.
    let plain = |text: &str| text.replace('\u{a0}', " ");
    let shown = plain(&text);
    let prose = running_prose(&draft);
    assert!(
        said.iter().any(|said| shown.contains(&plain(said))),
        "{text}"
    );
    for said in said {
        let is_told = prose.contains(said);
        assert!(
            is_told || shown.contains(&plain(said)),
            "{said}: {text}\nLEFT: {prose}"
        );
    }
    for order in never {
        assert!(!text.contains(order), "{order}: {text}");
    }
    let draft = printable(draft);
    for secret in secret {
        assert!(
            !text.contains(secret) && !draft.contains(secret),
            "{secret}: {text}"
        );
    }
    assert!(secret.is_empty() || told.contains("“"), "{told}");
}

#[test]
fn an_english_proposal() {
    holds(
        PROPOSAL,
        &[
            "Halden lost 19 crane days last winter to cold.",
            "Our people answer within 20 minutes, day and night.",
            "Monitoring | per year | NOK 96,000",
            "Prices exclude VAT.",
            "We need the drawings by 8 January",
        ],
        &["Two pages", "stock photos", "Also mention", "Cheers"],
        &["41 min", "NOK 80,000"],
    );
}

#[test]
fn a_german_report() {
    holds(
        REPORT,
        &[
            "Zu erwähnen ist, dass kein Unfall mit Personenschaden passiert ist.",
            "Leerfahrten | 21 % | 18 %",
            "Zwei Fahrer fehlen.",
            "Wir haben dafür Fördermittel beantragt.",
        ],
        &["Marketing", "kommentieren"],
        &["Lott", "zu viel"],
    );
}

#[test]
fn a_spanish_deck() {
    holds(
        DECK,
        &[
            "Ya trabajamos con tres hospitales de la región.",
            "Se pierden 4 de cada 100 formularios.",
            "Licencias | 40 | 1.200 €",
        ],
        &["Menciona", "breve", "colores corporativos", "competencia"],
        &["1.100", "competencia"],
    );
}
