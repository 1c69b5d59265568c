import { BronError, type Connector, type Runs } from "@bron/core";

/** Connects an account on the consent page of its provider. */
export interface ConnectionSignIn {
  /** Returns the URL of the provider's consent page. Throws not_found for an unknown provider. */
  startSignIn(ownerId: string, provider: string, redirectUri: string): Promise<{ url: string }>;
  /** Handles the provider's callback. Runs that wait for the account continue. */
  finishSignIn(
    provider: string,
    callback: { state: string; code: string; redirectUri: string },
  ): Promise<{ ownerId: string; account: string }>;
}

export function createConnectionSignIn(
  connectors: readonly Connector[],
  runs: Pick<Runs, "announceConnected">,
): ConnectionSignIn {
  return {
    startSignIn: async (ownerId, provider, redirectUri) =>
      await connectorOf(connectors, provider).startSignIn({ ownerId, redirectUri }),
    async finishSignIn(provider, callback) {
      const finished = await connectorOf(connectors, provider).finishSignIn(callback);
      await runs.announceConnected(finished.ownerId, provider);
      return finished;
    },
  };
}

export function connectorOf(connectors: readonly Connector[], provider: string): Connector {
  const found = connectors.find((connector) => connector.provider === provider);
  if (!found) throw new BronError("not_found", `Unknown provider ${provider}.`);
  return found;
}
