//! Short source texts, with the switches that they get.
#![allow(clippy::unwrap_used)]

use super::*;

fn logic(body: &str) -> (String, Vec<String>) {
    let text = format!("fn f() -> bool {{ {body} }}");
    let done = switched(&text, &[], Rules::Logic, 1, &[]).unwrap();
    syn::parse_file(&done.text).unwrap();
    let line = done.text.lines().next().unwrap().to_owned();
    let rules = done.places.into_iter().map(|place| place.rule).collect();
    (line, rules)
}

#[test]
fn a_rule_is_negated_while_its_mutant_is_on() {
    for (body, wanted, rules) in [
        ("a == b", "((a == b) ^ mutant(1))", vec!["=="]),
        ("!a", "((!a) ^ mutant(1))", vec!["!"]),
        ("!(a < b)", "!(((a < b) ^ mutant(1)))", vec!["<"]),
        (
            "a || !matches!(b, C)",
            "((((a) ^ mutant(1)) || ((!((matches!(b, C)) ^ mutant(2))) ^ mutant(1))) ^ mutant(1))",
            vec!["||", "matches!"],
        ),
        (
            "x.y().any(|z| z > 1)",
            "((x.y().any(|z| ((((z > 1) ^ mutant(2))) ^ mutant(1)))) ^ mutant(1))",
            vec!["any", ">"],
        ),
        ("x.any(char::is_numeric)", "x.any(char::is_numeric)", vec![]),
    ] {
        let (text, found) = logic(body);
        assert_eq!(text, format!("fn f() -> bool {{ {wanted} }}"));
        assert_eq!(found, rules, "{body}");
    }
}

#[test]
fn what_binds_a_name_stays_and_what_a_pattern_says_too() {
    let (text, rules) = logic("if let Some(true) = a && b == c { false } else { matches!(d, 1) }");
    assert_eq!(rules, ["==", "false", "matches!"]);
    assert!(
        text.contains("if let Some(true) = a && ((b == c) ^ mutant(1))"),
        "{text}"
    );
}

#[test]
fn only_the_functions_named_and_no_tests_are_changed() {
    let text = "fn a() -> bool { 1 == 2 }\nimpl X { fn b() -> bool { 1 == 2 } }\n\
                #[cfg(test)]\nmod tests { fn b() -> bool { 1 == 2 } }\nconst fn c() -> bool { 1 == 2 }";
    let lines = |functions: &[&str]| -> Vec<usize> {
        let done = switched(text, functions, Rules::Logic, 7, &[]).unwrap();
        done.places.iter().map(|place| place.line).collect()
    };
    assert_eq!(lines(&["b"]), [2]);
    assert_eq!(lines(&[]), [1, 2]);
    assert_eq!(lines(&["c"]), [0; 0]);
    let one = switched(text, &[], Rules::Logic, 7, &[7]).unwrap();
    assert_eq!(one.places.len(), 1);
    assert_eq!(one.places[0].number, 8);
}

#[test]
fn a_scope_decides_nothing_while_its_mutant_is_on() {
    let text = "fn f() { query(\"SELECT 1 FROM a WHERE a.project_id = $12 \\\n    AND my_project_id = $1\"); \
                query(format!(\"{X} organization_id = $1{Y}\")) }\nconst C: &str = \"project_id = $1\";";
    let done = switched(text, &[], Rules::Scopes, 1, &[]).unwrap();
    syn::parse_file(&done.text).unwrap();
    let rules: Vec<_> = done
        .places
        .iter()
        .map(|place| place.rule.as_str())
        .collect();
    assert_eq!(rules, ["a.project_id = $12", "organization_id = $1"]);
    assert_eq!(done.left_out, [3]);
    for wanted in [
        "(match mutant_chosen() { 1 => \"SELECT 1 FROM a WHERE (a.project_id = $12 OR $12 IS NOT NULL) AND my_project_id = $1\", _ => \"SELECT 1",
        "2 => format!(\"{X} (organization_id = $1 OR $1 IS NOT NULL){Y}\"), _ => format!(\"{X} organization_id = $1{Y}\")})",
    ] {
        assert!(done.text.contains(wanted), "{}", done.text);
    }
    // The number of lines stays the same, so that the lines of compiler errors still match.
    let lines = |text: &str| text.matches('\n').count();
    assert_eq!(
        lines(&done.text[..done.text.find("fn mutant_chosen").unwrap()]),
        lines(text) + 1
    );
}

#[test]
fn a_text_that_goes_on_elsewhere_is_a_scope_too() {
    let text =
        "fn f(x: X) -> &'static str { match x { X::A => \"project_id =\", X::B => \"id =\" } }";
    let done = switched(text, &[], Rules::Scopes, 1, &[]).unwrap();
    assert!(
        done.text
            .contains("1 => \"TRUE OR project_id =\", _ => \"project_id =\"")
    );
}
