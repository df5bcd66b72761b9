//! Texts, and how a person would describe their style.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_page_text::BlockKind;
use gtm_site_signals::prose::{HeadlineCase, Person, Prose, measure};

fn read(text: &str, language: Option<&str>) -> Prose {
    measure(&[(BlockKind::Paragraph, text)], language)
}

const FRIENDLY: &str = "We're a small team in Leeds. We don't do jargon, and we won't send you a brochure. Hey, you've got better things to do! \
    Our people know their colours, shapes, and materials. We love odd questions, late calls, and hard jobs. It's fun, and you'll see why. \
    Tell us what you need and we'll sort it. Your neighbours will be jealous! The colour of every tile is up to you.";

const FORMAL: &str = "The company provides inspection services to the operators of power plants. It does not accept orders by telephone. \
    Reports are issued within ten days and are not altered thereafter. The organization therefore maintains laboratories in Boston, Denver and Austin. \
    Each inspection is performed pursuant to the applicable standard, and the results are analyzed, recorded and signed. \
    The center is accredited; accordingly, certificates are recognized in all states. The color of a specimen is not a criterion. \
    Furthermore, the inspector will not disclose results to third parties.";

#[test]
fn a_friendly_text_is_measured() {
    let prose = read(FRIENDLY, Some("en"));
    assert_eq!(prose.sentences, 9);
    assert_eq!(prose.person, Some(Person::FirstPlural));
    assert_eq!(prose.contractions, Some(true));
    assert_eq!(prose.oxford_comma, Some(true));
    assert_eq!(prose.exclamation_marks, Some(true));
    assert_eq!(prose.emoji, Some(false));
    assert_eq!(prose.spelling_locale.as_deref(), Some("en-GB"));
    assert_eq!(prose.formality, Some(1));
    // 70 words.
    assert_eq!(prose.mean_sentence_words, Some(7.8));
    assert_eq!(
        read(FRIENDLY, Some("en-AU")).spelling_locale.as_deref(),
        Some("en-AU")
    );
}

#[test]
fn a_formal_text_is_measured() {
    let prose = read(FORMAL, Some("en-US"));
    assert_eq!(prose.sentences, 8);
    assert_eq!(prose.person, Some(Person::Third));
    assert_eq!(prose.contractions, Some(false));
    assert_eq!(prose.oxford_comma, Some(false));
    assert_eq!(prose.exclamation_marks, Some(false));
    assert_eq!(prose.spelling_locale.as_deref(), Some("en-US"));
    assert_eq!(prose.formality, Some(5));
}

#[test]
fn german_knows_how_it_addresses_people() {
    let distant = "Wir prüfen Ihre Zähler. Gern beraten wir Sie vor Ort. Bitte senden Sie uns z. B. die Pläne des Gebäudes. Unser Büro liegt in der Hauptstraße am Markt. \
        Dort erreichen Sie uns von Montag bis Freitag. Größere Anlagen besuchen wir selbst, damit Ihnen keine Wege entstehen. Unsere Preise finden Sie in der Liste, die wir Ihnen gern schicken. \
        Seit 1998 vertrauen uns Verwalter im ganzen Land, und das soll so bleiben, solange es Häuser gibt.";
    let prose = read(distant, Some("de"));
    assert_eq!(prose.formality, Some(4));
    assert_eq!(prose.person, Some(Person::FirstPlural));
    assert_eq!(prose.spelling_locale.as_deref(), Some("de-DE"));
    assert_eq!(prose.contractions, None);
    assert_eq!(prose.sentences, 8);
    // Marks at the ends of sentences make nobody familiar.
    let called = distant.replace(". ", "! ");
    assert_eq!(read(&called, Some("de")).formality, Some(4));
    let close = distant
        .replace("Ihre ", "deine ")
        .replace(" Sie ", " du ")
        .replace("Ihnen", "dir")
        .replace('ß', "ss");
    let prose = read(&close, Some("de-CH"));
    assert_eq!(prose.formality, Some(2));
    assert_eq!(prose.spelling_locale.as_deref(), Some("de-CH"));
}

#[test]
fn too_little_says_nothing() {
    assert_eq!(
        read("We build meters. We like it!", Some("en")),
        Prose {
            sentences: 2,
            ..Prose::default()
        }
    );
    assert_eq!(measure(&[], None), Prose::default());
}

#[test]
fn unknown_languages_are_not_guessed_at() {
    let text = "Pécsi cég vagyunk. Házakat építünk. A mi házaink melegek. Az egész országból hívnak minket. Szeretjük a munkánkat. Várjuk önt! ".repeat(3);
    let prose = read(&text, Some("hu"));
    assert_eq!((prose.sentences, prose.exclamation_marks), (18, Some(true)));
    assert_eq!(
        (prose.person, prose.formality, prose.spelling_locale),
        (None, None, None)
    );
}

#[test]
fn other_people_s_words_do_not_count() {
    let praise =
        "I love it! I really do! I can't believe it! My team is happy! I'm a fan! ".repeat(4);
    let prose = measure(
        &[(BlockKind::Quote, &praise), (BlockKind::Paragraph, FORMAL)],
        Some("en"),
    );
    assert_eq!(prose.person, Some(Person::Third));
    assert_eq!(prose.exclamation_marks, Some(false));
}

#[test]
fn headings_have_a_case() {
    let case = |headings: &[&str], language| {
        let blocks: Vec<_> = headings
            .iter()
            .map(|text| (BlockKind::Heading, *text))
            .collect();
        measure(&blocks, Some(language)).headline_case
    };
    let title = [
        "Meters for Every Flat",
        "What Our Customers Say",
        "Prices and Plans That Fit",
        "CONTACT US TODAY NOW",
    ];
    let sentence = [
        "Meters for every flat",
        "What our customers say",
        "Prices and plans that fit Leeds",
    ];
    assert_eq!(case(&title, "en"), Some(HeadlineCase::Title));
    assert_eq!(case(&sentence, "en"), Some(HeadlineCase::Sentence));
    assert_eq!(case(&title[..2], "en"), None);
    assert_eq!(case(&title, "de"), None);
}

#[test]
fn emoji_are_a_habit_of_texts_and_no_icons() {
    let emoji = |blocks: &[(BlockKind, &str)]| measure(blocks, None).emoji;
    let text = (
        BlockKind::Paragraph,
        "We sell pumps. They last long. Our plant is in Leeds. We repair them. Call us.",
    );
    let said = [
        (BlockKind::Paragraph, "We love pumps 💙 and so will you."),
        (BlockKind::Paragraph, "See you at the fair 👋"),
    ];
    assert_eq!(emoji(&[said[0], said[1], text]), Some(true));
    assert_eq!(emoji(&[text]), Some(false));
    // One is no habit, and in front of cards and links they are icons: neither makes nor breaks one.
    assert_eq!(emoji(&[said[0], text]), None);
    let icons = [
        (BlockKind::Heading, "📍 Where we are"),
        (BlockKind::Other, "🛠"),
        (BlockKind::Paragraph, "📄 Download the terms of trade."),
        (BlockKind::Paragraph, "🛠 Repairs in two days."),
    ];
    assert_eq!(emoji(&[icons[0], icons[1], icons[2], icons[3], text]), None);
    // A tick is no emoji without the variation selector.
    assert_eq!(
        emoji(&[(BlockKind::Paragraph, "Done ✔ and dusted."), text]),
        Some(false)
    );
}

#[test]
fn japanese_tells_its_voice_by_the_ends_of_sentences() {
    let polite = "私たちはポンプを作っています。工場は大阪にあります。修理も承ります。お気軽にご連絡ください。";
    let we = "当社は創業から水と歩んできました。弊社の技術者が伺います。品質を大切にしております。納期を守ります。";
    let read = |texts: &[&str]| {
        let blocks: Vec<_> = texts
            .iter()
            .map(|text| (BlockKind::Paragraph, *text))
            .collect();
        let prose = measure(&blocks, Some("ja-JP"));
        (prose.formality, prose.person)
    };
    assert_eq!(read(&[polite, we]), (Some(4), Some(Person::FirstPlural)));
    assert_eq!(read(&[polite]), (None, None));
    let plain = "ポンプの歴史は古い。水車から始まった。蒸気が続いた。電気が来た。";
    let rest = "今は電子で動く。次は何か。誰も知らない。それでも水は流れる。";
    assert_eq!(read(&[plain, rest]), (None, None));
}

#[test]
fn what_stands_on_every_page_counts_once() {
    let text = (
        BlockKind::Paragraph,
        "We sell pumps. They last long. Our plant is in Leeds. We repair them. Call us.",
    );
    let header = (BlockKind::Paragraph, "Pumps for life!");
    let prose = measure(&[header, text, header, header], Some("en"));
    assert_eq!(prose.exclamation_marks, None);
    assert_eq!(prose.sentences, 6);
}

#[test]
fn one_word_bears_out_the_spelling_that_a_page_declares() {
    let text = "We fit lamps in halls and schools across the state. The work takes a day. Two people come and bring all that is needed. \
        We began with theaters and moved on to reading rooms. Every fitting is tested twice before we leave the house. Old lamps go back to their makers. \
        Ask us for a visit whenever it suits you, and we will tell you what it takes to do the whole building.";
    let spelling = |text: &str, tag: &str| read(text, Some(tag)).spelling_locale;
    assert_eq!(spelling(text, "en-US").as_deref(), Some("en-US"));
    assert_eq!(spelling(text, "en"), None);
    assert_eq!(spelling(text, "en-GB"), None);
    let british = text.replace("theaters", "theatres");
    assert_eq!(spelling(&british, "en-GB").as_deref(), Some("en-GB"));
    assert_eq!(spelling(&british, "en-US"), None);
    // Both spellings have this plural.
    let plural = text.replace("theaters", "analyses of analyses");
    assert_eq!(spelling(&plural, "en-GB"), None);
}

#[test]
fn paragraphs_of_pages_laid_out_with_tables_count() {
    let rows: Vec<(BlockKind, &str)> = FRIENDLY
        .split_inclusive(". ")
        .map(|sentence| (BlockKind::TableRow, sentence.trim()))
        .collect();
    let prose = measure(&rows, Some("en"));
    assert_eq!(prose.person, Some(Person::FirstPlural));
    assert_eq!(prose.contractions, Some(true));
    // Table rows with figures are not sentences.
    let figures = vec![(BlockKind::TableRow, "Plan A 12 euros a month for us"); 30];
    assert_eq!(measure(&figures, Some("en")).sentences, 0);
}

#[test]
fn dutch_italian_and_portuguese_are_measured() {
    let dutch = "Wij bouwen software voor kleine winkels. Je begint gratis en je stopt wanneer je wilt. Onze mensen helpen je aan de telefoon. \
        We werken in Utrecht, en ons kantoor staat altijd open. Heb je een vraag, dan bel je ons gewoon. Jouw kassa blijft van jou, ook als je weggaat. \
        We rekenen niets voor de eerste maand en sturen je daarna een rekening die je in een minuut begrijpt.";
    let prose = read(dutch, Some("nl-NL"));
    assert_eq!(
        (prose.person, prose.formality),
        (Some(Person::FirstPlural), Some(2))
    );
    let italian = "Siamo un'officina di Brescia. Progettiamo valvole per le vostre macchine. Il nostro catalogo vi aiuta a scegliere il pezzo giusto per ogni impianto. \
        I nostri tecnici vengono da voi. La nostra officina consegna in dieci giorni. Chiedete un disegno, e lo avrete domani con il prezzo. \
        Ogni valvola viene provata due volte sotto acqua e porta il nome di chi l'ha provata prima di partire verso il cliente.";
    assert_eq!(read(italian, Some("it")).person, Some(Person::FirstPlural));
    let third = "A empresa fabrica fornos em Braga. Vende para padarias do país. Cada forno leva dois meses. O aço vem de perto. A garantia dura dez anos. \
        As peças saem no mesmo dia. Um técnico monta o forno na casa do cliente. A fábrica fica aberta a visitas. Quem quiser pode ver como se faz um forno, do aço até à porta de vidro.";
    // In this language, the verb may carry the person.
    assert_eq!(read(third, Some("pt-PT")).person, None);
    let spanish = "Diseñamos software para talleres. Trabajamos con equipos pequeños en Sevilla y en Cádiz. Entregamos cada dos semanas. El cliente prueba y decide. \
        Cada proyecto empieza con una visita al taller. Pesamos los gramos y medimos los tramos de cada pieza antes de escribir una línea. El código queda en manos del cliente. \
        Un contrato breve fija el precio y los plazos, y quien quiera parar puede hacerlo cualquier viernes sin dar más razones.";
    assert_eq!(
        read(spanish, Some("es-ES")).person,
        Some(Person::FirstPlural)
    );
    let nouns = "Los extremos pesan cien gramos. Los tramos miden dos metros. Los ramos llegan en agua. Los tramos se unen con tornillos. Los extremos llevan tapas. \
        Cada caja tiene doce piezas y una hoja con medidas. El taller abre a las ocho. Los gramos se anotan en la hoja, y la hoja viaja con la caja hasta la obra, donde alguien la firma y la guarda.";
    assert_eq!(read(nouns, Some("es")).person, None);
}

#[test]
fn turkish_polish_czech_and_the_languages_of_the_north_are_measured() {
    for (language, text, formality) in [
        (
            "tr",
            "Fener camları üretiyoruz. Her camı elde kesiyoruz. Siparişiniz için size bir çizim gönderiyoruz. Bizim atölyemiz her gün açık. Camlar bir haftada hazır. \
             Eski fenerleri de onarıyoruz. Atölyede sizi bekliyoruz. Her fenerin bir adı var. ",
            Some(4),
        ),
        (
            "pl",
            "Budujemy zegary wieżowe. Nasze zegary chodzą sto lat. Każdy zegar projektujemy sami. Chętnie pokażemy Państwu pracownię. Nasi mistrzowie naprawiają stare zegary. \
             Mechanizm oferujemy na miarę wieży. Prosimy Państwa o list. Dzwonimy co godzinę. ",
            Some(4),
        ),
        (
            "cs",
            "Vyrábíme věžní hodiny. Naše hodiny jdou sto let. Každé hodiny navrhujeme sami. Rádi vám ukážeme dílnu. Naši mistři opravují staré hodiny. \
             Stroj nabízíme na míru věže. Napište nám, co od vás chce obec. Zvoníme každou hodinu. ",
            Some(4),
        ),
        (
            "sv",
            "Vi bygger tornur. Våra ur går i hundra år. Varje ur ritar vi själva. Gärna visar vi verkstan. Våra mästare lagar gamla ur. Verket passar till ditt torn. \
             Skriv några rader till oss. Klockan slår varje timme. ",
            None,
        ),
        (
            "da",
            "Vi bygger tårnure. Vores ure går i hundrede år. Hvert ur tegner vi selv. Gerne viser vi værkstedet. Vores mestre reparerer gamle ure. Værket passer til dit tårn. \
             Skriv nogle linjer til os. Klokken slår hver time. ",
            None,
        ),
    ] {
        let prose = read(&text.repeat(2), Some(language));
        assert_eq!(
            (prose.person, prose.formality, prose.headline_case),
            (Some(Person::FirstPlural), formality, None),
            "{language}"
        );
    }
}

#[test]
fn headings_that_call_out_are_exclamations() {
    let text = "We sell pumps. They last long. Our plant is in Leeds. We repair them. Nothing is thrown away. Call us.";
    let marks = |headings: &[&str]| {
        let mut blocks: Vec<_> = headings
            .iter()
            .map(|heading| (BlockKind::Heading, *heading))
            .collect();
        blocks.push((BlockKind::Paragraph, text));
        measure(&blocks, Some("en")).exclamation_marks
    };
    assert_eq!(
        marks(&["Need it now? Call us!", "Join the crew!"]),
        Some(true)
    );
    assert_eq!(marks(&["What we do", "Pumps"]), Some(false));
}
