//! Roles that nobody is said to have.

use crate::run::acme;
use crate::web::Web;

fn roles(language: &str, about: &str) -> Vec<String> {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/about>About us</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>"),
        )
        .page(
            "https://acme.example/about",
            &page(&format!("<h1>Acme</h1>{about}")),
        );
    let committee = acme(web).draft()["result"]["buying_committee"].clone();
    let committee = committee.as_array().unwrap().iter();
    committee
        .map(|role| role["role"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_word_for_a_role_counts_beside_whoever_has_it() {
    for (language, role, name) in [
        ("fr", "Directeur", "Jean Roux"),
        ("de", "Geschäftsführer", "Anna Beck"),
    ] {
        let alone =
            format!("<h2>{role}</h2><p>Er oder sie plant und leitet alles, was wir tun.</p>");
        assert_eq!(roles(language, &alone), [""; 0], "{language}");
        let beside = format!("<h2>{role}</h2><p>{name}</p>");
        assert_eq!(roles(language, &beside), [role], "{language}");
    }
}
