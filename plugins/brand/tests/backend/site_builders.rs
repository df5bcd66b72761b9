//! Small companies whose sites are made of nested blocks, as builders of sites write them: headings of one size, names of
//! cards without any markup of their own, labels beside values.

use gtm_sdk::json::json;

use crate::run::{at, site};
use crate::web::Web;

/// A German joinery: tiles, cards whose headings are as large as the one above them, a footer with the address.
fn joinery() -> Web {
    let page = |title: &str, main: &str| {
        format!(
            "<!doctype html><html lang=de><head><title>{title}</title></head><body><div class=header><a href=/><img src=/l.png alt='Tischlerei Holmgart'></a>\
             <div class=nav><a href=/leistungen>Leistungen</a><a href=/betrieb>Über uns</a><a href=/kontakt>Kontakt</a><a href=/impressum>Impressum</a></div></div>\
             <main>{main}</main><div class=footer><div>Tischlerei Holmgart GmbH</div><div>Sägeweg 7</div><div>37999 Ulmbach</div><div>Fon 05555 120120</div></div></body></html>"
        )
    };
    Web::new()
        .page(
            "https://holmgart.example/",
            &page(
                "Tischlerei Holmgart in Ulmbach",
                "<div class=s><h1>Holz, das bleibt</h1><div><p>Die Tischlerei Holmgart baut Treppen, Türen und Möbel aus heimischem Holz.</p></div></div>\
                 <div class=s><h2>Unsere Leistungen</h2><div class=row><div class=col><div><img src=a.jpg></div><div><span>Wangentreppen</span></div></div>\
                 <div class=col><div><img src=b.jpg></div><div><span>Haustüren</span></div></div><div class=col><div><img src=c.jpg></div><div><span>Einbauschränke</span></div></div></div></div>\
                 <div class=s><h2>Wofür wir stehen</h2><div class=row><div><h3>Sorgfalt</h3><p>Wir messen zweimal und sägen einmal.</p></div>\
                 <div><h3>Ruhe</h3><p>Wir kommen, wann wir es sagen.</p></div></div></div>",
            ),
        )
        .page(
            "https://holmgart.example/leistungen",
            &page(
                "Leistungen",
                "<div><h2>Leistungen</h2></div><div><h2>Wangentreppen</h2><p>Eiche, Esche oder Lärche, gefertigt in der eigenen Werkstatt.</p></div>\
                 <div><h2>Restaurierung</h2><p>Alte Fenster und Türen, die wieder schließen sollen.</p></div>",
            ),
        )
        .page(
            "https://holmgart.example/betrieb",
            &page(
                "Über uns",
                "<h1>Über uns</h1><p>Die Tischlerei Holmgart wurde 1974 gegründet und beschäftigt heute 18 Mitarbeitende.</p>",
            ),
        )
        .page(
            "https://holmgart.example/kontakt",
            &page(
                "Kontakt",
                "<h1>Kontakt</h1><div><div>Mo–Do</div><div>7.00–16.30 Uhr</div></div>",
            ),
        )
        .page(
            "https://holmgart.example/impressum",
            &page(
                "Impressum",
                "<h1>Impressum</h1><p>Tischlerei Holmgart GmbH<br>Sägeweg 7<br>37999 Ulmbach</p><p>Handelsregister: HRB 734512, Amtsgericht Ulmbach</p>",
            ),
        )
}

#[test]
fn a_joinery_of_nested_blocks_is_read() {
    let draft = site(joinery(), "https://holmgart.example/").draft();
    assert_eq!(
        at(&draft, "/voice/vocabulary/preferred"),
        &json!([
            "Wangentreppen",
            "Restaurierung",
            "Haustüren",
            "Einbauschränke"
        ])
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 1974);
    assert_eq!(at(&draft, "/identity/employee_range"), "11-50");
    assert_eq!(at(&draft, "/identity/tagline"), "Holz, das bleibt");
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Ulmbach", "region": null, "country": "DE"})
    );
    assert_eq!(
        at(&draft, "/foundations/values"),
        &json!([
            {"name": "Sorgfalt", "description": "Wir messen zweimal und sägen einmal."},
            {"name": "Ruhe", "description": "Wir kommen, wann wir es sagen."}
        ])
    );
}
