//! The page budget goes to pages of the site in its main language, not to copies, dead links or notices of them.

use gtm_sdk::json::json;

use crate::run::acme;
use crate::web::Web;

const COMPANY: &str = "<h1>会社概要</h1><table><tr><th>会社名</th><td>株式会社緑原製作所</td></tr><tr><th>設立</th><td>1988年4月1日</td></tr></table>";

/// A Japanese site with a Chinese and an English copy, and a menu that leads nowhere in part.
fn site() -> Web {
    let links = "<a href=/english/>English</a><a href=/cn/>中文</a><a href=/cn/company.html>公司简介</a><a href=/english/company.html>Company</a>\
        <a href=/cn/products.html>产品中心</a><a href=/kotei.html>工程</a><a href=/setsubi.html>設備</a><a href=/zairyo.html>材料</a><a href=/company.html>会社概要</a>\
        <a href=/service.html>事業内容</a><a href=/company_en.html>Profile</a>";
    let mut web = Web::new().page(
        "https://acme.example/",
        &format!("<html lang=ja><head><title>緑原製作所</title></head><body><nav>{links}</nav><main><h1>緑の木で家具をつくる</h1><p>緑原製作所は地元の木で椅子と机をつくっています。</p></main></body></html>"),
    );
    for (path, text) in [
        ("company.html", COMPANY),
        (
            "service.html",
            "<h1>事業内容</h1><p>椅子と机をつくります。</p>",
        ),
        (
            "zairyo.html",
            "<h1>材料</h1><p>地元の木だけを使っています。</p>",
        ),
        (
            "setsubi.html",
            "<h1>404</h1><p>ページが見つかりません。</p>",
        ),
        ("cn/", "<h1>首页</h1><p>我们用本地的木材制造椅子。</p>"),
        (
            "cn/company.html",
            "<h1>公司简介</h1><p>公司成立于1988年。</p>",
        ),
        ("cn/products.html", "<h1>产品中心</h1><p>椅子和桌子。</p>"),
        (
            "english/",
            "<h1>Home</h1><p>We make chairs of the wood of our hills.</p>",
        ),
        (
            "english/company.html",
            "<h1>Company</h1><p>We make chairs.</p>",
        ),
        (
            "company_en.html",
            "<h1>Profile</h1><p>We have made chairs since 1988.</p>",
        ),
    ] {
        let html = format!(
            "<html><head><title>緑原製作所</title></head><body><main>{text}</main></body></html>"
        );
        web = web.page(&format!("https://acme.example/{path}"), &html);
    }
    web
}

#[test]
fn versions_in_other_languages_are_not_read_and_dead_links_cost_nothing() {
    // Home, company, services, materials; one link is dead and one page says that it is none.
    let run = acme(site()).set("max_pages", json!(6)).run();
    let read: Vec<&str> = run
        .calls
        .iter()
        .filter(|call| call.capability == "web.fetch")
        .filter_map(|call| call.input["url"].as_str())
        .collect();
    for path in ["company.html", "service.html", "zairyo.html"] {
        let url = format!("https://acme.example/{path}");
        assert!(read.contains(&url.as_str()), "{path}: {read:?}");
    }
    let others =
        |url: &&&str| url.contains("/cn/") || url.contains("/english/") || url.contains("_en");
    assert_eq!(read.iter().filter(others).count(), 0, "{read:?}");
    let draft = run.output.unwrap();
    assert_eq!(draft["guideline"]["identity"]["founded_year"], 1988);
    assert!(!draft["sources"].to_string().contains("setsubi"));
}

#[test]
fn dead_links_are_replaced_from_the_same_budget() {
    let run = acme(site()).set("max_pages", json!(4)).run();
    let draft = run.output.unwrap();
    let read = draft["sources"].as_array().unwrap().len();
    assert!(read >= 3, "{read}");
}
