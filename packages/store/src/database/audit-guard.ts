import { BronError } from "@bron/core";
import pg from "pg";
import { inTransaction } from "./database.ts";

/**
 * What protects the audit log from changes. `rights`: the table belongs to a role without login,
 * and the current role may only insert and read. `trigger`: only the table's trigger, which a
 * superuser or the table's owner could drop. `open`: not even the trigger. `absent`: the table does
 * not exist yet.
 */
export type AuditGuard = "rights" | "trigger" | "open" | "absent";

const auditRole = "bron_audit";

/** Checks the protection from the point of view of the connected role. */
export async function readAuditGuard(pool: Pick<pg.Pool, "query">): Promise<AuditGuard> {
  const { rows } = await pool.query<{ guarded: boolean; refusing: boolean }>(
    `select not has_table_privilege(c.oid, 'update, delete, truncate, trigger') and not pg_has_role(c.relowner, 'usage') as guarded,
       exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'audit_append_only' and t.tgenabled in ('O', 'A')) as refusing
     from pg_class c where c.oid = to_regclass('audit')`,
  );
  const [found] = rows;
  if (!found) return "absent";
  if (!found.refusing) return "open";
  return found.guarded ? "rights" : "trigger";
}

const maxAttempts = 3;

/**
 * Transfers the audit table to its own role, if the connected role may create one. `appUser` keeps
 * the rights it needs. Otherwise the table stays protected by its trigger. Afterwards only a
 * superuser, or the role that created the new one, can migrate the table.
 */
export async function guardAudit(pool: pg.Pool, appUser: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await pool.query<AuditOwnership>(ownershipStatement, [auditRole]);
    const [found] = rows;
    if (
      !found ||
      found.isGiven ||
      !(found.isSuperuser || (found.mayMakeRoles && found.version >= 160_000))
    )
      return;
    try {
      await transferAudit(pool, appUser, found);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (isPermissionError(error)) return;
      // Several processes may start at the same time, and roles belong to the entire server.
      if (!isRace(error) || attempt >= maxAttempts)
        throw new BronError(
          "database_refused",
          `The audit log could not be assigned to its own role: ${error.message}`,
          { cause: error },
        );
    }
  }
}

interface AuditOwnership {
  readonly isGiven: boolean;
  readonly isThere: boolean;
  readonly isSuperuser: boolean;
  readonly mayMakeRoles: boolean;
  readonly version: number;
  readonly schema: string;
}

const ownershipStatement = `
  select pg_get_userbyid(c.relowner) = $1 as "isGiven",
    exists (select from pg_roles where rolname = $1) as "isThere", r.rolsuper as "isSuperuser", r.rolcreaterole as "mayMakeRoles",
    current_setting('server_version_num')::int as version, n.nspname as schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r where c.oid = to_regclass('audit') and r.rolname = current_user`;

async function transferAudit(
  pool: pg.Pool,
  appUser: string,
  { isThere, isSuperuser, schema: name }: AuditOwnership,
): Promise<void> {
  const [app, schema] = [pg.escapeIdentifier(appUser), pg.escapeIdentifier(name)];
  await inTransaction(pool, async ({ client }) => {
    const statements = [
      ...(isThere ? [] : [`create role ${auditRole} nologin`]),
      // To transfer a table to a role, one must be able to become that role, and the role must be
      // able to create objects in the schema. Both are granted only temporarily.
      ...(isSuperuser ? [] : [`grant ${auditRole} to current_user with inherit false, set true`]),
      `grant usage, create on schema ${schema} to ${auditRole}`,
      `alter table ${schema}.audit owner to ${auditRole}`,
      `alter function ${schema}.refuse_change() owner to ${auditRole}`,
      `revoke create on schema ${schema} from ${auditRole}`,
      `set local role ${auditRole}`,
      `grant select, insert on ${schema}.audit to ${app}`,
      // Needed for restoring a backup, whose rows have explicit IDs.
      `grant select, update on sequence ${schema}.audit_id_seq to ${app}`,
      "reset role",
      ...(isSuperuser ? [] : [`revoke ${auditRole} from current_user`]),
    ];
    for (const statement of statements) await client.query(statement);
  });
}

function isPermissionError({ code }: pg.DatabaseError): boolean {
  return code === "42501" || code === "0LP01";
}

function isRace({ code }: pg.DatabaseError): boolean {
  return ["42710", "23505", "XX000", "40P01", "40001"].includes(code ?? "");
}
