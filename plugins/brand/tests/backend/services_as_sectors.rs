//! Headings that count or announce sectors: over the company's own services, over those of its customers, and over names of
//! which nothing tells whose they are.

use gtm_sdk::Value;

use crate::headed::cards;
use crate::languages::site;
use crate::run::{acme, at, basis, members};

fn segments(draft: &Value) -> Vec<&str> {
    members(at(draft, "/audience/segments"), "name")
}

const WORKS: [(&str, &str); 3] = [
    (
        "Posa di cordoli",
        "Cordoli in pietra posati a mano lungo i viali.",
    ),
    (
        "Muri a secco",
        "Muri di sasso tirati su senza una goccia di malta.",
    ),
    (
        "Drenaggi",
        "Tubi e ghiaia che portano via l'acqua dal cortile.",
    ),
];

#[test]
fn sectors_in_which_the_company_works_are_no_customers() {
    let main = format!(
        "<p>Servizi</p><h1>Tre settori, una squadra sola</h1><p>Lavoriamo con mezzi propri.</p>{}",
        cards(3, &WORKS)
    );
    let web = site(
        "it",
        "<h1>Acme</h1><p>Acme sistema cortili.</p>",
        &[("/servizi", "Servizi", &main)],
    );
    let draft = acme(web).draft();
    assert_eq!(segments(&draft), [""; 0]);
}

#[test]
fn what_the_menu_of_services_names_is_sold_under_any_heading() {
    let home = format!(
        "<h1>Acme</h1><p>Acme lays yards.</p><h2>Our three sectors</h2>{}",
        cards(
            3,
            &[
                ("Kerb laying", "Stone kerbs along every drive."),
                ("Dry walls", "Walls of field stone without mortar."),
                ("Drains", "Pipes and gravel that carry the rain away."),
            ]
        )
    );
    let pages = [
        (
            "/services/kerb-laying",
            "Kerb laying",
            "<h1>Kerb laying</h1><p>By hand.</p>",
        ),
        (
            "/services/dry-walls",
            "Dry walls",
            "<h1>Dry walls</h1><p>By hand.</p>",
        ),
        (
            "/services/drains",
            "Drains",
            "<h1>Drains</h1><p>By hand.</p>",
        ),
    ];
    let draft = acme(site("en", &home, &pages)).draft();
    assert_eq!(segments(&draft), [""; 0]);
}

#[test]
fn where_nothing_tells_whose_sectors_they_are_they_are_doubtful() {
    let home = |heading: &str, names: [&str; 3]| {
        let rows = names.map(|name| (name, "Des câbles qui tiennent au gel et au sel."));
        let main = format!(
            "<h1>Acme</h1><p>Acme fabrique des câbles.</p><h2>{heading}</h2>{}",
            cards(3, &rows)
        );
        acme(site("fr", &main, &[])).draft()
    };
    let names = ["Remontées", "Ports de plaisance", "Spectacle vivant"];
    let draft = home("Nos trois secteurs", names);
    assert_eq!(segments(&draft), names);
    assert_eq!(basis(&draft, "/audience/segments/0")["basis"], "inferred");
    // A heading that says whom it means, or names that are known buyers, leave no doubt.
    for (heading, names) in [
        ("Secteurs desservis", names),
        ("Nos trois secteurs", ["Mairies", "Hôtels", "Théâtres"]),
    ] {
        let draft = home(heading, names);
        assert_eq!(segments(&draft), names);
        assert_eq!(basis(&draft, "/audience/segments/0")["basis"], "observed");
    }
}
