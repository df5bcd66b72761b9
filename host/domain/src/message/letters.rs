//! Letters in another dress: small capitals, letters in brackets, circles and squares, and those of which flags are made.
//! A reader takes them for plain letters, but they are letters or signs of their own.
//!
//! DANGER: Unicode's compatibility form leaves many of them as they are, so that no list of words would find `ʟᴀsᴛ ᴄʜᴀɴᴄᴇ`.

/// What one of them shows: a letter, or a whole word in a square.
#[must_use]
pub fn undressed(c: char) -> Option<&'static str> {
    // Most letters are plain.
    if c < '\u{262}' {
        return None;
    }
    let letter = match alphabet_of(c) {
        Some(first) => u32::from(c).checked_sub(u32::from(first))?,
        None => return small_capital(c),
    };
    let at = usize::try_from(letter).ok()?;
    LETTERS.get(at..=at)
}

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// The first letter of the alphabet that it is of, where Unicode has the 26 in a row.
const fn alphabet_of(c: char) -> Option<char> {
    Some(match c {
        '\u{249c}'..='\u{24b5}' => '\u{249c}',
        '\u{24b6}'..='\u{24cf}' => '\u{24b6}',
        '\u{24d0}'..='\u{24e9}' => '\u{24d0}',
        '\u{1f110}'..='\u{1f129}' => '\u{1f110}',
        '\u{1f130}'..='\u{1f149}' => '\u{1f130}',
        '\u{1f150}'..='\u{1f169}' => '\u{1f150}',
        '\u{1f170}'..='\u{1f189}' => '\u{1f170}',
        '\u{1f1e6}'..='\u{1f1ff}' => '\u{1f1e6}',
        _ => return None,
    })
}

/// Small capitals, which phonetics gave to Unicode one by one, also turned round or struck through; and the word `free` in a
/// square.
const fn small_capital(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{1d00}' => "a",
        '\u{299}' | '\u{1d03}' => "b",
        '\u{1d04}' => "c",
        '\u{1d05}' | '\u{1d06}' | '\u{1f1a5}' => "d",
        '\u{1d07}' => "e",
        '\u{a730}' => "f",
        '\u{262}' | '\u{29b}' => "g",
        '\u{29c}' => "h",
        '\u{26a}' | '\u{1d7b}' | '\u{a7ae}' => "i",
        '\u{1d0a}' => "j",
        '\u{1d0b}' => "k",
        '\u{29f}' | '\u{1d0c}' => "l",
        '\u{1d0d}' => "m",
        '\u{274}' | '\u{1d0e}' => "n",
        '\u{1d0f}' => "o",
        '\u{1d18}' | '\u{1f18a}' => "p",
        '\u{a7af}' => "q",
        '\u{280}' | '\u{1d19}' => "r",
        '\u{a731}' | '\u{1f12a}' => "s",
        '\u{1d1b}' => "t",
        '\u{1d1c}' | '\u{1d7e}' => "u",
        '\u{1d20}' => "v",
        '\u{1d21}' => "w",
        '\u{28f}' => "y",
        '\u{1d22}' => "z",
        '\u{1f193}' => "free",
        _ => return None,
    })
}

/// Whether two of it make the flag of a country.
#[must_use]
pub const fn is_of_flag(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_lose_their_dress() {
        let plain = |text: &str| -> String {
            text.chars()
                .map(|c| undressed(c).map_or_else(|| c.to_string(), str::to_owned))
                .collect()
        };
        for (dressed, want) in [
            ("ɢᴜᴀʀᴀɴᴛᴇᴇᴅ sᴀᴠɪɴɢs", "guaranteed savings"),
            ("ꜰʟᴀꜱʜ ᴏꜰꜰᴇʀ", "flash offer"),
            ("🅶🆄🅰🆁🅰🅽🆃🅴🅴🅳", "guaranteed"),
            ("🅐🅩 🄰🅉 Ⓐⓩ ⒜⒵ 🄐🄩", "az az az az az"),
            ("🇱🇦🇸🇹", "last"),
            ("🆓", "free"),
            ("Ünï 日本 Ω Жз 1", "Ünï 日本 Ω Жз 1"),
        ] {
            assert_eq!(plain(dressed), want);
        }
    }
}
