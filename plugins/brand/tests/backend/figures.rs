//! Figures of the company among measures and prices of its goods, in the scripts in which they are written.

use crate::run::{acme, proofs_of};
use crate::web::home;

fn metrics(language: &str, main: &str) -> Vec<String> {
    let main = format!("<h1>Acme</h1>{main}");
    proofs_of(&acme(home(language, &[], &main, "")).draft(), "metric")
}

#[test]
fn a_unit_does_not_break_a_row_of_counters() {
    assert_eq!(
        metrics(
            "en",
            "<h2>So far</h2><ul><li>64 systems renewed</li><li>250 km of cable laid</li><li>5k+ users trained</li><li>More than 300 roofs</li></ul>"
        ),
        [
            "5k+ users trained",
            "64 systems renewed",
            "250 km of cable laid",
            "More than 300 roofs"
        ]
    );
    assert_eq!(
        metrics(
            "ja",
            "<h2>これまで</h2><ul><li>導入実績 640社</li><li>60年の歴史</li><li>９８％のお客様が継続</li></ul>"
        ),
        ["導入実績 640社", "60年の歴史", "９８％のお客様が継続"]
    );
}

#[test]
fn a_number_with_its_unit_stands_above_its_label() {
    assert_eq!(
        metrics(
            "ja",
            "<div>640社</div><div>お取引先</div><div>12,000円</div><div>年会費</div>"
        ),
        ["640社 お取引先"]
    );
    assert_eq!(
        metrics(
            "de",
            "<div>3.400 m²</div><div>Lagerfläche</div><div>180 cm</div><div>Breite der Bank</div>"
        ),
        ["3.400 m² Lagerfläche"]
    );
}

#[test]
fn measures_and_prices_of_goods_are_no_figures() {
    for (language, main) in [
        (
            "de",
            "<h2>Gartenbank Elm</h2><ul><li>1.290,00 € Gartenbank</li><li>2.500 mm lang</li><li>1.200 kg belastbar</li></ul>",
        ),
        (
            "en",
            "<h2>The van</h2><ul><li>1,200 kg of payload</li><li>2,500 mm long</li><li>4,100 mm wheelbase</li></ul>",
        ),
        ("ja", "<div>12,000円</div><div>木のベンチ</div>"),
    ] {
        assert_eq!(metrics(language, main), [""; 0], "{main}");
    }
}

#[test]
fn pages_called_after_a_trade_give_figures() {
    let told = |label: &str, title: &str| {
        let web = home("en", &[("/r", label)], "<h1>Acme</h1>", "").text(
            "https://acme.example/r",
            &format!(
                "<h1>{title}</h1><p>We lay them in a day.</p><div>4,200+</div><div>roofs laid</div>"
            ),
        );
        proofs_of(&acme(web).draft(), "metric")
    };
    assert_eq!(
        told("Roofing", "Roofing in the north"),
        ["4,200+ roofs laid"]
    );
    assert_eq!(told("Roofing", "A town on a hill"), [""; 0]);
    assert_eq!(told("Steps", "Steps"), [""; 0]);
}
