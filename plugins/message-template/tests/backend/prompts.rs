//! What the model is told.

use gtm_sdk::{Value, json::json};

use crate::{answered, draft, good, input, prompt, run, run_with};

#[test]
fn the_prompt_teaches_what_is_checked() {
    let (system, user) = prompt(&run(input(), answered(good(), None, "stop")));
    for taught in [
        "language en-GB",
        "Be brief and direct.",
        "At most 110 words",
        "At most 1 link(s)",
        "At most 10 blocks",
        "at most 50 characters",
        "Never claim: guaranteed savings; market leader",
        "\"you\" more than of \"we\"",
        "- {{evidence.hook}}: sentence, usually 2.5 words, rarely over 27 characters, from evidence, always there",
        "- {{recipient.first_name}}: name, usually 2.5 words",
        "no urgency",
        "cta 10 (floor 6: single_ask 6, desired_next_step 4)",
        "below 80 points, below 8 of a judge's points",
        "Reading grade at most 9",
        "\"{{next_step.ask}} [Book a time]({{next_step.url}})\" with the fallback \"{{next_step.ask}}\"",
        "“Sage 50”",
        "{{recipient.role}} or {{company.industry}}",
        "no full stop at its end",
    ] {
        assert!(system.contains(taught), "{taught}\n{system}");
    }
    // What stands in blocks that are added is not offered for writing.
    assert!(!system.contains("{{sender.") && !system.contains("{{compliance."));
    for told in [
        "AUDIENCE: Heads of operations",
        "OBJECTIVE: Start a conversation",
        "NEXT STEP: Ask whether",
        "- Value: One bill per flat from day one.",
        "- Proof: 18,000 flats billed monthly",
        "Write the template.",
    ] {
        assert!(user.contains(told), "{told}\n{user}");
    }
    let mut summarized = input();
    summarized["offer"] = Value::Null;
    summarized["input"]["offer_summary"] = json!("Meters before handover.\nOne bill.");
    summarized["input"]["options"]["max_links"] = json!(0);
    let (system, user) = prompt(&run(summarized, answered(good(), None, "stop")));
    assert!(
        user.contains("\n- Meters before handover. One bill.\n"),
        "{user}"
    );
    assert!(system.contains("No links.") && !system.contains("next_step.url}})"));
}

#[test]
fn a_later_round_shows_the_draft_and_exactly_what_failed() {
    let mut second = input();
    second["attempt"] = json!(2);
    second["previous"] = draft(good());
    second["faults"] = json!([
        {"pointer": "/blocks/2/text", "rule": "unapproved_number", "message": "The number does not stand in the offer."},
        {"pointer": "", "rule": "quality_threshold", "message": "72 of 80 points."},
    ]);
    let run = run(second, answered(good(), None, "stop"));
    let (_, user) = prompt(&run);
    for told in [
        "Your draft of round 1:\n{\"subject\":\"Metering at {{company.name}}\"",
        "- /blocks/2/text [unapproved_number]: The number does not stand in the offer.\n",
        "- the whole draft [quality_threshold]: 72 of 80 points.\n",
        "Mend what is named",
    ] {
        assert!(user.contains(told), "{told}\n{user}");
    }
    assert!(!user.contains("opt_out"), "fixed blocks aren't the model's");
    assert_eq!(
        run.reports,
        [(
            10,
            Some("Asking the model to mend 2 faults of draft 1".to_owned())
        )]
    );
}

#[test]
fn the_messages_stay_within_the_context() {
    let mut large = input();
    let text = "Many words of an offer that goes on and on. ".repeat(13);
    let facts: Vec<Value> = (0..200)
        .map(|index| json!({"key": format!("f{index}"), "text": text}))
        .collect();
    large["offer"]["facts"] = json!(facts);
    let run = run_with(
        large,
        json!({"model_context_chars": 12_000, "temperature": 0.2}),
        |_| Ok(answered(good(), None, "stop")),
    );
    let (system, user) = prompt(&run);
    let length = system.chars().count() + user.chars().count();
    assert!(length <= 12_000, "{length}");
    assert!(user.contains("One bill per flat") && user.contains("Many words"));
    assert!(
        user.ends_with("Write the template."),
        "the task is never cut"
    );
    assert_eq!(run.calls[0].input["temperature"], 0.2);
}

#[test]
fn a_draft_without_end_does_not_push_the_offer_out() {
    let mut second = input();
    let mut endless = draft(good());
    endless["blocks"][0]["text"] = json!("word ".repeat(20_000));
    second["previous"] = endless;
    second["attempt"] = json!(2);
    let faults: Vec<Value> = (0..300)
        .map(|index| json!({"pointer": format!("/blocks/{index}/text"), "rule": "too_many_words", "message": "m".repeat(900)}))
        .collect();
    second["faults"] = json!(faults);
    let run = run_with(second, json!({"model_context_chars": 12_000}), |_| {
        Ok(answered(good(), None, "stop"))
    });
    let (system, user) = prompt(&run);
    assert!(system.chars().count() + user.chars().count() <= 12_000);
    assert!(
        user.contains("One bill per flat")
            && user.contains("/blocks/0/text")
            && user.contains(" more\n")
    );
}
