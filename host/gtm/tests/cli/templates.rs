//! `gtm template …`.

use serde_json::{Value, json};

use crate::process::{Gtm, text};

const DOCX: &[u8] =
    include_bytes!("../../../../plugins/render-docx/tests/templates/python-docx-default.docx");
const PPTX: &[u8] =
    include_bytes!("../../../../plugins/render-pptx/tests/templates/python-pptx-default.pptx");

fn file(gtm: &Gtm, name: &str, content: &[u8]) -> String {
    let path = gtm.data().join(name);
    std::fs::create_dir_all(gtm.data()).unwrap();
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_template_is_managed() {
    let gtm = Gtm::new();
    let org = text(&gtm.json(&["org", "create", "Acme"]), "id");
    let project = text(
        &gtm.json(&["project", "create", "--org", &org, "Sales"]),
        "id",
    );
    let letter = file(&gtm, "letter.docx", DOCX);
    let made = gtm.json(&["template", "add", "--org", &org, &letter]);
    assert_eq!(
        (
            &made["name"],
            &made["format"],
            &made["project"],
            &made["size_bytes"]
        ),
        (
            &json!("letter"),
            &json!("docx"),
            &Value::Null,
            &json!(DOCX.len())
        )
    );
    let deck = file(&gtm, "deck.PPTX", PPTX);
    let own = gtm.json(&[
        "template",
        "add",
        "--project",
        &project,
        &deck,
        "--name",
        "House deck",
    ]);
    assert_eq!(
        (&own["organization"], &own["project"]),
        (&json!(org), &json!(project))
    );
    let ids = |list: &Value| -> Vec<String> {
        let rows = list["templates"].as_array().unwrap().iter();
        rows.map(|row| text(row, "id")).collect()
    };
    let (made, own) = (text(&made, "id"), text(&own, "id"));
    let listed = gtm.json(&["template", "list", "--org", &org]);
    assert_eq!(ids(&listed), [own.clone(), made.clone()]);
    let removed = gtm.json(&["template", "remove", &own]);
    assert!(removed["removed_at"].is_string());
    assert_eq!(
        ids(&gtm.json(&["template", "list", "--removed"])),
        [own.as_str()]
    );
    let shown = String::from_utf8(gtm.run(&["template", "show", &own]).stdout).unwrap();
    assert!(shown.contains("House deck"), "{shown}");
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
    let absent = "tmpl_01jz8r0a1b2c3d4e5f6g7h8j9k";
    for command in ["show", "remove"] {
        gtm.fails(1, &["template", command, absent]);
    }
}

#[test]
fn what_is_no_template_is_refused_with_its_reason() {
    let gtm = Gtm::new();
    let org = text(&gtm.json(&["org", "create", "Acme"]), "id");
    let add = |name: &str, content: &[u8]| {
        let path = file(&gtm, name, content);
        gtm.fails(1, &["template", "add", "--org", &org, &path])
    };
    assert!(add("a.pdf", b"%PDF").contains("end with .pptx or .docx"));
    assert!(add("a.pptx", b"%PDF").contains("not an intact ZIP archive"));
    assert!(add("a.pptx", DOCX).contains("it is no PPTX file"));
    assert!(add("a.docx", PPTX).contains("it is no DOCX file"));
    assert!(add("a.docx", &DOCX[..DOCX.len() / 2]).contains("is no template"));
    let rows = gtm.json(&["template", "list"]);
    assert_eq!(rows["templates"], json!([]));
}
