import { type Client, createClient, httpTransport, proveServer } from "@bron/client";
import { terminalToken, terminalTokenSeconds, type Sign } from "@bron/protocol";
import { BronError } from "@bron/core";
import { ownerId } from "../owner.ts";
import { readServerEntry, type ServerEntry } from "./home-claim.ts";

interface ServerRuntimeOptions {
  readonly home: string;
  readonly sign: Sign;
}

/**
 * A client of the home's server. Looks the server up for each request, because a restarted one may
 * have another address.
 */
export function serverRuntime({ home, sign }: ServerRuntimeOptions): Client {
  let serverId = "";
  return createClient({
    transport: httpTransport({
      async url() {
        const entry = await readServerEntry(home);
        if (!entry)
          throw new BronError("server_unreachable", "Bron isn't running on this home anymore.");
        await verifyServer(entry, sign);
        serverId = entry.id;
        return entry.url;
      },
      authorize: () =>
        `Bearer ${terminalToken({ sign, ownerId, serverId, expiresAt: Math.floor(Date.now() / 1_000) + terminalTokenSeconds })}`,
    }),
  });
}

/**
 * Call this before sending anything to the server. Throws secret_key_changed if it does not have
 * this home's secret, or server_unreachable if it does not respond.
 */
export async function verifyServer({ id, url }: ServerEntry, sign: Sign): Promise<void> {
  const found = await proveServer({ url, serverId: id, sign });
  if (found === "silent") throw new BronError("server_unreachable", "Can't reach Bron.");
  if (found === "proved") return;
  throw new BronError(
    "secret_key_changed",
    `The server at ${url} has a different secret key than this terminal.`,
    {
      details: {
        hint: "If it is Bron, set DATABASE_URL and BRON_SECRET_KEY to the values it was started with. If Bron stopped, start it again with: bron start",
      },
    },
  );
}
