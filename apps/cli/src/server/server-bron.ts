import { createClient, terminalToken, terminalTokenSeconds, type Sign } from "@bron/client";
import { BronError } from "@bron/core";
import { ownerId } from "../owner.ts";
import type { OwnerBron } from "../owner-bron.ts";
import { readServerEntry } from "./home-claim.ts";

interface ServerBronOptions {
  readonly home: string;
  readonly sign: Sign;
}

/** The server that runs on the home, whichever that is at each request: one that died may have a successor elsewhere. */
export function serverBron({ home, sign }: ServerBronOptions): OwnerBron {
  let serverId = "";
  return createClient({
    async url() {
      const entry = await readServerEntry(home);
      if (!entry) throw new BronError("server_unreachable", "No Bron runs on this home any more.");
      serverId = entry.id;
      return entry.url;
    },
    authorize: () => `Bearer ${terminalToken({ sign, ownerId, serverId, expiresAt: Math.floor(Date.now() / 1_000) + terminalTokenSeconds })}`,
  });
}
