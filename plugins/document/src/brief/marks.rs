//! Marks of headings and lists that Markdown doesn't know, mostly of Japanese texts: `■ 背景`, `【費用】`, `第1章 概要`, `・項目`.
//!
//! The same mark before several lines in a row makes a list of them.

use std::collections::BTreeSet;

use gtm_lexicon::documents::PART_COUNTERS;

use super::line_kinds::{Line, is_direction_label, is_heading, is_sentence, kinds};
use super::private_notes;

/// Longest heading, in characters.
const HEADING_CHARS: usize = 40;
/// Marks before headings.
const MARKS: [char; 12] = ['■', '□', '◆', '◇', '●', '○', '▼', '▽', '▶', '★', '☆', '◎'];
/// Marks of items that no blank need follow.
const BULLETS: [char; 3] = ['・', '－', '･'];
/// Signs between the number and the words of a heading.
const JOINTS: [char; 6] = ['．', '.', '、', '）', ')', ' '];
/// The sign before the number of a part: `第1章`.
const ORDINAL: char = '第';

/// What begins a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    Mark(char),
    Bracket,
    Number,
    Part,
    Bullet,
}

/// The text with its marks as Markdown has them.
pub fn as_markdown(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let begins: Vec<Option<(Begin, &str)>> = kinds(&lines)
        .into_iter()
        .zip(&lines)
        .map(|(kind, line)| begin_of(line).filter(|_| kind != Line::Code))
        .collect();
    let brackets = begins
        .iter()
        .filter(|begin| matches!(begin, Some((Begin::Bracket, _))))
        .count();
    let headings = marks_of_headings(&lines, &begins);
    let mut out = String::with_capacity(text.len() + 64);
    // Whether the line directly above is an item with a mark.
    let mut below_item = false;
    // The mark of the heading directly above, and the marks of headings below others.
    let mut above_next: Option<char> = None;
    let mut nested: BTreeSet<char> = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let is_below_item = std::mem::take(&mut below_item);
        let above = std::mem::take(&mut above_next);
        match begins.get(at).copied().flatten() {
            None => out.push_str(line),
            Some((Begin::Bullet, said)) => out.push_str(&format!("- {said}")),
            Some((Begin::Bracket, said)) => {
                out.push_str(&bracketed(line, said, brackets > 1).unwrap_or((*line).to_owned()));
            }
            Some((begin, said)) => {
                let is_marked = matches!(begin, Begin::Mark(_));
                let mark = match begin {
                    Begin::Mark(mark) => Some(mark),
                    _ => None,
                };
                let is_mark_of_headings = mark.is_some_and(|mark| headings.contains(&mark));
                let is_heading = (is_mark_of_headings || !(is_marked && is_below_item))
                    && opens_part(&lines, &begins, at, (begin, said), &headings);
                below_item = is_marked && !is_heading;
                if is_heading && let Some(mark) = mark {
                    if above.is_some_and(|above| above != mark) {
                        nested.insert(mark);
                    }
                    above_next = Some(mark);
                }
                let level = match mark.is_some_and(|mark| nested.contains(&mark)) {
                    true => "###",
                    false => "##",
                };
                let whole = match begin {
                    Begin::Mark(_) => said,
                    _ => line.trim(),
                };
                out.push_str(&match (is_heading, begin) {
                    (true, _) => format!("\n{level} {whole}\n"),
                    (false, Begin::Mark(_)) => format!("- {said}"),
                    (false, _) => (*line).to_owned(),
                });
            }
        }
        out.push('\n');
    }
    out
}

/// A line of a letter with its mark as Markdown has it: an item, or a heading of a few words in bold.
pub fn of_letter(lines: &[&str], at: usize) -> Option<String> {
    let begin = |at: usize| lines.get(at).and_then(|line| begin_of(line));
    let (own, said) = begin(at)?;
    let alike = |at: usize| begin(at).is_some_and(|(other, _)| other == own);
    let is_one_of_several = alike(at + 1) || at.checked_sub(1).is_some_and(alike);
    let is_short = said.chars().count() <= HEADING_CHARS && !is_sentence(said);
    match own {
        Begin::Bullet => Some(format!("- {said}")),
        Begin::Mark(_) if is_one_of_several => Some(format!("- {said}")),
        Begin::Mark(_) if is_short => Some(format!("**{said}**")),
        _ => None,
    }
}

fn begin_of(line: &str) -> Option<(Begin, &str)> {
    let bare = line.trim();
    let first = bare.chars().next()?;
    let rest = bare.get(first.len_utf8()..)?;
    if BULLETS.contains(&first) {
        return Some((Begin::Bullet, rest.trim())).filter(|(_, said)| !said.is_empty());
    }
    // `○○株式会社` leaves a name open.
    if MARKS.contains(&first) && !rest.starts_with(first) {
        return Some((Begin::Mark(first), rest.trim())).filter(|(_, said)| !said.is_empty());
    }
    if first == '【' {
        let (inner, _) = rest.split_once('】')?;
        return Some((Begin::Bracket, inner.trim())).filter(|(_, said)| !said.is_empty());
    }
    let digits = |text: &str| text.find(|c: char| !c.is_numeric()).unwrap_or(text.len());
    if first == ORDINAL {
        let end = digits(rest);
        let behind = rest.get(end..)?;
        let counts = PART_COUNTERS.iter().any(|word| behind.starts_with(word));
        return (end > 0 && counts).then_some((Begin::Part, bare));
    }
    let end = digits(bare);
    let behind = bare.get(end..)?;
    let said = behind.strip_prefix(JOINTS)?.trim();
    let is_unspaced = said.starts_with(gtm_writing::excerpts::is_unspaced);
    let is_wide = bare.starts_with(|c: char| c.is_numeric() && !c.is_ascii());
    (end > 0
        && !said.starts_with(char::is_numeric)
        && (is_unspaced || is_wide)
        && !behind.starts_with(' '))
    .then_some((Begin::Number, said))
}

/// `【費用】`, and `【費用】月額4万円` where several lines begin so. One that is private stays as it is.
fn bracketed(line: &str, inner: &str, several: bool) -> Option<String> {
    let (_, rest) = line.split_once('】')?;
    let rest = rest.trim();
    let fits = inner.chars().count() <= HEADING_CHARS && !private_notes::is_label(inner);
    let is_note = private_notes::is_signed(inner) || private_notes::is_missing(inner);
    if !fits || is_note || private_notes::opens(line.trim()) {
        return None;
    }
    match (is_direction_label(inner), rest.is_empty()) {
        (true, false) => Some(format!("\n{inner}：{rest}\n")),
        (_, true) => Some(format!("\n## {inner}\n")),
        (false, false) => several.then(|| format!("\n## {inner}\n\n{rest}")),
    }
}

/// The marks of lines directly above a text or items, which begin parts.
fn marks_of_headings(lines: &[&str], begins: &[Option<(Begin, &str)>]) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    for (at, begin) in begins.iter().enumerate() {
        let (Some((Begin::Mark(mark), said)), Some(below)) = (begin, lines.get(at + 1)) else {
            continue;
        };
        let next = begins.get(at + 1).copied().flatten();
        let above_text = !below.trim().is_empty() && !matches!(next, Some((Begin::Mark(_), _)));
        if above_text && !is_sentence(said) {
            found.insert(*mark);
        }
    }
    found
}

/// Whether a line names the part below it.
fn opens_part(
    lines: &[&str],
    begins: &[Option<(Begin, &str)>],
    at: usize,
    (begin, said): (Begin, &str),
    headings: &BTreeSet<char>,
) -> bool {
    let filled = |at: &usize| lines.get(*at).is_some_and(|line| !line.trim().is_empty());
    let alike = |at: usize| {
        let other = begins.get(at).copied().flatten();
        other.is_some_and(|(other, _)| other == begin)
    };
    let next = (at + 1..lines.len()).find(filled);
    // `● 港` above `○ 横浜` is an item of a list, unless one of the marks stands above texts elsewhere.
    let has_headings =
        |begin: Begin| matches!(begin, Begin::Mark(mark) if headings.contains(&mark));
    let lists = |next: usize| match begins.get(next).copied().flatten() {
        Some((below @ Begin::Mark(_), _)) => !has_headings(begin) && !has_headings(below),
        _ => false,
    };
    let says = |next: usize| {
        let below = lines.get(next).copied().unwrap_or_default();
        !alike(next) && !is_heading(below) && !lists(next)
    };
    let beside = at.checked_sub(1).is_some_and(alike) || is_counted_on(lines, at);
    said.chars().count() <= HEADING_CHARS && !is_sentence(said) && !beside && next.is_some_and(says)
}

/// Whether the number of a line goes on in the line directly above or below: `1. 調査` above `2. 1拠点での試験`.
fn is_counted_on(lines: &[&str], at: usize) -> bool {
    let number = |at: usize| -> Option<u32> {
        let bare = lines.get(at)?.trim();
        let end = bare.find(|c: char| !c.is_ascii_digit())?;
        let counts = bare.get(end..)?.starts_with(JOINTS);
        bare.get(..end)?.parse().ok().filter(|_| counts)
    };
    let Some(own) = number(at) else {
        return false;
    };
    let above = at.checked_sub(1).and_then(number);
    above.is_some_and(|above| above + 1 == own) || number(at + 1).is_some_and(|it| it == own + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{Brief, texts_of};

    fn parts(brief: &str) -> Vec<(String, String)> {
        let chapters = Brief::read(brief, "ja").chapters.into_iter();
        chapters
            .map(|chapter| {
                let texts = texts_of(&chapter.blocks).join(" / ");
                (chapter.heading.unwrap_or_default(), texts)
            })
            .collect()
    }

    #[test]
    fn lines_that_count_on_are_a_list_below_their_heading() {
        let brief = "# 提案\n\n## 流れ\n1. 調査（2週間）\n2. 1拠点での試験（6週間）\n3. 展開\n\n## 費用\n月額4万円です。";
        let expected = [
            ("流れ", "調査（2週間） / 1拠点での試験（6週間） / 展開"),
            ("費用", "月額4万円です。"),
        ];
        assert_eq!(
            parts(brief),
            expected.map(|(heading, text)| (heading.to_owned(), text.to_owned()))
        );
    }

    #[test]
    fn marked_lines_are_headings_and_items() {
        let expected = [
            ("背景", "弊社は310台のクレーンを監視しています。"),
            ("費用", "月額4万円 / 初期費用なし"),
        ];
        for [first, second] in [
            ["■ 背景", "■ 費用"],
            ["●背景", "●費用"],
            ["◆ 背景", "◆ 費用"],
            ["【背景】", "【費用】"],
        ] {
            let brief = format!(
                "{first}\n弊社は310台のクレーンを監視しています。\n\n{second}\n・月額4万円\n・初期費用なし"
            );
            assert_eq!(
                parts(&brief),
                expected.map(|(heading, text)| (heading.to_owned(), text.to_owned())),
                "{brief}"
            );
        }
        let numbered =
            "第1章 背景\n310台を監視しています。\n\n第2章 費用\n－月額4万円\n－初期費用なし";
        let headings: Vec<String> = parts(numbered)
            .into_iter()
            .map(|(heading, _)| heading)
            .collect();
        assert_eq!(headings, ["第1章 背景", "第2章 費用"]);
        let wide = "１．背景\n310台を監視しています。\n\n２．費用\n月額4万円です。";
        let headings: Vec<String> = parts(wide)
            .into_iter()
            .map(|(heading, _)| heading)
            .collect();
        assert_eq!(headings, ["１．背景", "２．費用"]);
    }

    #[test]
    fn the_same_mark_in_a_row_makes_a_list_and_a_private_bracket_stays_private() {
        assert_eq!(
            parts("対象の港は次のとおりです。\n\n● 横浜\n● 神戸\n● 博多"),
            [(
                String::new(),
                "対象の港は次のとおりです。 / 横浜 / 神戸 / 博多".to_owned()
            )]
        );
        let brief = Brief::read(
            "310台を監視しています。\n\n【社外秘】原価は3万円です。",
            "ja",
        );
        let text = brief.text();
        assert!(text.contains("310台") && !text.contains("原価"), "{text}");
    }

    #[test]
    fn lists_in_lists_are_no_headings() {
        let list = "対象の港は次のとおりです。\n\n● 関東\n　○ 横浜\n　○ 東京\n● 関西\n　○ 神戸\n\n以上の港で監視します。";
        assert_eq!(
            parts(list),
            [(
                String::new(),
                "対象の港は次のとおりです。 / 関東 / 横浜 / 東京 / 関西 / 神戸 / 以上の港で監視します。".to_owned()
            )]
        );
        let headings = "■ 概要\n● 背景\n310台を監視しています。\n● 目的\n停止を減らします。";
        assert_eq!(
            parts(headings),
            [(
                "概要".to_owned(),
                "背景 / 310台を監視しています。 / 目的 / 停止を減らします。".to_owned()
            )]
        );
    }

    #[test]
    fn orders_are_directions_and_no_title() {
        let brief = Brief::read(
            "提案書をPDF形式で2ページ以内にまとめてください。読み手は港の責任者です。ですます調でお願いします。\n\n\
             ■ 背景\n弊社は310台のクレーンを監視しています。\n\n■ 費用\n月額4万円です。\n\n敬体でお願いします。",
            "ja",
        );
        assert_eq!(brief.title, None);
        assert_eq!(brief.directions.len(), 4, "{:?}", brief.directions);
        assert!(!brief.text().contains("お願い") && brief.text().contains("月額4万円です。"));
        assert_eq!(brief.wishes.pages.map(|pages| pages.number), Some(2));
        let long = "# 弊社の監視サービスを導入することで御社の港湾におけるクレーンの停止時間を大幅に短縮し、年間の費用を削減するためのご提案の概要についての資料です。\n\n310台を監視しています。";
        assert_eq!(Brief::read(long, "ja").title, None);
    }
}
