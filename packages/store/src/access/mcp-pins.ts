import { requestError, type McpPin, type McpPins } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

const columns = `server, source, offered, offered_digest as "offeredDigest", accepted, notes`;

export function postgresMcpPins(pool: pg.Pool): McpPins {
  return wrapDatabaseErrors<McpPins>({
    async list(ownerId) {
      const { rows } = await pool.query<McpPin>(
        `select ${columns} from mcp_servers where owner_id = $1 order by server`,
        [ownerId],
      );
      return rows;
    },
    async get(ownerId, server) {
      const { rows } = await pool.query<McpPin>(
        `select ${columns} from mcp_servers where owner_id = $1 and server = $2`,
        [ownerId, server],
      );
      return rows[0];
    },
    async offer(ownerId, { server, source, offered, offeredDigest, notes }) {
      await pool.query(
        `with owner as (insert into owners (id) values ($1) on conflict do nothing)
         insert into mcp_servers (owner_id, server, source, offered, offered_digest, notes)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (owner_id, server) do update set
           source = excluded.source, offered = excluded.offered, notes = excluded.notes,
           offered_digest = excluded.offered_digest, offered_at = clock_timestamp(),
           accepted = case when mcp_servers.source = excluded.source then mcp_servers.accepted else '[]' end,
           accepted_at = case when mcp_servers.source = excluded.source then mcp_servers.accepted_at end`,
        [ownerId, server, source, JSON.stringify(offered), offeredDigest, JSON.stringify(notes)],
      );
    },
    async accept(ownerId, { server, source, offeredDigest }) {
      const { rowCount } = await pool.query(
        `with changed as (
           update mcp_servers set accepted = offered, accepted_at = clock_timestamp()
           where owner_id = $1 and server = $2 and source = $3 and offered_digest = $4
           returning server, jsonb_array_length(offered) as tools
         ), noted as (
           insert into audit (owner_id, what, by, digest, details)
           select $1, 'mcp_server.accepted', 'owner', $4, jsonb_build_object('server', server, 'tools', tools) from changed
         ) select server from changed`,
        [ownerId, server, source, offeredDigest],
      );
      if (rowCount === 0) throw requestError("conflict", { code: "mcp_tools_changed", server });
    },
    async remove(ownerId, server) {
      const { rowCount } = await pool.query(
        `delete from mcp_servers where owner_id = $1 and server = $2`,
        [ownerId, server],
      );
      return rowCount === 1;
    },
  });
}
