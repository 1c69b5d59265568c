import type { Client } from "@bron/client";
import { BronError, nearestNames } from "@bron/core";
import type { BronView } from "@bron/protocol";
import { oneLine } from "./render/visible.ts";

const minPrefixCharacters = 6;

/** Finds a Bron by its name in any case, by its id, or by a unique prefix of its id. */
export async function findBron(client: Client, wanted: string): Promise<BronView> {
  const { brons } = await client.call("GET /api/brons", { query: { archived: "include" } });
  const key = wanted.toLowerCase();
  const named = brons.filter(({ name }) => name.toLowerCase() === key);
  const found =
    named.length > 0 || key.length < minPrefixCharacters
      ? named
      : brons.filter(({ id }) => id.startsWith(key));
  const [bron] = found;
  if (bron && found.length === 1) return bron;
  if (bron)
    throw new BronError(
      "invalid_input",
      `${oneLine(wanted)} matches ${found.length} Brons. Use an ID.`,
      { details: { hint: "List Brons with: bron brons list" } },
    );
  const near = nearestNames(
    wanted,
    brons.map(({ name }) => name),
  );
  throw new BronError("not_found", `Bron ${oneLine(wanted)} not found.`, {
    details: {
      hint:
        near.length > 0
          ? `Did you mean ${near.map(oneLine).join(", ")}?`
          : "List Brons with: bron brons list",
    },
  });
}
