//! The same facts in languages with few sample sites: Dutch, Italian, Portuguese and Japanese.

use gtm_sdk::json::json;

use crate::run::{self, acme, at, members};
use crate::web::Web;

/// A site with a page at each address, linked by the given text.
pub fn site(language: &str, home: &str, pages: &[(&str, &str, &str)]) -> Web {
    let links: String = pages
        .iter()
        .map(|(path, text, _)| format!("<a href={path}>{text}</a>"))
        .collect();
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav>{links}</nav><main>{main}</main></body></html>"
        )
    };
    pages.iter().fold(
        Web::new().page("https://acme.example/", &page(home)),
        |web, (path, _, main)| web.page(&format!("https://acme.example{path}"), &page(main)),
    )
}

#[test]
fn dutch_sites_are_read() {
    let web = site(
        "nl",
        "<h1>Acme</h1><p>Acme is planningssoftware voor installateurs in de regio.</p><p><a href=/p>Bekijk de prijzen</a> <a href=/d>Meer lezen</a></p>",
        &[
            (
                "/over-ons",
                "Over ons",
                "<h1>Over ons</h1><h2>Onze kernwaarden</h2><div><h3>Eerlijk</h3><p>We zeggen wat het kost.</p></div><div><h3>Rustig</h3><p>We plannen ruim.</p></div>\
                 <h2>Onze missie</h2><p>Dat niemand meer hoeft te wachten.</p>",
            ),
            (
                "/beloften",
                "Beloofd",
                "<h1>Onze beloften</h1><ul><li>We bellen altijd terug voor vijf uur.</li></ul><h2>Veiligheid</h2><p>Acme is gecertificeerd volgens ISO/IEC 27001.</p>",
            ),
            (
                "/prijzen",
                "Prijzen",
                "<h1>Prijzen</h1><h2>Veelgestelde vragen</h2><h3>Zit ik ergens aan vast?</h3><p>Nee, opzeggen kan elke maand.</p><h3>Kan ik overstappen?</h3><p>Ja, wij zetten alles voor u over.</p>",
            ),
            (
                "/voorwaarden",
                "Algemene voorwaarden",
                "<h1>Algemene voorwaarden</h1><p>Acme B.V. is gevestigd te Utrecht, Nederland.</p><p>Acme® is een geregistreerd merk van Acme B.V.</p><p>Schrijf Acme altijd met een hoofdletter. Schrijf ons gerust een brief.</p>",
            ),
        ],
    );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/positioning/category"), "planningssoftware");
    assert_eq!(
        members(at(&draft, "/foundations/values"), "name"),
        ["Eerlijk", "Rustig"]
    );
    assert_eq!(
        at(&draft, "/foundations/mission"),
        "Dat niemand meer hoeft te wachten."
    );
    assert_eq!(
        at(&draft, "/foundations/commitments"),
        &json!(["We bellen altijd terug voor vijf uur."])
    );
    assert_eq!(
        members(at(&draft, "/messaging/objections"), "objection"),
        ["Zit ik ergens aan vast?", "Kan ik overstappen?"]
    );
    assert_eq!(
        at(&draft, "/messaging/calls_to_action"),
        &json!(["Bekijk de prijzen"])
    );
    assert_eq!(at(&draft, "/identity/headquarters")["locality"], "Utrecht");
    assert_eq!(
        at(&draft, "/governance/trademark_usage"),
        &json!([
            "Acme® is een geregistreerd merk van Acme B.V.",
            "Schrijf Acme altijd met een hoofdletter."
        ])
    );
}

#[test]
fn italian_and_portuguese_sites_are_read() {
    let italian = site(
        "it",
        "<h1>Acme</h1><p>Acme è una fonderia di bronzo in collina.</p><p><a href=/p>Scopri i prodotti</a> <a href=/d>Leggi tutto</a></p>",
        &[(
            "/azienda",
            "L'azienda",
            "<h1>L'azienda</h1><h2>I nostri valori</h2><ul><li>Cura: controlliamo ogni pezzo.</li><li>Calma: promettiamo il giusto.</li></ul>\
             <h2>I nostri impegni</h2><ul><li>Rispondiamo a ogni lettera entro un giorno.</li></ul>",
        )],
    );
    let draft = acme(italian).draft();
    assert_eq!(at(&draft, "/positioning/category"), "fonderia di bronzo");
    assert_eq!(
        members(at(&draft, "/foundations/values"), "name"),
        ["Cura", "Calma"]
    );
    assert_eq!(
        at(&draft, "/foundations/commitments"),
        &json!(["Rispondiamo a ogni lettera entro un giorno."])
    );
    assert_eq!(
        at(&draft, "/messaging/calls_to_action"),
        &json!(["Scopri i prodotti"])
    );
    let portuguese = site(
        "pt",
        "<h1>Acme</h1><p>A Acme é uma consultora de energia.</p><p><a href=/p>Conheça os serviços</a> <a href=/d>Saiba mais</a></p>",
        &[(
            "/quem-somos",
            "Quem somos",
            "<h1>Quem somos</h1><h2>A nossa missão</h2><p>Que nenhuma casa passe frio no inverno.</p><h2>Os nossos valores</h2><ul><li>Rigor: medimos duas vezes.</li><li>Calma: prometemos pouco.</li></ul>",
        )],
    );
    let draft = acme(portuguese).draft();
    assert_eq!(
        at(&draft, "/foundations/mission"),
        "Que nenhuma casa passe frio no inverno."
    );
    assert_eq!(
        members(at(&draft, "/foundations/values"), "name"),
        ["Rigor", "Calma"]
    );
    assert_eq!(
        at(&draft, "/messaging/calls_to_action"),
        &json!(["Conheça os serviços"])
    );
}

/// A Japanese site: no blanks between words, and a table of the company's particulars told by the form of its values.
pub fn aoba() -> Web {
    let page = |title: &str, main: &str| {
        format!(
            "<!doctype html><html lang=ja><head><title>{title}｜株式会社青葉印刷</title><meta name=description content=\
             '株式会社青葉印刷は、あらゆる印刷物をスピーディーにお届けする総合印刷会社です。'></head><body><nav><a href=/about>About</a></nav>\
             <main>{main}</main><footer>© 2026 株式会社青葉印刷</footer></body></html>"
        )
    };
    Web::new()
        .page(
            "https://aoba.example/",
            &page("ホーム", "<h1>印刷の力で街を明るく</h1><p>株式会社青葉印刷は、品質に誇りを持っている総合印刷会社です。</p>"),
        )
        .page(
            "https://aoba.example/about",
            &page(
                "会社概要",
                "<h1>会社概要</h1><table><tr><th>商号</th><td>株式会社青葉印刷</td></tr><tr><th>所在地</th><td>〒141-0022 東京都品川区東五反田9-99-9</td></tr>\
                 <tr><th>設立</th><td>昭和52年4月1日</td></tr><tr><th>資本金</th><td>1,000万円</td></tr><tr><th>従業員数</th><td>94名（2026年4月現在）</td></tr></table>\
                 <h2>沿革</h2><dl><dt>1988年</dt><dd>業平工場を開設</dd><dt>2002年</dt><dd>本社を移転</dd></dl>",
            ),
        )
}

#[test]
fn a_site_without_blanks_is_read_by_the_form_of_its_values() {
    let draft = run::site(aoba(), "https://aoba.example/").draft();
    assert_eq!(at(&draft, "/identity/brand_name"), "青葉印刷");
    assert_eq!(at(&draft, "/identity/legal_name"), "株式会社青葉印刷");
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "品川区", "region": "東京都", "country": "JP"})
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 1977);
    assert_eq!(at(&draft, "/identity/employee_range"), "51-200");
    assert_eq!(at(&draft, "/positioning/category"), "総合印刷会社");
    assert_eq!(
        at(&draft, "/identity/description_short"),
        "株式会社青葉印刷は、あらゆる印刷物をスピーディーにお届けする総合印刷会社です。"
    );
    assert_eq!(at(&draft, "/identity/tagline"), "印刷の力で街を明るく");
    assert_eq!(at(&draft, "/positioning/proof_points"), &json!([]));
}
