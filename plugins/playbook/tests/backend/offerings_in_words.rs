//! What a company sells, where only a sentence, a few words of a heading or bold type tell it.

use crate::offerings::{cards, sold};

#[test]
fn a_sentence_tells_what_is_sold_where_nothing_else_does() {
    let nav = "<a href=/about>About us</a>";
    let home = "<h1>Acme</h1><p>We supply ropes, steel nets and sails to ports in the north.</p>";
    assert_eq!(
        sold("en", nav, &[("/", home), ("/about", "<h1>About us</h1>")]),
        ["ropes", "steel nets", "sails"]
    );
    let listed = format!(
        "{home}<h2>Our products</h2>{}",
        cards(3, &["Ropes", "Nets"])
    );
    assert_eq!(
        sold(
            "en",
            nav,
            &[("/", &listed), ("/about", "<h1>About us</h1>")]
        ),
        ["Ropes", "Nets"]
    );
    let others = "<h1>Acme</h1><p>We offer quality, honesty and fair prices to all.</p>";
    assert!(sold("en", nav, &[("/", others)]).is_empty());
}

#[test]
fn headings_that_only_say_what_a_company_does_announce_its_offer() {
    for (language, heading) in [
        ("en", "What we offer"),
        ("en", "Our product range"),
        ("de", "Was wir für Sie tun"),
        ("de", "Unsere Schwerpunkte"),
        ("fr", "Nos spécialités"),
        ("it", "Cosa facciamo"),
        ("es", "Lo que hacemos"),
        ("nl", "Wat wij doen"),
        ("nl", "Onze specialisaties"),
        ("pt", "O que fazemos"),
    ] {
        let home = format!(
            "<h1>Acme</h1><h2>{heading}</h2>{}",
            cards(3, &["Paving", "Drains", "Kerbs"])
        );
        assert_eq!(
            sold(language, "<a href=/about>About us</a>", &[("/", &home)]),
            ["Paving", "Drains", "Kerbs"],
            "{heading}"
        );
    }
}

#[test]
fn names_in_bold_before_their_texts_are_sold() {
    let item = |name: &str| {
        format!(
            "<div class=item><strong>{name}</strong> We build them ourselves, and mend them.</div>"
        )
    };
    let items: String = ["Paving", "Drains", "Kerbs"]
        .into_iter()
        .map(item)
        .collect();
    let home = format!("<h1>Acme</h1><h2>Our products</h2>{items}");
    assert_eq!(
        sold("en", "<a href=/about>About us</a>", &[("/", &home)]),
        ["Paving", "Drains", "Kerbs"]
    );
}

#[test]
fn names_stand_right_below_a_heading_that_has_smaller_ones_too() {
    let names: String = ["Oil seals", "Rings", "Valve seats", "Bellows"]
        .into_iter()
        .map(|name| format!("<div class=item><strong>{name}</strong></div>"))
        .collect();
    let products = format!(
        "<h1>Our products</h1><h2>Products range</h2><div>{names}</div>\
         <h3>Materials in use</h3><p>We mould them of rubber.</p><h3>Tests we run</h3><p>We press them to the limit.</p>"
    );
    let nav = "<a href=/products>Products</a><a href=/about>About us</a>";
    assert_eq!(
        sold(
            "en",
            nav,
            &[("/", "<h1>Acme</h1>"), ("/products", &products)]
        ),
        ["Oil seals", "Rings", "Valve seats", "Bellows"]
    );
}

#[test]
fn a_sentence_set_like_a_heading_is_no_section() {
    let names: String = ["Oil seals", "Rings", "Valve seats"]
        .into_iter()
        .map(|name| format!("<div><img src=/x.png><h6>{name}</h6></div>"))
        .collect();
    let home = format!(
        "<h1>Acme</h1><h3>Our products for you at a glance</h3><h4>We are happy to make others for your needs.</h4>{names}"
    );
    assert_eq!(
        sold("en", "<a href=/about>About us</a>", &[("/", &home)]),
        ["Oil seals", "Rings", "Valve seats"]
    );
}

#[test]
fn a_card_that_asks_for_a_call_is_no_service() {
    let home = format!(
        "<h1>Acme</h1><h2>Our services</h2>{}<div><h3>Personal advice</h3>\
         <p>Do you plan a yard? Call us today or send a request.</p></div>",
        cards(3, &["Paving", "Drains", "Kerbs"])
    );
    assert_eq!(
        sold("en", "<a href=/about>About us</a>", &[("/", &home)]),
        ["Paving", "Drains", "Kerbs"]
    );
}
