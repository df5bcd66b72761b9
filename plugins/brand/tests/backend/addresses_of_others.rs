//! Danger: legal pages must say who hears complaints, and that address is not the company's.

use gtm_sdk::json::json;

use crate::run::{acme, at};
use crate::web::Web;

fn seat(language: &str, path: &str, notice: &str) -> gtm_sdk::Value {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/{path}>{path}</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page("https://acme.example/", &page("<h1>Acme</h1>"))
        .page(
            &format!("https://acme.example/{path}"),
            &page(&format!("<h1>{path}</h1>{notice}")),
        );
    at(&acme(web).draft(), "/identity/headquarters").clone()
}

#[test]
fn an_authority_is_not_the_seat() {
    for (language, path, notice) in [
        (
            "en",
            "terms",
            "<p>If you are not satisfied you may complain to our licensing authority: Elmham Borough Council, Civic House, Station Road, Ripon, HG4 1AA.</p>",
        ),
        (
            "en",
            "legal",
            "<p>Anyone unhappy with what Acme answers may take it to the Ombudsman for Lifts, 4 Mill Lane, Ripon, HG4 1AA.</p>",
        ),
        (
            "de",
            "impressum",
            "<p>Beschwerden nimmt die zuständige Schlichtungsstelle entgegen: Zentrum Musterhafen, Hafenweg 7, 88131 Lindau, Deutschland</p>",
        ),
        (
            "it",
            "note-legali",
            "<p>L'interessato può proporre reclamo al Garante, Piazza Alta 11, 00187 Roma, Italia.</p>",
        ),
        (
            "fr",
            "mentions-legales",
            "<p>Réclamations :</p><p>Médiateur des ascenseurs</p><p>3 rue Basse, 69001 Lyon, France</p>",
        ),
        // Running text that says nothing of the company may speak of anybody.
        (
            "en",
            "legal",
            "<p>the lifts that you can see in our pictures were all built for the mill that stands at 4 Mill Lane, Ripon, HG4 1AA.</p>",
        ),
    ] {
        assert_eq!(seat(language, path, notice), json!(null), "{notice}");
    }
}

#[test]
fn the_company_s_own_address_stands_beside_an_authority_s() {
    let lindau = json!({"locality": "Lindau", "region": null, "country": "DE"});
    for notice in [
        "<p>Acme GmbH, Hafenweg 7, 88131 Lindau, Deutschland, Amtsgericht Kempten, HRB 1234</p>",
        "<p>Aufsichtsbehörde ist die Stadt; diese Seiten betreibt Acme, Hafenweg 7, 88131 Lindau, Deutschland</p>",
        "<p>verantwortlich für alles, was auf diesen seiten zu lesen ist, ist Karl Vetter, Hafenweg 7, 88131 Lindau, Deutschland</p>",
        "<p>Karl Vetter</p><p>Hafenweg 7, 88131 Lindau, Deutschland</p><p>Aufsichtsbehörde: Stadt Ulm, Marktplatz 1, 89073 Ulm</p>",
    ] {
        assert_eq!(seat("de", "impressum", notice), lindau, "{notice}");
    }
    let ripon = "<p>Acme is a trading name of Jane Roe and our registered business address is 4 Mill Lane, Ripon, North Yorkshire, HG4 1AA.</p>";
    assert_eq!(seat("en", "legal", ripon)["locality"], "Ripon");
}

/// Terms are seldom kept up to date, so a contact page says better where the company sits.
#[test]
fn terms_weigh_less_than_a_contact_page() {
    let page = |main: &str| {
        format!(
            "<html lang=de><head><title>Acme</title></head><body><nav><a href=/agb>AGB</a><a href=/kontakt>Kontakt</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page("https://acme.example/", &page("<h1>Acme</h1>"))
        .page(
            "https://acme.example/agb",
            &page("<h1>AGB</h1><p>Acme GmbH, Alter Weg 2, 89073 Ulm, Deutschland</p>"),
        )
        .page(
            "https://acme.example/kontakt",
            &page("<h1>Kontakt</h1><p>Acme GmbH, Hafenweg 7, 88131 Lindau, Deutschland</p>"),
        );
    let seat = at(&acme(web).draft(), "/identity/headquarters").clone();
    assert_eq!(seat["locality"], "Lindau");
}
