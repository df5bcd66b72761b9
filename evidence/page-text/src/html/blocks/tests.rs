//! Texts of elements as blocks.

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

#[test]
fn headers_of_sections_hold_their_titles() {
    let region = |html: &str| blocks(html).pop().map(|block| block.region);
    let page = "<header><a href=/>Acme</a></header>";
    let title =
        "<section><div><header class=section-header><h2>Our pledges</h2></header></div></section>";
    assert_eq!(region(&format!("{page}{title}")), Some(Region::Neutral));
    // The first header is the page's own, whatever stands around it.
    assert_eq!(region(title), Some(Region::Boilerplate));
    assert_eq!(
        region(&format!("{page}<header><p>We are open</p></header>")),
        Some(Region::Boilerplate)
    );
}
