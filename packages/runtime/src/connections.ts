import { BronError, type Connector, type Runs } from "@bron/core";
import type { ConnectionView } from "@bron/protocol";

export interface ConnectionService {
  list(ownerId: string): Promise<ConnectionView[]>;
  /** Returns the URL of the provider's consent page. Throws not_found for an unknown provider. */
  startSignIn(ownerId: string, provider: string, redirectUri: string): Promise<{ url: string }>;
  /** Handles the provider's callback. Runs that wait for the account continue. */
  finishSignIn(
    provider: string,
    callback: { state: string; code: string; redirectUri: string },
  ): Promise<{ ownerId: string; account: string }>;
  disconnect(ownerId: string, provider: string): Promise<void>;
}

export function createConnections(
  connectors: readonly Connector[],
  runs: Pick<Runs, "announceConnected">,
): ConnectionService {
  const connectorOf = (provider: string) => {
    const found = connectors.find((connector) => connector.provider === provider);
    if (!found) throw new BronError("not_found", `Unknown provider ${provider}.`);
    return found;
  };
  return {
    async list(ownerId) {
      return await Promise.all(
        connectors.map(async ({ provider, scopes, status }) => {
          const found = await status(ownerId);
          return {
            provider,
            account: found?.account ?? null,
            scopes: scopes.map(({ scope, why }) => ({
              scope,
              why,
              granted: found?.scopes.includes(scope) ?? false,
            })),
          };
        }),
      );
    },
    startSignIn: async (ownerId, provider, redirectUri) =>
      await connectorOf(provider).startSignIn({ ownerId, redirectUri }),
    async finishSignIn(provider, callback) {
      const finished = await connectorOf(provider).finishSignIn(callback);
      await runs.announceConnected(finished.ownerId, provider);
      return finished;
    },
    disconnect: async (ownerId, provider) => await connectorOf(provider).disconnect(ownerId),
  };
}
