//! What the value of a field must rest on.

/// The rule of a field. The evidence check defines how each rule is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldRule {
    /// A source contains its words, or it is concluded from sources.
    Concluded,
    /// Like [`FieldRule::Concluded`], or provided by the caller.
    Given,
    /// A source contains its words.
    Quoted,
    /// A source states the year, and it is not in the future.
    FoundingYear,
    /// A source states a number of people within the range.
    Headcount,
    /// A source states the place and indicates the country: by name, calling code, postal code or register.
    Headquarters,
    /// A source gives the number as the company's own, and its scheme allows such a number.
    Identifier,
    /// A source states this kind of ownership, or it is concluded from sources.
    Ownership,
    /// The site has a version for the country, or a source names it.
    Market,
    /// Measured on the brand's own texts.
    Measured,
    /// Measured, or like [`FieldRule::Concluded`].
    MeasuredOrConcluded,
    /// Like [`FieldRule::MeasuredOrConcluded`], for a language tag in its canonical form.
    SpellingLocale,
    /// A page declares the language for itself or for another version.
    DeclaredLanguage,
    /// A source links to the address, and it is a profile page of the network.
    Profile,
    /// Recomputed from the cited style sheets and pages.
    Palette,
    /// Like [`FieldRule::Palette`], for typefaces.
    Typography,
    /// Read again from the image.
    Logo,
}

impl FieldRule {
    /// Whether a value may be concluded from sources that do not state it.
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
