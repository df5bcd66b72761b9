//! The company's own people, as its imprint, its about page and its structured data name them.

use std::collections::BTreeSet;

use gtm_page_text::is_joined;
use gtm_site_research::page::{Block, BlockKind};

use super::letters;
use crate::part::Part;
use crate::site::Site;

/// Members of structured data that name people of the company.
const MEMBERS: [&str; 4] = ["founder", "founders", "employee", "employees"];
/// Most characters of a line that names them: of a legal page, and of another one.
const LONGEST_LEGAL: usize = 300;
const LONGEST: usize = 60;
/// Fewest and most signs of a name that has no blank.
const JOINED: std::ops::RangeInclusive<usize> = 3..=6;
/// Most letters of a title before a name: `Dr.`, `Prof.`
const LONGEST_TITLE: usize = 6;

/// Two words each with which the names begin, as folded letters.
#[derive(Debug, Clone, Default)]
pub struct People(BTreeSet<String>);

impl People {
    /// The people whom the site names as its own. What stands beside a quotation is its author and tells nothing.
    pub fn of(site: &Site) -> Self {
        let mut names = BTreeSet::new();
        for organization in &site.organizations {
            for member in MEMBERS {
                names.extend(
                    organization
                        .texts(member)
                        .iter()
                        .flat_map(|text| pairs(text)),
                );
            }
        }
        for (_, part, page) in site.own_pages() {
            let longest = match part {
                Part::Legal => LONGEST_LEGAL,
                Part::About => LONGEST,
                _ => continue,
            };
            for (at, block) in page.blocks.iter().enumerate() {
                let near = page.blocks.iter().skip(at.saturating_sub(2)).take(4);
                let quoted = part == Part::About && near.into_iter().any(is_quotation);
                if !quoted && block.text.chars().count() <= longest {
                    names.extend(pairs(&block.text));
                }
            }
        }
        Self(names)
    }

    /// Whether the words about an author begin with the name of one of them.
    pub fn has(&self, author: &str) -> bool {
        let author = author.trim_start_matches(['—', '–', '-', '―', '~', ' ']);
        pairs(author)
            .first()
            .is_some_and(|first| self.0.contains(first))
    }
}

fn is_quotation(block: &Block) -> bool {
    let marks = ['"', '“', '„', '«', '»', '「'];
    block.kind == BlockKind::Quote || block.text.starts_with(marks)
}

/// Every two words in a row that are written like a name, and single words of a script that needs no blanks.
fn pairs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut last: Option<&str> = None;
    for token in text.split(|c: char| c.is_whitespace() || "：:、・/／".contains(c)) {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_title = token.ends_with('.') && token.chars().count() <= LONGEST_TITLE;
        if is_title && last.is_none() {
            continue;
        }
        let joined = |word: &str| word.chars().all(is_joined);
        let is_name =
            !bare.is_empty() && bare.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
        if is_name && joined(bare) && JOINED.contains(&bare.chars().count()) {
            found.push(bare.to_owned());
        }
        if let Some(before) = last.filter(|_| is_name) {
            found.push(letters(&format!("{before}{bare}")));
        }
        // What a comma parts is no name.
        let goes_on = is_name && !token.ends_with([',', ';', ')', '|']);
        last = goes_on.then_some(bare);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_two_words_in_a_row() {
        let people = People(
            [
                "Geschäftsführer: Dr. Jane Roe, Leeds",
                "代表取締役 青葉太郎",
                "Owen Rigg",
            ]
            .iter()
            .flat_map(|text| pairs(text))
            .collect(),
        );
        for author in [
            "Jane Roe, Founder",
            "— Dr. Jane Roe",
            "Owen Rigg",
            "青葉太郎",
            "青葉太郎 代表",
        ] {
            assert!(people.has(author), "{author}");
        }
        for author in ["Jane Doe, Globex", "Owen", "Roe Jane", "赤川花子"] {
            assert!(!people.has(author), "{author}");
        }
    }
}
