//! What must hold for any bytes: no panic, normal form, order, and quotations that can be found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_page_text::{extract, find_excerpt, normalize};
use proptest::prelude::*;

const TYPES: [Option<&str>; 7] = [
    None,
    Some("text/html"),
    Some("text/html; charset=shift_jis"),
    Some("application/json"),
    Some("application/xml"),
    Some("text/plain"),
    Some("text/css; charset=utf-16le"),
];

fn check(content_type: Option<&str>, bytes: &[u8]) {
    let page = extract(content_type, bytes);
    assert_eq!(page, extract(content_type, bytes), "not deterministic");
    for block in &page.blocks {
        assert!(!block.text.is_empty());
        assert_eq!(block.text, normalize(&block.text), "not in normal form");
        assert!(!block.text.chars().any(char::is_control));
    }
    let text = page.text();
    if let (Some(first), Some(last)) = (page.blocks.first(), page.blocks.last()) {
        let (start, end) = find_excerpt(&text, &first.text).expect("first block");
        assert_eq!((start, end), (0, first.text.chars().count()));
        assert!(find_excerpt(&text, &last.text).is_some());
        let (start, end) = find_excerpt(&text, &text).expect("whole text");
        assert_eq!((start, end), (0, text.chars().count()));
    }
}

/// Markup-like soup reaches further into the scanners than random characters do.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<"),
        Just(">"),
        Just("</"),
        Just("/>"),
        Just("<!--"),
        Just("-->"),
        Just("<![CDATA["),
        Just("]]>"),
        Just("<p>"),
        Just("<li>"),
        Just("<td>"),
        Just("<tr>"),
        Just("<table>"),
        Just("</table>"),
        Just("<a href=x>"),
        Just("</a>"),
        Just("<h1>"),
        Just("</h2>"),
        Just("<div hidden>"),
        Just("</div>"),
        Just("<script>"),
        Just("</script>"),
        Just("<svg>"),
        Just("</svg>"),
        Just("<title>"),
        Just("<pre>"),
        Just("<br>"),
        Just("&"),
        Just("&amp;"),
        Just("&#0;"),
        Just("&#x110000;"),
        Just("\""),
        Just("\\"),
        Just("{"),
        Just("["),
        Just(":"),
        Just("1e5"),
        Just("e\u{301}"),
        Just("\u{301}"),
        Just("\u{0}"),
        Just("\r\n\r\n"),
        Just("\u{2028}"),
        Just("\u{AD}"),
        Just("word"),
        Just(" "),
        Just("=\"x"),
        Just("<?xml"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes(kind in prop::sample::select(TYPES.to_vec()), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(kind, &bytes);
    }

    #[test]
    fn any_soup(kind in prop::sample::select(TYPES.to_vec()), text in soup()) {
        check(kind, text.as_bytes());
    }

    #[test]
    fn normal_form_is_stable(text in any::<String>()) {
        let once = normalize(&text);
        prop_assert_eq!(normalize(&once), once.clone());
    }

    #[test]
    fn what_is_found_is_what_was_asked(text in soup(), excerpt in "\\PC{0,12}") {
        let page = extract(Some("text/html"), text.as_bytes()).text();
        if let Some((start, end)) = find_excerpt(&page, &excerpt) {
            let found: String = page.chars().skip(start).take(end - start).collect();
            prop_assert_eq!(normalize(&found), normalize(&excerpt));
        }
    }

    #[test]
    fn any_piece_of_a_text_is_found(text in soup(), from in 0usize..200, length in 1usize..40) {
        let page = extract(Some("text/html"), text.as_bytes()).text();
        let piece: String = page.chars().skip(from).take(length).collect();
        // A piece that begins with a combining mark may compose with nothing, and still is there.
        if !normalize(&piece).is_empty() && normalize(&piece) == piece.replace('\n', " ") {
            prop_assert!(find_excerpt(&page, &piece).is_some());
        }
    }
}

#[test]
fn hostile_sizes_take_linear_time() {
    let deep = "<div>".repeat(300_000);
    let formatting: String = (0..60_000).map(|n| format!("<b id={n}>")).collect();
    let paragraphs = format!("<p>{formatting}</p>{}", "<p>x</p>".repeat(60_000));
    let attributes: String = (0..200_000).map(|n| format!(" a{n}")).collect();
    let ends = "</i>".repeat(300_000);
    let objects = "{\"a\":".repeat(300_000);
    let elements = "<a>".repeat(300_000);
    let started = std::time::Instant::now();
    for html in [
        deep,
        paragraphs,
        format!("<p{attributes}>x"),
        format!("{}{ends}", "<div>".repeat(300)),
    ] {
        extract(Some("text/html"), html.as_bytes());
    }
    extract(Some("application/json"), objects.as_bytes());
    extract(Some("application/xml"), elements.as_bytes());
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
