//! Japanese sites: the particulars of a company in the three forms in which pages write them, and names in logos.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at};
use crate::web::Web;

/// The rows of 会社概要, as a small building company has them.
const ROWS: [(&str, &str); 9] = [
    ("会社名", "株式会社緑原工務店"),
    ("代表者", "代表取締役 緑原 太郎"),
    ("設立", "1988年4月1日"),
    ("所在地", "〒392-0012 長野県諏訪市緑原1-2-3"),
    ("資本金", "2,000万円"),
    ("従業員数", "34名（2026年4月現在）"),
    ("事業内容", "木造住宅の設計・施工、リフォーム工事"),
    ("許認可", "長野県知事許可（般-3）第12345号"),
    ("主要取引先", "青波株式会社、赤川工業株式会社"),
];

fn page(title: &str, main: &str) -> String {
    format!(
        "<!doctype html><html lang=ja><head><title>{title}</title></head><body><header><a href=/><img src=/logo.svg alt='緑原工務店ロゴ'></a>\
         <nav><a href=/company>会社概要</a><a href=/service>事業案内</a></nav></header><main>{main}</main><footer><p>© 2026 緑原工務店</p></footer></body></html>"
    )
}

fn site(company: &str) -> Web {
    Web::new()
        .page(
            "https://acme.example/",
            &page("木の家をつくる", "<h1>木の家を、百年先まで。</h1><p>諏訪の木で家をつくっています。</p>"),
        )
        .page(
            "https://acme.example/company",
            &page("会社概要", &format!("<h1>会社概要</h1>{company}")),
        )
        .page(
            "https://acme.example/service",
            &page("事業案内", "<h1>事業案内</h1><div class=card><h3>新築住宅</h3><p>地元の木で建てる注文住宅です。</p></div>\
                <div class=card><h3>リフォーム</h3><p>古い家を暖かい家に直します。</p></div><div class=card><h3>耐震診断</h3><p>専門の職員が家を調べます。</p></div>"),
        )
}

/// The rows as a table, as a list of terms, and as lines of one paragraph.
fn forms() -> [(&'static str, String); 4] {
    let rows = |form: &dyn Fn(&str, &str) -> String| {
        let rows = ROWS.iter();
        rows.map(|(label, value)| form(label, value))
            .collect::<String>()
    };
    [
        (
            "table",
            format!(
                "<table>{}</table>",
                rows(&|label, value| format!("<tr><th>{label}</th><td>{value}</td></tr>"))
            ),
        ),
        (
            "terms",
            format!(
                "<dl>{}</dl>",
                rows(&|label, value| format!("<dt>{label}</dt><dd>{value}</dd>"))
            ),
        ),
        (
            "lines with colons",
            format!(
                "<p>{}</p>",
                rows(&|label, value| format!("{label}：{value}<br>"))
            ),
        ),
        (
            "lines with blanks",
            format!(
                "<p>{}</p>",
                rows(&|label, value| format!("{label}\u{3000}{value}<br>"))
            ),
        ),
    ]
}

#[test]
fn particulars_are_read_in_each_form() {
    for (form, company) in forms() {
        let draft = acme(site(&company)).draft();
        let expected = [
            ("/identity/legal_name", json!("株式会社緑原工務店")),
            ("/identity/founded_year", json!(1988)),
            ("/identity/employee_range", json!("11-50")),
            ("/identity/headquarters/locality", json!("諏訪市")),
            ("/identity/headquarters/country", json!("JP")),
        ];
        for (pointer, value) in expected {
            assert_eq!(
                draft["guideline"].pointer(pointer).unwrap_or(&Value::Null),
                &value,
                "{form}: {pointer}"
            );
        }
        let industries = at(&draft, "/identity/industries").to_string();
        assert!(
            industries.contains("木造住宅の設計・施工"),
            "{form}: {industries}"
        );
        // Proofs are not read from lines that only a blank parts.
        if form == "lines with blanks" {
            continue;
        }
        let proofs = at(&draft, "/positioning/proof_points").to_string();
        for proof in ["第12345号", "青波株式会社", "赤川工業株式会社"] {
            assert!(proofs.contains(proof), "{form}: {proof} in {proofs}");
        }
        for never in ["2,000万円", "ロゴ"] {
            assert!(!proofs.contains(never), "{form}: {proofs}");
        }
    }
}

#[test]
fn the_name_of_a_house_names_the_brand() {
    let company = "<table><tr><th>屋号</th><td>みどり製パン所</td></tr><tr><th>代表者</th><td>緑原 太郎</td></tr><tr><th>開業</th><td>2011年</td></tr>\
        <tr><th>所在地</th><td>長野県諏訪市緑原1-2-3</td></tr></table>";
    let page = |title: &str, main: &str| {
        format!(
            "<!doctype html><html lang=ja><head><title>{title}</title></head><body><header><nav><a href=/>ホーム</a><a href=/company>店舗情報</a></nav></header><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page(
                "天然酵母のパン",
                "<h1>毎朝、焼きたて。</h1><p>諏訪で天然酵母のパンを焼いています。</p>",
            ),
        )
        .page("https://acme.example/company", &page("店舗情報", company));
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/brand_name"), "みどり製パン所");
}

#[test]
fn a_line_of_copyright_that_leads_home_is_no_name() {
    let main = "<h1>左官のことなら</h1><p>土壁を塗り、古い蔵を直しています。</p>";
    let page = format!(
        "<html lang=ja><head><title>株式会社 緑原工業</title></head><body><main>{main}</main><footer><a href='#'>© 株式会社 緑原工業</a></footer></body></html>"
    );
    let draft = acme(Web::new().page("https://acme.example/", &page)).draft();
    let name = at(&draft, "/identity/brand_name").as_str().unwrap();
    assert!(!name.contains('©'), "{name}");
}
