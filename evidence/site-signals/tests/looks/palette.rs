//! Colours with their roles.

use gtm_site_signals::contrast;
use gtm_site_signals::css::{FontRole, Sheet};
use gtm_site_signals::palette::{ColorRole, palette};
use gtm_site_signals::typography::typography;

use crate::{COMPANY, failing, is, roles, swatches};

#[test]
fn a_company_s_palette_has_its_roles() {
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        swatches(&[COMPANY], &[]),
        [
            (
                ColorRole::Primary,
                "#0a5c36".to_owned(),
                name("brand-primary")
            ),
            (
                ColorRole::Secondary,
                "#f2a900".to_owned(),
                name("brand-secondary")
            ),
            (ColorRole::Background, "#fffdf8".to_owned(), name("paper")),
            (ColorRole::Text, "#1d2420".to_owned(), name("ink")),
        ]
    );
}

#[test]
fn use_beats_frequency() {
    // A grey and a decoration are more frequent than the colour of the button.
    let css = format!(
        "{}{}.button{{background:#e4002b;color:#fff}}a{{color:#e4002b}}body{{color:#333;background:#fff}}",
        ".x{border:1px solid #ddd}".repeat(40),
        ".chart{fill:#00a0b0}".repeat(4)
    );
    let found = roles(&[&css]);
    assert_eq!(found[0], is(ColorRole::Primary, "#e4002b"));
    assert!(!found.iter().any(|(_, hex)| hex == "#dddddd"), "{found:?}");
}

#[test]
fn what_shows_only_under_a_pointer_is_neither_the_main_colour_nor_the_ink() {
    let css = "
body{background:#ffffff}
.btn:hover,.btn:focus{background:#e4002b}
.card:hover .more{background:#d0021b} .tile:hover p,.tile:focus p{color:#1a1a1a}
.btn{background:#0a5c36;color:#ffffff} p{color:#333333}";
    let found = roles(&[css]);
    assert_eq!(found[0], is(ColorRole::Primary, "#0a5c36"));
    for hex in ["#e4002b", "#d0021b", "#1a1a1a"] {
        assert!(!found.iter().any(|(_, known)| known == hex), "{found:?}");
    }
    assert!(found.contains(&is(ColorRole::Text, "#333333")), "{found:?}");
}

#[test]
fn what_a_framework_only_offers_does_not_count() {
    let css = "
:root{--bs-blue:#0d6efd;--bs-primary:#0d6efd;--wp--preset--color--vivid-red:#cf2e2e;--tw-ring-color:#3b82f6}
.has-vivid-red-color{color:var(--wp--preset--color--vivid-red)!important}
.has-vivid-red-background-color{background-color:var(--wp--preset--color--vivid-red)!important}
.site-header{background:#5b2a86} a{color:#5b2a86}";
    assert_eq!(roles(&[css]), [is(ColorRole::Primary, "#5b2a86")]);
}

#[test]
fn a_tone_is_not_the_colour_itself() {
    let css = ":root{--green:#4d774e;--green-dark:#3b5f3d}h1,h2,h3,a{color:var(--green-dark)}nav a{color:var(--green-dark)}\
        .badge{background:var(--green);color:#fff}.tag{background:var(--green)}";
    assert_eq!(roles(&[css])[0], is(ColorRole::Primary, "#4d774e"));
}

#[test]
fn what_the_site_calls_text_is_no_colour_of_the_brand() {
    let css = ":root{--text:#0f172a;--accent:#2563eb}body{background:#fff;color:var(--text)}footer{background:var(--text);color:#fff}\
        .btn{background:var(--accent);color:#fff}";
    assert!(
        !roles(&[css])
            .iter()
            .any(|(role, hex)| hex == "#0f172a" && *role != ColorRole::Text)
    );
}

#[test]
fn sheets_of_a_page_complete_each_other() {
    // As site builders do it: values in the page, rules in a file.
    let inline =
        ":root{--accent-rgb:228,0,43;--main:#123a6b;--heading-font:'Playfair Display',serif}";
    let linked = "body{background:#fff;color:#222}.btn{background:var(--main);color:#fff}\
        .badge{background:rgb(var(--accent-rgb))}h1{font-family:var(--heading-font)}.late{color:var(--main)}";
    let (inline, linked) = (Sheet::read(inline), Sheet::read(linked));
    let alone = palette(&[&linked], &[], None);
    assert!(
        alone
            .iter()
            .all(|swatch| swatch.role != ColorRole::Accent && swatch.hex != "#123a6b")
    );
    let both: Vec<_> = palette(&[&inline, &linked], &[], None)
        .into_iter()
        .map(|swatch| (swatch.role, swatch.hex, swatch.name))
        .collect();
    assert_eq!(
        both[0],
        (
            ColorRole::Primary,
            "#123a6b".to_owned(),
            Some("main".to_owned())
        )
    );
    assert_eq!(both[1].0, ColorRole::Accent);
    assert_eq!(both[1].1, "#e4002b");
    let faces = typography(&[&inline, &linked], None);
    assert_eq!(
        (faces[0].family.as_str(), faces[0].role),
        ("Playfair Display", FontRole::Heading)
    );
    // The order of the sheets doesn't matter here.
    assert_eq!(
        palette(&[&linked, &inline], &[], None),
        palette(&[&inline, &linked], &[], None)
    );
}

#[test]
fn a_variant_lends_its_colours_to_what_it_varies() {
    // As component libraries do it.
    let css = ".btn{--btn-bg:transparent;--btn-fg:#222;background:var(--btn-bg);color:var(--btn-fg)}.btn:hover{background:var(--btn-hover)}\
        .btn-primary{--btn-fg:#fff;--btn-bg:#e4002b;--btn-hover:#c10025}.btn-success{--btn-bg:#080}.x{--unused:#123abc}";
    assert_eq!(
        roles(&[css]),
        [
            is(ColorRole::Primary, "#e4002b"),
            is(ColorRole::Text, "#222222")
        ]
    );
    let sheet = Sheet::read(css);
    let red = sheet
        .colors
        .iter()
        .find(|color| color.hex == "#e4002b")
        .unwrap();
    assert_eq!((red.count, red.background, red.weight), (1, 1, 8));
    assert!(
        sheet
            .pairs
            .iter()
            .any(|pair| (pair.foreground.as_str(), pair.background.as_str())
                == ("#ffffff", "#e4002b"))
    );
}

#[test]
fn shades_and_messages_are_no_colours_of_their_own() {
    let css = "a{color:#1d70b8}.btn{background:#1d70b8;color:#fff}.btn:hover{background:#003078}.card a:hover{color:#5694ca}\
        .form-control.is-valid{border-color:#198754}.form-control:invalid{border-color:#dc3545}.valid-feedback{color:#198754}";
    assert_eq!(roles(&[css]), [is(ColorRole::Primary, "#1d70b8")]);
    // A green button counts, whatever else on the page is green.
    let css = ".btn{background:#00703c;color:#fff}.banner--success{background:#00703c}.tag-success{color:#00703c}.alert-success a{color:#00703c}";
    assert_eq!(roles(&[css]), [is(ColorRole::Primary, "#00703c")]);
    // A colour that the site's own property names as a message stays one wherever it is used.
    let css = ":root{--color-success:#0a0;--primary-disabled:#9cf}a{color:#1d70b8}.badge,.x{background:var(--color-success)}";
    assert_eq!(roles(&[css]), [is(ColorRole::Primary, "#1d70b8")]);
}

#[test]
fn a_second_colour_has_a_role() {
    // Colours that are named after the brand, but are not its first.
    let css = ":root{--brand-ink:#12355b;--brand-sun:#f5a524;--brand-moss:#3f7d58}a,h1{color:var(--brand-ink)}.btn{background:var(--brand-ink)}\
        .badge{background:var(--brand-sun)}.card{border-top:4px solid var(--brand-moss)}";
    assert_eq!(
        roles(&[css]),
        [
            is(ColorRole::Primary, "#12355b"),
            is(ColorRole::Secondary, "#f5a524"),
            is(ColorRole::Accent, "#3f7d58")
        ]
    );
    // Button classes are recognized in other languages too.
    for name in ["bouton", "boton-principal", "knop", "bottone"] {
        let css = format!(
            "a,h1,h2{{color:#0f5c4d}}footer{{background:#0f5c4d}}.{name}{{background:#c8553d;color:#fff}}"
        );
        assert_eq!(
            roles(&[&css]),
            [
                is(ColorRole::Primary, "#0f5c4d"),
                is(ColorRole::Secondary, "#c8553d")
            ]
        );
    }
}

#[test]
fn a_brand_without_colour_has_its_black() {
    let css =
        "body{background:#fff;color:#111}.btn{background:#000;color:#fff}.x{background:#f4f4f4}";
    assert_eq!(
        roles(&[css]),
        [
            is(ColorRole::Primary, "#000000"),
            is(ColorRole::Background, "#ffffff"),
            is(ColorRole::Text, "#111111")
        ]
    );
    assert_eq!(
        roles(&["body{color:#222}"]),
        [is(ColorRole::Text, "#222222")]
    );
    assert_eq!(roles(&[""]), []);
}

/// A page's own text colour that nobody can read on its background is painted over.
#[test]
fn text_can_be_read_on_the_background() {
    let text = |css: &str| -> Option<String> {
        let found = roles(&[css])
            .into_iter()
            .find(|(role, _)| *role == ColorRole::Text);
        found.map(|(_, hex)| hex)
    };
    let ground = "body{color:#20242a;background:#15181d}";
    assert_eq!(
        text(&format!(
            "{ground}h1,p,li{{color:#f4f2ee}}small{{color:#9aa0a8}}"
        ))
        .as_deref(),
        Some("#f4f2ee")
    );
    assert_eq!(text(ground), None);
    assert_eq!(
        text("body{color:#767676;background:#fff}h1{color:#111}").as_deref(),
        Some("#767676")
    );
}

#[test]
fn the_dark_scheme_is_kept_apart() {
    let css = ":root{--bg:#fff;--fg:#222;--link:#0044cc}body{background:var(--bg);color:var(--fg)}a{color:var(--link)}\
        @media (prefers-color-scheme:dark){:root{--bg:#101418;--fg:#e8e8e8}.hero{background:#ff00ff}}";
    let sheet = Sheet::read(css);
    assert!(!sheet.colors.iter().any(|color| color.hex == "#ff00ff"));
    assert_eq!(
        roles(&[css]),
        [
            is(ColorRole::Primary, "#0044cc"),
            is(ColorRole::Background, "#ffffff"),
            is(ColorRole::Text, "#222222")
        ]
    );
    let dark: Vec<_> = sheet
        .dark_pairs
        .iter()
        .map(|pair| (pair.foreground.as_str(), pair.background.as_str()))
        .collect();
    assert_eq!(dark, [("#e8e8e8", "#101418")]);
}

#[test]
fn uses_are_counted_by_kind() {
    let sheet = Sheet::read(
        ":root{--brand:#0a5c36;--unused:#abcdef}a,.nav a{color:var(--brand)}.btn{background:var(--brand);border:1px solid #0A5C36}svg{fill:rgb(10 92 54)}\
         p{color:transparent;background:currentColor}",
    );
    let brand = &sheet.colors[0];
    assert_eq!(brand.hex, "#0a5c36");
    assert_eq!(
        (
            brand.count,
            brand.background,
            brand.text,
            brand.border,
            brand.fill
        ),
        (4, 1, 1, 1, 1)
    );
    assert_eq!(brand.names, ["--brand"]);
    assert_eq!(brand.selectors, [".btn", "a", ".nav a", "svg"]);
    let unused = sheet
        .colors
        .iter()
        .find(|color| color.hex == "#abcdef")
        .unwrap();
    assert_eq!((unused.count, unused.weight), (0, 0));
    assert_eq!(sheet.colors.len(), 2);
}

#[test]
fn coloured_headings_speak_before_links() {
    let css = "body{background:#f7f3ea;color:#222222}h1,h2{color:#7a2e1d}a{color:#2c6a4a}.go{background:#2c6a4a;color:#fff}";
    assert_eq!(
        roles(&[css])[..2],
        [
            is(ColorRole::Primary, "#7a2e1d"),
            is(ColorRole::Secondary, "#2c6a4a")
        ]
    );
}

#[test]
fn a_word_before_all_names_says_nothing_of_one() {
    let css = ":root{--brand-ink:#1a1d21;--brand-paper:#ffffff;--brand-muted:#5a616a;--brand-ember:#d9694b;--brand-accent:#b23a22}\
        body{background:var(--brand-paper);color:var(--brand-ink)}.eyebrow,.mark{color:var(--brand-ember)}\
        .note{color:var(--brand-muted)}.btn{background:var(--brand-accent);color:#fff}";
    assert_eq!(roles(&[css])[0], is(ColorRole::Primary, "#b23a22"));
}

#[test]
fn what_is_painted_speaks_before_links() {
    let css = "body{background:#fff;color:#222222}a{color:#2c6a4a}.more a{color:#2c6a4a}.card a{color:#2c6a4a}\
        .band{background:#b5472f;color:#fff}.mark{background:#b5472f}";
    assert_eq!(roles(&[css])[0], is(ColorRole::Primary, "#b5472f"));
    // Alone they are all that the site shows.
    assert_eq!(
        roles(&["a{color:#2c6a4a}"]),
        [is(ColorRole::Primary, "#2c6a4a")]
    );
}

#[test]
fn a_muted_colour_is_none_of_the_brand() {
    let css = ":root{--muted:#5a6a94;--accent:#c2410c}body{background:#fff;color:#222}p,li,.lead{color:var(--muted)}\
        h3{color:var(--muted)}.tag{background:var(--accent);color:#fff}";
    let found = roles(&[css]);
    assert_eq!(found[0], is(ColorRole::Primary, "#c2410c"));
    assert!(
        !found
            .iter()
            .any(|(role, hex)| hex == "#5a6a94" && *role != ColorRole::Text),
        "{found:?}"
    );
}

#[test]
fn a_panel_with_text_of_its_own_weighs_more_than_a_stripe() {
    let css = "h1{color:#b5472f}a{color:#b5472f}.btn{background:#b5472f;color:#fff}.stripe{background:#8a8a00}\
        .panel{background:#1f3a4d;color:#fff}";
    assert_eq!(
        roles(&[css])[..2],
        [
            is(ColorRole::Primary, "#b5472f"),
            is(ColorRole::Secondary, "#1f3a4d")
        ]
    );
}

#[test]
fn the_signs_of_networks_are_theirs() {
    let css = "a{color:#0a5c36}.share-linkedin{background:#0d66c2;color:#fff}.social .youtube{background:red;color:#fff}";
    assert_eq!(roles(&[css]), [is(ColorRole::Primary, "#0a5c36")]);
    assert_eq!(failing(css), []);
}

#[test]
fn what_buttons_are_painted_with_is_the_main_colour_whatever_its_name() {
    let css = ":root{--accent:#c2410c;--deep:#1d4ed8}.btn{background:var(--accent);color:#fff}a{color:var(--accent)}\
        .note{border-color:var(--deep)}";
    assert!(roles(&[css]).contains(&is(ColorRole::Primary, "#c2410c")));
}

#[test]
fn widgets_paint_in_their_own_colours() {
    let css = ".swiper-button-next{background:#007aff;color:#fff;font-family:swiperfont}.cookie-banner .btn{background:#ff00aa}\
        .btn{background:#14532d;color:#fff}";
    let found = roles(&[css]);
    assert!(
        found.contains(&is(ColorRole::Primary, "#14532d")),
        "{found:?}"
    );
    assert!(
        !found
            .iter()
            .any(|(_, hex)| hex == "#007aff" || hex == "#ff00aa"),
        "{found:?}"
    );
    assert!(typography(&[&Sheet::read(css)], None).is_empty());
}

#[test]
fn a_style_of_one_element_is_not_that_of_all() {
    let html = "<body><p style=\"font-family:'Bebas Neue',sans-serif;color:#ffffff\">x</p><h3 style=\"font-family:Inter\">y</h3></body>";
    let address = url::Url::parse("https://acme.example/").unwrap();
    let page = gtm_site_signals::markup::Markup::read(Some("text/html"), html.as_bytes(), &address);
    let sheets = [
        Sheet::read(
            "body{background:#ffffff;color:#222222}.x{font-weight:800}.hero-title{font-family:'Bebas Neue'}.title{font-family:'Bebas Neue'}",
        ),
        Sheet::read(&page.inline_css),
    ];
    let sheets: Vec<&Sheet> = sheets.iter().collect();
    let found = typography(&sheets, None);
    let found: Vec<_> = found
        .iter()
        .map(|face| (face.family.as_str(), face.role))
        .collect();
    // One typeface a role, and what single elements are set in is not the page's.
    assert_eq!(found, [("Bebas Neue", FontRole::Heading)]);
    assert_eq!(contrast::failing(&sheets, None, 4.5), []);
    // A weight without a family is that of the page's typeface, which nothing names here.
    assert_eq!(typography(&sheets, None)[0].weights, [0u16; 0]);
}

#[test]
fn tones_and_lines_are_no_second_colour() {
    let css = ":root{--primary:#1a365d;--accent:#0d9488;--accent-light:#14b8a6;--accent-dark:#0f766e}h1,a{color:var(--primary)}\
        .x,.y{color:var(--accent)}.label{color:var(--accent-light)}.btn{background:var(--accent-dark)}.btn-2{background:var(--accent-dark)}.menu{border:1px dotted #339966}";
    let found = roles(&[css]);
    assert!(
        found.contains(&is(ColorRole::Accent, "#0d9488")),
        "{found:?}"
    );
    assert!(
        !found.iter().any(|(role, _)| *role == ColorRole::Secondary),
        "{found:?}"
    );
    assert!(!found.iter().any(|(_, hex)| hex == "#339966"), "{found:?}");
    // What buttons are painted with comes first, where it weighs nearly as much as the rest.
    let css = ":root{--deep:#003d58;--sea:#006cbc}h1,h2{color:var(--deep)}.btn{background:var(--sea);color:#fff}.btn:hover{background:var(--deep)}a{color:var(--sea)}";
    assert_eq!(roles(&[css])[0], is(ColorRole::Primary, "#006cbc"));
}

#[test]
fn names_of_text_and_of_shadows_are_no_names_of_brand_colours() {
    let found = swatches(
        &[
            ":root{--text-secondary:#37415f;--text-primary:#1f2a57;--shadow-lg:0 12px 40px rgba(69,47,145,.12);--shadow-tint:rgba(69,47,145,.12)}\
             body{background:#fff;color:#222}.btn{background:#452f91;color:#fff;box-shadow:var(--shadow-lg)}.card{box-shadow:0 1px 2px var(--shadow-tint)}\
             p{color:var(--text-secondary)}.site-header h2{color:var(--text-primary)}",
        ],
        &[],
    );
    assert_eq!(
        found.first(),
        Some(&(ColorRole::Primary, "#452f91".to_owned(), None)),
        "{found:?}"
    );
    // What only weighs in as text keeps its place behind, without a claim.
    let claimed = found
        .iter()
        .filter(|(role, ..)| *role == ColorRole::Secondary);
    assert!(
        claimed.into_iter().all(|(_, hex, _)| hex != "#37415f"),
        "{found:?}"
    );
}

#[test]
fn what_only_text_is_written_in_is_no_second_colour() {
    let page = "body{color:#1b2a4b;background:#fff}h1,h2,p{color:#1b2a4b}.button{background:#e4002b;color:#fff}";
    assert_eq!(
        roles(&[page]),
        [
            is(ColorRole::Primary, "#e4002b"),
            is(ColorRole::Background, "#ffffff"),
            is(ColorRole::Text, "#1b2a4b"),
        ]
    );
    // Painted, it is the brand's as well.
    let painted = roles(&[&format!("{page}footer{{background:#1b2a4b}}")]);
    assert!(
        painted.contains(&is(ColorRole::Secondary, "#e4002b")),
        "{painted:?}"
    );
    assert!(
        !painted.contains(&is(ColorRole::Text, "#1b2a4b")),
        "{painted:?}"
    );
}
