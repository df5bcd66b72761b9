//! Tests of what styles hide.

use super::super::scan;
use super::*;

struct Kept {
    hiding: Hiding,
    /// The id of the paragraph at hand.
    id: String,
    kept: Vec<String>,
}

impl Visitor for Kept {
    fn start(&mut self, element: &Element<'_>, _: &Place) {
        self.hiding.start(element);
        if element.name == "p" {
            self.id = element.attribute("id").unwrap_or_default().to_owned();
        }
    }
    fn end(&mut self, _: &str, _: &Place) {
        self.hiding.end();
    }
    fn text(&mut self, text: &str, place: &Place) {
        let is_hidden = self.hiding.hides(text) || place.hidden;
        if !is_hidden && text.contains(char::is_alphanumeric) {
            self.kept.push(self.id.clone());
        }
    }
}

fn kept(html: &str) -> Vec<String> {
    let mut sheets = Sheets::default();
    scan(html, &mut sheets);
    let mut kept = Kept {
        hiding: Hiding::by(&sheets),
        id: String::new(),
        kept: Vec::new(),
    };
    scan(html, &mut kept);
    kept.kept
}

#[test]
fn what_a_style_hides_or_strikes_out_is_left_out() {
    for style in [
        "display:none",
        "display:/**/none",
        "d\\isplay:none",
        "display:\\6eone",
        "DISPLAY : NONE !important",
        "visibility:hidden",
        "text-decoration:line-through",
        "text-decoration: underline line-through red",
        "text-decoration-line:line-through",
        "mso-hide:all",
        "font-size:0",
        "font-size:0px",
        "opacity:0",
        "opacity:0%",
        "color:transparent",
        "color:#fff",
        "color: WHITE",
        "color:rgb(255, 255, 255)",
        "color:#336699;background-color:#369",
        "position:absolute;left:-9999px",
        "text-indent:-9999px",
        "height:0;overflow:hidden",
        "overflow:hidden;max-height:0px",
        "transform:scale(0)",
        "color:red;;display:none",
    ] {
        let own = format!("<body><p id=a style=\"{style}\">40</p><p id=b>2</p></body>");
        let by_class = format!(
            "<head><style>p.c5, .x{{{style}}}</style></head><body><p id=a class=\"c1 c5\">40</p><p id=b class=c1>2</p></body>"
        );
        assert_eq!(kept(&own), ["b"], "{style}");
        assert_eq!(kept(&by_class), ["b"], "{style}");
    }
}

#[test]
fn what_a_style_shows_stays() {
    for style in [
        "display:block",
        "opacity:0.5",
        "font-size:10pt",
        "text-decoration:underline",
        "color:#fff;background:#000",
        "left:-10px",
        "height:0",
        "overflow:hidden",
        "transform:scale(1.1)",
        "display:none;display:block",
        "--display:none",
        "",
    ] {
        let html = format!("<body><p id=a style=\"{style}\">40</p></body>");
        assert_eq!(kept(&html), ["a"], "{style}");
    }
}

#[test]
fn sheets_are_read_by_the_last_part_of_a_selector_and_by_weight() {
    let html = "<style>
        @media print { .print { display: none } }
        @media screen { .screen { display: none } }
        .note { display: none } p.shown { display: block }
        #gone, .draft .secret { display:none }
        p:hover { display: none }
        @font-face { font-family: x }
    </style><body>
        <p id=a class=print>1</p><p id=b class=screen>2</p><p id=c class='note shown'>3</p>
        <p id=gone>4</p><p id=d class=secret>5</p><p id=e>6</p><p id=f class=note>7</p>
    </body>";
    assert_eq!(kept(html), ["a", "c", "e"]);
}

#[test]
fn a_sheet_without_end_is_read_as_far_as_it_goes() {
    let deep = "a(".repeat(20_000);
    let html = format!(
        "<style>.x{{display:none}} .y{{width:{deep}</style><body><p id=a class=x>1</p><p id=b>2</p>"
    );
    assert_eq!(kept(&html), ["b"]);
}

#[test]
fn white_text_is_hidden_where_nothing_around_it_is_painted() {
    for (html, ids) in [
        (
            "<p id=a><font color=white>1</font></p><p id=b>2</p>",
            vec!["b"],
        ),
        (
            "<div style='color:#fff'><p id=a>1</p><p id=b style='color:#000'>2</p></div>",
            vec!["b"],
        ),
        (
            "<div style='background:#036;color:#fff'><p id=a>1</p></div>",
            vec!["a"],
        ),
        (
            "<table><tr bgcolor=navy><td><p id=a style='color:white'>1</p></table>",
            vec!["a"],
        ),
        (
            "<body bgcolor=black><p id=a style='color:white'>1</p>",
            vec!["a"],
        ),
        (
            "<div style='background:none'><p id=a style='color:white'>1</p></div>",
            vec![],
        ),
    ] {
        assert_eq!(kept(html), ids, "{html}");
    }
}

#[test]
fn a_document_is_read_without_what_its_styles_hide() {
    let html = b"<html><head><style>.x{display:none}</style></head><body><p>Rooms.</p><p class=x>Floor 40.</p>\
        <p>Halls <span style='color:#fff'>at 41</span> too.</p></body></html>";
    let (text, hidden) = crate::extract_document(Some("text/html"), html);
    assert_eq!((text.text().as_str(), hidden), ("Rooms.\nHalls too.", 2));
    let all = crate::extract(Some("text/html"), html);
    assert_eq!(all.text(), "Rooms.\nFloor 40.\nHalls at 41 too.");
    // A script may open what a sheet hides.
    let html = b"<style>.x{display:none}</style><script src=a.js></script><p>Rooms.</p><p class=x>Floor 40.</p>";
    let (text, hidden) = crate::extract_document(Some("text/html"), html);
    assert_eq!((text.text().as_str(), hidden), ("Rooms.\nFloor 40.", 0));
}
