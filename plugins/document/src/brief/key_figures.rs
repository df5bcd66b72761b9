//! A few key figures, each with what it counts: `- Error rate: 0.4 %`, or a table of them. A reader sees them side by side, each
//! large above its name.
//!
//! Danger: a list of prices, of times or of how long each step takes has labels and figures as well, and is read line by line.
//! So figures of one measure stay what they are, unless their heading calls them figures.

use gtm_document_model::block::{Bullets, Item, Kpi, Kpis};
use gtm_document_model::plain_text;
use gtm_document_model::table::Table;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{
    DATE_LABELS, EVENT_LABELS, PRICE_HEADINGS, REFERENCE_LABELS, VALUE_LABELS,
};
use gtm_lexicon::figures::HEADINGS;
use gtm_lexicon::{Phrases, fold, split};

use super::charts::{Figure, is_period};
use super::{one_line, totals};

/// How many figures stand side by side.
const FIGURES: std::ops::RangeInclusive<usize> = 2..=5;
/// Longest figure, label of one and line below it, in characters.
const FIGURE_CHARS: usize = 18;
const LABEL_CHARS: usize = 48;
const DETAIL_CHARS: usize = 60;
/// Digits of a number with zeros before it, which counts nothing: of a telephone.
const CODE_DIGITS: usize = 4;

/// A figure with its label, as somebody wrote them.
struct Pair {
    label: String,
    value: String,
    detail: Option<String>,
    figure: Figure,
}

/// The figures of a list whose every item is a label and a figure.
pub fn of_list(list: &Bullets, heading: &str) -> Option<Kpis> {
    if is_of_prices(heading) {
        return None;
    }
    let pairs = list.items.iter().map(pair_of).collect::<Option<Vec<_>>>()?;
    let counts = |pair: &&Pair| !pair.figure.is_bare();
    // `Room: 12` counts nothing; half of those that count say what.
    let told = 2 * pairs.iter().filter(counts).count() >= pairs.len();
    (told || is_one_of(&HEADINGS, heading)).then_some(())?;
    kpis(pairs)
}

/// The figures of a table that has nothing but labels and figures of several measures, or calls them values.
pub fn of_table(table: &Table, heading: &str) -> Option<Kpis> {
    let [_, values] = table.columns.as_slice() else {
        return None;
    };
    if is_of_prices(heading) {
        return None;
    }
    if !table.caption.is_empty() {
        return None;
    }
    let row = |row: &Vec<Vec<Run>>| match row.as_slice() {
        [label, value] if is_plain(label) && is_plain(value) => {
            pair(&plain_text(label), &plain_text(value))
        }
        _ => None,
    };
    let pairs = table.rows.iter().map(row).collect::<Option<Vec<_>>>()?;
    // What a column measures stands above it, and a tile has no room for that.
    let label = values.label.trim_matches(|c: char| !c.is_alphanumeric());
    let says_little = label.is_empty() || is_one_of(&VALUE_LABELS, label);
    let alike = pairs.windows(2).all(|pair| match pair {
        [one, other] => one.figure.is_measured_as(&other.figure),
        _ => true,
    });
    (says_little || !alike).then_some(())?;
    kpis(pairs)
}

/// Whether figures in large type would be what things cost: each is money, or their heading says so.
pub fn are_prices(kpis: &Kpis, heading: &str) -> bool {
    let is_money = |kpi: &Kpi| {
        // The currency may stand behind the figure, in what it counts: `49` and `€ a month`.
        let first = kpi.label.split_whitespace().next().unwrap_or_default();
        let whole = format!("{} {first}", kpi.value);
        [kpi.value.as_str(), whole.as_str()]
            .into_iter()
            .any(|it| Figure::read(it).is_some_and(|figure| figure.is_money()))
    };
    is_of_prices(heading) || kpis.items.iter().all(is_money)
}

/// Whether a heading stands above prices: `Our prices in 2027`.
fn is_of_prices(heading: &str) -> bool {
    let folded = fold(heading);
    PRICE_HEADINGS.any_in(&split(&folded))
}

fn kpis(pairs: Vec<Pair>) -> Option<Kpis> {
    let all = |is: fn(&Figure) -> bool| pairs.iter().all(|pair| is(&pair.figure));
    let read_by_line = all(Figure::is_money) || all(Figure::is_duration);
    if !FIGURES.contains(&pairs.len()) || read_by_line {
        return None;
    }
    let items = pairs.into_iter().map(|pair| Kpi {
        value: pair.value,
        label: pair.label,
        detail: pair.detail,
        cite: Vec::new(),
    });
    Some(Kpis {
        items: items.collect(),
    })
}

fn pair_of(item: &Item) -> Option<Pair> {
    if !item.items.is_empty() || !is_plain(&item.runs) {
        return None;
    }
    let text = plain_text(&item.runs);
    let (label, value) = text
        .split_once([':', '：'])
        .or_else(|| text.split_once(" – "))
        .or_else(|| text.split_once(" — "))?;
    pair(label, value)
}

/// Whether nothing of a text leads or refers to anything else.
fn is_plain(runs: &[Run]) -> bool {
    runs.iter()
        .all(|run| run.href.is_none() && run.cite.is_empty())
}

fn pair(label: &str, value: &str) -> Option<Pair> {
    let label = one_line(label);
    let value = one_line(value);
    let value = value.trim_end_matches(['.', '。']);
    // `0.4 % (1.2 % in 2025)`
    let bracket = value
        .strip_suffix([')', '）'])
        .and_then(|value| value.split_once(['(', '（']));
    let (value, detail) = match bracket {
        Some((value, detail)) => (value.trim(), Some(one_line(detail))),
        None => (value, None),
    };
    let figure = Figure::read(value)?;
    let fits = (1..=FIGURE_CHARS).contains(&value.chars().count())
        && (1..=LABEL_CHARS).contains(&label.chars().count())
        && detail
            .as_ref()
            .is_none_or(|detail| (1..=DETAIL_CHARS).contains(&detail.chars().count()));
    let names_something_else = [&DATE_LABELS, &EVENT_LABELS, &REFERENCE_LABELS]
        .into_iter()
        .any(|labels| is_one_of(labels, &label));
    let counts = label.starts_with(char::is_alphabetic)
        && !names_something_else
        && !is_period(&label)
        && (figure.is_duration() || !is_period(value))
        && !is_code(value)
        && !totals::names_total(&label);
    (fits && counts).then(|| Pair {
        label,
        value: value.to_owned(),
        detail,
        figure,
    })
}

/// `0113 555 0190`
fn is_code(value: &str) -> bool {
    let digits = value.chars().filter(|c| c.is_numeric()).count();
    digits >= CODE_DIGITS
        && value.starts_with('0')
        && !value.starts_with("0,")
        && !value.starts_with("0.")
}

fn is_one_of(labels: &'static Phrases, label: &str) -> bool {
    let folded = fold(label);
    labels.are(&split(&folded))
}

#[cfg(test)]
mod tests {
    use gtm_document_model::block::Block;

    use super::super::{Brief, texts_of};

    /// The tiles of the only block below a heading, value and label.
    fn tiles(heading: &str, language: &str, content: &str) -> Vec<(String, String)> {
        let brief = Brief::read(
            &format!("# A\n\n## {heading}\n\n{content}\n\n## B\n\nA word of more."),
            language,
        );
        let blocks = brief.chapters.iter().flat_map(|chapter| &chapter.blocks);
        let tiles = blocks.filter_map(|block| match block {
            Block::Kpis(kpis) => Some(&kpis.items),
            _ => None,
        });
        tiles
            .flatten()
            .map(|kpi| (kpi.value.clone(), kpi.label.clone()))
            .collect()
    }

    #[test]
    fn labels_with_figures_of_several_measures_are_tiles() {
        for (language, heading, content, first) in [
            (
                "en",
                "Today",
                "- Error rate: 0.4 % (1.2 % in 2025)\n- Pallets a day: 1,200 pallets\n- Sites: 14\n",
                ("0.4 %", "Error rate"),
            ),
            (
                "de",
                "Kennzahlen",
                "- **Standorte:** 14\n- **Fahrzeuge:** 120\n",
                ("14", "Standorte"),
            ),
            (
                "de",
                "Lage",
                "- Fläche: 2.400 m²\n- Volllast: 70 Tage\n- Ausfälle seit 2028: 2\n- Strom: 41.000 €\n",
                ("2.400 m²", "Fläche"),
            ),
            (
                "fr",
                "Aujourd'hui",
                "- Taux d'erreur : 0,4 %\n- Quais : 14 quais\n",
                ("0,4 %", "Taux d'erreur"),
            ),
            (
                "it",
                "Oggi",
                "| Indicatore | Valore |\n|---|---|\n| Magazzini | 14 |\n| Mezzi | 120 |\n| Autisti | 160 |\n",
                ("14", "Magazzini"),
            ),
            (
                "es",
                "Hoy",
                "| | Hoy |\n|---|---|\n| Errores | 0,4 % |\n| Palés al día | 1.200 palés |\n",
                ("0,4 %", "Errores"),
            ),
            (
                "ja",
                "現状",
                "- 誤出荷率：0.4%\n- 倉庫数：14か所\n",
                ("0.4%", "誤出荷率"),
            ),
        ] {
            let found = tiles(heading, language, content);
            let (value, label) = first;
            let expected = (value.to_owned(), label.to_owned());
            assert_eq!(found.first(), Some(&expected), "{content}");
            assert!(found.len() > 1, "{found:?}");
        }
    }

    #[test]
    fn what_is_read_line_by_line_stays() {
        for content in [
            "- Setup: £480\n- A month: £95\n",
            "- Visit: 2 h\n- Test: 3 weeks\n",
            "- Room: 12\n- Floor: 3\n",
            "- Sales: 0113 555 0190\n- Support: 0113 555 0191\n",
            "- Q1 2027: 40 %\n- Q2 2027: 60 pallets\n",
            "- Sites: 14, all in the north\n- Error rate: 0.4 %\n",
            "- Date: 12\n- Error rate: 4 %\n",
            "| Site | Pallets |\n|---|---|\n| Leeds | 120 |\n| Hull | 80 |\n",
            "| Part | Value |\n|---|---|\n| Doors | £480 |\n| Total | £480 |\n",
        ] {
            assert!(tiles("Today", "en", content).is_empty(), "{content}");
        }
        assert!(tiles("Price", "en", "- Setup: £480\n- Discount: 4 %\n").is_empty());
    }

    #[test]
    fn prices_are_no_tiles_however_they_are_dressed() {
        for content in [
            "- **49 €** Basic plan\n- **99 €** Pro plan\n",
            "- **£480** once\n- **£95** a month\n",
        ] {
            assert!(tiles("Plans", "en", content).is_empty(), "{content}");
        }
        let mixed = "- **49 €** Basic plan\n- **14** days of trial\n";
        assert!(tiles("Our prices in 2027", "en", mixed).is_empty());
        assert_eq!(
            tiles("Results", "en", "- **£2m** saved\n- **14** sites\n").len(),
            2
        );
    }

    #[test]
    fn nothing_of_a_list_is_lost() {
        let brief = Brief::read(
            "# A\n\n## Today\n\n- Error rate: 0.4 % (1.2 % in 2025)\n- Docks: 14 docks.\n",
            "en",
        );
        let blocks = brief.chapters.iter().flat_map(|it| texts_of(&it.blocks));
        let said = blocks.collect::<Vec<_>>().join("|");
        for word in ["Error rate", "0.4 %", "1.2 % in 2025", "Docks", "14 docks"] {
            assert!(said.contains(word), "{said}");
        }
    }
}
