//! Without a model, what has the form of content is printed, and nothing else: whole paragraphs below headings, lists, tables,
//! lines of prices and of labels. What is left out is told with its reason.

use gtm_sdk::json::json;

use crate::hurried::running_prose;
use crate::run::job;
use crate::wishes::run;

#[test]
fn prose_above_the_first_heading_is_told_and_not_printed() {
    for (language, above) in [
        // Dictations, in words that no list has.
        (
            "en",
            "So yeah Halden wants the gates, Bernd is being difficult about money again, we can live with 380 I think.",
        ),
        (
            "de",
            "Also der Bernd hat wieder am Preis gemeckert, unter uns mit 380 kämen wir schon noch hin, denk ich.",
        ),
        (
            "fi",
            "Pentti valitti taas hinnasta, 380 riittäisi meille kyllä.",
        ),
        (
            "tr",
            "Bernd yine fiyattan şikayet etti, aslında 380 bize yeter.",
        ),
        (
            "ja",
            "ベルントさんがまた値段に文句を言っていて、本当は380でも大丈夫です。",
        ),
    ] {
        let brief = format!(
            "# Halden\n\n{above}\n\n## Gates\n\nHalden gets 40 gates in two harbours.\n\n- Gate A: £400"
        );
        let mut job = job(&brief).alone();
        job.brand = json!({"language": language});
        let (draft, _, text, _) = run(job);
        assert!(!text.contains("380"), "{text}");
        assert!(
            text.contains("40 gates") || text.contains("40\u{a0}gates"),
            "{text}"
        );
        assert!(draft["not_printed"].to_string().contains("380"), "{draft}");
    }
}

#[test]
fn tables_lists_prices_and_labels_need_no_heading() {
    let brief = "Offer for Vela as PDF.\n\n- 40 gates\n- 2 harbours\n\nBasic gate: £400\nWide gate: £600\n\nTerm: 24 months\nNotice: 3 months\n\n\
                 | Part | Price |\n|---|---|\n| Hinge | £12 |\n\nHe moans about everything.";
    let (_, _, text, told) = run(job(brief).alone());
    let text = text.replace('\u{a0}', " ");
    for said in ["40 gates", "£400", "£600", "24 months", "Hinge | £12"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("moans"), "{text}");
    assert!(told.contains("moans"), "{told}");
}

#[test]
fn a_paragraph_is_printed_as_a_whole_or_not_at_all() {
    let brief = "# Vela\n\n## Price\n\nEach gate costs £400. It is never locked. Between us, we could do £380.\n\nAll prices are net.\n\n- Setup: £90\n- (internal: never below £70)";
    let (draft, _, text, _) = run(job(brief).alone());
    let text = text.replace('\u{a0}', " ");
    assert!(!text.contains("£400") && !text.contains("380"), "{text}");
    assert!(
        text.contains("All prices are net.") && text.contains("£90"),
        "{text}"
    );
    assert!(
        running_prose(&draft).contains("Each gate costs £400."),
        "{draft}"
    );
}

#[test]
fn in_a_mail_a_heading_needs_its_mark() {
    let lines = "Costs\n\nThe gates cost £400 each, and he will haggle.\n\nTimes\n\nThey open in May, or so I told her.";
    let mail = format!("Hi Tom,\n\n{lines}\n\n## Facts\n\nVela has 40 gates.\n\nCheers\nMia");
    let (_, _, text, _) = run(job(&mail).alone());
    assert!(
        !text.contains("haggle") && !text.contains("told her"),
        "{text}"
    );
    assert!(text.contains("Vela has 40"), "{text}");
    // In a text that is no mail, such lines are headings.
    let (_, _, text, _) =
        run(job("Costs\n\nThe gates cost £400 each.\n\nTimes\n\nThey open in May.").alone());
    assert!(
        text.contains("£400") && text.contains("open in May"),
        "{text}"
    );
}

#[test]
fn nothing_but_prose_is_no_document() {
    for brief in [
        "Vela has 40 gates. Two leak.",
        "Hi Tom,\n\nVela needs 40 gates, make something nice.\n\nCheers\nMia",
    ] {
        // Not even one about the offer: it would say nothing of what the brief says.
        let failure = job(brief).failure();
        assert_eq!(failure.code, "insufficient_content", "{brief}");
        assert!(failure.message.contains("## Price"), "{failure:?}");
    }
}
