//! What a hook may say of what its excerpt says.

use gtm_domain::message::compliance::CheckKey;

use super::message::{Message, one};

fn failing(
    language: &'static str,
    excerpt: &'static str,
    hook: &'static str,
) -> Vec<(CheckKey, Vec<String>)> {
    let mut message = Message::good().hooked(excerpt, hook);
    message.language = language;
    let mut failing = message.failing();
    // Texts of the offer are English in every message of these tests.
    failing.retain(|(check, _)| *check != CheckKey::SingleCta || language == "en");
    failing
}

#[test]
fn a_hook_that_its_excerpt_contradicts_rests_on_nothing() {
    for (language, excerpt, hook) in [
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Your second clinic closes in Dundee in May.",
        ),
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Your second clinic does not open in Dundee in May.",
        ),
        (
            "en",
            "The Dundee clinic takes no new patients.",
            "Your Dundee clinic takes new patients.",
        ),
        (
            "en",
            "We are hiring ten welders in Perth.",
            "You are laying off ten welders in Perth.",
        ),
        (
            "en",
            "Our bakery sold its Leeds shop.",
            "Your bakery bought a Leeds shop.",
        ),
        (
            "de",
            "Unsere zweite Klinik eröffnet im Mai.",
            "Ihre zweite Klinik schließt im Mai.",
        ),
        (
            "fr",
            "Notre deuxième clinique ouvre à Lyon.",
            "Votre deuxième clinique n’ouvre pas à Lyon.",
        ),
        (
            "es",
            "Nuestra segunda clínica abre en mayo.",
            "Su segunda clínica cierra en mayo.",
        ),
        (
            "it",
            "La nostra seconda clinica apre a maggio.",
            "La vostra seconda clinica chiude a maggio.",
        ),
        (
            "pt",
            "A nossa segunda clínica abre em maio.",
            "A vossa segunda clínica fecha em maio.",
        ),
        (
            "nl",
            "Onze tweede kliniek opent in mei.",
            "Uw tweede kliniek sluit in mei.",
        ),
        (
            "en",
            "Our second clinic opens in Dundee.",
            "You are leading the market with robots and drones.",
        ),
        // Words without a subject, too, must come from somewhere.
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "You did not pay tax.",
        ),
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "The press reported on you.",
        ),
        ("en", "We charge no tax.", "You charge a tax."),
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Your second clinic in Dundee opens to fraud charges.",
        ),
        (
            "en",
            "We never stop hiring welders in Perth.",
            "You laid off welders in Perth.",
        ),
        (
            "en",
            "We have stopped hiring welders in Perth.",
            "You are hiring welders in Perth.",
        ),
        (
            "en",
            "We have cancelled our second clinic in Dundee.",
            "Your second clinic opens in Dundee.",
        ),
        (
            "en",
            "We postponed our second clinic in Dundee.",
            "Your second clinic opens in Dundee.",
        ),
        (
            "en",
            "We raise the pay of drivers in Perth.",
            "You cut the pay of drivers in Perth.",
        ),
        (
            "en",
            "Lower fares on our Perth ferry",
            "You raise fares on your Perth ferry.",
        ),
        (
            "en",
            "The council rejected our plan for Perth harbour.",
            "The council passed your plan for Perth harbour.",
        ),
        (
            "en",
            "Hollis Foods was bought by Tarn Mills.",
            "Hollis Foods bought Tarn Mills.",
        ),
        (
            "en",
            "Tarn Mills bought Hollis Foods in March.",
            "Hollis Foods bought Tarn Mills in March.",
        ),
        (
            "en",
            "Hollis Foods closes its Leeds plant and is hiring in York.",
            "Hollis Foods opens its Leeds plant and is not hiring in York.",
        ),
        (
            "en",
            "We fired forty welders at our Perth yard.",
            "You hired forty welders at your Perth yard.",
        ),
        (
            "en",
            "Our harbour crew moves to the new yard in Perth next spring.",
            "Your harbour crew moved to the new yard in Perth last spring.",
        ),
        (
            "en",
            "We run fewer trains to Perth since the storm.",
            "You run more trains to Perth since the storm.",
        ),
        (
            "de",
            "Wir fahren im nächsten Sommer zweimal nach Perth.",
            "Sie fahren im letzten Sommer zweimal nach Perth.",
        ),
        (
            "de",
            "Wir stellen in Perth zehn Schweißer ein.",
            "Sie entlassen in Perth zehn Schweißer.",
        ),
        (
            "de",
            "Wir wollen unser Lager in Perth ausbauen.",
            "Sie bauen Ihr Lager in Perth ab.",
        ),
        (
            "de",
            "Wir sagen die Eröffnung der zweiten Klinik ab.",
            "Ihre zweite Klinik feiert Eröffnung.",
        ),
        (
            "en",
            "Hollis Foods moves its bakery from Leeds to York.",
            "Hollis Foods moves its bakery from York to Leeds.",
        ),
        // One word that the excerpt does not have is enough for a lie.
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Your second clinic in Dundee was raided in May.",
        ),
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Your second clinic in Dundee is bad.",
        ),
        (
            "en",
            "We plan a second clinic in Dundee.",
            "You dropped your plan for a second clinic in Dundee.",
        ),
        (
            "de",
            "Unsere Werkstatt ist sicher.",
            "Ihre Werkstatt ist unsicher.",
        ),
        (
            "de",
            "Nach Ostern ziehen 80 Kinder in unsere Kita ein.",
            "Nach Ostern ziehen 80 Kinder aus Ihrer Kita aus.",
        ),
        (
            "es",
            "Contratamos diez soldadores en Burgos.",
            "Ustedes despiden a diez soldadores en Burgos.",
        ),
        (
            "nl",
            "Wij nemen in Breda tien lassers aan.",
            "U ontslaat in Breda tien lassers.",
        ),
    ] {
        let found = failing(language, excerpt, hook);
        let anchors: Vec<_> = found
            .iter()
            .filter(|(check, _)| *check == CheckKey::EvidenceAnchors)
            .collect();
        assert_eq!(anchors.len(), 1, "{hook}: {found:?}");
    }
}

#[test]
fn a_hook_names_who_and_when_as_its_excerpt_does() {
    let excerpt = "Our second clinic opens in Dundee in May.";
    assert_eq!(
        failing("en", excerpt, "Your second clinic opens in Leeds in May."),
        one(CheckKey::EvidenceAnchors, &["Leeds"])
    );
    assert_eq!(
        failing("en", excerpt, "Your second clinic opens in Dundee in July."),
        one(CheckKey::EvidenceAnchors, &["July"])
    );
    assert_eq!(
        failing("en", excerpt, "Your second clinic opens in Dundee in july."),
        one(CheckKey::EvidenceAnchors, &["july"])
    );
    // Six shops are no June, and a date names its month.
    let hook = "You open six shops in Perth in June.";
    assert_eq!(
        failing("en", "We open 6 shops in Perth.", hook),
        one(CheckKey::EvidenceAnchors, &["June"])
    );
    let excerpt = "Opening of six shops in Perth: 14/06/2026.";
    let hook = "You open six shops in Perth in June.";
    assert_eq!(failing("en", excerpt, hook), []);
    // A verb is no month.
    let excerpt = "Our second clinic opens in Dundee.";
    let hook = "Your second clinic in Dundee may open.";
    assert_eq!(failing("en", excerpt, hook), []);
}

#[test]
fn a_hook_may_word_what_its_excerpt_says() {
    for (language, excerpt, hook) in [
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Your news page says that your second clinic opens in Dundee in May.",
        ),
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "I read that a second Acmé Estates clinic is opening in Dundee in May.",
        ),
        (
            "en",
            "Opening in May: our second clinic, Dundee",
            "Your site announces that your second clinic in Dundee will open in May.",
        ),
        (
            "en",
            "No appointment needed: our second clinic opens in May.",
            "Your second clinic opens in May.",
        ),
        (
            "en",
            "Not only in Perth: our second clinic opens in May.",
            "Your second clinic opens in May, not only in Perth.",
        ),
        (
            "en",
            "Open Monday to Friday, closed on Saturday",
            "Your page says that you are closed on Saturday.",
        ),
        (
            "en",
            "Wir eröffnen im Mai unsere zweite Klinik in Dundee, ohne Termin.",
            "Your second clinic opens in Dundee in May.",
        ),
        (
            "de",
            "Unsere zweite Klinik eröffnet im Mai.",
            "Auf Ihrer Seite steht, dass Ihre zweite Klinik im Mai eröffnet.",
        ),
        (
            "fr",
            "Notre deuxième clinique ouvre à Lyon.",
            "Selon votre site, votre deuxième clinique ouvre à Lyon.",
        ),
        (
            "es",
            "Nuestra segunda clínica abre en mayo.",
            "Su página dice que su segunda clínica abre en mayo.",
        ),
        (
            "en",
            "Our second clinic opens in Dundee in May.",
            "Congratulations! Your second clinic opens in Dundee in May.",
        ),
        (
            "en",
            "No appointment needed - our second clinic opens in Dundee in May.",
            "Your second clinic opens in Dundee in May, says your site.",
        ),
        (
            "en",
            "Closing date for our three driver vacancies in Perth",
            "You have three openings for drivers in Perth.",
        ),
        (
            "en",
            "All twelve homes in Leeds are sold.",
            "Your twelve homes in Leeds have found buyers.",
        ),
        (
            "en",
            "We don’t close our Dundee clinic for lunch.",
            "Your Dundee clinic stays open over lunch.",
        ),
        ("en", "We charge no tax in Dundee.", "You charge no tax."),
        (
            "en",
            "We never stop hiring welders in Perth.",
            "You are hiring welders in Perth.",
        ),
        (
            "en",
            "We have cancelled our second clinic in Dundee.",
            "You called off your second clinic in Dundee.",
        ),
        (
            "en",
            "Hollis Foods was bought by Tarn Mills.",
            "Tarn Mills bought Hollis Foods.",
        ),
        (
            "en",
            "Tarn Mills bought Hollis Foods in March.",
            "Hollis Foods was bought by Tarn Mills in March.",
        ),
        (
            "en",
            "Tarn Mills last year bought Hollis Foods.",
            "Hollis Foods was last year bought by Tarn Mills.",
        ),
        (
            "en",
            "Our last clinic opened in Perth; the next one opens in Dundee.",
            "Your next clinic opens in Dundee.",
        ),
        (
            "de",
            "Wir stellen in Perth zehn Schweißer ein.",
            "Sie suchen in Perth zehn Schweißer.",
        ),
    ] {
        let found = failing(language, excerpt, hook);
        let anchors = found
            .iter()
            .find(|(check, _)| *check == CheckKey::EvidenceAnchors);
        assert_eq!(anchors, None, "{hook}");
    }
}

#[test]
fn a_hook_is_in_the_language_of_its_message() {
    let excerpt = "Our second clinic opens in Dundee in May.";
    let hook = "Auf Ihrer Seite steht, dass Ihre zweite Klinik im Mai in Dundee für alle öffnet.";
    assert_eq!(
        failing("en", excerpt, hook),
        one(CheckKey::EvidenceAnchors, &[hook])
    );
}

#[test]
fn a_hook_is_read_for_wording_like_the_rest() {
    let excerpt = "Our second clinic opens in Dundee in May. Act now.";
    let found = failing("en", excerpt, "Act now.");
    assert!(
        found.contains(&one(CheckKey::ProhibitedLanguage, &["Act now"])[0]),
        "{found:?}"
    );
    let hook = "Your second clinic in Dundee opens in May, the best there is.";
    let found = failing("en", excerpt, hook);
    assert!(
        found.contains(&one(CheckKey::ProhibitedLanguage, &["the best"])[0]),
        "{found:?}"
    );
    // What the reader says himself may be told him.
    let excerpt = "Only 3 places left on our May course in Dundee, voted the best in Scotland.";
    let moorings = "Harbour news: prices for our moorings rise on Monday.";
    let hook = "The harbour news page says that prices for your moorings rise on Monday.";
    assert_eq!(failing("en", moorings, hook), []);
    let hook = "Your page says: only 3 places left on your May course in Dundee, and that it is the best in Scotland.";
    assert_eq!(failing("en", excerpt, hook), []);
}
