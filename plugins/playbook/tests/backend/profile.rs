//! The company profile: what is sold, to whom and where, on pages with the markup of real ones.

use gtm_sdk::Value;

use crate::run::acme;
use crate::web::Web;

fn profile(web: Web) -> Value {
    acme(web).only(&["company_profile"]).draft()["result"]["company_profile"].clone()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().unwrap().iter();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

fn page(url: &str, body: &str) -> (String, String) {
    let html = format!(
        "<html lang=en><head><title>Acme</title></head><body><nav><a href=/>Home</a> <a href=/services.html>Services</a> <a href=/customers.html>Customers</a></nav><main>{body}<p>Acme builds what lasts for the north of England, and mends it when it does not.</p></main></body></html>"
    );
    (url.to_owned(), html)
}

fn site(pages: &[(&str, &str)]) -> Web {
    pages.iter().fold(Web::new(), |web, (path, body)| {
        let (url, html) = page(&format!("https://acme.example{path}"), body);
        web.page(&url, &html)
    })
}

fn offerings(pages: &[(&str, &str)]) -> Vec<String> {
    texts(&profile(site(pages))["offerings"])
}

#[test]
fn the_first_cards_of_a_page_of_services_are_sold_and_its_steps_are_not() {
    let services = "<h1>Our Services</h1><p>All from one hand.</p>\
        <h2>Two trades, one crew</h2>\
        <div><h3>Paving</h3><p>We lay and mend paths and yards.</p></div>\
        <div><h3>Drainage</h3><p>We lay and mend sewers and drains.</p></div>\
        <h2>From call to handover</h2>\
        <div><div>01</div><h3>Site visit</h3><p>We come and look at what you need.</p></div>\
        <div><div>02</div><h3>Planning</h3><p>We plan the work with you and your town.</p></div>\
        <h2>Machines of our own</h2><p>We own all of our diggers and lorries.</p>";
    let home = "<h1>Acme</h1><p>Acme builds roads.</p>";
    assert_eq!(
        offerings(&[("/", home), ("/services.html", services)]),
        ["Paving", "Drainage"]
    );
}

#[test]
fn a_line_above_a_heading_announces_what_is_sold() {
    let home = "<h1>Cool air for the north</h1><p>Acme builds plants.</p>\
        <div>Our services</div><h2>From plan to care</h2>\
        <h3>Ventilation</h3><p>We plan and build ventilation for halls.</p>\
        <h3>Refrigeration</h3><p>We plan and build cold stores for dairies.</p>\
        <div>Customers</div><h2>Results that speak</h2>\
        <h3>Port of Ripon</h3><p>We cool the halls of the port.</p>\
        <h3>Globex Dairy</h3><p>We cool the stores of the dairy.</p>";
    assert_eq!(offerings(&[("/", home)]), ["Ventilation", "Refrigeration"]);
}

#[test]
fn offerings_may_have_the_words_of_the_navigation() {
    let links = [
        ("/rams.html", "Ram pumps"),
        ("/wheels.html", "Water wheels"),
        ("/gates.html", "Sluices"),
        ("/about.html", "About us"),
    ];
    let nav: String = links
        .iter()
        .map(|(path, text)| format!("<li><a href={path}>{text}</a></li>"))
        .collect();
    let page = |main: &str| {
        format!(
            "<html lang=en><head><title>Acme</title></head><body><nav><ul>{nav}</ul></nav><main>{main}</main></body></html>"
        )
    };
    let home = page(
        "<h1>Acme</h1><p>Acme builds what moves water in the north of England.</p><h2>Our products</h2>\
         <h3>Ram pumps</h3><p>They lift water by its own fall.</p>\
         <h3>Water wheels</h3><p>They turn slowly and last for decades.</p>\
         <h3>Sluices</h3><p>They hold the pond in spring.</p>",
    );
    let mut web = Web::new().page("https://acme.example/", &home);
    for (path, text) in links {
        let html = page(&format!(
            "<p>Acme has made {} since 1950.</p>",
            text.to_lowercase()
        ));
        web = web.page(&format!("https://acme.example{path}"), &html);
    }
    assert_eq!(
        texts(&profile(web)["offerings"]),
        ["Ram pumps", "Water wheels", "Sluices"]
    );
}

#[test]
fn lines_of_plans_and_tools_under_a_named_service_are_not_sold() {
    let services = "<h1>Our Services</h1>\
        <h2>Editing services</h2><p>We cut films.</p><ul><li>Globex Cutter</li><li>Two cranes</li></ul>\
        <h2>Filming services</h2><p>We shoot films.</p><ul><li>All of the basic plan</li><li>Fixed monthly fee</li></ul>";
    let sold = offerings(&[("/", "<h1>Acme</h1>"), ("/services.html", services)]);
    assert_eq!(sold, ["Editing services", "Filming services"]);
}

#[test]
fn whole_cards_that_lead_to_pages_of_their_own_are_sold() {
    let home = "<h1>Maps</h1><p>Acme draws maps.</p><h2>Four trades, one standard</h2>\
        <a href=/levels.html><h3>Levelling</h3><p>We level land to the inch.</p><span>Read more</span></a>\
        <a href=/pipes.html><h3>Finding pipes</h3><p>We find pipes and wires in the ground.</p><span>Read more</span></a>\
        <h2>Our customers</h2><a href=/customers/ripon.html><h3>Town of Ripon</h3><p>We drew the maps of the town.</p></a>\
        <a href=/customers/globex.html><h3>Globex</h3><p>We drew the maps of the works.</p></a>";
    let customers = "<h1>Customers</h1><h2>Town of Ripon</h2><p>Maps.</p><h2>Globex</h2><p>Maps.</p>\
        <a href=/>Home</a>";
    let web = [("/", home), ("/customers.html", customers)];
    assert_eq!(offerings(&web), ["Levelling", "Finding pipes"]);
}

#[test]
fn regions_stand_in_structured_data_and_tables() {
    let home = r#"<script type="application/ld+json">{"@context": "https://schema.org", "@type": "LocalBusiness", "name": "Acme", "url": "https://acme.example/",
        "areaServed": [{"@type": "City", "name": "Ripon"}, {"@type": "Place", "name": "Greater Ripon"}, {"@type": "Country", "name": "日本"}]}</script>
        <h1>Acme</h1><table><tr><th>Service area</th><td>Dales and Moors</td></tr></table>"#;
    let markets = texts(&profile(site(&[("/", home)]))["markets"]);
    assert_eq!(markets, ["Greater Ripon", "Dales and Moors", "Japan"]);
}

#[test]
fn sentences_name_the_regions_that_are_served() {
    let markets = |language: &str, main: &str| {
        let page = format!(
            "<html lang={language}><head><title>Acme</title></head><body><main><h1>Acme</h1>{main}</main></body></html>"
        );
        texts(&profile(Web::new().page("https://acme.example/", &page))["markets"])
    };
    for (language, main, regions) in [
        (
            "en",
            "<p>Acme covers the whole of North Yorkshire, by day and by night.</p>",
            vec!["North Yorkshire"],
        ),
        (
            "en",
            "<p>We are drivers, serving Ripon and Thirsk by day and by night.</p><p>4 Mill Lane, Ripon, HG4 1AA</p>",
            vec!["Ripon", "Thirsk"],
        ),
        (
            "de",
            "<p>Wir fahren jeden Tag und jede Nacht im Raum Quellstadt und Moorheim.</p>",
            vec!["Quellstadt", "Moorheim"],
        ),
        // Names of customers stand behind the same verb.
        (
            "en",
            "<p>We are drivers, serving Globex and Initech by day and by night.</p><p>4 Mill Lane, Ripon, HG4 1AA</p>",
            vec![],
        ),
    ] {
        assert_eq!(markets(language, main), regions, "{main}");
    }
}

#[test]
fn regions_stand_in_lists_and_in_words_for_the_whole_country() {
    let markets = |body: &str| texts(&profile(site(&[("/", body)]))["markets"]);
    let towns = "<h2>Service areas</h2><p>Our vans are on the road every day.</p><ul><li>Ripon</li><li>Thirsk</li><li>Bedale</li></ul>";
    assert_eq!(markets(towns), ["Ripon", "Thirsk", "Bedale"]);
    let in_one = "<h2>Areas we cover</h2><p>Ripon, Thirsk, Bedale</p>";
    assert_eq!(markets(in_one), ["Ripon", "Thirsk", "Bedale"]);
    assert_eq!(
        markets("<p>We mend pumps nationwide in every season.</p>"),
        ["nationwide"]
    );
    assert_eq!(markets("<p>Service area: nationwide</p>"), ["nationwide"]);
    let declared = r#"<script type="application/ld+json">{"@type": "Service", "name": "Paving", "areaServed": [{"@type": "City", "name": "Ripon"}]}</script>"#;
    assert_eq!(markets(declared), ["Ripon"]);
    for body in [
        "<h2>Service areas</h2><ul><li>we come to you</li><li>ask us first</li><li>call at any time</li></ul>",
        "<h2>Our halls</h2><ul><li>Ripon</li><li>Thirsk</li><li>Bedale</li></ul>",
        "<p>We are part of a nationwide group of halls.</p>",
    ] {
        assert_eq!(markets(body), [""; 0], "{body}");
    }
}

#[test]
fn a_country_is_one_market_in_the_playbooks_language() {
    let body = "<p>Acme serves Germany, Austria and France.</p><h2>Service areas</h2><ul><li>Deutschland</li><li>Österreich</li><li>Frankreich</li></ul>";
    let markets = texts(&profile(site(&[("/", body)]))["markets"]);
    for name in ["Germany", "Austria"] {
        let times = markets.iter().filter(|market| *market == name).count();
        assert_eq!(times, 1, "{name} in {markets:?}");
    }
    for name in ["Deutschland", "Österreich"] {
        assert!(!markets.contains(&name.to_owned()), "{markets:?}");
    }
}
