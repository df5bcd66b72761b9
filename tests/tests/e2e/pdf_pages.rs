//! What the renderer of PDF makes of a document, asked of the built component through `gtm render`. The typesetter is in
//! a workspace of its own and linked into no test (docs/decisions/0077).

use std::fs;
use std::process::Output;

use gtm_e2e::gtm_process::{Gtm, Options, workspace};
use gtm_file_text::FileText;
use serde_json::{Value, json};

/// Longest text that is drawn again so that its end needs no page of its own, in pages.
const MOST_PAGES: u64 = 12;

/// Runs the renderer, each time as a process of its own.
struct Renderer {
    gtm: Gtm,
    theme: Value,
}

/// A rendered file.
struct Made {
    pages: u64,
    /// Code and pointer of each, and the message.
    diagnostics: Vec<(String, String, String)>,
    text: FileText,
    /// Digest of its bytes.
    digest: String,
}

impl Renderer {
    fn new() -> Self {
        let theme = fs::read(workspace().join("host/domain/tests/themes/light.json")).unwrap();
        Self {
            gtm: Gtm::prepare(Options::default()),
            theme: serde_json::from_slice(&theme).unwrap(),
        }
    }

    fn document(&self, language: &str, blocks: &Value) -> Value {
        json!({
            "schema": "gtm.doc/1",
            "meta": {"title": "Offer", "language": language, "direction": "ltr", "date": "2026-01-01",
                "document_type": "proposal"},
            "theme": self.theme,
            "sources": [],
            "sections": [{"id": "s", "title": "Part", "blocks": blocks}],
        })
    }

    fn run(&self, document: &Value, assets: &[(&str, &[u8])]) -> Output {
        let folder = self.gtm.dir.path();
        let path = folder.join("document.json");
        fs::write(&path, document.to_string()).unwrap();
        let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
        let mut arguments = vec![
            "render".to_owned(),
            "--renderer".to_owned(),
            "render-pdf".to_owned(),
            "--document".to_owned(),
            text(&path),
            "--output".to_owned(),
            text(folder),
        ];
        for (number, (name, bytes)) in assets.iter().enumerate() {
            let extension = name.rsplit('.').next().unwrap();
            let path = folder.join(format!("asset-{number}.{extension}"));
            fs::write(&path, bytes).unwrap();
            arguments.extend(["--asset".to_owned(), format!("{name}={}", text(&path))]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.gtm.cli_output(&arguments, &[])
    }

    fn made(&self, document: &Value, assets: &[(&str, &[u8])]) -> Made {
        let output = self.run(document, assets);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let bytes = fs::read(answer["files"][0]["path"].as_str().unwrap()).unwrap();
        let told = answer["answer"]["diagnostics"].as_array().unwrap();
        let word = |of: &Value, member: &str| of[member].as_str().unwrap().to_owned();
        Made {
            digest: word(&answer["files"][0], "digest"),
            pages: answer["answer"]["pages"].as_u64().unwrap(),
            diagnostics: (told.iter())
                .map(|told| {
                    (
                        word(told, "code"),
                        word(told, "pointer"),
                        word(told, "message"),
                    )
                })
                .collect(),
            text: gtm_file_text::read(Some("application/pdf"), &bytes)
                .unwrap()
                .unwrap(),
        }
    }

    /// A text of so many lines with a button below it.
    fn of_lines(&self, lines: usize) -> Made {
        let blocks = json!([
            {"type": "paragraph", "runs": [{"text": "A line.\n".repeat(lines)}]},
            {"type": "cta", "label": "Call us", "href": "https://a.example/"},
        ]);
        self.made(&self.document("en", &blocks), &[])
    }
}

impl Made {
    fn says(&self, text: &str) -> bool {
        let passages = &self.text.passages;
        passages
            .iter()
            .any(|passage| passage.block.text.contains(text))
    }

    /// Lines of the text on the last page.
    fn last_lines(&self) -> usize {
        let last = self.text.passages.iter().filter_map(|it| it.page).max();
        let passages = self.text.passages.iter().filter(|it| it.page == last);
        passages
            .map(|passage| passage.block.text.matches("A line.").count())
            .sum()
    }

    fn codes(&self) -> Vec<(&str, &str)> {
        let told = self.diagnostics.iter();
        told.map(|(code, pointer, _)| (code.as_str(), pointer.as_str()))
            .collect()
    }
}

fn paragraph(text: &str) -> Value {
    json!([{"type": "paragraph", "runs": [{"text": text}]}])
}

#[test]
fn the_component_brings_letters_for_latin_greek_cyrillic_arabic_and_hebrew() {
    let renderer = Renderer::new();
    let known = "a Ä Œ ж Щ λ € → ✓ − “ \u{627}\u{628}\u{62c} \u{5e9}\u{5dc}";
    let document = renderer.document("en", &paragraph(&format!("Letters: {known}")));
    let made = renderer.made(&document, &[]);
    assert_eq!(made.codes(), []);
    let document = renderer.document("en", &paragraph("Water is called 水 here."));
    let made = renderer.made(&document, &[]);
    assert_eq!(
        made.codes(),
        [("missing_glyph", "/sections/0/blocks/0/runs")]
    );
    assert!(made.diagnostics[0].2.contains("U+6C34"));
    assert!(made.says("Water is called □ here."));
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let renderer = Renderer::new();
    let (first, second) = (renderer.of_lines(30), renderer.of_lines(30));
    assert_eq!(first.digest, second.digest);
    assert_ne!(first.digest, renderer.of_lines(31).digest);
}

#[test]
fn a_missing_typeface_is_told_and_one_of_its_kind_stands_in() {
    let renderer = Renderer::new();
    let mut document = renderer.document("en", &paragraph("One line."));
    document["theme"]["fonts"] = json!({
        "heading": {"family": "inter", "fallbacks": [], "class": "sans"},
        "body": {"family": "Garamond", "fallbacks": ["Georgia"], "class": "serif"},
    });
    let made = renderer.made(&document, &[("fonts/a.ttf", b"no font")]);
    assert_eq!(
        made.codes(),
        [
            ("font_unusable", "/fonts/a.ttf"),
            ("font_substituted", "/theme/fonts/body")
        ]
    );
    let told = &made.diagnostics[1].2;
    assert!(told.contains("Source Serif 4 stands in"), "{told}");
    assert!(made.says("One line."));
}

#[test]
fn what_no_font_has_is_replaced_once_a_cluster() {
    let renderer = Renderer::new();
    let blocks = json!([{"type": "paragraph", "runs": [
        {"text": "Our team 👩🏽\u{200d}🚀 ok, a\u{e000}b\u{f8ff}\u{fffc}c", "href": "https://a.example/team"},
    ]}]);
    let made = renderer.made(&renderer.document("en", &blocks), &[]);
    assert!(
        made.says("Our team □ ok, a□b□c"),
        "{:?}",
        made.text.passages
    );
}

#[test]
fn a_letter_has_the_day_its_reader_and_its_subject_above_its_text() {
    let renderer = Renderer::new();
    let mut document = renderer.document("en", &paragraph("Dear Ms Olsen, the door costs 480."));
    document["meta"]["document_type"] = json!("one_pager");
    document["meta"]["organization"] = json!("Halden Lifts");
    document["meta"]["title"] = json!("A door for hall B");
    document["sections"][0]["title"] = json!("A door for hall B");
    let head = json!({"id": "head", "title": "A door for hall B", "layout": "letter", "blocks": [
        {"type": "paragraph", "runs": [{"text": "Ms Petra Olsen"}]},
    ]});
    document["sections"].as_array_mut().unwrap().insert(0, head);
    let made = renderer.made(&document, &[]);
    assert_eq!((made.pages, made.codes()), (1, Vec::new()));
    let said: String = (made.text.passages.iter())
        .map(|passage| format!("{}\n", passage.block.text))
        .collect();
    let places = [
        "January 1, 2026",
        "Ms Petra Olsen",
        "A door for hall B",
        "Dear Ms Olsen",
    ]
    .map(|words| {
        said.find(words)
            .unwrap_or_else(|| panic!("{words}: {said}"))
    });
    assert!(places.is_sorted(), "{said}");
    assert_eq!(said.matches("A door for hall B").count(), 1, "{said}");
}

/// What is said, one passage a line.
fn said(made: &Made) -> String {
    let passages = made.text.passages.iter();
    passages
        .map(|passage| format!("{}\n", passage.block.text))
        .collect()
}

#[test]
fn a_letter_has_its_sender_at_the_head_and_room_to_sign() {
    let renderer = Renderer::new();
    let of_lines = |lines: usize| {
        let text = format!("Dear Ms Olsen,{}", "\nA line.".repeat(lines));
        let mut document = renderer.document("en-GB", &paragraph(&text));
        document["meta"]["organization"] = json!("Halden Lifts");
        let closing = "Yours sincerely,\nAnn Lee\nDirector";
        let blocks = document["sections"][0]["blocks"].as_array_mut().unwrap();
        blocks.extend(paragraph("The door costs 480.").as_array().unwrap().clone());
        blocks.extend(paragraph(closing).as_array().unwrap().clone());
        let head = json!({"id": "head", "title": "Offer", "layout": "letter", "blocks": [
            {"type": "paragraph", "runs": [{"text": "Halden Lifts\nHafen 4"}]},
            {"type": "paragraph", "runs": [{"text": "Ms Petra Olsen"}]},
        ]});
        document["sections"].as_array_mut().unwrap().insert(0, head);
        renderer.made(&document, &[])
    };
    let short = of_lines(2);
    assert_eq!((short.pages, short.codes()), (1, Vec::new()));
    let text = said(&short);
    let words = [
        "Hafen 4",
        "1 January 2026",
        "Ms Petra Olsen",
        "Yours sincerely,",
        "Ann Lee",
    ];
    let places = words.map(|words| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}: {text}"))
    });
    assert!(places.is_sorted(), "{text}");
    // The name stands apart from the words above it.
    assert!(
        short
            .text
            .passages
            .iter()
            .any(|it| it.block.text.starts_with("Ann Lee")),
        "{text}"
    );
    assert!(!text.contains("Page 1"), "{text}");
    let long = of_lines(60);
    assert_eq!(long.pages, 2);
    let text = said(&long);
    assert!(
        text.contains("Page 2 of 2") && !text.contains("Page 1"),
        "{text}"
    );
    let page = |words: &str| {
        let passages = long.text.passages.iter();
        let found = passages.filter(|it| it.block.text.contains(words));
        found.map(|it| it.page).next_back().unwrap()
    };
    assert_eq!(page("Yours sincerely,"), page("Ann Lee"));
}

#[test]
fn captions_are_numbered_and_a_button_has_its_address() {
    let renderer = Renderer::new();
    let caption = json!([{"text": "Prices a year."}]);
    let blocks = json!([
        {"type": "table", "columns": [{"label": "Depot"}], "rows": [[[{"text": "Hull"}]]], "caption": caption},
        {"type": "bullets", "ordered": true, "items": [
            {"runs": [{"text": "One thing"}], "items": [{"runs": [{"text": "and another"}]}]},
        ]},
        {"type": "cta", "label": "Call us", "href": "https://a.example/call/"},
    ]);
    let made = renderer.made(&renderer.document("de", &blocks), &[]);
    let text = said(&made);
    let at = |words: &str| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}: {text}"))
    };
    // Above the table, which may go on over pages.
    assert!(at("Prices a year.") < at("Depot"), "{text}");
    assert!(
        text.contains("Tabelle\u{a0}1") || text.contains("Tabelle 1"),
        "{text}"
    );
    assert!(
        text.contains("a. and another") || text.contains("a."),
        "{text}"
    );
    assert!(at("Call us") < at("a.example/call"), "{text}");
}

#[test]
fn a_copy_of_slides_has_a_page_for_each() {
    let renderer = Renderer::new();
    for kind in ["proposal", "playbook", "deck", "gtm_strategy", "report"] {
        let mut document = renderer.document("en", &paragraph("The door costs 480."));
        document["meta"]["document_type"] = json!(kind);
        document["meta"]["slides"] = json!(true);
        document["meta"]["subtitle"] = json!("For Vela");
        let section = |title: &str, layout: &str, blocks: Value| json!({"id": layout, "title": title, "layout": layout, "blocks": blocks});
        let lead = json!([{"type": "lead", "runs": [{"text": "It closes by itself."}]}]);
        let sections = document["sections"].as_array_mut().unwrap();
        sections.insert(0, section("Offer", "cover", json!([])));
        sections.push(section("How it works", "statement", lead));
        sections.push(section(
            "Sign by May",
            "closing",
            paragraph("We come in June."),
        ));
        let made = renderer.made(&document, &[]);
        assert_eq!((made.pages, made.codes()), (4, Vec::new()), "{kind}");
        for said in [
            "For Vela",
            "The door costs 480.",
            "It closes by itself.",
            "We come in June.",
        ] {
            assert!(made.says(said), "{kind}: {said}");
        }
    }
}

#[test]
fn a_text_without_letters_that_can_be_drawn_is_refused() {
    let renderer = Renderer::new();
    let thai = paragraph("ข้อเสนอสำหรับคลังสินค้าและการขนส่งในประเทศไทย");
    let output = renderer.run(&renderer.document("th", &thai), &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        told.contains("render_failed") && told.contains("missing_glyphs"),
        "{told}"
    );
    let named = paragraph("We met คุณ Anan in Bangkok, and he would like to see the offer.");
    let made = renderer.made(&renderer.document("en", &named), &[]);
    assert_eq!(made.codes().len(), 1);
}

#[test]
fn the_end_of_a_text_has_no_page_of_its_own() {
    let renderer = Renderer::new();
    // A button with its address below would be more than little.
    let made = |lines: usize| {
        let blocks = json!([
            {"type": "paragraph", "runs": [{"text": "A line.\n".repeat(lines)}]},
            {"type": "paragraph", "runs": [{"text": "Call us."}]},
        ]);
        renderer.made(&renderer.document("en", &blocks), &[])
    };
    let ends: Vec<(usize, u64, usize)> = (24..56)
        .step_by(2)
        .map(|lines| (lines, made(lines)))
        .map(|(lines, made)| (lines, made.pages, made.last_lines()))
        .collect();
    let alone = ends.iter().rev().find(|(_, pages, _)| *pages == 1);
    let parted = ends.iter().find(|(_, pages, _)| *pages == 2);
    // What a page takes where the text stands as usual is less than what one page alone takes, because that is set closer.
    let (Some((on_one, _, _)), Some((lines, _, last))) = (alone, parted) else {
        panic!("{ends:?}");
    };
    assert!(lines - last < *on_one, "{ends:?}");
}

/// Each drawing of a long text takes as long as the first.
#[test]
fn a_long_text_is_drawn_once() {
    let renderer = Renderer::new();
    let ends: Vec<(u64, usize)> = (900..963)
        .step_by(7)
        .map(|lines| renderer.of_lines(lines))
        .map(|made| (made.pages, made.last_lines()))
        .collect();
    assert!(
        ends.iter().all(|(pages, _)| *pages > MOST_PAGES),
        "{ends:?}"
    );
    assert!(ends.iter().any(|(_, lines)| *lines < 6), "{ends:?}");
}
