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
