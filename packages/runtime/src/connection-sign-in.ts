import { BronError, type Connector, type Runs, type ToolServers } from "@bron/core";
import { checkReturnPath } from "@bron/protocol";

/** Connects an account on the consent page of its provider. */
export interface ConnectionSignIn {
  /**
   * Returns the URL of the provider's consent page. `returnTo` is the page where the owner began, and
   * is ignored unless it is a page of this server. Throws not_found for an unknown provider.
   */
  startSignIn(
    ownerId: string,
    provider: string,
    redirectUri: string,
    options?: { readonly returnTo?: string | undefined },
  ): Promise<{ url: string }>;
  /** The page where a sign-in began. Also known if the sign-in failed. */
  returnPathOf(provider: string, state: string): string | undefined;
  /** Handles the provider's callback. Runs that wait for the account continue. */
  finishSignIn(
    provider: string,
    callback: { state: string; code: string; redirectUri: string },
  ): Promise<{ ownerId: string; account: string }>;
}

export function createConnectionSignIn(
  connectors: Connectors,
  runs: Pick<Runs, "announceConnected">,
): ConnectionSignIn {
  return {
    startSignIn: async (ownerId, provider, redirectUri, { returnTo } = {}) =>
      await connectorOf(connectors, provider).startSignIn({
        ownerId,
        redirectUri,
        returnTo: checkReturnPath(returnTo),
      }),
    // Checked again, because a connector may be anyone's.
    returnPathOf: (provider, state) =>
      checkReturnPath(connectorOf(connectors, provider).returnPathOf?.(state)),
    async finishSignIn(provider, callback) {
      const finished = await connectorOf(connectors, provider).finishSignIn(callback);
      await runs.announceConnected(finished.ownerId, finished.provider ?? provider);
      return finished;
    },
  };
}

/** What an owner can connect: accounts, and sign-ins at MCP servers. */
export interface Connectors {
  readonly connectors: readonly Connector[];
  readonly toolServers: Pick<ToolServers, "connectorOf"> | undefined;
}

export function connectorOf({ connectors, toolServers }: Connectors, provider: string): Connector {
  const found =
    connectors.find((connector) => connector.provider === provider) ??
    toolServers?.connectorOf(provider);
  if (!found) throw new BronError("not_found", `Unknown provider ${provider}.`);
  return found;
}
