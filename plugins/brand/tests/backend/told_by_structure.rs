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
