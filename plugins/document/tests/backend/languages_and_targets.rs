//! Languages that are too short to tell, offers in another one, and targets that cannot be read.

use gtm_sdk::json::json;

use crate::run::job;
use crate::wishes::run;

/// Few words of a salesperson.
const NOTES: &str = "need a proposal for Lidl by friday\nmet with Petra Olsen (COO) on Tuesday\n14 depots, 3 countries\n";

#[test]
fn an_unreachable_target_is_named() {
    use gtm_sdk::Failure;
    for failure in [
        Failure::not_found("http_404", "gone"),
        Failure::new(
            gtm_sdk::FailureKind::Timeout,
            "timeout",
            "It took too long.",
        ),
        Failure::new(
            gtm_sdk::FailureKind::Quota,
            "quota_exceeded",
            "No more pages.",
        ),
        Failure::new(
            gtm_sdk::FailureKind::Denied,
            "connector_not_configured",
            "No connection.",
        ),
    ] {
        let mut job = job(NOTES).with("/target_domain", json!("nobody.example"));
        job.web = job.web.failing("https://nobody.example/", failure.clone());
        let told = job.failure();
        assert!(told.message.contains("nobody.example"), "{told:?}");
    }
}

#[test]
fn a_short_offer_in_another_language_is_not_printed() {
    let short = |name: &str, summary: &str| json!({"name": name, "summary": summary, "facts": [], "value_propositions": [], "proof_points": []});
    for (brief, offer, foreign) in [
        (
            "Write a proposal for Northwind.\n\n## Today\n\nThe depots of Northwind read all of their meters by hand today.",
            short(
                "Funkzähler",
                "Zähler, die sich selbst ablesen. Keine Termine mehr.",
            ),
            "Keine Termine",
        ),
        (
            "Erstelle ein Angebot für Nordkühl.\n\n## Heute\n\nDie Lager von Nordkühl lesen heute alle Zähler von Hand ab.",
            short(
                "Radio meters",
                "Meters that read themselves, no appointments.",
            ),
            "no appointments",
        ),
    ] {
        let mut job = job(brief);
        job.brand = json!({"identity": {"brand_name": {"value": "Meterly"}}});
        job.offer = Some(offer);
        let (_, _, text, _) = run(job);
        assert!(!text.contains(foreign), "{text}");
    }
}

#[test]
fn too_few_words_tell_no_language() {
    for (brand, expected) in [("de", "de"), ("en", "en")] {
        let mut job = job("## Zähler\n\n- Zähler\n- Tore, neun Stück, blau")
            .with("/document_type", json!("report"));
        job.offer = None;
        job.brand["language"] = json!(brand);
        let run = job.run();
        assert_eq!(
            run.output.map_or_else(
                |failure| failure.code,
                |draft| draft["meta"]["language"].as_str().unwrap().to_owned()
            ),
            expected
        );
    }
}

#[test]
fn english_for_britain_is_british() {
    let known = |brief: &str, brand: &str| {
        let mut job = job(brief);
        job.offer = None;
        job.brand = json!({"language": brand});
        job.draft()["meta"]["language"].clone()
    };
    let pounds = "# Gates\n\n## Facts\n\nThe gates open at six in the morning, and each of them costs £400 a year.\n";
    let days =
        "# Gates\n\n## Facts\n\nThe gates open at six in the morning, from 14 April 2027 on.\n";
    let dollars = "# Gates\n\n## Facts\n\nThe gates open at six in the morning, and each of them costs $400 a year.\n";
    assert_eq!(known(pounds, "en"), "en-GB");
    assert_eq!(known(pounds, "en-US"), "en-GB");
    assert_eq!(known(pounds, "en-IE"), "en-IE");
    assert_eq!(known(days, "en"), "en-GB");
    assert_eq!(known(dollars, "en"), "en");
    assert_eq!(known(dollars, "en-US"), "en-US");
}

#[test]
fn what_is_in_another_language_is_told_once_with_its_number() {
    let brief = "# Kühlung\n\n## Heute\n\nDie Messwerte werden heute von Hand abgeschrieben und kommen eine Schicht zu spät an.";
    let (_, _, _, told) = run(job(brief));
    let lines: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("anderen Sprache"))
        .collect();
    let [line] = lines.as_slice() else {
        panic!("{told}");
    };
    assert!(line.contains(" Texte. Der erste ist „"), "{line}");
}

#[test]
fn nobody_is_told_of_slides_whose_file_has_none() {
    let brief =
        "Make a deck for Northwind, 9 slides.\n\n## Today\n\nIt is cold.\n\n## Then\n\nIt is warm.";
    for (format, has_slides) in [("docx", false), ("pptx", true)] {
        let (_, _, _, told) = run(job(brief).alone().with("/format", json!(format)));
        let tells = told.lines().any(|line| line.starts_with("Slides: "));
        assert_eq!(tells, has_slides, "{told}");
        assert_eq!(told.contains("asks for 9 slides"), has_slides, "{told}");
    }
}
