//! Small sites of fictional companies.

use crate::web::Web;

const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    180, 0, 0, 0, 180, 8, 6, 0, 0, 0, 0, 0, 0, 0,
];

/// An English maker of weighing instruments with structured data, styles and a press page.
pub fn harrow() -> Web {
    let header = "<header><a href=/ aria-label='Harrowgate home'><img src=/logo.svg alt='Harrowgate Scales logo' class=logo width=160 height=40></a>\
        <nav><a href=/about>About</a><a href=/products>Products</a><a href=/customers>Customers</a><a href=/press>Press</a><a href=/careers>Careers</a>\
        <a href=/contact>Contact</a><a href=/legal>Legal notice</a><a href=/quote class=btn-primary>Request a quote</a></nav></header>";
    let footer = "<footer><p>© 2026 Harrowgate Scales Ltd. All rights reserved.</p><p>Registered in England and Wales, company number 09123456.</p>\
        <a href='https://www.linkedin.com/company/harrowgate-scales'>LinkedIn</a> <a href='https://www.youtube.com/@harrowgatescales'>YouTube</a>\
        <a href='https://twitter.com/intent/tweet?text=hello'>Share</a></footer>";
    let page = |title: &str, head: &str, main: &str| {
        format!(
            "<!doctype html><html lang=en-GB><head><title>{title}</title><link rel=stylesheet href=/site.css>{head}</head><body>{header}<main>{main}</main>{footer}</body></html>"
        )
    };
    let home_head = r##"<meta name=description content="Harrowgate Scales makes weighing instruments for small dairies."><meta property=og:site_name content="Harrowgate Scales">
        <meta property=og:locale content=en_GB><link rel=alternate hreflang=fr href=/fr/><meta name=theme-color content="#14532d"><link rel=apple-touch-icon sizes=180x180 href=/touch.png>
        <script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Organization","@id":"https://harrowgate.example/#org","name":"Harrowgate Scales","legalName":"Harrowgate Scales Ltd",
        "url":"https://harrowgate.example/","logo":"https://harrowgate.example/logo.svg","foundingDate":"1987","slogan":"Weigh less, know more","sameAs":["https://www.linkedin.com/company/harrowgate-scales"],
        "address":{"@type":"PostalAddress","addressLocality":"Ripon","addressRegion":"North Yorkshire","addressCountry":"GB"},"vatID":"GB 980 7806 84"}]}</script>"##;
    Web::new()
        .page(
            "https://harrowgate.example/",
            &page(
                "Harrowgate Scales – Weighing for small dairies",
                home_head,
                "<h1>Know what every churn weighs</h1><p>We build scales that log each churn by itself, so that a dairy of two people keeps honest books.</p>\
                 <p>Harrowgate Scales is a weighing instrument maker for small dairies in the north of England.</p>\
                 <h2>Why Harrowgate</h2><h3>Readings without paper</h3><p>Each reading is stored with its time. Nobody copies numbers.</p><h3>Repairs in two days</h3><p>We keep every part for fifteen years.</p>\
                 <ul><li>4,200 scales in daily use</li></ul><blockquote>The scale paid for itself in one winter, and we stopped arguing about the books.</blockquote><p>— Jane Roe, Fellside Creamery</p>",
            ),
        )
        .page(
            "https://harrowgate.example/about",
            &page(
                "About",
                "",
                "<h1>About us</h1><p>Harrowgate Scales was founded in 1987 by two sisters in a barn near Ripon. We are a family-run company of 34 people.</p><p>We are headquartered in Ripon, England.</p>\
                 <h2>Our mission</h2><p>We want every dairy, however small, to be paid for what it makes.</p>\
                 <h2>Our values</h2><h3>Plain words</h3><p>We say what a scale can't do.</p><h3>Long repair</h3><p>We mend before we sell.</p>\
                 <h2>Our commitments</h2><ul><li>We repair every scale that we ever sold, at a fixed price.</li></ul>",
            ),
        )
        .page(
            "https://harrowgate.example/products",
            &page(
                "Products",
                "",
                "<h1>Products</h1><h2>Churnline 40</h2><p>Churnline 40 weighs churns of up to 40 kilograms and sends each reading to your books.</p><p>Our scales are certified to ISO 9001 by an independent body.</p>",
            ),
        )
        .page(
            "https://harrowgate.example/customers",
            &page(
                "Customers",
                "",
                "<h1>Customers</h1><p>Fellside Creamery reduced its bookkeeping by 11 hours a month with nine of our scales.</p>",
            ),
        )
        .page(
            "https://harrowgate.example/press",
            &page(
                "Press",
                "",
                "<h1>Press</h1><h2>About Harrowgate Scales</h2><p>Harrowgate Scales makes weighing instruments that keep the books of small dairies. It was started by two sisters and still belongs to their family.</p>",
            ),
        )
        .page("https://harrowgate.example/careers", &page("Careers", "", "<h1>Careers</h1><p>We look for a calibration engineer who likes mornings.</p>"))
        .page(
            "https://harrowgate.example/contact",
            &page("Contact", "", "<h1>Contact</h1><p>Harrowgate Scales Ltd<br>4 Mill Yard, Ripon, North Yorkshire, HG4 1AB<br>United Kingdom<br>+44 1765 555010</p>"),
        )
        .page(
            "https://harrowgate.example/legal",
            &page(
                "Legal notice",
                "",
                "<h1>Legal notice</h1><p>Harrowgate Scales Ltd</p><p>VAT registration number: GB 980 7806 84</p><p>Harrowgate and Churnline are registered trademarks of Harrowgate Scales Ltd.</p>",
            ),
        )
        .file(
            "https://harrowgate.example/site.css",
            "text/css",
            b":root{--brand:#14532d;--ink:#1f2937;--paper:#ffffff;--signal:#ea580c}body{font-family:'Source Sans 3',Arial,sans-serif;font-weight:400;color:var(--ink);background:var(--paper)}\
              h1,h2,h3{font-family:'Bitter',Georgia,serif;font-weight:700;color:var(--brand)}.btn-primary{background:var(--signal);color:#fff}header{background:var(--brand);color:#fff}a{color:var(--brand)}",
        )
        .file(
            "https://harrowgate.example/logo.svg",
            "image/svg+xml",
            b"<svg xmlns='http://www.w3.org/2000/svg' width='160' height='40' viewBox='0 0 160 40'><path d='M0 0h160v40H0z' fill='#14532d'/></svg>",
        )
        .file("https://harrowgate.example/touch.png", "image/png", PNG)
}

/// A German maker of measuring technology with an imprint.
pub fn tarnbeck() -> Web {
    let page = |main: &str| {
        format!(
            "<!doctype html><html lang=de><head><title>Tarnbeck Messtechnik</title></head><body><nav><a href=/ueber-uns>Über uns</a><a href=/produkte>Produkte</a><a href=/impressum>Impressum</a></nav>\
             <main>{main}</main><footer>© 2026 Tarnbeck Messtechnik GmbH &amp; Co. KG</footer></body></html>"
        )
    };
    Web::new()
        .page(
            "https://tarnbeck.example/",
            &page("<h1>Wärme messen, wo sie entsteht</h1><p>Wir entwickeln Wärmezähler, die Stadtwerke ohne Ablesung abrechnen können.</p><a href=/termin>Termin vereinbaren</a>"),
        )
        .page(
            "https://tarnbeck.example/ueber-uns",
            &page("<h1>Über uns</h1><p>Die Tarnbeck Messtechnik wurde 1998 in Ulm gegründet und beschäftigt heute 85 Mitarbeitende.</p><h2>Unsere Werte</h2><ul><li>Sorgfalt: Wir prüfen jeden Zähler zweimal.</li><li>Ruhe: Wir versprechen nur, was wir messen.</li></ul>"),
        )
        .page("https://tarnbeck.example/produkte", &page("<h1>Produkte</h1><p>Der Zähler W3 funkt seine Werte einmal in der Stunde an die Leitstelle des Stadtwerks.</p>"))
        .page(
            "https://tarnbeck.example/impressum",
            &page(
                "<h1>Impressum</h1><h2>Angaben gemäß § 5 DDG</h2><p>Tarnbeck Messtechnik GmbH &amp; Co. KG<br>Messweg 12<br>89073 Ulm</p><p>Telefon: +49 731 5550120</p>\
                 <p>Registergericht: Amtsgericht Ulm, HRA 734512</p><p>Umsatzsteuer-Identifikationsnummer gemäß § 27a UStG: DE136695976</p>\
                 <p>Aufsichtsbehörde: Regierungspräsidium Tübingen, 72072 Tübingen</p>",
            ),
        )
}

/// A company whose pages contradict each other.
pub fn contradictory() -> Web {
    Web::new()
        .page(
            "https://acme.example/",
            r#"<html lang=en><head><title>Acme Rail</title><script type="application/ld+json">{"@type":"Organization","name":"Acme Rail","url":"https://acme.example/","foundingDate":"2011","numberOfEmployees":{"value":900}}</script></head>
            <body><nav><a href=/about>About</a><a href=/jobs>Jobs</a></nav><main><h1>Signals that stay green</h1><p>Acme Rail was founded in 2009 in Leeds.</p><p>We are headquartered in Leeds, England.</p></main></body></html>"#,
        )
        .text("https://acme.example/about", "<p>Acme Rail was founded in 2011 by three engineers.</p><p>Acme Rail employs 95 people today.</p>")
        .text("https://acme.example/jobs", "<p>Join Acme Rail, a team of 140 employees in two towns.</p><p>We are headquartered in Ghent, Belgium.</p>")
}

/// The site of the sample company, which the repository contains.
pub fn sample() -> Web {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/company-site");
    let mut web = Web::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap_or_default();
        let url = format!("https://tarnbeck.example/{name}");
        if name.ends_with(".html") {
            let html = String::from_utf8(bytes).unwrap();
            if name == "index.html" {
                web = web.page("https://tarnbeck.example/", &html);
            }
            web = web.page(&url, &html);
        } else if name.ends_with(".css") {
            web = web.file(&url, "text/css", &bytes);
        } else if name.ends_with(".svg") {
            web = web.file(&url, "image/svg+xml", &bytes);
        }
    }
    web
}
