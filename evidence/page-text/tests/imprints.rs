//! Imprints that a page keeps hidden until somebody asks for them.

use gtm_page_text::extract;

fn is_read(body: &str) -> bool {
    let html = format!("<html><body><p>Seen.</p>{body}</body></html>");
    let text = extract(Some("text/html; charset=utf-8"), html.as_bytes());
    text.blocks
        .iter()
        .any(|block| block.text == "Acme GmbH, Ulm")
}

#[test]
fn an_imprint_that_something_opens_is_text() {
    for body in [
        "<a href='#' onclick=\"document.getElementById('impressum').style.display='block'\">Impressum</a><div id=\"impressum\" style=\"display:none\">Acme GmbH, Ulm</div>",
        "<div id=\"modal-imprint\" hidden><p>Acme GmbH, Ulm</p></div><a href=\"#modal-imprint\">Imprint</a>",
        "<a data-target='#mentions-legales'>x</a><dialog id='mentions-legales'><p>Acme GmbH, Ulm</p></dialog>",
    ] {
        assert!(is_read(body), "{body}");
    }
}

#[test]
fn what_nothing_opens_and_what_is_no_imprint_stays_hidden() {
    for body in [
        "<div id='impressum' class='impressum' style='display:none'>Acme GmbH, Ulm</div>",
        "<div id='impressum' hidden>Acme GmbH, Ulm</div><p title=''>see 'impressum' there</p>",
        "<div id=\"impressum\" style=\"display:none\">Acme GmbH, Ulm</div>",
        "<div id='note' hidden>Acme GmbH, Ulm</div><a href='#note'>Note</a>",
        "<style>#impressum{display:none}</style><div id=\"impressum\" hidden>Acme GmbH, Ulm</div>",
        "<div hidden><div id='impressum' hidden>Acme GmbH, Ulm</div></div><a href='#impressum'>x</a>",
        "<a href='#impressum'>x</a><div id='impressum' hidden><p hidden>Acme GmbH, Ulm</p></div>",
    ] {
        assert!(!is_read(body), "{body}");
    }
}
