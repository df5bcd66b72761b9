//! A brief that is an HTML document: its headings, paragraphs, lists, tables, quotations and emphasis as Markdown, read by the
//! scanner that reads web pages. What a browser hides or strikes out is no part of it.
//!
//! Markdown with a few tags in it is none (`html`).

use gtm_page_text::html::{Element, Hiding, Place, Sheets, Visitor, scan};

use super::html_tables::Table;
use super::line_kinds;

/// Fewest elements of a document that make a brief one, and fewest signs of its beginning that tell.
const FEWEST_ELEMENTS: usize = 2;
/// How a whole document begins.
const DOCTYPE: &str = "<!doctype";
/// Elements that stand on lines of their own.
const BLOCKS: [&str; 21] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "main",
    "nav",
    "p",
    "pre",
    "section",
];
/// Elements that strike out what stands in them.
const STRUCK: [&str; 3] = ["del", "s", "strike"];

/// The document as Markdown, if a text is an HTML document: it begins with a tag, and has elements that only one has.
pub fn as_markdown(text: &str) -> Option<String> {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if !begin.starts_with('<') {
        return None;
    }
    let mut found = Found::default();
    scan(begin, &mut found);
    let is_whole = found.is_document
        || begin
            .get(..DOCTYPE.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(DOCTYPE));
    let is_one = is_whole || (found.parts >= FEWEST_ELEMENTS && !has_markdown(begin));
    is_one.then(|| {
        let mut writer = Writer {
            hiding: Hiding::by(&found.sheets),
            ..Writer::default()
        };
        scan(begin, &mut writer);
        writer.close_table();
        writer.out
    })
}

/// Whether a line begins as headings and items of Markdown do.
fn has_markdown(text: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| {
        (line.starts_with('#') && line_kinds::is_heading(line))
            || line_kinds::item_of(line).is_some()
    })
}

#[derive(Default)]
struct Found {
    parts: usize,
    is_document: bool,
    sheets: Sheets,
}

impl Visitor for Found {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        self.sheets.start(element, place);
        self.is_document |= matches!(element.name, "html" | "body");
        let is_part = matches!(
            element.name,
            "p" | "li" | "tr" | "section" | "article" | "div"
        );
        self.parts += usize::from(is_part || heading_level(element.name).is_some());
    }
    fn end(&mut self, name: &str, place: &Place) {
        self.sheets.end(name, place);
    }
    fn text(&mut self, text: &str, place: &Place) {
        self.sheets.text(text, place);
    }
}

/// Writes Markdown while a document is scanned.
#[derive(Default)]
struct Writer {
    hiding: Hiding,
    out: String,
    line: String,
    /// What stands before the line: `## `, `- `.
    mark: String,
    /// For each open list, the number of its next item; none for bullets.
    lists: Vec<Option<usize>>,
    quotes: usize,
    struck: usize,
    /// Open elements that make text bold, over the ends of lines too.
    bold: usize,
    /// Whether bold text of the line is to be ended.
    is_bold: bool,
    table: Table,
}

impl Writer {
    /// Whether an element that begins is left out with all that stands in it. A cell stays, without its text: without it, those
    /// behind it would stand below other heads.
    fn begins_left_out(&mut self, element: &Element<'_>) -> bool {
        let is_within = self.hiding.is_left_out();
        self.hiding.start(element) && (is_within || !is_cell(element.name))
    }

    /// Whether an element that ends was left out.
    fn ends_left_out(&mut self, name: &str) -> bool {
        let was_left_out = self.hiding.is_left_out();
        self.hiding.end();
        was_left_out && (self.hiding.is_left_out() || !is_cell(name))
    }

    /// Ends the line as a paragraph of its own.
    fn close_line(&mut self) {
        self.end_bold();
        let said = self.line.split_whitespace().collect::<Vec<_>>().join(" ");
        self.line.clear();
        if said.is_empty() {
            return;
        }
        if self.table.has_open_row() {
            // No item goes on behind a table that stands in it.
            self.mark.clear();
            self.table.say(&said);
            return;
        }
        let mark = std::mem::take(&mut self.mark);
        let is_item = mark
            .trim_start()
            .starts_with(['-', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        if !is_item || self.lists.is_empty() {
            self.out.push('\n');
        }
        let quote = if self.quotes > 0 { "> " } else { "" };
        self.out.push_str(&format!("{quote}{mark}{said}\n"));
    }

    /// Ends bold text of the line. Markdown ends none behind a blank.
    fn end_bold(&mut self) {
        if !std::mem::take(&mut self.is_bold) {
            return;
        }
        let bare = self.line.trim_end().len();
        let blank = self.line.len() > bare;
        self.line.truncate(bare);
        self.line.push_str("**");
        if blank {
            self.line.push(' ');
        }
    }

    fn begin_block(&mut self) {
        self.close_line();
    }

    /// Ends the table at hand, or what there is of it where another one begins in it.
    fn close_table(&mut self) {
        self.close_line();
        let table = self.table.as_markdown();
        self.out.push_str(&table);
    }
}

impl Visitor for Writer {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        let name = element.name;
        if self.begins_left_out(element) || place.hidden {
            return;
        }
        match name {
            "br" if self.table.has_open_row() => self.line.push(' '),
            "br" => {
                let said = self.line.trim_end().to_owned();
                let (mark, is_item) = (self.mark.clone(), !self.lists.is_empty());
                self.close_line();
                // The next line of an item belongs to it.
                if is_item && !said.is_empty() && !mark.is_empty() {
                    self.mark = " ".repeat(mark.chars().count());
                }
            }
            "hr" => {
                self.close_line();
                self.out.push_str("\n---\n");
            }
            "ul" | "menu" => {
                self.close_line();
                self.lists.push(None);
            }
            "ol" => {
                self.close_line();
                self.lists.push(Some(1));
            }
            "li" => {
                self.close_line();
                let indent = "   ".repeat(self.lists.len().saturating_sub(1));
                self.mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{indent}{number}. ");
                        *number += 1;
                        mark
                    }
                    _ => format!("{indent}- "),
                };
            }
            "table" => self.close_table(),
            "tr" => {
                self.close_line();
                self.table.begin_row();
            }
            "td" | "th" => {
                self.close_line();
                self.table.begin_cell(element);
            }
            "blockquote" => {
                self.close_line();
                self.quotes += 1;
            }
            "b" | "strong" => self.bold += usize::from(element.has_end),
            _ if STRUCK.contains(&name) => self.struck += usize::from(element.has_end),
            _ => {
                if let Some(level) = heading_level(name) {
                    self.begin_block();
                    self.mark = format!("{} ", "#".repeat(level));
                } else if BLOCKS.contains(&name) {
                    self.begin_block();
                }
            }
        }
    }

    fn end(&mut self, name: &str, place: &Place) {
        if self.ends_left_out(name) || place.hidden {
            return;
        }
        match name {
            "ul" | "ol" | "menu" => {
                self.close_line();
                self.mark.clear();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.out.push('\n');
                }
            }
            "td" | "th" => self.close_line(),
            "li" => {
                self.close_line();
                self.mark.clear();
            }
            "tr" => {
                self.close_line();
                self.table.end_row();
            }
            "table" => {
                self.close_table();
                self.out.push('\n');
            }
            "blockquote" => {
                self.close_line();
                self.quotes = self.quotes.saturating_sub(1);
            }
            "b" | "strong" => {
                self.bold = self.bold.saturating_sub(1);
                if self.bold == 0 {
                    self.end_bold();
                }
            }
            _ if STRUCK.contains(&name) => self.struck = self.struck.saturating_sub(1),
            _ => {
                if heading_level(name).is_some() || BLOCKS.contains(&name) {
                    self.close_line();
                    self.mark.clear();
                }
            }
        }
    }

    fn text(&mut self, text: &str, place: &Place) {
        if place.hidden || self.struck > 0 || self.hiding.hides(text) {
            return;
        }
        let begins_bold = self.bold > 0 && !self.is_bold && !text.trim().is_empty();
        let text = match begins_bold {
            // Nor does it begin before one.
            true => {
                if text.starts_with(char::is_whitespace) {
                    self.line.push(' ');
                }
                self.line.push_str("**");
                self.is_bold = true;
                text.trim_start()
            }
            false => text,
        };
        for c in text.chars() {
            match c {
                // A line must not become what Markdown makes of its first sign.
                '<' | '*' | '_' | '`' => {
                    self.line.push('\\');
                    self.line.push(c);
                }
                '#' | '>' if self.line.trim().is_empty() => {
                    self.line.push('\\');
                    self.line.push(c);
                }
                c if c.is_whitespace() && c != '\u{a0}' => self.line.push(' '),
                c => self.line.push(c),
            }
        }
    }
}

fn is_cell(name: &str) -> bool {
    matches!(name, "td" | "th")
}

fn heading_level(name: &str) -> Option<usize> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(usize::from(level - b'0')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn a_document_is_read_with_its_parts() {
        for (language, html, expected) in [
            (
                "en",
                "<html><head><title>Offer</title><style>p{}</style></head><body><h1>Gates for&nbsp;Vela</h1><h2>What changes</h2>\
                 <ul><li>Noise falls from 62&nbsp;dB to 51&nbsp;dB</li><li>Power falls by 18 %</li></ul><table><tr><th>Item</th>\
                 <th>Price</th></tr><tr><td>Gate</td><td>&pound;450</td></tr></table><p style=\"display:none\">margin 40</p>\
                 <!-- 41 --><p>Valid <b>until </b>May.<script>x</script></p></body></html>",
                "Gates for Vela\nWhat changes\nNoise falls from 62 dB to 51 dB\nPower falls by 18 %\nItem\nPrice\nGate\n£450\n\
                 Valid until May.\n",
            ),
            (
                "de",
                "<h1>Tore für Vela</h1>\n<h2>Ablauf</h2><ol><li>Messen</li><li>Bauen: 4 Tage</li></ol><p>Wir kommen <del>40</del> \
                 zweimal.</p><blockquote>Es läuft.</blockquote>",
                "Tore für Vela\nAblauf\nMessen\nBauen: 4 Tage\nWir kommen zweimal.\nEs läuft.\n",
            ),
        ] {
            let markdown = as_markdown(html);
            assert!(markdown.is_some());
            let said = Brief::read(html, language).text().replace('\u{a0}', " ");
            assert_eq!(said, expected, "{markdown:?}");
        }
        for markdown in [
            "<b>Gates</b> for Vela\n\n## A",
            "# Gates\n<p>A</p>",
            "<https://a.example/>",
            "<p>Gates</p>\n<p>for Vela</p>\n\n## A\n\n- 40 leak",
        ] {
            assert!(as_markdown(markdown).is_none(), "{markdown}");
        }
    }

    #[test]
    fn bold_text_goes_on_over_lines_and_ends_in_each() {
        for (html, expected) in [
            (
                "<body><b><p>Vela has</p><p>40 gates.</p></b><p>They leak.</p></body>",
                "\n**Vela has**\n\n**40 gates.**\n\nThey leak.\n",
            ),
            (
                "<body><p><b>Vela has<br>40 gates </b>and<strong> two</strong> doors.<b></b></p></body>",
                "\n**Vela has**\n\n**40 gates** and **two** doors.\n",
            ),
            (
                "<body><ul><b><li>40 gates</li><li>2 doors</li></b></ul></body>",
                "- **40 gates**\n- **2 doors**\n\n",
            ),
        ] {
            let markdown = as_markdown(html);
            assert_eq!(markdown.as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_cell_that_is_struck_out_keeps_its_column() {
        let html = "<body><table><tr><th>Item<th>Now<th>Next</tr>\
            <tr><td>Gate<td style='text-decoration:line-through'>40<td>38</tr></table></body>";
        let markdown = as_markdown(html).unwrap_or_default();
        assert!(markdown.contains("| Gate |  | 38 |"), "{markdown}");
    }

    #[test]
    fn what_a_browser_hides_is_no_text() {
        for hidden in [
            "<p hidden>Anna pays 40</p>",
            "<p style=\"visibility: hidden\">Anna pays 40</p>",
            "<p><span style=\"color:#ffffff\">Anna pays 40</span></p>",
            "<div style=\"display:none\"><p>Anna</p><p>pays 40</p></div>",
            "<p><del>Anna pays 40</del></p>",
            "<!-- Anna pays 40 -->",
            "<script>Anna(40)</script>",
            "<template><p>Anna pays 40</p></template>",
            "<p style=\"text-decoration:line-through\">Anna <b>pays</b> 40</p>",
            "<p class=c5>Anna pays 40</p>",
            "<p><span class=MsoCommentReference>Anna pays 40</span></p>",
            "<div popover>Anna pays 40</div>",
        ] {
            let style = "<head><style>.c5 { mso-hide: all }</style></head>";
            let html =
                format!("{style}<body><p>Vela has gates.</p>{hidden}<p>They leak.</p></body>");
            let markdown = as_markdown(&html).unwrap_or_default();
            assert!(
                !markdown.contains("Anna") && !markdown.contains("40"),
                "{markdown}"
            );
            assert!(
                markdown.contains("Vela has gates.") && markdown.contains("They leak."),
                "{markdown}"
            );
        }
    }

    #[test]
    fn the_mark_of_an_item_ends_with_its_list() {
        for html in [
            "<body><ul><li>A</li><li></li></ul>Vela has 40 gates.</body>",
            "<body><ul><li><table><tr><td>A</td></tr></table></li></ul>Vela has 40 gates.</body>",
        ] {
            let markdown = as_markdown(html).unwrap_or_default();
            assert!(markdown.contains("\nVela has 40 gates."), "{markdown}");
        }
    }
}
