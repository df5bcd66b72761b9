//! What a second reading is shown and asked again, and what its claims say of it.
use super::*;

/// A site with many more excerpts than a claim cites.
fn stores() -> Research {
    let filler: Vec<String> = (0..40)
        .map(|at| {
            format!(
                "Hall number {at} of the harbour keeps goods of another kind at its own climate."
            )
        })
        .collect();
    let mut blocks: Vec<(&str, &str)> = vec![("paragraph", STORES), ("paragraph", HAND)];
    blocks.extend(filler.iter().map(|text| ("paragraph", text.as_str())));
    blocks.push(("paragraph", LOAN));
    site(&[(Role::Home, &blocks)])
}

fn verdict(number: &str, word: &str, faulty: &str) -> Value {
    json!({"claim": number, "verdict": word, "faulty": faulty})
}

#[test]
fn a_few_claims_cost_no_reading_of_the_whole_site() {
    let host = Scripted::new(|input| {
        let answer = match step(input) {
            "critique" => {
                let verdicts = read(input).into_iter().map(|(number, text)| {
                    match text.contains("keeps food for 210") {
                        true => verdict(&number, "contradicted", "210 producers"),
                        false => verdict(&number, "supported", ""),
                    }
                });
                json!({"verdicts": verdicts.collect::<Vec<_>>()})
            }
            "rewriting" => {
                let name = input["response_schema"]["required"][0].as_str().unwrap();
                json!({name: unit(input, "Acme keeps food for producers.", STORES)})
            }
            _ => good(input),
        };
        Ok(answered(answer))
    });
    let mut written = written_of(&stores(), &host, Found::default(), MANY).unwrap();
    assert_eq!(
        written.one("summary").unwrap().value,
        "Acme keeps food for producers."
    );
    let calls = || (0..host.calls()).map(|call| host.call(call));
    let of = |wanted: &str| -> Vec<Value> { calls().filter(|call| step(call) == wanted).collect() };
    let critiques = of("critique");
    assert_eq!(critiques.len(), 2);
    // The first critic compares with everything, in the same words as the calls before.
    let prompt = |call: &Value| call["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(prompt(&critiques[0]).contains("Hall number 20 "));
    for call in of("rewriting").iter().chain(&critiques[1..]) {
        let prompt = prompt(call);
        assert!(prompt.contains(STORES) && prompt.contains(HAND), "{prompt}");
        assert!(!prompt.contains("Hall number 20 "), "{prompt}");
        assert!(!prompt.contains(LOAN), "{prompt}");
        assert_eq!(number_of(call, STORES), number_of(&critiques[0], STORES));
    }
}

#[test]
fn what_the_critic_left_out_is_asked_once_more() {
    let host = Scripted::new(|input| {
        let answer = match step(input) {
            "critique" => {
                // It gives one verdict a call.
                let verdicts = read(input).into_iter().take(1);
                let verdicts = verdicts.map(|(number, _)| verdict(&number, "supported", ""));
                json!({"verdicts": verdicts.collect::<Vec<_>>()})
            }
            _ => good(input),
        };
        Ok(answered(answer))
    });
    let mut written = written_of(&stores(), &host, Found::default(), MANY).unwrap();
    let critiques = (0..host.calls()).filter(|call| step(&host.call(*call)) == "critique");
    assert_eq!(critiques.count(), 2);
    let readings: Vec<_> = ["why_now", "summary", "signals"]
        .map(|path| written.one(path).unwrap().second_reading)
        .into();
    let supported = Some(SecondReading::Supported);
    assert_eq!(readings, [supported, supported, None]);
}

#[test]
fn reasons_are_asked_for_where_they_are_shown() {
    let host = Scripted::new(|input| Ok(answered(good(input))));
    written_of(&stores(), &host, Found::default(), MANY).unwrap();
    let asks = |call: usize| host.call(call)["response_schema"].to_string();
    assert!(asks(1).contains("\"reason\""));
    let research = stores();
    let evidence = collect(&research);
    let silent = Scripted::new(|input| Ok(answered(good(input))));
    let task = Task {
        reasons: false,
        ..task(&research, &evidence, Found::default(), MANY)
    };
    write(&silent, task).unwrap();
    let asked = silent.call(1);
    let schema = asked["response_schema"].to_string();
    assert!(!schema.contains("\"reason\"") && schema.contains("\"derivations\""));
    let system = asked["messages"][0]["content"].as_str().unwrap();
    assert!(!system.contains("reason:"), "{system}");
}

/// A model whose summary the critic contradicts, which rewrites it, and whose critic then says `verdict` of the rewriting.
fn read_twice(verdict: &'static str) -> (Written, Vec<Vec<(String, String)>>) {
    let host = Scripted::new(move |input| {
        let mut answer = good(input);
        match step(input) {
            "critique" => {
                let claims = read(input);
                let verdicts = claims.iter().map(|(number, text)| {
                    let is_new = text.contains("keeps food for producers");
                    let word = match (text.contains("for 210 producers"), is_new) {
                        (true, _) => "contradicted",
                        (_, true) => verdict,
                        _ => "supported",
                    };
                    json!({"claim": number, "verdict": word, "faulty": if word == "contradicted" { "210 producers" } else { "" }})
                });
                answer = json!({"verdicts": verdicts.collect::<Vec<_>>()});
            }
            "rewriting" => {
                let name = input["response_schema"]["required"][0].as_str().unwrap();
                answer = json!({});
                answer[name] = unit(input, "Acme keeps food for producers.", STORES);
            }
            _ => {}
        }
        Ok(answered(answer))
    });
    let written = written(&host, Found::default(), MANY).unwrap();
    let critiques = (0..host.calls())
        .map(|call| host.call(call))
        .filter(|input| step(input) == "critique")
        .map(|input| read(&input));
    (written, critiques.collect())
}

#[test]
fn what_was_rewritten_is_read_again_alone() {
    let (mut confirmed, critiques) = read_twice("supported");
    assert_eq!(critiques.len(), 2);
    assert_eq!(critiques[1].len(), 1, "only the claim that was rewritten");
    assert_eq!(confirmed.one("summary").unwrap().basis, Basis::Observed);
    let (mut unread, _) = read_twice("wonderful");
    let claim = unread.one("summary").unwrap();
    assert_eq!(claim.value, "Acme keeps food for producers.");
    assert_eq!(claim.basis, Basis::Inferred);
    let (mut wrong, _) = read_twice("contradicted");
    assert_eq!(wrong.one("summary"), None);
    assert_eq!(
        wrong.left_out(),
        [("summary".to_owned(), "contradicted", 1)]
    );
}
