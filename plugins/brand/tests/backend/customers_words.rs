//! What customers say of the company, where the place tells it: several paragraphs, names in headings, cards without
//! quotation marks, grades and price levels in structured data.

use gtm_sdk::Value;

use crate::run::{acme, at, basis, proofs_of};
use crate::web::home;

fn draft(language: &str, main: &str) -> Value {
    acme(home(language, &[], &format!("<h1>Acme</h1>{main}"), "")).draft()
}

#[test]
fn paragraphs_of_one_quotation_belong_to_the_name_below() {
    let card = |said: &str, name: &str, town: &str| {
        format!(
            "<li><article><div><blockquote>{said}</blockquote><span>... See more</span></div><h3>{name}</h3><p>{town}</p></article></li>"
        )
    };
    let main = format!(
        "<h2>Reviews</h2><ul>{}{}</ul>",
        card(
            "<p>Acme hung the bells of our tower in two days.</p><p>They were on time and left the stairs clean.</p>",
            "Jane Roe",
            "Ripon"
        ),
        card(
            "<p>The old clock strikes again after forty years.</p>",
            "John Doe",
            "Globex Ltd"
        ),
    );
    let draft = draft("en", &main);
    assert_eq!(
        proofs_of(&draft, "testimonial"),
        [
            "Acme hung the bells of our tower in two days. They were on time and left the stairs clean. Jane Roe Ripon",
            "The old clock strikes again after forty years. John Doe Globex Ltd"
        ]
    );
    let excerpts = &basis(&draft, "/positioning/proof_points/0")["excerpts"];
    assert_eq!(excerpts[1]["text"], "Jane Roe Ripon");
}

#[test]
fn what_leads_to_quotations_is_none() {
    let card = |said: &str, name: &str| {
        format!("<article><blockquote><p>{said}</p></blockquote><h3>{name}</h3></article>")
    };
    let main = format!(
        "<h2>Reviews</h2><p>Read why towns all over the north have trusted Acme with their bells.</p>{}{}",
        card("They hung the bells of our tower in two days.", "Jane Roe"),
        card(
            "The old clock strikes again after forty years.",
            "John Smith"
        ),
    );
    assert_eq!(
        proofs_of(&draft("en", &main), "testimonial"),
        [
            "They hung the bells of our tower in two days. Jane Roe",
            "The old clock strikes again after forty years. John Smith"
        ]
    );
}

#[test]
fn a_heading_below_one_quotation_is_no_name() {
    let main = "<blockquote><p>The old clock strikes again after forty years.</p></blockquote><h3>Our Bells</h3><p>We cast them.</p>";
    assert_eq!(proofs_of(&draft("en", main), "testimonial"), [""; 0]);
}

#[test]
fn headings_below_taglines_are_no_names() {
    let main = "<blockquote><p>Every home deserves a kitchen that lasts.</p></blockquote><h2>Our Services</h2><p>We build them.</p>\
        <blockquote><p>Good wood needs no paint and no excuses.</p></blockquote><h2>Modern Kitchens</h2><p>We plan them.</p>";
    assert_eq!(proofs_of(&draft("en", main), "testimonial"), [""; 0]);
}

#[test]
fn a_given_name_alone_shows_where_names_stand() {
    let texts = [
        "They hung the bells of our tower in two days and left it clean.",
        "The clock has struck every hour since, in frost and in heat.",
        "One call in the morning, and in the evening all was well again.",
    ];
    let of = |first: &str| {
        let [one, two, three] = texts;
        let main = format!(
            "<h2>Reviews</h2>{first}<p>{one}</p><p>Ben Carter</p><p>{two}</p><p>Carla Doyle</p><p>{three}</p><h2>Bells</h2><p>We cast them.</p>"
        );
        proofs_of(&draft("en", &main), "testimonial")
    };
    assert_eq!(
        of("<p>Anna</p>"),
        [
            format!("{} Ben Carter", texts[1]),
            format!("{} Carla Doyle", texts[2])
        ]
    );
    assert_eq!(of(""), [""; 0]);
    let [one, two, _] = texts;
    let ours = "You will find more than 200 reviews of our work on Google.";
    let main = format!(
        "<h2>Reviews</h2><p>{one}</p><p>Ben Carter</p><p>{two}</p><p>Anna Doyle</p><p>{ours}</p><h2>Bells</h2><p>We cast them.</p>"
    );
    assert_eq!(
        proofs_of(&draft("en", &main), "testimonial"),
        [format!("{one} Ben Carter"), format!("{two} Anna Doyle")]
    );
}

#[test]
fn titles_stand_for_given_names() {
    let of = |language: &str, names: [&str; 2]| {
        let [one, two] = names;
        let [first, second] = if language == "de" {
            [
                "Die Glocke läutet nach vierzig Jahren wieder.",
                "Nach zwei Tagen war alles wieder ganz.",
            ]
        } else {
            [
                "They hung the bells of our tower in two days.",
                "The old clock strikes again after forty years.",
            ]
        };
        let main = format!(
            "<blockquote><p>{first}</p></blockquote><h3>{one}</h3><blockquote><p>{second}</p></blockquote><h3>{two}</h3>"
        );
        proofs_of(&draft(language, &main), "testimonial").len()
    };
    assert_eq!(of("en", ["Mrs Marsh", "Mr Roe"]), 2);
    assert_eq!(of("de", ["Familie Roth", "Frau Holm"]), 2);
    assert_eq!(of("en", ["Tower Bells", "Hand Bells"]), 0);
}

#[test]
fn cards_below_their_heading_need_no_quotation_marks() {
    let cards = |heading: &str| {
        let main = format!(
            "<h2>{heading}</h2><div><p>They hung the bells of our tower in two days and left it clean.</p><div>Jane Roe</div></div>\
             <div><p>The clock has struck every hour since, in frost and in heat.</p><div>John Smith</div></div><h2>Bells</h2><p>We cast them.</p>"
        );
        proofs_of(&draft("en", &main), "testimonial")
    };
    assert_eq!(
        cards("What our customers say"),
        [
            "They hung the bells of our tower in two days and left it clean. Jane Roe",
            "The clock has struck every hour since, in frost and in heat. John Smith"
        ]
    );
    assert_eq!(cards("How it went"), [""; 0]);
    let above = "<h2>Kundenstimmen</h2><div><h3>Anna Beck</h3><div>★★★★★</div><p>Die Glocke läutet wieder, und das Gerüst war nach zwei Tagen weg.</p></div>\
        <div><h3>Peter Maier</h3><div>★★★★★</div><p>Ein Anruf am Morgen, und am Abend ging unsere alte Turmuhr wieder richtig.</p></div>";
    assert_eq!(
        proofs_of(&draft("de", above), "testimonial"),
        [
            "Die Glocke läutet wieder, und das Gerüst war nach zwei Tagen weg. Anna Beck",
            "Ein Anruf am Morgen, und am Abend ging unsere alte Turmuhr wieder richtig. Peter Maier"
        ]
    );
    let sold = "<h2>Reviews</h2><h3>Tower Bells</h3><p>We cast them in bronze and hang them with ropes of hemp.</p><h3>Hand Bells</h3><p>We cast them in brass and give them handles of ash.</p>";
    assert_eq!(proofs_of(&draft("en", sold), "testimonial"), [""; 0]);
}

#[test]
fn structured_data_declare_grade_and_price_level() {
    let declared = |rating: &str, range: &str| {
        let data = format!(
            r#"<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "LocalBusiness", "name": "Acme", "url": "https://acme.example/", "priceRange": "{range}", "aggregateRating": {{"@type": "AggregateRating", {rating}}}}}</script>"#
        );
        draft("en", &data)
    };
    let draft = declared(r#""ratingValue": "4.9", "reviewCount": 37"#, "££");
    assert_eq!(
        proofs_of(&draft, "metric"),
        ["Rating of 4.9 from 37 reviews"]
    );
    assert_eq!(at(&draft, "/positioning/price_position"), "mid");
    let draft = declared(r#""ratingValue": "4.9", "reviewCount": 2"#, "£20–£90");
    assert_eq!(proofs_of(&draft, "metric"), [""; 0]);
    assert_eq!(at(&draft, "/positioning/price_position"), &Value::Null);
    let main = r#"<p>Rated 4.9/5 from 37 reviews</p><script type="application/ld+json">{"@context": "https://schema.org", "@type": "LocalBusiness", "name": "Acme", "url": "https://acme.example/", "aggregateRating": {"ratingValue": 4.9, "ratingCount": 37}}</script>"#;
    assert_eq!(
        proofs_of(&self::draft("en", main), "metric"),
        ["Rated 4.9/5 from 37 reviews"]
    );
}

#[test]
fn what_a_page_declares_of_another_is_not_the_companys() {
    let declared = |url: &str| {
        let data = r#"<script type="application/ld+json">{"@context": "https://schema.org", "@type": "LocalBusiness", "name": "Bob's Pizza", "url": "URL", "priceRange": "€€", "aggregateRating": {"ratingValue": 4.9, "ratingCount": 37}}</script>"#;
        draft("en", &data.replace("URL", url))
    };
    let other = declared("https://acme.example/bobs");
    assert_eq!(proofs_of(&other, "metric"), [""; 0]);
    assert_eq!(at(&other, "/positioning/price_position"), &Value::Null);
    let own = declared("https://acme.example/");
    assert_eq!(at(&own, "/positioning/price_position"), "mid");
}

#[test]
fn a_local_company_serves_the_country_of_its_seat() {
    let data = r#"<script type="application/ld+json">{"@context": "https://schema.org", "@type": "LocalBusiness", "name": "Acme", "url": "https://acme.example/", "address": {"@type": "PostalAddress", "addressLocality": "Ripon", "addressCountry": "GB"}AREAS}</script>"#;
    let markets = |areas: &str| {
        let draft = draft("en", &data.replace("AREAS", areas));
        at(&draft, "/audience/markets").to_string()
    };
    assert_eq!(
        markets(r#", "areaServed": {"@type": "City", "name": "Thirsk"}"#),
        r#"["GB"]"#
    );
    assert_eq!(markets(""), "[]");
}

#[test]
fn an_author_stands_on_the_card_of_the_quotation() {
    let card = |text: &str, name: &str| {
        format!("<div><p>{text}</p><p>{name}</p><p>Avis en ligne</p></div>")
    };
    let main = format!(
        "<h1>Acme</h1><p>Acme fabrique des cordes.</p><h2>Les avis de nos clients</h2><p>(3 avis)</p>{}{}{}{}",
        card(
            "Les cordes sont arrivées en deux jours et tiennent encore.",
            "Marie Roux"
        ),
        card(
            "Un travail soigné, du premier appel jusqu'à la pose.",
            "léa marchand"
        ),
        card(
            "Des conseils honnêtes et un prix tout à fait correct.",
            "Ferme du Val"
        ),
        card(
            "La voile neuve a passé l'hiver sans un seul accroc.",
            "Paul Morel"
        ),
    );
    let told = proofs_of(&acme(home("fr", &[], &main, "")).draft(), "testimonial");
    assert!(
        told.iter()
            .any(|text| text.contains("deux jours") && text.contains("Marie Roux")),
        "{told:?}"
    );
    for (said, other) in [
        ("soigné", "Marie"),
        ("conseils", "marchand"),
        ("La voile", "Ferme"),
    ] {
        let wrong = told
            .iter()
            .any(|text| text.contains(said) && text.contains(other));
        assert!(!wrong, "{told:?}");
    }
}

#[test]
fn the_name_behind_a_quotation_may_be_that_of_the_next_card() {
    let main = "<h1>Acme</h1><p>Acme hangs bells.</p><section>\
        <p>Anna Berg</p><blockquote>They hung the bells of our church in only two days.</blockquote>\
        <p>Peter Carr</p><blockquote>The old clock strikes again, for the first time in years.</blockquote>\
        </section><h2>Visit us</h2>";
    let told = proofs_of(&acme(home("en", &[], main, "")).draft(), "testimonial");
    let wrong = told
        .iter()
        .any(|text| text.contains("two days") && text.contains("Peter"));
    assert!(!wrong, "{told:?}");
}

#[test]
fn what_a_customer_is_and_does_is_not_said_of_the_company() {
    for main in [
        "<h1>Bells that ring</h1><h2>What our customers say</h2><p>We are a family brewery and make beer for all of the valley.</p><p>Jane Roe</p><p>Globex Brewery</p>",
        "<h1>Bells that ring</h1><p>“We are a family brewery and make beer for all of the valley.”</p><p>Jane Roe, Globex Brewery</p>",
    ] {
        let draft = acme(home("en", &[], main, "")).draft();
        for field in [
            "/identity/description_short",
            "/identity/description_long",
            "/positioning/category",
        ] {
            assert!(
                at(&draft, field).is_null(),
                "{field}: {}",
                at(&draft, field)
            );
        }
        let samples = at(&draft, "/voice/samples").to_string();
        assert!(!samples.contains("brewery"), "{samples}");
    }
}
