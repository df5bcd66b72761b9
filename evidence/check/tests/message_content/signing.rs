//! What the caller says of who writes: names, role, postal identity and the address for answers. And what he asks.

use gtm_domain::message::compliance::CheckKey;
use gtm_domain::message::{BlockKind, Placeholder};

use super::message::{ASK, Link, Message, Own, Value, keys, one};

fn signed(placeholder: Placeholder, words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    Message::good().signed(placeholder, words).failing()
}

fn role(words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    signed(Placeholder::SenderRole, words)
}

fn organization(words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    signed(Placeholder::SenderOrganization, words)
}

fn name(words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    let name = vec![Value(Placeholder::SenderFullName, words)];
    let mut message = Message::good().with(BlockKind::Signature, name);
    message.given_name = words;
    message.failing()
}

fn postal(words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    let identity = vec![Value(Placeholder::CompliancePostalIdentity, words)];
    Message::good()
        .and(BlockKind::PostalIdentity, identity)
        .failing()
}

fn ask(words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    let ask = vec![Value(Placeholder::NextStepAsk, words)];
    Message::good().with(BlockKind::Cta, ask).failing()
}

fn role_in(language: &'static str, words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    let mut message = Message::good().signed(Placeholder::SenderRole, words);
    message.language = language;
    message.failing()
}

#[test]
fn who_signs_is_read_like_the_template() {
    assert_eq!(role("Head of metering"), []);
    assert_eq!(
        role("we cut bills 60%"),
        one(CheckKey::NumericClaims, &["60%"])
    );
    assert_eq!(
        role("today only"),
        one(CheckKey::ProhibitedLanguage, &["today only"])
    );
    assert_eq!(role("Shall we talk?")[0].0, CheckKey::SingleCta);
    assert_eq!(organization("The Best Meters Ltd"), []);
    assert_eq!(
        organization("60% off Ltd"),
        one(CheckKey::NumericClaims, &["60%"])
    );
}

/// Names, titles and addresses that look like what is looked for.
#[test]
fn ordinary_names_roles_and_addresses_pass() {
    for words in [
        "Marieke ten Brink",
        "Will Reply",
        "Mary Call",
        "Ana Reyes PhD",
        "Jean Deux",
        "Dr. Half",
    ] {
        assert_eq!(name(words), [], "{words}");
    }
    for words in [
        "Three UK",
        "Century 21",
        "Reply Ltd",
        "Book Trust",
        "Call Centre Two GmbH",
        "Booking.com",
        "Half Moon Ltd",
        "Energy Saving Trust",
        "First Direct 24",
        "Let's Encrypt",
        "24 Hours Ltd",
    ] {
        assert_eq!(organization(words), [], "{words}");
    }
    for words in [
        "Region 2",
        "Call Center Manager",
        "Call Center Manager US",
        "Book Editor",
        "Contact and Account Manager",
        "Head of Energy Saving",
        "Share Analyst I",
        "Head of Third Sector",
        "Team lead, level three",
        "Leading Consultant",
        "Head of B2B, Contact Centre",
        "Node.js Developer",
        "Check-out Manager",
        "Sign-up Lead",
        "Point of Contact to the Board",
        "Head of Customers, Region 2",
    ] {
        assert_eq!(role(words), [], "{words}");
    }
    for (language, words) in [
        ("fr", "Leader de projet"),
        ("fr", "Économiste"),
        ("de", "Führende Oberärztin"),
        ("de", "Leiter Vertrieb Region 2"),
        ("es", "Líder de proyecto"),
        ("es", "Jefe de mejora continua"),
    ] {
        assert_eq!(
            keys(&role_in(language, words)),
            keys(&role_in(language, "CEO")),
            "{words}"
        );
    }
    for words in [
        "Meters Ltd, 40 Canal Street, Leeds LS1 7BT, United Kingdom",
        "Reply Ltd, 12 Call Lane, Leeds LS1 6DN, United Kingdom",
        "Meters Ltd, Half Moon Street 1/2, London W1J 7BH, United Kingdom",
        "Meters SARL, 12 rue du Roi, 75003 Paris, France",
        "Meters Inc, 5 Times Square, New York, NY 10036, United States",
        "Best Meters, Forward Drive 3, Harrow HA3 8NT, United Kingdom",
        "Booking.com B.V., Oosterdokskade 163, 1011 DL Amsterdam, Netherlands",
    ] {
        assert_eq!(postal(words), [], "{words}");
    }
}

#[test]
fn the_lines_of_an_address_are_no_place_for_copy() {
    assert_eq!(
        postal("60% off, 1 Canal Street"),
        one(CheckKey::NumericClaims, &["60%"])
    );
    assert_eq!(
        postal("10x cheaper, 1 Canal Street"),
        one(CheckKey::NumericClaims, &["10x"])
    );
    assert_eq!(
        keys(&postal("Guaranteed savings, 1 Canal Street")),
        [CheckKey::ProhibitedLanguage]
    );
    assert_eq!(
        postal("Today only, 1 Canal Street"),
        one(CheckKey::ProhibitedLanguage, &["Today only"])
    );
    for words in [
        "Shall we talk? 1 Canal Street",
        "Shall we talk⁇ 1 Canal Street",
        "Please write back, 1 Canal Street",
        "Book a call, 1 Canal Street",
        "Call 0800 123 456, 1 Canal Street",
        "1 Canal Street - book a call",
        "1 Canal Street | Reply to this",
    ] {
        assert_eq!(keys(&postal(words)), [CheckKey::SingleCta], "{words}");
    }
    assert_eq!(
        postal("Write to us to unsubscribe, 1 Canal Street")
            .into_iter()
            .map(|(check, _)| check)
            .collect::<Vec<_>>(),
        [CheckKey::OptOutFinal]
    );
    assert_eq!(
        postal("time:evil.com/a, 1 Canal Street"),
        one(CheckKey::LinkLimit, &["time:evil.com/a,"])
    );
}

#[test]
fn who_signs_asks_for_nothing() {
    for words in [
        "Book a call with me",
        "BOOK A CALL",
        "Book A Call",
        "Head of metering: book a call",
        "Head of metering. Reply to this",
        "Head of metering, call us",
        "Please reply",
        "Shall we talk❓",
        "Call 0800 123 456",
        "Ｂook a call",
        "𝗕𝗼𝗼𝗸 𝗮 𝗰𝗮𝗹𝗹",
        "Book slots with me",
        "Head of metering book a call",
        "Head of metering. book a call",
        "Head of metering \"book a call\"",
        "Get in touch",
        "Sales and book a call",
    ] {
        // Who also speaks of writer or reader fails the anchors, too.
        for found in [role(words), organization(words)] {
            assert!(keys(&found).contains(&CheckKey::SingleCta), "{words}");
        }
    }
    assert!(keys(&name("Ana, book a call")).contains(&CheckKey::SingleCta));
    assert!(keys(&name("Ana?")).contains(&CheckKey::SingleCta));
    // Even within the sentence that asks.
    let parts = vec![
        Value(Placeholder::NextStepAsk, "Shall we talk"),
        Own(", asks "),
        Value(Placeholder::SenderOrganization, "Meters, book a call"),
        Own("?"),
    ];
    let failing = Message::good().with(BlockKind::Cta, parts).failing();
    assert_eq!(keys(&failing), [CheckKey::SingleCta], "{failing:?}");
    for (language, words) in [
        ("de", "Vereinbaren Sie einen Termin"),
        ("de", "Vertrieb, buche jetzt"),
        ("fr", "Réservez un créneau"),
        ("es", "Reserve una cita"),
    ] {
        assert!(
            keys(&role_in(language, words)).contains(&CheckKey::SingleCta),
            "{words}"
        );
    }
}

#[test]
fn who_signs_claims_nothing() {
    for words in [
        "Head of metering; our customers save money",
        "We install meters for all",
        "I noticed your new office",
        "We help landlords",
    ] {
        assert!(
            keys(&role(words)).contains(&CheckKey::ApprovedValueAnchors),
            "{words}"
        );
        assert!(
            keys(&organization(words)).contains(&CheckKey::ApprovedValueAnchors),
            "{words}"
        );
        assert!(
            keys(&postal(words)).contains(&CheckKey::ApprovedValueAnchors),
            "{words}"
        );
    }
    assert_eq!(role("We bill 18,000 flats monthly"), []);
    assert_eq!(
        role("Saves you 20 hours"),
        [
            one(CheckKey::ApprovedValueAnchors, &["Saves you 20 hours"]),
            one(CheckKey::NumericClaims, &["20"])
        ]
        .concat()
    );
    assert_eq!(
        role("Saves twenty hours"),
        one(CheckKey::NumericClaims, &["twenty"])
    );
    assert_eq!(
        organization("Saves 20 hours"),
        one(CheckKey::NumericClaims, &["20"])
    );
    assert_eq!(
        organization("Half of the cost"),
        one(CheckKey::NumericClaims, &["Half of"])
    );
    assert_eq!(role("€500 cheaper"), one(CheckKey::NumericClaims, &["500"]));
    assert_eq!(
        role("Twice as fast"),
        one(CheckKey::NumericClaims, &["Twice as"])
    );
    assert_eq!(
        role("sixty percent less"),
        one(CheckKey::NumericClaims, &["sixty"])
    );
    for words in [
        "18,001 happy customers",
        "20 hours less work",
        "twenty hours less",
    ] {
        assert_eq!(keys(&role(words)), [CheckKey::NumericClaims], "{words}");
    }
    assert_eq!(
        role("The market leading metering"),
        one(CheckKey::ProhibitedLanguage, &["market leading"])
    );
}

#[test]
fn nothing_of_the_caller_is_a_link() {
    for words in [
        "evil.com",
        "Metering,evil.com/a",
        "evil.com:443",
        "evil.com?x=1",
        "192.0.2.1/a",
        "24/evil.com/a",
    ] {
        assert!(keys(&role(words)).contains(&CheckKey::LinkLimit), "{words}");
    }
    assert_eq!(
        ask("Will you book it at evil.com?"),
        one(CheckKey::LinkLimit, &["evil.com?"])
    );
    assert!(keys(&name("Ana evil.com")).contains(&CheckKey::LinkLimit));
    let numbers = ask("Is metering, and/or billing, open 24/7?");
    assert_eq!(numbers, one(CheckKey::NumericClaims, &["24", "7"]));
    assert_eq!(ask("May I write to ada@meters.com?"), []);
    let reply = vec![Value(Placeholder::SenderReplyEmail, "ada.byrne@meters.com")];
    assert_eq!(
        Message::good().and(BlockKind::Signature, reply).failing(),
        []
    );
    let own = vec![Own("Booking.com and Node.js, z.B. Hollis & Co.KG and/or.")];
    let failing = Message::good().with(BlockKind::Proof, own).failing();
    assert!(
        !keys(&failing).contains(&CheckKey::LinkLimit),
        "{failing:?}"
    );
}

/// Mail programs make links of them, wherever they stand.
#[test]
fn hosts_and_mailboxes_of_others_are_no_names() {
    assert_eq!(
        organization("evil.com"),
        one(CheckKey::LinkLimit, &["evil.com"])
    );
    assert_eq!(organization("Meters.com"), []);
    assert_eq!(organization("Hollis & Co.KG"), []);
    let promo = organization("evil.com\u{2044}promo");
    assert!(keys(&promo).contains(&CheckKey::LinkLimit), "{promo:?}");
    let lines = postal("Tarnbeck, see evil.com, 1 Canal Street");
    assert!(keys(&lines).contains(&CheckKey::LinkLimit), "{lines:?}");
    let mailbox = ask("May I write to win@evil.com?");
    assert!(keys(&mailbox).contains(&CheckKey::LinkLimit), "{mailbox:?}");
    assert_eq!(ask("May I write to ana@mail.example?"), []);
    let own = |words| Message::good().with(BlockKind::Proof, vec![Own(words)]);
    for words in ["See evil.com for it.", "Write to bob@mail.example for it."] {
        let failing = own(words).failing();
        assert!(keys(&failing).contains(&CheckKey::LinkLimit), "{failing:?}");
    }
    // The words of a link may be its host.
    let link = vec![Link("meters.com", "https://meters.com/2026")];
    let linked = Message::good().with(BlockKind::Proof, link);
    assert_eq!(linked.failing(), []);
}

/// Subject and preview show values, too.
#[test]
fn who_signs_is_read_before_the_letter() {
    let shown = |words| {
        let mut message = Message::good().signed(Placeholder::SenderRole, "CEO");
        message = message.with(
            BlockKind::Signature,
            vec![Value(Placeholder::SenderFullName, "Ana Reyes")],
        );
        message.preview = vec![Value(Placeholder::SenderRole, words)];
        message.failing()
    };
    assert_eq!(shown("Head of metering"), []);
    assert_eq!(shown("Book a call"), one(CheckKey::SingleCta, &[]));
    assert_eq!(
        shown("We help landlords"),
        one(CheckKey::ApprovedValueAnchors, &[])
    );
    assert_eq!(shown("60% less"), one(CheckKey::NumericClaims, &[]));
    let mut told = Message::good();
    told.preview = vec![Own("Call us to unsubscribe")];
    assert_eq!(told.failing(), one(CheckKey::OptOutFinal, &[]));
    let mut question = Message::good();
    question.preview = vec![Value(Placeholder::NextStepAsk, ASK)];
    assert_eq!(question.failing(), []);
}

/// A template may say in its own words how to reach its writer, but claim nothing there.
#[test]
fn a_signature_has_numbers_by_which_its_writer_is_reached() {
    let signature = |words: &'static str| {
        let own = vec![Value(Placeholder::SenderFullName, "Ana Reyes"), Own(words)];
        Message::good().with(BlockKind::Signature, own).failing()
    };
    assert_eq!(
        signature(", Meters GmbH, HRB 12345, Hauptstraße 12, 10115 Berlin, Tel. +49 30 1234567"),
        []
    );
    assert_eq!(
        signature(", 60% off, HRB 12345"),
        one(CheckKey::NumericClaims, &["60%"])
    );
}

#[test]
fn a_second_ask_is_told_where_it_stands() {
    let asking = Message::good().signed(Placeholder::SenderRole, "Head of Metering, book a call");
    let ((checks, _), _) = asking.checked();
    let told = checks
        .iter()
        .find(|it| it.check == CheckKey::SingleCta)
        .unwrap();
    assert_eq!(told.mend, Some("/sender/role"));
}

#[test]
fn who_signs_says_who_he_is_and_not_whom_he_knows() {
    let of_offer = CheckKey::ApprovedValueAnchors;
    for words in [
        "Your account manager since the merger",
        "Appointed by your board",
    ] {
        assert_eq!(keys(&role(words)), [of_offer], "{words}");
    }
    for words in [
        "Meters Ltd (formerly your supplier)",
        "Meters, your partner",
    ] {
        assert_eq!(keys(&organization(words)), [of_offer], "{words}");
    }
    assert_eq!(keys(&name("Ana Reyes (we met in Leeds)")), [of_offer]);
    for words in ["You Jin", "Marie Our", "Ana Reyes (Leeds)"] {
        assert_eq!(name(words), [], "{words}");
    }
    for words in ["Your Meters Ltd", "Reyes, Ramos & Lyons"] {
        assert_eq!(organization(words), [], "{words}");
    }
}

/// DANGER: an authority that is said to stand behind somebody is believed.
#[test]
fn nobody_signs_with_the_backing_of_another() {
    let of_offer = CheckKey::ApprovedValueAnchors;
    for words in [
        "Official Tax Office Partner",
        "Government Partners Ltd",
        "Certified Police Supplier Ltd",
        "Offizieller Partner des Finanzamts",
        "Partenaire agréé du ministère",
        "Proveedor oficial de Hacienda",
        "Fornitore autorizzato Agenzia delle Entrate",
        "Erkend partner van de Belastingdienst",
        "Parceiro oficial das Finanças",
        "Authorised Hollis Dealer",
    ] {
        assert_eq!(keys(&organization(words)), [of_offer], "{words}");
    }
    assert_eq!(keys(&role("Official Tax Office Partner")), [of_offer]);
    assert_eq!(
        keys(&postal(
            "Official Tax Office Partner, 40 Canal Street, Leeds LS1 7BT, United Kingdom"
        )),
        [of_offer]
    );
    for words in [
        "Leeds City Council",
        "Official Charts Company",
        "Ministry of Sound Ltd",
        "Tarn & Partners",
        "Approved Food Ltd",
        "Hollis Supplier Services",
    ] {
        assert_eq!(organization(words), [], "{words}");
    }
    for words in [
        "Head of Authorised Dealers",
        "Certified Public Accountant",
        "Partner",
    ] {
        assert_eq!(role(words), [], "{words}");
    }
}

#[test]
fn a_mailbox_shows_no_pretended_acquaintance() {
    for words in ["As we discussed yesterday", "Our call last week"] {
        let mut message = Message::good();
        message.subject = vec![Own(words)];
        assert!(
            keys(&message.failing()).contains(&CheckKey::EvidenceAnchors),
            "{words}"
        );
    }
    let mut message = Message::good();
    message.preview = vec![Own("More on our call, as agreed")];
    assert!(keys(&message.failing()).contains(&CheckKey::EvidenceAnchors));
    message.preview = vec![Own("What a call would be about")];
    assert_eq!(message.failing(), []);
}
