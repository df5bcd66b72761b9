//! Money: amounts, how organizations pay, the limits that operators set, what money and limits allow to
//! start, and the ledger that records it all.

pub mod amount;
pub mod billing;
pub mod credit_movement;
pub mod ledger;
pub mod limit;
pub mod position;
pub mod reconciliation;
pub mod refusal;
pub mod refusal_words;
pub mod statement;

pub use amount::{MicroUsd, ParseUsdError};
pub use billing::{BillingMode, UnknownBillingMode};
pub use credit_movement::{CreditMovement, CreditNotMoved};
pub use ledger::{
    LedgerKind, LedgerPlace, LedgerReport, LedgerTransaction, LedgerViolation, Unbalanced,
};
pub use limit::{BelowZero, Limit, LimitMetric, LimitOwner, LimitScope};
pub use position::{Admission, BudgetPosition, CreditPosition, MoneyPosition, QuotaPosition};
pub use reconciliation::{
    InvoicedCost, MarkedCall, NotReconciled, ProviderCallId, Reconciliation, ReconciliationState,
    UnknownProviderCallId,
};
pub use refusal::Refusal;
pub use refusal_words::Refused;
pub use statement::CreditStatement;
