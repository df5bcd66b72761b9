//! What becomes of facts that rules found.
use super::*;
use gtm_site_research::evidence::Sentence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use serde_json::json;

fn claim(text: &str, from: &[&str]) -> Claim {
    let excerpts = from.iter().map(|text| Excerpt {
        page: 0,
        text: (*text).to_owned(),
    });
    Claim::stated(text, excerpts.collect())
}

/// Facts at `signals`, and what a prompt with all their excerpts shows of them.
fn shown(facts: &[Claim], room: usize) -> (Found, Shown) {
    let excerpts = Excerpts {
        all: facts
            .iter()
            .enumerate()
            .map(|(position, fact)| Sentence {
                page: 0,
                block: position,
                position,
                role: Role::News,
                kind: BlockKind::Paragraph,
                text: fact.excerpts[0].text.clone(),
                folded: String::new(),
            })
            .collect(),
        ..Excerpts::default()
    };
    let mut found = Found::default();
    found.add("signals", facts.to_vec());
    let shown = found.show(&excerpts, room, |path| path == "signals");
    (found, shown)
}

fn decided(facts: &[Claim], decisions: &[&str]) -> Found {
    let (mut found, shown) = shown(facts, 10_000);
    let decisions: Vec<Value> = (1..)
        .zip(decisions)
        .map(|(fact, decision)| json!({"fact": fact, "decision": decision}))
        .collect();
    found.decide(&shown, &json!({"found": decisions}));
    found
}

fn texts(list: Vec<Claim>) -> Vec<Value> {
    list.into_iter().map(|claim| claim.value).collect()
}

#[test]
fn a_fact_stands_once() {
    let facts = [
        claim("The loan", &["The loan pays for pumps."]),
        claim("A head", &["A new head."]),
    ];
    let written = vec![claim("Loan", &["The loan pays for pumps."])];
    let list =
        |decisions: &[&str]| texts(decided(&facts, decisions).beside("signals", written.clone()));
    assert_eq!(list(&[]), [json!("Loan"), json!("A head")]);
    assert_eq!(list(&["keep", "reject"]), [json!("The loan")]);
    assert_eq!(list(&["reject", "reject"]), [json!("Loan")]);
}

#[test]
fn a_kept_fact_does_not_push_out_a_claim_that_says_more() {
    let row = "Loan of 18 million for pumps and doors.";
    let facts = [claim("Loan of 18 million", &[row])];
    let found = decided(&facts, &["keep"]);
    let fuller = claim("A loan of 18 million pays for the pumps", &[row]);
    let list = |claim: &Claim| texts(found.beside("signals", vec![claim.clone()]));
    assert_eq!(list(&fuller), std::slice::from_ref(&fuller.value));
    let further = claim(
        "The loan of 18 million is green",
        &[row, "It is a green loan."],
    );
    assert_eq!(list(&further), std::slice::from_ref(&further.value));
    let thinner = claim("A loan of millions", &[row]);
    assert_eq!(list(&thinner), [json!("Loan of 18 million")]);
    assert_eq!(
        found.or("signals", Some(fuller.clone())),
        Some(fuller),
        "one value, too"
    );
}

#[test]
fn two_facts_of_one_row_both_stand() {
    let row = "Customers: Harrow Dairies, Finch Foods, Northern Rail and others all over the north of England";
    let facts = [
        claim("Harrow Dairies", &[row]),
        claim("Finch Foods", &[row]),
    ];
    for decisions in [&[][..], &["keep", "keep"], &["merge", "merge"]] {
        let found = decided(&facts, decisions);
        let written = vec![
            claim("Northern Rail", &[row]),
            claim("Finch Foods Ltd", &[row]),
        ];
        let list = texts(found.beside("signals", written));
        for name in ["Northern Rail", "Finch Foods Ltd", "Harrow Dairies"] {
            assert!(list.contains(&json!(name)), "{name}: {list:?}");
        }
        assert_eq!(list.len(), 3, "{list:?}");
    }
}

#[test]
fn a_fact_that_nobody_decided_on_does_not_replace_what_the_model_wrote() {
    let facts = [
        claim("Wrong line", &["A wrong line."]),
        claim("Second line", &["A second line."]),
    ];
    let better = Some(claim("Right", &["A right line."]));
    let or = |decisions: &[&str], written: &Option<Claim>| {
        decided(&facts, decisions).or("signals", written.clone())
    };
    assert_eq!(or(&[], &better), better);
    assert_eq!(or(&["merge"], &better), better);
    assert_eq!(or(&["keep"], &better), Some(facts[0].clone()));
    assert_eq!(or(&[], &None), Some(facts[0].clone()));
    assert_eq!(or(&["reject"], &None), Some(facts[1].clone()));
    assert_eq!(or(&["reject", "reject"], &None), None);
    let (found, _) = shown(&facts, 0);
    assert_eq!(found.or("signals", better.clone()), better);
    assert_eq!(found.or("elsewhere", None), None);
}

#[test]
fn a_long_fact_hides_no_shorter_one_and_answers_decide_on_their_own() {
    let long = "A long line that takes more room than there is. ".repeat(3);
    let facts = [
        claim(&long, &[long.as_str()]),
        claim("Short", &["A short line."]),
    ];
    let (mut found, shown) = shown(&facts, 60);
    assert_eq!(shown.text, "F2 (signals; E2) Short");
    let both = json!({"found": [{"fact": 1, "decision": "reject"}, {"fact": "F2", "decision": "reject"}, {"fact": 9, "decision": "keep"}]});
    found.decide(&shown, &both);
    assert_eq!(found.rejected(), 1);
    // The long one had no room: nobody read it.
    assert_eq!(found.beside("signals", Vec::new()).len(), 0);
}

#[test]
fn of_too_many_the_best_supported_stay_in_order() {
    let facts = [claim("A fact", &["A fact."])];
    let of = |text: &str, basis| Claim {
        basis,
        ..claim(text, &["Some other line."])
    };
    let written = vec![
        of("First guess", Basis::Inferred),
        of("Confirmed", Basis::Observed),
        of("Second guess", Basis::Inferred),
        of("Quoted", Basis::Stated),
    ];
    let list = |decisions: &[&str], most| {
        let found = decided(&facts, decisions);
        let all = found.beside("signals", written.clone());
        texts(found.best("signals", all, most))
    };
    assert_eq!(list(&[], 2), [json!("Confirmed"), json!("Quoted")]);
    assert_eq!(
        list(&[], 3),
        [json!("First guess"), json!("Confirmed"), json!("Quoted")]
    );
    assert_eq!(list(&["keep"], 2), [json!("Confirmed"), json!("Quoted")]);
    assert_eq!(
        list(&["keep"], 3),
        [json!("Confirmed"), json!("Quoted"), json!("A fact")]
    );
}

#[test]
fn a_guess_with_needs_and_pains_says_more_than_a_label() {
    let label = claim("Commercial", &["Commercial"]);
    let found = decided(std::slice::from_ref(&label), &["keep"]);
    let segment = json!({"name": "Builders of sheds", "needs": ["speed"], "pains": ["late steel"], "triggers": []});
    let full = Claim {
        basis: Basis::Inferred,
        value: segment.clone(),
        ..claim("x", &["Sheds for builders."])
    };
    let all = found.beside("signals", vec![full]);
    assert_eq!(texts(found.best("signals", all, 1)), [segment]);
}

#[test]
fn a_fact_that_the_model_merged_stands_in_its_own_claim() {
    let facts = [claim(
        "Nationwide delivery service",
        &["Nationwide delivery service"],
    )];
    let written = vec![claim(
        "Steel that arrives anywhere in the country",
        &["Nationwide delivery service", "Our lorries bring it."],
    )];
    let merged = decided(&facts, &["merge"]);
    assert_eq!(texts(merged.beside("signals", written.clone())).len(), 1);
    let elsewhere = vec![claim("We weld", &["We weld."])];
    assert_eq!(texts(merged.beside("signals", elsewhere)).len(), 2);
}

#[test]
fn a_merged_fact_goes_if_it_is_the_only_one_of_its_excerpts() {
    let line = "We build and look after roads, drains and cables for towns on the whole island.";
    let facts = [claim("Earthworks firm", &[line, "Who we are"])];
    let written = vec![claim("Roads and drains", &[line])];
    let merged = decided(&facts, &["merge"]);
    assert_eq!(
        texts(merged.beside("signals", written)),
        [json!("Roads and drains")]
    );
}

#[test]
fn a_fact_with_its_meaning_in_brackets_stands_once() {
    let facts = [
        claim("VRD", &["VRD"]),
        claim("Roads and drains", &["Roads and drains"]),
    ];
    let written = vec![
        claim("VRD (voirie et réseaux divers)", &["We do VRD."]),
        claim("Drains and roads", &["All of it."]),
    ];
    let found = decided(&facts, &[]);
    assert_eq!(found.beside("signals", written).len(), 2);
}

#[test]
fn what_is_not_shown_is_judged_by_its_page() {
    let facts = [claim("A loan", &["The loan pays for pumps."])];
    let mut found = Found::default();
    found.add("signals", facts);
    let shown = found.show(&Excerpts::default(), 900, |_| true);
    assert_eq!(shown.text, "F1 (signals; page 1) A loan");
    found.decide(
        &shown,
        &json!({"found": [{"fact": 1, "decision": "reject"}]}),
    );
    assert!(found.beside("signals", Vec::new()).is_empty());
}
