//! The blocks of visible text of an HTML document.

use super::cards::{Path, Spot, mark_titles};
use super::elements::{heading_level, is_block};
use super::gaps::{Edge, Inline};
use super::lines::{LINE_BREAK, pieces};
use super::scan::{Element, Place, Visitor, scan};
use crate::{Block, BlockKind, Region};

pub(crate) fn blocks(html: &str) -> Vec<Block> {
    let mut builder = Builder::default();
    scan(html, &mut builder);
    builder.finish()
}

#[derive(Clone, Copy)]
struct Kind {
    kind: BlockKind,
    level: Option<u8>,
    /// Whether it is a paragraph inside of something else.
    paragraph: bool,
}

/// Builds the blocks during a scan of the page.
#[derive(Default)]
pub(super) struct Builder {
    blocks: Vec<Block>,
    /// Open elements that determine the kind of the text inside them, innermost last.
    kinds: Vec<(String, Kind)>,
    run: String,
    /// Whether anything in the run is visible. Kept, because a page may have a run of megabytes of blanks.
    has_ink: bool,
    link_chars: usize,
    region: Region,
    preformatted: bool,
    /// Inline elements that ended and began since the last text.
    edge: Edge,
    /// Cells so far of the table row at hand.
    cells: usize,
    /// Open elements whose text is an address in disguise, which was decoded instead.
    disguised: usize,
    /// All open elements.
    path: Path,
    /// Where the run began, and the same for each block.
    spot: Spot,
    spots: Vec<Spot>,
    /// Open forms, and whether the run began in one.
    forms: usize,
    in_form: bool,
    /// Whether the next text is that of a button to choose with.
    choice: bool,
}

impl Visitor for Builder {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        let name = element.name;
        if element.has_end {
            self.path.start(element);
            self.forms += usize::from(name == "form");
        }
        if self.disguised > 0 {
            self.disguised += usize::from(element.has_end);
            return;
        }
        let address = element.attribute("data-cfemail").and_then(undisguised);
        if let Some(address) = address.filter(|_| !place.hidden) {
            self.run.push_str(&address);
            self.has_ink = true;
            self.disguised = usize::from(element.has_end);
            return;
        }
        if let Some(inline) = Inline::of(name) {
            self.edge.start = Inline::outer(self.edge.start, inline);
        }
        if name == "br" && !place.hidden {
            self.run.push(LINE_BREAK);
        } else if matches!(name, "td" | "th" | "button" | "option" | "input" | "img") {
            if name == "input" && chooses(element) {
                // What one can choose from stands apart, however the page sets it.
                self.flush();
                self.choice = true;
            }
            self.run.push(' ');
        }
        if is_block(name) {
            self.flush();
        }
        match name {
            "tr" => self.cells = 0,
            "td" | "th" => self.cells += 1,
            _ => {}
        }
        if let Some(kind) = self.kind_inside(name) {
            self.kinds.push((name.to_owned(), kind));
        }
    }

    fn end(&mut self, name: &str, _place: &Place) {
        self.path.end();
        self.forms -= usize::from(name == "form");
        if self.disguised > 0 {
            self.disguised -= 1;
            return;
        }
        if let Some(inline) = Inline::of(name) {
            self.edge = Edge {
                end: Inline::outer(self.edge.end, inline),
                start: None,
            };
        }
        if is_block(name) {
            self.flush();
        } else if matches!(name, "td" | "th" | "button") {
            self.run.push(' ');
        }
        if self.kinds.last().is_some_and(|(open, _)| open == name) {
            self.kinds.pop();
        }
    }

    fn text(&mut self, text: &str, place: &Place) {
        if place.hidden || self.disguised > 0 {
            return;
        }
        if std::mem::take(&mut self.edge).is_gap(&self.run, text) {
            self.run.push(' ');
        }
        if !self.has_ink {
            self.spot = self.path.spot();
            self.in_form = self.forms > 0 || self.choice;
            self.region = place.region;
            self.preformatted = place.preformatted;
        }
        if place.in_link {
            self.link_chars += text.chars().filter(|c| !c.is_whitespace()).count();
        }
        self.run.push_str(text);
        self.has_ink |= !text.trim_start().is_empty();
    }
}

impl Builder {
    /// Returns the blocks after the end of the page.
    pub(super) fn finish(mut self) -> Vec<Block> {
        self.flush();
        // Some systems put the whole page into one form.
        let chars = |inside: bool| -> usize {
            let of_kind = self.blocks.iter().filter(|block| block.form == inside);
            of_kind.map(|block| block.text.len()).sum()
        };
        if chars(true) > chars(false) && self.blocks.iter().any(|b| b.form && b.level == Some(1)) {
            self.blocks.iter_mut().for_each(|block| block.form = false);
        }
        mark_titles(&mut self.blocks, &self.spots);
        self.blocks
    }

    fn kind_inside(&self, name: &str) -> Option<Kind> {
        let outer = self.kinds.last().map(|(_, kind)| kind.kind);
        let kind = match name {
            "li" | "dt" | "dd" => BlockKind::ListItem,
            "blockquote" => BlockKind::Quote,
            "tr" => BlockKind::TableRow,
            "pre" => BlockKind::Code,
            // A paragraph inside a list item, quotation or table row takes the kind of that.
            "p" => match outer {
                Some(kind @ (BlockKind::ListItem | BlockKind::Quote | BlockKind::TableRow)) => kind,
                _ => BlockKind::Paragraph,
            },
            _ => heading_level(name).map(|_| BlockKind::Heading)?,
        };
        Some(Kind {
            kind,
            level: heading_level(name),
            paragraph: name == "p",
        })
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.choice &= !std::mem::take(&mut self.has_ink);
        let link_chars = std::mem::take(&mut self.link_chars);
        let Kind {
            kind,
            level,
            paragraph,
        } = self.kinds.last().map_or(
            Kind {
                kind: BlockKind::Other,
                level: None,
                paragraph: false,
            },
            |(_, kind)| *kind,
        );
        let total = run.chars().filter(|c| !c.is_whitespace()).count();
        // Old pages lay out their text with tables.
        let laid_out = kind == BlockKind::TableRow && (paragraph || self.cells == 1);
        for piece in pieces(&run, self.preformatted) {
            let kind = match kind {
                BlockKind::TableRow if laid_out && is_prose(&piece) => BlockKind::Paragraph,
                kind => kind,
            };
            if let Some(block) = Block::new(kind, &piece) {
                let visible = block.text.chars().filter(|c| *c != ' ').count();
                self.spots.push(self.spot.clone());
                self.blocks.push(Block {
                    level,
                    form: self.in_form,
                    region: self.region,
                    // Links are counted over the whole run; its pieces share the count in proportion to their
                    // length.
                    link_chars: share(link_chars, visible, total),
                    ..block
                });
            }
        }
    }
}

/// Whether an input is a button of which a reader chooses one.
fn chooses(input: &Element<'_>) -> bool {
    let kind = input.attribute("type").map(str::trim);
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("radio"))
}

/// The part of a whole's count. In 64 bits: a plug-in's product of two lengths would not fit its 32.
fn share(count: usize, part: usize, whole: usize) -> usize {
    let product = (count as u64).saturating_mul(part as u64);
    let share = product.checked_div(whole as u64).unwrap_or(0);
    usize::try_from(share).unwrap_or(count)
}

/// The e-mail address in Cloudflare's `data-cfemail`: hexadecimal bytes, of which the first masks the others.
fn undisguised(code: &str) -> Option<String> {
    let digits: Vec<u8> = code
        .trim()
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let mut bytes = digits.chunks_exact(2).map(|pair| match pair {
        [high, low] => high << 4 | low,
        _ => 0,
    });
    let mask = bytes.next()?;
    let address = String::from_utf8(bytes.map(|byte| byte ^ mask).collect()).ok()?;
    address.contains('@').then_some(address)
}

/// Whether a text is a sentence or several, not an entry of a table.
fn is_prose(text: &str) -> bool {
    let text = text.trim();
    let words = text.split_whitespace().count();
    let joined = text
        .chars()
        .filter(|c| matches!(c, '\u{3040}'..='\u{9fff}'))
        .count();
    text.ends_with(['.', '!', '。', '！']) && (words >= 10 || joined >= 25)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(html: &str) -> Vec<String> {
        blocks(html).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn neighbours_are_not_glued_and_words_not_cut() {
        for (html, text) in [
            (
                "<p><span>Alle Rechte vorbehalten.</span><a href=i>Impressum</a><a href=d>Datenschutz</a><a href=a>AGB</a></p>",
                "Alle Rechte vorbehalten. Impressum Datenschutz AGB",
            ),
            (
                "<div>© Acme Ltd.<a href=i>Imprint</a></div>",
                "© Acme Ltd. Imprint",
            ),
            (
                "<div><span>150+</span><span>Kunden</span></div>",
                "150+ Kunden",
            ),
            (
                "<div><span>Mehr</span><span>Erfahren</span></div>",
                "Mehr Erfahren",
            ),
            (
                "<a href=s>採用情報</a><a href=c>会社概要</a>",
                "採用情報 会社概要",
            ),
            // One word in pieces stays one.
            (
                "<p><b>W</b>illkommen bei <span>my</span>System, <span>H</span><span>a</span><span>l</span>lo",
                "Willkommen bei mySystem, Hallo",
            ),
            (
                "<p>See <a href=x>this</a>, <a href=y>that</a>.</p>",
                "See this, that.",
            ),
            (
                "<p>H<sub>2</sub>O, 1<sup>er</sup>, 4<span>K</span>",
                "H2O, 1er, 4K",
            ),
        ] {
            assert_eq!(texts(html), [text], "{html}");
        }
    }

    #[test]
    fn addresses_in_disguise_are_read() {
        // The mask is 0x42.
        let code: String = std::iter::once(0x42u8)
            .chain("info@acme.example".bytes().map(|byte| byte ^ 0x42))
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let html = format!(
            "<p>Mail: <a href=/cdn-cgi/l/email-protection class=__cf_email__ data-cfemail={code}><span>[email&#160;protected]</span></a> or call.</p>\
             <p><span data-cfemail=zz>shown</span></p>"
        );
        assert_eq!(texts(&html), ["Mail: info@acme.example or call.", "shown"]);
    }

    #[test]
    fn blocks_come_in_order_with_their_kinds() {
        let html = "<!DOCTYPE html><html><head><title>No</title></head><body><h2>Head <b>ing</b></h2>\
            <p>One<p>Two<ul><li>Item<li><p>Other</p></ul><blockquote>Said</blockquote>\
            <table><tr><th>A<td>B</table><pre>x = 1\n  y</pre><div>Loose</div></body></html>";
        let found: Vec<_> = blocks(html)
            .into_iter()
            .map(|b| (b.kind.as_str(), b.level, b.text))
            .collect();
        let expected = [
            ("heading", Some(2), "Head ing"),
            ("paragraph", None, "One"),
            ("paragraph", None, "Two"),
            ("list_item", None, "Item"),
            ("list_item", None, "Other"),
            ("quote", None, "Said"),
            ("table_row", None, "A B"),
            ("code", None, "x = 1"),
            ("code", None, "y"),
            ("other", None, "Loose"),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(kind, level, text)| (kind, level, text.to_owned()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn prose_in_a_layout_table_is_no_row() {
        let sentence = "Quality comes before cost, and every one of us answers for it.";
        let html = format!(
            "<table><tr><td><p>{sentence}</p></td></tr><tr><td>{sentence}</td></tr>\
             <tr><th>Quality<td>{sentence}</tr><tr><td>Leeds, England.</td></tr></table>"
        );
        let kinds: Vec<_> = blocks(&html).into_iter().map(|block| block.kind).collect();
        let (prose, row) = (BlockKind::Paragraph, BlockKind::TableRow);
        assert_eq!(kinds, [prose, prose, row, row]);
    }

    #[test]
    fn what_readers_choose_from_is_a_form() {
        let html = "<h3>Stairs</h3><label><input type=radio name=kind> <b>Oak</b></label>\
            <input type=RADIO id=a><label for=a><div>Ash</div></label><p>Doors</p>\
            <form><label><input type=checkbox>Beech</label></form><label>Elm</label>";
        let found: Vec<_> = blocks(html)
            .into_iter()
            .map(|block| (block.text, block.form))
            .collect();
        let expected = [
            ("Stairs", false),
            ("Oak", true),
            ("Ash", true),
            ("Doors", false),
            ("Beech", true),
            ("Elm", false),
        ];
        let expected: Vec<_> = expected.map(|(text, form)| (text.to_owned(), form)).into();
        assert_eq!(found, expected);
    }

    #[test]
    fn hidden_text_is_not_text() {
        for html in [
            "<script>no</script>yes",
            "<style>no</style>yes",
            "<template><p>no</p></template>yes",
            "<noscript>no</noscript>yes",
            "<div hidden>no<p>no</div>yes",
            "<p hidden>no<p>yes",
            "<span aria-hidden=TRUE>no</span>yes",
            "<div style='color:red; DISPLAY : none !important'>no</div>yes",
            "<div hidden><span>no</div></span>yes",
            "<head><title>no</title></head>yes",
            "<head><title>no</title>yes",
            "<svg><title>no</title><path d='x'/><text>no</text></svg>yes",
            "<!-- no --><select><option>no</select>yes",
            "<svg class='icon'/>yes",
            "<dialog>no</dialog>yes",
            "<iframe>no</iframe><textarea>no</textarea>yes",
        ] {
            assert_eq!(texts(html), ["yes"], "{html}");
        }
    }

    #[test]
    fn a_body_hidden_until_scripts_run_is_read() {
        assert_eq!(
            texts("<html hidden><body style='display:none'><p>yes"),
            ["yes"]
        );
    }

    /// A footer's links are set apart by style alone.
    #[test]
    fn a_link_that_begins_with_a_capital_is_a_word_of_its_own() {
        for (html, text) in [
            (
                "<p>Licensed by Elmham Council<span><a href=t>Terms</a><a href=p>Privacy</a></span></p>",
                "Licensed by Elmham Council Terms Privacy",
            ),
            (
                "<p>Alle Rechte vorbehalten<a href=i>Impressum</a></p>",
                "Alle Rechte vorbehalten Impressum",
            ),
            (
                "<p>my<a href=s>s</a>ite and ACME<a href=x>Ltd</a></p>",
                "mysite and ACMELtd",
            ),
        ] {
            assert_eq!(texts(html), [text], "{html}");
        }
    }

    #[test]
    fn line_breaks_are_spaces_and_two_divide() {
        assert_eq!(
            texts("<p>Road 1<br>Town<br> <br/>Phone</p>"),
            ["Road 1 Town", "Phone"]
        );
    }

    #[test]
    fn references_are_resolved() {
        assert_eq!(
            texts("<p>A&amp;B &uuml;&#x41;&nbsp;&zzz;"),
            ["A&B üA &zzz;"]
        );
    }

    #[test]
    fn regions_and_links_are_known() {
        let html = "<header><a href=/>Home</a></header><main><p>Text <a href=x>link</a></p><aside>Side</aside></main>\
            <article><header>By us</header></article><footer>Foot</footer><div class='cookie-banner'>C</div><p>Free</p>";
        let found: Vec<_> = blocks(html)
            .into_iter()
            .map(|b| (b.text, b.region, b.link_chars))
            .collect();
        let expected = [
            ("Home", Region::Boilerplate, 4),
            ("Text link", Region::Main, 4),
            ("Side", Region::Boilerplate, 0),
            ("By us", Region::Main, 0),
            ("Foot", Region::Boilerplate, 0),
            ("C", Region::Boilerplate, 0),
            ("Free", Region::Neutral, 0),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(text, region, links)| (text.to_owned(), region, links))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_too_deep_to_follow_is_still_hidden() {
        let html = format!(
            "{}a<script>no</script><i hidden>no</i>b",
            "<div>".repeat(400)
        );
        assert_eq!(texts(&html), ["ab"]);
    }

    #[test]
    fn misnested_tables_keep_their_rows() {
        let html = "<table><tr><td>a</div></p></table></td><tr><td>b</table><p>after";
        assert_eq!(texts(html), ["a", "b", "after"]);
    }
}
