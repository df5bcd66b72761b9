//! Goods of a catalogue are no offer of the company as a whole, and what its menus and pages call its services is.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at};
use crate::web::{Web, home};

fn preferred(web: Web) -> Vec<String> {
    let draft = acme(web).draft();
    let found = at(&draft, "/voice/vocabulary/preferred")
        .as_array()
        .cloned();
    let texts = found.unwrap_or_default().into_iter();
    texts
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn articles_of_a_catalogue_name_no_offer() {
    let articles: String = (1..=12)
        .map(|number| {
            format!(
                "<div><span>Ref. VX-{number}</span><h4>VX-{number} apron</h4><p>An apron with a back that closes, for long days of work in the hall.</p>\
                 <ul><li>Material lead-free core</li><li>Length 85–130 cm</li><li>Standard EN 123</li></ul></div>"
            )
        })
        .collect();
    let main = format!(
        "<h1>Our products</h1><p>We supply goods of three kinds to halls and plants.</p>\
         <h2>Aprons</h2><p>Aprons that protect whoever works beside a source of rays.</p>{articles}\
         <h2>Screens</h2><p>Screens that stand between people and machines in any hall.</p>"
    );
    let web = home(
        "en",
        &[("/products", "Products")],
        "<h1>Acme</h1><p>Acme protects people at work.</p>",
        "",
    )
    .text("https://acme.example/products", &main);
    let names = preferred(web);
    assert!(!names.iter().any(|name| name.contains("VX")), "{names:?}");
    assert!(names.iter().any(|name| name == "Aprons"), "{names:?}");
}

#[test]
fn rows_that_repeat_their_labels_are_goods() {
    let rows: String = ["Body", "Bonnet", "Disc", "Yoke", "Cover", "Cap", "Stem", "Gland", "Nut"]
        .iter()
        .map(|name| {
            format!(
                "<div><div>{name}</div><ul><li>Material ferrous</li><li>Size up to 30 inch</li></ul><div>View more</div></div>"
            )
        })
        .collect();
    let main = format!("<h1>Our products</h1><h4>Castings :</h4>{rows}");
    let web = home(
        "en",
        &[("/products", "Products")],
        "<h1>Acme</h1><p>Acme casts parts of valves.</p>",
        "",
    )
    .text("https://acme.example/products", &main);
    let names = preferred(web);
    for name in ["Body", "Bonnet", "Material ferrous"] {
        assert!(!names.iter().any(|known| known == name), "{names:?}");
    }
}

#[test]
fn what_stands_below_services_in_a_menu_is_offered() {
    let page = |menu: &str| {
        let html = format!(
            "<html lang=fr><head><title>Acme</title></head><body><nav><ul><li><a href=/>Accueil</a></li>{menu}\
             <li><a href=/equipe>Équipe</a></li></ul></nav><main><h1>Acme</h1><p>Acme prépare les sols de vos chantiers.</p></main></body></html>"
        );
        preferred(Web::new().page("https://acme.example/", &html))
    };
    let below = "<li><a href='#'>Services</a><ul><li><a href=/terrassement>Terrassement</a></li><li><a href=/drainage>Drainage</a></li></ul></li>";
    assert_eq!(page(below), ["Terrassement", "Drainage"]);
    let beside = "<li><a href='#'>Services</a></li><li><a href=/terrassement>Terrassement</a></li><li><a href=/drainage>Drainage</a></li>";
    assert!(page(beside).is_empty());
}

#[test]
fn services_whose_headings_end_with_an_ornament_are_named_without() {
    let main = "<h1>Unsere Leistungen <span>.</span></h1><h2>Planung <span>.</span></h2><p>Wir planen Ihre Halle von der Idee bis zum Bau.</p>\
                <h2>Montage <span>.</span></h2><p>Wir bauen Ihre Halle mit eigenen Leuten auf.</p>";
    let web = home(
        "de",
        &[("/leistungen", "Leistungen")],
        "<h1>Acme</h1><p>Acme baut Hallen.</p>",
        "",
    );
    let page = format!("<html lang=de><body><main>{main}</main></body></html>");
    let web = web.page("https://acme.example/leistungen", &page);
    assert_eq!(preferred(web), ["Planung", "Montage"]);
}

#[test]
fn stations_of_a_life_are_no_commitments() {
    let commitments = |main: &str| {
        let html = format!("<html lang=en><body><main>{main}</main></body></html>");
        let web = home(
            "en",
            &[("/about", "About us")],
            "<h1>Acme</h1><p>Acme builds stairs.</p>",
            "",
        )
        .page("https://acme.example/about", &html);
        at(&acme(web).draft(), "/foundations/commitments").clone()
    };
    let life = "<h1>Stairs with responsibility and care</h1><p>Our managers have more than 15 years of experience in building stairs.</p>\
                <p>Jane Roe</p><ul><li>Head of the workshop at Globex in Leeds from 1998 to 2006</li><li>Master of joinery since 2006 at the college of Ripon</li></ul>";
    assert_eq!(commitments(life), json!([]));
    let said = "<h1>About us</h1><h2>Our commitments</h2><ul><li>We plant two trees for every stair that we build.</li></ul>";
    assert_eq!(
        commitments(said),
        json!(["We plant two trees for every stair that we build."])
    );
}

#[test]
fn the_first_heading_of_a_home_page_is_a_promise_that_only_its_place_shows() {
    let main = "<h1>Move more with less effort</h1><p>Trucks that lift for hours, and people who mend them on the day they stop.</p><h2>Trucks</h2><p>Acme sells trucks.</p>";
    let slogan = r#"<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/","slogan":"Lift well, live well"}</script>"#;
    let draft = acme(home("en", &[], &format!("{main}{slogan}"), "")).draft();
    let told: &Value = at(&draft, "/positioning/value_propositions");
    assert_eq!(told[0]["statement"], "Move more with less effort", "{told}");
    // Where it is the tagline, it is told already.
    let draft = acme(home("en", &[], main, "")).draft();
    assert_eq!(
        at(&draft, "/identity/tagline"),
        "Move more with less effort"
    );
    assert_eq!(at(&draft, "/positioning/value_propositions"), &json!([]));
}
