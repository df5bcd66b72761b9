#![allow(clippy::indexing_slicing)]
use super::*;

/// Selectors, scheme and declarations: one line per rule.
fn rules(css: &str) -> Vec<String> {
    read(css)
        .rules
        .into_iter()
        .map(|rule| {
            let selectors: Vec<_> = rule.selectors.into_iter().map(|s| s.text).collect();
            let declarations: Vec<_> = rule
                .declarations
                .into_iter()
                .map(|declared| format!("{}={}", declared.name, declared.value))
                .collect();
            let dark = if rule.dark { " dark" } else { "" };
            format!("{}{dark}: {}", selectors.join(","), declarations.join(" "))
        })
        .collect()
}

#[test]
fn rules_and_declarations_are_told_apart() {
    assert_eq!(
        rules(
            "@charset 'utf-8';@import url(x.css);/* a: b */ A , b:hover{COLOR : rgb(1,2,3) !important;--X:{a:b};\
             background:url(a;b.png)}c{}"
        ),
        [
            "A,b:hover: color=rgb(1,2,3) --X={a:b} background=url(a;b.png)",
            "c: "
        ]
    );
}

#[test]
fn conditions_decide() {
    let css = "@media (min-width:1px){a{color:red}}@media print{b{color:red}}@keyframes k{from{color:red}}\
        @media (prefers-color-scheme:dark){c{color:red}}@layer base{@supports (x:y){d{color:red}}}.dark e{color:red}f{x:y}";
    assert_eq!(
        rules(css),
        [
            "a: color=red",
            "c dark: color=red",
            "d: color=red",
            ".dark e dark: color=red",
            "f: x=y"
        ]
    );
}

#[test]
fn what_holds_at_times_and_in_which_layer_is_kept() {
    let css = "@layer a,b;@layer b{@media (min-width:1px){p{x:y}}}@layer a{@layer c{p{x:y}}}@layer{p{x:y}}\
        @media only screen{@supports (x:y){p{x:y !IMPORTANT}}}@supports not (x:y){p{x:y}}@container (width>1px){p{x:y}}";
    let style = read(css);
    assert_eq!(style.layers, ["a", "b", "a.c", "unnamed-3"]);
    let rules: Vec<_> = style
        .rules
        .iter()
        .map(|rule| {
            (
                rule.layer,
                rule.conditions.join(" "),
                rule.declarations[0].important,
            )
        })
        .collect();
    let at = |condition: &str| condition.to_owned();
    assert_eq!(
        rules,
        [
            (Some(1), at("@media (min-width:1px)"), false),
            (Some(2), at(""), false),
            (Some(3), at(""), false),
            (None, at(""), true),
            (None, at("@supports not (x:y)"), false),
            (None, at("@container (width>1px)"), false),
        ]
    );
}

#[test]
fn nested_rules_know_what_they_stand_in() {
    assert_eq!(
        rules(".a{color:red;&:hover{color:blue}.b{x:y}@media screen{z:1}}"),
        [
            ".a: color=red",
            ".a:hover: color=blue",
            ".a .b: x=y",
            ".a: z=1"
        ]
    );
}

#[test]
fn a_licence_comment_belongs_to_the_rules_behind_it() {
    let css = "/* normalize | MIT License */@font-face{font-family:A}/* Inter, SIL Open Font License 1.1 */\
        /* latin */@font-face{font-family:B}@font-face{font-family:C}p{}@font-face{font-family:D}\
        /* SIL Open Font License */@font-face{font-family:E}/* F, (c) 2022 Foundry, all rights reserved */@font-face{font-family:F}";
    let licenses: Vec<_> = read(css)
        .faces
        .into_iter()
        .map(|face| face.license)
        .collect();
    let ofl = Some("OFL-1.1".to_owned());
    assert_eq!(licenses, [None, ofl.clone(), ofl.clone(), None, ofl, None]);
}

#[test]
fn any_depth_ends() {
    assert!(read(&"a{".repeat(100_000)).rules.len() < 200);
    read(&format!("a{{color:{}", "f(".repeat(100_000)));
    read(&"@media x{".repeat(50_000));
}
