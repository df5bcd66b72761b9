//! Pairs of colours that people can hardly read.

use gtm_site_signals::contrast::{self, FailingPair};
use gtm_site_signals::css::{Sheet, joined};

use crate::{COMPANY, failing, fails};

#[test]
fn contrast_is_that_of_wcag() {
    // Published values: black on white 21, #767676 on white just above 4.5, red on white 3.998.
    assert_eq!(contrast::ratio("#000000", "#ffffff"), 21.0);
    assert!((contrast::ratio("#767676", "#ffffff") - 4.54).abs() < 0.005);
    assert!((contrast::ratio("#ff0000", "#ffffff") - 3.998).abs() < 0.001);
    assert_eq!(contrast::ratio("red", "#ffffff"), 1.0);
}

#[test]
fn failing_pairs_are_those_that_people_see() {
    // Both colours in one rule.
    assert_eq!(
        failing(".cta{background:#ffcc00;color:#fff}"),
        [fails("#ffffff", "#ffcc00", 1.51)]
    );
    // The background comes from the page, for elements and for classes whose text is probably on it: a class in a
    // colour that nobody chooses for text there is a part with a ground of its own.
    assert_eq!(
        failing(
            "body{background:#fff;color:#222}p{color:#aaaaaa}.muted{color:#999999}.hero-label{color:#14b8a6}"
        ),
        [
            fails("#aaaaaa", "#ffffff", 2.32),
            fails("#999999", "#ffffff", 2.84)
        ]
    );
    // Nor does what shows under a pointer, or an icon within a note, fail.
    assert_eq!(
        failing(
            ".x:hover{background:#e2e8f0;color:#ef4444}.note{background:#fef3c7;color:#92400e}.note__icon{color:#f59e0b}"
        ),
        []
    );
    // White text in a dark footer is no failure, whichever rule sets it.
    assert_eq!(
        failing(
            "body{background:#fff;color:#222}.footer{background:#111}.footer a{color:#fff}.footer__note{color:#eee}.claim{color:#fafafa}"
        ),
        []
    );
    // The background comes from another rule of the same class, or of the class that this one modifies.
    assert_eq!(
        failing(
            ".tag{background:#eee}.tag{color:#888}.btn{color:#fff;background:#000}.btn--soft{background:#999}"
        ),
        [
            fails("#ffffff", "#999999", 2.84),
            fails("#888888", "#eeeeee", 3.05)
        ]
    );
    // A variant that removes its background is on the page's; hidden text does not count.
    assert_eq!(
        failing(
            "body{background:#fff;color:#000}.button{background:#1779ba;color:#fff}.button.hollow{color:#1779ba}.button-text{background:transparent;color:#1779ba}.x{color:#fff;background:#fff}"
        ),
        []
    );
    // On a picture, the contrast is unknown; a disabled control needs none.
    assert_eq!(
        failing(
            "body{background:#fff}.hero{background:url(x.jpg) #fff}.hero h1{color:#fff}input:disabled{color:#bbb;background:#ccc}"
        ),
        []
    );
}

#[test]
fn failing_pairs_are_found_across_sheets_and_schemes() {
    let page = Sheet::read(":root{--paper:#ffffff}");
    let theme = Sheet::read("body{background:var(--paper)}");
    let text = Sheet::read("p{color:#999999}");
    assert_eq!(
        contrast::failing(&[&page, &theme, &text], None, 4.5),
        [FailingPair {
            foreground: "#999999".to_owned(),
            background: "#ffffff".to_owned(),
            ratio: 2.84
        }]
    );
    assert_eq!(
        failing(
            "body{background:#fff;color:#000}@media (prefers-color-scheme:dark){body{background:#000;color:#333}}"
        ),
        [fails("#333333", "#000000", 1.66)]
    );
}

#[test]
fn one_sheet_read_as_a_page_stays_what_it_is() {
    let sheet = Sheet::read(COMPANY);
    let whole = joined(&[&sheet], None);
    assert_eq!(whole.pairs, sheet.pairs);
    assert_eq!(whole.fonts, sheet.fonts);
    let colors = |sheet: &Sheet| -> Vec<_> {
        sheet
            .colors
            .iter()
            .map(|color| (color.hex.clone(), color.count, color.weight))
            .collect()
    };
    assert_eq!(colors(&whole), colors(&sheet));
}
