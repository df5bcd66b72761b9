//! Whatever a backend may cite through the words of the lexicon, the check can verify.

use gtm_domain::guideline::words::Ownership;
use gtm_lexicon::{
    Phrases, countries, country_of_register, figures, is_registered_in, legal_forms, months,
    networks, ownership, registers, vat_labels,
};
use url::Url;

use crate::brand::countries::Country;
use crate::brand::identifiers::is_vat_of;
use crate::brand::ownership::is_stated_in;
use crate::brand::postal::is_posted_in;
use crate::brand::profiles::is_profile;
use crate::literals::Literals;

#[test]
fn every_mark_of_a_register_tells_its_country() {
    for register in registers() {
        for mark in register.marks {
            let text = format!("Acme, {mark} 12345");
            assert!(is_registered_in(register.country, &text), "{text}");
        }
    }
}

/// The backend asks for the country, the check for this country: in whatever capitals a site prints the mark.
#[test]
fn a_register_that_the_backend_finds_is_one_for_the_check() {
    for text in [
        "N° Siren : 404 833 048",
        "Siret 40483304800022",
        "Kvk-nummer: 12345678",
        "Amtsgericht Ulm, Hrb 734512",
        "Partita Iva 00743110157",
    ] {
        let code = country_of_register(text).unwrap();
        assert!(is_registered_in(code, text), "{text}");
    }
}

#[test]
fn every_name_of_a_country_names_it() {
    for known in countries::all() {
        let country = Country::of_code(known.code).unwrap();
        for name in known.names() {
            let text = format!("Acme, Elm Street 1, {name}");
            assert!(country.is_named_in(&text), "{text}");
        }
    }
}

#[test]
fn every_beginning_of_a_vat_number_tells_its_country() {
    for known in countries::all() {
        let country = Country::of_code(known.code).unwrap();
        for begin in known.vat {
            let text = format!("Acme, {begin}123456789");
            assert!(country.is_dialled_in(&text), "{text}");
        }
    }
}

#[test]
fn every_form_of_a_postal_code_with_letters_tells_its_country() {
    for known in countries::all().filter(|known| !known.code_first) {
        for form in known.postal {
            let code = form.replace('A', "B").replace('9', "1");
            let text = format!("Acme, 1 Elm Street, Springfield, Ohio {code}");
            assert!(is_posted_in(known.code, &text), "{text}");
        }
    }
}

#[test]
fn every_word_for_a_share_of_a_hundred_makes_a_percentage() {
    for phrase in figures::PERCENT.iter() {
        let text = format!("20 {} of it", phrase.join(" "));
        let missing = Literals::first_missing("20%", &[&Literals::of(&text)]);
        assert_eq!(missing, None, "{text}");
    }
}

#[test]
fn every_state_makes_an_address_one_of_the_usa() {
    for (code, name) in countries::states_of_usa() {
        for state in [code, name] {
            let text = format!("Acme, 1 Elm Street, Springfield, {state} 12345");
            assert!(is_posted_in("US", &text), "{text}");
        }
    }
}

#[test]
fn every_ownership_that_phrases_or_forms_say_is_seen() {
    let said: [(Ownership, &Phrases); 4] = [
        (Ownership::Nonprofit, &ownership::NONPROFIT),
        (Ownership::Subsidiary, &ownership::SUBSIDIARY),
        (Ownership::Public, &ownership::PUBLIC),
        (Ownership::Private, &ownership::PRIVATE),
    ];
    for (ownership, phrases) in said {
        for phrase in phrases.iter() {
            let text = format!("We are {} Group.", phrase.join(" ").replace('*', ""));
            assert!(is_stated_in(ownership, &text), "{text}");
        }
    }
    for form in legal_forms().iter().filter(|form| !form.elsewhere) {
        let Some(means) = form.means else { continue };
        let means = Ownership::ALL.iter().find(|o| o.as_str() == means.as_str());
        for written in form.written {
            let text = format!("Acme {written}, Acme Street 1");
            assert!(is_stated_in(*means.unwrap(), &text), "{text}");
        }
    }
}

#[test]
fn every_label_of_a_vat_number_counts() {
    for vat in vat_labels() {
        let number = match vat.country {
            "ES" => "B50917467",
            "IT" => "00743110157",
            "PT" => "501964843",
            country => panic!("no number of {country} is known to this test"),
        };
        for label in vat.labels {
            assert!(is_vat_of(&format!("{label}: {number}"), number), "{label}");
        }
    }
}

#[test]
fn every_network_has_its_profiles() {
    for network in networks() {
        for host in network.hosts.iter().chain(network.short_hosts) {
            let page = Url::parse(&format!("https://www.{host}/acme")).unwrap();
            let names = std::iter::once(&network.name).chain(network.also);
            for name in names {
                assert!(is_profile(name, &page), "{name} {page}");
            }
        }
    }
}

/// The year of a date is looked up among the numbers of its source, so a month in any language may precede
/// it.
#[test]
fn every_month_stands_before_a_year() {
    for (name, _) in months() {
        let literals = Literals::of(&format!("12 {name} 2026"));
        let numbers: Vec<u64> = literals.integers().collect();
        assert_eq!(numbers, [12, 2026], "{name}");
    }
}
