//! Whom an outcome names, in the one form in which it is compared: an address, a mail domain or a person.
//!
//! DANGER: two spellings of one address that were not brought to the same form would let a message through to
//! somebody who objected. Keep the forms as they are: HMACs of them are stored for ever.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};

use super::SubjectType;
use super::mail_address::MailAddress;
use super::names::{comparable, kept_forms, spellings};
use super::public_mail::is_public_mail_domain;
use super::subject_fault::SubjectFault;
use crate::domain_name::{DomainName, bare_host};

/// Twice as many labels as the longest public suffix has, so that a domain of a hundred labels stands for no hundred
/// companies.
const MOST_LEVELS: usize = 10;
/// Longest name of a person, in characters.
pub const MAX_NAME_CHARS: usize = 120;

/// A person by name and company: the name folded to lower-case ASCII words in alphabetical order, because one list
/// says "Okafor, Sam" and the next "Sam Okafor"; the company by its registrable domain. Its `Debug` form shows no name.
#[derive(Clone)]
pub struct Person {
    name: String,
    company: String,
    /// Other names under which an entry is kept ([`Subject::kept_as`]); the same person without them is the same.
    also: BTreeSet<String>,
}

impl PartialEq for Person {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.company) == (&other.name, &other.company)
    }
}

impl Eq for Person {}

impl Hash for Person {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, &self.company).hash(state);
    }
}

impl Person {
    /// The person of this name at the company with this domain.
    ///
    /// # Errors
    /// If the name has no letter or digit or is too long, or if the domain is a public mail domain, where many people
    /// have the same name.
    pub fn new(name: &str, company: &DomainName) -> Result<Self, SubjectFault> {
        if is_public_mail_domain(company.as_str()) {
            return Err(SubjectFault::PublicMailDomain);
        }
        Ok(Self {
            name: folded(name)?,
            company: company.registrable().to_owned(),
            also: kept_forms(name),
        })
    }

    /// The persons of this name at a company whose entry may lie under this domain or one above. Which of them is
    /// registrable follows from a list of public suffixes, and that list changes: an entry that was made under another
    /// edition of it must still be found.
    fn at_each_level(name: &str, domain: &DomainName) -> Vec<Self> {
        let names = match folded(name) {
            Ok(_) => spellings(name),
            Err(_) => return Vec::new(),
        };
        let levels = std::iter::successors(Some(domain.as_str()), |below| {
            below.split_once('.').map(|(_, above)| above)
        });
        let mut levels: Vec<_> = levels
            .filter(|level| level.contains('.') && !is_public_mail_domain(level))
            .collect();
        // The highest levels, where every registrable domain lies.
        let levels = levels.split_off(levels.len().saturating_sub(MOST_LEVELS));
        let at = |level: &str| {
            let company = level.to_owned();
            let names = names.iter().cloned();
            names.map(move |name| Self {
                name,
                company: company.clone(),
                also: BTreeSet::new(),
            })
        };
        levels.into_iter().flat_map(at).collect()
    }
}

/// A name in the form in which names are compared.
fn folded(name: &str) -> Result<String, SubjectFault> {
    if name.chars().nth(MAX_NAME_CHARS).is_some() {
        return Err(SubjectFault::NameTooLong);
    }
    comparable(name).ok_or(SubjectFault::Name)
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a person at {}", self.company)
    }
}

/// Whom an entry names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An e-mail address.
    Address(MailAddress),
    /// A mail domain, with all below it.
    Domain(DomainName),
    Person(Person),
}

impl Subject {
    /// The mail domain as the subject of an entry.
    ///
    /// # Errors
    /// If it is no domain, or a public mail domain.
    pub fn of_domain(text: &str) -> Result<Self, SubjectFault> {
        let domain: DomainName = text.trim().parse()?;
        // The host of a web site stands for its domain: nobody has an address there.
        let domain = if domain.registrable() == domain.as_str() {
            domain
        } else {
            bare_host(domain.as_str()).parse()?
        };
        if is_public_mail_domain(domain.as_str()) {
            return Err(SubjectFault::PublicMailDomain);
        }
        Ok(Self::Domain(domain))
    }

    /// All whose entries speak against writing to this address: the address itself, also without its tag, its domain and the company's with
    /// each one above up to the registrable one, and the person of this name at each of them. Somebody may have objected
    /// under the company's domain and be written to at another one, or the other way round.
    #[must_use]
    pub fn against(
        address: &MailAddress,
        name: Option<&str>,
        company: Option<&DomainName>,
    ) -> Vec<Self> {
        let domains = || std::iter::once(address.domain()).chain(company);
        let mut subjects = vec![Self::Address(address.clone())];
        subjects.extend(address.without_tag().map(Self::Address));
        for domain in domains() {
            let registrable = domain.registrable();
            let mut rest = domain.as_str();
            loop {
                // Every name between a public host name and its registrable domain is one itself.
                subjects.extend(Self::of_domain(rest));
                match rest.split_once('.') {
                    Some((_, above)) if rest != registrable => rest = above,
                    _ => break,
                }
            }
        }
        if let Some(name) = name {
            let persons = domains().flat_map(|domain| Person::at_each_level(name, domain));
            subjects.extend(persons.map(Self::Person));
        }
        let mut seen = HashSet::new();
        subjects.retain(|subject| seen.insert(subject.clone()));
        subjects
    }

    /// All under which an entry of this subject is kept, itself first: a person also under parts of the name, so that a
    /// list that leaves out a middle name or writes an initial hides nobody.
    #[must_use]
    pub fn kept_as(&self) -> Vec<Self> {
        let mut all = vec![self.clone()];
        if let Self::Person(person) = self {
            let others = person.also.iter().filter(|name| **name != person.name);
            all.extend(others.map(|name| {
                Self::Person(Person {
                    name: name.clone(),
                    company: person.company.clone(),
                    also: BTreeSet::new(),
                })
            }));
        }
        all
    }

    /// What it is.
    #[must_use]
    pub const fn subject_type(&self) -> SubjectType {
        match self {
            Self::Address(_) => SubjectType::Address,
            Self::Domain(_) => SubjectType::Domain,
            Self::Person(_) => SubjectType::Person,
        }
    }

    /// The bytes whose keyed HMAC stands for it. DANGER: personal data in clear; and any change of this form loses
    /// every entry made before.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let text = match self {
            Self::Address(address) => address.in_clear(),
            Self::Domain(domain) => domain.as_str().to_owned(),
            // Neither part contains a line end.
            Self::Person(person) => format!("{}\n{}", person.name, person.company),
        };
        format!("{}\n{text}", self.subject_type().as_str()).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn address(text: &str) -> MailAddress {
        text.parse().unwrap()
    }

    fn domain(text: &str) -> DomainName {
        text.parse().unwrap()
    }

    #[test]
    fn a_person_is_one_in_every_spelling_of_the_name() {
        let person = |name: &str, company: &str| Person::new(name, &domain(company)).unwrap();
        let zoe = person("Zoë  O'Neil-Smith", "www.acme.example");
        assert_eq!(zoe, person("zoe o neil smith", "acme.example"));
        assert_eq!(zoe, person("ZOE\u{308} O’NEIL SMITH", "ACME.example"));
        assert_eq!(zoe, person("O'Neil-Smith, Zoë", "acme.example"));
        assert_ne!(zoe, person("Zoë O'Neil", "acme.example"));
        assert_ne!(zoe, person("Zoë O'Neil-Smith", "other.example"));
        assert_eq!(
            Person::new("...", &domain("acme.example")),
            Err(SubjectFault::Name)
        );
        assert_eq!(
            Person::new("Sam", &domain("gmail.com")),
            Err(SubjectFault::PublicMailDomain)
        );
        assert!(!format!("{zoe:?}").contains("zoe"));
        let yamada = person("山田太郎", "acme.example");
        for written in ["山田 太郎", "山田\u{3000}太郎"] {
            assert_eq!(yamada, person(written, "acme.example"));
        }
        assert_eq!(
            person("김 민수", "acme.example"),
            person("김민수", "acme.example")
        );
        // A quotation mark that is not closed takes in the next line.
        assert_eq!(
            Person::new("Sam\nKim Lee", &domain("acme.example")),
            Err(SubjectFault::Name)
        );
    }

    /// Whether an entry of one name speaks against a candidate of another.
    fn found(entry: &str, written: &str) -> bool {
        let entry = Person::new(entry, &domain("acme.example")).unwrap();
        let against = Subject::against(&address("x@acme.example"), Some(written), None);
        let kept = Subject::Person(entry).kept_as();
        kept.iter().any(|subject| against.contains(subject))
    }

    #[test]
    fn an_objection_holds_for_every_shorter_and_longer_name() {
        let names = [
            "Anna Schmidt",
            "Dr. Anna M. Schmidt",
            "A. Schmidt",
            "Schmidt, A. M.",
            "Prof. Dr. Anna Maria Schmidt",
            "Frau Dr Anna Schmidt, PhD",
            "SCHMIDT Anna",
            "Anna von Schmidt",
        ];
        for entry in names {
            for written in names {
                assert!(found(entry, written), "{entry} for {written}");
            }
        }
        for (entry, written) in [
            ("Maria Santos Oliveira", "Maria Santos"),
            ("Anna Schmidt", "Anna Schmidt-Meier"),
            ("Jörg Müller", "Dr. J. Mueller"),
            ("J. Mueller", "Jörg Müller"),
            ("Th. Meier", "Thomas Meier"),
            ("Thomas Meier", "Th. Meier"),
            ("Жанна Иванова", "Ж. Иванова"),
            ("Ж. Иванова", "Жанна Иванова"),
            ("Jean-Luc Picard", "J.-L. Picard"),
            ("Ben Miller", "Ben M. Miller"),
            ("Don Miller", "Don Miller Jr."),
            ("Dr. Schmidt", "Dr. Bernd Schmidt"),
            ("Sam O'Neil", "S. O’Neil"),
        ] {
            assert!(found(entry, written), "{entry} for {written}");
        }
    }

    #[test]
    fn who_shares_one_name_or_a_title_is_somebody_else() {
        for (entry, written) in [
            ("Anna Schmidt", "Andreas Schmidt"),
            ("Anna Schmidt", "B. Schmidt"),
            ("A. Schmidt", "Bernd Schmidt"),
            ("Dr. Anna Schmidt", "Dr. Bernd Schmidt"),
            ("Dr. A. Schmidt", "Dr. Bernd Schmidt"),
            ("Anna M. Schmidt", "Maria Schmidt"),
            ("Maria de Souza", "Pedro de Souza"),
            ("Jan van der Berg", "Piet van der Berg"),
            ("A. van der Berg", "Piet van der Berg"),
            ("Jörg Möller", "Jörg Müller"),
            ("山田太郎", "山田花子"),
        ] {
            assert!(!found(entry, written), "{entry} for {written}");
        }
    }

    #[test]
    fn a_person_is_found_under_other_spellings() {
        for (entry, written) in [
            ("Jörg Müller", "Joerg Mueller"),
            ("Joerg Mueller", "Jörg Müller"),
            ("Sam ONeil", "Sam O'Neil"),
            ("Jeanluc Picard", "Jean-Luc Picard"),
            ("山田太郎", "山田 太郎"),
        ] {
            assert!(found(entry, written), "{entry} for {written}");
        }
        assert!(!found("Jörg Möller", "Jörg Müller"));
    }

    /// Tags lead to one mailbox nearly everywhere, and nobody objects under each that there may be.
    #[test]
    fn an_objection_under_an_address_holds_for_its_tags() {
        let against = Subject::against(&address("sam+news@mail.example"), None, None);
        for entry in ["sam@mail.example", "sam+news@mail.example"] {
            assert!(against.contains(&Subject::Address(address(entry))));
        }
        let bare = Subject::against(&address("sam@mail.example"), None, None);
        let tagged = Subject::Address(address("sam+news@mail.example"));
        assert!(!bare.contains(&tagged));
    }

    #[test]
    fn an_address_answers_for_itself_its_domains_and_its_person() {
        let sam = address("sam@mail.eu.acme.co.uk");
        let named = |name: &str, at: &str| {
            Subject::Person(Person {
                name: name.to_owned(),
                company: at.to_owned(),
                also: BTreeSet::new(),
            })
        };
        let person = |at: &str| named("okafor sam", at);
        // An entry may have an initial.
        let persons = |all: &[&str]| -> Vec<Subject> {
            let of_one =
                |at: &&str| ["o sam", "okafor s", "okafor sam"].map(|name| named(name, at));
            all.iter().flat_map(of_one).collect()
        };
        let of = |text: &str| Subject::of_domain(text).unwrap();
        let company = domain("acme.co.uk");
        let domains = [
            Subject::Address(sam.clone()),
            of("mail.eu.acme.co.uk"),
            of("eu.acme.co.uk"),
            of("acme.co.uk"),
        ];
        let levels = ["mail.eu.acme.co.uk", "eu.acme.co.uk", "acme.co.uk", "co.uk"];
        assert_eq!(
            Subject::against(&sam, Some("Okafor, Sam"), Some(&company)),
            [domains.as_slice(), &persons(&levels)].concat()
        );
        // Without a company, the person is sought at the address's own domain. Under whichever level an edition of the
        // list of public suffixes made the entry, it is found.
        let alone = Subject::against(&sam, Some("Sam Okafor"), None);
        let entered = Person::new("Sam Okafor", sam.domain()).unwrap();
        assert!(alone.contains(&Subject::Person(entered)));
        // However deep the address's domain lies.
        let deep = address(&format!("sam@{}acme.co.uk", "a.".repeat(100)));
        let entered = Person::new("Sam Okafor", deep.domain()).unwrap();
        let found = Subject::against(&deep, Some("Sam Okafor"), None);
        assert!(found.contains(&Subject::Person(entered)));
        let sought = found.iter().filter(|it| matches!(it, Subject::Person(_)));
        assert_eq!(sought.count(), MOST_LEVELS * persons(&["a"]).len());
        for level in ["mail.eu.acme.co.uk", "acme.co.uk", "co.uk"] {
            assert!(alone.contains(&person(level)), "{level}");
        }
        // The mailbox is elsewhere.
        let elsewhere = domain("site.acme-estates.example");
        assert_eq!(
            Subject::against(&sam, Some("Sam Okafor"), Some(&elsewhere))[4..],
            [
                vec![of("site.acme-estates.example"), of("acme-estates.example")],
                persons(&levels),
                persons(&["site.acme-estates.example", "acme-estates.example"]),
            ]
            .concat()
        );
        let public = address("sam@gmail.com");
        assert_eq!(
            Subject::against(&public, Some("Sam Okafor"), None),
            [Subject::Address(public.clone())]
        );
        assert_eq!(
            Subject::against(&public, Some("Sam Okafor"), Some(&company))[1..],
            [vec![of("acme.co.uk")], persons(&["acme.co.uk", "co.uk"])].concat()
        );
        assert_eq!(
            Subject::of_domain("gmail.com"),
            Err(SubjectFault::PublicMailDomain)
        );
    }

    #[test]
    fn subjects_of_different_types_are_never_the_same_bytes() {
        let sam = Subject::Address(address("sam@acme.example"));
        assert_eq!(sam.canonical(), b"address\nsam@acme.example");
        let acme = Subject::of_domain("acme.example").unwrap();
        assert_eq!(Subject::of_domain(" WWW.acme.example "), Ok(acme.clone()));
        assert!(
            Subject::of_domain("www.example").is_ok(),
            "a name of its own"
        );
        assert_eq!(acme.canonical(), b"domain\nacme.example");
        let person = Person::new("Sam Okafor", &domain("acme.example")).unwrap();
        assert_eq!(
            Subject::Person(person).canonical(),
            b"person\nokafor sam\nacme.example"
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,60}", company in "[a-z]{1,8}\\.example") {
            let _ = text.parse::<MailAddress>();
            let _ = Person::new(&text, &domain(&company));
            let _ = Subject::of_domain(&text);
        }

        // Whatever stands around two names, and in which order.
        #[test]
        fn no_title_and_no_middle_name_hides_an_objection(
            first in "[A-Z][a-z]{4,9}",
            last in "[A-Z][a-zé]{4,9}",
            before in prop::sample::select(vec!["", "Dr. ", "Prof. Dr. ", "Frau ", "Mme ", "Sr. "]),
            middle in prop::sample::select(vec!["", " M.", " Maria", " de", " M. K."]),
            behind in prop::sample::select(vec!["", ", PhD", " Jr.", " III"]),
            by_initial: bool,
            entered_first: bool,
        ) {
            let given = if by_initial { format!("{}.", &first[..1]) } else { first.clone() };
            let (plain, full) = (format!("{first} {last}"), format!("{before}{given}{middle} {last}{behind}"));
            let (entry, written) = if entered_first { (&full, &plain) } else { (&plain, &full) };
            prop_assert!(found(entry, written), "{} for {}", entry, written);
        }
    }
}
