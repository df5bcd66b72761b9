//! Values recomputed from the bytes.
use super::*;

#[test]
fn colours_are_recomputed() {
    let library = library();
    let signals = Signals::read(&library, None, &StopFlag::default());
    let cited: Vec<&Stored> = [1, 3]
        .iter()
        .map(|n| library.find(&id(*n)).unwrap())
        .collect();
    let computed = signals.palette(&cited);
    let primary = computed
        .iter()
        .find(|s| s["hex"] == "#10243e")
        .expect("the brand's colour")
        .clone();
    let at = "/visual/palette";
    stands(
        &one(at, primary.clone(), "observed", &[], &[1, 3]),
        "medium",
        "observed",
    );
    let mut other = primary.clone();
    other["role"] = json!(if primary["role"] == "other" {
        "text"
    } else {
        "other"
    });
    other["name"] = json!("Evil Blue");
    let place = one(at, other, "observed", &[], &[1, 3]);
    stands(&place, "low", "inferred");
    assert_ne!(
        place[0]["value"]["name"], "Evil Blue",
        "a name that nothing bears out goes"
    );
    let mut absent = primary;
    absent["hex"] = json!("#123456");
    assert_eq!(
        verdict(&one(at, absent.clone(), "observed", &[], &[1, 3])),
        None
    );
    assert_eq!(
        verdict(&one(at, absent, "inferred", &[], &[1])),
        None,
        "whatever it calls its basis"
    );
}

#[test]
fn typefaces_are_recomputed() {
    let at = "/visual/typography";
    let library = library();
    let cited: Vec<&Stored> = [1, 3]
        .iter()
        .map(|n| library.find(&id(*n)).unwrap())
        .collect();
    let computed = Signals::read(&library, None, &StopFlag::default()).typography(&cited);
    let serif = computed
        .iter()
        .find(|t| t["family"] == "Source Serif 4")
        .expect("the heading's face")
        .clone();
    stands(
        &one(at, serif.clone(), "observed", &[], &[1, 3]),
        "medium",
        "observed",
    );
    let mut other = serif.clone();
    other["license"] = json!("Evil-1.0");
    let place = one(at, other, "observed", &[], &[1, 3]);
    stands(&place, "low", "inferred");
    assert_ne!(place[0]["value"]["license"], "Evil-1.0");
    let mut absent = serif;
    absent["family"] = json!("Comic Sans MS");
    assert_eq!(verdict(&one(at, absent, "observed", &[], &[1, 3])), None);
}

#[test]
fn logos_are_read_from_their_bytes() {
    let at = "/visual/logos";
    let logo = |url: &str, inline: Value, variant: &str| json!({"url": url, "inline_svg": inline, "variant": variant, "theme": null});
    let icon = "https://www.acme.example/icon.png";
    let place = one(
        at,
        logo(icon, Value::Null, "symbol"),
        "observed",
        &[],
        &[1, 4],
    );
    stands(&place, "medium", "observed");
    let value = &place[0]["value"];
    assert_eq!(
        (&value["media_type"], &value["width"], &value["height"]),
        (&json!("image/png"), &json!(32), &json!(32))
    );
    assert_eq!(value["digest"], json!(Digest::of(&png())));
    let place = one(at, logo(HOME_URL, json!(0), "logo"), "observed", &[], &[1]);
    let value = &place[0]["value"];
    assert_eq!(value["url"], "https://www.acme.example/#inline-svg-0");
    assert_eq!(value["media_type"], "image/svg+xml");
    let svg = &HOME[HOME.find("<svg").unwrap()..HOME.find("</svg>").unwrap() + 6];
    assert_eq!(value["digest"], json!(Digest::of(svg.as_bytes())));
    for (why, place) in [
        (
            "the page does not show it",
            one(
                at,
                logo("https://evil.example/logo.png", Value::Null, "logo"),
                "observed",
                &[],
                &[1, 4],
            ),
        ),
        (
            "its bytes were not fetched",
            one(at, logo(icon, Value::Null, "symbol"), "observed", &[], &[1]),
        ),
        (
            "no page is cited",
            one(at, logo(icon, Value::Null, "symbol"), "observed", &[], &[4]),
        ),
        (
            "no such drawing",
            one(at, logo(HOME_URL, json!(7), "logo"), "observed", &[], &[1]),
        ),
    ] {
        assert_eq!(verdict(&place), None, "{why}");
    }
}

#[test]
fn habits_are_measured_again() {
    let library = library();
    let cited = [library.find(&id(1)).unwrap()];
    let measured = Signals::read(&library, None, &StopFlag::default()).habits(&cited);
    for (pointer, name, other) in [
        ("/voice/style/emoji", "emoji", json!(true)),
        (
            "/voice/style/exclamation_marks",
            "exclamation_marks",
            json!(true),
        ),
        (
            "/voice/style/headline_case",
            "headline_case",
            json!("title"),
        ),
    ] {
        let wrong = one(pointer, other.clone(), "observed", &[], &[1]);
        assert_eq!(
            wrong,
            if measured[name] == other {
                other
            } else {
                Value::Null
            },
            "{pointer}"
        );
        if !measured[name].is_null() {
            assert_eq!(
                one(pointer, measured[name].clone(), "observed", &[], &[1]),
                measured[name]
            );
            assert_eq!(
                one(pointer, measured[name].clone(), "observed", &[], &[]),
                Value::Null
            );
        }
    }
    let formality = one("/voice/formality", json!(5), "observed", &[], &[2]);
    assert_eq!(
        verdict(&formality),
        None,
        "one sentence is too little to measure"
    );
}
