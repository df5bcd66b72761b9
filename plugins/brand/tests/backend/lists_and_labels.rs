//! What lists elsewhere on a site and the lines above headings tell of cards.

use crate::run::{acme, at, members, proofs_of};
use crate::web::Web;

/// A home page with this body, and other pages by their paths.
fn site_of(language: &str, title: &str, body: &str, pages: &[(&str, &str)]) -> Web {
    let page = |body: &str| {
        format!(
            "<html lang={language}><head><title>{title}</title></head><body>{body}</body></html>"
        )
    };
    let home = Web::new().page("https://acme.example/", &page(body));
    pages.iter().fold(home, |web, (path, body)| {
        web.page(&format!("https://acme.example/{path}"), &page(body))
    })
}

fn preferred(draft: &gtm_sdk::Value) -> Vec<String> {
    let names = at(draft, "/voice/vocabulary/preferred").as_array().unwrap();
    names
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn numbered_cards_are_services_where_other_pages_link_to_them() {
    let card = |at: usize, name: &str| {
        format!("<div><span>0{at}</span><h3>{name}</h3><p>Netjes gedaan, in elk seizoen.</p></div>")
    };
    let names = ["Dakgoten", "Zinkwerk", "Leien", "Schoorstenen"];
    let cards: String = (1..).zip(names).map(|(at, name)| card(at, name)).collect();
    let steps: String = (1..)
        .zip(["Kennismaken", "Opmeten", "Uitvoeren"])
        .map(|(at, name)| card(at, name))
        .collect();
    let links: String = names
        .iter()
        .map(|name| format!("<a href='/index.html#werk'>{name}</a>"))
        .collect();
    let footer = format!("<footer><div><h5>Diensten</h5>{links}</div></footer>");
    let nav = "<nav><a href=/over-ons.html>Over ons</a></nav>";
    let home = format!(
        "{nav}<main><h1>Alles droog.</h1><h2>Vier vakken, een adres</h2>{cards}<h2>Zo gaat het</h2>{steps}</main>{footer}"
    );
    let about = format!(
        "{nav}<main><h1>Over ons</h1><p>Acme is in 1987 opgericht door twee dakdekkers uit de polder.</p></main>{footer}"
    );
    let draft = acme(site_of("nl", "Acme", &home, &[("over-ons.html", &about)])).draft();
    assert_eq!(preferred(&draft), names);
}

#[test]
fn a_label_says_what_the_page_on_all_services_lists() {
    let card = |name: &str| {
        format!(
            "<article><h3>{name}</h3><p>Made to the drawing and measured before it leaves.</p></article>"
        )
    };
    let cards: String = ["Turning", "Gear hobbing", "Honing"].map(card).concat();
    let nav = "<nav><a href=/capabilities.html>Capabilities</a></nav>";
    let home =
        format!("{nav}<main><h1>Acme</h1><p>Acme makes gears for mills and cranes.</p></main>");
    let page = format!(
        "{nav}<main><p>OUR CAPABILITIES</p><h1>Gears that run for decades.</h1><p>All of it under one roof.</p>{cards}</main>"
    );
    let draft = acme(site_of(
        "en",
        "Acme",
        &home,
        &[("capabilities.html", &page)],
    ))
    .draft();
    assert_eq!(preferred(&draft), ["Turning", "Gear hobbing", "Honing"]);
}

#[test]
fn a_paragraph_below_a_line_about_industries_lists_them() {
    let body = "<main><h1>Acme gears</h1><p>Acme makes gears.</p><h4>We serve a wide range of industries:</h4>\
        <p>Dairies, Paper mills, Oil and Gas, Rail, Marine.</p></main>";
    let draft = acme(site_of("en", "Acme", body, &[])).draft();
    let segments = members(at(&draft, "/audience/segments"), "name");
    assert_eq!(
        segments,
        ["Dairies", "Paper mills", "Oil and Gas", "Rail", "Marine"]
    );
}

#[test]
fn cards_of_groups_may_be_a_picture_and_a_name() {
    let card = |name: &str| format!("<div><img src=a.jpg alt='{name}'><h3>{name}</h3></div>");
    let cards: String = ["Bâtiments publics", "Routes et ponts", "Eau potable"]
        .map(card)
        .concat();
    let body = format!(
        "<main><h1>Acme</h1><p>Acme calcule des ouvrages.</p><h2>Nos secteurs</h2><p>Nous calculons partout dans le pays.</p>{cards}<h2>Contact</h2><p>Écrivez-nous.</p></main>"
    );
    let draft = acme(site_of("fr", "Acme", &body, &[])).draft();
    let segments = members(at(&draft, "/audience/segments"), "name");
    assert_eq!(
        segments,
        ["Bâtiments publics", "Routes et ponts", "Eau potable"]
    );
}

#[test]
fn customers_with_an_initial_are_persons() {
    let card = |said: &str, name: &str| {
        format!(
            "<div><p>{said}</p><div><strong>{name}</strong><br><small>Works Manager, Fellside Dairies</small></div></div>"
        )
    };
    let cards = [
        card(
            "They caught a fault in our drawing before it ever reached the floor, and told us.",
            "D. Moor",
        ),
        card(
            "The gears came a week early and fitted at once, all forty of them.",
            "R. Okafor",
        ),
    ]
    .concat();
    let body = format!(
        "<main><h1>Acme gears</h1><p>Acme makes gears.</p><section><p>FROM OUR CUSTOMERS</p><h2>What we delivered.</h2>{cards}</section></main>"
    );
    let told = proofs_of(
        &acme(site_of("en", "Acme", &body, &[])).draft(),
        "testimonial",
    );
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("D. Moor"), "{told:?}");
}

#[test]
fn the_line_above_the_main_heading_says_the_trade_as_the_title_does() {
    let body = "<main><span>Roof and gutter care</span><h1>Dry, whatever comes.</h1><p>We look after roofs in the valley.</p></main>";
    let draft = acme(site_of("en", "Acme — Roof and gutter care", body, &[])).draft();
    assert_eq!(at(&draft, "/positioning/category"), "Roof and gutter care");
}

#[test]
fn cards_of_a_gallery_with_labels_are_projects() {
    let card = |label: &str, name: &str| {
        format!(
            "<article><img src=a.jpg alt=''><span>{label}</span><h3>{name}</h3><p>Cut from the solid and ground to the drawing.</p></article>"
        )
    };
    let cards = [
        card("MARINE", "Winch drum for a trawler"),
        card("RAIL", "Coupling for a shunter"),
        card("MILLS", "Roller for a paper machine"),
        card("DAIRIES", "Agitator shaft of a cheese vat"),
    ]
    .concat();
    let body = format!(
        "<main><h1>Acme gears</h1><p>Acme makes gears.</p><p>PROJECT GALLERY</p><h2>Real work from our shop.</h2>{cards}</main>"
    );
    let told = proofs_of(
        &acme(site_of("en", "Acme", &body, &[])).draft(),
        "case_study",
    );
    assert_eq!(told.len(), 4, "{told:?}");
}

#[test]
fn an_address_without_a_postal_code_is_a_seat() {
    let body = "<main><h1>緑原製作所</h1><p>緑原製作所は小さな部品を削っています。</p><h2>会社概要</h2>\
        <dl><dt>会社名</dt><dd>株式会社緑原製作所</dd><dt>所在地</dt><dd>本社 東京都青梅市新町 9-15-8</dd></dl></main>";
    let draft = acme(site_of("ja", "緑原製作所", body, &[])).draft();
    assert_eq!(at(&draft, "/identity/headquarters/locality"), "青梅市");
}
