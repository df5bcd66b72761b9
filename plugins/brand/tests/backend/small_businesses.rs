//! Three small companies with five pages each, as such sites are built. What a reader finds on them was written down first.

use gtm_sdk::json::json;

use crate::expected::Facts;
use crate::run::site;
use crate::web::Web;

/// A German roofer: no country, no telephone prefix, a logo as first heading, an older name in the footer.
fn roofer() -> Web {
    let page = |title: &str, main: &str| {
        format!(
            "<!doctype html><html lang=de><head><title>{title}</title><meta name=description content='Dachdeckerei Wendlinger deckt und dämmt Dächer in Ulmingen und im Umland.'></head><body>\
             <header><a href=/><img src=/logo.png alt='Dachdeckerei Wendlinger'></a><nav><a href=/>Start</a><a href=/leistungen>Leistungen</a><a href=/betrieb>Über uns</a><a href=/kontakt>Kontakt</a></nav></header>\
             <main>{main}</main><footer><p>© 1987–2026 Wendlinger Dach und Wand GmbH &amp; Co. KG · Alle Rechte vorbehalten</p><a href=/impressum>Impressum</a>\
             <a href='https://www.facebook.com/dachdeckerei.wendlinger'>Facebook</a><a href='https://www.instagram.com/dach_wendlinger'>Instagram</a></footer></body></html>"
        )
    };
    Web::new()
        .page(
            "https://wendlinger.example/",
            &page(
                "Dachdeckerei Wendlinger in Ulmingen",
                "<h1>Dachdeckerei Wendlinger</h1><h2>Dächer, die jeden Winter aushalten</h2><p>Wir decken Steildächer, dichten Flachdächer ab und bauen Dachfenster ein.</p><p>Meisterbetrieb seit 1987</p>\
                 <a href=/kontakt class=button>Angebot anfordern</a><h2>Das sagen unsere Kunden</h2><div class=card><p>„Nach dem Sturm war das Dach am nächsten Abend wieder dicht.“</p><p>Petra Holm, Bäckerei Holm</p></div>\
                 <div class=card><p>„Ich habe hier in zwei Wochen mehr gelernt als in einem Jahr.“</p><p>Jonas Keil, Praktikant</p></div>",
            ),
        )
        .page(
            "https://wendlinger.example/leistungen",
            &page(
                "Leistungen – Dachdeckerei Wendlinger",
                "<h1>Leistungen</h1><h2>Steildach</h2><p>Ziegel, Schiefer und Blech, mit Gerüst aus eigener Hand.</p><h2>Flachdach</h2><p>Abdichtung mit zehn Jahren Gewähr.</p><h2>Photovoltaik seit 2011</h2><p>Wir setzen Module auf jedes Dach, das sie trägt.</p>",
            ),
        )
        .page(
            "https://wendlinger.example/betrieb",
            &page(
                "Über uns – Dachdeckerei Wendlinger",
                "<h1>Über uns</h1><p>Die Dachdeckerei Wendlinger ist ein Handwerksbetrieb mit 24 Mitarbeitern.</p><h2>Unsere Werte</h2><ul><li>Pünktlich: Wir kommen, wann wir es sagen.</li><li>Sauber: Der Hof ist abends gefegt.</li></ul>",
            ),
        )
        .page(
            "https://wendlinger.example/kontakt",
            &page(
                "Kontakt – Dachdeckerei Wendlinger",
                "<h1>Kontakt</h1><p>Telefon 07361 555012</p><p>Öffnungszeiten: Mo–Fr 7–16 Uhr</p>",
            ),
        )
        .page(
            "https://wendlinger.example/impressum",
            &page(
                "Impressum – Dachdeckerei Wendlinger",
                "<h1>Impressum</h1><h2>Angaben gemäß § 5 DDG</h2><p>Wendlinger Bedachungen GmbH<br>Hangweg 4<br>73999 Ulmingen</p><p>Telefon 07361 555012</p><p>Handelsregister: HRB 734512, Amtsgericht Ulm</p>\
                 <p>Umsatzsteuer-ID: DE136695976</p><h2>Bildnachweis</h2><p>Jede weitere Verwertung der Bilder bedarf der vorherigen schriftlichen Zustimmung von Globex AG.</p>",
            ),
        )
}

#[test]
fn a_german_roofer() {
    let draft = site(roofer(), "https://wendlinger.example/").draft();
    let facts = Facts {
        values: vec![
            ("/identity/brand_name", json!("Dachdeckerei Wendlinger")),
            ("/identity/legal_name", json!("Wendlinger Bedachungen GmbH")),
            (
                "/identity/tagline",
                json!("Dächer, die jeden Winter aushalten"),
            ),
            (
                "/identity/description_short",
                json!("Dachdeckerei Wendlinger deckt und dämmt Dächer in Ulmingen und im Umland."),
            ),
            ("/identity/founded_year", json!(1987)),
            (
                "/identity/headquarters",
                json!({"locality": "Ulmingen", "region": null, "country": "DE"}),
            ),
            ("/identity/employee_range", json!("11-50")),
            ("/identity/locales", json!(["de"])),
            ("/messaging/calls_to_action", json!(["Angebot anfordern"])),
        ],
        words: vec![
            ("/identity/profiles", "facebook.com/dachdeckerei.wendlinger"),
            ("/identity/profiles", "instagram.com/dach_wendlinger"),
            ("/identity/identifiers", "DE136695976"),
            ("/identity/identifiers", "734512"),
            ("/foundations/values", "Pünktlich"),
            ("/governance/required_legal_lines", "©"),
        ],
        proofs: vec![("testimonial", "Petra Holm, Bäckerei Holm")],
    };
    assert_eq!(facts.differences(&draft), [] as [String; 0]);
    assert!(!draft.to_string().contains("Jonas Keil"));
}

/// A Swedish software house whose numbers stand in labels, and whose postal code has a blank.
fn software_house() -> Web {
    let page = |title: &str, main: &str| {
        format!(
            "<!doctype html><html lang=sv><head><title>{title}</title></head><body><header><a href=/>Norrvik System</a><nav><a href=/tjanster>Tjänster</a><a href=/om-oss>Om oss</a><a href=/kunder>Kunder</a><a href=/kontakt>Kontakt</a></nav></header>\
             <main>{main}</main><footer><p>Norrvik System AB, Stigen 2, 223 50 Lund</p><a href='https://www.linkedin.com/company/norrvik-system'>LinkedIn</a></footer></body></html>"
        )
    };
    Web::new()
        .page(
            "https://norrvik.example/",
            &page(
                "Norrvik System – program för vattenverk",
                "<h1>Vattenverk som sköter sig själva</h1><p>Norrvik System utvecklar program för vattenverk och reningsverk.</p><a href=/kontakt class=btn>Boka en demo</a>",
            ),
        )
        .page(
            "https://norrvik.example/tjanster",
            &page(
                "Tjänster | Norrvik System",
                "<h1>Tjänster</h1><h2>Driftövervakning</h2><p>Vi ser läckan innan kunden gör det.</p><h2>Integration</h2><p>Vi kopplar ihop mätare och fakturering.</p>",
            ),
        )
        .page(
            "https://norrvik.example/om-oss",
            &page(
                "Om oss | Norrvik System",
                "<h1>Om oss</h1><p>Norrvik System grundades 2009 av två ingenjörer i Lund.</p><p>Idag är vi 35 medarbetare.</p><h2>Våra värderingar</h2><ul><li>Öppenhet: Vi visar hur vi räknar.</li><li>Lugn: Vi lovar det vi kan hålla.</li></ul>",
            ),
        )
        .page(
            "https://norrvik.example/kunder",
            &page(
                "Kunder | Norrvik System",
                "<h1>Kunder</h1><blockquote>Vi hittar läckorna på en dag i stället för en månad.</blockquote><p>Anna Lind, Ulminge Vatten</p>",
            ),
        )
        .page(
            "https://norrvik.example/kontakt",
            &page(
                "Kontakt | Norrvik System",
                "<h1>Kontakt</h1><dl><dt>Företagsnamn</dt><dd>Norrvik System AB</dd><dt>Huvudkontor</dt><dd>Stigen 2, 223 50 Lund</dd><dt>Momsnummer</dt><dd>SE123456789701</dd></dl><p>Telefon 046-12 34 56</p>",
            ),
        )
}

#[test]
fn a_swedish_software_house() {
    let draft = site(software_house(), "https://norrvik.example/").draft();
    let facts = Facts {
        values: vec![
            ("/identity/brand_name", json!("Norrvik System")),
            ("/identity/legal_name", json!("Norrvik System AB")),
            (
                "/identity/tagline",
                json!("Vattenverk som sköter sig själva"),
            ),
            ("/identity/founded_year", json!(2009)),
            (
                "/identity/headquarters",
                json!({"locality": "Lund", "region": null, "country": "SE"}),
            ),
            ("/identity/employee_range", json!("11-50")),
            ("/identity/locales", json!(["sv"])),
            ("/messaging/calls_to_action", json!(["Boka en demo"])),
        ],
        words: vec![
            ("/identity/profiles", "linkedin.com/company/norrvik-system"),
            ("/identity/identifiers", "SE123456789701"),
            ("/identity/description_short", "utvecklar program"),
            ("/foundations/values", "Öppenhet"),
        ],
        proofs: vec![("testimonial", "Anna Lind, Ulminge Vatten")],
    };
    assert_eq!(facts.differences(&draft), [] as [String; 0]);
}

/// A Japanese maker of machines: a table of particulars, and its name in Latin letters below every page.
fn machine_maker() -> Web {
    let page = |title: &str, main: &str| {
        format!(
            "<!doctype html><html lang=ja><head><title>{title}</title></head><body><header><a href=/>青葉精機</a><nav><a href=/products>製品情報</a><a href=/company>会社概要</a><a href=/recruit>採用情報</a><a href=/contact>お問い合わせ</a></nav></header>\
             <main>{main}</main><footer><p>© 2026 Aoba Seiki Co., Ltd.</p><a href='https://www.youtube.com/@aobaseiki'>YouTube</a></footer></body></html>"
        )
    };
    Web::new()
        .page(
            "https://aobaseiki.example/",
            &page(
                "青葉精機｜小型研削盤メーカー",
                "<h1>削る音を、静かにする。</h1><p>青葉精機は小型の研削盤を製造する会社です。</p><p>1968年の創業以来、長野の工場で一台ずつ組み立てています。</p>",
            ),
        )
        .page(
            "https://aobaseiki.example/products",
            &page("製品情報｜青葉精機", "<h1>製品情報</h1><h2>卓上研削盤 AS-10</h2><p>机の上に置ける小型の研削盤です。</p><h2>円筒研削盤 AS-40</h2><p>長さ四十センチまでの軸を削ります。</p>"),
        )
        .page(
            "https://aobaseiki.example/company",
            &page(
                "会社概要｜青葉精機",
                "<h1>会社概要</h1><table><tr><th>商号</th><td>株式会社青葉精機</td></tr><tr><th>英文社名</th><td>Aoba Seiki Co., Ltd.</td></tr><tr><th>設立</th><td>1968年（昭和43年）4月</td></tr>\
                 <tr><th>資本金</th><td>3,000万円</td></tr><tr><th>従業員数</th><td>85名</td></tr><tr><th>本社所在地</th><td>〒399-0001 長野県松本市青葉1-2-3</td></tr></table>",
            ),
        )
        .page("https://aobaseiki.example/recruit", &page("採用情報｜青葉精機", "<h1>採用情報</h1><p>機械設計エンジニアを募集しています。</p>"))
        .page("https://aobaseiki.example/contact", &page("お問い合わせ｜青葉精機", "<h1>お問い合わせ</h1><p>TEL 0263-55-0120</p>"))
}

#[test]
fn a_japanese_machine_maker() {
    let draft = site(machine_maker(), "https://aobaseiki.example/").draft();
    let facts = Facts {
        values: vec![
            ("/identity/brand_name", json!("青葉精機")),
            ("/identity/legal_name", json!("株式会社青葉精機")),
            ("/identity/tagline", json!("削る音を、静かにする。")),
            ("/identity/founded_year", json!(1968)),
            (
                "/identity/headquarters",
                json!({"locality": "松本市", "region": "長野県", "country": "JP"}),
            ),
            ("/identity/employee_range", json!("51-200")),
            ("/identity/locales", json!(["ja"])),
            (
                "/identity/description_short",
                json!("青葉精機は小型の研削盤を製造する会社です。"),
            ),
        ],
        words: vec![("/identity/profiles", "youtube.com/@aobaseiki")],
        proofs: vec![],
    };
    assert_eq!(facts.differences(&draft), [] as [String; 0]);
}
