//! Facts that the structure of a page tells: classes of what is said and by whom, rows of labels, stations of a history.

use gtm_sdk::Value;

use crate::run::{acme, at, members, proofs_of};
use crate::web::{Web, home};

fn preferred(draft: &Value) -> Vec<String> {
    let all = at(draft, "/voice/vocabulary/preferred").as_array().unwrap();
    all.iter()
        .map(|one| one.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn classes_name_what_customers_say_and_who_they_are() {
    let main = "<h1>Acme</h1><div class=review><p class=review-text>They came on the day they said and left the yard cleaner than before.</p>\
        <div class=name>Oona P.</div><div class=source>Letter</div></div>\
        <div class=testi><p class=quote-text>The bill was the estimate to the penny, and the old brackets were kept.</p><p class=author>Marta Venier</p>\
        <p class=company>Globex S.p.A.</p></div>";
    let told = proofs_of(&acme(home("en", &[], main, "")).draft(), "testimonial");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].ends_with("than before. Oona P. Letter"), "{told:?}");
    assert!(told[1].ends_with("Marta Venier Globex S.p.A."), "{told:?}");
}

#[test]
fn labels_of_who_runs_a_site_name_the_company() {
    for (language, path, title, label, name) in [
        (
            "fr",
            "/mentions-legales",
            "Mentions légales",
            "Éditeur du site :",
            "Globex Toitures SARL",
        ),
        (
            "it",
            "/note-legali",
            "Note legali",
            "Titolare del sito:",
            "Globex Coperture S.r.l.",
        ),
        (
            "de",
            "/impressum",
            "Impressum",
            "Verantwortlich:",
            "Globex Dachbau GmbH",
        ),
        (
            "en",
            "/legal",
            "Legal notice",
            "Website owner:",
            "Globex Roofing Limited",
        ),
        (
            "es",
            "/aviso-legal",
            "Aviso legal",
            "Titular del sitio web:",
            "Globex Cubiertas S.L.",
        ),
    ] {
        let web = home(language, &[(path, title)], "<h1>Acme</h1>", "");
        let legal = format!(
            "<html lang={language}><body><main><h1>{title}</h1><p>{label} {name}</p></main></body></html>"
        );
        let draft = acme(web.page(&format!("https://acme.example{path}"), &legal)).draft();
        assert_eq!(at(&draft, "/identity/legal_name"), name, "{language}");
    }
}

#[test]
fn a_sentence_tells_the_business_behind_the_name() {
    for (language, sentence, label) in [
        (
            "de",
            "Acme ist Hersteller von Industrieöfen.",
            "Hersteller von Industrieöfen",
        ),
        (
            "fr",
            "Acme est une entreprise spécialisée dans la fabrication de fours.",
            "fabrication de fours",
        ),
        (
            "ja",
            "株式会社アクメは、工業炉の製造・販売を行う会社です。",
            "工業炉の製造・販売",
        ),
    ] {
        let name = if language == "ja" {
            "株式会社アクメ"
        } else {
            "Acme"
        };
        let page = format!(
            "<html lang={language}><head><title>{name}</title></head><body><header><a href=/>{name}</a></header><main><h1>{name}</h1><p>{sentence}</p></main></body></html>"
        );
        let draft = acme(Web::new().page("https://acme.example/", &page)).draft();
        assert_eq!(
            members(at(&draft, "/identity/industries"), "label"),
            [label]
        );
    }
}

#[test]
fn the_first_station_of_a_history_is_the_founding() {
    let about = "<h1>Geschichte</h1><div><span>1931</span><p>Gründung durch Karl Holm in Ulm.</p></div>\
        <div><span>1975</span><p>Umzug in das neue Werk.</p></div><div><span>2012</span><p>Bau der zweiten Halle.</p></div>";
    let web = home(
        "de",
        &[("/unternehmen", "Unternehmen")],
        "<h1>Acme</h1>",
        "",
    );
    let draft = acme(web.text("https://acme.example/unternehmen", about)).draft();
    assert_eq!(at(&draft, "/identity/founded_year"), 1931);
}

#[test]
fn japanese_rows_cards_and_creeds_are_read() {
    let links = "<a href=/company.html>会社概要</a><a href=/service.html>事業内容</a><a href=/rinen.html>経営理念</a>";
    let page = |main: &str| {
        format!(
            "<html lang=ja><head><title>緑原製作所</title></head><body><nav>{links}</nav><main>{main}</main></body></html>"
        )
    };
    let rows = "<dl><dt>会社名</dt><dd>株式会社緑原製作所</dd><dt>設立</dt><dd>1988年4月1日</dd><dt>事業内容</dt><dd>木製家具の設計・製作、建具の修理</dd>\
        <dt>主要取引先</dt><dd>青波株式会社<br>赤川電機株式会社（敬称略・順不同）</dd></dl>";
    let cards = "<div><p class=en>DOORS</p><h2>木製建具の製作と取付</h2><p>住まいに合わせて扉をつくります。</p></div>\
        <div><p class=en>FURNITURE</p><h2>注文家具の設計と製作</h2><p>一点から家具をつくります。</p></div><div><p class=en>REPAIR</p><h2>古い家具の修理と再生</h2><p>古い家具を直します。</p></div>";
    let creed = "<h1>経営理念</h1><p>木の仕事を通じて、人と町の暮らしを支える。</p><h2>社是</h2><p>誠実・努力</p>";
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("<h1>木と暮らす</h1><p>緑原製作所は木の家具をつくっています。</p>"),
        )
        .page(
            "https://acme.example/company.html",
            &page(&format!("<h1>会社概要</h1>{rows}")),
        )
        .page(
            "https://acme.example/service.html",
            &page(&format!("<h1>事業内容</h1>{cards}")),
        )
        .page("https://acme.example/rinen.html", &page(creed));
    let draft = acme(web).draft();
    assert_eq!(
        at(&draft, "/foundations/mission"),
        "木の仕事を通じて、人と町の暮らしを支える。"
    );
    let offers = preferred(&draft);
    for name in [
        "木製家具の設計・製作",
        "建具の修理",
        "木製建具の製作と取付",
        "古い家具の修理と再生",
    ] {
        assert!(
            offers.iter().any(|offer| offer == name),
            "{name}: {offers:?}"
        );
    }
    assert!(!offers.iter().any(|offer| offer.is_ascii()), "{offers:?}");
    assert_eq!(
        proofs_of(&draft, "case_study"),
        ["青波株式会社", "赤川電機株式会社"]
    );
}

#[test]
fn tags_above_names_of_one_kind_are_no_names_of_what_is_sold() {
    let main = "<h1>I nostri servizi</h1><article><span class=tag>ADR</span><h3>Trasporto merci pericolose</h3><p>Autisti con patentino e mezzi attrezzati.</p></article>\
        <article><span class=tag>Scarti</span><h3>Trasporto rifiuti speciali</h3><p>Con cassoni scarrabili e piani mobili.</p></article>\
        <article><span class=tag>Sfuso</span><h3>Trasporto di sfusi</h3><p>Cereali, inerti e fertilizzanti.</p></article>";
    let web = home("it", &[("/servizi", "Servizi")], "<h1>Acme</h1>", "");
    let draft = acme(web.page(
        "https://acme.example/servizi",
        &format!("<html lang=it><body><main>{main}</main></body></html>"),
    ))
    .draft();
    let offers = preferred(&draft);
    assert!(
        offers.contains(&"Trasporto merci pericolose".to_owned()),
        "{offers:?}"
    );
    assert!(!offers.contains(&"ADR".to_owned()), "{offers:?}");
}

#[test]
fn models_stand_on_the_page_of_their_kind() {
    let pumps = "<h1>Pumps</h1><div><img src=1.jpg><h3>Orrin Ram 40</h3><p>A ram pump without a motor for steady streams.</p></div>\
        <div><img src=2.jpg><h3>Orrin Deep 120</h3><p>A submersible pump for deep wells on farms.</p></div>\
        <div><img src=3.jpg><h3>Orrin Solar</h3><p>It runs on two panels and needs no battery.</p></div>";
    let main = "<h1>Water</h1><h2>Our products</h2><a href=/products/pumps><h3>Pumps</h3><p>From the well to the field.</p></a>\
        <a href=/products/filters><h3>Filters</h3><p>Clean water for cattle.</p></a>";
    let web = home("en", &[("/products/pumps", "Pumps")], main, "");
    let draft = acme(web.text("https://acme.example/products/pumps", pumps)).draft();
    let offers = preferred(&draft);
    for name in ["Pumps", "Orrin Ram 40", "Orrin Deep 120", "Orrin Solar"] {
        assert!(
            offers.iter().any(|offer| offer == name),
            "{name}: {offers:?}"
        );
    }
}

#[test]
fn numbered_cards_with_lists_are_services() {
    let card = |at: u32, name: &str| {
        format!(
            "<article><img src=a.jpg alt=''><span>0{at}</span><h3>{name}</h3><p>We do it within a day, whatever the weather.</p><ul><li>Houses</li><li>Blocks</li></ul></article>"
        )
    };
    let cards = [
        card(1, "Gutter replacement"),
        card(2, "Gutter cleaning"),
        card(3, "Fascia repair"),
    ]
    .concat();
    let web = home("en", &[("/services", "Services")], "<h1>Acme</h1>", "");
    let draft = acme(web.text(
        "https://acme.example/services",
        &format!("<h1>Our services</h1>{cards}"),
    ))
    .draft();
    let offers = preferred(&draft);
    for name in ["Gutter replacement", "Gutter cleaning", "Fascia repair"] {
        assert!(
            offers.iter().any(|offer| offer == name),
            "{name}: {offers:?}"
        );
    }
}

#[test]
fn tiles_in_two_scripts_and_rows_of_certificates_are_read() {
    let tile = |one: &str, other: &str| format!("<div><p>{one}</p><p>{other}</p></div>");
    let tiles = [
        tile("精密切削加工", "MACHINING"),
        tile("試作品製作", "PROTOTYPES"),
        tile("治工具製作", "JIGS AND TOOLS"),
    ]
    .concat();
    let rows = "<table><tr><th>会社名</th><td>株式会社緑原製作所</td></tr><tr><th>認証</th><td>ISO9001、ISO14001</td></tr><tr><th>加盟団体</th><td>日本丘陵工業会</td></tr></table>";
    let page = |main: &str| {
        format!(
            "<html lang=ja><head><title>緑原製作所</title></head><body><nav><a href=/company.html>会社概要</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page("https://acme.example/", &page(&format!("<h1>心をこめて削る</h1><p>緑原製作所は小さな部品を削っています。</p><h2>サービス一覧</h2>{tiles}")))
        .page("https://acme.example/company.html", &page(&format!("<h1>会社概要</h1>{rows}")));
    let draft = acme(web).draft();
    let offers = preferred(&draft);
    for name in ["精密切削加工", "試作品製作", "治工具製作"] {
        assert!(
            offers.iter().any(|offer| offer == name),
            "{name}: {offers:?}"
        );
    }
    let certified = proofs_of(&draft, "certification");
    for name in ["ISO9001", "ISO14001", "日本丘陵工業会"] {
        assert!(
            certified.iter().any(|told| told == name),
            "{name}: {certified:?}"
        );
    }
}

#[test]
fn a_creed_in_a_list_and_headings_in_two_scripts_are_read() {
    let links = "<a href=/rinen.html>経営理念</a><a href=/service.html>事業内容</a>";
    let page = |main: &str| {
        format!(
            "<html lang=ja><head><title>緑原製作所</title></head><body><nav>{links}</nav><main>{main}</main></body></html>"
        )
    };
    let creed = "<h1>経営理念</h1><ol><li>お客様の信頼に応える</li><li>技術を磨き続ける</li><li>地域とともに歩む</li></ol>";
    let cards = "<h1>事業内容</h1><div><h2>精密切削加工<span>MACHINING</span></h2><p>小さな部品を量産しています。</p></div>\
        <div><h2>治工具製作<span>JIGS AND TOOLS</span></h2><p>組立用の治具をつくっています。</p></div>";
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("<h1>心をこめて削る</h1><p>緑原製作所は小さな部品を削っています。</p>"),
        )
        .page("https://acme.example/rinen.html", &page(creed))
        .page("https://acme.example/service.html", &page(cards));
    let draft = acme(web).draft();
    let values = members(at(&draft, "/foundations/values"), "name");
    assert_eq!(
        values,
        [
            "お客様の信頼に応える",
            "技術を磨き続ける",
            "地域とともに歩む"
        ]
    );
    let offers = preferred(&draft);
    for name in ["精密切削加工", "治工具製作"] {
        assert!(
            offers.iter().any(|offer| offer == name),
            "{name}: {offers:?}"
        );
    }
}

#[test]
fn logos_under_references_name_customers() {
    let main = "<h1>Acme</h1><h2>Referenzen</h2><div><img src=a.png alt='Holmgart Uhren Logo'><img src=b.png alt='Brauerei Lindental Logo'>\
        <img src=c.png alt='Nordtor Kosmetik Logo'></div><h2>Kontakt</h2>";
    let told = proofs_of(&acme(home("de", &[], main, "")).draft(), "case_study");
    assert_eq!(
        told,
        ["Holmgart Uhren", "Brauerei Lindental", "Nordtor Kosmetik"]
    );
}
