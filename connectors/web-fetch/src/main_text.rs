//! Tells the main text from what surrounds it.
//!
//! The page's own landmarks decide if it has any. If not, text counts as main by its density: few of its
//! characters are links, and it is a heading or long enough to say something. A short text without links is judged
//! by what follows: names of cards and questions stand above dense text.

use gtm_page_text::{Block, BlockKind, Region};

/// Percentage of link characters at which a block counts as navigation.
const LINK_PERCENT: usize = 60;
/// Percentage of link characters below which a block has nearly none.
const FEW_LINKS_PERCENT: usize = 10;
/// Number of words at which loose text counts as running text.
const LEAST_WORDS: usize = 5;

/// Marks for each block whether it is main text.
pub(crate) fn mark(blocks: Vec<Block>) -> Vec<(Block, bool)> {
    // A `main` with next to no text is an empty shell or misplaced.
    let main_chars: usize = chars_in(&blocks, Region::Main);
    let neutral_chars: usize = chars_in(&blocks, Region::Neutral);
    let landmarks_decide =
        main_chars > 0 && main_chars * 4 >= neutral_chars && !only_cards(&blocks);
    let marks: Vec<bool> = blocks
        .iter()
        .enumerate()
        .map(|(at, block)| match block.region {
            Region::Boilerplate => false,
            Region::Main => !mostly_links(block),
            Region::Neutral => {
                let opens = || blocks.get(at + 1).is_some_and(|next| opens(block, next));
                !landmarks_decide && (is_dense(block) || opens())
            }
        })
        .collect();
    blocks.into_iter().zip(marks).collect()
}

/// Whether a short text is what a dense one below is about: the name of a card, a question.
fn opens(block: &Block, text: &Block) -> bool {
    let visible = block.text.chars().filter(|c| *c != ' ').count();
    let has_links = block.link_chars * 100 >= visible * FEW_LINKS_PERCENT;
    let is_label = block.form || block.text.ends_with([':', '：', '*']);
    // The title of a card may be its link.
    let short = block.title && !text.form || !has_links && !is_label;
    short && text.region == Region::Neutral && runs(text)
}

fn chars_in(blocks: &[Block], region: Region) -> usize {
    blocks
        .iter()
        .filter(|block| block.region == region)
        .map(|block| block.text.len())
        .sum()
}

/// Whether the landmarks hold only cards (`article`) of a page whose sections are around them. Several headings outside are
/// then higher than every heading inside, or as high and over a text of their own; or there is more running text outside
/// than inside, and a heading over it.
fn only_cards(blocks: &[Block]) -> bool {
    let inside = blocks
        .iter()
        .filter(|block| block.region == Region::Main)
        .filter_map(|block| block.level)
        .min();
    let leads = |at: usize| {
        let next = blocks.get(at + 1);
        next.is_some_and(|next| next.region == Region::Neutral && runs(next))
    };
    let mut sections = 0;
    let mut led = 0;
    for (at, block) in blocks.iter().enumerate() {
        let Some(level) = block.level.filter(|_| block.region == Region::Neutral) else {
            continue;
        };
        led += usize::from(leads(at));
        sections += usize::from(match inside {
            Some(inside) => level < inside || level == inside && leads(at),
            None => leads(at),
        });
    }
    let around = blocks
        .iter()
        .filter(|block| block.region == Region::Neutral && runs(block))
        .map(|block| block.text.len());
    sections >= 2 || led >= 1 && around.sum::<usize>() > chars_in(blocks, Region::Main)
}

/// Whether a block is running text.
fn runs(block: &Block) -> bool {
    !matches!(block.kind, BlockKind::Heading | BlockKind::TableRow) && is_dense(block)
}

fn mostly_links(block: &Block) -> bool {
    let visible = block.text.chars().filter(|c| *c != ' ').count();
    // A heading that is a link is still a heading.
    block.kind != BlockKind::Heading
        && !block.title
        && block.link_chars * 100 >= visible * LINK_PERCENT
}

fn is_dense(block: &Block) -> bool {
    let says_something = match block.kind {
        BlockKind::Heading | BlockKind::Quote | BlockKind::TableRow | BlockKind::Code => true,
        BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Other => {
            block.text.split(' ').count() >= LEAST_WORDS
                // Scripts without spaces: count characters instead.
                || block.text.chars().filter(|c| !c.is_ascii()).count() >= 4 * LEAST_WORDS
        }
    };
    says_something && !mostly_links(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_texts(html: &str) -> Vec<String> {
        mark(gtm_page_text::extract(Some("text/html"), html.as_bytes()).blocks)
            .into_iter()
            .filter(|(_, main)| *main)
            .map(|(block, _)| block.text)
            .collect()
    }

    #[test]
    fn landmarks_decide() {
        let html = "<nav>Home</nav><div>Skip to content now or later on</div><main><h1>We meter</h1><p>Short.\
            <p><a href=/x>Read more</a></main><footer>All rights reserved by the company</footer>";
        assert_eq!(main_texts(html), ["We meter", "Short."]);
    }

    #[test]
    fn density_decides_without_landmarks() {
        let html = "<div><a href=/>Home</a> <a href=/a>About us and our long history</a></div><h1>We meter</h1>\
            <div>We build meters for houses with many flats.</div><div>Menu</div>";
        assert_eq!(
            main_texts(html),
            ["We meter", "We build meters for houses with many flats."]
        );
    }

    #[test]
    fn short_texts_above_dense_ones_are_main() {
        let html = "<div class=bar><a href=/>Home</a> <a href=/stairs>Stairs</a></div><div class=path><a href=/>Home</a> / Stairs</div>\
            <h1>Stairs</h1><h2>Questions</h2><div><span>Is measuring free?</span><p>Yes, we come to you at no charge anywhere.</p></div>\
            <div><span>Cuánto tarda?</span><p>Entre cuatro y seis semanas desde la primera visita.</p></div>\
            <form><div>Your trade: <input></div><div>Tell us in some words what you need from us.</div></form><div>Menu</div>";
        let texts = main_texts(html);
        for text in ["Is measuring free?", "Cuánto tarda?"] {
            assert!(texts.iter().any(|known| known == text), "{texts:?}");
        }
        for text in ["Home Stairs", "Home / Stairs", "Your trade:", "Menu"] {
            assert!(!texts.iter().any(|known| known == text), "{texts:?}");
        }
    }

    #[test]
    fn cards_are_not_the_whole_page() {
        let html = "<h1>Signals that stay green</h1><h2>Our aim</h2><p>That no train waits for a relay.</p><h2>What we do</h2>\
            <article><h3>Repair</h3><p>We mend relays of every make at our works in Ripon.</p></article>\
            <article><h3>Rental</h3><p>We lend you signals.</p></article>";
        assert_eq!(main_texts(html).len(), 8);
        for around in [
            // Sections as high as the cards.
            "<h2>Our aim</h2><p>That no train ever waits for a relay again.</p><article><h2>Rental</h2><p>We lend you signals.</p></article>\
             <h2>Our hall</h2><p>Everything is made in our own hall in Ripon.</p>",
            // Cards without headings.
            "<h2>Our aim</h2><p>That no train ever waits for a relay again.</p><article><p>They mend well.</p></article>\
             <h2>Our hall</h2><p>Everything is made in our own hall in Ripon.</p>",
            // One section that says more than the cards do.
            "<h3>Our aim</h3><p>That no train ever waits for a relay again.</p><p>Everything is made in our own hall in Ripon, where we \
             have cast every part since the hall was built.</p><article><h2>Rental</h2><p>We lend you signals.</p></article>",
        ] {
            let texts = main_texts(around);
            let aim = "That no train ever waits for a relay again.";
            assert!(texts.iter().any(|text| text == aim), "{texts:?}");
        }
        let post = "<div><h2>Acme</h2></div><article><h1>New works</h1><p>We have moved into new works beside the old station.</p></article>\
            <div><h2>About</h2><p>We make signals for lines.</p></div>";
        assert_eq!(main_texts(post).len(), 2);
        let news = "<div><h1>News</h1></div><article><h2>New works</h2><p>We have moved.</p></article><h3>Archive</h3>";
        assert_eq!(main_texts(news), ["New works", "We have moved."]);
    }

    #[test]
    fn an_empty_main_does_not_decide() {
        let html = "<main></main><p>We build meters for houses with many flats.</p>";
        assert_eq!(main_texts(html).len(), 1);
    }
}
