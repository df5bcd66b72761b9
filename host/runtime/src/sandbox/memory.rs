//! Memory of a guest, summed over all memories and tables of its instance.

use wasmtime::ResourceLimiter;

/// Maximum number of elements in all tables together.
const MAX_TABLE_ELEMENTS: usize = 100_000;

/// Keeps a guest within its memory limit.
#[derive(Debug)]
pub struct MemoryLimiter {
    limit: usize,
    total: usize,
    peak: usize,
    table_elements: usize,
    exceeded: bool,
}

impl MemoryLimiter {
    pub const fn new(limit: usize) -> Self {
        Self {
            limit,
            total: 0,
            peak: 0,
            table_elements: 0,
            exceeded: false,
        }
    }
    pub const fn limit(&self) -> usize {
        self.limit
    }
    /// Highest sum so far, in bytes.
    pub const fn peak(&self) -> usize {
        self.peak
    }
    /// Whether the guest asked for more than its limit. Most guests trap after that; this, not the trap, is
    /// then the reason.
    pub const fn exceeded(&self) -> bool {
        self.exceeded
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.total.saturating_sub(current).saturating_add(desired);
        if total > self.limit || maximum.is_some_and(|maximum| desired > maximum) {
            self.exceeded |= total > self.limit;
            return Ok(false);
        }
        self.total = total;
        self.peak = self.peak.max(total);
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self
            .table_elements
            .saturating_sub(current)
            .saturating_add(desired);
        if total > MAX_TABLE_ELEMENTS || maximum.is_some_and(|maximum| desired > maximum) {
            self.exceeded |= total > MAX_TABLE_ELEMENTS;
            return Ok(false);
        }
        self.table_elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        16
    }
    fn tables(&self) -> usize {
        16
    }
    fn memories(&self) -> usize {
        4
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_sum_over_memories_counts() {
        let mut limiter = MemoryLimiter::new(100);
        assert!(limiter.memory_growing(0, 60, None).unwrap());
        assert!(limiter.memory_growing(0, 40, None).unwrap());
        assert!(!limiter.exceeded());
        assert!(!limiter.memory_growing(40, 41, None).unwrap());
        assert!(limiter.exceeded());
        assert_eq!(limiter.peak(), 100);
    }
}
