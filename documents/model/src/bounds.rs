//! How large a document may be. The schema says the same in its own words; a test compares the two.

/// Bytes of a document's JSON.
pub const DOCUMENT_BYTES: usize = 16 * 1024 * 1024;
/// Faults that a refusal lists; the rest would only repeat them.
pub const FAULTS: usize = 100;

/// Sources of a document.
pub const SOURCES: usize = 2_000;
/// Keywords of a document.
pub const KEYWORDS: usize = 50;
/// Sections of a document.
pub const SECTIONS: usize = 200;
/// Blocks of a section, those inside columns included.
pub const BLOCKS: usize = 100;

/// Runs of one text.
pub const RUNS: usize = 1_000;
/// Characters of one text.
pub const TEXT: usize = 50_000;
/// Characters of a title or label.
pub const LINE: usize = 300;
/// Characters of an alternative text.
pub const ALT: usize = 2_000;
/// Characters of an id.
pub const ID: usize = 64;
/// Characters of a link.
pub const LINK: usize = 2_048;
/// Sources that one run, chart, quote or figure cites.
pub const CITES: usize = 50;

/// Levels of a nested list.
pub const NESTING: usize = 3;
/// Items of one list.
pub const ITEMS: usize = 500;
/// Steps, events or criteria of one block.
pub const ENTRIES: usize = 100;
/// Figures of one row.
pub const KPIS: usize = 12;
/// Things that one block compares.
pub const COMPARED: usize = 6;
/// Columns of one table.
pub const TABLE_COLUMNS: usize = 200;
/// Rows of one table.
pub const TABLE_ROWS: usize = 5_000;

/// Series of one chart.
pub const SERIES: usize = 50;
/// Values or points of one chart.
pub const POINTS: usize = 10_000;
/// Decimals of a chart's values.
pub const DECIMALS: u8 = 6;
