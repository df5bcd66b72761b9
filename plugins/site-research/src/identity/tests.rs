#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use serde_json::{Value, json};

use super::*;
use crate::roles::Role;

fn names(site_name: Option<&str>, metadata: Value, json_ld: Value) -> Vec<String> {
    let page = Page::read(json!({
        "receipt_id": "rcp_1", "url": "https://www.acme.example/", "final_url": "https://www.acme.example/",
        "site_name": site_name, "metadata": metadata, "json_ld": json_ld,
        "blocks": [{"kind": "paragraph", "text": "Acme Rail makes signals for Globex.", "main": true}],
    }))
    .unwrap();
    let home = Visited {
        page,
        role: Role::Home,
    };
    declared_names(&[home], "acme.example")
}

#[test]
fn structured_data_names_the_company_only_where_it_is_about_the_site() {
    let own =
        json!([{"@type": "Organization", "name": "Acme Rail", "url": "https://acme.example/"}]);
    assert_eq!(names(None, json!({}), own), ["Acme Rail"]);
    for other in [
        json!([{"@type": "Organization", "name": "Globex", "url": "https://globex.example/"}]),
        json!([{"@type": "Organization", "name": "Globex", "@id": "https://globex.example/#org"}]),
        json!([{"@type": "Organization", "name": "Globex"}]),
        json!([{"@type": "Product", "review": {"author": {"@type": "Organization", "name": "Globex"}}}]),
    ] {
        // Some connectors take the site's name from structured data.
        let named = names(Some("Globex"), json!({}), other.clone());
        assert!(named.is_empty(), "{other}: {named:?}");
    }
    // The site's name in the page's metadata counts, whoever else is named.
    assert_eq!(
        names(
            Some("Acme"),
            json!({"og:site_name": "Acme"}),
            json!([{"@type": "Organization", "name": "Globex", "url": "https://globex.example/"}])
        ),
        ["Acme"]
    );
}

fn site(domain: &str, title: &str, blocks: Value, links: Value) -> Option<AgreedName> {
    let address = format!("https://{domain}/");
    let page = Page::read(json!({
        "receipt_id": "rcp_1", "url": address, "final_url": address, "title": title, "blocks": blocks, "links": links,
    }))
    .unwrap();
    agreed_name(
        &[Visited {
            page,
            role: Role::Home,
        }],
        domain,
    )
}

#[test]
fn places_agree_on_a_name_whatever_the_domain_is() {
    let text = |kind: &str, text: &str| json!({"kind": kind, "level": (kind == "heading").then_some(1), "text": text, "main": true});
    // The header is no `header` element, so its link is not marked as navigation.
    let home = |domain: &str, text: &str| json!([{"url": format!("https://{domain}/"), "text": text, "navigation": false}]);
    let agreed = site(
        "nwk.example",
        "Nordwerk Kühltechnik – Kälte nach Maß",
        json!([
            text("heading", "Kälte nach Maß"),
            text(
                "paragraph",
                "© 2019–2026 Nordwerk Kühltechnik GmbH. Alle Rechte vorbehalten."
            )
        ]),
        home("nwk.example", "Nordwerk Kühltechnik"),
    )
    .unwrap();
    assert_eq!(
        (agreed.name.as_str(), agreed.votes),
        ("Nordwerk Kühltechnik", 3)
    );
    assert_eq!(agreed.variants, ["Nordwerk Kühltechnik GmbH"]);
    let agreed = site(
        "tms-kaisha.example",
        "高橋製作所｜精密部品の加工",
        json!([
            text("heading", "精密部品の加工"),
            text("other", "© 高橋製作所")
        ]),
        json!([]),
    )
    .unwrap();
    assert_eq!((agreed.name.as_str(), agreed.votes), ("高橋製作所", 2));
    let initials = site("brs.example", "Baltic Rail Systems", json!([]), json!([])).unwrap();
    assert_eq!(
        (initials.name.as_str(), initials.votes),
        ("Baltic Rail Systems", 2)
    );
    // A title without blanks, and a name that always has its legal form.
    let agreed = site(
        "sample-seisakusho.example",
        "株式会社 見本製作所-東京-精密部品",
        json!([text("other", "© 株式会社見本製作所")]),
        json!([]),
    )
    .unwrap();
    assert!(agreed.name.contains("見本製作所"), "{agreed:?}");
    let agreed = site(
        "acmeprojects.example",
        "Acme Projects Pvt Ltd",
        json!([text("other", "© 2026 Acme Projects Pvt Ltd")]),
        json!([]),
    )
    .unwrap();
    assert_eq!(agreed.name, "Acme Projects");
    let agreed = site(
        "acmeprojects.example",
        "Acme Projects Ltd",
        json!([text("other", "© 2026 Acme Projects Ltd")]),
        json!([]),
    )
    .unwrap();
    assert_eq!(agreed.name, "Acme Projects");
    assert_eq!(agreed.variants, ["Acme Projects Ltd"]);
    // A place of a host's, and a label that adds a word to the name.
    let resort = site(
        "bigharrowgate.github.io",
        "Harrowgate Resort",
        json!([]),
        json!([]),
    )
    .unwrap();
    assert_eq!(
        (resort.name.as_str(), resort.votes),
        ("Harrowgate Resort", 2)
    );
    // An address is no name.
    let address = "acmetravel.example: cruises";
    assert_eq!(
        site("acmetravel.example", address, json!([]), json!([])),
        None
    );
}

#[test]
fn the_owner_in_the_title_is_not_the_company() {
    let texts = |name: &str| {
        json!([
            {"kind": "heading", "level": 3, "text": format!("Willkommen bei der {name}"), "main": true},
            {"kind": "paragraph", "text": format!("Die {name} ist ein Betrieb aus Ulm."), "main": true},
            {"kind": "other", "text": "© 2020 Zimmerermeister Anna Lindt", "main": false}
        ])
    };
    for (domain, title, blocks, name) in [
        (
            "zimmerei-lindt.example",
            "Anna Lindt - Zimmerermeister",
            texts("Zimmerei Lindt"),
            "Zimmerei Lindt",
        ),
        (
            "zimmereilindt.example",
            "Anna Lindt",
            texts("Zimmerei Lindt"),
            "Zimmerei Lindt",
        ),
        // What the address does not spell changes nothing.
        (
            "lindt.example",
            "Anna Lindt",
            texts("Zimmerei Lindt"),
            "Anna Lindt",
        ),
    ] {
        let agreed = site(domain, title, blocks, json!([])).unwrap();
        assert_eq!(agreed.name, name, "{domain}");
    }
}

#[test]
fn a_trade_and_its_town_in_the_address_are_no_name() {
    let texts = |more: &str| {
        json!([
            {"kind": "paragraph", "text": "Der beste Dachdecker Ulm und Umgebung.", "main": true},
            {"kind": "paragraph", "text": "Ihr Dachdecker Ulm seit 1990.", "main": true},
            {"kind": "heading", "level": 1, "text": "Dachdecker Roth", "main": true},
            {"kind": "other", "text": more, "main": false}
        ])
    };
    for more in ["Am Markt 4, 89073 Ulm", "© 2020 Dachdecker Roth"] {
        let title = "Dachdecker Roth - Startseite";
        let link = json!([{"url": "https://dachdecker-ulm.example/", "text": "Dachdecker Roth"}]);
        let agreed = site("dachdecker-ulm.example", title, texts(more), link).unwrap();
        assert_eq!(agreed.name, "Dachdecker Roth", "{more}");
    }
}

#[test]
fn a_slogan_or_a_greeting_is_no_name() {
    let heading =
        json!([{"kind": "heading", "level": 1, "text": "Signals that stay green", "main": true}]);
    assert_eq!(
        site(
            "acme.example",
            "Signals that stay green",
            heading.clone(),
            json!([])
        ),
        None
    );
    assert_eq!(
        site(
            "acme.example",
            "Home",
            heading,
            json!([{"url": "https://acme.example/", "text": "Home"}])
        ),
        None
    );
    assert_eq!(site("acme.example", "", json!([]), json!([])), None);
}

#[test]
fn the_name_is_the_company_s_and_whole() {
    let block = |kind: &str, text: &str| json!({"kind": kind, "text": text, "main": true});
    let home =
        |domain: &str, text: &str| json!([{"url": format!("https://{domain}/"), "text": text}]);
    let name = |domain: &str, title: &str, notice: &str, link: &str| {
        let blocks = json!([block("other", notice)]);
        site(domain, title, blocks, home(domain, link))
            .unwrap()
            .name
    };
    // A title says whose site it is.
    for (title, notice, expected) in [
        (
            "Acme Rail Official Website",
            "© 2026 Acme Rail",
            "Acme Rail",
        ),
        (
            "見本大学 試作会 ホームページ",
            "© 2026 見本大学試作会",
            "見本大学試作会",
        ),
        ("見本会の公式サイト", "© 2026 見本会", "見本会"),
    ] {
        assert_eq!(name("site-7.example", title, notice, ""), expected);
    }
    // The society's logo stands on the branch's site.
    assert_eq!(
        name(
            "gpsleeds.example",
            "GPS Leeds and District Branch",
            "© GPS Leeds 2026",
            "GPS logo"
        ),
        "GPS Leeds"
    );
    // Two associations have one site.
    assert_eq!(
        name(
            "mihon.example",
            "見本整骨会／見本鍼灸会",
            "見本鍼灸会は見本整骨会と協力します。",
            "見本整骨会／見本鍼灸会"
        ),
        "見本整骨会／見本鍼灸会"
    );
    // A motto stands before the registered name.
    assert_eq!(
        name(
            "bfx.example",
            "人と機械をつなぐ会社｜株式会社BFX",
            "© 2026",
            "BFX"
        ),
        "BFX"
    );
}

#[test]
fn a_site_for_one_purpose_is_not_the_company() {
    let domain = "mbk.example";
    let pages: Vec<Visited> = ["TOP", "Business", "Culture"]
        .iter()
        .enumerate()
        .map(|(at, page)| Visited {
            page: Page::read(json!({
                "receipt_id": "rcp_1",
                "url": format!("https://{domain}/{at}"),
                "final_url": format!("https://{domain}/{at}"),
                "title": format!("{page} | MBK RECRUITING | Mihon Building Keepers"),
                "links": [{"url": format!("https://{domain}/0"), "text": "MBK RECRUITING"}],
            }))
            .unwrap(),
            role: Role::Home,
        })
        .collect();
    assert_eq!(
        agreed_name(&pages, domain).unwrap().name,
        "Mihon Building Keepers"
    );
    let agency = site(
        "acmerecruiting.example",
        "Acme Recruiting",
        json!([]),
        json!([]),
    );
    assert_eq!(agency.unwrap().name, "Acme Recruiting");
}

#[test]
fn copyright_lines_name_their_holder() {
    for (line, holder) in [
        (
            "© 2026 Acme Rail Ltd. All rights reserved.",
            Some("Acme Rail Ltd"),
        ),
        (
            "Copyright (c) 2019-2026 by Acme Rail | Imprint",
            Some("Acme Rail"),
        ),
        ("Acme Rail © 2026", Some("Acme Rail")),
        ("© Acme Rail 2026", Some("Acme Rail")),
        ("Acme Rail builds signals.", None),
        ("© 2026", None),
    ] {
        assert_eq!(copyright_holder(line).as_deref(), holder, "{line}");
    }
}

#[test]
fn the_language_is_that_of_the_text() {
    let page = |language: Option<&str>, text: &str| {
        let page = Page::read(json!({
            "receipt_id": "rcp_1", "url": "https://a.example/", "final_url": "https://a.example/", "language": language,
            "blocks": [{"kind": "paragraph", "text": text, "main": true}],
        }));
        [Visited {
            page: page.unwrap(),
            role: Role::Home,
        }]
    };
    let japanese = "当社は一九八五年に設立され、建物の施設管理と清掃を行っています。お客様の信頼にお応えします。";
    assert_eq!(site_language(&page(Some("en"), japanese)), "ja");
    assert_eq!(site_language(&page(None, japanese)), "ja");
    assert_eq!(
        site_language(&page(Some("en-GB"), "We build meters.")),
        "en-GB"
    );
    assert_eq!(site_language(&page(None, "We build meters.")), UNDETERMINED);
}

#[test]
fn a_name_is_written_as_the_texts_write_it() {
    let block = |kind: &str, text: &str| json!({"kind": kind, "text": text, "main": true});
    let named = |texts: [&str; 2]| {
        let blocks = json!([
            block("paragraph", texts[0]),
            block("paragraph", texts[1]),
            block("other", "© 2026 NORDVIK SOUND")
        ]);
        site("nordviksound.example", "NORDVIK SOUND", blocks, json!([])).map(|agreed| agreed.name)
    };
    let small = [
        "Nordvik Sound records bands.",
        "Bands trust Nordvik Sound in Hull.",
    ];
    assert_eq!(named(small).as_deref(), Some("Nordvik Sound"));
    let capitals = [
        "NORDVIK SOUND records bands.",
        "Bands trust NORDVIK SOUND in Hull.",
    ];
    assert_eq!(named(capitals).as_deref(), Some("NORDVIK SOUND"));
}

#[test]
fn a_name_in_the_script_of_the_site_comes_before_its_rendering() {
    let block = |text: &str| json!({"kind": "paragraph", "text": text, "main": true});
    let named = |title: &str| {
        let blocks = json!([
            block("商号 アオバフィルタ株式会社 Aoba Filter Limited"),
            block("© 2006 Aoba Filter LTD. All rights reserved.")
        ]);
        site("aobafilter.example", title, blocks, json!([])).map(|agreed| agreed.name)
    };
    assert_eq!(
        named("空調用フィルタのことならアオバフィルタ").as_deref(),
        Some("アオバフィルタ")
    );
    assert_eq!(
        named("空調用フィルタのAoba Filter").as_deref(),
        Some("Aoba Filter")
    );
}
