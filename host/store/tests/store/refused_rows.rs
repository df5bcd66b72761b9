//! Makes the database refuse rows by a rule of its own.

use crate::world::World;

/// Makes the database refuse new rows of a table that meet this condition.
pub async fn refuse(world: &World, table: &str, condition: &str) {
    refuse_at(world, "INSERT", table, condition).await;
}

/// Makes the database refuse changes of a table's rows that meet this condition.
pub async fn refuse_changes(world: &World, table: &str, condition: &str) {
    refuse_at(world, "UPDATE", table, condition).await;
}

/// Makes the database refuse to remove a table's rows that meet this condition.
pub async fn refuse_removal(world: &World, table: &str, condition: &str) {
    refuse_at(world, "DELETE", table, condition).await;
}

async fn refuse_at(world: &World, event: &str, table: &str, condition: &str) {
    let statements: &[&str] = if world.is_postgres() {
        &[
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION 'no more rows'; END $$",
            "CREATE TRIGGER refuse BEFORE {event} ON {table} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION refuse()",
        ]
    } else {
        &[
            "CREATE TRIGGER refuse BEFORE {event} ON {table} WHEN {condition} \
             BEGIN SELECT RAISE(ABORT, 'no more rows'); END",
        ]
    };
    for statement in statements {
        let statement = statement.replace("{event}", event);
        let statement = statement.replace("{table}", table);
        let statement = statement.replace("{condition}", condition);
        world.raw(&statement).await.unwrap();
    }
}

/// Removes that rule.
pub async fn allow(world: &World, table: &str) {
    let statement = if world.is_postgres() {
        format!("DROP TRIGGER refuse ON {table}")
    } else {
        "DROP TRIGGER refuse".to_owned()
    };
    world.raw(&statement).await.unwrap();
}
