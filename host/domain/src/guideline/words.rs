//! The closed vocabularies of annex A2.

use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::schema;
use super::shape::{Holds, Shape, Shaped};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name { $(#[serde(rename = $text)] $variant),+ }

        impl $name {
            /// All values, in the order of annex A2.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The value on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl Shaped for $name {
            const SHAPE: Shape = Shape::Word(&[$($text),+]);
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema::value(Self::SHAPE, Holds::One).into()
            }
        }
        impl ToSchema for $name {}
    )+};
}

words! {
    /// A classification of industries.
    IndustryScheme { Naics2022 = "naics2022", Isic4 = "isic4", FreeText = "free_text" }
    /// Number of employees.
    EmployeeRange {
        UpTo10 = "1-10", UpTo50 = "11-50", UpTo200 = "51-200", UpTo500 = "201-500",
        UpTo1000 = "501-1000", UpTo5000 = "1001-5000", More = "5001+",
    }
    /// Who owns the company.
    Ownership {
        Private = "private", Public = "public", Nonprofit = "nonprofit",
        Government = "government", Subsidiary = "subsidiary",
    }
    IdentifierScheme {
        Lei = "lei", Ticker = "ticker", CompanyRegister = "company_register", Vat = "vat",
    }
    /// Level of decision-making power.
    Seniority {
        Ic = "ic", Manager = "manager", Director = "director", Vp = "vp", CLevel = "c_level",
    }
    /// What a buyer may do instead.
    AlternativeKind { Competitor = "competitor", StatusQuo = "status_quo", InHouse = "in_house" }
    ProofPointKind {
        Metric = "metric", CaseStudy = "case_study", Testimonial = "testimonial",
        Award = "award", Certification = "certification",
    }
    /// Price level within the market.
    PricePosition { Low = "low", Mid = "mid", Premium = "premium" }
    /// The grammatical person that the brand uses for itself.
    Person { FirstPlural = "first_plural", FirstSingular = "first_singular", Third = "third" }
    /// Where a tone is used.
    ToneContext {
        SalesEmail = "sales_email", Proposal = "proposal", Web = "web", Support = "support",
        Social = "social",
    }
    /// How headlines are capitalized.
    HeadlineCase { Sentence = "sentence", Title = "title" }
    LogoVariant { Logo = "logo", Symbol = "symbol", Wordmark = "wordmark" }
    /// The background for which a logo is made.
    LogoTheme { Light = "light", Dark = "dark" }
    /// What a colour is for.
    ColorRole {
        Primary = "primary", Secondary = "secondary", Accent = "accent",
        Background = "background", Text = "text", Other = "other",
    }
    /// What a typeface is for.
    FontRole { Heading = "heading", Body = "body", Mono = "mono", Other = "other" }
    /// Where a rule applies.
    Surface {
        Pptx = "pptx", Docx = "docx", Pdf = "pdf", Email = "email", Web = "web", Social = "social",
    }
    /// Verdict of a person's review of a guideline.
    ReviewStatus { Unreviewed = "unreviewed", Reviewed = "reviewed", Rejected = "rejected" }
}

/// How formal a text is, 1 (casual) to 5 (ceremonial).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Formality(u8);

/// The number is not within 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to 5")]
pub struct FormalityError;

impl Formality {
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}
impl Shaped for Formality {
    const SHAPE: Shape = Shape::Whole {
        least: 1,
        most: 5,
        is_of_annex: true,
    };
}
impl TryFrom<u8> for Formality {
    type Error = FormalityError;
    fn try_from(value: u8) -> Result<Self, FormalityError> {
        (1..=5)
            .contains(&value)
            .then_some(Self(value))
            .ok_or(FormalityError)
    }
}
impl From<Formality> for u8 {
    fn from(formality: Formality) -> Self {
        formality.0
    }
}
