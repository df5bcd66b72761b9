//! The typefaces that a page asks a library of fonts for. The sheet that such an address leads to has nothing but their
//! `@font-face` rules, and the address names what is in them.

use url::Url;

/// The hosts of such libraries.
const LIBRARIES: [&str; 2] = ["fonts.googleapis.com", "fonts.bunny.net"];
/// Most families of one address, and most weights of one family.
const MOST: usize = 12;
const MOST_WEIGHTS: usize = 20;

/// The `@font-face` rules behind an address, without files: `family=Inter:wght@400;700`, `family=Lato:400,700italic|Lora`.
pub(super) fn faces(address: &Url) -> String {
    if !address
        .host_str()
        .is_some_and(|host| LIBRARIES.contains(&host))
    {
        return String::new();
    }
    let lists = address
        .query_pairs()
        .filter(|(name, _)| name == "family")
        .map(|(_, list)| list.into_owned());
    let mut css = String::new();
    for list in lists.take(MOST) {
        for family in list.split('|').take(MOST) {
            let (name, styles) = family.split_once(':').unwrap_or((family, ""));
            let name = name.trim();
            let fits = (1..=60).contains(&name.len())
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
            if !fits {
                continue;
            }
            let weights = weights(styles);
            let declared = match weights.as_slice() {
                [] => "400".to_owned(),
                weights => weights.join(" "),
            };
            css.push_str(&format!(
                "@font-face{{font-family:'{name}';font-weight:{declared}}}"
            ));
        }
    }
    css
}

/// The weights in a list of styles: `ital,wght@0,400;1,700`, `wght@100..900`, `400,700italic`.
fn weights(styles: &str) -> Vec<String> {
    let (axes, values) = styles.split_once('@').unwrap_or(("", styles));
    // Which of the numbers of a tuple is the weight.
    let at = axes.split(',').position(|axis| axis == "wght");
    let tuples = values.split(if axes.is_empty() { ',' } else { ';' });
    let mut found: Vec<String> = Vec::new();
    for tuple in tuples {
        let value = match (axes, at) {
            ("", _) => tuple,
            (_, Some(at)) => tuple.split(',').nth(at).unwrap_or_default(),
            (_, None) => continue,
        };
        for bound in value.split("..") {
            let digits = bound.trim_end_matches(|c: char| !c.is_ascii_digit());
            let is_weight = digits
                .parse::<u16>()
                .is_ok_and(|weight| (1..=1000).contains(&weight));
            if is_weight && found.len() < MOST_WEIGHTS && !found.iter().any(|known| known == digits)
            {
                found.push(digits.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_address_names_families_and_weights() {
        for (address, expected) in [
            (
                "https://fonts.googleapis.com/css2?family=Inter:wght@400;700&family=Playfair+Display:ital,wght@0,400;1,600&display=swap",
                "@font-face{font-family:'Inter';font-weight:400 700}@font-face{font-family:'Playfair Display';font-weight:400 600}",
            ),
            (
                "https://fonts.googleapis.com/css?family=Open+Sans:300,700italic|Lora",
                "@font-face{font-family:'Open Sans';font-weight:300 700}@font-face{font-family:'Lora';font-weight:400}",
            ),
            (
                "https://fonts.bunny.net/css?family=work-sans:100..900",
                "@font-face{font-family:'work-sans';font-weight:100 900}",
            ),
            (
                "https://fonts.googleapis.com/css2?family=Roboto+Flex:opsz@8..144",
                "@font-face{font-family:'Roboto Flex';font-weight:400}",
            ),
            (
                "https://fonts.googleapis.com/icon?family=Material}Icons",
                "",
            ),
            ("https://acme.example/css2?family=Inter", ""),
        ] {
            assert_eq!(faces(&Url::parse(address).unwrap()), expected, "{address}");
        }
    }
}
