//! What was mended after pages had been looked at.

use std::collections::BTreeMap;

use serde_json::json;

use crate::file::{File, Given};
use crate::sample_with;

const LOGO: &[u8] =
    b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"10\"><rect width=\"40\" height=\"10\"/></svg>";

#[test]
fn a_drawing_becomes_a_picture_that_word_shows_everywhere() {
    let document = sample_with(|value| {
        value["theme"]["logo"] =
            json!({"asset": "logo", "alt": "A logo", "width": 40, "height": 10});
    });
    let file = File::with(
        &document,
        &Given(BTreeMap::from([("logo".to_owned(), LOGO.to_vec())])),
        None,
    );
    file.check();
    assert!(
        file.names()
            .iter()
            .any(|name| name.starts_with("word/media/") && name.ends_with(".png"))
    );
    let told = &file.rendered.diagnostics;
    assert!(
        told.iter().all(|one| one.pointer != "/theme/logo"),
        "{told:?}"
    );
}

#[test]
fn a_caption_is_never_a_number_alone() {
    let chart = json!({"type": "chart", "kind": "bar", "title": "Vans by year", "categories": ["a"],
        "series": [{"name": "s", "values": [1]}], "alt": "Bars", "cite": ["src_01"]});
    let document = sample_with(|value| {
        value["sections"] = json!([{"id": "a", "title": "A", "blocks": [chart]}]);
    });
    let file = File::of(&document);
    file.check();
    let xml = file.part("word/document.xml");
    let caption = xml.split(" SEQ Figure ").nth(1).unwrap();
    assert!(
        caption
            .split("</w:p>")
            .next()
            .unwrap()
            .contains("Vans by year")
    );
    // It is not said twice.
    assert!(!file.part("word/charts/chart1.xml").contains("Vans by year"));
}

#[test]
fn a_quote_slants_only_where_the_script_does() {
    for (language, slants) in [("en", true), ("ja", false), ("ar", false)] {
        let document = sample_with(|value| value["meta"]["language"] = json!(language));
        let styles = File::of(&document).part("word/styles.xml");
        let quote = styles.split("w:styleId=\"Quote\"").nth(1).unwrap();
        let quote = quote.split("</w:style>").next().unwrap();
        assert_eq!(quote.contains("<w:i/>"), slants, "{language}");
    }
}

#[test]
fn a_call_to_action_takes_what_leads_to_it_along() {
    let list = json!({"type": "bullets", "items": vec![json!({"runs": [{"text": "An item"}]}); 3]});
    let quote = json!({"type": "quote", "runs": [{"text": "A quote"}], "attribution": "Somebody"});
    let action = json!({"type": "cta", "label": "Go", "href": "https://a.example/"});
    let document = sample_with(|value| {
        value["sections"] =
            json!([{"id": "a", "title": "A", "blocks": [list, action, quote, action]}]);
    });
    let xml = File::of(&document).part("word/document.xml");
    for (words, count) in [("An item", 3), ("A quote", 1), ("Somebody", 1)] {
        let held = xml
            .split("<w:p>")
            .filter(|paragraph| paragraph.contains(words) && paragraph.contains("<w:keepNext/>"));
        assert_eq!(held.count(), count, "{words}");
    }
}
