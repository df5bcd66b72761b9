//! ZIP archives: a writer whose bytes depend on nothing but what is written, and a reader with limits.

mod read;
mod write;

pub use read::{Archive, Limits, ReadError};
pub use write::write;

const LOCAL_FILE: u32 = 0x0403_4b50;
const CENTRAL_FILE: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
