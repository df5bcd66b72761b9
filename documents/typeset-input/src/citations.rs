//! Numbers of sources, in the order in which the text cites them.

use serde_json::{Map, Value, json};

/// More notes than these would fill the feet of the pages; they stand behind the text instead.
const MOST_NOTES: usize = 150;

/// Turns each list of cited ids into `{"source", "number", "first"}` and says where the notes stand. What is only in
/// the speaker's notes is not numbered: those are not in the file.
pub fn number(document: &mut Value) {
    let ids: Vec<String> = (document["sources"].as_array().into_iter().flatten())
        .filter_map(|source| source["id"].as_str().map(str::to_owned))
        .collect();
    let mut order: Vec<usize> = Vec::new();
    for section in document["sections"].as_array_mut().into_iter().flatten() {
        let mut of_section = Vec::new();
        if let Some(blocks) = section.get_mut("blocks") {
            visit(blocks, &ids, &mut order, &mut of_section);
        }
        if let Some(members) = section.as_object_mut() {
            members.remove("notes");
            members.insert("cited".to_owned(), json!(of_section));
        }
    }
    if let Some(members) = document.as_object_mut() {
        members.insert("cited".to_owned(), json!(order));
        members.insert("endnotes".to_owned(), json!(order.len() > MOST_NOTES));
    }
}

fn visit(value: &mut Value, ids: &[String], order: &mut Vec<usize>, of_section: &mut Vec<usize>) {
    match value {
        Value::Array(elements) => {
            for element in elements {
                visit(element, ids, order, of_section);
            }
        }
        Value::Object(members) => members_of(members, ids, order, of_section),
        _ => {}
    }
}

fn members_of(
    members: &mut Map<String, Value>,
    ids: &[String],
    order: &mut Vec<usize>,
    of_section: &mut Vec<usize>,
) {
    for (name, member) in members {
        if name != "cite" {
            visit(member, ids, order, of_section);
            continue;
        }
        let cited = (member.as_array().into_iter().flatten()).filter_map(|id| {
            let source = ids.iter().position(|known| id == known)?;
            let known = order.iter().position(|earlier| *earlier == source);
            let number = known.unwrap_or_else(|| {
                order.push(source);
                order.len() - 1
            });
            if !of_section.contains(&number) {
                of_section.push(number);
            }
            Some(json!({"source": source, "number": number + 1, "first": known.is_none()}))
        });
        *member = cited.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_numbered_as_the_text_cites_them() {
        let mut document = json!({
            "sources": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
            "sections": [
                {"notes": [{"text": "said", "cite": ["a"]}], "blocks": [{"runs": [{"cite": ["c"]}, {"cite": ["b", "c"]}]}]},
                {"blocks": [{"items": [{"cite": ["b"]}]}]},
            ],
        });
        number(&mut document);
        assert_eq!(document["cited"], json!([2, 1]));
        assert_eq!(document["sections"][1]["cited"], json!([1]));
        let runs = &document["sections"][0]["blocks"][0]["runs"];
        assert_eq!(
            runs[0]["cite"],
            json!([{"source": 2, "number": 1, "first": true}])
        );
        assert_eq!(runs[1]["cite"][1]["first"], false);
        assert_eq!(document["sections"][0].get("notes"), None);
    }
}
