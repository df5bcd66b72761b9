//! The few words that no document brings along, in its language.

/// Words that the renderer adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    pub contents: &'static str,
    pub figure: &'static str,
    pub table: &'static str,
    pub notes: &'static str,
    pub page: &'static str,
    pub of: &'static str,
}

/// The words in a language (BCP 47); in English where there are none.
#[must_use]
pub fn of(language: &str) -> Words {
    let lower = language.to_ascii_lowercase();
    let primary = lower.split('-').next().unwrap_or_default();
    let is_traditional = ["hant", "tw", "hk"].iter().any(|part| lower.contains(part));
    let (contents, figure, table, notes, page, of) = match primary {
        "ar" => ("المحتويات", "الشكل", "الجدول", "ملاحظات", "صفحة", "من"),
        "cs" => ("Obsah", "Obrázek", "Tabulka", "Poznámky", "Strana", "z"),
        "da" => ("Indhold", "Figur", "Tabel", "Noter", "Side", "af"),
        "de" => ("Inhalt", "Abbildung", "Tabelle", "Notizen", "Seite", "von"),
        "el" => (
            "Περιεχόμενα",
            "Σχήμα",
            "Πίνακας",
            "Σημειώσεις",
            "Σελίδα",
            "από",
        ),
        "es" => ("Contenido", "Figura", "Tabla", "Notas", "Página", "de"),
        "fa" => ("فهرست", "شکل", "جدول", "یادداشت‌ها", "صفحه", "از"),
        "fi" => ("Sisältö", "Kuva", "Taulukko", "Muistiinpanot", "Sivu", "/"),
        "fr" => ("Sommaire", "Figure", "Tableau", "Notes", "Page", "sur"),
        "he" => ("תוכן", "איור", "טבלה", "הערות", "עמוד", "מתוך"),
        "hu" => ("Tartalom", "Ábra", "Táblázat", "Jegyzetek", "Oldal", "/"),
        "it" => ("Indice", "Figura", "Tabella", "Note", "Pagina", "di"),
        "ja" => ("目次", "図", "表", "メモ", "ページ", "/"),
        "ko" => ("목차", "그림", "표", "메모", "페이지", "/"),
        "nb" | "nn" | "no" => ("Innhold", "Figur", "Tabell", "Notater", "Side", "av"),
        "nl" => ("Inhoud", "Figuur", "Tabel", "Notities", "Pagina", "van"),
        "pl" => ("Spis treści", "Rysunek", "Tabela", "Notatki", "Strona", "z"),
        "pt" => ("Conteúdo", "Figura", "Tabela", "Notas", "Página", "de"),
        "ro" => ("Cuprins", "Figura", "Tabelul", "Note", "Pagina", "din"),
        "ru" => (
            "Содержание",
            "Рисунок",
            "Таблица",
            "Заметки",
            "Страница",
            "из",
        ),
        "sv" => ("Innehåll", "Figur", "Tabell", "Anteckningar", "Sida", "av"),
        "tr" => ("İçindekiler", "Şekil", "Tablo", "Notlar", "Sayfa", "/"),
        "uk" => ("Зміст", "Рисунок", "Таблиця", "Нотатки", "Сторінка", "з"),
        "zh" if is_traditional => ("目錄", "圖", "表", "備註", "頁", "/"),
        "zh" => ("目录", "图", "表", "备注", "页", "/"),
        _ => ("Contents", "Figure", "Table", "Notes", "Page", "of"),
    };
    Words {
        contents,
        figure,
        table,
        notes,
        page,
        of,
    }
}
