//! What of a bound offer stands beside a brief's own words.

use gtm_sdk::json::json;

use crate::run::{Job, job};
use crate::wishes::run;

/// A job whose offer is sold in this language.
fn sold(brief: &str, display: &str, language: &str) -> Job {
    let mut job = job(brief);
    job.brand = json!({"language": language});
    job.offer = Some(json!({
        "name": "Coldwise Bridge",
        "pricing": {"model": "per_site_month", "currency": "EUR", "display": display, "disclose_in_copy": true},
    }));
    job
}

#[test]
fn the_offer_s_price_gives_way_to_the_brief_s_own() {
    for (language, display, brief, reason) in [
        (
            "en",
            "£490 per site and month",
            "# Cold rooms\n\n## What it takes\n\nThe bridge is fitted in a shift.\n\n| Item | Price |\n|---|---|\n| Setup | £6,500 |\n| Service | £450 |\n",
            "because the brief has its own",
        ),
        (
            "en",
            "£490 per site and month",
            "# Cold rooms\n\n## What we propose\n\nThe bridge is fitted in a shift. It costs £450 per site and month, and the team trains the shift leads on every site.\n",
            "“It costs £450 per site and month",
        ),
        (
            "de",
            "490 € je Standort und Monat",
            "# Kühlräume\n\n## Unser Vorschlag\n\nDie Brücke wird in einer Schicht eingebaut.\n\n- Laufzeit: 24 Monate\n- Preis: 450 € im Monat\n",
            "weil der Auftrag selbst einen nennt: “Preis: 450",
        ),
        (
            "fr",
            "490 € par site et par mois",
            "# Chambres froides\n\n## Notre proposition\n\nLe pont est posé en une journée.\n\n| Poste | Tarif |\n|---|---|\n| Pose | 6 500 € |\n| Service | 450 € |\n",
            "car le brief a le sien",
        ),
        (
            "es",
            "490 € por centro y mes",
            "# Cámaras frías\n\n## Nuestra propuesta\n\nEl puente se instala en un turno. Cada centro cuesta 450 € al mes, con la formación de los jefes de turno.\n",
            "porque el encargo tiene el suyo",
        ),
        (
            "it",
            "490 € per sito e mese",
            "# Celle frigorifere\n\n## La nostra proposta\n\nIl ponte si installa in un turno.\n\n| Voce | Importo |\n|---|---|\n| Posa | 6.500 € |\n| Servizio | 450 € |\n| Totale | 6.950 € |\n",
            "perché il brief ha il suo",
        ),
        (
            "nl",
            "€ 490 per locatie en maand",
            "# Koelcellen\n\n## Ons voorstel\n\nDe brug wordt in één dienst geplaatst. Elke locatie kost € 450 per maand, met de opleiding van de ploegleiders.\n",
            "omdat de opdracht een eigen prijs heeft",
        ),
    ] {
        let job = sold(brief, display, language)
            .with("/document_type", json!("proposal"))
            .set("language", json!(language));
        let (_, _, text, told) = run(job);
        assert!(!text.contains("490"), "{language}: {text}");
        assert!(told.contains(reason), "{language}: {told}");
    }
}

#[test]
fn amounts_of_other_things_leave_the_offer_s_price_in_place() {
    for brief in [
        "# Cold rooms\n\n## Today\n\nEach spoilt chamber lost £85,000 of fish. Nobody saw it before the morning.\n",
        "# Cold rooms\n\n## Today\n\n| Chamber | Loss |\n|---|---|\n| North | £6,500 |\n| South | £4,500 |\n",
    ] {
        let job =
            sold(brief, "£490 per site and month", "en").with("/document_type", json!("proposal"));
        let (_, _, text, told) = run(job);
        assert!(text.contains("£490 per site"), "{text}");
        assert!(!told.contains("because the brief has its own"), "{told}");
    }
}

#[test]
fn whoever_reads_the_document_stands_on_its_cover() {
    for (language, brief, kind, title, subtitle) in [
        (
            "en",
            "# Cold rooms\n\nClient: Acme Foods\nAttn: Anna Lindt, Head of Procurement\n\n## Today\n\nThe rooms of Acme Foods are read by hand every night.",
            "proposal",
            "Cold rooms",
            "Proposal for Acme Foods · Prepared for Anna Lindt, Head of Procurement",
        ),
        (
            "en",
            "# Cold rooms for Acme\n\nWrite a deck for Anna Lindt, Head of Procurement at Acme.\n\n## Today\n\nThe rooms are read by hand every night.",
            "deck",
            "Cold rooms for Acme",
            "Presentation for Anna Lindt, Head of Procurement at Acme",
        ),
        (
            "de",
            "# Kühlräume\n\nKunde: Acme Kost\nz. Hd.: Anna Lindt, Leiterin Einkauf\n\n## Heute\n\nDie Räume werden jede Nacht von Hand abgelesen.",
            "proposal",
            "Kühlräume",
            "Angebot für Acme Kost · Erstellt für Anna Lindt, Leiterin Einkauf",
        ),
        (
            "es",
            "Redacta una propuesta para Conservas de Ardiela.\n\n## Hoy\n\nLas cámaras se leen a mano cada noche en todos los turnos.",
            "proposal",
            "Propuesta para Conservas de Ardiela",
            "",
        ),
        (
            "it",
            "# Celle\n\nCliente: Acme Cibi\n\n## Oggi\n\nLe celle si leggono a mano ogni notte, in ogni turno.",
            "one_pager",
            "Celle",
            "per Acme Cibi",
        ),
        (
            "fr",
            "# Chambres froides\n\nLes chambres sont relevées à la main chaque nuit.\n\n## Faits\n\n- Client : Acme Mer\n- Chambres : quatre",
            "proposal",
            "Chambres froides",
            "Proposition pour Acme Mer",
        ),
        (
            "ja",
            "# 冷凍倉庫\n\nみどり物流様向けの提案書を作成してください。\n\n## 現状\n\n記録は一日に何度も手書きで行われています。",
            "proposal",
            "冷凍倉庫",
            "みどり物流様向け",
        ),
    ] {
        let job = job(brief)
            .alone()
            .with("/document_type", json!(kind))
            .set("language", json!(language));
        let (draft, _, text, _) = run(job);
        assert_eq!(draft["meta"]["title"], title, "{text}");
        let second = draft["meta"]["subtitle"].as_str().unwrap_or_default();
        assert!(second.contains(subtitle), "{second}: {text}");
    }
}
