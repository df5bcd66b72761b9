//! What a company sells: whole lists before details, things before their variants and aspects.

use crate::run::acme;
use crate::web::Web;

/// The offerings of a site whose pages have this navigation, each with the main text of its path.
pub fn sold(language: &str, nav: &str, pages: &[(&str, &str)]) -> Vec<String> {
    let told = match language {
        "ja" => "Acmeは街の看板と窓口を作り、長く使えるように手入れを続けている会社です。",
        "de" => {
            "Acme baut Wege und Kanäle, die halten, und bessert sie aus, wenn sie es nicht tun."
        }
        _ => "Acme builds what lasts for the north of England, and mends it when it does not.",
    };
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav>{nav}</nav><main>{main}<h2>Acme</h2><p>{told}</p></main></body></html>"
        )
    };
    let web = pages.iter().fold(Web::new(), |web, (path, main)| {
        web.page(&format!("https://acme.example{path}"), &page(main))
    });
    let draft = acme(web).only(&["company_profile"]).draft();
    let offerings = draft["result"]["company_profile"]["offerings"].clone();
    serde_json::from_value(offerings).unwrap()
}

/// Cards with a sentence each, below headings of a level.
pub fn cards(level: u8, names: &[&str]) -> String {
    let card = |name: &&str| {
        format!(
            "<div><h{level}>{name}</h{level}><p>We build {name} ourselves, and mend them.</p></div>"
        )
    };
    names.iter().map(card).collect()
}

#[test]
fn a_short_word_in_other_letters_names_a_service_and_its_aspects_do_not() {
    let nav = "<a href=/service>サービス</a><a href=/company>会社概要</a>";
    let aspects = |one: &str, two: &str| {
        format!(
            "<dl><dt>利用シーン</dt><dd>{one}の場面でお使いいただけます。</dd><dt>導入効果の例</dt><dd>{two}が半分になります。</dd><dt>料金</dt><dd>{one}一通ごとに計算します。</dd></dl>"
        )
    };
    let service = format!(
        "<h1>サービス</h1><p>青葉は三つの窓口で街の連絡を支えています。</p><h2>SMSサービス</h2><p>短い連絡を届けます。</p>{}<h2>FAXサービス</h2><p>紙の連絡を届けます。</p>{}",
        aspects("予約", "電話"),
        aspects("注文", "手間"),
    );
    assert_eq!(
        sold("ja", nav, &[("/", "<h1>Acme</h1>"), ("/service", &service)]),
        ["SMSサービス", "FAXサービス"]
    );
}

#[test]
fn a_product_stays_and_its_variants_are_none() {
    let nav = "<a href=/products>Products</a><a href=/about>About us</a>";
    let products = format!(
        "<h1>Products</h1><h2>Ram pumps</h2><p>They lift water by its own fall.</p>{}<h2>Water wheels</h2><p>They turn slowly.</p><h2>Sluices</h2><p>They hold the pond.</p>{}",
        cards(3, &["Ram pumps 20", "Ram pumps 40"]),
        cards(3, &["Sluices of oak", "Sluices of steel"]),
    );
    assert_eq!(
        sold(
            "en",
            nav,
            &[("/", "<h1>Acme</h1>"), ("/products", &products)]
        ),
        ["Ram pumps", "Water wheels", "Sluices"]
    );
}

#[test]
fn what_the_home_page_lists_comes_before_details_of_single_pages() {
    let nav = "<a href=/services/walls>Walls</a><a href=/services/roofs>Roofs</a>";
    let home = format!(
        "<h1>Acme</h1><h2>Our services</h2>{}",
        cards(3, &["Walls", "Roofs", "Floors"])
    );
    let materials = |of: &str| -> String {
        let names: Vec<String> = [
            "Oak", "Lime", "Clay", "Slate", "Reed", "Cork", "Hemp", "Turf", "Flint",
        ]
        .iter()
        .map(|name| format!("{name} {of}"))
        .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        cards(3, &names)
    };
    let walls = format!(
        "<h1>Walls</h1><p>All walls.</p><h2>Products for walls</h2>{}",
        materials("boards")
    );
    let roofs = format!(
        "<h1>Roofs</h1><p>All roofs.</p><h2>Products for roofs</h2>{}",
        materials("tiles")
    );
    let pages = [
        ("/", home.as_str()),
        ("/services/walls", &walls),
        ("/services/roofs", &roofs),
    ];
    let found = sold("en", nav, &pages);
    assert_eq!(found[..3], ["Walls", "Roofs", "Floors"], "{found:?}");
}

#[test]
fn links_below_services_name_them() {
    let nav = "<ul><li><a href=/services/>Services</a><ul><li><a href=/services/paving>Paving</a></li><li><a href=/services/drains>Drains</a></li></ul></li>\
        <li><a href=/about>About us</a></li><li><a href=/news/fair>Our fair</a></li><li><a href=/news/move>We moved</a></li></ul>";
    let home = "<h1>Acme</h1><p>Acme builds roads and yards in the north of England.</p>";
    assert_eq!(sold("en", nav, &[("/", home)]), ["Paving", "Drains"]);
}

#[test]
fn tiles_of_links_under_a_heading_of_services_name_them() {
    let tiles = "<h1>Acme</h1><h2>Our services</h2><p>All that a yard needs comes from one hand, and at a fixed price.</p>\
        <div><a href=/paving><div>Paving</div></a><a href=/drains><div>Drains</div></a><a href=/fences><div>Fences</div></a></div><p>Call on weekdays.</p>";
    assert_eq!(
        sold("en", "", &[("/", tiles)]),
        ["Paving", "Drains", "Fences"]
    );
    let list = "<h1>Acme</h1><h2>Leistungen</h2><ul><li><a href=/p>Pflaster</a></li><li><a href=/k>Kanäle</a></li><li><a href=/leistungen>Alle Leistungen</a></li></ul>\
        <h2>Neues</h2><ul><li><a href=/n1>Messe in Ulm</a></li><li><a href=/n2>Neuer Bagger</a></li></ul>";
    assert_eq!(sold("de", "", &[("/", list)]), ["Pflaster", "Kanäle"]);
}

#[test]
fn a_link_outside_the_folder_of_its_row_names_nothing() {
    let row = |tiles: &str| {
        format!("<h1>Acme</h1><h2>Our services</h2><div>{tiles}</div><p>Call on weekdays.</p>")
    };
    let tile = |path: &str, name: &str| format!("<a href={path}><div>{name}</div></a>");
    let tiles = [
        tile("/work/paving", "Paving"),
        tile("/work/drains", "Drains"),
        tile("/gallery", "Gallery"),
    ];
    assert_eq!(
        sold("en", "", &[("/", &row(&tiles.concat()))]),
        ["Paving", "Drains"]
    );
}

#[test]
fn a_slogan_that_several_pages_repeat_is_no_service() {
    let nav =
        "<a href=/products>Products</a><a href=/about>About us</a><a href=/a>A</a><a href=/b>B</a>";
    let cards = format!(
        "<h1>Acme</h1><h2>At a glance</h2>{}",
        cards(3, &["Ram pumps", "Stone before steel"])
    );
    let plain = |title: &str| format!("<h1>{title}</h1><p>{title} of the works.</p>");
    let other = |title: &str| {
        let plain = plain(title);
        format!("{plain}<h2>Stone before steel</h2><p>Always.</p>")
    };
    let pages = [
        ("/", cards),
        ("/products", other("Ram pumps")),
        ("/about", other("About us")),
        ("/a", plain("Yards")),
        ("/b", plain("Wells")),
    ];
    let pages: Vec<(&str, &str)> = pages
        .iter()
        .map(|(at, main)| (*at, main.as_str()))
        .collect();
    let found = sold("en", nav, &pages);
    assert!(
        !found.contains(&"Stone before steel".to_owned()),
        "{found:?}"
    );
}

#[test]
fn two_forms_of_a_name_are_one() {
    let nav = "<a href=/services>Services</a>";
    let list = |names: &[&str]| {
        let items: String = names
            .iter()
            .map(|name| format!("<li>{name}</li>"))
            .collect();
        format!("<h1>Services</h1><h2>Our services</h2><ul>{items}</ul>")
    };
    let pages = [
        ("/", list(&["Repairs & care", "Roof tiles"])),
        (
            "/services",
            list(&["Repair and care", "Roof tile", "Gutters"]),
        ),
    ];
    let pages: Vec<(&str, &str)> = pages
        .iter()
        .map(|(at, main)| (*at, main.as_str()))
        .collect();
    let found = sold("en", nav, &pages);
    let repairs = found.iter().filter(|name| name.starts_with("Repair"));
    assert_eq!(repairs.count(), 1, "{found:?}");
    assert!(found.contains(&"Gutters".to_owned()), "{found:?}");
}

#[test]
fn the_kind_of_a_catalogue_is_none_of_its_offerings() {
    let data = |node: &str| {
        format!(
            "<h1>Acme</h1><script type='application/ld+json'>{node}</script><p>Hedges, lawns and garden care.</p>"
        )
    };
    let catalogue = r#"{"@type":"Service","serviceType":"Garden care","hasOfferCatalog":{"@type":"OfferCatalog","itemListElement":[{"@type":"Offer","itemOffered":{"@type":"Service","name":"Hedges"}},{"@type":"Offer","itemOffered":{"@type":"Service","name":"Lawns"}}]}}"#;
    assert_eq!(
        sold("en", "", &[("/", &data(catalogue))]),
        ["Hedges", "Lawns"]
    );
    let alone = r#"{"@type":"Service","serviceType":"Garden care"}"#;
    assert_eq!(sold("en", "", &[("/", &data(alone))]), ["Garden care"]);
    let own = r#"{"@type":"LocalBusiness","name":"Acme","url":"https://acme.example/","serviceType":["Hedges","Lawns"]}"#;
    assert_eq!(sold("en", "", &[("/", &data(own))]), ["Hedges", "Lawns"]);
}

#[test]
fn what_a_form_offers_to_choose_is_not_sold() {
    let question = "<h2>Which service do you need?</h2><h3>Small one</h3><p>Up to ten.</p><h3>Large one</h3><p>More than ten.</p>";
    let form = "<h2>Our services</h2><ul><li><label><input type=radio>Private</label></li><li><label><input type=radio>Business</label></li></ul>";
    for main in [question, form] {
        let main = format!("<h1>Acme</h1>{main}");
        assert_eq!(sold("en", "", &[("/", &main)]), [""; 0], "{main}");
    }
}

#[test]
fn a_price_behind_a_name_makes_no_other_name() {
    let main = "<h1>Acme</h1><h2>Our services</h2><ul><li>Deep massage</li><li>Hand massage</li></ul>\
        <h2>Services and prices</h2><ul><li>Deep massage from 90 €</li><li>Hand massage – from 40 €</li></ul>";
    assert_eq!(
        sold("en", "", &[("/", main)]),
        ["Deep massage", "Hand massage"]
    );
}

#[test]
fn topics_that_a_company_knows_are_offerings_where_nothing_else_is() {
    let data = r#"<script type="application/ld+json">{"@type": "Organization", "name": "Acme", "knowsAbout": ["Staircase building", "Joinery"]}</script>"#;
    let sold = |main: &str| {
        let main = format!("{data}<h1>Acme</h1>{main}");
        sold("en", "", &[("/", &main)])
    };
    assert_eq!(sold(""), ["Staircase building", "Joinery"]);
    let listed = "<h2>Our services</h2><ul><li>Stairs</li><li>Doors</li></ul>";
    assert_eq!(sold(listed), ["Stairs", "Doors"]);
}

#[test]
fn a_sentence_announces_what_is_sold() {
    let main = |lead: &str| {
        format!("<h1>Acme</h1><p>{lead}</p><ul><li>Stairs of oak</li><li>Doors of ash</li></ul>")
    };
    let services = main("Our services include:");
    assert_eq!(
        sold("en", "", &[("/", &services)]),
        ["Stairs of oak", "Doors of ash"]
    );
    assert_eq!(
        sold("en", "", &[("/", &main("You need to bring:"))]),
        [""; 0]
    );
}

#[test]
fn customers_and_promises_and_extras_are_no_offerings() {
    let none = |language: &str, main: &str| {
        let main = format!("<h1>Acme</h1>{main}");
        assert_eq!(sold(language, "", &[("/", &main)]), [""; 0], "{main}");
    };
    let trades = cards(3, &["Pharmacies", "Bakeries", "Mills"]);
    none(
        "en",
        &format!("<span>Industry applications</span><h2>Industry-Specific Solutions</h2>{trades}"),
    );
    none("en", &format!("<h2>Solutions by sector</h2>{trades}"));
    none(
        "de",
        &format!(
            "<h2>Branchenlösungen</h2>{}",
            cards(3, &["Mühlen", "Bäckereien"])
        ),
    );
    let promises = cards(3, &["Fester Ansprechpartner", "Keine Vorabgebühren"]);
    for heading in [
        "Unser Leistungsversprechen",
        "Produktqualität",
        "Unsere Leistungsfähigkeit",
    ] {
        none("de", &format!("<h2>{heading}</h2>{promises}"));
    }
    let extras = cards(3, &["Strategic location", "Regional expertise"]);
    none(
        "en",
        &format!("<h2>Nationwide Service Across Ireland</h2>{extras}"),
    );
}

#[test]
fn a_later_heading_must_only_announce_or_its_cards_have_pages() {
    let walls = format!("<h2>Our services</h2>{}", cards(3, &["Walls", "Roofs"]));
    let extras = cards(3, &["Express delivery", "Custom quotes"]);
    let main = format!("<h1>Acme</h1>{walls}<h2>Professional equipment services</h2>{extras}");
    assert_eq!(sold("en", "", &[("/", &main)]), ["Walls", "Roofs"]);
    let linked = "<h3><a href=/p>Paving</a></h3><p>We pave.</p><h3><a href=/d>Drains</a></h3><p>We drain.</p>";
    let main = format!("<h1>Acme</h1>{walls}<h2>Yard services</h2>{linked}");
    assert_eq!(
        sold("en", "", &[("/", &main)]),
        ["Walls", "Roofs", "Paving", "Drains"]
    );
}

#[test]
fn groups_of_customers_are_no_offerings_elsewhere() {
    let buyers = format!(
        "<h2>Industries we serve</h2>{}",
        cards(3, &["Bakeries", "Mills"])
    );
    let main = format!(
        "<h1>Acme</h1>{buyers}<h2>Our services</h2>{}",
        cards(3, &["Ovens", "Mills", "Sieves"])
    );
    assert_eq!(sold("en", "", &[("/", &main)]), ["Ovens", "Sieves"]);
}

#[test]
fn the_label_above_a_slogan_names_what_is_sold() {
    let part = |label: &str, slogan: &str| {
        format!("<section><span>{label}</span><h2>{slogan}</h2><p>We know how.</p></section>")
    };
    let main = format!(
        "<h1>Leistungen</h1>{}{}{}<h2>Ihr Teil, unsere Kunst</h2><p>Wir bauen.</p>",
        part("Fräsen", "Komplexes auf fünf Achsen"),
        part("Drehen", "Konventionell und mit Rechner"),
        part("Werkstoffe", "Material ab Lager, ohne Warten"),
    );
    // The navigation may name them, too.
    let nav = "<a href=/leistungen>Leistungen</a><a href=/leistungen>Fräsen</a><a href=/leistungen>Drehen</a>";
    let pages = [("/", "<h1>Acme</h1>"), ("/leistungen", main.as_str())];
    assert_eq!(sold("de", nav, &pages), ["Fräsen", "Drehen", "Werkstoffe"]);
    // What stands below a card is no label of the next one.
    let card =
        |name: &str, badge: &str| format!("<h2>{name}</h2><p>We know how.</p><div>{badge}</div>");
    let main = format!(
        "<h1>Services</h1><p>All of them.</p>{}{}{}",
        card("Walls of dry stone", "Granite"),
        card("Roofs of old slate", "Slate"),
        card("Floors of oak boards", "Oak"),
    );
    let pages = [("/", "<h1>Acme</h1>"), ("/services", main.as_str())];
    assert_eq!(
        sold("en", "<a href=/services>Services</a>", &pages),
        [
            "Walls of dry stone",
            "Roofs of old slate",
            "Floors of oak boards"
        ]
    );
}

#[test]
fn one_side_of_a_known_name_is_told() {
    let list = |items: &str| format!("<h1>Acme</h1><h2>Leistungen</h2><ul>{items}</ul>");
    let main =
        list("<li>Oberflächen &amp; Härten</li><li>Drehen</li><li>Oberflächen</li><li>Härten</li>");
    assert_eq!(
        sold("de", "", &[("/", &main)]),
        ["Oberflächen & Härten", "Drehen"]
    );
}

#[test]
fn a_number_may_be_part_of_a_name() {
    let list = |names: &[&str]| format!("<h1>Acme</h1><h2>Leistungen</h2>{}", cards(3, names));
    let main = list(&[
        "5-Achs-CNC-Fräsen",
        "3D-Druck",
        "24/7 da",
        "2 Wege",
        "3. Schritt",
    ]);
    assert_eq!(
        sold("de", "", &[("/", &main)]),
        ["5-Achs-CNC-Fräsen", "3D-Druck"]
    );
    for heading in [
        "<h2>Gewerke</h2>",
        "<h2>Qualifikationen, die wir abdecken</h2>",
        "<span>Unsere Gewerke</span><h2>Wen Sie bekommen</h2>",
    ] {
        let main = format!(
            "<h1>Acme</h1>{heading}{}",
            cards(3, &["Dachdecker", "Maurer"])
        );
        assert_eq!(
            sold("de", "", &[("/", &main)]),
            ["Dachdecker", "Maurer"],
            "{heading}"
        );
    }
}

#[test]
fn cards_that_all_lead_on_are_sold_if_one_has_a_page_of_its_name() {
    for (language, call, names) in [
        ("de", "Mehr erfahren", ["Stanzen", "Biegen", "Pressen"]),
        ("en", "Learn more", ["Punching", "Bending", "Pressing"]),
    ] {
        let card = |name: &str, path: &str| {
            format!("<h3>{name}</h3><p>{name}, 3000 mm.</p><a href=/{path}>{call}</a>")
        };
        let all = |path: &str| -> String {
            let cards = names.iter().map(|name| card(name, path));
            format!("<h2>3000 mm</h2>{}", cards.collect::<String>())
        };
        let nav = format!("<a href=/one>{}</a>", names[1]);
        let with_page = [
            ("/", all("one")),
            ("/one", format!("<h1>{}</h1>", names[1])),
        ];
        let pages: Vec<(&str, &str)> = with_page
            .iter()
            .map(|(path, main)| (*path, main.as_str()))
            .collect();
        assert_eq!(sold(language, &nav, &pages), names, "{language}");
        let without = all("two");
        let none: [String; 0] = [];
        assert_eq!(sold(language, "", &[("/", &without)]), none, "{language}");
    }
}

#[test]
fn where_a_company_works_is_not_what_it_sells() {
    let declared = r#"<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/",
        "areaServed":[{"@type":"AdministrativeArea","name":"Ripon County, ND"},{"@type":"AdministrativeArea","name":"Leeds County, ND"}]}</script>"#;
    let menu = "<a href=/services>Services</a><a href=/services/paving>Paving</a><a href=/services/drains>Drains</a>\
        <a href=/services/ripon>Ripon County</a><a href=/services/leeds>Leeds County</a>";
    let found = sold(
        "en",
        menu,
        &[("/", declared), ("/services", "<h1>Services</h1>")],
    );
    assert_eq!(found, ["Paving", "Drains"]);
}

#[test]
fn tiles_without_links_under_a_heading_of_services_name_them() {
    let home = "<h1>Acme</h1><h2>Our services</h2><div class=grid><div class=tile><img src=a.png><span>Dry walls</span></div>\
        <div class=tile><img src=b.png><span>Yard drains</span></div><div class=tile><img src=c.png><span>Paving</span></div></div><h2>News</h2><p>We moved to a larger yard in the spring.</p>";
    assert_eq!(
        sold("en", "", &[("/", home)]),
        ["Dry walls", "Yard drains", "Paving"]
    );
    let slogans = "<h1>Acme</h1><h2>Our services</h2><div>Since 1987</div><div>Fast and fair</div><h2>News</h2><p>We moved to a larger yard.</p>";
    assert_eq!(sold("en", "", &[("/", slogans)]), [] as [String; 0]);
}

#[test]
fn cards_may_have_headings_as_large_as_the_one_that_leads_them() {
    for (language, heading, names, other) in [
        ("en", "Our services", ["Dry walls", "Drains"], "Why Acme"),
        (
            "de",
            "Unsere Leistungen",
            ["Pflaster", "Kanäle"],
            "Unser Team",
        ),
        ("ja", "事業内容", ["看板", "窓口"], "会社概要"),
    ] {
        let home = format!(
            "<h1>Acme</h1><h2>{heading}</h2>{}<h2>{other}</h2><p>Three of us are here all week, and you can call.</p>{}",
            cards(2, &names),
            cards(2, &["Calm", "Care"])
        );
        assert_eq!(sold(language, "", &[("/", &home)]), names, "{language}");
    }
}
