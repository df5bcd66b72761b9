//! Whom the law takes for the subscriber of the mailbox: a body with a legal personality of its own, or
//! persons. It follows from the company's legal form.

use gtm_sdk::{Value, json};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subscriber {
    /// A legal person apart from its members.
    Corporate,
    /// A person, or persons without a legal person beside them.
    Individual,
    /// The legal form does not tell.
    Unknown,
}

/// The legal forms that tell. Others don't, such as `public_body`: only some authorities are corporate
/// subscribers. Neither does `partnership` with an unknown seat, but outside Scotland it is individuals, and
/// that is the stricter reading.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LegalForm {
    LimitedCompany,
    PrivateLimitedCompany,
    PublicLimitedCompany,
    CompanyLimitedByGuarantee,
    UnlimitedCompany,
    CommunityInterestCompany,
    CharitableIncorporatedOrganisation,
    LimitedLiabilityPartnership,
    ScottishPartnership,
    RoyalCharterBody,
    SoleTrader,
    Individual,
    Partnership,
    GeneralPartnership,
    LimitedPartnership,
    UnincorporatedAssociation,
}

impl Subscriber {
    /// The subscriber behind a mailbox of a company with this legal form.
    #[must_use]
    pub fn of(legal_form: Option<&str>) -> Self {
        use LegalForm as Form;
        let form = legal_form.map(|form| json::read(Value::from(form)));
        match form {
            Some(Ok(
                Form::LimitedCompany
                | Form::PrivateLimitedCompany
                | Form::PublicLimitedCompany
                | Form::CompanyLimitedByGuarantee
                | Form::UnlimitedCompany
                | Form::CommunityInterestCompany
                | Form::CharitableIncorporatedOrganisation
                | Form::LimitedLiabilityPartnership
                | Form::ScottishPartnership
                | Form::RoyalCharterBody,
            )) => Self::Corporate,
            Some(Ok(
                Form::SoleTrader
                | Form::Individual
                | Form::Partnership
                | Form::GeneralPartnership
                | Form::LimitedPartnership
                | Form::UnincorporatedAssociation,
            )) => Self::Individual,
            Some(Err(_)) | None => Self::Unknown,
        }
    }
}
