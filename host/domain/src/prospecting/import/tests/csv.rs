//! Files of CSV.

use proptest::prelude::*;

use super::terms;
use crate::prospecting::import::read_csv;

const HEADING: &str = "address,synthetic,qualification_status,qualification_decided_at,full_name,company_domain,evidence_kind,evidence_url,evidence_retrieved_at,evidence_content,evidence_excerpt,evidence_address_source_class,evidence_hook\n";

#[test]
fn csv_says_the_same_with_a_line_for_each_record() {
    let text = format!(
        "{HEADING}\
        sam@acme.example,false,accepted,2026-03-01T12:10:00Z,Sam Okafor,acme.example,address_provenance,https://acme.example/team,2026-03-01T12:00:00Z,\"Sam Okafor, Head\",\"Sam Okafor, Head\",published_by_company,\n\
        ada@acme.example,false,pending,,,,address_provenance,https://acme.example/team,2026-03-01T12:00:00Z,Ada,Ada,published_by_company,\n\
        Sam@acme.example,,,,,,personalization,https://acme.example/news,2026-03-01T12:00:00Z,News,News,,The block opens in June.\n"
    );
    let read = read_csv(text.as_bytes(), &terms()).unwrap();
    let shown: Vec<(String, usize)> = read
        .iter()
        .map(|one| (one.address.in_clear(), one.evidence.len()))
        .collect();
    assert_eq!(
        shown,
        [
            ("sam@acme.example".to_owned(), 2),
            ("ada@acme.example".to_owned(), 1)
        ]
    );
    assert_eq!(read[0].evidence[0].excerpt, "Sam Okafor, Head");
    assert_eq!(read[0].person.full_name.as_deref(), Some("Sam Okafor"));
    // Only marks between columns change: a tab within a value is refused.
    let plain = text.replace("Okafor, Head", "Okafor: Head");
    for mark in [";", "\t"] {
        assert_eq!(
            read_csv(plain.replace(',', mark).as_bytes(), &terms()).map(|read| read.len()),
            Ok(2)
        );
    }
}

#[test]
fn faults_of_csv_are_told_by_line_and_column() {
    let faults = |lines: &str| -> Vec<String> {
        let text = format!("{HEADING}{lines}");
        let faults = read_csv(text.as_bytes(), &terms()).unwrap_err();
        faults.iter().map(ToString::to_string).collect()
    };
    let told = faults(
        "sam@acme.example,maybe,accepted,2026-03-01T12:10:00Z,Sam,acme,address_provenance,https://acme.example,soon,x,Sam,published_by_company,\n\
         sam@acme.example,,,,,,personalization,https://acme.example,2026-03-01T12:00:00Z,y,News,,\n",
    );
    for wanted in [
        "line 2, column synthetic, must be true or false",
        "line 2, column company_domain, must be a domain",
        "line 2, column evidence_retrieved_at, must be an instant",
        "line 3, column evidence_hook, is required for evidence of this kind",
    ] {
        assert!(
            told.iter().any(|one| one.starts_with(wanted)),
            "{wanted} in {told:#?}"
        );
    }
    // A status or a kind that is none hides no other fault of its line.
    let told = faults(
        "sam@acme.example,false,yes,soon,Sam,acme,hearsay,https://acme.example,later,x,,published_by_company,\n",
    );
    assert_eq!(told.len(), 6, "{told:#?}");
    for wanted in [
        "line 2, column qualification_status, must be one of",
        "line 2, column qualification_decided_at, must be an instant",
        "line 2, column company_domain, must be a domain",
        "line 2, column evidence_kind, must be one of",
        "line 2, column evidence_retrieved_at, must be an instant",
        "line 2, column evidence_excerpt, is required",
    ] {
        assert!(
            told.iter().any(|one| one.starts_with(wanted)),
            "{wanted} in {told:#?}"
        );
    }
    let told = faults(
        "sam@acme.example,false,accepted,,Sam,,,,,,,,\nsam@acme.example,,,,Ada,,,,,,,,\n,true,,,,,,,,,,,\na,b\n",
    );
    assert_eq!(
        told,
        [
            "line 3, column full_name, differs from what an earlier line of this candidate says",
            "line 4 has no address",
            "line 5 has 2 fields, and the heading 13: from the column \"qualification_status\" on there are none",
        ]
    );
    // A line is one of the file, whatever a quoted field has in it.
    let told =
        faults("sam@acme.example,maybe,,,\"Sam\r\nOkafor\",,,,,,,,\r\n\r\n,true,,,,,,,,,,,\r\n");
    assert_eq!(told, ["line 5 has no address"]);
    let text = "adress,synthetic,synthetic\n";
    let told = read_csv(text.as_bytes(), &terms()).unwrap_err();
    assert!(told[0].to_string().contains("\"adress\""), "{}", told[0]);
    assert!(told[1].to_string().contains("twice"), "{}", told[1]);
    let told = read_csv(b"synthetic\ntrue\n", &terms()).unwrap_err();
    assert_eq!(told[0].to_string(), "line 1 lacks the column address");
}

#[test]
fn the_sample_is_one() {
    let sample = include_bytes!("../../../../../../samples/prospects.csv");
    let read = read_csv(sample, &terms()).unwrap();
    assert_eq!(read.len(), 2);
    assert!(
        read.iter()
            .all(|one| one.synthetic && !one.evidence.is_empty())
    );
}

proptest! {
    #[test]
    fn no_file_panics(text in "\\PC{0,80}", bytes: Vec<u8>) {
        let _ = read_csv(text.as_bytes(), &terms());
        let _ = read_csv(&bytes, &terms());
        let _ = read_csv(format!("{HEADING}{text}\n").as_bytes(), &terms());
    }
}
