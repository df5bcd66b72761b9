//! Sites in scripts without blanks are found their way in by the same tables as others.

use gtm_lexicon::{Phrases, fold, founding, legal, pages, seats, split, staff};

const PAGES: [(&str, &Phrases); 8] = [
    ("about", &pages::ABOUT),
    ("products", &pages::PRODUCTS),
    ("customers", &pages::CUSTOMERS),
    ("news", &pages::NEWS),
    ("careers", &pages::CAREERS),
    ("pricing", &pages::PRICING),
    ("imprint", &pages::IMPRINT),
    ("useless", &pages::USELESS),
];

#[test]
fn links_name_their_pages() {
    for (link, expected) in [
        ("会社概要", "about"),
        ("企業情報", "about"),
        ("青波社の会社案内", "about"),
        ("事業内容", "products"),
        ("製品・サービス", "products"),
        ("導入事例", "customers"),
        ("お知らせ", "news"),
        ("2027年度新卒採用情報", "careers"),
        ("料金プラン", "pricing"),
        ("お問い合わせはこちら", "imprint"),
        ("プライバシーポリシー", "useless"),
        ("关于我们", "about"),
        ("產品介紹", "products"),
        ("联系我们", "imprint"),
        ("회사소개", "about"),
        ("채용정보", "careers"),
        // Words that only contain another: better service, a cartridge, used products.
        ("サービスの向上に努めて", ""),
        ("カートリッジ", ""),
        ("使用製品を回収", ""),
    ] {
        let folded = fold(link);
        let words = split(&folded);
        let named = PAGES.iter().filter(|(_, names)| names.any_in(&words));
        let named: Vec<&str> = named.map(|(page, _)| *page).collect();
        assert_eq!(named.join(" "), expected, "{link}");
    }
}

#[test]
fn tables_on_a_company_have_known_labels() {
    let labels: [(&Phrases, &[&str]); 4] = [
        (
            &legal::NAME_LABELS,
            &["商号", "会社名", "公司名称", "회사명"],
        ),
        (&founding::LABELS, &["設立", "創業", "成立时间", "설립일"]),
        (&seats::LABELS, &["所在地", "本社", "总部地址", "본사"]),
        (
            &staff::LABELS,
            &["従業員数", "社員数", "员工人数", "임직원수"],
        ),
    ];
    for (known, texts) in labels {
        for text in texts {
            assert!(known.are(&split(text)), "{text}");
        }
    }
    assert!(!staff::LABELS.are(&split("従業員数の推移")));
    assert_eq!(split("1977年4月").first(), Some(&"1977"));
}
