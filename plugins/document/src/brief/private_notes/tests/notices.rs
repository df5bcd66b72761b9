//! `Nota`, `Note` and their like draw a reader's attention to something; a note to colleagues says so.

use super::unclear::said_in;

#[test]
fn a_notice_to_the_reader_stays() {
    let notices = [
        ("es", "Nota: los precios no incluyen el IVA."),
        (
            "es",
            "Nota importante: el cliente recibe la factura cada mes.",
        ),
        (
            "es",
            "Nota: el cliente puede cancelar con 30 días de aviso.",
        ),
        ("es", "Nota sobre los precios: son válidos 30 días."),
        ("es", "Nota: el equipo de ventas les atiende de 9 a 18 h."),
        ("es", "Nota: la instalación interna tarda dos días."),
        (
            "es",
            "Nota para el cliente: la puerta queda abierta 2 horas.",
        ),
        ("es", "Nota del equipo técnico: la sala es de 40 m²."),
        ("es", "Nota de entrega: 40 cajas."),
        ("it", "Nota: i prezzi sono al netto dell'IVA."),
        ("it", "Nota bene: il cliente riceve la fattura ogni mese."),
        (
            "it",
            "Nota: il cliente può disdire con 30 giorni di preavviso.",
        ),
        ("it", "Nota sui prezzi: valgono 30 giorni."),
        ("it", "Note: il cliente sceglie il giorno."),
        ("it", "Nota tecnica: la sala è di 40 m²."),
        ("it", "Nota di consegna: 40 casse."),
        ("it", "Nota per il cliente: la porta resta aperta 2 ore."),
        (
            "it",
            "La nostra squadra, nota per la cura, arriva in 2 giorni.",
        ),
        ("pt", "Nota: os preços não incluem IVA."),
        ("pt", "Nota: o cliente pode cancelar com 30 dias de aviso."),
        ("pt", "Nota sobre os preços: são válidos por 30 dias."),
        ("pt", "Nota fiscal: emitida no dia 5."),
        ("pt", "Nota para o cliente: a porta fica aberta 2 horas."),
        ("pt", "Observação: a sala tem 40 m²."),
        ("es", "Nota: preferimos pago a 30 días."),
        ("fr", "Note : les prix sont hors taxes."),
        (
            "fr",
            "Note pour le client : la porte reste ouverte 2 heures.",
        ),
    ];
    let withheld: Vec<&str> = (notices.into_iter())
        .filter(|(language, said)| said_in(language, said).1 > 0)
        .map(|(_, said)| said)
        .collect();
    assert!(withheld.is_empty(), "{withheld:#?}");
}
