//! Numbers of figures and tables: those that have a caption, in the order of the text, as in Word.

use serde_json::{Value, json};

/// Says the number of each chart, picture and table that has a caption. What is said to be cited is said there, too, so a
/// chart that cites something has one.
pub fn number(document: &mut Value) {
    let mut counts = (0, 0);
    for section in document["sections"].as_array_mut().into_iter().flatten() {
        of_blocks(section.get_mut("blocks"), &mut counts);
    }
}

fn of_blocks(blocks: Option<&mut Value>, (figures, tables): &mut (u32, u32)) {
    for block in blocks.and_then(Value::as_array_mut).into_iter().flatten() {
        let has = |name: &str| {
            let list = block[name].as_array();
            list.is_some_and(|list| !list.is_empty())
        };
        let count = match block["type"].as_str() {
            Some("table") if has("caption") => Some(&mut *tables),
            Some("image") if has("caption") => Some(&mut *figures),
            Some("chart") if has("caption") || has("cite") => Some(&mut *figures),
            _ => None,
        };
        if let Some(count) = count {
            *count += 1;
            block["number"] = json!(*count);
        }
        let columns = block.get_mut("columns").and_then(Value::as_array_mut);
        for column in columns.into_iter().flatten() {
            let mut both = (*figures, *tables);
            of_blocks(column.get_mut("blocks"), &mut both);
            (*figures, *tables) = both;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_caption_has_a_number() {
        let run = json!([{"text": "a"}]);
        let mut document = json!({"sections": [
            {"blocks": [
                {"type": "table", "caption": run, "columns": [{"label": "a"}]},
                {"type": "table"},
                {"type": "columns", "columns": [
                    {"blocks": [{"type": "chart", "cite": [{"number": 1}]}]},
                    {"blocks": [{"type": "image", "caption": run}]},
                ]},
            ]},
            {"blocks": [{"type": "chart"}, {"type": "chart", "caption": run}, {"type": "table", "caption": run}]},
        ]});
        number(&mut document);
        let at = |pointer: &str| document.pointer(pointer).unwrap_or(&Value::Null).as_u64();
        assert_eq!(at("/sections/0/blocks/0/number"), Some(1));
        assert_eq!(at("/sections/0/blocks/1/number"), None);
        assert_eq!(
            at("/sections/0/blocks/2/columns/0/blocks/0/number"),
            Some(1)
        );
        assert_eq!(
            at("/sections/0/blocks/2/columns/1/blocks/0/number"),
            Some(2)
        );
        assert_eq!(at("/sections/1/blocks/0/number"), None);
        assert_eq!(at("/sections/1/blocks/1/number"), Some(3));
        assert_eq!(at("/sections/1/blocks/2/number"), Some(2));
    }
}
