//! What a value of a field has to rest on.

/// The rule of a field. The check of evidence says how each is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldRule {
    /// Its words stand in a source, or it is concluded from sources.
    Concluded,
    /// The same, or the caller gave it.
    Given,
    /// Its words stand in a source.
    Quoted,
    /// A source states the year, and it is not in the future.
    FoundingYear,
    /// A source states a number of people within the range.
    Headcount,
    /// A source states the place and shows the country: by name, calling code, postal code or register.
    Headquarters,
    /// A source gives the number as the company's own, and its scheme allows such a number.
    Identifier,
    /// A source states this kind of ownership, or it is concluded.
    Ownership,
    /// The site has a version for the country, or a source names it.
    Market,
    /// Measured on the brand's own text.
    Measured,
    /// Measured, or like [`FieldRule::Concluded`].
    MeasuredOrConcluded,
    /// The same for a language tag in its one form.
    SpellingLocale,
    /// A page declares the language for itself or for another version.
    DeclaredLanguage,
    /// A source links the address, and it is one of the network.
    Profile,
    /// Computed again from the cited style sheets and pages.
    Palette,
    /// The same for typefaces.
    Typography,
    /// Read again from the picture.
    Logo,
}

impl FieldRule {
    /// Whether a value may be concluded from sources that do not say it.
    #[must_use]
    pub const fn allows_conclusions(self) -> bool {
        matches!(
            self,
            Self::Concluded
                | Self::Given
                | Self::Ownership
                | Self::MeasuredOrConcluded
                | Self::SpellingLocale
        )
    }
}
