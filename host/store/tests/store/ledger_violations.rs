//! The report on an unsound ledger: which organization, account, transaction and job it names.

use gtm_domain::MicroUsd;
use gtm_domain::money::LedgerViolation;

use crate::money::{attempt, running, sound, succeed, usd};
use crate::world::World;

on_both_engines!(a_wrong_sum_names_where_it_is, a_wrong_transaction_is_named);

async fn violations(world: &World) -> Vec<LedgerViolation> {
    world.store.verify_ledger().await.unwrap().violations
}

/// The violation whose sentence contains these words.
fn with<'v>(list: &'v [LedgerViolation], words: &str) -> &'v LedgerViolation {
    let found = list.iter().find(|v| v.sentence.contains(words));
    found.unwrap_or_else(|| panic!("no {words:?} in {list:?}"))
}

async fn a_wrong_sum_names_where_it_is(world: World) {
    let tenant = world.tenant().await;
    let bystander = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    world.step(&job.lease, 0, 10).await.unwrap();
    succeed(&world, &job).await;
    for scope in [&tenant.scope, &bystander.scope] {
        attempt(&world, scope, 50).await.unwrap();
    }
    sound(&world).await;
    let organization = tenant.organization.to_string();
    let credit = format!("{organization}:credit");
    let (project, month) = (tenant.project.to_string(), world.now().month());
    let of_organization = format!("organization_id = '{organization}'");
    let of_project = format!("scope_id = '{project}'");
    let monthly = format!("{project} in {month}");
    for (table, column, row, words, account, subject) in [
        (
            "credit_balances",
            "balance",
            &of_organization,
            "credit balances differ",
            Some(&credit),
            None,
        ),
        (
            "organizations",
            "paid_total",
            &format!("id = '{organization}'"),
            "have paid otherwise",
            None,
            None,
        ),
        (
            "open_reservations",
            "reserved",
            &of_project,
            "other reservations",
            None,
            Some(&project),
        ),
        (
            "open_reservations",
            "over_reserved",
            &of_project,
            "beyond their reservations",
            None,
            Some(&project),
        ),
        (
            "monthly_totals",
            "settled",
            &of_project,
            "monthly totals",
            None,
            Some(&monthly),
        ),
        (
            "monthly_totals",
            "awaiting",
            &of_project,
            "awaits reconciliation",
            None,
            Some(&monthly),
        ),
    ] {
        let change =
            |by: &str| format!("UPDATE {table} SET {column} = {column} {by} 7 WHERE {row}");
        world.raw(&change("+")).await.unwrap();
        let list = violations(&world).await;
        let violation = with(&list, words);
        assert!(violation.sentence.starts_with("1 "), "{violation:?}");
        let [place] = &violation.places[..] else {
            panic!("{violation:?}")
        };
        assert_eq!(
            place.organization_id.as_ref(),
            Some(&organization),
            "{place:?}"
        );
        assert_eq!(place.accounts.first(), account, "{place:?}");
        assert_eq!(place.subject.as_ref(), subject, "{place:?}");
        assert_eq!(place.off, Some(usd(7)), "{place:?}");
        let text = place.to_string();
        assert!(
            text.contains(&organization) && text.ends_with("off by $0.000007"),
            "{text}"
        );
        world.raw(&change("-")).await.unwrap();
        sound(&world).await;
    }
}

async fn a_wrong_transaction_is_named(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    world.step(&job.lease, 0, 10).await.unwrap();
    succeed(&world, &job).await;
    let operator = world.store.operator();
    let transactions = operator.job_ledger(job.job.id).await.unwrap();
    let settlement = transactions.last().unwrap();
    // PostgreSQL refuses every entry that would unbalance a transaction.
    if !world.is_postgres() {
        let lopsided = format!(
            "INSERT INTO ledger_entries (transaction_id, account, project_id, amount) \
             VALUES ('{}', 'platform:nowhere', '{}', 5)",
            settlement.id, tenant.project
        );
        world.raw(&lopsided).await.unwrap();
        let list = violations(&world).await;
        let place = &with(&list, "do not sum to zero").places[0];
        assert_eq!(place.transaction_id, Some(settlement.id.to_string()));
        assert_eq!(place.organization_id, Some(tenant.organization.to_string()));
        assert!(
            place.accounts.contains(&"platform:nowhere".to_owned()),
            "{place:?}"
        );
        assert!(
            place.accounts.contains(&"platform:revenue".to_owned()),
            "{place:?}"
        );
        assert_eq!(place.subject, Some(job.job.id.to_string()));
        assert_eq!(place.off, Some(MicroUsd::from_micros(5)));
    }
    let change = format!(
        "UPDATE usage_rows SET cost = cost + 3 WHERE job_id = '{}'",
        job.job.id
    );
    world.raw(&change).await.unwrap();
    let list = violations(&world).await;
    for words in ["their usage says", "their provider calls cost"] {
        let place = &with(&list, words).places[0];
        assert_eq!(
            place.transaction_id,
            Some(settlement.id.to_string()),
            "{words}"
        );
        assert_eq!(place.organization_id, Some(tenant.organization.to_string()));
        assert_eq!(place.subject, Some(job.job.id.to_string()));
    }
    let all = with(&list, "charged, but");
    assert_eq!(all.places[0].accounts, ["platform:revenue"]);
    assert_eq!(all.places[0].off, Some(MicroUsd::from_micros(-3)));
}
