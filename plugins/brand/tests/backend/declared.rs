//! What structured data declares of the company's buyers.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, members};
use crate::web::Web;

/// A home page with this structured data of the company, and this main content.
fn draft(language: &str, node: &Value, main: &str) -> Value {
    let mut node = node.clone();
    node["@type"] = json!("Organization");
    node["name"] = json!("Acme");
    acme(Web::new().page(
        "https://acme.example/",
        &format!(
            "<html lang={language}><head><title>Acme</title><script type=\"application/ld+json\">{node}</script></head>\
             <body><main><h1>Acme</h1>{main}</main></body></html>"
        ),
    ))
    .draft()
}

#[test]
fn declared_audiences_are_buyers_where_no_page_lists_any() {
    for (language, audience, names) in [
        (
            "en",
            json!({"@type": "BusinessAudience", "audienceType": "Boat yards and rope makers"}),
            vec!["Boat yards and rope makers"],
        ),
        (
            "it",
            json!([{"@type": "Audience", "name": "Falegnami, velai"}, {"@type": "Audience", "name": "Cantieri navali"}]),
            vec!["Falegnami", "velai", "Cantieri navali"],
        ),
        (
            "de",
            json!({"@type": "PeopleAudience", "suggestedMinAge": 3}),
            vec![],
        ),
    ] {
        let draft = draft(language, &json!({"audience": audience}), "");
        assert_eq!(members(at(&draft, "/audience/segments"), "name"), names);
    }
    let listed = draft(
        "en",
        &json!({"audience": {"@type": "Audience", "name": "Everybody else"}}),
        "<p>We work for schools, hotels and farms.</p>",
    );
    assert_eq!(
        members(at(&listed, "/audience/segments"), "name"),
        ["schools", "hotels", "farms"]
    );
}

#[test]
fn what_another_page_tells_searchers_of_itself_does_not_describe_the_company() {
    let page = |title: &str, text: &str, links: &str| {
        format!(
            "<html lang=en><head><title>{title}</title><meta name=description content='{text}'>\
             <script type='application/ld+json'>{{\"@type\":\"LocalBusiness\",\"name\":\"Acme\",\"url\":\"https://acme.example/\",\"description\":\"{text}\"}}</script>\
             </head><body><nav>{links}</nav><main><h1>{title}</h1></main></body></html>"
        )
    };
    let reach = "Telephone, map and form with which you ask Acme for a quote, a visit or a bell of your own, in the town or far away from it, whatever day of the week and whatever the weather in the hills.";
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page(
                "Acme",
                "Acme casts bells for towers.",
                "<a href=/contact>Contact</a>",
            ),
        )
        .page("https://acme.example/contact", &page("Contact", reach, ""));
    let draft = acme(web).draft();
    assert_eq!(
        at(&draft, "/identity/description_short"),
        "Acme casts bells for towers."
    );
    assert!(at(&draft, "/identity/description_long").is_null());
}
