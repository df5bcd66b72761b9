//! Places on a page.

use super::object::Object;

/// An affine transformation, in the order in which PDF writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix([f64; 6]);

impl Default for Matrix {
    fn default() -> Self {
        Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    }
}

impl Matrix {
    pub(super) fn of(operands: &[Object]) -> Option<Self> {
        let mut values = [0.0; 6];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = operand.number()?;
        }
        (operands.len() >= 6).then_some(Self(values))
    }

    pub(super) fn moved(dx: f64, dy: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, dx, dy])
    }

    /// This one first, then the other.
    pub(super) fn then(&self, other: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let (ax, ay) = other.vector(a, b);
        let (cx, cy) = other.vector(c, d);
        let (ex, ey) = other.point(e, f);
        Self([ax, ay, cx, cy, ex, ey])
    }

    pub(super) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        let [.., e, f] = self.0;
        let (vx, vy) = self.vector(x, y);
        (vx + e, vy + f)
    }

    pub(super) fn vector(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        (a * x + c * y, b * x + d * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformations_apply_in_order() {
        let doubled = Matrix([2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        let moved = Matrix::moved(5.0, 1.0);
        assert_eq!(moved.then(&doubled).point(1.0, 1.0), (12.0, 4.0));
        assert_eq!(doubled.then(&moved).point(1.0, 1.0), (7.0, 3.0));
    }
}
