//! An axis of round numbers.

use serde_json::{Value, json};

use super::Look;

/// Beyond these, numbers are as good as infinite, or as zero.
const HUGE: f64 = 1e290;
const TINY: f64 = 1e-290;
/// Steps that are wanted.
const STEPS: f64 = 5.0;

/// A range of numbers, from its first line to its last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// An axis that has all these numbers on it, and zero where bars stand on it.
    pub fn over(values: impl Iterator<Item = f64>, with_zero: bool) -> Self {
        let (mut low, mut high) = if with_zero {
            (0.0, 0.0)
        } else {
            (f64::INFINITY, f64::NEG_INFINITY)
        };
        for value in values.map(bounded) {
            low = value.min(low);
            high = value.max(high);
        }
        if !(low.is_finite() && high.is_finite()) {
            (low, high) = (0.0, 1.0);
        }
        if high - low <= TINY || (high - low) <= high.abs().max(low.abs()) * 1e-12 {
            let around = if high.abs() > TINY {
                high.abs() * 0.5
            } else {
                1.0
            };
            if with_zero || low >= 0.0 && low <= around {
                (low, high) = (low.min(0.0), high.max(0.0).max(low + around));
            } else {
                (low, high) = (low - around, high + around);
            }
        }
        let step = round_step((high - low) / STEPS);
        Self {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }

    /// Where a number stands, between 0 and 1.
    pub fn at(&self, value: f64) -> f64 {
        ((bounded(value) - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The lines with their numbers.
    pub fn ticks(&self, look: &Look<'_>) -> Vec<Value> {
        let decimals = decimals(self.step).max(if self.step < 1.0 {
            0
        } else {
            fraction(self.step)
        });
        let count = ((self.high - self.low) / self.step).round().min(12.0) as usize;
        (0..=count)
            .map(|index| {
                let value = self.low + self.step * index as f64;
                let written = look.numbers.written(value, decimals);
                let label = if look.unit == "%" {
                    format!("{written}\u{a0}%")
                } else {
                    written
                };
                json!({"at": self.at(value), "label": label})
            })
            .collect()
    }
}

/// The number, within what can be divided and subtracted.
fn bounded(value: f64) -> f64 {
    let value = value.clamp(-HUGE, HUGE);
    if value.abs() < TINY { 0.0 } else { value }
}

/// The next round number: 1, 2, 2.5 or 5 times a power of ten.
fn round_step(raw: f64) -> f64 {
    let power = 10_f64.powf(raw.log10().floor());
    let times = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .find(|times| times * power >= raw * 0.999)
        .unwrap_or(10.0);
    times * power
}

fn decimals(step: f64) -> usize {
    if step >= 1.0 {
        return 0;
    }
    let places = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    (places + fraction(step * 10_f64.powf(places as f64))).min(6)
}

/// One more place for steps of two and a half.
fn fraction(step: f64) -> usize {
    usize::from(step < 10.0 && (step - step.round()).abs() > 0.01)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_on_round_numbers() {
        let axis = Axis::over([118.0, 54.0, 71.0].into_iter(), true);
        assert_eq!((axis.low, axis.high, axis.step), (0.0, 125.0, 25.0));
        let axis = Axis::over([-4.9, 9.2].into_iter(), true);
        assert_eq!((axis.low, axis.high), (-5.0, 10.0));
    }

    #[test]
    fn any_numbers_have_an_axis() {
        for values in [
            vec![],
            vec![0.0, -0.0],
            vec![7.0, 7.0],
            vec![-3.0],
            vec![f64::MAX, f64::MIN],
            vec![5e-324, f64::MIN_POSITIVE],
            vec![1e15, 1e15 + 1.0],
        ] {
            for with_zero in [true, false] {
                let axis = Axis::over(values.iter().copied(), with_zero);
                assert!(
                    axis.step > 0.0 && axis.high > axis.low,
                    "{values:?} {axis:?}"
                );
                assert!(axis.step.is_finite() && axis.low.is_finite() && axis.high.is_finite());
                for value in &values {
                    assert!(
                        (0.0..=1.0).contains(&axis.at(*value)),
                        "{values:?} {axis:?}"
                    );
                }
            }
        }
    }
}
