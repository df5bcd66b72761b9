//! A table of notes that were written to somebody of the writer's own house, and of sentences for the reader that look alike
//! (`probes.tsv`). A brief has each of them between two sentences.

#![allow(clippy::panic, clippy::unwrap_used)]

use super::super::super::{Brief, texts_of};

/// A row of the table.
struct Probe<'t> {
    is_note: bool,
    set: &'t str,
    language: &'t str,
    text: String,
    gone: Vec<&'t str>,
    kept: Vec<&'t str>,
}

impl<'t> Probe<'t> {
    fn of(row: &'t str) -> Self {
        let cells: Vec<&str> = row.split('\t').collect();
        let [kind, set, language, text, gone, kept] = cells.as_slice() else {
            panic!("{row}");
        };
        let parts = |cell: &'t str| cell.split('|').filter(|it| !it.is_empty()).collect();
        Self {
            is_note: *kind == "note",
            set,
            language,
            text: text.replace("\\n", "\n"),
            gone: parts(gone),
            kept: parts(kept),
        }
    }

    /// What is wrong with what is printed of it; none if nothing is.
    fn fault(&self) -> Option<String> {
        let (before, behind) = match self.language {
            "ja" => ("倉庫は乾いています。", "見学は五月です。"),
            "de" => ("Die Halle ist trocken.", "Der Besuch ist im Mai."),
            "fr" => ("Le hall est sec.", "La visite est en mai."),
            "es" => ("La nave está seca.", "La visita es en mayo."),
            "it" => ("Il capannone è asciutto.", "La visita è a maggio."),
            "nl" => ("De hal is droog.", "Het bezoek is in mei."),
            "pt" => ("O pavilhão está seco.", "A visita é em maio."),
            _ => ("The hall is dry.", "The visit is in May."),
        };
        let text = &self.text;
        let source = format!("# A\n\n## B\n\n{before}\n\n{text}\n\n{behind}");
        let brief = Brief::read(&source, self.language);
        let chapters = brief.chapters.iter();
        let printed: Vec<String> = chapters
            .flat_map(|chapter| {
                chapter
                    .heading
                    .clone()
                    .into_iter()
                    .chain(texts_of(&chapter.blocks))
            })
            .chain(
                brief
                    .asks
                    .iter()
                    .map(|ask| gtm_document_model::plain_text(ask)),
            )
            .collect();
        let printed = printed.join(" ");
        let shown: Vec<&&str> = self
            .gone
            .iter()
            .filter(|it| printed.contains(**it))
            .collect();
        let lost: Vec<&&str> = self
            .kept
            .iter()
            .filter(|it| !printed.contains(**it))
            .collect();
        let around = if self.text.contains("elow this line") {
            printed.contains(before)
        } else {
            printed.contains(before) && printed.contains(behind)
        };
        let is_right = shown.is_empty() && lost.is_empty() && around;
        (!is_right).then(|| format!("{text}: shown {shown:?}, lost {lost:?}, around {around}"))
    }
}

#[test]
fn notes_are_not_printed_and_what_a_reader_is_told_is() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/brief/private_notes/tests/probes.tsv"
    );
    let table = std::fs::read_to_string(path).unwrap();
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    let probes: Vec<Probe<'_>> = rows.map(Probe::of).collect();
    let only = std::env::var("GTM_PROBES").unwrap_or_default();
    let mut faults = Vec::new();
    for set in ["known", "seen", "unseen"] {
        for is_note in [true, false] {
            let of_set = || {
                probes
                    .iter()
                    .filter(|it| it.set == set && it.is_note == is_note)
            };
            let found: Vec<String> = of_set().filter_map(Probe::fault).collect();
            let kind = if is_note { "notes" } else { "sentences" };
            eprintln!(
                "{set} {kind}: {} of {} wrong",
                found.len(),
                of_set().count()
            );
            if only.is_empty() || only == set {
                faults.extend(found);
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
