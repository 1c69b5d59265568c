import { BronError } from "@bron/core";
import pg from "pg";
import { inTransaction } from "./database.ts";

/**
 * What keeps the audit from being changed. `rights`: the table belongs to a role that nobody can log in as, and this one may only add and
 * read. `trigger`: only the table's own trigger, which a superuser or the table's owner could drop. `open`: not even that. `absent`: there is none yet.
 */
export type AuditGuard = "rights" | "trigger" | "open" | "absent";

const auditRole = "bron_audit";

/** Seen from whoever is connected. */
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

const tries = 3;

/**
 * Gives the audit away to a role of its own, if whoever is connected may make one; `appUser` keeps what it needs. Otherwise it stays as it is,
 * behind its trigger. From then on only a superuser, or whoever made that role, can migrate the table.
 */
export async function guardAudit(pool: pg.Pool, appUser: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    const { rows } = await pool.query<Standing>(standing, [auditRole]);
    const [found] = rows;
    if (
      !found ||
      found.isGiven ||
      !(found.isSuperuser || (found.mayMakeRoles && found.version >= 160_000))
    )
      return;
    try {
      await giveAway(pool, appUser, found);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (isRefusal(error)) return;
      // Several processes start at once: roles are of the whole server.
      if (!isRace(error) || tried >= tries)
        throw new BronError(
          "database_refused",
          `The audit log could not be assigned to its own role: ${error.message}`,
          { cause: error },
        );
    }
  }
}

interface Standing {
  readonly isGiven: boolean;
  readonly isThere: boolean;
  readonly isSuperuser: boolean;
  readonly mayMakeRoles: boolean;
  readonly version: number;
  readonly schema: string;
}

const standing = `
  select pg_get_userbyid(c.relowner) = $1 as "isGiven", exists (select from pg_roles where rolname = $1) as "isThere", r.rolsuper as "isSuperuser", r.rolcreaterole as "mayMakeRoles",
    current_setting('server_version_num')::int as version, n.nspname as schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r where c.oid = to_regclass('audit') and r.rolname = current_user`;

async function giveAway(
  pool: pg.Pool,
  appUser: string,
  { isThere, isSuperuser, schema: name }: Standing,
): Promise<void> {
  const [app, schema] = [pg.escapeIdentifier(appUser), pg.escapeIdentifier(name)];
  await inTransaction(pool, async ({ client }) => {
    const statements = [
      ...(isThere ? [] : [`create role ${auditRole} nologin`]),
      // To give something to a role one must be able to become it, and it must be able to make things there; both only for now.
      ...(isSuperuser ? [] : [`grant ${auditRole} to current_user with inherit false, set true`]),
      `grant usage, create on schema ${schema} to ${auditRole}`,
      `alter table ${schema}.audit owner to ${auditRole}`,
      `alter function ${schema}.refuse_change() owner to ${auditRole}`,
      `revoke create on schema ${schema} from ${auditRole}`,
      `set local role ${auditRole}`,
      `grant select, insert on ${schema}.audit to ${app}`,
      // For a restored backup, whose rows come with their numbers.
      `grant select, update on sequence ${schema}.audit_id_seq to ${app}`,
      "reset role",
      ...(isSuperuser ? [] : [`revoke ${auditRole} from current_user`]),
    ];
    for (const statement of statements) await client.query(statement);
  });
}

function isRefusal({ code }: pg.DatabaseError): boolean {
  return code === "42501" || code === "0LP01";
}

function isRace({ code }: pg.DatabaseError): boolean {
  return ["42710", "23505", "XX000", "40P01", "40001"].includes(code ?? "");
}
