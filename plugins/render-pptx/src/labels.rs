//! The few words that no document brings along, in its language.

/// Words of a slide that the renderer adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    pub agenda: &'static str,
    pub sources: &'static str,
}

/// The words in a language (BCP 47); in English where there are none.
pub fn of(language: &str) -> Labels {
    let primary = language.split('-').next().unwrap_or_default();
    let (agenda, sources) = match primary.to_ascii_lowercase().as_str() {
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
    };
    Labels { agenda, sources }
}
