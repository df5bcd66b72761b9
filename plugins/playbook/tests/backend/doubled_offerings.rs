//! One thing that is sold is told once, however many lists of the site name it.

use crate::offerings::{cards, sold};

fn declared(catalogue: &[&str], kinds: &[&str]) -> String {
    let offers: Vec<String> = catalogue
        .iter()
        .map(|name| {
            format!(r#"{{"@type":"Offer","itemOffered":{{"@type":"Service","name":"{name}"}}}}"#)
        })
        .collect();
    let kinds: Vec<String> = kinds.iter().map(|name| format!("\"{name}\"")).collect();
    format!(
        r#"<script type="application/ld+json">{{"@type":"Plumber","name":"Acme","url":"https://acme.example/","serviceType":[{}],
        "hasOfferCatalog":{{"@type":"OfferCatalog","name":"Services","itemListElement":[{}]}}}}</script>"#,
        kinds.join(","),
        offers.join(",")
    )
}

#[test]
fn lists_of_one_thing_under_shorter_and_fuller_names_are_one() {
    let home = format!(
        "{}<h1>Acme</h1><h2>Our services</h2>{}",
        declared(
            &[
                "Domestic Plumbing Services",
                "Marine Plumbing Services",
                "Leak Testing & Tracing"
            ],
            &[
                "Domestic Plumbing",
                "Marine Plumbing",
                "Leak Testing",
                "Boiler Fitting"
            ],
        ),
        cards(3, &["Domestic", "Marine", "Leak Testing"])
    );
    assert_eq!(
        sold("en", "", &[("/", &home)]),
        [
            "Domestic Plumbing Services",
            "Marine Plumbing Services",
            "Leak Testing & Tracing",
            "Boiler Fitting"
        ]
    );
}

#[test]
fn what_one_list_tells_apart_stays_apart() {
    let home = format!(
        "<h1>Acme</h1><h2>Our services</h2>{}",
        cards(
            3,
            &["Roofing", "Roofing repairs", "Walling", "Walling repairs"]
        )
    );
    assert_eq!(
        sold("en", "", &[("/", &home)]),
        ["Roofing", "Roofing repairs", "Walling", "Walling repairs"]
    );
    // Another list may be for other people.
    let home = format!(
        "{}<h1>Acme</h1><h2>Our services</h2>{}",
        declared(&["Web design for schools", "Hosting for schools"], &[]),
        cards(3, &["Web design", "Hosting"])
    );
    assert_eq!(
        sold("en", "", &[("/", &home)]),
        [
            "Web design for schools",
            "Hosting for schools",
            "Web design",
            "Hosting"
        ]
    );
    // One name in a row that goes on is a thing of its own.
    let home = format!(
        "{}<h1>Acme</h1><h2>Our services</h2>{}",
        declared(&["Roofing inspections", "Paving"], &[]),
        cards(3, &["Roofing", "Drains"])
    );
    assert_eq!(
        sold("en", "", &[("/", &home)]),
        ["Roofing inspections", "Paving", "Roofing", "Drains"]
    );
}

#[test]
fn names_that_go_on_with_different_words_stay_apart() {
    let home = format!(
        "{}<h1>Acme</h1><h2>Our services</h2>{}",
        declared(&["Paving", "Walling", "Roofing"], &[]),
        cards(
            3,
            &[
                "Paving express",
                "Walling restoration",
                "Roofing inspections"
            ]
        )
    );
    assert_eq!(
        sold("en", "", &[("/", &home)]),
        [
            "Paving",
            "Walling",
            "Roofing",
            "Paving express",
            "Walling restoration",
            "Roofing inspections"
        ]
    );
}

#[test]
fn a_word_for_services_makes_no_other_thing() {
    for (language, heading, declared_as, card, other) in [
        (
            "en",
            "Our services",
            "Roofing services",
            "Roofing",
            "Drains",
        ),
        (
            "de",
            "Unsere Leistungen",
            "Malerleistungen",
            "Maler",
            "Kanäle",
        ),
    ] {
        let home = format!(
            "{}<h1>Acme</h1><h2>{heading}</h2>{}",
            declared(&[declared_as], &[]),
            cards(3, &[card, other])
        );
        assert_eq!(
            sold(language, "", &[("/", &home)]),
            [declared_as, other],
            "{language}"
        );
    }
}

#[test]
fn a_menu_and_a_row_of_links_may_call_one_page_by_two_names() {
    let menu = "<a href=/services>Services</a><a href=/services/paving>Paving</a><a href=/services/drains>Drains</a>";
    let home = "<h1>Acme</h1><h2>Our services</h2><p><a href=/services/paving>Block Paving</a></p><p><a href=/services/drains>Land Drains</a></p>";
    let found = sold("en", menu, &[("/", home)]);
    assert_eq!(found, ["Block Paving", "Land Drains"]);
}

#[test]
fn two_names_with_one_page_are_one_thing_only_if_one_has_the_words_of_the_other() {
    let menu = "<a href=/services>Services</a><a href=/services/kitchens>Kitchen design</a><a href=/services/drains>Drains</a>";
    let home = "<h1>Acme</h1><h2>Our services</h2><p><a href=/services/kitchens>Kitchen fitting</a></p><p><a href=/services/drains>Land Drains</a></p>";
    let mut found = sold("en", menu, &[("/", home)]);
    found.sort();
    assert_eq!(found, ["Kitchen design", "Kitchen fitting", "Land Drains"]);
}
