//! The document as a whole: sources, conflicts, the site and its language.
use super::*;

#[test]
fn a_quoted_value_stands_and_its_source_is_shown() {
    let text = "Wir glauben, dass jeder Mieter seinen Verbrauch kennen soll.";
    let mut draft = with(
        "/foundations/mission",
        json!("wir glauben, dass jeder Mieter seinen Verbrauch kennen soll."),
    );
    draft["basis"] = json!([basis("/foundations/mission", "stated", &[(1, text)], &[])]);
    draft["sources"] = json!([{"receipt_id": id(1), "kind": "first_party", "publisher": null, "title": "Acme – Zähler für alle", "language": null, "published_at": null}]);
    let checked = run(&draft);
    let guideline = &checked.completed.guideline;
    assert!(checked.dropped.is_empty());
    assert_eq!(
        guideline.foundations.mission.confidence,
        Some(Confidence::High)
    );
    let source = &guideline.research.sources[0];
    assert_eq!(
        (source.kind, source.excerpts.len()),
        (SourceKind::FirstParty, 1)
    );
    assert_eq!(source.excerpts[0].text, text);
    assert_eq!(guideline.identity.domain.as_deref(), Some("acme.example"));
    assert_eq!(
        guideline.identity.website_url.as_deref(),
        Some("https://www.acme.example")
    );
    assert!(
        guideline
            .research
            .unknowns
            .iter()
            .any(|u| u.pointer == "/foundations/vision" && u.reason == UnknownReason::NotFound)
    );
    let identity = guideline
        .research
        .coverage
        .iter()
        .find(|c| c.section == Section::Identity.key())
        .unwrap();
    assert_eq!((identity.fields, identity.known), (15, 2));
}

#[test]
fn pillars_name_only_proofs_that_stand() {
    let mut draft = with(
        "/positioning/proof_points",
        json!([{"key": "pp-1", "kind": "metric", "text": "rechnet 1.200 Wohnungen ab"}, {"key": "pp-2", "kind": "award", "text": "Best meter 2025"}]),
    );
    draft["guideline"]["messaging"]["pillars"] = json!([{"key": "p-1", "title": "Scale", "message": "Many flats.", "proof_point_keys": ["pp-1", "pp-2", "pp-9"]}]);
    draft["basis"] = json!([
        basis(
            "/positioning/proof_points/0",
            "stated",
            &[(1, "rechnet 1.200 Wohnungen ab")],
            &[]
        ),
        basis(
            "/positioning/proof_points/1",
            "stated",
            &[(1, "Best meter 2025 award")],
            &[]
        ),
        basis("/messaging/pillars/0", "inferred", &[], &[1]),
    ]);
    let checked = run(&draft);
    let guideline = checked.completed.guideline;
    assert_eq!(
        guideline.messaging.pillars[0]
            .value
            .as_ref()
            .unwrap()
            .proof_point_keys,
        ["pp-1"]
    );
    assert_eq!(
        checked.dropped,
        [(
            "/positioning/proof_points/1".to_owned(),
            Dropped::Unsupported
        )]
    );
    let partly = guideline
        .research
        .unknowns
        .iter()
        .find(|u| u.pointer == "/positioning/proof_points");
    assert_eq!(partly.unwrap().reason, UnknownReason::Unverified);
}

#[test]
fn conflicts_need_two_verified_sides() {
    let at = "/identity/founded_year";
    let side = |value: i64, receipt: u128, text: &str| json!({"value": value, "excerpts": [{"receipt_id": id(receipt), "text": text}], "receipt_ids": []});
    let with_sides = |sides: Value, reason: &str| {
        let mut draft = empty();
        draft["conflicts"] = json!([{"pointer": at, "candidates": sides}]);
        draft["unknowns"] = json!([{"pointer": at, "reason": reason}]);
        let research = run(&draft).completed.guideline.research;
        let unknown = research
            .unknowns
            .iter()
            .find(|u| u.pointer == at)
            .unwrap()
            .reason;
        (research.conflicts, unknown)
    };
    let (conflicts, reason) = with_sides(
        json!([
            side(2014, 1, "2014"),
            side(2026, 2, "Acme opened in Leeds in March 2026")
        ]),
        "conflicting",
    );
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].candidates[1].value, json!(2026));
    assert_eq!(conflicts[0].candidates[1].source_ids.len(), 1);
    assert_eq!(reason, UnknownReason::Conflicting);
    let (conflicts, reason) = with_sides(
        json!([side(2014, 1, "2014"), side(2001, 1, "gegründet 2001")]),
        "conflicting",
    );
    assert_eq!((conflicts.len(), reason), (0, UnknownReason::Unverified));
    let (conflicts, reason) = with_sides(
        json!([side(2014, 1, "2014"), side(2014, 1, "2014")]),
        "conflicting",
    );
    assert_eq!((conflicts.len(), reason), (0, UnknownReason::NotFound));
    let (_, reason) = with_sides(json!([]), "blocked");
    assert_eq!(reason, UnknownReason::Blocked);
}

#[test]
fn a_named_companys_site_must_bear_its_name() {
    let first_party = |number: u128| json!([{"receipt_id": id(number), "kind": "first_party", "publisher": null, "title": null, "language": null, "published_at": null}]);
    let found = |name: &str, number| {
        let mut draft = empty();
        draft["sources"] = first_party(number);
        run_for(&input(Some(name), None), &draft)
            .completed
            .guideline
    };
    let own = found("Acme Zähler", 1);
    assert_eq!(own.identity.domain.as_deref(), Some("acme.example"));
    assert_eq!(own.research.sources[0].kind, SourceKind::FirstParty);
    let foreign = found("Acme Zähler", 2);
    assert_eq!(foreign.identity.domain, None);
    assert_eq!(foreign.research.sources[0].kind, SourceKind::Other);
}

#[test]
fn language_and_contrast_are_the_hosts_own() {
    let mut draft = empty();
    draft["language"] = json!("de");
    let guideline = run(&draft).completed.guideline;
    assert_eq!(guideline.language, "de");
    let pairs = &guideline.governance.accessibility.failing_pairs;
    assert!(
        pairs
            .iter()
            .any(|p| p.foreground == "#aaaaaa" && p.background == "#ffffff"),
        "{pairs:?}"
    );
    assert!(
        pairs.iter().all(|p| p.foreground != "#cccccc"),
        "no element of a page is so: {pairs:?}"
    );
    assert!(
        pairs.iter().all(|p| p.foreground != "#bbbbbb"),
        "another site's style: {pairs:?}"
    );
    draft["language"] = json!("tlh");
    assert_eq!(run(&draft).completed.guideline.language, "und");
}

#[test]
fn a_language_that_no_page_declares_is_told_by_the_text() {
    let words = "<p>Nous fabriquons des compteurs pour les immeubles et nous calculons la consommation.</p>";
    let mut library = Library::default();
    library.insert(page(1, HOME_URL, &words.repeat(4)));
    let english =
        "<p>A stranger writes about the company and says in many words what it makes.</p>";
    library.insert(page(2, "https://press.example/", &english.repeat(6)));
    let language = |drafted: &str| {
        let mut draft = empty();
        draft["language"] = json!(drafted);
        let checked = run_over(&library, &input(Some("Acme"), Some(HOME_URL)), &draft);
        checked.completed.guideline.language
    };
    assert_eq!(language("fr"), "fr");
    assert_eq!(language("es"), "und");
    assert_eq!(language("en"), "und", "a stranger's page is written in it");
}

#[test]
fn a_strangers_page_declares_no_language_of_the_brand() {
    let mut library = Library::default();
    library.insert(page(1, HOME_URL, "<html lang=fr><p>Acme</p>"));
    let foreign = "https://press.example/";
    let declared = "<html lang=es><link rel=alternate hreflang=pt-BR href=/pt><p>Acme</p>";
    library.insert(page(2, foreign, declared));
    let facts = Reported::of(&json!({"language": "it"}));
    for (number, url) in [(3, foreign), (4, "https://www.acme.example/it")] {
        let body = Bytes::from_static(b"<p>Acme</p>");
        let answer = receipt(number, url, &body);
        let stored = Stored::of(answer, &body, connector(), facts.clone(), MAX_JOB_TEXT);
        library.insert(stored.unwrap());
        let mut draft = empty();
        for (drafted, found) in [
            ("fr", "fr"),
            ("es", "und"),
            ("pt-BR", "und"),
            ("it", if number == 3 { "und" } else { "it" }),
        ] {
            draft["language"] = json!(drafted);
            let checked = run_over(&library, &input(Some("Acme"), Some(HOME_URL)), &draft);
            let language = checked.completed.guideline.language;
            assert_eq!(language, found, "{drafted} with {url}");
        }
    }
}

#[test]
fn a_raised_flag_ends_the_check() {
    let stop = StopFlag::default();
    drop(stop.raised_on_drop());
    let draft = BrandDraft::read(&empty()).unwrap();
    let (library, input) = (library(), input(Some("Acme"), Some(HOME_URL)));
    let ended = check(
        &draft,
        &CheckInput {
            input: &input,
            start_urls: &StartUrls::default(),
            library: &library,
            job: JobId::from_uuid(uuid::Uuid::from_u128(9)),
            revision: 1,
            previous: None,
            started_at: Timestamp::from_millis(1_000),
            finished_at: Timestamp::from_millis(2_000),
            stop: &stop,
        },
    );
    assert!(matches!(ended, Err(CheckError::Stopped)));
}
