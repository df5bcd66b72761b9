//! Vacancies: in lists under their heading, in rows of tables, and what only looks like them.

use crate::run::acme;
use crate::web::Web;

fn hired(language: &str, careers: Option<&str>, home: &str) -> Vec<String> {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/careers>Careers</a></nav><main>{main}</main></body></html>"
        )
    };
    let mut web = Web::new().page(
        "https://acme.example/",
        &page(&format!(
            "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>{home}"
        )),
    );
    if let Some(careers) = careers {
        web = web.page("https://acme.example/careers", &page(careers));
    }
    let signals = acme(web).draft()["result"]["buying_signals"].clone();
    let signals = signals.as_array().unwrap().iter();
    signals
        .filter(|signal| signal["kind"] == "hiring")
        .map(|signal| signal["signal"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn titles_stand_in_plain_lists_under_their_heading() {
    for (language, list, titles) in [
        (
            "de",
            "<h2>Offene Stellen</h2><p>Wir freuen uns auf dich.</p><ul><li>Steinmetz</li><li>Kranführerin</li></ul>",
            ["Steinmetz", "Kranführerin"],
        ),
        (
            "en",
            "<h2>OPEN POSITIONS</h2><div>Roofer</div><div>Slate cutter</div>",
            ["Roofer", "Slate cutter"],
        ),
        (
            "it",
            "<h2>Posizioni aperte</h2><h3>Lattoniere</h3><p>Per la sede.</p><h3>Gruista</h3><p>Per il cantiere.</p>",
            ["Lattoniere", "Gruista"],
        ),
        (
            "ja",
            "<h2>募集職種</h2><ul><li>石工</li><li>屋根職人</li></ul>",
            ["屋根職人", "石工"],
        ),
    ] {
        let mut found = hired(language, Some(&format!("<h1>Jobs</h1>{list}")), "");
        let mut titles = titles.map(str::to_owned).to_vec();
        found.sort();
        titles.sort();
        assert_eq!(found, titles, "{list}");
    }
    let home = "<h2>Open positions</h2><ul><li>Roofer</li><li>Slate cutter</li></ul>";
    assert_eq!(hired("en", None, home), ["Roofer", "Slate cutter"]);
    let row = "<h1>採用</h1><table><tr><th>募集職種</th><td>溶接工</td></tr><tr><th>勤務地</th><td>川辺市</td></tr></table>";
    assert_eq!(hired("ja", Some(row), ""), ["溶接工"]);
}

#[test]
fn no_vacancies_and_other_lists_are_none() {
    for (language, list) in [
        (
            "en",
            "<h2>Open positions</h2><ul><li>No open positions at the moment</li></ul>",
        ),
        (
            "de",
            "<h2>Offene Stellen</h2><p>Derzeit haben wir keine offenen Stellen.</p><ul><li>Ulm</li><li>Hain</li></ul>",
        ),
        (
            "de",
            "<h2>Offene Stellen</h2><h3>Initiativbewerbung</h3><p>Schreib uns.</p>",
        ),
        (
            "en",
            "<h2>What we offer</h2><ul><li>Flexible hours</li><li>Company car</li></ul>",
        ),
        (
            "en",
            "<h2>Open positions</h2><ul><li>we answer within a day</li><li>all of our halls are warm</li></ul>",
        ),
        ("ja", "<h2>募集職種</h2><p>現在、募集はありません。</p>"),
        // What a vacancy offers.
        (
            "en",
            "<h2>Open positions</h2><ul><li>28 days of annual leave</li><li>Company car</li></ul>",
        ),
        (
            "de",
            "<h2>Offene Stellen</h2><ul><li>Weihnachtsgeld</li><li>Betriebliche Altersvorsorge</li></ul>",
        ),
        (
            "ja",
            "<h2>募集職種</h2><ul><li>週休2日</li><li>各種社会保険完備</li></ul>",
        ),
    ] {
        assert_eq!(
            hired(language, Some(&format!("<h1>Jobs</h1>{list}")), ""),
            [""; 0],
            "{list}"
        );
    }
}

#[test]
fn lines_for_every_sex_under_a_heading_that_hires_are_vacancies() {
    for (language, list, titles) in [
        (
            "de",
            "<h2>Wir stellen ein</h2><p>Steinmetz m/w/d</p><p>Kranführer m/w/d</p><h2>Kontakt</h2><p>Rufen Sie an</p>",
            vec!["Steinmetz m/w/d", "Kranführer m/w/d"],
        ),
        (
            "fr",
            "<h2>Nous recrutons</h2><p>Couvreur H/F</p><p>Grutier H/F</p>",
            vec!["Couvreur H/F", "Grutier H/F"],
        ),
        (
            "en",
            "<h2>We are hiring</h2><p>Come and see our yard</p><p>It is a fine place</p>",
            vec![],
        ),
    ] {
        assert_eq!(hired(language, None, list), titles, "{list}");
    }
}

#[test]
fn headings_under_a_noun_for_vacancies_are_titles_if_one_is_known() {
    for (language, careers, titles) in [
        (
            "fr",
            "<h2>Les postes que nous proposons cette année</h2><h3>Conducteur d'engins</h3><p>Pour le port.</p><h3>Grutier</h3><p>Pour la cour.</p><h3>Carrier</h3><p>Pour la pierre.</p>",
            vec!["Carrier", "Conducteur d'engins", "Grutier"],
        ),
        (
            "de",
            "<h2>Stellen, die wir jetzt besetzen</h2><h3>Mechaniker</h3><p>In Ulm.</p><h3>Steinmetz</h3><p>In Hain.</p>",
            vec!["Mechaniker", "Steinmetz"],
        ),
        (
            "en",
            "<h2>Why our positions are good ones</h2><h3>Flexible hours</h3><p>For all.</p><h3>Good pay</h3><p>For all.</p>",
            vec![],
        ),
    ] {
        let mut found = hired(language, Some(&format!("<h1>Jobs</h1>{careers}")), "");
        found.sort();
        assert_eq!(found, titles, "{language}");
    }
}

#[test]
fn lists_written_by_hand_are_parted_and_lists_of_places_are_none() {
    let careers = "<h1>Jobs</h1><h2>Offene Stellen</h2><ul><li>Ulm</li><li>Hain</li></ul><p>- Schlosser/-in<br>- Kranführer/-in</p>";
    let mut found = hired("de", Some(careers), "");
    found.sort();
    assert_eq!(found, ["Kranführer/-in", "Schlosser/-in"]);
    let careers = "<h1>Jobs</h1><h2>Open positions</h2><ul><li>Leeds</li><li>York</li></ul><p>• Site manager (m/f/d)<br>• Crane driver (m/f/d)</p>";
    let mut found = hired("en", Some(careers), "");
    found.sort();
    assert_eq!(found, ["Crane driver (m/f/d)", "Site manager (m/f/d)"]);
}

#[test]
fn a_table_of_vacancies_is_one_signal_that_names_them() {
    let table = "<h1>Jobs</h1><table><tr><th>Stelle</th><th>Ort</th><th>Umfang</th></tr>\
        <tr><td>Monteur (m/w/d)</td><td>Ulm</td><td>Vollzeit</td></tr>\
        <tr><td>Bauleiter (m/w/d)</td><td>Hain</td><td>Vollzeit</td></tr></table>";
    assert_eq!(
        hired("de", Some(table), ""),
        ["Monteur (m/w/d); Bauleiter (m/w/d)"]
    );
}

#[test]
fn the_terms_of_a_vacancy_are_no_vacancies() {
    for careers in [
        "<h1>採用</h1><dl><dt>職種</dt><dd>溶接工</dd><dt>応募資格</dt><dd>オペレーター経験者歓迎</dd><dt>勤務地</dt><dd>川辺市</dd></dl>",
        "<h1>採用</h1><table><tr><th>職種</th><td>溶接工</td></tr><tr><th>応募資格</th><td>オペレーター経験者歓迎</td></tr><tr><th>勤務地</th><td>川辺市</td></tr></table>",
        "<h1>採用</h1><ul><li>職種：溶接工</li><li>応募資格：オペレーター経験者歓迎</li></ul>",
    ] {
        assert_eq!(hired("ja", Some(careers), ""), ["溶接工"], "{careers}");
    }
    let menu = "<h1>採用</h1><ul><li>採用情報</li><li>募集職種</li><li>社員紹介</li><li>仕事紹介</li></ul>";
    assert_eq!(hired("ja", Some(menu), ""), [""; 0]);
    let table = "<h1>Jobs</h1><table><tr><td>Hours</td><td>38 a week</td></tr><tr><td>Tasks</td><td>Help the engineer</td></tr><tr><td>Place</td><td>Leeds</td></tr></table>";
    assert_eq!(hired("en", Some(table), ""), [""; 0]);
}

#[test]
fn whom_a_company_trains_is_told() {
    for (language, text) in [
        (
            "de",
            "Acme bildet jedes Jahr Auszubildende im Stahlbau aus.",
        ),
        (
            "fr",
            "Nous recherchons un jeune en alternance pour notre atelier.",
        ),
        ("en", "We take on two apprentices in the yard every autumn."),
    ] {
        assert_eq!(hired(language, None, &format!("<p>{text}</p>")), [text]);
    }
    for (language, text) in [
        (
            "en",
            "At every stage of the work we offer help by telephone.",
        ),
        (
            "fr",
            "Nous proposons des formations en alternance aux jeunes.",
        ),
    ] {
        assert_eq!(hired(language, None, &format!("<p>{text}</p>")), [""; 0]);
    }
}
