//! Briefs whose documents must be fit to be sent as they are: letters, conversations, and orders in one paragraph with what only
//! the writer is to know.

use gtm_document_model::Document;
use gtm_document_model::document::Layout;
use gtm_sdk::json::json;

use crate::hurried::holds;
use crate::run::job;
use crate::wishes::run;

const CLINICS: &str = "\
Hi, need a proposal in Word for Calder & Finch, a chain of 12 veterinary clinics. They had a bad experience with their last supplier \
so reassure them. Their finance lead is careful with money. Two pages max.

The problem

Each clinic orders its own supplies. Nobody sees what the group spends; last year 14% of the orders were sent twice.

What we propose

One catalogue for all clinics, with approval on the phone.

| Item | Price |
|---|---|
| Setup | £2,400 once |
| Per clinic | £89 a month |

Please let us know by 12 March whether we may start.
";

const BAKERY: &str = "\
Maak een voorstel voor Bakkerij De Korenaar, liefst in Word. Ze hebben vorig jaar een ander systeem afgewezen. De eigenaar leest op \
zijn telefoon.

Situatie

De Korenaar bakt in 9 filialen. Elke dag gaat 11% van het brood weg.

Aanpak

Wij voorspellen per filiaal hoeveel er nodig is.
";

const WINERY: &str = "\
Propuesta en PDF para Bodegas Arrieta. Es un cliente muy tradicional, así que nada de anglicismos.

## Situación

Arrieta embotella 1,2 millones de botellas al año. Cada parada de línea dura 35 minutos.

Nuestro sistema avisa antes de que falle una pieza.

Formato Word.
";

const DAIRY: &str = "\
Please turn this into a one-pager for Brackwell Dairies, PDF

[09:12] Dan: Brackwell collects milk from 210 farms, 40 tankers
[09:13] Priya: lead w/ the spoilage, they threw away 3% last summer
[09:15] Dan: price is £9k a month
[09:16] Priya: scrap that, make it 12k
[09:16] Dan: ok. sensors send the temperature every 5 minutes
[09:18] Priya: btw their ops guy is a nightmare, make it snappy
";

const LETTER: &str = "\
Bitte daraus einen Brief als Word-Datei machen:

Sehr geehrter Herr Thoma,

vielen Dank für das Gespräch am 12. Januar. Ihre 6 Kühlräume melden Störungen heute erst am Morgen.

Wir schlagen einen Test in einem Raum vor: 4 Wochen, 890 € pauschal.

Mit freundlichen Grüßen
Sabine Orth
Vertrieb Süd
";

const PORT: &str = "\
株式会社ミナト様向けに、提案書をA4で2ページ以内にまとめてください。読み手は物流部長で、ITには詳しくありません。ですます調でお願いします。

■ 背景
同社は倉庫を8か所持っています。在庫の確認に毎月120時間かかります。

■ 費用
・初期費用は180万円
・月額は12万円
";

fn section_titles(document: &Document) -> Vec<&str> {
    let sections = document.sections.iter();
    sections.map(|section| section.title.as_str()).collect()
}

#[test]
fn what_only_the_writer_is_to_know_is_never_printed() {
    holds(
        CLINICS,
        &["Setup | £2,400 once", "let us know by 12 March"],
        &[
            "bad experience",
            "careful with money",
            "Two pages",
            "At a glance",
        ],
        &[],
    );
    holds(
        BAKERY,
        &["Situatie", "Aanpak", "9 filialen"],
        &["afgewezen", "telefoon", "Maak een"],
        &[],
    );
    holds(
        WINERY,
        &["1,2 millones", "avisa antes"],
        &["tradicional", "Formato", "anglicismos"],
        &[],
    );
    holds(
        PORT,
        &["背景", "費用", "- 初期費用は180万円"],
        &["まとめてください", "お願いします", "詳しくありません"],
        &[],
    );
}

#[test]
fn formats_without_a_verb_are_obeyed() {
    for (brief, format, kind) in [
        (CLINICS, "docx", "proposal"),
        (BAKERY, "docx", "proposal"),
        (LETTER, "docx", "one_pager"),
        (WINERY, "pdf", "proposal"),
        (
            "Deck de 10 diapositives pour Kerhoz.\n\n## A\n\nKerhoz livre 40 magasins chaque nuit.",
            "pptx",
            "deck",
        ),
        (
            "Formato PowerPoint.\n\n## A\n\nArdiela etiqueta 900 latas al día.",
            "pptx",
            "deck",
        ),
    ] {
        let (draft, _, _, _) = run(job(brief).alone());
        assert_eq!(
            (&draft["format"], &draft["document_type"]),
            (&json!(format), &json!(kind)),
            "{brief}"
        );
    }
}

#[test]
fn a_conversation_alone_is_no_document() {
    let failure = job(DAIRY).alone().failure();
    assert_eq!(failure.code, "insufficient_content");
    assert!(failure.message.contains("heading"), "{failure:?}");
}

#[test]
fn a_letter_is_printed_as_it_is() {
    // Without a subject it has its sender's name for its head, where that is known.
    for (job, head) in [
        (job(LETTER).alone(), "Schreiben\n"),
        (job(LETTER), "Coldwise\n"),
    ] {
        let (_, document, text, _) = run(job);
        assert_eq!(document.meta.title, head.trim());
        let title = document.meta.title.as_str();
        assert_eq!(section_titles(&document), [title, title]);
        let layouts = document.sections.iter().map(|section| section.layout);
        let layouts: Vec<Option<Layout>> = layouts.collect();
        assert_eq!(layouts, [Some(Layout::Letter), Some(Layout::Content)]);
        let body = text.rsplit_once(head).map(|(_, body)| body.trim());
        assert!(
            body.is_some_and(|body| body.starts_with("Sehr geehrter Herr Thoma,")),
            "{text}"
        );
        assert!(
            text.trim_end()
                .ends_with("Mit freundlichen Grüßen\nSabine Orth\nVertrieb Süd"),
            "{text}"
        );
        assert!(
            !text.contains("Bitte daraus") && !text.contains("LEAD"),
            "{text}"
        );
    }
}

#[test]
fn nothing_is_added_behind_the_briefs_own_call() {
    let brief = "# Zähler\n\n## Lage\n\nTannach liest 900 Zähler von Hand ab.\n\n## Vorschlag\n\nWir stellen Funkzähler auf. Rufen Sie \
                 uns bis 3. April an.";
    let mut offered = job(brief);
    offered.brand["language"] = json!("de");
    let (_, document, text, _) = run(offered);
    assert_eq!(
        section_titles(&document).last(),
        Some(&"Vorschlag"),
        "{text}"
    );
    assert!(
        text.trim_end().ends_with("Rufen Sie uns bis 3. April an."),
        "{text}"
    );
}

#[test]
fn a_page_on_a_slide_keeps_its_headings_and_its_sentences() {
    let brief = "# Zähler\n\n## Lage\n\nTannach liest 900 Zähler von Hand ab. Das dauert 9 Tage im Monat.\n\n## Preis\n\n29 € je Zähler.";
    let page = job(brief)
        .alone()
        .with("/document_type", json!("one_pager"))
        .with("/format", json!("pptx"));
    let (_, document, text, told) = run(page);
    assert_eq!(section_titles(&document), ["Lage", "Preis"], "{text}");
    assert!(
        text.contains("Tannach liest 900 Zähler von Hand ab. Das dauert 9 Tage im Monat."),
        "{text}"
    );
    assert!(!told.contains("nicht im Dokument"), "{told}");
}
