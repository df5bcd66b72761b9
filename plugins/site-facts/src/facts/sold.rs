//! What structured data calls something that is sold.

/// Schema.org types of what is sold.
pub const SOLD: &[&str] = &["Product", "Service", "SoftwareApplication", "Offer"];
