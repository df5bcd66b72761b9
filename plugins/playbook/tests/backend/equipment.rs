//! What a company works with, where else it is, and who answers there, among the particulars of its profile.

use crate::run::acme;
use crate::web::Web;

fn particulars(language: &str, about: &str, contact: &str) -> Vec<String> {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/about>About</a><a href=/contact>Contact</a></nav>\
             <main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>"),
        )
        .page("https://acme.example/about", &page(about))
        .page("https://acme.example/contact", &page(contact));
    let found = acme(web).draft()["result"]["company_profile"]["particulars"].clone();
    let found = found.as_array().unwrap().iter();
    found
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn lists_under_headings_for_it_tell_what_a_company_works_with() {
    for (language, about, told) in [
        (
            "de",
            "<h1>Über uns</h1><h2>Maschinenpark</h2><ul><li>3 Drehmaschinen</li><li>Laseranlage, 4 kW</li></ul><h2>Team</h2><ul><li>Anna</li></ul>",
            "Ausstattung: 3 Drehmaschinen · Laseranlage, 4 kW",
        ),
        (
            "fr",
            "<h1>Nos moyens</h1><h1>Atelier</h1><ul><li>2 tours</li><li>Une fraiseuse 5 axes</li></ul>",
            "Équipement : 2 tours · Une fraiseuse 5 axes",
        ),
        (
            "it",
            "<h1>Azienda</h1><h2>Parco macchine</h2><h3>Pressa 400 t</h3><p>Per lamiere grandi.</p><h3>Tornio verticale</h3><p>Per flange.</p>",
            "Dotazioni: Pressa 400 t · Tornio verticale",
        ),
        (
            "ja",
            "<h1>会社案内</h1><h2>主要設備</h2><table><tr><td>NC旋盤</td><td>5台</td></tr></table>",
            "設備：NC旋盤 5台",
        ),
    ] {
        let found = particulars(language, about, "");
        assert!(found.contains(&told.to_owned()), "{found:?}");
    }
}

#[test]
fn sentences_count_what_a_company_has() {
    for (language, about, told) in [
        (
            "fr",
            "<p>Nous disposons de 40 semi-remorques et de 12 porteurs frigorifiques.</p>",
            "Nous disposons de 40 semi-remorques et de 12 porteurs frigorifiques.",
        ),
        (
            "en",
            "<p>We operate a fleet of 25 vehicles from two depots.</p>",
            "We operate a fleet of 25 vehicles from two depots.",
        ),
        (
            "es",
            "<p>Acme cuenta con una nave de 1.800 m² en Burgos.</p>",
            "Acme cuenta con una nave de 1.800 m² en Burgos.",
        ),
    ] {
        let found = particulars(language, about, "");
        assert!(found.contains(&told.to_owned()), "{found:?}");
    }
    // What is sold, or said to readers, is no equipment.
    let about = "<h2>Our machines</h2><p>You have 14 days to return your machine.</p><p>We have 14 days of holiday.</p>";
    let found = particulars("en", about, "");
    assert!(
        !found.iter().any(|text| text.contains("14 days")),
        "{found:?}"
    );
}

#[test]
fn other_places_and_mailboxes_of_departments_are_told() {
    let found = particulars(
        "it",
        "",
        "<h1>Contatti</h1><h3>Sede amministrativa</h3><p>Via Roma 3<br>36022 Cassola (VI)</p><p>info@acme.example</p>\
         <h3>Sede produttiva 2</h3><p>Via Verdi 14<br>36022 Cassola (VI)</p><p>Ordini: ordini@acme.example</p><p>anna.rossi@acme.example</p>",
    );
    assert!(
        found
            .iter()
            .any(|text| text.starts_with("Altra sede: Sede produttiva 2, Via Verdi 14")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|text| text.contains("ordini@acme.example")),
        "{found:?}"
    );
    assert!(
        !found.iter().any(|text| text.contains("anna.rossi")),
        "{found:?}"
    );
}

#[test]
fn a_family_says_so_in_its_own_words() {
    let found = particulars(
        "de",
        "<p>Wir sind ein Familienunternehmen in dritter Generation.</p>",
        "",
    );
    assert!(
        found.contains(&"Wir sind ein Familienunternehmen in dritter Generation.".to_owned()),
        "{found:?}"
    );
}
