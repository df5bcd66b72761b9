//! Tells whom a page is about: legal pages must name other companies, and news items report on them.

use std::collections::BTreeSet;

use gtm_lexicon::company::US;
use gtm_lexicon::others::{HOSTED, ITSELF, LABELS, REPRESENTED, TRADING_NAMES};
use gtm_lexicon::press::PROFILE_OPENINGS;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::{Block, BlockKind};
use gtm_site_research::words;

use super::{legal_names, letters};
use crate::part::Part;
use crate::site::Site;

/// Most words of a label.
const LONGEST_LABEL: usize = 5;

/// The company's own names, as folded letters.
pub struct Own {
    names: Vec<String>,
    legal: Option<String>,
}

/// Whose name comes last before a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The company itself.
    Own,
    /// Another company or person.
    Other,
    /// Unknown: no registered name, or none that decides it.
    Unnamed,
}

impl Own {
    /// The company's names, plus its registered name if known.
    pub fn new(site: &Site, legal: Option<&str>) -> Self {
        let bare = |name: &str| letters(legal_names::without_form(name));
        let mut names: Vec<String> = site.research.names.iter().map(|name| bare(name)).collect();
        names.extend(site.label().map(|label| letters(&label)));
        names.retain(|name| name.chars().count() >= 3);
        Self {
            names,
            legal: legal.map(bare).filter(|name| !name.is_empty()),
        }
    }

    /// Names for a test.
    #[cfg(test)]
    pub fn of(names: &[&str], legal: Option<&str>) -> Self {
        Self {
            names: names.iter().map(|name| letters(name)).collect(),
            legal: legal.map(|name| letters(legal_names::without_form(name))),
        }
    }

    /// Whether a text contains one of the names.
    pub fn is_named_in(&self, text: &str) -> bool {
        let text = letters(text);
        self.names
            .iter()
            .chain(&self.legal)
            .any(|name| text.contains(name.as_str()))
    }

    /// Whether a text ends with one of the names, ignoring a legal form.
    pub fn ends(&self, text: &str) -> bool {
        let text = letters(legal_names::without_form(text.trim()));
        self.names
            .iter()
            .chain(&self.legal)
            .any(|name| text.ends_with(name.as_str()))
    }

    /// Whose registered name this is. Without the company's own registered name, the owner is unknown. So is
    /// the owner of a name that only begins alike: it may be a former name or a related company.
    fn owner(&self, name: &str) -> Owner {
        let Some(legal) = &self.legal else {
            return Owner::Unnamed;
        };
        let bare = legal_names::without_form(name);
        if letters(bare).ends_with(legal.as_str()) {
            return Owner::Own;
        }
        let folded = words::fold(bare);
        let first = words::split(&folded).first().copied().unwrap_or_default();
        let alike = first.chars().count() >= 3
            && self
                .names
                .iter()
                .chain(&self.legal)
                .any(|own| own.starts_with(first));
        if alike { Owner::Unnamed } else { Owner::Other }
    }

    /// The owner of the number that begins at this byte of the text.
    pub fn of_number(&self, text: &str, at: usize) -> Owner {
        let before = text.get(..at).unwrap_or_default();
        let named = legal_names::find(before)
            .into_iter()
            .rfind(|name| !represents(before, name));
        match named.map(|name| (self.owner(name), name)) {
            Some((Owner::Own, _)) => Owner::Own,
            // In `Acme is a trading name of Beta Ltd`, the other name is the company's own registered name.
            Some(_) if is_trading_name(before) => Owner::Unnamed,
            Some((owner, name)) => {
                let rest = before.get(..offset_in(before, name)).unwrap_or_default();
                if is_hosted(rest) { Owner::Other } else { owner }
            }
            None if is_hosted(before) => Owner::Other,
            None => Owner::Unnamed,
        }
    }
}

/// Byte offset of a part within its text.
pub fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize)
        .saturating_sub(text.as_ptr() as usize)
        .min(text.len())
}

fn is_hosted(text: &str) -> bool {
    HOSTED.any_in(&words::split(&words::fold(text)))
}

fn is_trading_name(text: &str) -> bool {
    TRADING_NAMES.any_in(&words::split(&words::fold(text)))
}

/// Whether a name belongs to a representative; a representative's number would follow the name of its own
/// register.
fn represents(text: &str, name: &str) -> bool {
    let before = text.get(..offset_in(text, name)).unwrap_or_default();
    let folded = words::fold(before);
    let words = words::split(&folded);
    let near = words.get(words.len().saturating_sub(5)..);
    REPRESENTED.any_in(near.unwrap_or_default())
}

/// The blocks about somebody else, by page and block index.
pub fn blocks(site: &Site) -> BTreeSet<(usize, usize)> {
    let own = Own::new(site, None);
    let mut found = BTreeSet::new();
    for (page, part, content) in site.own_pages() {
        let mut others = Others::default();
        for (at, block) in content.blocks.iter().enumerate() {
            let of_others = match part {
                Part::Legal => others.holds(block, is_about_others(&block.text), &own),
                Part::Press => others.holds(block, is_section_on_another(block, &own), &own),
                _ => false,
            };
            if of_others {
                found.insert((page, at));
            }
        }
    }
    found
}

/// The evidence without the blocks about others.
pub fn without(evidence: &Evidence, others: &BTreeSet<(usize, usize)>) -> Evidence {
    let mut own = evidence.clone();
    own.passages
        .retain(|passage| !others.contains(&(passage.page, passage.block)));
    own.sentences
        .retain(|sentence| !others.contains(&(sentence.page, sentence.block)));
    own
}

/// Tracks whether the text belongs to a heading or label about somebody else.
#[derive(Default)]
struct Others {
    /// Level of that heading; labels rank below all headings.
    under: Option<u8>,
}

/// Level of a section that a label announces instead of a heading.
const LABEL: u8 = 7;

impl Others {
    /// Whether the next block is about somebody else; `announces` tells whether it begins such a section.
    fn holds(&mut self, block: &Block, announces: bool, own: &Own) -> bool {
        let level = match block.kind {
            BlockKind::Heading => block.level.unwrap_or(LABEL - 1),
            _ => LABEL,
        };
        if announces {
            self.under = Some(self.under.map_or(level, |known| known.min(level)));
            return true;
        }
        let ended = match self.under {
            None => return false,
            Some(begun) if block.kind == BlockKind::Heading => level <= begun,
            // A label covers only a name, an address and numbers; a sentence ends its section.
            Some(LABEL) => is_sentence(&block.text) || own.is_named_in(&block.text),
            Some(_) => false,
        };
        if ended || speaks_of_itself(&block.text, own) {
            self.under = None;
            return false;
        }
        true
    }
}

/// Whether a block is about the company again: its notice, its label, or a line that begins with its
/// registered name.
fn speaks_of_itself(text: &str, own: &Own) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let label = text.split_once(':').map_or(text, |(label, _)| label);
    let label = words::fold(label);
    let label = words::split(&label);
    text.contains('©')
        || label.len() <= LONGEST_LABEL && ITSELF.open(&label)
        || words.len() <= 8
            && legal_names::find(text)
                .first()
                .is_some_and(|name| text.starts_with(name) && own.is_named_in(name))
}

/// Whether a block is a sentence and not just a name or number.
fn is_sentence(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.ends_with(['.', '!', '?']) && words >= 8 && digits < 5
}

/// Whether a heading or label in an imprint announces another company or person.
fn is_about_others(text: &str) -> bool {
    let label = text.split_once(':').map_or(text, |(label, _)| label);
    let folded = words::fold(label);
    let words = words::split(&folded);
    (1..=LONGEST_LABEL).contains(&words.len()) && LABELS.any_in(&words)
}

/// Whether a heading in a news item announces another company: `Globex GmbH`, `About Globex`.
fn is_section_on_another(block: &Block, own: &Own) -> bool {
    let names = legal_names::find(&block.text);
    block.kind == BlockKind::Heading
        && block.level.is_some_and(|level| level > 1)
        && (!names.is_empty() && !own.is_named_in(&block.text) || is_profile_of_another(block, own))
}

/// Whether a heading announces the standard text that another company adds to all its news.
fn is_profile_of_another(block: &Block, own: &Own) -> bool {
    let folded = words::fold(&block.text);
    let words = words::split(&folded);
    (2..=6).contains(&words.len())
        && PROFILE_OPENINGS.open(&words)
        && !words.iter().any(|word| US.contains(word))
        && !own.is_named_in(&block.text)
        // The heading may shorten the company's name: `About Acme` for `Acme Rail Systems`.
        && !words.iter().any(|word| {
            word.chars().count() >= 4 && own.names.iter().any(|name| name.starts_with(word))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(blocks: &[(&str, Option<u8>)]) -> Vec<bool> {
        let own = Own::of(&["acme"], None);
        let mut others = Others::default();
        blocks
            .iter()
            .map(|(text, level)| {
                let block = Block {
                    title: false,
                    form: false,
                    kind: level.map_or(BlockKind::Paragraph, |_| BlockKind::Heading),
                    level: *level,
                    text: (*text).to_owned(),
                    main: true,
                };
                others.holds(&block, is_about_others(text), &own)
            })
            .collect()
    }

    #[test]
    fn what_stands_under_a_heading_of_others_is_theirs() {
        assert_eq!(
            held(&[
                ("Hébergement", Some(2)),
                ("Globex SAS", Some(3)),
                ("RCS Lille 424 761 419", None),
                ("Propriété intellectuelle", Some(2)),
                ("Acme® est une marque déposée.", None),
            ]),
            [true, true, true, false, false]
        );
    }

    #[test]
    fn a_label_of_others_holds_until_the_company_speaks() {
        for label in ["Alojamiento", "Hoster:", "Hosting provider: Globex Ltd"] {
            assert_eq!(
                held(&[
                    (label, None),
                    ("1 Canal Street", None),
                    ("Acme GmbH, Ulm", None),
                    ("HRB 734512", None),
                ]),
                [true, true, false, false],
                "{label}"
            );
        }
        assert_eq!(
            held(&[
                ("Hébergement : Globex, Lille", None),
                (
                    "Toute reproduction du logo sans accord écrit est interdite.",
                    None
                ),
            ]),
            [true, false]
        );
        assert_eq!(
            held(&[("Host", None), ("Éditeur du site", None)]),
            [true, false]
        );
    }

    #[test]
    fn a_number_belongs_to_the_name_before_it() {
        let own = Own::of(&["acme"], Some("Acme GmbH"));
        let of = |text: &str, number: &str| own.of_number(text, text.find(number).unwrap_or(0));
        assert_eq!(of("Acme GmbH, HRB 734512", "HRB"), Owner::Own);
        assert_eq!(of("Globex GmbH, HRB 1234", "HRB"), Owner::Other);
        assert_eq!(of("Amtsgericht Ulm, HRB 734512", "HRB"), Owner::Unnamed);
        assert_eq!(of("Acme Verwaltungs GmbH, HRB 7", "HRB"), Owner::Unnamed);
        assert_eq!(
            of(
                "Acme GmbH, vertreten durch die Acme Verwaltungs GmbH, HRB 7",
                "HRB"
            ),
            Owner::Own
        );
        let text = "Le site est édité par Acme GmbH, RCS Lyon 404 833 048, et hébergé par Globex SAS, RCS Lille 424 761 419";
        assert_eq!(of(text, "RCS Lyon"), Owner::Own);
        assert_eq!(of(text, "RCS Lille"), Owner::Other);
        assert_eq!(
            of("Site alojado en servidores propios, CIF B50917467", "B5"),
            Owner::Other
        );
        for credit in [
            "Sito realizzato da Pixel Studio s.n.c. – Bergamo – P.IVA 0912",
            "Website by Globex, Leeds, company number 0912",
            "Webdesign: Globex GmbH, HRB 0912",
        ] {
            assert_eq!(of(credit, "0912"), Owner::Other, "{credit}");
        }
        assert_eq!(
            of("Acme GmbH, HRB 0912. Webdesign: Globex GmbH", "0912"),
            Owner::Own
        );
        assert_eq!(
            of(
                "Acme is a trading name of Beta Ltd, company number 09123456",
                "0912"
            ),
            Owner::Unnamed
        );
    }
}
