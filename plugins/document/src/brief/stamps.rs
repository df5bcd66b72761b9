//! The time of a message, before or behind the name of who wrote it: `[09:12] Dan`, `12/03/2026, 09:12 - Dan`, `Dan  9:12 AM`.

/// A line without its time, if it has one.
pub fn without_stamp(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some(inner) = line.strip_prefix('[') {
        let (stamp, rest) = inner.split_once(']')?;
        return is_stamp(stamp).then(|| rest.trim());
    }
    if line.starts_with(|c: char| c.is_ascii_digit()) {
        let end = stamp_at_start(line)?;
        let rest = line.get(end..)?;
        // `09:12Dan` and `09:12-09:30` are no messages.
        let apart = rest.starts_with([' ', '\t', ',', ']']);
        let rest = rest.trim_start_matches([' ', '\t', ',', '-', '–', '—', '|']);
        return (apart && !rest.starts_with(|c: char| c.is_ascii_digit())).then_some(rest);
    }
    behind_name(line)
}

/// Who says what, with a time between the two: `Kathi, 08:40: passt`, `Kathi (08:40): passt`.
pub fn between(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let begin = line.find(|c: char| c.is_ascii_digit())?;
    let (name, rest) = line.split_at(begin);
    let bare = name.trim_end_matches(['(', '[', ',', ' ']);
    let end = stamp_at_start(rest)?;
    let behind = rest.get(end..)?.trim_start_matches([')', ']', ' ']);
    let said = behind.strip_prefix([':', '：', '–', '—', '-'])?;
    let apart = bare.len() < name.len() && said.starts_with([' ', '\t']);
    (apart && !bare.is_empty()).then(|| (bare, said.trim()))
}

/// The minute of the day in a line that has a time near its beginning.
pub fn minute_of(line: &str) -> Option<u32> {
    let mut from = 0;
    while let Some(at) = line.get(from..)?.find(|c: char| c.is_ascii_digit()) {
        let begin = from + at;
        let rest = line.get(begin..)?;
        let hours = digits(rest);
        let minutes = rest.get(hours..)?.strip_prefix([':', 'h']);
        if let Some(behind) = minutes.filter(|it| hours <= 2 && digits(it) == 2) {
            let hour: u32 = rest.get(..hours)?.parse().ok()?;
            let minute: u32 = behind.get(..2)?.parse().ok()?;
            return Some(hour * 60 + minute);
        }
        from = begin + hours;
    }
    None
}

/// The name before a time that ends the line: `Dan 09:12`, `Dan [09:12]:`.
fn behind_name(line: &str) -> Option<&str> {
    let bare = line.trim_end_matches([':', '：']);
    if let Some((name, stamp)) = bare
        .strip_suffix([']', ')'])
        .and_then(|it| it.rsplit_once(['[', '(']))
    {
        return is_stamp(stamp).then(|| name.trim());
    }
    let begin = bare.find(|c: char| c.is_ascii_digit())?;
    let (name, stamp) = bare.split_at(begin);
    let apart = name.ends_with([' ', '\t']) && !name.contains(':');
    (apart && is_stamp(stamp)).then(|| {
        name.trim()
            .trim_end_matches([',', '-', '–', '—', '|', '·', '•'])
            .trim()
    })
}

/// Whether a text is a time, with or without a date.
pub fn is_stamp(text: &str) -> bool {
    let text = text.trim();
    stamp_at_start(text).is_some_and(|end| {
        let behind = text.get(end..).unwrap_or_default();
        behind.is_empty() || behind.strip_prefix(',').is_some_and(is_date)
    })
}

/// Whether a text is a date in digits: the one of `[10:02, 3/5/2027]`.
fn is_date(text: &str) -> bool {
    let text = text.trim();
    let is_part = |part: &str| (1..=4).contains(&part.len()) && digits(part) == part.len();
    text.split(['/', '.', '-']).count() == 3 && text.split(['/', '.', '-']).all(is_part)
}

/// Where the time ends with which a text begins; a date may stand before it.
fn stamp_at_start(text: &str) -> Option<usize> {
    let date = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '.' | '-')))
        .filter(|end| (3..=10).contains(end))
        .filter(|end| {
            text.get(..*end)
                .is_some_and(|date| date.contains(['/', '.', '-']))
        });
    let rest = date.map_or(text, |end| text.get(end..).unwrap_or_default());
    let rest = rest.trim_start_matches([',', ' ', 'T']);
    let before = text.len() - rest.len();
    let hours = digits(rest);
    let behind = rest.get(hours..)?.strip_prefix([':', 'h'])?;
    let minutes = digits(behind);
    if !(1..=2).contains(&hours) || minutes != 2 {
        return None;
    }
    let mut end = before + hours + 1 + minutes;
    let seconds = text.get(end..)?.strip_prefix(':').map_or(0, digits);
    if seconds == 2 {
        end += 1 + seconds;
    }
    let rest = text.get(end..)?;
    let half = rest.trim_start();
    let marked = ["AM", "PM", "am", "pm", "a.m.", "p.m."]
        .into_iter()
        .find(|mark| half.starts_with(mark));
    Some(end + marked.map_or(0, |mark| rest.len() - half.len() + mark.len()))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_and_behind_names_are_told() {
        for (line, rest) in [
            ("[09:12] Dan: hi", "Dan: hi"),
            ("[12/03/2026, 09:12:33] Dan: hi", "Dan: hi"),
            ("[09:12, 12/3/2026] Dan: hi", "Dan: hi"),
            ("[9:12 AM, 3/12/2026] Dan: hi", "Dan: hi"),
            ("09:12 - Dan: hi", "Dan: hi"),
            ("12.03.2026, 09:12 - Dan: hi", "Dan: hi"),
            ("2026-03-12 09:12 Dan: hi", "Dan: hi"),
            ("Dan  9:12 AM", "Dan"),
            ("Dan Reyes [9:12 a.m.]", "Dan Reyes"),
            ("Zoé 14h05", "Zoé"),
            ("[14/05, 09:01] Nuno: olá", "Nuno: olá"),
        ] {
            assert_eq!(without_stamp(line), Some(rest), "{line}");
        }
        assert_eq!(between("Kathi, 08:40: passt"), Some(("Kathi", "passt")));
        assert_eq!(between("Kathi (8:40): passt"), Some(("Kathi", "passt")));
        assert_eq!(
            between("Start at 8:40: doors open"),
            Some(("Start at", "doors open"))
        );
        assert_eq!(minute_of("[14/05, 09:01] Nuno: 12:30"), Some(541));
        assert_eq!(minute_of("Dan: 1:2 or 300"), None);
        for line in [
            "Dan: hi",
            "09:12-09:30 Lunch",
            "We start at 9:12 in Leeds",
            "1:2 is a ratio",
        ] {
            assert_eq!(without_stamp(line), None, "{line}");
        }
    }
}
