//! What several places say about the head office without contradicting each other.

use serde_json::Value;

use super::super::{countries, letters};
use crate::conflicts::Statement;

/// Merges statements that don't contradict each other: a country with a place in it, a territory with the country that it
/// belongs to, a town with its quarter.
pub fn agreeing(mut statements: Vec<Statement>) -> Vec<Statement> {
    join_territories(&mut statements);
    join_quarters(&mut statements);
    let fuller: Vec<(String, Value)> = statements
        .iter()
        .filter(|statement| !statement.value["locality"].is_null())
        .map(|statement| (statement.key.clone(), statement.value.clone()))
        .collect();
    for statement in &mut statements {
        let country = statement.value["country"].clone();
        let bare = statement.value["locality"].is_null();
        if let Some((key, value)) = fuller
            .iter()
            .find(|(_, value)| bare && value["country"] == country)
        {
            statement.key.clone_from(key);
            statement.value = value.clone();
        }
    }
    // Only the first excerpts are kept, and those must carry the place: sort by weight.
    statements.sort_by_key(|statement| std::cmp::Reverse(statement.weight));
    statements
}

/// What one statement calls a country is another's region: `La Réunion`.
fn join_territories(statements: &mut [Statement]) {
    let of_region = |statement: &Statement| {
        let region = statement.value["region"].as_str()?;
        let whole = statement.value["country"].as_str()?;
        let territory = countries::named(region).filter(|code| *code != whole)?;
        Some((territory, whole.to_owned(), region.to_owned()))
    };
    let known: Vec<_> = statements.iter().filter_map(of_region).collect();
    for statement in statements {
        let country = statement.value["country"].as_str().unwrap_or_default();
        let Some((_, whole, region)) = known.iter().find(|(code, ..)| *code == country) else {
            continue;
        };
        statement.key = statement.key.replacen(country, whole, 1);
        statement.value["country"] = whole.as_str().into();
        if !statement.value["locality"].is_null() {
            statement.value["region"] = region.as_str().into();
        }
    }
}

/// One town, whether with its quarter or without: the spelling with the most weight stands, with the region that one of them
/// names, and comes first, because the first excerpts are kept.
fn join_quarters(statements: &mut Vec<Statement>) {
    let town = |one: &Statement| {
        let text = |member: &str| one.value[member].as_str().map(str::to_owned);
        text("country").zip(text("locality"))
    };
    let towns: Vec<(String, String)> = statements.iter().filter_map(town).collect();
    let root = |one: &Statement| {
        let (country, own) = town(one)?;
        let around = towns
            .iter()
            .filter(|(code, known)| *code == country && is_around(known, &own));
        around.min_by_key(|(_, known)| known.len()).cloned()
    };
    let roots: Vec<Option<(String, String)>> = statements.iter().map(root).collect();
    let mut known: Vec<&(String, String)> = roots.iter().flatten().collect();
    known.sort_unstable();
    known.dedup();
    let mut first: Vec<Statement> = Vec::new();
    for root in known {
        let group = || {
            statements
                .iter()
                .zip(&roots)
                .filter(|(_, other)| other.as_ref() == Some(root))
        };
        if group().count() < 2 {
            continue;
        }
        let weight = |town: &Value| -> u32 {
            let same = group().filter(|(one, _)| one.value["locality"] == *town);
            same.map(|(one, _)| one.weight).sum()
        };
        let best = group().max_by_key(|(one, _)| {
            let town = &one.value["locality"];
            let length = town.as_str().unwrap_or_default().len();
            (weight(town), std::cmp::Reverse(length))
        });
        let Some((mut best, most)) = best
            .map(|(one, _)| one.clone())
            .zip(group().map(|(one, _)| one.weight).max())
        else {
            continue;
        };
        let regional = group().find(|(one, _)| !one.value["region"].is_null());
        if let Some((regional, _)) = regional.filter(|_| best.value["region"].is_null()) {
            best.value["region"] = regional.value["region"].clone();
            best.excerpts.extend(regional.excerpts.iter().cloned());
        }
        best.weight = most;
        best.key = format!("{} {}", root.0, letters(&root.1));
        first.push(best);
    }
    for (one, root) in statements.iter_mut().zip(&roots) {
        let of_root = |best: &&Statement| {
            root.as_ref()
                .is_some_and(|root| best.key == format!("{} {}", root.0, letters(&root.1)))
        };
        if let Some(best) = first.iter().find(of_root) {
            one.key.clone_from(&best.key);
            one.value.clone_from(&best.value);
        }
    }
    // Its own statement is in the group, too; the same words count once.
    first.append(statements);
    *statements = first;
}

/// Whether a place's name is the other's, or its beginning: `Ulm` of `Ulm-Söflingen`, and not of `Ulmen`.
fn is_around(known: &str, own: &str) -> bool {
    let behind = own.strip_prefix(known).and_then(|rest| rest.chars().next());
    letters(known) == letters(own) || behind.is_some_and(|next| !next.is_lowercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(town: Option<&str>, region: Option<&str>, country: &str, weight: u32) -> Statement {
        let town_key = town.map(letters).unwrap_or_default();
        Statement {
            key: format!("{country} {town_key}"),
            value: json!({"locality": town, "region": region, "country": country}),
            excerpts: vec![],
            weight,
        }
    }

    fn merged(statements: Vec<Statement>) -> Vec<(Value, String)> {
        let agreed = agreeing(statements).into_iter();
        let mut found: Vec<_> = agreed.map(|one| (one.value, one.key)).collect();
        found.dedup();
        found
    }

    #[test]
    fn a_quarter_is_in_its_town_and_a_territory_in_its_country() {
        let of_town = merged(vec![
            said(Some("Uhlen/Hang"), None, "DE", 3),
            said(Some("Uhlen/Hang Zufahrt"), None, "DE", 3),
            said(Some("Uhlen"), None, "DE", 3),
            said(Some("Uhlen/Hang"), Some("Niedersachsen"), "DE", 2),
        ]);
        assert_eq!(
            of_town,
            [(
                json!({"locality": "Uhlen/Hang", "region": "Niedersachsen", "country": "DE"}),
                "DE uhlen".to_owned()
            )]
        );
        let of_territory = merged(vec![
            said(Some("Le Port"), Some("La Réunion"), "FR", 2),
            said(None, None, "RE", 3),
            said(Some("Le Port"), None, "RE", 3),
        ]);
        assert_eq!(
            of_territory,
            [(
                json!({"locality": "Le Port", "region": "La Réunion", "country": "FR"}),
                "FR leport".to_owned()
            )]
        );
        let others = vec![
            said(Some("Ulm"), None, "DE", 3),
            said(Some("Ulmen"), None, "DE", 3),
        ];
        assert_eq!(merged(others).len(), 2);
    }
}
