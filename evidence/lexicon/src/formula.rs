//! Sums: reads `46 * (29 + 1) / 2`, and says whether a number is its result.
//!
//! DANGER: who writes a claim also writes its sum. A sum proves something only if its numbers stand in the evidence and its
//! result depends on each of them, and if what it adds of its own converts a unit and no more.

use crate::numbers::{self, Forms, InWords, Number, TOLD_IN};
use crate::with_ascii_digits;

mod arithmetic;

use self::arithmetic::{Formula, Term};

/// What converts times, and needs no evidence where it multiplies or divides: months, weeks and days of a year, days of a
/// month and of a week, hours of a day, minutes of an hour.
const TIMES: [&str; 7] = ["7", "12", "24", "30", "52", "60", "365"];
/// One, which may also be added or be the whole of a share: `2026-2019+1`, `1-0.2`.
const ONE: &str = "1";
/// A whole in percent: it divides (`340*20/100`), multiplies a share (`14/1348*100`), or is what a share is taken from
/// (`100-38`).
const WHOLE: &str = "100";
/// A thousand of a unit: it only divides. To multiply by it, or to use it on a single number, gives a number its evidence does
/// not have.
const THOUSAND: &str = "1000";
/// Most units of a sum, and most hundreds: minutes to hours and days to a year. With more, almost any number has a sum.
const MOST_CONSTANTS: usize = 2;
/// Most numbers of one formula.
const MOST_OPERANDS: usize = 16;
/// How often a sum may use the same number: twice in `(97200-91500)/97200`.
const MOST_USES: usize = 2;
/// How far a stated result may be from the sum, as a share of it.
const ROUNDING: f64 = 0.005;
/// By how much a number is changed to see what depends on it.
const NUDGE: f64 = 1.01;
/// A change of the result that is more than what calculating with binary fractions causes.
const NOTICEABLE: f64 = 1e-9;

/// A sum that was done again.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// The formula as it was written, for example `46*29`.
    pub formula: String,
    /// Its result as it was written.
    pub result: String,
    /// What the formula gives.
    pub value: f64,
    /// The numbers that must stand in the evidence.
    pub operands: Vec<Number>,
    /// Where those stand among all numbers of the formula.
    places: Vec<usize>,
    /// The formula with ASCII digits.
    computed: String,
    /// What it gives: its value, or that in the thousands, millions or billions in which the evidence tells its numbers.
    gives: Vec<f64>,
}

impl Sum {
    /// Reads a formula and its result; `None` if the result is wrong or one of them cannot be read.
    #[must_use]
    pub fn read(formula: &str, result: &str) -> Option<Self> {
        // An `x` between digits multiplies.
        let formula = with_ascii_digits(formula).replace('x', "×");
        let mut results = numbers::read(result, InWords::Ignored);
        let (stated, None) = (results.next()?, results.next()) else {
            return None;
        };
        let numbers: Vec<Number> = numbers::read(&formula, InWords::Ignored).collect();
        let read = Formula::read(&formula, &[])?;
        let value = read.value;
        // Three decimals look like a group of thousands.
        let plain = result.trim().replace(',', ".").parse().ok();
        let near = [stated.value(), plain]
            .into_iter()
            .flatten()
            .any(|stated: f64| (stated - value).abs() <= ROUNDING * value.abs());
        let computed = formula.contains(['*', '/', '×', '÷', '+', '-', '−', '–', '·', ':']);
        if !computed || !(near || stated.rounds(value)) || numbers.len() != read.numbers.len() {
            return None;
        }
        let places = operands_of(&formula, &numbers, &read)?;
        let operands = places.iter().filter_map(|place| numbers.get(*place));
        Some(Self {
            formula: formula.trim().to_owned(),
            result: result.trim().to_owned(),
            value,
            operands: operands.cloned().map(Number::or_percentage).collect(),
            places,
            computed: formula,
            gives: vec![value],
        })
    }

    /// The sum of a formula, with its result to one decimal.
    #[must_use]
    pub fn computed(formula: String) -> Option<Self> {
        let value = Formula::read(&formula, &[])?.value;
        Self::read(&formula, &format!("{value:.1}"))
    }

    /// The sum if all its operands stand in this evidence, as they are or as so many thousands, millions or billions; what it
    /// gives is then told in those, too.
    #[must_use]
    pub fn standing_in(&self, evidence: &[&dyn Forms]) -> Option<Self> {
        let plain: Vec<bool> = (self.operands.iter())
            .map(|operand| operand.stands_in(evidence))
            .collect();
        let mut gives = Vec::new();
        if plain.iter().all(|stands| *stands) {
            gives.push(self.value);
        }
        for scale in TOLD_IN {
            let told: Vec<bool> = (self.operands.iter())
                .map(|operand| operand.stands_in_scale(scale, evidence))
                .collect();
            let all = plain.iter().zip(&told).all(|(plain, told)| *plain || *told);
            if !all || !told.contains(&true) {
                continue;
            }
            // Of those that stand in both ways, all or none are meant to be scaled.
            for both in [true, false] {
                let factors: Vec<(usize, f64)> = (self.places.iter().zip(&told).zip(&plain))
                    .filter(|((_, told), plain)| **told && (both || !**plain))
                    .map(|((place, _), _)| (*place, scale))
                    .collect();
                gives.extend(Formula::read(&self.computed, &factors).map(|read| read.value));
            }
        }
        (!gives.is_empty()).then(|| Self {
            gives,
            ..self.clone()
        })
    }

    /// Whether the number is this sum, perhaps rounded.
    #[must_use]
    pub fn gives(&self, number: &Number) -> bool {
        // Only a round number is a rounded one: the year after is none.
        let near = |value: f64, stated: f64| {
            stated % 10.0 == 0.0 && (stated - value).abs() <= ROUNDING * value.abs()
        };
        self.gives.iter().any(|value| {
            number.rounds(*value) || number.value().is_some_and(|stated| near(*value, stated))
        })
    }
}

/// Where the numbers stand that need evidence: all but the constants. `None` if there are too many of them, or none, or if the
/// result does not depend on each.
fn operands_of(formula: &str, numbers: &[Number], read: &Term) -> Option<Vec<usize>> {
    let form = |place: usize| numbers.get(place).map_or("", Number::form);
    let value_with = |places: &[usize]| {
        let factors: Vec<(usize, f64)> = places.iter().map(|place| (*place, NUDGE)).collect();
        Formula::read(formula, &factors).map(|read| read.value)
    };
    let mut exempt: Vec<usize> = (0..numbers.len())
        .filter(|place| !numbers.get(*place).is_some_and(Number::is_percent))
        .filter(|place| {
            let form = form(*place);
            form == ONE || form == WHOLE || form == THOUSAND || TIMES.contains(&form)
        })
        .collect();
    // What is added or subtracted is no unit.
    let added = Formula::added(formula, &exempt)?;
    exempt.retain(|place| !added.contains(place));
    let distinct = |exempt: &[usize]| {
        let mut values: Vec<f64> = Vec::new();
        for (place, value) in read.numbers.iter().enumerate() {
            if !exempt.contains(&place) && !values.iter().any(|known| is_same(*known, *value)) {
                values.push(*value);
            }
        }
        values
    };
    let others = |exempt: &[usize]| -> Vec<usize> {
        let all = 0..numbers.len();
        all.filter(|place| !exempt.contains(place)).collect()
    };
    let operands = others(&exempt);
    // A share does not grow with the numbers of which it is one.
    let grows = value_with(&operands)
        .is_none_or(|grown| grown.abs() > read.value.abs() * (1.0 + NOTICEABLE));
    let single = distinct(&exempt).len() < 2;
    let multiplies =
        |place: usize| value_with(&[place]).is_some_and(|v| is_same(v, read.value * NUDGE));
    let divides =
        |place: usize| value_with(&[place]).is_some_and(|v| is_same(v, read.value / NUDGE));
    let percent = exempt
        .iter()
        .any(|place| form(*place) == WHOLE && multiplies(*place));
    let kept: Vec<usize> = exempt
        .into_iter()
        .filter(|place| match form(*place) {
            ONE => true,
            WHOLE if multiplies(*place) => !grows,
            WHOLE if divides(*place) => !single || !grows,
            WHOLE => true,
            THOUSAND => divides(*place) && !single,
            _ => !percent,
        })
        .collect();
    let wholes = kept.iter().filter(|place| form(**place) == WHOLE).count();
    let ones = kept.iter().filter(|place| form(**place) == ONE).count();
    let units = kept.len() - wholes - ones;
    let exempt = match wholes <= MOST_CONSTANTS && units <= MOST_CONSTANTS {
        true => kept,
        false => Vec::new(),
    };
    let places = others(&exempt);
    let each_matters = distinct(&exempt).into_iter().all(|value| {
        let uses: Vec<usize> = (places.iter().copied())
            .filter(|place| read.numbers.get(*place).is_some_and(|n| is_same(*n, value)))
            .collect();
        // Nothing times something is nothing, whatever it is.
        let changed = value_with(&uses).is_none_or(|changed| {
            (changed - read.value).abs() > NOTICEABLE * read.value.abs().max(NOTICEABLE)
        });
        uses.len() <= MOST_USES && changed
    });
    ((1..=MOST_OPERANDS).contains(&places.len()) && each_matters).then_some(places)
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= NOTICEABLE * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_sum_in_millions_gives_millions() {
        let sum = Sum::read("38.5*0.62", "23.87").unwrap();
        let number = |text| numbers::read(text, InWords::Ignored).next().unwrap();
        let evidence = numbers::offered("Revenue 38.5 million, exports 62 %");
        let standing = sum.standing_in(&[&evidence]).unwrap();
        assert!(standing.gives(&number("23.9 million")));
        assert!(!standing.gives(&number("24.9 million")));
        assert!(!standing.gives(&number("239")));
        let plain = numbers::offered("38.5 tonnes, exports 62 %");
        let standing = sum.standing_in(&[&plain]).unwrap();
        assert!(standing.gives(&number("23.9")));
        assert!(!standing.gives(&number("23.9 million")));
        assert!(!sum.gives(&number("23.9 million")));
        // Millions and thousands do not mix.
        let mixed = numbers::offered("38.5 million and 62 thousand");
        assert!(
            Sum::read("38.5*62", "2387")
                .unwrap()
                .standing_in(&[&mixed])
                .is_none()
        );
    }

    #[test]
    fn sums_are_done_again() {
        for (formula, result) in [
            ("46*29", "1334"),
            ("46 × 29", "1,334"),
            ("2 * (3 + 4)", "14"),
            ("2007 + 15", "2022"),
            ("100/3", "33.3"),
            ("340 * 12%", "40.8"),
            ("1,200 / 4", "300"),
            ("£38 * 14", "£532"),
            ("€ 3.50 × 52", "182"),
            ("0.125 * 8", "1"),
            ("8 * 60 * 24", "11520"),
            ("1.2k * 3", "3600"),
            ("3万 / 2", "15000"),
            ("21 000 * 2", "42 000"),
            ("(97200-91500)/97200*100", "5.9"),
            // Rounded by no more than half a percent.
            ("21000 * 2 * 0.12", "5050"),
        ] {
            assert!(Sum::read(formula, result).is_some(), "{formula}");
        }
        for (formula, result) in [
            ("46*29", "1341"),
            ("1334", "1334"),
            ("46*", "46"),
            ("46*29", ""),
            ("1/0", "0"),
            ("drop table", "1"),
            ("52*7", "364"),
        ] {
            assert!(Sum::read(formula, result).is_none(), "{formula}");
        }
    }

    #[test]
    fn operands_are_what_no_calendar_knows() {
        let sum = Sum::read("46*29/100", "13.34").map(|sum| sum.operands);
        let forms: Vec<String> = sum
            .iter()
            .flatten()
            .map(|number| number.form().to_owned())
            .collect();
        assert_eq!(forms, ["46", "29"]);
    }

    #[test]
    fn a_sum_gives_its_result_in_any_writing() {
        let gives = |formula: &str, result: &str, claim: &str| {
            let sum = Sum::read(formula, result);
            let number = numbers::read(claim, InWords::Of("en")).next();
            sum.zip(number)
                .is_some_and(|(sum, number)| sum.gives(&number))
        };
        assert!(gives("(97200-91500)/97200*100", "5.864", "six percent"));
        assert!(gives("14-5", "9", "nine rounds"));
        assert!(gives("120 * 9", "1080", "1.08k"));
        assert!(!gives("14-5", "9", "ten rounds"));
        let stand = |formula: &str, result: &str, evidence: &str| {
            let offered = numbers::offered(evidence);
            let sum = Sum::read(formula, result).unwrap();
            sum.operands
                .iter()
                .all(|operand| operand.stands_in(&[&offered]))
        };
        assert!(stand("340*0.15", "51", "15 percent of 340 crates"));
        assert!(stand("340*0.85", "289", "15 percent fewer than 340 crates"));
        assert!(stand("840/2", "420", "half of the 840 crates"));
        assert!(stand("1/9*100", "11.1", "every ninth call"));
        assert!(!stand("340*0.25", "85", "15 percent of 340 crates"));
        assert!(!gives("2007+15", "2022", "2023"));
    }

    #[test]
    fn a_sum_gives_no_scale_of_its_own() {
        let number = |text| numbers::read(text, InWords::Ignored).next().unwrap();
        let sum = Sum::read("46*29", "1334").unwrap();
        let evidence = numbers::offered("46 sites at 29 euros");
        let standing = sum.standing_in(&[&evidence]).unwrap();
        assert!(standing.gives(&number("1,334")));
        for claim in ["1.334 million", "1.334 billion", "1334 thousand"] {
            assert!(!standing.gives(&number(claim)), "{claim}");
        }
    }

    /// The operands of a sum, or none if it proves nothing.
    fn operands(formula: &str) -> Vec<String> {
        let value = Formula::read(&with_ascii_digits(formula), &[])
            .unwrap()
            .value;
        let sum = Sum::read(formula, &value.to_string());
        let operands = sum.iter().flat_map(|sum| &sum.operands);
        operands.map(|number| number.form().to_owned()).collect()
    }

    #[test]
    fn each_operand_matters() {
        for formula in [
            "2014-2014+46",
            "46/46*29",
            "46*0",
            "46-46",
            "46*29/(46*29)*7",
            // More often than any honest sum uses a number.
            "46+46+46",
        ] {
            assert_eq!(operands(formula), [""; 0], "{formula}");
        }
    }

    #[test]
    fn constants_convert_units_and_no_more() {
        for (formula, wanted) in [
            // Minutes a day to hours a year, a price a month to one a year.
            ("8*365/60", &["8"] as &[&str]),
            ("9*12", &["9"]),
            ("14/1348*100", &["14", "1348"]),
            ("1/9*100", &["9"]),
            ("100-38", &["38"]),
            ("212*(100-91.5)/100", &["212", "91.5"]),
            ("46*29/1000", &["46", "29"]),
            ("2026-2019+1", &["2026", "2019"]),
            ("340*(1-0.2)", &["340", "0.2"]),
            // Not where they are numbers of their own.
            ("46+7", &["46", "7"]),
            ("60-46", &["60", "46"]),
            ("46+100", &["46", "100"]),
            ("46+1+1", &["46", "1", "1"]),
            ("2014-2013+1000*7", &["2014", "2013", "1000", "7"]),
            ("46*100", &["46", "100"]),
            ("46*1000", &["46", "1000"]),
            ("46000/1000", &["46000", "1000"]),
            ("46*29*1000", &["46", "29", "1000"]),
            ("46*1000000", &["46", "1000000"]),
            ("340*12/100", &["340", "100"]),
            ("46/45*100*7", &["46", "45", "7"]),
            ("46*7*52*24", &["46", "7", "52", "24"]),
        ] {
            assert_eq!(operands(formula), wanted, "{formula}");
        }
        assert!(Sum::read("2014-2014+1000000*7", "7000000").is_none());
        assert!(Sum::read("100-1", "99").is_none());
    }
}
