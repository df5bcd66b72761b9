//! Too much text, and text that is not what it seems.

use serde_json::{Value, json};

use super::{Expected, Hostile, paragraph, with_blocks, with_sections};

pub(super) fn documents() -> Vec<Hostile> {
    let mut all = vec![
        Hostile {
            expected: Expected::Refusal("invalid_document"),
            ..with_blocks("paragraph-of-40000-words", vec![paragraph(words(40_000))])
        },
        with_blocks(
            "text-of-40000-words",
            (0..8).map(|_| paragraph(words(5_000))).collect(),
        ),
        with_blocks("no-space-to-break", vec![paragraph("x".repeat(20_000))]),
        with_blocks("line-breaks", vec![paragraph("\n".repeat(2_000) + "end")]),
    ];
    all.extend(STRANGE.iter().map(|(name, text)| everywhere(name, text)));
    // Office has a font for it; the typesetter has those it was given.
    all.push(Hostile {
        expected: Expected::RefusalAs {
            format: "pdf",
            code: "render_failed",
        },
        ..everywhere("script-without-font", "አማርኛ ፊደል ይህ ጽሑፍ ነው።")
    });
    all.push(everywhere("controls", &controls()));
    all.push(everywhere("combining-marks", &combining()));
    all.push(longest_lines());
    all.push(deepest_lists());
    all
}

/// Texts of one line.
const STRANGE: &[(&str, &str)] = &[
    (
        "emoji",
        "Team 👩🏽‍🚀👨‍👩‍👧‍👦 flag 🇩🇪🏴󠁧󠁢󠁳󠁣󠁴󠁿 keycap 3️⃣ heart ❤️ text ☎︎ end 🫠",
    ),
    (
        "mixed-direction",
        "Order 123 (\u{5e9}\u{5dc}\u{5d5}\u{5dd} ABC) \u{645}\u{631}\u{62d}\u{628}\u{627} 4,500 € \u{2067}a\u{2069} \u{200f}! ?\u{200e} v2.0-\u{628}",
    ),
    (
        "markup-look-alikes",
        "</w:t></w:r><w:p/> ]]> <![CDATA[ &amp; &#0; #set page(width: 1pt) #eval(\"x\") $x^2$ *b* _i_ `c` \\input{a} {{ b }} ${c} %n <script>alert(1)</script> =HYPERLINK(\"https://x.example\") @SUM(1) +1 -2 \"'",
    ),
    (
        "missing-glyphs",
        "cuneiform \u{12000}\u{12001} private \u{e000}\u{f8ff}\u{10fffd} unassigned \u{1f8ff} tangut \u{17000} tag \u{e0041}",
    ),
    (
        "many-scripts",
        "Greece Ελλάδα Russia Россия Hindi हिन्दी Thai ไทย Burmese မြန်မာ Georgian ქართული Korean 한국어 Chinese 中文（繁體） Khmer ភាសាខ្មែរ Hebrew עברית",
    ),
    (
        "fields-and-references",
        "_x000D_ _x0041_ \u{fffc} \u{fffd} PAGEREF _Toc1 \\h INCLUDETEXT \"c:\\\\a\" DDEAUTO c:\\\\cmd {=1+1} \u{a0}\u{ad}\u{200b}\u{2060}\u{feff}",
    ),
];

/// Each character that a document cannot have, and each that changes the direction of what follows.
fn controls() -> String {
    let mut text = "before ".to_owned();
    text.extend((0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32));
    text.extend(['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}']);
    text.extend(['\u{fffe}', '\u{ffff}', '\u{1fffe}', '\u{fdd0}']);
    text.push_str(" after");
    // Where a line is asked for, a break would be refused; those are tried in `line-breaks`.
    text.retain(|character| {
        !matches!(
            character,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    });
    text
}

fn combining() -> String {
    let marks: String = (0..40)
        .filter_map(|step| char::from_u32(0x300 + step * 2))
        .collect();
    format!(
        "Z{marks}a{marks}l{marks} e\u{301} \u{301}alone \u{d55c}\u{1112}\u{1161}\u{11ab} g\u{308}"
    )
}

/// The text in each place that takes one.
fn everywhere(name: &'static str, text: &str) -> Hostile {
    let runs =
        json!([{"text": text}, {"text": text, "bold": true, "italic": true, "cite": ["s1"]}]);
    let line: String = text.chars().take(120).collect();
    let blocks = vec![
        json!({"type": "lead", "runs": runs}),
        json!({"type": "heading", "level": 2, "runs": runs}),
        json!({"type": "paragraph", "runs": runs}),
        json!({"type": "bullets", "items": [{"runs": runs, "items": [{"runs": runs}]}]}),
        json!({"type": "table", "columns": [{"label": line}, {"label": "b"}], "rows": [[runs, runs]], "caption": runs}),
        json!({"type": "chart", "kind": "bar", "title": line, "categories": [line, "b"], "unit": line, "x_label": line, "y_label": line,
               "series": [{"name": line, "values": [1.0, 2.0]}], "alt": text, "caption": runs, "cite": ["s1"]}),
        json!({"type": "kpis", "items": [{"value": line, "label": line, "detail": line}]}),
        json!({"type": "quote", "runs": runs, "attribution": line}),
        json!({"type": "callout", "tone": "warning", "title": line, "runs": runs}),
        json!({"type": "steps", "items": [{"title": line, "runs": runs}]}),
        json!({"type": "timeline", "events": [{"when": line, "title": line, "runs": runs}]}),
        json!({"type": "comparison", "items": [line, "b"], "criteria": [{"label": line, "cells": [runs, runs]}]}),
        json!({"type": "cta", "label": line, "href": "https://nordhaven.example/a", "text": runs, "qr": true}),
    ];
    let section = json!({"id": "one", "title": line, "notes": runs, "blocks": blocks});
    let mut hostile = with_sections(name, vec![section]);
    for member in [
        "title",
        "subtitle",
        "author",
        "organization",
        "classification",
    ] {
        hostile.document["meta"][member] = Value::from(line.as_str());
    }
    hostile.document["meta"]["keywords"] = json!([line]);
    hostile.document["sources"][0]["title"] = Value::from(line);
    hostile
}

/// Every line as long as it may be.
fn longest_lines() -> Hostile {
    let line = "Unabwendbarkeitsvermutungsklausel ".repeat(9);
    let line: String = line.chars().take(299).chain(['.']).collect();
    let href = format!("https://nordhaven.example/{}", "q".repeat(2_000));
    let entries: Vec<Value> = (0..12)
        .map(|_| json!({"value": line, "label": line, "detail": line}))
        .collect();
    let mut hostile = with_blocks(
        "longest-lines",
        vec![
            json!({"type": "kpis", "items": entries}),
            json!({"type": "comparison", "items": vec![line.as_str(); 6], "highlight": 5,
                   "criteria": (0..30).map(|_| json!({"label": line, "cells": vec![json!([{"text": line}]); 6]})).collect::<Vec<_>>()}),
            json!({"type": "timeline", "events": (0..100).map(|_| json!({"when": line, "title": line, "runs": [{"text": line}]})).collect::<Vec<_>>()}),
            json!({"type": "steps", "items": (0..100).map(|_| json!({"title": line, "runs": [{"text": line}]})).collect::<Vec<_>>()}),
            json!({"type": "quote", "runs": [{"text": words(2_000)}], "attribution": line}),
            json!({"type": "callout", "tone": "note", "title": line, "runs": [{"text": words(2_000)}]}),
            json!({"type": "cta", "label": line, "href": href, "text": [{"text": line, "href": href}], "qr": true}),
        ],
    );
    hostile.document["meta"]["title"] = Value::from(line.as_str());
    hostile.document["meta"]["classification"] = Value::from(line.as_str());
    hostile.document["sections"][0]["title"] = Value::from(line);
    hostile
}

/// Lists as long and as deep as they may be.
fn deepest_lists() -> Hostile {
    let leaf: Vec<Value> = (0..10)
        .map(|index| json!({"runs": [{"text": format!("leaf {index}")}]}))
        .collect();
    let middle: Vec<Value> = (0..5)
        .map(|index| json!({"runs": [{"text": format!("middle {index}")}], "items": leaf}))
        .collect();
    let top: Vec<Value> = (0..50)
        .map(|index| json!({"runs": [{"text": format!("top {index}")}], "items": middle}))
        .collect();
    let long: Vec<Value> = (0..500)
        .map(|index| json!({"runs": [{"text": format!("item {index}: {}", words(12))}]}))
        .collect();
    with_blocks(
        "deepest-lists",
        vec![
            json!({"type": "bullets", "items": top}),
            json!({"type": "bullets", "ordered": true, "items": long}),
        ],
    )
}

/// So many words, never the same twice in a row.
pub(super) fn words(count: usize) -> String {
    const WORDS: [&str; 9] = [
        "cold", "chain", "a", "depot", "alarms", "early", "in", "time", "pallet",
    ];
    let mut text = String::new();
    for index in 0..count {
        if index > 0 {
            text.push(if index % 40 == 0 { '.' } else { ' ' });
            if index % 40 == 0 {
                text.push(' ');
            }
        }
        text.push_str(WORDS[(index * 4 + index / 9) % WORDS.len()]);
    }
    text
}
