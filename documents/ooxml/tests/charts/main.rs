//! Charts of every kind: what Office would repair does not occur, every reference leads to cells of the workbook
//! that say the same, and hostile numbers and names harm nothing.

mod arbitrary;
mod package;
mod rules;
