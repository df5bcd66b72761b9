//! Addresses of Japan: postal code, prefecture, town, without blanks between them.

use super::Place;

/// Most characters of a town's name.
const LONGEST_TOWN: usize = 8;

/// The place of an address such as `〒198-0024 東京都青梅市新町1-11-16`.
pub fn japanese(text: &str) -> Option<Place> {
    let text = gtm_site_research::words::with_ascii_digits(text);
    let chars: Vec<char> = text.chars().collect();
    let coded = (0..chars.len()).find_map(|at| behind_code(&chars, at));
    let begin = coded.or_else(|| of_whole_line(&chars))?;
    let rest: Vec<char> = chars
        .iter()
        .skip(begin)
        .skip_while(|c| c.is_whitespace())
        .copied()
        .collect();
    // The prefecture's name has two or three letters and says what it is.
    let prefecture = (2..=3).find(|at| matches!(rest.get(*at), Some('都' | '道' | '府' | '県')));
    let behind = prefecture.map_or(0, |at| at + 1);
    let region: String = rest.iter().take(behind).collect();
    let town: Vec<char> = rest
        .iter()
        .skip(behind)
        .skip_while(|c| c.is_whitespace())
        .take(LONGEST_TOWN)
        .copied()
        .collect();
    // A city's name may contain the letters of smaller places: 青梅市.
    let end = ['市', '区', '町', '村'].into_iter().find_map(|kind| {
        let at = (1..town.len()).find(|at| town.get(*at) == Some(&kind))?;
        // Towns named after the day of a market end with the letter twice; elsewhere it begins a quarter's name: 市川市市川.
        let of_market = matches!(town.get(at.checked_sub(1)?), Some('日' | '々'));
        let twice = kind == '市' && of_market && town.get(at + 1) == Some(&kind);
        Some(at + 1 + usize::from(twice))
    })?;
    Some(Place {
        locality: town.iter().take(end).collect(),
        region: (!region.is_empty()).then_some(region),
        code: None,
        divided: None,
        country: Some("JP"),
    })
}

/// Most characters of a line that is an address, and of a quarter's name before the number of its block.
const LONGEST_LINE: usize = 40;
const LONGEST_QUARTER: usize = 14;

/// Where the prefecture begins in a line without a postal code that is an address and no sentence: a number of a block follows the
/// town, and no small words stand before it.
fn of_whole_line(chars: &[char]) -> Option<usize> {
    if chars.len() > LONGEST_LINE || chars.contains(&'。') {
        return None;
    }
    let is_han = |c: &char| ('\u{4e00}'..='\u{9fff}').contains(c);
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        before
            .is_none_or(|c| c.is_whitespace() || matches!(c, '］' | ']' | '：' | ':' | '】' | '）'))
    };
    (0..chars.len()).filter(|at| begins(*at)).find(|at| {
        let rest = chars.get(*at..).unwrap_or_default();
        let Some(end) = (2..=3).find(|at| matches!(rest.get(*at), Some('都' | '道' | '府' | '県')))
        else {
            return false;
        };
        let behind = rest.get(end + 1..).unwrap_or_default();
        let Some(town) = behind
            .iter()
            .take(LONGEST_TOWN)
            .position(|c| matches!(c, '市' | '区' | '町' | '村'))
        else {
            return false;
        };
        let quarter = behind.iter().skip(town + 1).take(LONGEST_QUARTER);
        let mut named = quarter.skip_while(|c| {
            is_han(c) || c.is_whitespace() || ('\u{30a0}'..='\u{30ff}').contains(*c)
        });
        rest.iter().take(end).all(is_han) && named.next().is_some_and(char::is_ascii_digit)
    })
}

/// The offset behind a postal code that begins here: three digits, a dash, four digits, then a letter of the script.
fn behind_code(chars: &[char], at: usize) -> Option<usize> {
    let digits = |from: usize, count: usize| {
        (from..from + count).all(|at| chars.get(at).is_some_and(char::is_ascii_digit))
    };
    let edge = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_none_or(|c| !c.is_ascii_alphanumeric() && *c != '-')
    };
    let dash = matches!(chars.get(at + 3), Some('-' | '－' | 'ー' | '‐' | '−' | '–'));
    let whole =
        dash && digits(at, 3) && digits(at + 4, 4) && edge(at.checked_sub(1)) && edge(Some(at + 8));
    let next = chars.iter().skip(at + 8).find(|c| !c.is_whitespace())?;
    (whole && ('\u{4e00}'..='\u{9fff}').contains(next)).then_some(at + 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towns_follow_their_prefecture() {
        for (text, region, town) in [
            (
                "〒198-0024 東京都青梅市新町1-11-16",
                Some("東京都"),
                "青梅市",
            ),
            (
                "［本社］〒141-0022 東京都品川区東五反田9-28-13",
                Some("東京都"),
                "品川区",
            ),
            (
                "〒０６１－１４３５　北海道恵庭市中島町4-20-10",
                Some("北海道"),
                "恵庭市",
            ),
            ("〒510-0001 三重県四日市市八田1", Some("三重県"), "四日市市"),
            ("〒272-0034 千葉県市川市市川9-9-9", Some("千葉県"), "市川市"),
            ("〒921-0001 石川県野々市市本町9", Some("石川県"), "野々市市"),
            (
                "231-0001 神奈川県横浜市中区新港1",
                Some("神奈川県"),
                "横浜市",
            ),
            ("本社 東京都青梅市新町 9-15-8", Some("東京都"), "青梅市"),
            ("北海道恵庭市中島町4-20-10", Some("北海道"), "恵庭市"),
            ("【工場】三重県津市大門2丁目9番", Some("三重県"), "津市"),
        ] {
            let place = japanese(text);
            assert_eq!(
                place.as_ref().and_then(|place| place.region.as_deref()),
                region,
                "{text}"
            );
            assert_eq!(
                place.map(|place| place.locality).as_deref(),
                Some(town),
                "{text}"
            );
        }
        for text in [
            "TEL. 012-345-6789",
            "2007-1234 Acme",
            "大阪府堺市で2007年に創業",
            "全国の都道府県と市町村へ 120件の納入実績",
            "三重県津市の皆様へ",
        ] {
            assert!(japanese(text).is_none(), "{text}");
        }
    }
}
