//! The links of a brief: those that a document may have, and whose text names no other address.

use gtm_document_model::text::Run;
use gtm_document_model::{is_followable, names_another_address};

/// Longest address.
const LONGEST: usize = 2_000;

/// The links that are open, and those that were not kept.
#[derive(Debug, Default)]
pub struct Links {
    open: Vec<Open>,
    /// The texts of links that lead elsewhere than they say.
    pub parted: Vec<String>,
}

#[derive(Debug)]
struct Open {
    href: Option<String>,
    text: String,
    /// How many runs stand before it in its text.
    before: usize,
}

impl Links {
    pub fn begin(&mut self, address: &str, before: usize) {
        self.open.push(Open {
            href: followable(address),
            text: String::new(),
            before,
        });
    }

    /// The address of text that comes now.
    pub fn href(&self) -> Option<String> {
        self.open.last()?.href.clone()
    }

    pub fn say(&mut self, text: &str) {
        if let Some(open) = self.open.last_mut() {
            open.text.push_str(text);
        }
    }

    /// Ends a link. One whose text names another address leaves its text.
    pub fn end(&mut self, runs: &mut [Run]) {
        let Some(Open {
            href: Some(href),
            text,
            before,
        }) = self.open.pop()
        else {
            return;
        };
        if !names_another_address(&text, &href) {
            return;
        }
        // It may have gone on with the run before it.
        let own = runs.iter_mut().skip(before.saturating_sub(1));
        own.filter(|run| run.href.as_ref() == Some(&href))
            .for_each(|run| run.href = None);
        self.parted.push(text);
    }
}

/// The address of a link that a document may have.
fn followable(address: &str) -> Option<String> {
    let plain = address.len() <= LONGEST && address.bytes().all(|c| c.is_ascii_graphic());
    let scheme = address
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase())?;
    let known = match scheme.as_str() {
        "https" => url::Url::parse(address)
            .ok()
            .filter(|url| url.username().is_empty() && url.password().is_none())
            .map(|url| url.to_string()),
        "mailto" => Some(address.to_owned()),
        _ => None,
    };
    known.filter(|link| plain && is_followable(link))
}

#[cfg(test)]
mod tests {
    use super::super::{Brief, Part, markdown};

    fn links(text: &str) -> Vec<(String, Option<String>)> {
        let read = markdown::read(text);
        let runs = read.parts.into_iter().flat_map(|part| match part {
            Part::Heading { runs, .. } => runs,
            Part::Block(gtm_document_model::block::Block::Paragraph(paragraph)) => paragraph.runs,
            Part::Block(_) => Vec::new(),
        });
        runs.map(|run| (run.text, run.href)).collect()
    }

    #[test]
    fn a_text_that_names_another_address_is_no_link() {
        for text in [
            "[https://bank.example](https://evil.example)",
            "[**bank.example**](https://evil.example/bank.example)",
            "[a@bank.example](mailto:a@evil.example)",
        ] {
            assert!(links(text).iter().all(|(_, href)| href.is_none()), "{text}");
            let brief = Brief::read(&format!("# A\n\n## B\n\nRooms. {text}"), "en");
            assert!(brief.text().contains("bank.example"), "{text}");
            assert_eq!(brief.unlinked.len(), 1, "{text}");
        }
        let both = links("[our page](https://a.example/)[bank.example](https://evil.example)");
        assert_eq!(
            both,
            [
                ("our page".to_owned(), Some("https://a.example/".to_owned())),
                ("bank.example".to_owned(), None)
            ]
        );
        assert!(
            links("[bank.example](https://bank.example)")
                .iter()
                .all(|(_, href)| href.is_some())
        );
    }
}
