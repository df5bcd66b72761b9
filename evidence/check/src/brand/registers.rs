//! National registers: marks that only companies of one country put on their pages.

use gtm_lexicon::registers;

use crate::verdict::stands_in;

/// Whether a text names a register of this country.
///
/// Some single words also belong to other trades, so single words match case-sensitively.
pub fn is_registered_in(code: &str, text: &str) -> bool {
    let register = registers().iter().find(|known| known.country == code);
    let has = |mark: &&str| {
        if mark.contains([' ', '.', '-']) {
            stands_in(mark, text)
        } else {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == *mark)
        }
    };
    // Luxembourg's register has the same name as those of France.
    register.is_some_and(|register| register.marks.iter().any(has))
        && !(code == "FR" && text.contains("Luxembourg"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_tell_their_country() {
        for (code, text) in [
            ("DE", "Amtsgericht Ulm, HRB 734512"),
            (
                "FR",
                "immatriculée au RCS de Nantes sous le numéro 812 345 676",
            ),
            ("NL", "KvK 12345678"),
            ("IT", "P. IVA 00743110157"),
            ("CH", "Eingetragen im Handelsregister des Kantons Zug"),
        ] {
            assert!(is_registered_in(code, text), "{code}: {text}");
        }
        for (code, text) in [
            ("FR", "R.C.S. Luxembourg B 123456"),
            ("CH", "Handelsregister: Amtsgericht Ulm, HRB 734512"),
            ("FR", "rcs messages"),
            ("FR", "Amtsgericht Ulm, HRB 734512"),
            ("ES", "Registro Mercantil de Ávila"),
        ] {
            assert!(!is_registered_in(code, text), "{code}: {text}");
        }
    }
}
