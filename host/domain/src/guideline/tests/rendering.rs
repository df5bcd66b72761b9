//! Tests of the Markdown rendering: planted markup stays text.
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::*;
use crate::guideline::markdown::escape;

#[test]
fn a_rendering_shows_facts_gaps_and_sources() {
    let mut guideline = rich();
    guideline.research.conflicts = serde_json::from_value(json!([
        {"pointer": "/identity/founded_year", "candidates": [{"value": 2014, "source_ids": ["src_01"]}, {"value": 2015, "source_ids": ["src_02"]}]}
    ]))
    .unwrap();
    let guideline = guideline.complete(None, &ratio).guideline;
    let text = markdown(&guideline);
    assert_eq!(text, markdown(&guideline));
    for line in [
        "# Acme\\_Ltd",
        "- **founded year**: 2014 (medium, stated)[^src_01]",
        "| primary | Ink | \\#10243e | (medium, stated)[^src_01] |",
        "  - key: pp-1; kind: metric; text: 18,000 flats (high, stated)[^src_01]",
        "- `/foundations/mission`: not found",
        "  - 2015 [^src_02]",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    assert!(text.contains("[^src_01]: Acme \\| \\*home\\*, <https://acme.example/> (first party)"));
    assert!(markdown(&blank().complete(None, &ratio).guideline).contains("Nothing known."));
}

/// Every extension except the one that only replaces straight quotation marks.
fn extensions() -> Options {
    Options::all() - Options::ENABLE_SMART_PUNCTUATION
}

/// What a reader with every Markdown extension sees: the text, and any markup.
fn seen(markdown: &str) -> (String, Vec<String>) {
    let (mut text, mut markup) = (String::new(), Vec::new());
    for event in Parser::new_ext(markdown, extensions()) {
        match event {
            Event::Text(part) => text.push_str(&part),
            Event::Start(Tag::Paragraph) | Event::End(_) => {}
            other => markup.push(format!("{other:?}")),
        }
    }
    (text, markup)
}

#[test]
fn planted_markup_stays_text() {
    for planted in [
        "<script>alert(1)</script>",
        "[click](https://evil.example)",
        "![x](https://evil.example/x.png)",
        "# heading",
        "1. list",
        "2) list",
        "- [ ] task",
        "***",
        "a | b",
        "**bold** `code` ~~gone~~ $x^2$ ==mark==",
        "https://evil.example www.evil.example a@evil.example",
        "&lt;b&gt; &#60;",
        "[^src_01]",
        ": definition",
        "> quote",
        "+++",
    ] {
        let (text, markup) = seen(&format!("x {}", escape(planted)));
        assert_eq!(markup, Vec::<String>::new(), "{planted}");
        assert_eq!(text, format!("x {planted}"));
        let (_, at_start) = seen(&escape(planted));
        assert_eq!(
            at_start,
            Vec::<String>::new(),
            "{planted} at the start of a line"
        );
    }
    assert!(escape("https://evil.example").contains("\\://"));
    assert!(escape("www.evil.example").contains("www\\."));
    assert!(escape("a@evil.example").contains("\\@"));
}

proptest! {
    #[test]
    fn escaped_text_is_seen_as_it_was(text in "\\PC{0,60}") {
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Not at the start of a line, where four spaces or a tab would be indentation.
        let (shown, markup) = seen(&format!("x {}", escape(&text)));
        prop_assert_eq!(markup, Vec::<String>::new());
        let expected = format!("x {plain}");
        prop_assert_eq!(shown.trim_end(), expected.trim_end());
    }

    #[test]
    fn any_text_can_be_rendered(text in "\\PC{0,40}") {
        let mut guideline = blank();
        guideline.voice.samples = vec![Claim { value: Some(text), ..Claim::default() }];
        let rendered = markdown(&guideline.complete(None, &ratio).guideline);
        let raw = Parser::new_ext(&rendered, extensions())
            .any(|e| matches!(e, Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. })));
        prop_assert!(!raw);
    }
}
