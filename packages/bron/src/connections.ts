import { BronError, type Connector, type Runs } from "@bron/core";
import type { ConnectionView } from "@bron/protocol";

export interface ConnectionService {
  list(ownerId: string): Promise<ConnectionView[]>;
  /** Where a browser goes to consent. Throws not_found for a provider that there is not. */
  begin(ownerId: string, provider: string, redirectUri: string): Promise<{ url: string }>;
  /** Takes what came back; runs that wait for the account go on. */
  finish(
    provider: string,
    answer: { state: string; code: string; redirectUri: string },
  ): Promise<{ ownerId: string; account: string }>;
  disconnect(ownerId: string, provider: string): Promise<void>;
}

export function createConnections(
  connectors: readonly Connector[],
  runs: Pick<Runs, "announceConnected">,
): ConnectionService {
  const connectorOf = (provider: string) => {
    const found = connectors.find((connector) => connector.provider === provider);
    if (!found) throw new BronError("not_found", `There is no provider ${provider}.`);
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
    begin: async (ownerId, provider, redirectUri) =>
      await connectorOf(provider).startSignIn({ ownerId, redirectUri }),
    async finish(provider, answer) {
      const finished = await connectorOf(provider).finishSignIn(answer);
      await runs.announceConnected(finished.ownerId, provider);
      return finished;
    },
    disconnect: async (ownerId, provider) => await connectorOf(provider).disconnect(ownerId),
  };
}
