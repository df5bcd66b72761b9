//! What a company stands for, and how it tells of itself: labels above headings and cards, lists, and sentences.

use gtm_sdk::{Value, json::json};

use crate::languages::site;
use crate::run::{acme, at, members};
use crate::web::Web;

/// The draft of a site whose page about itself has this text.
fn about(language: &str, text: &str) -> Value {
    acme(site(
        language,
        "<h1>Acme</h1>",
        &[("/about", "About us", text)],
    ))
    .draft()
}

/// The draft of a site whose home page has this text.
fn home(language: &str, text: &str) -> Value {
    acme(site(language, text, &[])).draft()
}

#[test]
fn a_label_above_a_heading_says_what_the_cards_are() {
    let cards = "<div><h3>Hart voor het werk</h3><p>Elke klus krijgt onze volle aandacht.</p></div>\
        <div><h3>Veilig</h3><p>Wij werken nooit zonder plan.</p></div>";
    for label in [
        "<div class=eyebrow>Waarden</div><h2>Anders in alles wat we doen</h2><p>Zo werken wij.</p>",
        "<span>Onze aanpak</span><h2>Twee kernwaarden, op elke bouwplaats</h2>",
    ] {
        let draft = about("nl", &format!("<h1>Over Acme</h1>{label}{cards}"));
        assert_eq!(
            members(at(&draft, "/foundations/values"), "name"),
            ["Hart voor het werk", "Veilig"],
            "{label}"
        );
    }
    let other = format!("<div>Diensten</div><h2>Anders in alles wat we doen</h2>{cards}");
    let draft = about("nl", &other);
    assert_eq!(at(&draft, "/foundations/values"), &json!([]));
}

#[test]
fn a_label_without_a_heading_stands_above_its_text() {
    let draft = about(
        "pt",
        "<h1>A Acme</h1><div><strong>Nossa Missão</strong><p>Fornecer peças que durem mais do que a máquina.</p></div>\
         <div><strong>Nossa Visão</strong><p>Ser a oficina em que toda a região confia.</p></div>\
         <div><strong>Nossos Valores</strong><p>Trabalho limpo, franqueza nas conversas e respeito pelos prazos.</p></div>",
    );
    assert_eq!(
        at(&draft, "/foundations/mission"),
        "Fornecer peças que durem mais do que a máquina."
    );
    assert_eq!(
        at(&draft, "/foundations/vision"),
        "Ser a oficina em que toda a região confia."
    );
    assert_eq!(
        members(at(&draft, "/foundations/values"), "name"),
        [
            "Trabalho limpo",
            "franqueza nas conversas",
            "respeito pelos prazos"
        ]
    );
}

#[test]
fn a_name_behind_its_generation_tells_the_origin() {
    let story = |text: &str| {
        let draft = about("en", &format!("<h1>About us</h1><p>{text}</p>"));
        at(&draft, "/foundations/origin_story").clone()
    };
    let text = "Now in its third generation, Acme casts bells in Ripon.";
    assert_eq!(story(text), text);
    for text in [
        "Acme tells of the second generation of its pump, which is quieter than the first.",
        "Now in its third generation, Acme's pump is quieter than any other.",
    ] {
        assert_eq!(story(text), Value::Null, "{text}");
    }
}

#[test]
fn what_others_hold_to_is_not_the_companys() {
    let values = |text: &str| {
        let draft = home("en", &format!("<h1>Acme</h1>{text}"));
        members(at(&draft, "/foundations/values"), "name").join(" | ")
    };
    assert_eq!(
        values("<p>At Acme we stand for safety, patience and care.</p>"),
        "safety | patience | care"
    );
    for text in [
        "<blockquote>At Globex we stand for safety, patience and care.</blockquote>",
        "<p>At Globex Ltd we stand for safety, patience and care.</p>",
        "<p>At Globex we stand for safety, patience and care.</p>",
    ] {
        assert_eq!(values(text), "", "{text}");
    }
}

#[test]
fn principles_on_a_page_about_sustainability_are_commitments() {
    let draft = about(
        "ja",
        "<h1>サステナビリティ。</h1><div>FOUR PRINCIPLES</div><h2>環境への配慮、二つの原則。</h2>\
         <div>PRINCIPLE 01</div><h3>古紙を、決めた道で。</h3><p>廃材は登録した処理場まで自社の車で運搬します。</p>\
         <div>PRINCIPLE 02</div><h3>町を、汚さない。</h3><p>現場のまわりを毎日清掃し、近隣へご挨拶します。</p>",
    );
    assert_eq!(
        at(&draft, "/foundations/commitments"),
        &json!([
            "廃材は登録した処理場まで自社の車で運搬します。",
            "現場のまわりを毎日清掃し、近隣へご挨拶します。"
        ])
    );
    assert_eq!(at(&draft, "/foundations/values"), &json!([]));
}

#[test]
fn japanese_sentences_state_an_aim_and_a_purpose() {
    let draft = about(
        "ja",
        "<h1>概要</h1><h2>組合の目的</h2><p>当組合は、市場に関わる店が助け合える場をつくることを目的として活動しています。</p>\
         <h2>これから</h2><p>私たちは、島の果物が町へ届く道をつくることを目指しています。</p>",
    );
    assert_eq!(
        at(&draft, "/foundations/purpose"),
        "当組合は、市場に関わる店が助け合える場をつくることを目的として活動しています。"
    );
    assert_eq!(
        at(&draft, "/foundations/vision"),
        "私たちは、島の果物が町へ届く道をつくることを目指しています。"
    );
}

#[test]
fn a_commitment_is_told_once_and_not_by_a_footer() {
    let footer = "<div><h3>About us</h3><p>Acme sells gears in three counties to anybody who asks for them.</p></div>";
    let page = |main: &str| format!("{main}{footer}");
    let (responsibility, news) = (
        page(
            "<h2>Social responsibility</h2><p>We are committed to mending every gear that we ever sold. We pay for the post.</p>\
              <p>We are committed to mending every gear that we ever sold.</p>",
        ),
        page("<h2>News</h2><p>A new hall.</p>"),
    );
    let pages = [
        ("/about", "About us", responsibility.as_str()),
        ("/news", "News", news.as_str()),
    ];
    let draft = acme(site("en", &page("<h1>Acme</h1>"), &pages)).draft();
    assert_eq!(
        at(&draft, "/foundations/commitments"),
        &json!(["We are committed to mending every gear that we ever sold. We pay for the post."])
    );
}

#[test]
fn an_origin_tells_of_a_founding() {
    let story = |language: &str, text: &str| {
        let draft = about(language, &format!("<h1>Acme</h1><p>{text}</p>"));
        at(&draft, "/foundations/origin_story").clone()
    };
    let founder = "Fondée par Jeanne Roux, topographe de métier, Acme est basée à Dijon et travaille partout.";
    assert_eq!(story("fr", founder), founder);
    assert_eq!(
        story(
            "it",
            "Dal 1996, Acme è al fianco delle aziende bolognesi per garantire flussi logistici impeccabili."
        ),
        Value::Null
    );
}

#[test]
fn descriptions_are_not_the_same_twice_nor_snippets() {
    let page = |description: &str| {
        format!(
            "<html lang=en><head><title>Acme</title><meta name=description content=\"{description}\"></head><body><main><h1>Gears that last</h1>\
             <p>Gears for mills and pumps, cut in one hall in Leeds since 1998.</p></main></body></html>"
        )
    };
    let described = |description: &str| {
        let web = crate::web::Web::new().page("https://acme.example/", &page(description));
        let draft = acme(web).draft();
        (
            at(&draft, "/identity/description_short").clone(),
            at(&draft, "/identity/description_long").clone(),
        )
    };
    let (short, _) =
        described("Gear cutters Leeds. Acme your top choice for gears (0113) 496-0600");
    assert_eq!(
        short,
        "Gears for mills and pumps, cut in one hall in Leeds since 1998."
    );
    let first = "Acme cuts and mends gears for mills, pumps and presses in the north of England.";
    let (short, long) = described(&format!(
        "{first} Ask for our spring offer on spur gears and for the new catalogue with all of its four hundred pages."
    ));
    assert_eq!((short, long), (json!(first), Value::Null));
}

#[test]
fn the_name_in_latin_letters_is_no_tagline() {
    let header = "<header><a href=/>青葉物販協同組合 AOBA BUPPAN COOPERATIVE</a></header>";
    let page = |title: &str, main: &str| {
        format!(
            "<html lang=ja><head><title>{title}</title><meta property=og:site_name content=青葉物販協同組合></head><body>{header}<main>{main}</main></body></html>"
        )
    };
    let links = "<a href=/a>概要</a><a href=/b>お知らせ</a>";
    let web = crate::web::Web::new()
        .page(
            "https://acme.example/",
            &page(
                "青葉物販協同組合",
                &format!("<h1>地域の店をつなぎ、<br>ともに育つ</h1>{links}"),
            ),
        )
        .page(
            "https://acme.example/a",
            &page("概要 | 青葉物販協同組合", "<h1>概要</h1>"),
        )
        .page(
            "https://acme.example/b",
            &page("お知らせ | 青葉物販協同組合", "<h1>お知らせ</h1>"),
        );
    let draft = crate::run::site(web, "https://acme.example/").draft();
    assert_eq!(
        at(&draft, "/identity/tagline"),
        "地域の店をつなぎ、 ともに育つ"
    );
}

#[test]
fn what_sets_apart_is_told_by_name_or_text() {
    let cards = "<div>No. 01</div><h3>Un equipo que conoce su planta</h3><p>Lo formamos aquí.</p>\
        <div>No. 02</div><h3>Trayectoria</h3><p>Más de 45 años de servicio en hospitales y escuelas.</p>";
    let text = format!("<h1>Acme</h1><p>¿Por qué elegirnos?</p><h2>Hay motivos</h2>{cards}");
    assert_eq!(
        at(&home("es", &text), "/positioning/differentiators"),
        &json!([
            "Un equipo que conoce su planta",
            "Más de 45 años de servicio en hospitales y escuelas."
        ])
    );
    let lead = "<h1>Acme</h1><h2>Perché scegliere noi</h2><p>Conosciamo ogni cliente per nome e arriviamo in giornata.</p>";
    assert_eq!(
        at(&home("it", lead), "/positioning/differentiators"),
        &json!(["Conosciamo ogni cliente per nome e arriviamo in giornata."])
    );
}

#[test]
fn services_news_stock_and_values_are_no_benefits() {
    let statements = |language: &str, text: &str| {
        let draft = home(language, &format!("<h1>Acme</h1>{text}"));
        at(&draft, "/positioning/value_propositions").clone()
    };
    let none = json!([]);
    for (language, text) in [
        (
            "de",
            "<div>Unsere Leistungen</div><h2>Vom ersten Entwurf bis zur Pflege</h2><h3>Lüftung für Ihre Halle</h3><p>Planung und Einbau von Anlagen.</p><h3>Kälte für Ihre Halle</h3><p>Geräte für jede Größe.</p>",
        ),
        (
            "pt",
            "<h2>Fique por dentro com a nossa equipe</h2><div>12 Fev 2025</div><h3>A importância da usinagem na indústria</h3><p>Como a técnica muda a nossa produção.</p><div>05 Fev 2025</div><h3>Novos polímeros de alta performance</h3><p>Conheça os materiais do ano.</p>",
        ),
        (
            "it",
            "<h2>Configura la tua flotta</h2><h3>STILO ECH 12 C</h3><ul><li>Marca: STILO</li><li>Anno: 2026</li></ul><h3>STILO ECH 15 C</h3><ul><li>Marca: STILO</li><li>Anno: 2025</li></ul>",
        ),
        (
            "nl",
            "<h2>Onze waarden</h2><h3>Hart voor het werk</h3><p>Elke klus krijgt onze volle aandacht.</p><h3>Veilig werken voorop</h3><p>Wij werken nooit zonder plan.</p>",
        ),
    ] {
        assert_eq!(statements(language, text), none, "{text}");
    }
    let benefits = "<h2>Vorteile</h2><h3>Ruhe</h3><p>Ihre Anlage läuft auch am Wochenende ohne Aufsicht.</p><h3>Ein Ansprechpartner für alles</h3><p>Sie rufen eine Nummer an.</p>";
    assert_eq!(
        members(&statements("de", benefits), "statement"),
        [
            "Ihre Anlage läuft auch am Wochenende ohne Aufsicht.",
            "Ein Ansprechpartner für alles"
        ]
    );
}

#[test]
fn a_first_paragraph_is_a_promise_if_it_speaks_to_buyers() {
    let promise = |text: &str| {
        let draft = home(
            "de",
            &format!("<h1>Klimatechnik im Norden</h1><p>{text}</p>"),
        );
        members(at(&draft, "/positioning/value_propositions"), "statement")
            .iter()
            .map(|statement| (*statement).to_owned())
            .collect::<Vec<_>>()
    };
    let spoken = "Seit 1996 Ihr Haus für Klimatechnik. Entwurf und Pflege unter einem Dach.";
    // The short description takes it if nothing else describes the company; a promise repeats nothing.
    assert_eq!(promise(spoken), [""; 0]);
    let long = "Wir kümmern uns um Ihre Anlage, damit Sie sich um Ihre Gäste kümmern können: ein Anruf genügt, am Wochenende und in der Nacht, im ganzen Norden und auf allen Inseln davor.";
    assert_eq!(promise(long), [long]);
    assert_eq!(
        promise(
            "Herstellung von Isolatoren für Weidezäune, Werkzeuge und Formen für die Industrie in mehr als zwanzig Ländern der Welt, dazu Handel mit Ersatzteilen und mit Rohstoffen aller Art."
        ),
        [""; 0]
    );
}

#[test]
fn an_origin_is_told_with_the_sentence_that_says_what_began() {
    let story = |language: &str, since: &str, text: &str| {
        let draft = about(
            language,
            &format!("<h1>Acme</h1><p>{since}</p><p>{text}</p>"),
        );
        at(&draft, "/foundations/origin_story").clone()
    };
    for (language, since, text) in [
        (
            "it",
            "Acme esiste dal 1951.",
            "Nel 1951 il porto era un luogo di vele, di reti e di taverne. Anna Rossi e suo fratello hanno aperto una piccola bottega di cordami.",
        ),
        (
            "en",
            "Acme was founded in 1951.",
            "In 1951 the harbour was a place of sails, nets and taverns. Ann Roe and her brother opened a small shop for ropes.",
        ),
    ] {
        assert_eq!(story(language, since, text), text);
    }
    assert_eq!(
        story(
            "en",
            "Acme was founded in 1951.",
            "In 1951 the harbour was a place of sails, nets and taverns. Nobody there spoke of engines."
        ),
        Value::Null
    );
}

#[test]
fn a_sentence_with_a_colon_sets_apart_as_a_whole() {
    for (language, why, items) in [
        (
            "en",
            "Why choose us",
            [
                "From order to splice: two days at most.",
                "We do the spinning ourselves: nothing goes to other shops.",
            ],
        ),
        (
            "it",
            "Perché scegliere noi",
            [
                "Dalla fibra alla cima: due giorni al massimo.",
                "Filiamo tutto in casa nostra: niente va ad altre botteghe.",
            ],
        ),
    ] {
        let text = items.map(|item| format!("<p>{item}</p>")).concat();
        let draft = home(language, &format!("<h1>Acme</h1><h2>{why}</h2>{text}"));
        assert_eq!(
            at(&draft, "/positioning/differentiators"),
            &json!(items),
            "{text}"
        );
    }
}

#[test]
fn a_description_tells_what_is_done_and_not_what_is_aimed_at() {
    let descriptions = |language: &str, head: &str, main: &str, about: &str| {
        let page = |head: &str, main: &str| {
            format!(
                "<html lang={language}><head><title>Acme</title>{head}</head><body><nav><a href=/about>About us</a></nav><main>{main}</main></body></html>"
            )
        };
        let web = Web::new()
            .page("https://acme.example/", &page(head, main))
            .page("https://acme.example/about", &page("", about));
        let draft = acme(web).draft();
        let text = |field: &str| at(&draft, field).as_str().map(str::to_owned);
        (
            text("/identity/description_short"),
            text("/identity/description_long"),
        )
    };
    for (language, deed, aim, heading) in [
        (
            "de",
            "Acme verbindet Seilereien und Werften an der ganzen Küste – mit Kenntnis der Märkte und mit unabhängiger Beratung auf jedem Schiff, in jedem Hafen und zu jeder Jahreszeit.",
            "Acme ist ein Unternehmen, das seinen Kunden zuhört und ihre Wünsche ernst nimmt, das die Umwelt schont und das seinen Leuten Sicherheit gibt, heute und in vielen Jahren noch.",
            "Unser Leitbild",
        ),
        (
            "fr",
            "Acme assure la conception et la pose de gréements sur tous les navires de la côte, avec des cordages filés dans ses propres ateliers, par tous les temps et dans tous les ports.",
            "Acme est une maison qui écoute ses clients et qui prend leurs souhaits au sérieux, qui ménage la nature et qui donne confiance à ses équipes, aujourd’hui et pour longtemps.",
            "Nos valeurs",
        ),
    ] {
        let about =
            format!("<h1>Acme</h1><h2>{heading}</h2><p>{aim}</p><h2>Info</h2><p>{deed}</p>");
        let (short, long) = descriptions(language, "", "<h1>Hafen</h1>", &about);
        assert_eq!((short, long.as_deref()), (None, Some(deed)));
        let only_aim = format!("<h1>Acme</h1><h2>{heading}</h2><p>{aim}</p>");
        assert_eq!(
            descriptions(language, "", "<h1>Hafen</h1>", &only_aim),
            (None, None)
        );
    }
    for (language, call, deed) in [
        (
            "fr",
            "Découvrez l’univers des cordages de la côte.",
            "Nous tressons des cordes pour tous les navires.",
        ),
        (
            "de",
            "Entdecken Sie die Welt der Taue von der Küste.",
            "Wir spinnen Garne und Taue für jedes Schiff.",
        ),
    ] {
        let head = format!("<meta name=description content='{call}'>");
        let (short, _) = descriptions(language, &head, &format!("<p>{deed}</p>"), "");
        assert_eq!(short.as_deref(), Some(deed));
        let (short, _) = descriptions(language, &head, "<h1>Hafen</h1>", "");
        assert_eq!(short.as_deref(), Some(call));
    }
}

#[test]
fn titles_of_cards_need_no_heading_elements() {
    let values = |language: &str, title: &str, names: [&str; 2], texts: [&str; 2]| {
        let [first, second] = names;
        let draft = about(
            language,
            &format!(
                "<h1>Acme</h1><h2>{title}</h2><div class=card><p>{first}</p><p>{}</p></div><div class=card><p>{second}</p><p>{}</p></div>\
                 <form><p>Acme*</p><p>Tell us in a few words what you need from us.</p><p>Other*</p><p>Tell us in a few words when you need it.</p></form>",
                texts[0], texts[1]
            ),
        );
        assert_eq!(members(at(&draft, "/foundations/values"), "name"), names);
    };
    values(
        "en",
        "Our values",
        ["Care", "Candour"],
        [
            "We check every tread twice before it leaves the shop.",
            "We tell you when a repair would do as well",
        ],
    );
    values(
        "de",
        "Unsere Werte",
        ["Sorgfalt", "Offenheit"],
        [
            "Wir prüfen jede Stufe zweimal, bevor sie das Haus verlässt.",
            "Wir sagen Ihnen, wenn eine Reparatur genügt",
        ],
    );
}
