//! The role of a page by what stands on it, for pages whose links say nothing that a list knows.
//!
//! A page that calls itself something is that. Otherwise its form tells, in any language: a table of labels and
//! values in which a company states its data, a list of prices, a list of dates.

use gtm_lexicon::numbers::is_currency;
use gtm_page_text::normalize;

use crate::dates;
use crate::page::{Block, BlockKind, Page};
use crate::roles::{self, Role};
use crate::words;

/// Longest block that can be one entry of a table or list, in characters.
const LONGEST_ENTRY: usize = 160;
/// Fewest entries that make a list.
const LEAST_ENTRIES: usize = 4;

/// The role that a page has by its heading or its form.
pub fn of_page(page: &Page) -> Option<Role> {
    let blocks = || page.blocks.iter().filter(|block| block.main);
    let heading = |level: Option<u8>| {
        blocks().find(|block| {
            block.kind == BlockKind::Heading && (level.is_none() || block.level == level)
        })
    };
    heading(Some(1))
        .or_else(|| heading(None))
        .and_then(|heading| roles::named_in(&heading.text))
        .or_else(|| of_form(&blocks().collect::<Vec<_>>()))
}

fn of_form(blocks: &[&Block]) -> Option<Role> {
    let entries: Vec<&str> = blocks
        .iter()
        .filter(|block| block.kind != BlockKind::Code)
        .map(|block| block.text.as_str())
        .filter(|text| text.chars().count() <= LONGEST_ENTRY)
        .collect();
    let count = |is: &dyn Fn(&str) -> bool| entries.iter().filter(|text| is(text)).count();
    let mut forms: Vec<Form> = entries.iter().filter_map(|text| Form::of(text)).collect();
    forms.sort_unstable();
    forms.dedup();
    let rows = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::TableRow | BlockKind::ListItem))
        .count();
    // Who states a year, a sum, and how to be found or reached, each in an entry of its own, states its data.
    if rows >= LEAST_ENTRIES && forms.len() >= 3 && forms.contains(&Form::Year) {
        return Some(Role::About);
    }
    let dated = count(&|text| dates::is_only_a_date(text) || begins_with_date(text));
    if dated >= LEAST_ENTRIES && dated * 8 >= entries.len() {
        return Some(Role::News);
    }
    let priced = count(&|text| Form::of(text) == Some(Form::Sum));
    (priced >= LEAST_ENTRIES && priced * 8 >= entries.len()).then_some(Role::Pricing)
}

/// What an entry states, told by the form of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Year,
    Sum,
    Telephone,
    Address,
    Mail,
}

impl Form {
    fn of(text: &str) -> Option<Self> {
        let text = words::with_ascii_digits(&normalize(text));
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let numbers: Vec<&str> = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|number| !number.is_empty())
            .collect();
        let is_year = |number: &&str| {
            number.len() == 4
                && number
                    .parse::<u32>()
                    .is_ok_and(|year| (1600..2100).contains(&year))
        };
        let telephone = |token: &str| {
            let count = token.chars().filter(char::is_ascii_digit).count();
            (9..=15).contains(&count)
                && token.starts_with(['0', '+', '('])
                && token.chars().all(|c| {
                    c.is_ascii_digit() || matches!(c, '+' | '-' | '(' | ')' | '/' | '.' | ' ' | '–')
                })
        };
        let from_number = text.find(['0', '+', '(']).and_then(|at| text.get(at..));
        if text.contains('@') && !text.contains(' ')
            || text
                .split(' ')
                .any(|word| word.contains('@') && word.contains('.'))
        {
            Some(Self::Mail)
        } else if text.contains('〒') {
            Some(Self::Address)
        } else if digits > 0 && text.contains(is_money) {
            Some(Self::Sum)
        } else if from_number
            .is_some_and(|rest| telephone(rest.trim_end_matches(|c: char| !c.is_ascii_digit())))
        {
            Some(Self::Telephone)
        } else if numbers.iter().any(is_year) && numbers.len() <= 3 {
            Some(Self::Year)
        } else if digits == 5 && numbers.iter().any(|number| number.len() == 5) {
            Some(Self::Address)
        } else {
            None
        }
    }
}

/// Whether it is the sign of a currency, or a letter that stands for one in China and Japan.
fn is_money(c: char) -> bool {
    is_currency(c) || matches!(c, '円' | '元')
}

/// Whether an entry begins with a date in figures: `2026.05.01 …`, `2026年5月1日 …`, `1.5.2026 …`.
fn begins_with_date(text: &str) -> bool {
    let text = words::with_ascii_digits(text);
    let opening: String = text.chars().take(11).collect();
    let numbers: Vec<&str> = opening
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .collect();
    let is_date = |year: &str, month: &str, day: &str| {
        let within = |text: &str, most: u32| {
            text.len() <= 2 && text.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n))
        };
        year.len() == 4 && year.starts_with(['1', '2']) && within(month, 12) && within(day, 31)
    };
    opening.starts_with(|c: char| c.is_ascii_digit())
        && match numbers.as_slice() {
            [first, second, third, ..] => {
                is_date(first, second, third)
                    || is_date(third, second, first)
                    || is_date(third, first, second)
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;

    fn role(blocks: &[(&str, &str)]) -> Option<Role> {
        let blocks: Vec<Value> = blocks
            .iter()
            .map(|(kind, text)| json!({"kind": kind, "level": (*kind == "heading").then_some(1), "text": text, "main": true}))
            .collect();
        of_page(
            &Page::read(json!({
                "receipt_id": "rcp_1", "url": "https://a.example/x", "final_url": "https://a.example/x", "blocks": blocks,
            }))
            .unwrap(),
        )
    }

    #[test]
    fn a_heading_names_the_role() {
        assert_eq!(
            role(&[
                ("heading", "Unsere Leistungen"),
                ("paragraph", "Wir messen.")
            ]),
            Some(Role::Products)
        );
        assert_eq!(
            role(&[("heading", "Werkstatt"), ("paragraph", "Wir messen.")]),
            None
        );
    }

    #[test]
    fn a_table_of_the_companys_data_is_about_it_in_any_language() {
        for rows in [
            [
                "会社名 株式会社サンプル",
                "設立 1985年4月",
                "資本金 1,000万円",
                "所在地 〒100-0001 東京都千代田区",
                "電話 03-1234-5678",
            ],
            [
                "Nazwa Przykład sp. z o.o.",
                "Rok założenia 1992",
                "Kapitał 50 000 €",
                "Telefon +48 22 123 45 67",
                "E-mail biuro@przyklad.example",
            ],
        ] {
            let rows: Vec<(&str, &str)> = rows.iter().map(|row| ("table_row", *row)).collect();
            assert_eq!(role(&rows), Some(Role::About), "{rows:?}");
        }
    }

    #[test]
    fn lists_of_prices_and_of_dates_are_told() {
        let prices = [
            "Spaghetti 9,50 €",
            "Pizza 11,00 €",
            "Salat 7,20 €",
            "Wein 5,00 €",
        ];
        let prices: Vec<(&str, &str)> = prices.iter().map(|row| ("list_item", *row)).collect();
        assert_eq!(role(&prices), Some(Role::Pricing));
        let news = [
            "2026.05.01 新製品を発売しました",
            "2026.04.12 展示会に出展します",
            "2026年3月2日 本社を移転しました",
            "2026.01.05 新年のご挨拶",
        ];
        let news: Vec<(&str, &str)> = news.iter().map(|row| ("list_item", *row)).collect();
        assert_eq!(role(&news), Some(Role::News));
        let plain = [
            "Wir messen.",
            "Wir rechnen ab.",
            "Wir reparieren 2026 Zähler.",
            "Wir beraten.",
        ];
        let plain: Vec<(&str, &str)> = plain.iter().map(|row| ("list_item", *row)).collect();
        assert_eq!(role(&plain), None);
    }
}
