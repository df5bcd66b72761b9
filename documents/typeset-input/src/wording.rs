//! The few words that no document brings along, dates and paper, as a language and its countries have them.

/// Title of the contents and of the sources, in English where the language isn't known here.
#[must_use]
pub fn words(language: &str) -> (&'static str, &'static str) {
    let primary = language.split('-').next().unwrap_or_default();
    match primary.to_ascii_lowercase().as_str() {
        "ar" => ("المحتويات", "المصادر"),
        "cs" => ("Obsah", "Zdroje"),
        "da" => ("Indhold", "Kilder"),
        "de" => ("Inhalt", "Quellen"),
        "el" => ("Περιεχόμενα", "Πηγές"),
        "es" => ("Contenido", "Fuentes"),
        "fa" => ("فهرست", "منابع"),
        "fi" => ("Sisältö", "Lähteet"),
        "fr" => ("Sommaire", "Sources"),
        "he" => ("תוכן", "מקורות"),
        "hu" => ("Tartalom", "Források"),
        "it" => ("Indice", "Fonti"),
        "ja" => ("目次", "出典"),
        "ko" => ("목차", "출처"),
        "nb" | "nn" | "no" => ("Innhold", "Kilder"),
        "nl" => ("Inhoud", "Bronnen"),
        "pl" => ("Spis treści", "Źródła"),
        "pt" => ("Conteúdo", "Fontes"),
        "ro" => ("Cuprins", "Surse"),
        "ru" => ("Содержание", "Источники"),
        "sv" => ("Innehåll", "Källor"),
        "tr" => ("İçindekiler", "Kaynaklar"),
        "uk" => ("Зміст", "Джерела"),
        "zh" => match language.to_ascii_lowercase() {
            tag if ["hant", "tw", "hk"].iter().any(|part| tag.contains(part)) => ("目錄", "來源"),
            _ => ("目录", "来源"),
        },
        _ => ("Contents", "Sources"),
    }
}

/// The day (`2026-11-23`) in words of the language, or as it is where its words aren't known here.
#[must_use]
pub fn date(date: &str, language: &str) -> String {
    spelled(date, language).unwrap_or_else(|| date.to_owned())
}

fn spelled(date: &str, language: &str) -> Option<String> {
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (month, day) = (month.parse::<usize>().ok()?, day.parse::<u32>().ok()?);
    let lower = language.to_ascii_lowercase();
    let primary = lower.split('-').next().unwrap_or_default();
    if let "ja" | "zh" = primary {
        return Some(format!("{year}年{month}月{day}日"));
    }
    if primary == "ko" {
        return Some(format!("{year}년 {month}월 {day}일"));
    }
    let name = months(primary)?.split(' ').nth(month.checked_sub(1)?)?;
    Some(match primary {
        "en" if matches!(lower.as_str(), "en" | "en-us" | "en-ca") => {
            format!("{name} {day}, {year}")
        }
        "de" | "da" | "nb" | "no" | "cs" | "fi" => format!("{day}. {name} {year}"),
        "es" | "pt" => format!("{day} de {name} de {year}"),
        "fr" if day == 1 => format!("1er {name} {year}"),
        _ => format!("{day} {name} {year}"),
    })
}

fn months(primary: &str) -> Option<&'static str> {
    Some(match primary {
        "ar" => "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
        "cs" => {
            "ledna února března dubna května června července srpna září října listopadu prosince"
        }
        "da" => {
            "januar februar marts april maj juni juli august september oktober november december"
        }
        "de" => {
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
        }
        "en" => {
            "January February March April May June July August September October November December"
        }
        "es" => {
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
        }
        "fi" => {
            "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta"
        }
        "fr" => {
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
        }
        "he" => {
            "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר"
        }
        "it" => {
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
        }
        "nb" | "no" => {
            "januar februar mars april mai juni juli august september oktober november desember"
        }
        "nl" => {
            "januari februari maart april mei juni juli augustus september oktober november december"
        }
        "pl" => {
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
        }
        "pt" => {
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
        }
        "ru" => "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "sv" => {
            "januari februari mars april maj juni juli augusti september oktober november december"
        }
        "tr" => "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        _ => return None,
    })
}

/// Countries that print on Letter.
#[must_use]
pub fn uses_letter(language: &str) -> bool {
    let lower = language.to_ascii_lowercase();
    let mut parts = lower.split('-');
    let primary = parts.next().unwrap_or_default();
    let region = parts.find(|part| part.len() == 2);
    match region {
        Some(region) => matches!(region, "us" | "ca" | "mx" | "ph" | "co" | "cl"),
        None => primary == "en",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_words_dates_and_paper() {
        assert_eq!(words("de-AT"), ("Inhalt", "Quellen"));
        assert_eq!(words("xh"), ("Contents", "Sources"));
        assert_eq!(date("2026-11-23", "ja"), "2026年11月23日");
        assert_eq!(date("2026-11-23", "ar"), "23 نوفمبر 2026");
        assert_eq!(date("2026-13-01", "en"), "2026-13-01");
        assert!(uses_letter("en-US") && !uses_letter("en-GB") && !uses_letter("de"));
    }
}
