//! What looks like a fact of the company and is none, and how sure a fact is that one place alone tells.

use gtm_sdk::json::json;

use crate::run::{acme, at, basis, members, proofs_of};
use crate::web::home;

const PIXEL: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' width='120' height='40' viewBox='0 0 120 40'><path d='M0 0h120v40H0z'/></svg>";

#[test]
fn a_heading_about_the_company_is_no_tagline() {
    let web = home("en", &[], "<h1>About Roe & Partners</h1>", "© Acme");
    assert!(at(&acme(web).draft(), "/identity/tagline").is_null());
}

#[test]
fn the_number_of_a_form_counts_nobody() {
    let range = |main: &str| {
        let main = format!("<h1>Acme</h1>{main}");
        at(
            &acme(home("en", &[], &main, "")).draft(),
            "/identity/employee_range",
        )
        .clone()
    };
    assert!(range("<ul><li>Filing of Form 73 for employees.</li></ul>").is_null());
    assert_eq!(range("<p>Acme employs 95 people today.</p>"), "51-200");
}

#[test]
fn services_around_a_registered_office_are_no_legal_line() {
    let main =
        "<h1>Acme</h1><ul><li>Moves of stores, yards, registered office and the like.</li></ul>";
    let web = home(
        "en",
        &[],
        main,
        "<p>Registered office: Mill Yard, Leeds</p>",
    );
    assert_eq!(
        at(&acme(web).draft(), "/governance/required_legal_lines"),
        &json!(["Registered office: Mill Yard, Leeds"])
    );
}

/// German `ihren` is `their`: only a capital makes it `your`.
#[test]
fn a_sale_of_others_does_not_speak_to_the_reader() {
    let body = "<h1>Acme</h1><p>Die Holm-Gruppe wird mit ihren Töchtern von der Bergstein-Gruppe gekauft.</p>\
        <p>Jede Stufe der Treppe passt am Ende genau in Ihr Haus und bleibt dort.</p>";
    let draft = acme(home("de", &[], body, "")).draft();
    let first = &at(&draft, "/voice/samples")[0];
    assert_eq!(
        first,
        "Jede Stufe der Treppe passt am Ende genau in Ihr Haus und bleibt dort."
    );
}

#[test]
fn items_of_lists_are_no_samples_of_the_voice() {
    let main = "<h1>Acme</h1><p>We keep every part for fifteen years, so that nothing has to be thrown away.</p>\
        <ul><li>Getting early answers to questions that nobody has decided yet.</li></ul>";
    let draft = acme(home("en", &[], main, "")).draft();
    let samples = at(&draft, "/voice/samples").as_array().unwrap();
    assert!(
        samples
            .iter()
            .all(|sample| sample.as_str().unwrap().starts_with("We ")),
        "{samples:?}"
    );
}

#[test]
fn data_of_goods_are_no_figures_of_the_company() {
    let goods = "<h1>Products</h1><h2>Van 3</h2><ul><li>201.233 km on the clock</li><li>First owner</li></ul>";
    let web = home("en", &[("/products", "Products")], "<h1>Acme</h1>", "")
        .text("https://acme.example/products", goods);
    assert_eq!(proofs_of(&acme(web).draft(), "metric"), [""; 0]);
}

#[test]
fn benefits_of_a_thing_are_not_what_the_company_promises() {
    let list = "<ul><li>Less money tied up in machines.</li><li>Experts whenever they are needed.</li></ul>";
    let draft = |heading: &str| {
        let web = home("en", &[("/services", "Services")], "<h1>Acme</h1>", "").text(
            "https://acme.example/services",
            &format!("<h1>{heading}</h1>{list}"),
        );
        acme(web).draft()
    };
    let told = |heading: &str| {
        let draft = draft(heading);
        members(at(&draft, "/positioning/value_propositions"), "statement").len()
    };
    assert_eq!((told("Benefits of leasing"), told("Benefits")), (0, 2));
}

#[test]
fn a_partner_s_logo_is_not_the_company_s() {
    let page = |logo: &str| {
        format!("<h1>Acme</h1><img src={logo} alt=logo class=logo width=120 height=40>")
    };
    let partners = "<html lang=en><head><title>About</title></head><body><main><h1>About</h1><img src=/partner.svg alt='Partner logo' class=logo width=120 height=40></main></body></html>";
    let web = home("en", &[("/about", "About")], "<h1>Acme</h1>", "")
        .page("https://acme.example/about", partners)
        .file("https://acme.example/partner.svg", "image/svg+xml", PIXEL);
    assert_eq!(at(&acme(web).draft(), "/visual/logos"), &json!([]));
    let web = home("en", &[], &page("/own.svg"), "").file(
        "https://acme.example/own.svg",
        "image/svg+xml",
        PIXEL,
    );
    assert_eq!(
        members(at(&acme(web).draft(), "/visual/logos"), "url"),
        ["https://acme.example/own.svg"]
    );
}

#[test]
fn what_one_place_tells_is_less_sure_than_what_two_or_structured_data_tell() {
    let values = "<h2>Our values</h2><h3>Plain words</h3><p>We say what a scale can't do.</p><h3>Long repair</h3><p>We mend before we sell.</p>";
    let slogan = |head: &str| {
        let page = format!(
            "<html lang=en><head><title>Acme</title>{head}</head><body><main><h1>Weigh less, know more</h1>{values}</main></body></html>"
        );
        let web = crate::web::Web::new().page("https://acme.example/", &page);
        acme(web).draft()
    };
    let once = slogan("");
    let declared = slogan(
        r#"<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/","slogan":"Weigh less, know more"}</script>"#,
    );
    assert_eq!(basis(&once, "/identity/tagline")["basis"], "observed");
    assert_eq!(basis(&once, "/foundations/values/0")["basis"], "observed");
    assert_eq!(basis(&declared, "/identity/tagline")["basis"], "stated");
}

#[test]
fn the_name_with_its_trade_and_place_is_no_tagline() {
    let tagline = |heading: &str| {
        let main = format!("<h1>{heading}</h1><p>Acme Pozzi scava pozzi.</p>");
        let page = format!(
            "<html lang=it><head><title>Acme Pozzi</title><meta property=og:site_name content='Acme Pozzi'></head><body><main>{main}</main></body></html>"
        );
        let draft = acme(crate::web::Web::new().page("https://acme.example/", &page)).draft();
        at(&draft, "/identity/tagline").clone()
    };
    for heading in [
        "Acme Pozzi – trivellazioni Cassola",
        "Acme Pozzi | Scavi e trivellazioni a Cassola",
        "Trivellazioni Cassola – Acme Pozzi",
    ] {
        assert!(tagline(heading).is_null(), "{heading}");
    }
    assert_eq!(
        tagline("L'acqua che trova la strada da sola"),
        "L'acqua che trova la strada da sola"
    );
}

#[test]
fn what_all_titles_repeat_is_no_trade_where_no_name_is_known() {
    let page = |title: &str, main: &str| {
        format!(
            "<html lang=en><head><title>{title}</title></head><body><nav><a href=/one>One</a> <a href=/two>Two</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = crate::web::Web::new()
        .page(
            "https://acme.example/",
            &page(
                "Blue Heron",
                "<h2>Blue Heron</h2><p>Blue Heron is by the lake.</p>",
            ),
        )
        .page(
            "https://acme.example/one",
            &page("Blue Heron", "<p>Ask at the Blue Heron.</p>"),
        )
        .page(
            "https://acme.example/two",
            &page("Blue Heron", "<p>Rooms of the Blue Heron.</p>"),
        );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/industries"), &json!([]));
}

#[test]
fn codes_of_places_and_grades_are_no_figures() {
    let main = "<h1>Acme</h1><h2>Our figures</h2><ul><li>Customers in Cergy (95)</li><li>4.9/5 on reviews</li><li>1,200 pumps in service</li></ul>";
    let draft = acme(home("en", &[], main, "")).draft();
    assert_eq!(proofs_of(&draft, "metric"), ["1,200 pumps in service"]);
}

#[test]
fn the_province_of_a_town_stands_once() {
    let main = r#"<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/","address":{"@type":"PostalAddress","addressLocality":"Cassola (VI)","addressRegion":"VI","addressCountry":"IT"}}</script><h1>Acme</h1>"#;
    let draft = acme(home("it", &[], main, "")).draft();
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Cassola", "region": "VI", "country": "IT"})
    );
}

#[test]
fn an_answer_whose_rest_is_a_list_is_none() {
    let main = "<h1>Acme</h1><h2>FAQ</h2><h3>How long does it take?</h3><p>It takes two weeks from the order to the last test.</p>\
        <h3>What does it cost?</h3><p>The price of a pump depends on these three things:</p><ul><li>its depth</li></ul>\
        <h3>Do you deliver to islands?</h3><p>We deliver to every island that a ferry goes to.</p>";
    let draft = acme(home("en", &[], main, "")).draft();
    let asked = members(at(&draft, "/messaging/objections"), "objection");
    assert_eq!(
        asked,
        ["How long does it take?", "Do you deliver to islands?"]
    );
}
