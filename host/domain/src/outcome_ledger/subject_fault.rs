//! Why a text names nobody.

use crate::domain_name::DomainNameError;

/// Why a text names nobody. No message repeats the text, which may be personal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubjectFault {
    /// No address at all, or one with a display name.
    #[error("must be an e-mail address alone, such as sam@acme.example")]
    Address,
    /// More bytes than an address may have.
    #[error("must be an e-mail address of at most 254 bytes")]
    AddressTooLong,
    /// The part behind the `@`.
    #[error("must be an e-mail address at a public domain: {0}")]
    AddressDomain(DomainNameError),
    /// Not a domain.
    #[error("must be a mail domain such as acme.example: {0}")]
    Domain(#[from] DomainNameError),
    /// Anybody can get a mailbox there.
    #[error(
        "is a public mail domain: an entry for it would silence everybody with a mailbox there; name the address instead"
    )]
    PublicMailDomain,
    /// No letter or digit in it.
    #[error("must be a person's name")]
    Name,
    /// More characters than a name may have.
    #[error("must be a person's name of at most 120 characters")]
    NameTooLong,
}
