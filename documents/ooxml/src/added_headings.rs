//! Headings that a renderer adds and no document brings along.

/// Title of the contents and of the sources in a language (BCP 47), in English where it is not known here.
#[must_use]
pub fn contents_and_sources(language: &str) -> (&'static str, &'static str) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_headings() {
        assert_eq!(contents_and_sources("de-AT"), ("Inhalt", "Quellen"));
        assert_eq!(contents_and_sources("xh"), ("Contents", "Sources"));
    }
}
