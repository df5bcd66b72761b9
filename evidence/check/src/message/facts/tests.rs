//! What a draft states, and what it rests on.
use gtm_domain::message::Inline;

use super::super::asks::asks;
use super::*;

fn text(v: &str) -> Inline {
    Inline::Text { v: v.to_owned() }
}

fn var(name: &str) -> Inline {
    Inline::Var {
        name: name.to_owned(),
    }
}

fn forms(language: &str, inlines: &[Inline], approved: &[&str]) -> Vec<Form> {
    let passage = Passage::of_inlines(inlines);
    let sentences = passage.sentences();
    let vocabulary = Vocabulary::of(language);
    let asks = asks(&passage, &sentences, &vocabulary, Source::is_own);
    let approved = ApprovedTexts::of(approved.iter().copied());
    let found = facts(&passage, (&sentences, &asks), &approved, &vocabulary, false);
    let loose = found.into_iter().filter(|fact| fact.rests_on.is_none());
    loose.map(|fact| fact.form).collect()
}

#[test]
fn facts_need_something_to_rest_on() {
    let claim = "We bill eighteen flats monthly.";
    assert_eq!(forms("en", &[text(claim)], &[]), [Form::Number]);
    assert_eq!(
        forms("en", &[text(claim)], &["18 flats billed monthly"]),
        []
    );
    assert_eq!(
        forms(
            "en",
            &[text("We help "), var("company.name"), text(".")],
            &[]
        ),
        [Form::SellerClaim]
    );
    assert_eq!(
        forms(
            "en",
            &[
                text("We help with "),
                var("offer.value_proposition"),
                text(".")
            ],
            &[]
        ),
        []
    );
    assert_eq!(
        forms(
            "de",
            &[text("Unsere Kunden sparen Zeit.")],
            &["Rechnung je Wohnung"]
        ),
        [Form::Result]
    );
    assert_eq!(forms("en", &[text("Do you save time?")], &[]), []);
    assert_eq!(forms("en", &[text("Metering is dull.")], &[]), []);
}

#[test]
fn who_denies_a_promise_states_no_result() {
    let loose = |language: &str, sentence: &str| forms(language, &[text(sentence)], &[]);
    for (language, sentence) in [
        ("en", "We don’t promise that you save money."),
        ("en", "We cannot guarantee lower costs."),
        ("en", "There is no guarantee that it pays for itself."),
        ("en", "Nobody can promise that it reduces your costs."),
        ("de", "Wir versprechen nicht, dass Sie sparen."),
        ("de", "Wir können nicht garantieren, dass Sie Zeit sparen."),
        ("fr", "Nous ne promettons pas que cela réduit vos coûts."),
        ("fr", "Nous ne garantissons pas de résultat."),
        ("es", "No prometemos que reduzca sus costes."),
        ("es", "No podemos garantizar un resultado."),
    ] {
        assert_eq!(loose(language, sentence), [], "{sentence}");
    }
    for (language, sentence) in [
        ("en", "We don’t just promise that you save money."),
        ("en", "We do not promise, our customers save."),
        ("en", "We do not promise much and our customers save."),
        ("en", "We never promise without saving you money."),
        ("en", "Our customers save, and that is no promise."),
        ("en", "It never reduces your quality."),
        ("en", "We guarantee that you save."),
        ("de", "Wir versprechen nicht nur, dass Sie sparen."),
        ("de", "Wir versprechen nichts, unsere Kunden sparen."),
        (
            "fr",
            "Nous ne promettons pas seulement que cela réduit vos coûts.",
        ),
        ("es", "No solo prometemos que reduce sus costes."),
    ] {
        assert_eq!(loose(language, sentence), [Form::Result], "{sentence}");
    }
}

#[test]
fn whoever_is_said_to_work_with_the_seller_is_approved() {
    let offer = [
        "Talbruck GmbH prüft mit uns die Tore",
        "Hollis Foods checks its bays with us",
    ];
    let loose = |language: &str, sentence: &str| forms(language, &[text(sentence)], &offer);
    for (language, sentence) in [
        ("de", "Talheim prüft mit uns."),
        ("de", "Talheim nutzt unsere Sensoren."),
        ("en", "Bakeries nearby plan with us."),
        ("en", "Marlow relies on us."),
        ("en", "Bakeries near you plan with us."),
        ("en", "Like you, most dairies rely on us."),
        ("de", "Viele Molkereien planen wie Sie mit uns."),
        ("fr", "Morvan planifie avec nous."),
        ("es", "Ribalta planifica con nosotros."),
    ] {
        assert_eq!(loose(language, sentence), [Form::SellerClaim], "{sentence}");
    }
    for (language, sentence) in [
        ("de", "Talbruck prüft mit uns die Tore."),
        ("de", "Mit uns planen Sie die Tore."),
        ("de", "Planen Sie mit uns?"),
        ("en", "Hollis Foods checks bays with us."),
        ("en", "You plan with us."),
        ("en", "Work with us."),
        ("fr", "Avec nous, vous planifiez."),
        ("es", "Ustedes planifican con nosotros."),
    ] {
        assert_eq!(loose(language, sentence), [], "{sentence}");
    }
    let to_reader = [var("company.name"), text(" plans with us.")];
    assert_eq!(forms("en", &to_reader, &offer), []);
}

#[test]
fn a_name_that_no_text_has_rests_on_nothing() {
    let offer = ["Dockline plans slots at the gate for Hollis Foods."];
    let loose = |language: &str, sentence: &str| forms(language, &[text(sentence)], &offer);
    for (language, sentence) in [
        (
            "en",
            "Large shops such as Morrisons run their bays on Dockline.",
        ),
        ("en", "Dockline is approved by the Food Standards Agency."),
        ("fr", "Vos voisins de chez Vertelan l’emploient."),
        ("es", "Los vecinos de Talleres Nordia lo emplean."),
        ("en", "Managers at Morrisons plan their slots with it."),
        ("de", "Auch die Weidner GmbH plant damit ihre Tore."),
        ("de", "Das sagt Petra Kunze aus dem Lager."),
        ("de", "Ihre Nachbarn bei TorMeister planen damit."),
    ] {
        assert_eq!(loose(language, sentence), [Form::Name], "{sentence}");
    }
    for (language, sentence) in [
        ("en", "With Dockline, slots at the gate are planned."),
        ("en", "Hollis Foods uses Dockline at the gate."),
        (
            "en",
            "Queues at British sites begin on Monday, in March too.",
        ),
        ("en", "A Head of Operations plans the gate."),
        ("en", "A Head of Health and Safety plans the gate."),
        ("en", "Your KPIs and SaaS contracts stay as they are."),
        ("en", "- Slots are planned"),
        ("en", "Thank you, Mrs or Mr manager."),
        (
            "es",
            "¡Buenos días, equipo! Con Usted planificamos en Septiembre.",
        ),
        ("it", "Con la Vostra azienda pianifichiamo in Marzo."),
        ("en", "Queues At The Gate Of Every Warehouse"),
        ("en", "The rest is simple: Gates open when slots begin."),
        ("en", "A gate in Germany or France works alike."),
        ("de", "Die Planung der Tore dauert lang."),
    ] {
        assert_eq!(loose(language, sentence), [], "{sentence}");
    }
}

#[test]
fn who_never_met_has_discussed_nothing() {
    let loose = |language: &str, sentence: &str| forms(language, &[text(sentence)], &[]);
    for (language, sentence) in [
        ("en", "Our call last week was short."),
        ("en", "As discussed, here are the papers."),
        ("en", "Further to our conversation, here they are."),
        ("en", "We spoke yesterday about your gates."),
        (
            "de",
            "Wie gestern telefonisch besprochen, kommen hier die Unterlagen.",
        ),
        ("de", "Vielen Dank für unser Gespräch."),
        ("fr", "Comme convenu, voici les documents."),
        ("fr", "Suite à notre échange, les voici."),
        ("es", "Como hablamos ayer, aquí están los papeles."),
        ("es", "Gracias por nuestra reunión."),
        // Whoever asks may pretend, too.
        (
            "en",
            "As we agreed on the phone yesterday, shall I send the contract?",
        ),
        ("en", "Shall I send the contract as discussed?"),
        ("en", "We spoke last week, so shall I send the contract?"),
        ("en", "After our call last week, shall I send the contract?"),
        ("en", "Please reply about our call last week."),
        ("de", "Wie besprochen, darf ich den Vertrag senden?"),
        ("fr", "Comme convenu, puis-je envoyer le contrat ?"),
        ("es", "Como hablamos ayer, ¿le envío el contrato?"),
    ] {
        assert_eq!(
            loose(language, sentence),
            [Form::Acquaintance],
            "{sentence}"
        );
    }
    for (language, sentence) in [
        ("en", "Our call takes a moment."),
        ("en", "Terms are agreed in writing."),
        ("en", "Shall we discuss it as a first step?"),
        ("de", "Das Gespräch dauert kurz."),
        ("en", "Have we spoken last week?"),
        ("en", "May I ask, have we met last year?"),
        ("en", "Would you like our demo?"),
        ("en", "Let me know if you would like us to visit."),
        ("en", "Give us a call about the notice of last month."),
        ("es", "¿Hablamos la semana pasada?"),
        ("es", "¿Cómo quedamos?"),
        ("de", "Wie wird das besprochen?"),
    ] {
        assert_eq!(loose(language, sentence), [], "{sentence}");
    }
}

#[test]
fn what_an_approved_text_says_was_agreed_is_no_pretence() {
    let offer = ["Meters are read as agreed in our contract."];
    let loose = |sentence: &str| forms("en", &[text(sentence)], &offer);
    for sentence in [
        "Meters are read as agreed in your contract.",
        "Are meters read as agreed in your contract?",
    ] {
        assert_eq!(loose(sentence), [], "{sentence}");
    }
    for sentence in [
        "Meters are read as agreed.",
        "Meters are read as agreed in your contract last week.",
        "Meters are read as agreed with your manager.",
        "As agreed yesterday, meters are read.",
    ] {
        assert_eq!(loose(sentence), [Form::Acquaintance], "{sentence}");
    }
}

#[test]
fn prices_and_conditions_need_no_figure_to_be_promised() {
    let offer = ["Metering with monthly bills, free of charge in the first year."];
    let loose = |language: &str, sentence: &str| forms(language, &[text(sentence)], &offer);
    for (language, sentence) in [
        ("en", "Your whole fleet is free."),
        ("en", "Cancel whenever you like."),
        ("en", "Monthly bills come with a refund."),
        ("de", "Sie testen unverbindlich."),
        ("fr", "Les premiers mois sont gratuits."),
        ("es", "Los primeros meses son gratis."),
    ] {
        assert_eq!(loose(language, sentence), [Form::Term], "{sentence}");
    }
    assert_eq!(
        loose("en", "Metering is free of charge in the first year."),
        []
    );
    assert_eq!(
        loose("en", "It frees up your hands, so feel free to look."),
        []
    );
}

#[test]
fn what_changes_rests_on_an_approved_text_where_the_offer_is_told() {
    let told = |language: &str, sentence: &str, of_value: bool| -> Vec<Form> {
        let passage = Passage::of_inlines(&[text(sentence)]);
        let sentences = passage.sentences();
        let vocabulary = Vocabulary::of(language);
        let approved = ApprovedTexts::of(["Queues at the gate shrink with Dockline."]);
        let found = facts(
            &passage,
            (&sentences, &[]),
            &approved,
            &vocabulary,
            of_value,
        );
        let loose = found.into_iter().filter(|fact| fact.rests_on.is_none());
        loose.map(|fact| fact.form).collect()
    };
    for (language, sentence) in [
        ("en", "Costs shrink."),
        ("en", "Slow payers vanish from your list."),
        ("de", "Warteschlangen schrumpfen."),
        ("fr", "Les files disparaissent."),
        ("es", "Las colas desaparecen."),
    ] {
        assert_eq!(told(language, sentence, true), [Form::Result], "{sentence}");
        assert_eq!(told(language, sentence, false), [], "{sentence}");
    }
    for sentence in [
        "Queues shrink.",
        "A slot is a slot, no more and no less.",
        "That is it.",
    ] {
        assert_eq!(told("en", sentence, true), [], "{sentence}");
    }
}

#[test]
fn several_texts_may_cover_one_sentence() {
    let offer = [
        "Setup takes three weeks, with the import of open contracts included.",
        "It posts to Xero and Sage 50 every night.",
        "Translations by ISO 17100 and DIN EN 15635",
    ];
    let loose = |sentence: &str| forms("en", &[text(sentence)], &offer);
    assert_eq!(
        loose("Setup takes three weeks, and we post to Xero and Sage 50 every night."),
        []
    );
    assert_eq!(loose("We translate by ISO 17100."), []);
    assert_eq!(loose("We work to DIN EN 15635."), []);
    // A clause that no text says, and a standard that none names.
    assert_eq!(
        loose("Setup takes three weeks, and we double the margin of your whole business."),
        [Form::Number]
    );
    assert_eq!(loose("We follow ISO 9001."), [Form::Number]);
}

#[test]
fn clauses_are_parted_by_joints_of_their_own_language() {
    // `Of` is Dutch for `or`. In English it would tear the sentence into two clauses that two texts have.
    let offer = ["Free import of contracts", "Audit of meters and margin"];
    let claim = [text("We offer free import of margin audit.")];
    assert_eq!(forms("en", &claim, &offer), [Form::SellerClaim]);
}

#[test]
fn a_return_on_investment_is_no_king() {
    let house = [text("Our house is in rue du Roi.")];
    assert_eq!(forms("en", &house, &["rue du Roi"]), []);
    assert_eq!(forms("en", &[text("Clear ROI.")], &[]), [Form::Result]);
}

#[test]
fn what_is_said_of_the_reader_rests_on_evidence_alone() {
    let saw = [
        text("I saw that "),
        var("company.name"),
        text(" is hiring."),
    ];
    assert_eq!(
        forms("en", &saw, &["Acme is hiring people"]),
        [Form::Observation]
    );
    assert_eq!(
        forms("en", &[text("I noticed this: "), var("evidence.hook")], &[]),
        []
    );
}
