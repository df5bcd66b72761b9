//! Sites whose pages have no `main` element, so that the page reader tells the main text by its density.

use gtm_sdk::json::json;

use crate::run::{acme, at};
use crate::web::Web;

fn page(language: &str, title: &str, body: &str) -> String {
    let (menu, foot) = match language {
        "ja" => (
            "<a href=/company>会社概要</a><a href=/business>事業内容</a>",
            "株式会社 柊金属製作所",
        ),
        _ => (
            "<a href=/about>About</a><a href=/services>Services</a>",
            "Brackwell Boilers Ltd",
        ),
    };
    format!(
        "<!doctype html><html lang={language}><head><title>{title}</title></head><body><div class=top><a href=/>{foot}</a><div>{menu}</div></div>\
         <div class=page>{body}</div><div class=foot><p>© 2026 {foot}</p></div></body></html>"
    )
}

/// A Japanese metal works: particulars in a table, cards on a page of its own.
fn metal_works() -> Web {
    Web::new()
        .page(
            "https://acme.example/",
            &page("ja", "柊金属製作所", "<h1>薄板を、正確に。</h1><p>当社は、薄板の精密板金加工を得意とする町工場です。試作から量産まで、お客様の図面に合わせて一貫して製造しています。</p>"),
        )
        .page(
            "https://acme.example/company",
            &page("ja", "会社概要", "<h1>会社概要</h1><table><tr><th>会社名</th><td>株式会社柊金属製作所</td></tr><tr><th>設立</th><td>1974年6月</td></tr>\
                <tr><th>所在地</th><td>〒392-0012 長野県諏訪市緑原1-2-3</td></tr><tr><th>事業内容</th><td>精密板金加工、レーザー切断、溶接組立</td></tr></table>"),
        )
        .page(
            "https://acme.example/business",
            &page("ja", "事業内容", "<h1>事業内容</h1><div class=card><h3>精密板金加工</h3><p>薄い板を図面どおりに曲げます。</p></div>\
                <div class=card><h3>レーザー切断</h3><p>厚さ12ミリまで切断できます。</p></div><div class=card><h3>溶接組立</h3><p>資格を持つ職人が溶接します。</p></div>"),
        )
}

#[test]
fn a_japanese_metal_works_is_read() {
    let draft = acme(metal_works()).draft();
    assert_eq!(
        at(&draft, "/voice/vocabulary/preferred"),
        &json!(["精密板金加工", "レーザー切断", "溶接組立"])
    );
    assert_ne!(at(&draft, "/voice/samples"), &json!([]));
    assert!(at(&draft, "/identity/description_short").is_string());
}

#[test]
fn below_a_name_and_a_slogan_the_company_describes_itself() {
    for (language, name, slogan, lead) in [
        (
            "ja",
            "株式会社 柊金属製作所",
            "薄板を、正確に。",
            "柊金属製作所は、諏訪の地で板金加工を行う会社です。",
        ),
        (
            "en",
            "Brackwell Boilers",
            "Warm by tonight",
            "Brackwell Boilers looks after the heating of homes and halls near Ripon.",
        ),
    ] {
        let body = format!(
            "<h1>{name}</h1><h2>{slogan}</h2><p>{lead}</p><h2>News</h2><p>We have moved to a larger yard beside the canal.</p>"
        );
        let web = Web::new().page("https://acme.example/", &page(language, name, &body));
        assert_eq!(at(&acme(web).draft(), "/identity/description_short"), lead);
    }
}

#[test]
fn years_on_the_card_of_a_person_prove_nothing_of_the_company() {
    let body = "<h1>Boilers that run</h1><p>Brackwell Boilers repairs boilers in homes across North Yorkshire.</p>\
        <h2>Our team</h2><div><h4>Owen Pike</h4><div>Heating engineer</div><div>7+ years of experience</div></div>\
        <h2>Our numbers</h2><div><div>30+ years of experience</div></div>";
    let web = Web::new().page("https://acme.example/", &page("en", "Boilers", body));
    let proofs = at(&acme(web).draft(), "/positioning/proof_points").to_string();
    assert!(
        proofs.contains("30+ years") && !proofs.contains("7+ years"),
        "{proofs}"
    );
}

#[test]
fn quotations_of_two_paragraphs_are_testimonials() {
    for body in [
        "<div class=card><p>\"They came within two hours and the boiler has run ever since.\"</p><p>Helen Marsh, Ripon</p></div>",
        "<div class=card><p>&quot;They came within two hours and the boiler has run ever since.&quot;</p><p>Helen Marsh, Ripon</p></div>\
         <div class=card><p>\"Clean work and a fair price, I would call them again.\"</p><p>Owen Pike, Thirsk</p></div>",
    ] {
        let web = Web::new().page(
            "https://acme.example/",
            &page("en", "Brackwell Boilers", &format!("<h1>Boilers that run</h1><p>Brackwell Boilers repairs and services boilers in homes across North Yorkshire.</p>\
                <h2>What customers say</h2>{body}")),
        );
        let draft = acme(web).draft();
        let proofs = at(&draft, "/positioning/proof_points").to_string();
        assert!(
            proofs.contains("boiler has run ever since") && proofs.contains("Helen Marsh"),
            "{proofs}"
        );
    }
}
