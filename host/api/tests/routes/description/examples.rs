//! Examples conform to their schemas, and the schemas allow future extensions.

use super::*;

/// The next job type must not break clients that read this description, and the schemas of described types
/// must stay as strict as they are.
#[test]
fn a_job_of_an_unknown_type_fits_and_a_broken_one_of_a_known_type_does_not() {
    let document = Document::published();
    let components = &document.0["components"];
    let of = |name: &str| {
        let schema =
            json!({ "$ref": format!("#/components/schemas/{name}"), "components": components });
        jsonschema::draft202012::new(&schema).unwrap()
    };
    let any = of("JobResponse");
    let known = &components["schemas"]["JobResponse"]["examples"][1];
    assert_eq!(known["type"], "playbooks");
    assert!(any.is_valid(known));
    let mut later = known.clone();
    later["type"] = json!("holograms");
    later["input"] = json!({"angle": 3});
    later["result"] = json!({"rays": [1]});
    later["stages"] = json!([{"key": "aim"}]);
    later["something_new"] = json!(true);
    assert!(any.is_valid(&later) && of("OtherJobResponse").is_valid(&later));
    let list = json!({"jobs": [known, later], "next_cursor": null, "has_more": false});
    assert!(of("JobList").is_valid(&list));
    for (pointer, value) in [
        ("/result/sales_angles", json!("one")),
        ("/result/included_sections", json!(["email_sequence"])),
        ("/input/tone", json!("loud")),
        ("/usage", json!(null)),
    ] {
        let mut broken = known.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        assert!(!any.is_valid(&broken), "{pointer}");
    }
}

/// A list will grow: its items may get further members, and their enumerations new words.
#[test]
fn what_is_listed_may_get_members_and_words_that_no_client_knows_yet() {
    let document = Document::published();
    let components = &document.0["components"];
    let fits = |name: &str, value: &Value| {
        let schema =
            json!({ "$ref": format!("#/components/schemas/{name}"), "components": components });
        jsonschema::draft202012::is_valid(&schema, value)
    };
    for (name, words) in [
        (
            "ConnectorCatalog",
            &[
                "/connectors/0/category",
                "/connectors/0/declared_integration_kinds/0",
                "/connectors/0/availability",
                "/connectors/0/verification_mode",
            ][..],
        ),
        (
            "ConnectionList",
            &[
                "/connections/0/status",
                "/connections/0/verification/mode",
                "/connections/0/verification/status",
            ],
        ),
        (
            "CapabilityList",
            &["/capabilities/0/category", "/capabilities/0/status"],
        ),
        (
            "JobReceiptList",
            &[
                "/receipts/0/plugin/kind",
                "/receipts/0/outcome",
                "/receipts/0/reconciliation",
                "/receipts/0/egress/0/decision",
            ],
        ),
    ] {
        let example = &components["schemas"][name]["examples"][0];
        assert!(fits(name, example), "{name}");
        for pointer in words {
            let mut later = example.clone();
            *later.pointer_mut(pointer).unwrap() = json!("unheard_of");
            assert!(fits(name, &later), "{name}{pointer}");
        }
        let mut later = example.clone();
        let grown = grow(&mut later);
        assert!(fits(name, &later), "{name} with {grown} more members");
        assert!(grown > 1, "{name}");
    }
    // Not everything that documents and templates will be based on is known yet.
    let mut job = components["schemas"]["JobResponse"]["examples"][1].clone();
    *job.pointer_mut("/result/sources/0/kind").unwrap() = json!("unheard_of");
    assert!(fits("JobResponse", &job));
}

/// Adds a member to every nested object. Returns the number of objects.
fn grow(value: &mut Value) -> usize {
    match value {
        Value::Object(members) => {
            let within: usize = members.values_mut().map(grow).sum();
            members.insert("unheard_of".to_owned(), json!([1]));
            within + 1
        }
        Value::Array(items) => items.iter_mut().map(grow).sum(),
        _ => 0,
    }
}

#[test]
fn every_example_fits_its_schema() {
    let document = Document::published();
    let mut seen = 0;
    let mut check = |schema: &Value, value: &Value, at: &str| {
        document.validate(schema, value, at);
        seen += 1;
    };
    for operation in document.operations() {
        let at = &operation.at;
        for parameter in operation.json["parameters"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let parameter = document.resolved(parameter);
            let name = format!("{at} {}", parameter["name"]);
            let given = examples(parameter);
            let needed = parameter["in"] != "query";
            assert!(!given.is_empty() || !needed, "{name} has no example");
            given
                .iter()
                .for_each(|value| check(&parameter["schema"], value, &name));
        }
        let request = operation.json["requestBody"]["content"].as_object();
        for (media_type, media) in request.into_iter().flatten() {
            let given = examples(media);
            assert!(
                !given.is_empty(),
                "{at} {media_type} has no example of a request"
            );
            given
                .iter()
                .for_each(|value| check(&media["schema"], value, at));
        }
        for (at, _, response) in document.responses(&operation) {
            for header in response["headers"].as_object().into_iter().flatten() {
                let resolved = document.resolved(header.1);
                examples(resolved)
                    .iter()
                    .for_each(|value| check(&resolved["schema"], value, &at));
            }
            for (_, media) in response["content"].as_object().into_iter().flatten() {
                examples(media)
                    .iter()
                    .for_each(|value| check(&media["schema"], value, &at));
            }
        }
    }
    // Schemas that are nested in other schemas.
    let mut within = vec![(
        "components".to_owned(),
        &document.0["components"]["schemas"],
    )];
    while let Some((at, value)) = within.pop() {
        if let Some(members) = value.as_object() {
            if members.get("examples").is_some_and(Value::is_array) {
                examples(value)
                    .iter()
                    .for_each(|example| check(value, example, &at));
            }
            within.extend(
                members
                    .iter()
                    .map(|(name, member)| (format!("{at}/{name}"), member)),
            );
        }
    }
    assert!(seen > 100, "{seen}");
}
