//! Years that count from the beginning of an era, as Japan writes them: `平成17年` is 2005.

use crate::dates::ERAS;
use crate::with_ascii_digits;

/// The first such year in a text, and how the text writes it.
#[must_use]
pub fn year_of_era(text: &str) -> Option<(i64, &str)> {
    ERAS.iter().find_map(|era| {
        let (name, before_first) = era.split_once(' ')?;
        let at = text.find(name)?;
        let behind = text.get(at + name.len()..)?;
        let written = behind.get(..behind.find('年')?)?;
        let digits = with_ascii_digits(written.trim());
        // The first year of an era is written as a word.
        let number = match digits.as_str() {
            "元" => 1,
            digits => digits.parse::<u8>().ok()?,
        };
        let end = at + name.len() + written.len() + '年'.len_utf8();
        let year = before_first.parse::<i64>().ok()? + i64::from(number);
        Some((year, text.get(at..end)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_of_eras() {
        let of = |text| year_of_era(text);
        assert_eq!(of("平成１７年６月"), Some((2005, "平成１７年")));
        assert_eq!(of("設立 昭和52年4月"), Some((1977, "昭和52年")));
        assert_eq!(of("令和 2 年"), Some((2020, "令和 2 年")));
        assert_eq!(of("平成元年"), Some((1989, "平成元年")));
        assert_eq!(of("平成の時代、52年"), None);
        assert_eq!(of("17年"), None);
    }
}
