//! The table of a company's particulars, told by the form of its values in any language: a registered name, a postal
//! address, a date, a number of people, an amount of money stand under each other.

use gtm_site_research::staff;

use super::labels::Labelled;
use super::postal::place_in;
use super::{founding, legal_names};

/// Fewest different forms of values that make rows such a table.
const LEAST_FORMS: usize = 3;
/// Most rows between two values of one table.
const NEAR: usize = 12;

/// What the form of a value shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Nothing but a registered name.
    Name,
    /// A postal address.
    Address,
    /// A date or a year alone.
    Date,
    /// A number of people.
    People,
    /// An amount of money.
    Money,
    /// A telephone number.
    Telephone,
}

/// The rows of such tables, each with the form of its value, in page order.
pub fn rows<'p, 'a>(pairs: &'p [Labelled<'a>]) -> Vec<(Form, &'p Labelled<'a>)> {
    let formed: Vec<(usize, Form, &Labelled<'a>)> = pairs
        .iter()
        .enumerate()
        .filter(|(_, pair)| pair.main)
        .filter_map(|(at, pair)| Some((at, form_of(pair.value)?, pair)))
        .collect();
    let mut found = Vec::new();
    let near = |one: &(usize, Form, &Labelled<'a>), next: &(usize, Form, &Labelled<'a>)| {
        one.2.page == next.2.page && next.0 - one.0 <= NEAR
    };
    for table in formed.chunk_by(near) {
        let mut forms: Vec<Form> = table.iter().map(|(_, form, _)| *form).collect();
        forms.sort_unstable();
        forms.dedup();
        let is_company = forms.contains(&Form::Name) || forms.contains(&Form::Address);
        if is_company && forms.len() >= LEAST_FORMS {
            found.extend(table.iter().map(|(_, form, pair)| (*form, *pair)));
        }
    }
    found
}

fn form_of(value: &str) -> Option<Form> {
    let value = value.trim();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let length = value.chars().count();
    if legal_names::find(value) == [value] {
        Some(Form::Name)
    } else if length <= 120 && place_in(value).is_some() {
        Some(Form::Address)
    } else if founding::is_date(value) {
        Some(Form::Date)
    } else if length <= 30 && staff::counted(value).is_some() {
        Some(Form::People)
    } else if digits > 0 && length <= 30 && value.contains(['€', '$', '£', '¥', '円', '₹', '元'])
    {
        Some(Form::Money)
    } else if digits >= 8 && digits * 3 >= length * 2 {
        Some(Form::Telephone)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use gtm_site_research::claim::Excerpt;

    use super::*;
    use crate::part::Part;

    fn forms(values: &[&'static str]) -> Vec<Form> {
        let pairs: Vec<Labelled<'static>> = values
            .iter()
            .map(|value| Labelled {
                label: "x".to_owned(),
                value,
                part: Part::About,
                page: 0,
                main: true,
                headed: false,
                excerpts: vec![Excerpt {
                    page: 0,
                    text: (*value).to_owned(),
                }],
            })
            .collect();
        rows(&pairs).into_iter().map(|(form, _)| form).collect()
    }

    #[test]
    fn particulars_are_told_by_the_form_of_their_values() {
        use Form::{Address, Date, Money, Name, People};
        assert_eq!(
            forms(&[
                "株式会社青波社",
                "〒141-0022 東京都品川区東五反田9-28-13",
                "1977年（昭和52年）4月",
                "1,000万円",
                "94名"
            ]),
            [Name, Address, Date, Money, People]
        );
        assert_eq!(
            forms(&["Nordvik Rail Oyj", "00100 Helsinki", "1998"]),
            [Name, Address, Date]
        );
        // Dates alone are a history.
        assert!(forms(&["2017年10月", "2018年3月", "2019"]).is_empty());
    }
}
