//! Titles of cards that are no heading elements, told by their form: a short text and one at least twice as long
//! about it, several times in a row and in the same elements.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::elements::is_block;
use super::roles::{Role, role_of};
use super::scan::Element;
use crate::{Block, BlockKind, Region, is_joined};

/// Most words of a title, and most letters in scripts without blanks.
const LONGEST_TITLE: usize = 8;
const LONGEST_TITLE_IN_LETTERS: usize = 24;
/// Fewest words of the text about it, and fewest letters in scripts without blanks.
const SHORTEST_TEXT: usize = 6;
const SHORTEST_TEXT_IN_LETTERS: usize = 15;
/// Most words of what may stand above a title in its card: a number, a code.
const LONGEST_MARK: usize = 3;
/// Most blocks between one card's text and the next card's title: further paragraphs, a link.
const BETWEEN: usize = 4;
/// Most enclosing elements in which two texts are looked for together.
const NEAR: usize = 5;
/// From so many digits on, a short text is a date or a number.
const NUMBER: usize = 4;

/// The open elements.
#[derive(Default)]
pub(super) struct Path {
    open: Vec<Opened>,
    count: u32,
}

struct Opened {
    /// Names of this element and all around it.
    names: u64,
    class: u64,
    /// Its number on the page if it is a block, and not part of one.
    id: Option<u32>,
    is_pair: bool,
    /// What its class says, or that of the card around it.
    role: Option<Role>,
}

impl Path {
    pub(super) fn start(&mut self, element: &Element<'_>) {
        self.count = self.count.wrapping_add(1);
        let outer = self.open.last();
        let names = outer.map_or(0, |outer| outer.names);
        // `step-1`, `step-2` are alike.
        let class: String = element
            .attribute("class")
            .unwrap_or_default()
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .collect();
        self.open.push(Opened {
            names: hash(&(names, element.name)),
            class: hash(&class),
            id: is_block(element.name).then_some(self.count),
            // A list of terms has its pairs marked as such.
            is_pair: matches!(element.name, "dt" | "dd") || outer.is_some_and(|o| o.is_pair),
            role: role_of(element).or_else(|| outer.and_then(|outer| outer.role)),
        });
    }

    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    pub(super) fn spot(&self) -> Spot {
        let last = self.open.last();
        let mut near: Vec<u32> = self
            .open
            .iter()
            .rev()
            .filter_map(|open| open.id)
            .take(NEAR)
            .collect();
        near.reverse();
        Spot {
            path: last.map_or(0, |open| hash(&(open.names, open.class))),
            near,
            is_pair: last.is_some_and(|open| open.is_pair),
            role: last.and_then(|open| open.role),
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Where among the elements a block's text begins.
#[derive(Default, Clone)]
pub(super) struct Spot {
    /// Names of the elements around it, and the class of the innermost.
    path: u64,
    /// The innermost blocks around it, from outside.
    near: Vec<u32>,
    is_pair: bool,
    role: Option<Role>,
}

impl Spot {
    /// What the classes around it say of it.
    pub(super) fn role(&self) -> Option<Role> {
        self.role
    }

    /// The innermost element around both.
    fn shared(&self, other: &Self) -> Option<u32> {
        let shared = self.near.iter().rev().find(|id| other.near.contains(id));
        shared.copied()
    }

    /// Whether both stand in elements alike.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.path == other.path
    }

    /// Whether a text stands right in this element, in no block or one of its own.
    fn is_child_of(&self, id: u32) -> bool {
        self.near.iter().rev().take(2).any(|near| *near == id)
    }
}

/// A short text with a longer one below.
struct Pair {
    at: usize,
    /// The innermost element around both.
    card: u32,
    paths: (u64, u64),
    /// Whether nothing but a number or code stands above it in its card.
    opens: bool,
    /// Whether both stand right in that element.
    flat: bool,
}

/// Marks the titles among the blocks; `spots` has the place of each.
pub(super) fn mark_titles(blocks: &mut [Block], spots: &[Spot]) {
    let pairs: Vec<Pair> = (0..blocks.len())
        .filter_map(|at| Pair::at(blocks, spots, at))
        .collect();
    let mut titles = Vec::new();
    let mut begins = true;
    for neighbours in pairs.windows(2) {
        let [first, second] = neighbours else {
            continue;
        };
        let goes_on = first.goes_on(second, blocks)
            // A name below each text belongs to what stands above it.
            && !(begins && first.card == second.card && first.ends_another(blocks, spots));
        if goes_on {
            titles.extend([first.at, second.at]);
        }
        begins = !goes_on;
    }
    for at in titles {
        if let Some(block) = blocks.get_mut(at) {
            block.title = true;
        }
    }
}

impl Pair {
    fn at(blocks: &[Block], spots: &[Spot], at: usize) -> Option<Self> {
        let (term, text) = (blocks.get(at)?, blocks.get(at + 1)?);
        let (above, below) = (spots.get(at)?, spots.get(at + 1)?);
        let card = above.shared(below)?;
        let apart = above.near.last() != below.near.last() || above.path != below.path;
        let fits = is_title(term)
            && is_text(text)
            && letters(&text.text) >= 2 * letters(&term.text)
            && term.region == text.region
            && !above.is_pair
            && apart;
        let in_card = |at: Option<usize>| {
            let at = at?;
            let spot = spots.get(at)?;
            blocks.get(at).filter(|_| spot.near.contains(&card))
        };
        let opens = in_card(at.checked_sub(2)).is_none()
            && in_card(at.checked_sub(1)).is_none_or(|mark| {
                mark.kind != BlockKind::Heading && words(&mark.text) <= LONGEST_MARK
            });
        fits.then(|| Self {
            at,
            card,
            paths: (above.path, below.path),
            opens,
            flat: above.is_child_of(card) && below.is_child_of(card),
        })
    }

    /// Whether another pair is the next in a row of cards.
    fn goes_on(&self, next: &Self, blocks: &[Block]) -> bool {
        let between = blocks.get(self.at + 2..next.at).unwrap_or_default();
        let alike = if self.card == next.card {
            self.flat && next.flat && self.paths.0 != self.paths.1
        } else {
            self.opens && next.opens
        };
        alike
            && self.paths == next.paths
            && between.len() <= BETWEEN
            && between.iter().all(|block| block.kind != BlockKind::Heading)
    }

    /// Whether a text like that of the pair stands right above it.
    fn ends_another(&self, blocks: &[Block], spots: &[Spot]) -> bool {
        let before = self.at.checked_sub(1);
        before.is_some_and(|before| {
            let spot = spots.get(before);
            spot.is_some_and(|spot| spot.path == self.paths.1 && spot.near.contains(&self.card))
                && blocks.get(before).is_some_and(is_text)
        })
    }
}

fn may_be_of_card(block: &Block) -> bool {
    matches!(
        block.kind,
        BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem
    ) && !block.form
        && block.region != Region::Boilerplate
}

fn is_title(block: &Block) -> bool {
    let text = block.text.as_str();
    let short = if has_blanks(text) {
        words(text) <= LONGEST_TITLE
    } else {
        text.chars().count() <= LONGEST_TITLE_IN_LETTERS
    };
    let digits = text.chars().filter(char::is_ascii_digit).count();
    may_be_of_card(block)
        && short
        && digits < NUMBER
        && text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '¿' | '¡' | '«' | '„' | '"'))
        && !text.contains('@')
        && !text.ends_with(['.', '!', '…', ':', ',', ';', '*', '。', '！', '：', '、'])
}

fn is_text(block: &Block) -> bool {
    let text = block.text.as_str();
    let visible = letters(text);
    let long = if has_blanks(text) {
        words(text) >= SHORTEST_TEXT
    } else {
        visible >= SHORTEST_TEXT_IN_LETTERS
    };
    // Menus may explain their links, and where a page's own part begins is not known there.
    let is_link = block.link_chars * 2 > visible && block.region != Region::Main;
    may_be_of_card(block) && long && !is_link
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| *c != ' ').count()
}

fn words(text: &str) -> usize {
    text.split(' ').count()
}

/// Whether the script of a text sets words apart.
fn has_blanks(text: &str) -> bool {
    !text.contains(is_joined)
}

#[cfg(test)]
mod tests {
    fn titles(html: &str) -> Vec<String> {
        let blocks = crate::extract(Some("text/html"), html.as_bytes()).blocks;
        let titles = blocks.into_iter().filter(|block| block.title);
        titles.map(|block| block.text).collect()
    }

    #[test]
    fn short_texts_with_longer_ones_in_a_row_are_titles() {
        for (html, expected) in [
            (
                "<h2>Our values</h2><div class=c><p>Care</p><p>We check every tread twice before it leaves</p></div>\
                 <div class=c><p>Candour</p><p>We tell you when a repair would do as well.</p><a href=x>More</a></div>",
                ["Care", "Candour"],
            ),
            (
                "<h2>Leistungen</h2><section><strong>Treppen</strong><p>Wir bauen Treppen aus Eiche und Esche für jedes Haus.</p>\
                 <strong>Türen</strong><p>Wir richten alte Türen so her, dass sie wieder schließen.</p></section>",
                ["Treppen", "Türen"],
            ),
            (
                "<ul><li><span class=n>01</span><div class='t d-1'>Rilievo</div><div>Veniamo da voi e misuriamo tutto senza impegno.</div>\
                 <li><span class=n>02</span><div class='t d-2'>Posa</div><div>Montiamo la scala in un giorno e puliamo tutto.</div></ul>",
                ["Rilievo", "Posa"],
            ),
            (
                "<div><div>点検</div><p>設備を毎月くわしく点検し、結果を報告します。</p></div><div><div>修理</div><p>故障した設備を当日中に修理いたします。</p></div>",
                ["点検", "修理"],
            ),
        ] {
            assert_eq!(titles(html), expected, "{html}");
        }
    }

    #[test]
    fn menus_forms_footers_names_and_single_pairs_are_none() {
        let text = "We make stairs and doors that outlive the house they stand in.";
        for html in [
            format!("<div><p>Care</p><p>{text}</p></div>"),
            format!(
                "<nav><div><p>Care</p><p>{text}</p></div><div><p>Wood</p><p>{text}</p></div></nav>"
            ),
            format!(
                "<footer><div><p>Care</p><p>{text}</p></div><div><p>Wood</p><p>{text}</p></div></footer>"
            ),
            format!(
                "<form><div><p>Name</p><p>{text}</p></div><div><p>Trade</p><p>{text}</p></div></form>"
            ),
            format!(
                "<div><a href=a><b>Stairs</b><p>{text}</p></a></div><div><a href=b><b>Doors</b><p>{text}</p></a></div>"
            ),
            // Who said it stands below what was said.
            format!(
                "<div><p class=q>{text}</p><p class=n>Jane Roe</p><p class=q>{text}</p><p class=n>John Doe</p><p class=q>{text}</p></div>"
            ),
            format!(
                "<div><p>{text}</p><p>Jane Roe</p></div><div><p>{text}</p><p>John Doe</p></div><div><p>{text}</p><p>A B</p></div>"
            ),
            // Running text, dates and what stands below a heading.
            format!("<div><p>In short</p><p>{text}</p><p>And so on</p><p>{text}</p></div>"),
            format!("<div><p>1998</p><p>{text}</p></div><div><p>2004</p><p>{text}</p></div>"),
            format!(
                "<div><h3>Oak</h3><p>By hand</p><p>{text}</p></div><div><h3>Ash</h3><p>To size</p><p>{text}</p></div>"
            ),
        ] {
            assert_eq!(titles(&html), Vec::<String>::new(), "{html}");
        }
    }
}
