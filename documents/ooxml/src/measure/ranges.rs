//! The characters whose widths are known one by one.

/// First and last code points: Latin with its extensions, Greek, Cyrillic, Vietnamese, punctuation, currency.
pub const RANGES: [(u32, u32); 7] = [
    (0x20, 0x7e),
    (0xa0, 0x17f),
    (0x370, 0x3ff),
    (0x400, 0x45f),
    (0x1e80, 0x1ef9),
    (0x2010, 0x2044),
    (0x20a0, 0x20bf),
];
