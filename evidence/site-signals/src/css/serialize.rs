//! Writes a style as short CSS again, reduced to what affects colours and type. This is what a sheet keeps so
//! that it can be read together with the page's other sheets.

use super::cascade::is_looked_at;
use super::declaration::{Part, is_closed, parts};
use super::rules::{Declaration, Rule, Style};

/// Most bytes kept of one sheet.
const MOST: usize = 256 * 1024;
/// Longest value of a custom property that is kept, in characters.
const MOST_VALUE: usize = 400;

/// The rules that affect colours or type. Reading them again gives the same rules.
pub(super) fn of(style: &Style) -> String {
    let mut css = String::new();
    if !style.layers.is_empty() {
        css.push_str(&format!("@layer {};", style.layers.join(",")));
    }
    for rule in &style.rules {
        let Some(text) = rule_text(rule, &style.layers) else {
            continue;
        };
        if css.len() + text.len() > MOST {
            break;
        }
        css.push_str(&text);
    }
    css
}

fn rule_text(rule: &Rule, layers: &[String]) -> Option<String> {
    let declarations: Vec<String> = rule
        .declarations
        .iter()
        .filter(|declared| is_kept(declared))
        .map(|declared| {
            let important = if declared.important { "!important" } else { "" };
            format!("{}:{}{important}", declared.name, declared.value)
        })
        .collect();
    let selectors: Vec<&str> = rule.selectors.iter().map(|s| s.key.as_str()).collect();
    let selectors = selectors.join(",");
    if declarations.is_empty() || !is_closed(&selectors) {
        return None;
    }
    let layer = rule.layer.and_then(|layer| layers.get(layer));
    let around: Vec<String> = layer
        .map(|layer| format!("@layer {layer}"))
        .into_iter()
        .chain(
            rule.dark
                .then(|| "@media (prefers-color-scheme:dark)".to_owned()),
        )
        .chain(rule.conditions.iter().cloned())
        .collect();
    let opening: String = around
        .iter()
        .map(|at_rule| format!("{at_rule}{{"))
        .collect();
    Some(format!(
        "{opening}{selectors}{{{}}}{}",
        declarations.join(";"),
        "}".repeat(around.len())
    ))
}

fn is_kept(declared: &Declaration) -> bool {
    let name = declared.name.as_str();
    let value = declared.value.as_str();
    if !is_looked_at(name) || !is_closed(value) {
        return false;
    }
    if !name.starts_with("--") {
        return true;
    }
    let named = ["font", "family", "color"]
        .iter()
        .any(|word| name.contains(word));
    value.len() <= MOST_VALUE && (named || value.contains("var(") || says_looks(value))
}

/// Whether a custom property's value can be a colour or a list of font families.
fn says_looks(value: &str) -> bool {
    let parts = parts(value);
    let has_color = parts.iter().any(|part| matches!(part, Part::Color(_)));
    let has_family = parts.iter().any(|part| matches!(part, Part::Quoted(_)));
    // `13, 110, 253` and `222 47% 11%` are the arguments of a colour function.
    let is_numbers = parts.len() >= 3
        && parts
            .iter()
            .all(|part| matches!(part, Part::Number(_) | Part::Size | Part::Comma));
    // `Georgia, serif` and `700`.
    let is_words = parts
        .iter()
        .all(|part| matches!(part, Part::Word(_) | Part::Comma));
    let is_weight = matches!(parts.as_slice(), [Part::Number(weight)] if *weight >= 100.0);
    has_color || has_family || is_numbers || is_words || is_weight
}

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::*;

    fn condensed(css: &str) -> String {
        of(&rules::read(css))
    }

    #[test]
    fn what_colours_or_sets_type_stays() {
        assert_eq!(
            condensed(
                "a  >  b , c{color : RED ;margin:0;--x:1px;--y:#fff;--z: Georgia , serif}d{margin:0}\
                 @media (min-width:1px){@layer t{e{border:0!important}}}"
            ),
            "@layer t;a > b,c{color:RED;--y:#fff;--z:Georgia , serif}@layer t{@media (min-width:1px){e{border:0!important}}}"
        );
    }

    #[test]
    fn what_nobody_closed_is_left_out() {
        for css in [
            "a{color:rgb(1,2",
            "a{color:red;background:url(x",
            "a{background:'",
            "a{color:red\\",
        ] {
            let again = condensed(&format!("{}b{{color:blue}}", condensed(css)));
            assert!(again.ends_with("b{color:blue}"), "{css}: {again}");
        }
        assert!(is_closed("a(b)[c]{d}'e;'") && !is_closed("a;b(") && !is_closed("/*"));
    }
}
