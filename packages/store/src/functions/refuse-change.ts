import type { SqlFunction } from "./sql-function.ts";

/**
 * The trigger function of the audit log. The baseline creates it together with its trigger, and
 * `guardAudit` transfers it to a role of its own, so `createFunctions` must not touch it.
 */
export const refuseChange: SqlFunction = {
  name: "refuse_change",
  text: `
create function refuse_change() returns trigger language plpgsql as $$
   begin
     raise exception 'audit rows are never changed';
   end $$`,
};
