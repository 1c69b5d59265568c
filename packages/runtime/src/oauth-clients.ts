import { BronError, type Clock, type OauthClient, type OauthClients } from "@bron/core";
import type { ConnectionSetup } from "@bron/protocol";
import type { Cipher } from "./cipher.ts";

/** The OAuth apps that the owner of the server entered. A stored secret is used, but never returned. */
export interface OauthClientService {
  /** The stored app, without its secret. */
  view(provider: string): Promise<{ clientId: string; updatedAt: string } | undefined>;
  put(ownerId: string, provider: string, client: OauthClient): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: string): Promise<void>;
}

/** The stored apps, and where the app of each provider really comes from. */
export interface OauthClientSetup extends OauthClientService {
  /** Throws not_found for an unknown provider. */
  setupOf(provider: string): Promise<ConnectionSetup>;
}

interface OauthClientsDeps {
  readonly clients: OauthClients;
  readonly cipher: Cipher;
  readonly clock: Pick<Clock, "monotonic">;
}

/** How long a change in another process may go unnoticed. */
const cacheMs = 30_000;

export function createOauthClients({
  clients,
  cipher,
  clock,
}: OauthClientsDeps): OauthClientService & {
  /** The stored app, with its secret, for the connector. */
  load(provider: string): Promise<OauthClient | undefined>;
} {
  const cache = new Map<string, { until: number; client: Promise<OauthClient | undefined> }>();
  const contextOf = (provider: string, clientId: string) =>
    JSON.stringify([provider, clientId, "client-secret"]);
  const open = async (provider: string): Promise<OauthClient | undefined> => {
    const stored = await clients.get(provider);
    if (!stored) return undefined;
    const { clientId, sealedSecret } = stored;
    try {
      return { clientId, clientSecret: cipher.open(contextOf(provider, clientId), sealedSecret) };
    } catch (error) {
      // With another secret key the app must be entered again, and everything else works.
      if (BronError.is(error, "secret_key_changed")) return undefined;
      throw error;
    }
  };
  return {
    async view(provider) {
      const stored = await clients.get(provider);
      return stored && { clientId: stored.clientId, updatedAt: stored.updatedAt };
    },
    async put(ownerId, provider, { clientId, clientSecret }) {
      const sealedSecret = cipher.seal(contextOf(provider, clientId), clientSecret);
      await clients.put(ownerId, { provider, clientId, sealedSecret });
      cache.delete(provider);
    },
    async remove(ownerId, provider) {
      await clients.remove(ownerId, provider);
      cache.delete(provider);
    },
    load(provider) {
      const cached = cache.get(provider);
      if (cached && clock.monotonic() < cached.until) return cached.client;
      const entry = { until: clock.monotonic() + cacheMs, client: open(provider) };
      cache.set(provider, entry);
      // Do not cache a failed load.
      entry.client.catch(() => cache.get(provider) === entry && cache.delete(provider));
      return entry.client;
    },
  };
}
