//! Whatever an operation about messages answers, the description leaves no other value than zero for what was enqueued or
//! sent (specification, Message Templates: "every response reports zero messages enqueued and zero sent").

use super::*;

/// The members that are always zero.
const SENT: [&str; 2] = ["messages_enqueued", "messages_sent"];
/// The operations of the specification.
const OPERATIONS: usize = 6;

fn is_zero(document: &Document, object: &Value) -> bool {
    SENT.iter().all(|name| {
        let member = document.resolved(&object["properties"][name]);
        let is_required = object["required"]
            .as_array()
            .is_some_and(|required| required.contains(&json!(name)));
        is_required && member["const"] == 0
    })
}

#[test]
fn every_answer_about_messages_says_that_nothing_was_sent() {
    let document = Document::published();
    let operations = document.operations().into_iter();
    let of_messages: Vec<_> = operations
        .filter(|operation| operation.path.starts_with("/v1/message-template-revisions"))
        .collect();
    assert_eq!(of_messages.len(), OPERATIONS);
    for operation in &of_messages {
        let mut answers = 0;
        for (at, status, response) in document.responses(operation) {
            if status >= 300 {
                continue;
            }
            let schema = &response["content"]["application/json"]["schema"];
            let object = document.resolved(schema);
            assert!(is_zero(&document, object), "{at}: {object}");
            answers += 1;
        }
        assert!(answers > 0, "{}", operation.at);
    }
}

/// What stands within: the revisions of a list, the results of a job.
#[test]
fn every_object_with_these_members_has_no_other_value() {
    let document = Document::published();
    let schemas = document.0["components"]["schemas"].as_object().unwrap();
    let with: Vec<_> = schemas
        .iter()
        .filter(|(_, schema)| {
            SENT.iter()
                .any(|name| schema["properties"].get(name).is_some())
        })
        .collect();
    for (name, schema) in &with {
        assert!(is_zero(&document, schema), "{name}");
    }
    // Two kinds of jobs with their results, a revision, one in a list, the list, what was rendered.
    assert!(with.len() >= 8, "{}", with.len());
}
