//! Pages that say that there is no page, at addresses that answer as if there were one.

use gtm_lexicon::pages::NOT_FOUND;

use crate::page::{BlockKind, Page};
use crate::words;

/// Most words of a title or heading that says so.
const LONGEST: usize = 10;
/// Most characters of such a page's own text.
const MOST_TEXT: usize = 600;
/// The number of the answer.
const NUMBER: &str = "404";

/// Whether title or heading say that nothing is here, over little text.
pub(super) fn says_there_is_no_page(page: &Page) -> bool {
    let says = |text: &str| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        words.len() <= LONGEST && (words.contains(&NUMBER) || NOT_FOUND.any_in(&words))
    };
    let blocks = || page.blocks.iter().filter(|block| block.main);
    let heading = blocks().find(|block| block.kind == BlockKind::Heading);
    let length: usize = blocks().map(|block| block.text.chars().count()).sum();
    let texts = [
        page.title.as_deref(),
        heading.map(|block| block.text.as_str()),
    ];
    length <= MOST_TEXT && texts.into_iter().flatten().any(says)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn says(title: &str, heading: &str, text: &str) -> bool {
        let block = |kind: &str, text: &str| json!({"kind": kind, "text": text, "main": true});
        says_there_is_no_page(
            &Page::read(json!({
                "receipt_id": "rcp_1", "url": "https://a.example/x", "final_url": "https://a.example/x",
                "title": title, "blocks": [block("heading", heading), block("paragraph", text)],
            }))
            .unwrap(),
        )
    }

    #[test]
    fn pages_that_are_not_there_say_so() {
        assert!(says("Acme", "404", "Nothing here."));
        assert!(says("Page not found – Acme", "Oops", "Go back home."));
        assert!(says(
            "青波社",
            "ページが見つかりませんでした",
            "トップへ戻る"
        ));
        assert!(says("Seite nicht gefunden", "Acme", "Zur Startseite"));
        assert!(!says("Acme", "Pump 404", &"A pump for wells. ".repeat(50)));
        assert!(!says("Acme", "Pumps", "Found nowhere else."));
    }
}
