//! Days as a language writes them.

/// The day (`2026-11-23`) in words of the language, or as it is where its words aren't known here.
#[must_use]
pub fn written(date: &str, language: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_the_language_does() {
        for (language, expected) in [
            ("en-GB", "23 November 2026"),
            ("en-US", "November 23, 2026"),
            ("de-AT", "23. November 2026"),
            ("ja", "2026年11月23日"),
            ("pt-BR", "23 de novembro de 2026"),
            ("ar", "23 نوفمبر 2026"),
            ("xh", "2026-11-23"),
        ] {
            assert_eq!(written("2026-11-23", language), expected);
        }
        assert_eq!(written("2026-13-01", "en"), "2026-13-01");
    }
}
