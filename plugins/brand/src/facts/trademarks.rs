//! What the site says of its marks, and how others may write its name and use its logo.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words;

use super::Line;
use super::others::Own;
use crate::draft::{Draft, TRADEMARK_USAGE};
use crate::research::Site;

/// Collect what the site says of its marks.
pub fn collect(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    // Verbs with which a sentence asks to write a name in a certain way, and words of spelling.
    const WRITE: &[&str] = &[
        "write",
        "always write",
        "spell",
        "schreiben sie",
        "schreibt",
        "ecrivez",
        "ecrire",
        "escriba",
        "escribe",
        "schrijf",
        "scrivete",
        "scrivi",
        "escreva",
    ];
    const SPELLING: &[&str] = &[
        "one word",
        "two words",
        "capital*",
        "lowercase",
        "lower case",
        "uppercase",
        "upper case",
        "hyphen*",
        "ein wort",
        "einem wort",
        "grossbuchstabe*",
        "kleinbuchstabe*",
        "gross",
        "klein",
        "un seul mot",
        "un mot",
        "majuscule*",
        "minuscule*",
        "una palabra",
        "una sola palabra",
        "mayuscula*",
        "minuscula*",
        "een woord",
        "hoofdletter*",
        "kleine letter*",
        "una parola",
        "una sola parola",
        "maiuscol*",
        "minuscol*",
        "uma palavra",
    ];
    const MARKS: &[&str] = &[
        "trademark*",
        "trade mark*",
        "registered mark",
        "eingetragene marke*",
        "eingetragenes warenzeichen",
        "marke der",
        "marken der",
        "marque* deposee*",
        "marque* enregistree*",
        "marca registrada",
        "marcas registradas",
        "marchio registrato",
        "marchi registrati",
        "geregistreerd merk",
        "geregistreerde merken",
        "geregistreerd handelsmerk",
        "geregistreerde handelsmerken",
        "geregistreerde woordmerk*",
        "gedeponeerd merk",
        "marcas comerciais",
        "marca comercial",
        // How others may write the name and use the logo.
        "write our name",
        "spell our name",
        "our name as",
        "our name is written",
        "use our logo",
        "use the logo",
        "alter our logo",
        "alter the logo",
        "change our logo",
        "unseren namen",
        "unser logo darf",
        "unser logo nicht",
        "notre nom s ecrit",
        "utilisation du logo",
        "reproduction du logo",
        "nuestro nombre se escribe",
        "gebruik ons logo",
        "gebruik het logo",
        "gebruik van het logo",
        "onze naam schrijf*",
        "il nostro nome si scrive",
        "uso del marchio",
        "utilizzo del logo",
        "o nosso nome escreve se",
        "uso do logotipo",
        "uso del logo*",
    ];
    let own = Own::new(site, None);
    for line in lines {
        let folded = words::fold(line.text);
        let words = words::split(&folded);
        if words::has_any(&words, MARKS) || words::has_any(&words, WRITE) {
            for sentence in gtm_site_research::sentences::split(line.text, "en") {
                let folded = words::fold(sentence);
                let words = words::split(&folded);
                // `Write Acme as one word` asks it of the name, `Write us a letter` doesn't.
                let asks = words::starts_with_any(&words, WRITE)
                    && words::has_any(&words, SPELLING)
                    && own.is_named_in(sentence);
                let says = (words::has_any(&words, MARKS) || asks)
                    && (20..=400).contains(&sentence.chars().count());
                if says && draft.many(TRADEMARK_USAGE).len() < 4 {
                    let excerpt = Excerpt {
                        page: line.page,
                        text: sentence.to_owned(),
                    };
                    draft.push(TRADEMARK_USAGE, Claim::stated(sentence, vec![excerpt]));
                }
            }
        }
    }
}
