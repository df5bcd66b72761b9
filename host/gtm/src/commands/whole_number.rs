//! Whole numbers on the command line: anything else is answered with the range and an example.

use std::ops::RangeInclusive;

/// A parser of whole numbers in a range.
pub fn whole_number(
    range: RangeInclusive<u32>,
    example: u32,
) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!(
                "expected a whole number from {} to {}, such as {example}",
                range.start(),
                range.end()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_numbers_of_the_range_pass(text in "[-+]?[0-9.eE]{0,12}|\\PC{0,8}", low in 0u32..50, high in 50u32..100) {
            let wanted = text.parse::<u32>().ok().filter(|n| (low..=high).contains(n));
            let read = whole_number(low..=high, 50)(&text);
            prop_assert_eq!(read.clone().ok(), wanted);
            if let Err(message) = read {
                let wanted = format!("from {low} to {high}, such as 50");
                prop_assert!(message.contains(&wanted), "{message}");
            }
        }
    }
}
