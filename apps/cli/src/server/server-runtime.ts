import {
  createClient,
  proveServer,
  type Client,
  terminalToken,
  terminalTokenSeconds,
  type Sign,
} from "@bron/client";
import { BronError } from "@bron/core";
import { ownerId } from "../owner.ts";
import { readServerEntry, type ServerEntry } from "./home-claim.ts";

interface ServerRuntimeOptions {
  readonly home: string;
  readonly sign: Sign;
}

/** The server that runs on the home, whichever that is at each request: one that died may have a successor elsewhere. */
export function serverRuntime({ home, sign }: ServerRuntimeOptions): Client {
  let serverId = "";
  return createClient({
    async url() {
      const entry = await readServerEntry(home);
      if (!entry) throw new BronError("server_unreachable", "No Bron runs on this home any more.");
      await refuseOthers(entry, sign);
      serverId = entry.id;
      return entry.url;
    },
    authorize: () =>
      `Bearer ${terminalToken({ sign, ownerId, serverId, expiresAt: Math.floor(Date.now() / 1_000) + terminalTokenSeconds })}`,
  });
}

/** Before anything is sent or shown: throws secret_key_changed if what answers there does not have this home's secret, server_unreachable if nothing does. */
export async function refuseOthers({ id, url }: ServerEntry, sign: Sign): Promise<void> {
  const found = await proveServer({ url, serverId: id, sign });
  if (found === "silent")
    throw new BronError("server_unreachable", "Can't reach Bron.");
  if (found === "proved") return;
  throw new BronError(
    "secret_key_changed",
    `What answers at ${url} has another secret key than this terminal.`,
    {
      details: {
        hint: "If Bron runs there, set DATABASE_URL and BRON_SECRET_KEY as where it was started; if it died, start it again: bron start",
      },
    },
  );
}
