import type { Connector } from "@bron/core";
import type { ConnectionView } from "@bron/protocol";
import { connectorOf, type Connectors } from "../connection-sign-in.ts";
import type { ServicesOf } from "./service.ts";

type ConnectionKeys =
  | "GET /api/connections"
  | "POST /api/connections/:provider/disconnect"
  | "POST /api/gmail/disconnect";

/** Accounts at external services. They are connected on the consent pages of their providers. */
export function connectionServices(deps: Connectors): ServicesOf<ConnectionKeys> {
  const { connectors } = deps;
  const list = async (ownerId: string) => ({
    connections: await Promise.all(connectors.map((connector) => viewOf(connector, ownerId))),
  });
  const disconnect = async (ownerId: string, provider: string) => {
    await connectorOf(deps, provider).disconnect(ownerId);
    return await list(ownerId);
  };
  return {
    "GET /api/connections": ({ caller: { ownerId } }) => list(ownerId),
    "POST /api/connections/:provider/disconnect": ({ caller: { ownerId }, params }) =>
      disconnect(ownerId, params.provider),
    "POST /api/gmail/disconnect": ({ caller: { ownerId } }) => disconnect(ownerId, "google"),
  };
}

async function viewOf(
  { provider, scopes, status, setup }: Connector,
  ownerId: string,
): Promise<ConnectionView> {
  const found = await status(ownerId);
  return {
    provider,
    setup: (await setup?.()) ?? "configured",
    account: found?.account ?? null,
    scopes: scopes.map(({ scope, why }) => ({
      scope,
      why,
      granted: found?.scopes.includes(scope) ?? false,
    })),
  };
}
