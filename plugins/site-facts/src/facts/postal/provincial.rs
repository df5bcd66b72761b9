//! Canadian and Australian postal addresses: the code of a province stands between the town and the postal code, in
//! Canada also after a comma: `Delta BC, V4G 1E2`, `Richmond VIC 3121`.

use gtm_lexicon::countries::{Country, form};
use gtm_site_research::words;

use super::Place;
use super::english::behind_street;

/// Form of the postal codes of Australia.
const AUSTRALIAN: &str = "9999";
/// Most words of a town's name.
const LONGEST_TOWN: usize = 3;

/// The town of such an address.
pub fn provincial(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    let bare = |word: &'_ str| -> String {
        word.trim_matches(|c: char| !c.is_ascii_alphanumeric())
            .to_owned()
    };
    for (at, (start, _, word)) in tokens.iter().enumerate() {
        let code = bare(word);
        let next = tokens.get(at + 1).map(|(.., next)| bare(next));
        let whole = next.map(|next| format!("{code} {next}"));
        let country = ["CA", "AU"].into_iter().find(|country| match *country {
            "CA" => {
                let forms = Country::of_code(country).map(|country| country.postal);
                let whole = whole.as_deref().map(form);
                whole
                    .zip(forms)
                    .is_some_and(|(whole, forms)| forms.contains(&&*whole))
            }
            _ => form(&code) == AUSTRALIAN,
        });
        let Some((country, known)) = country.and_then(|code| Some((code, Country::of_code(code)?)))
        else {
            continue;
        };
        let before = text.get(..*start)?.trim_end_matches([',', ' ', '\u{a0}']);
        let province = before.rsplit([' ', ',', '(', '\u{a0}']).next()?;
        let region = province.trim_end_matches([')', '.']);
        if !known.has_region(region) {
            continue;
        }
        let head = before.get(..before.len() - province.len())?;
        // What nothing stands before but a town may be a model and its number.
        if country == "AU" && !head.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let head = head.trim_end_matches([',', ' ', '(', '\u{a0}', '-', '–']);
        let town = behind_street(head.rsplit(',').next()?.trim());
        let fits = town.starts_with(char::is_uppercase)
            && !town.contains(|c: char| c.is_ascii_digit())
            && (1..=LONGEST_TOWN).contains(&town.split_whitespace().count());
        if fits {
            return Some(Place {
                locality: town.to_owned(),
                region: Some(region.to_owned()),
                code: None,
                country: Some(country),
                divided: None,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provinces_stand_between_town_and_code() {
        for (text, town, country) in [
            (
                "12 Mill St, Unit 18 Delta BC, V4G 1E2, Canada",
                "Delta",
                "CA",
            ),
            ("12, rue du Moulin, Montréal (QC) H2X 1Y4", "Montréal", "CA"),
            (
                "12 Mill Street, Thunder Bay, ON P7B 5E1",
                "Thunder Bay",
                "CA",
            ),
            (
                "4 Mill Lane, Richmond VIC 3121, Australia",
                "Richmond",
                "AU",
            ),
            ("4 Mill Lane Richmond NSW 2753", "Richmond", "AU"),
        ] {
            let read = provincial(text).map(|place| (place.locality, place.country));
            assert_eq!(read, Some((town.to_owned(), Some(country))), "{text}");
        }
        for text in [
            "Model SA 2000",
            "London W1A 1AA",
            "Seattle, WA 98101",
            "Call NT 0800",
        ] {
            assert_eq!(provincial(text), None, "{text}");
        }
    }
}
