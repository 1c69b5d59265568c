import type { Permissions } from "@bron/core";
import type { OpenDatabase } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import { contactChanges, grantChanges, levelChanges, ruleChanges } from "./permission-changes.ts";
import { permissionLists, permissionRules } from "./permission-reads.ts";

/**
 * The owner's rules for effects. Every change is recorded in the audit log in the same transaction.
 */
export function postgresPermissions(database: Pick<OpenDatabase, "db" | "pool">): Permissions {
  return wrapDatabaseErrors<Permissions>({
    ...permissionLists(database),
    ...permissionRules(database),
    ...levelChanges(database),
    ...ruleChanges(database),
    ...contactChanges(database),
    ...grantChanges(database),
  });
}
