//! Reads outcomes from CSV, such as the list of unsubscribes that a mail service exports, and says of every line that
//! is wrong what is wrong with it. Nothing of a file with a fault is used: a ledger must not lack a line unnoticed.

use csv::{ReaderBuilder, StringRecord};

use super::mail_address::MailAddress;
use super::subject::{Person, Subject};
use super::subject_fault::SubjectFault;
use super::{OutcomeKind, SubjectType};
use crate::Timestamp;
use crate::csv_lines::{
    LineFault, Lines, delimiter, headings, hint_of_separators, is_no_heading, malformed,
    wrong_count,
};
use crate::domain_name::DomainName;
use crate::prospecting::import::shows_an_address;

/// Most faults that are told at once.
pub const MAX_FAULTS: usize = 50;
/// Most lines of a file.
pub const MAX_LINES: usize = 100_000;
/// Longest source, in characters.
pub const MAX_SOURCE_CHARS: usize = 200;

/// The columns, in any order; `kind` and `occurred_at` must be there, and one that names somebody.
pub const COLUMNS: [&str; 6] = [
    "kind",
    "address",
    "domain",
    "person",
    "occurred_at",
    "source",
];

/// What happened to whom, as it was reported. Whom it names is personal data in clear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedOutcome {
    /// What happened.
    pub kind: OutcomeKind,
    /// To whom.
    pub subject: Subject,
    /// When.
    pub occurred_at: Timestamp,
    /// Where it was learned.
    pub source: String,
}

/// Reads a file. Commas, semicolons or tabs separate its fields; `source` is what a line without one has.
///
/// # Errors
/// What is wrong with it, at most [`MAX_FAULTS`].
pub fn read(
    file: &[u8],
    source: &str,
    now: Timestamp,
) -> Result<Vec<ReportedOutcome>, Vec<LineFault>> {
    let mut lines = ReaderBuilder::new()
        .delimiter(delimiter(file))
        .flexible(true)
        .has_headers(false)
        .from_reader(file);
    let mut records = lines.records();
    let mut places = Lines::of(file);
    let headings = headings(&mut records, &mut places).map_err(|fault| vec![fault])?;
    let columns = Columns::find(&headings)?;
    let mut read = Vec::new();
    let mut faults = Vec::new();
    for (index, record) in records.enumerate() {
        if faults.len() >= MAX_FAULTS {
            break;
        }
        if index >= MAX_LINES {
            faults.push(LineFault {
                line: record.map_or(1, |record| places.line_of(record.position())),
                column: None,
                message: format!("the file has more than {MAX_LINES} lines; split it"),
            });
            break;
        }
        match record {
            Ok(record) => {
                let line = places.line_of(record.position());
                match columns.outcome(&record, line, source, now) {
                    Ok(outcome) => read.push(outcome),
                    Err(fault) => faults.push(fault),
                }
            }
            Err(error) => faults.push(malformed(&error, &mut places, &headings)),
        }
    }
    if faults.is_empty() {
        Ok(read)
    } else {
        faults.truncate(MAX_FAULTS);
        Err(faults)
    }
}

/// Where each column of [`COLUMNS`] stands.
struct Columns([Option<usize>; COLUMNS.len()], StringRecord);

impl Columns {
    fn find(headings: &StringRecord) -> Result<Self, Vec<LineFault>> {
        let fault = |message: String| LineFault {
            line: 1,
            column: None,
            message,
        };
        // No message repeats whom a file names.
        if is_no_heading(headings) {
            let message = format!("must name the columns: {}", COLUMNS.join(", "));
            return Err(vec![fault(message)]);
        }
        let known = COLUMNS.join(", ");
        let mut found = [None; COLUMNS.len()];
        let mut faults = Vec::new();
        for (index, heading) in headings.iter().enumerate() {
            let heading = heading.trim().to_lowercase();
            match COLUMNS.iter().position(|column| *column == heading) {
                Some(column) if found[column].is_none() => found[column] = Some(index),
                Some(_) => faults.push(fault(format!("the column {heading:?} stands twice"))),
                None => faults.push(fault(format!(
                    "the column {heading:?} is not known; known are {known}{}",
                    hint_of_separators(headings)
                ))),
            }
        }
        let missing = |name: &str| {
            let at = COLUMNS.iter().position(|column| *column == name);
            at.is_none_or(|at| found[at].is_none())
        };
        for name in ["kind", "occurred_at"] {
            if missing(name) {
                faults.push(fault(format!("the column {name} is missing")));
            }
        }
        if missing("address") && missing("domain") {
            let message = "a column that names somebody is missing: address or domain";
            faults.push(fault(message.to_owned()));
        }
        if faults.is_empty() {
            Ok(Self(found, headings.clone()))
        } else {
            Err(faults)
        }
    }

    /// What stands in a column, if anything does.
    fn given<'r>(&self, record: &'r StringRecord, name: &str) -> Option<&'r str> {
        let column = COLUMNS.iter().position(|column| *column == name)?;
        let text = record.get(self.0[column]?)?.trim();
        Some(text).filter(|text| !text.is_empty())
    }

    fn outcome(
        &self,
        record: &StringRecord,
        line: u64,
        source: &str,
        now: Timestamp,
    ) -> Result<ReportedOutcome, LineFault> {
        let fault = |column: Option<&'static str>, message: String| LineFault {
            line,
            column,
            message,
        };
        // DANGER: a quotation mark that is not closed takes the next lines into a field, and nobody in them is entered.
        if record
            .iter()
            .any(|field| field.chars().any(char::is_control))
        {
            let message = "has a line end or another control character within a field; close each quotation mark";
            return Err(fault(None, message.to_owned()));
        }
        if record.len() != self.1.len() {
            let counted = wrong_count(record.len(), &self.1);
            return Err(fault(None, format!("it {counted}")));
        }
        let kind = match self.given(record, "kind").map(OutcomeKind::parse) {
            Some(Some(kind)) => kind,
            Some(None) => {
                let all = OutcomeKind::ALL.map(OutcomeKind::as_str).join(", ");
                return Err(fault(Some("kind"), format!("must be one of {all}")));
            }
            None => return Err(fault(Some("kind"), "is empty".to_owned())),
        };
        let [address, domain, person] =
            ["address", "domain", "person"].map(|name| self.given(record, name));
        let subject =
            named(address, domain, person).map_err(|(column, message)| fault(column, message))?;
        let occurred_at = match self.given(record, "occurred_at") {
            Some(text) => instant(text, now).map_err(|m| fault(Some("occurred_at"), m))?,
            None => return Err(fault(Some("occurred_at"), "is empty".to_owned())),
        };
        let source = self.given(record, "source").unwrap_or(source);
        let source = checked_source(source).map_err(|m| fault(Some("source"), m))?;
        Ok(ReportedOutcome {
            kind,
            subject,
            occurred_at,
            source,
        })
    }
}

/// Whom an entry is to name: an address, a domain, or a person with the company's domain.
///
/// # Errors
/// What is wrong, with the column that it is wrong in.
pub fn named(
    address: Option<&str>,
    domain: Option<&str>,
    person: Option<&str>,
) -> Result<Subject, (Option<&'static str>, String)> {
    let told = |subject_type: SubjectType| {
        let column = match subject_type {
            SubjectType::Address => "address",
            SubjectType::Domain => "domain",
            SubjectType::Person => "person",
        };
        move |fault: SubjectFault| (Some(column), fault.to_string())
    };
    match (address, domain, person) {
        (Some(address), None, None) => address
            .parse::<MailAddress>()
            .map(Subject::Address)
            .map_err(told(SubjectType::Address)),
        (None, Some(domain), None) => Subject::of_domain(domain).map_err(told(SubjectType::Domain)),
        (None, Some(domain), Some(person)) => {
            let company: DomainName = domain
                .parse()
                .map_err(|error| told(SubjectType::Domain)(SubjectFault::Domain(error)))?;
            Person::new(person, &company)
                .map(Subject::Person)
                .map_err(|fault| match fault {
                    SubjectFault::PublicMailDomain => told(SubjectType::Domain)(fault),
                    fault => told(SubjectType::Person)(fault),
                })
        }
        (None, None, Some(_)) => Err((
            Some("domain"),
            "must be the domain of the person's company".to_owned(),
        )),
        (None, None, None) => Err((
            None,
            "it names nobody: give an address, a domain, or a person with a domain".to_owned(),
        )),
        (Some(_), _, _) => Err((
            None,
            "it names more than one: give an address, or a domain with or without a person"
                .to_owned(),
        )),
    }
}

/// An instant or a day, which is not in the future.
///
/// # Errors
/// What is wrong with it.
pub fn instant(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let read = text
        .parse::<Timestamp>()
        .or_else(|_| format!("{text}T00:00:00Z").parse());
    match read {
        Ok(at) if at <= now => Ok(at),
        Ok(_) => Err("must not be in the future".to_owned()),
        Err(_) => Err(
            "must be a day such as 2026-11-21, or an instant such as 2026-11-21T15:00:00Z"
                .to_owned(),
        ),
    }
}

/// A source that is fit to be kept for ever.
///
/// # Errors
/// What is wrong with it.
pub fn checked_source(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        Err("must not be blank".to_owned())
    } else if text.chars().any(char::is_control) {
        Err("must not contain line breaks or other control characters".to_owned())
    } else if text.contains('@') || shows_an_address(text) {
        // DANGER: entries are kept for ever and name people by HMACs alone.
        Err("must not contain an e-mail address: it is kept for ever in clear".to_owned())
    } else if text.chars().nth(MAX_SOURCE_CHARS).is_some() {
        Err(format!("must have at most {MAX_SOURCE_CHARS} characters"))
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn now() -> Timestamp {
        "2026-11-21T15:00:00Z".parse().unwrap()
    }

    fn faults(file: &str) -> Vec<String> {
        let faults = read(file.as_bytes(), "import", now()).unwrap_err();
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn addresses_domains_and_persons_are_read() {
        let file = "\u{feff}Kind,address,domain,person,occurred_at,source\r\n\
            unsubscribe,Sam@Acme.example,,,2026-03-01,\r\n\
            objection,,acme.example,,2026-03-01T10:00:00Z,letter\r\n\
            complaint,,acme.example,\"Okafor, Sam\",2026-03-01,\r\n";
        let read = read(file.as_bytes(), "mail service", now()).unwrap();
        let told: Vec<(OutcomeKind, SubjectType, &str)> = read
            .iter()
            .map(|one| (one.kind, one.subject.subject_type(), one.source.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (
                    OutcomeKind::Unsubscribe,
                    SubjectType::Address,
                    "mail service"
                ),
                (OutcomeKind::Objection, SubjectType::Domain, "letter"),
                (OutcomeKind::Complaint, SubjectType::Person, "mail service"),
            ]
        );
        assert_eq!(read[0].occurred_at.to_string(), "2026-03-01T00:00:00.000Z");
    }

    /// Otherwise one person of two would be entered, under the names of both.
    #[test]
    fn a_quotation_mark_that_is_not_closed_is_a_fault() {
        let told = faults(
            "kind,domain,occurred_at,person\n\
             objection,acme.example,2026-03-01,\"Sam Okafor\n\
             objection,acme.example,2026-03-01,Kim Lee\n",
        );
        assert!(told[0].contains("close each quotation mark"), "{told:?}");
    }

    #[test]
    fn nobody_is_repeated_of_a_file_without_a_heading() {
        let told = faults("unsubscribe,sam@acme.example,2026-03-01\n");
        assert_eq!(
            told,
            [format!(
                "line 1: must name the columns: {}",
                COLUMNS.join(", ")
            )]
        );
    }

    #[test]
    fn no_source_shows_an_address_however_it_is_written() {
        for source in [
            "sam@acme.example",
            "sam＠acme.example",
            "sam%40acme.example",
        ] {
            assert!(checked_source(source).is_err(), "{source}");
        }
        assert_eq!(checked_source(" Letter ").as_deref(), Ok("Letter"));
    }

    #[test]
    fn semicolons_and_tabs_separate_as_well() {
        let file = "kind;address;occurred_at\nhard_bounce;sam@acme.example;2026-03-01\n";
        for file in [file.to_owned(), file.replace(';', "\t")] {
            assert_eq!(read(file.as_bytes(), "x", now()).unwrap().len(), 1);
        }
        let told = faults(&file.replace(';', "|"));
        assert!(
            told[0].ends_with("separate fields by commas, semicolons or tabs"),
            "{told:?}"
        );
    }

    #[test]
    fn lines_are_counted_as_they_stand_in_the_file() {
        let file = "\u{feff}kind,domain,person,occurred_at\n\n\
            bounce,acme.example,\"Sam\nOkafor\",2026-03-01\n\
            bounce,acme.example,,2026-03-01\n\n\n\
            bounce,acme.example,,2026-03-01\n";
        for file in [
            file.to_owned(),
            file.replace('\n', "\r\n"),
            file.replace('\n', "\r"),
        ] {
            let told = faults(&file);
            assert!(told[0].starts_with("line 3: "), "{told:?}");
            assert!(told[1].starts_with("line 5: kind"), "{told:?}");
            assert!(told[2].starts_with("line 8: kind"), "{told:?}");
        }
    }

    #[test]
    fn what_is_no_utf_8_is_told_by_line_and_column() {
        let mut file =
            b"kind,address,occurred_at\r\nunsubscribe,sam\xe4@acme.example,2026-03-01\r\n".to_vec();
        let told = read(&file, "x", now()).unwrap_err();
        assert_eq!(
            told[0].to_string(),
            "line 2: is not UTF-8 text in the column \"address\"; export the file as UTF-8"
        );
        file.retain(|b| *b != 0xe4);
        assert!(read(&file, "x", now()).is_ok());
    }

    #[test]
    fn every_fault_is_told_with_its_line() {
        let file = "kind,address,domain,person,occurred_at,source\n\
            bounce,sam@acme.example,,,2026-03-01,\n\
            unsubscribe,sam,,,2026-03-01,\n\
            unsubscribe,,gmail.com,,2026-03-01,\n\
            unsubscribe,,gmail.com,Sam,2026-03-01,\n\
            unsubscribe,sam@acme.example,acme.example,,2026-03-01,\n\
            unsubscribe,,,,2026-03-01,\n\
            unsubscribe,,,Sam,2026-03-01,\n\
            unsubscribe,sam@acme.example,,,2027-03-01,\n\
            unsubscribe,sam@acme.example,,,01.03.2026,\n\
            unsubscribe,sam@acme.example,,,,\n\
            unsubscribe,sam@acme.example,,,2026-03-01,sam@acme.example\n\
            unsubscribe,sam@acme.example\n";
        let told = faults(file);
        let wanted = [
            "line 2: kind must be one of unsubscribe,",
            "line 3: address must be an e-mail address alone",
            "line 4: domain is a public mail domain",
            "line 5: domain is a public mail domain",
            "line 6: it names more than one",
            "line 7: it names nobody",
            "line 8: domain must be the domain of the person's company",
            "line 9: occurred_at must not be in the future",
            "line 10: occurred_at must be a day",
            "line 11: occurred_at is empty",
            "line 12: source must not contain an e-mail address",
            "line 13: it has 2 fields, and the heading 6: from the column \"domain\" on there are none",
        ];
        assert_eq!(told.len(), wanted.len(), "{told:#?}");
        for (told, wanted) in told.iter().zip(wanted) {
            assert!(told.starts_with(wanted), "{told} is not {wanted}");
        }
    }

    #[test]
    fn a_heading_is_wanted() {
        assert_eq!(
            faults("email,when\n"),
            [
                "line 1: the column \"email\" is not known; known are kind, address, domain, person, occurred_at, source",
                "line 1: the column \"when\" is not known; known are kind, address, domain, person, occurred_at, source",
                "line 1: the column kind is missing",
                "line 1: the column occurred_at is missing",
                "line 1: a column that names somebody is missing: address or domain",
            ]
        );
        assert!(faults("kind,kind,address,occurred_at\n")[0].contains("stands twice"));
        let latin = b"kind,address,occurred_at\nunsubscribe,j\xf6rg@acme.example,2026-03-01\n";
        let told = read(latin, "x", now()).unwrap_err();
        assert!(
            told[0].to_string().contains("line 2: is not UTF-8"),
            "{}",
            told[0]
        );
    }

    #[test]
    fn no_more_faults_are_told_than_anybody_reads() {
        let mut file = "kind,address,occurred_at\n".to_owned();
        file.push_str(&"x,y,z\n".repeat(200));
        assert_eq!(faults(&file).len(), MAX_FAULTS);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, text in "(kind|address|domain|occurred_at|[,;\"\\n]|\\PC){0,60}") {
            let _ = read(&bytes, "x", now());
            let _ = read(text.as_bytes(), "x", now());
        }
    }
}
