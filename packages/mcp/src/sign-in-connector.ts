import { BronError, type Connector } from "@bron/core";
import { mcpProviderPrefix } from "@bron/protocol";
import type { ServerCatalog, UsableServer } from "./server-catalog.ts";
import type { ServerPool } from "./server-pool.ts";
import type { ServerSignIn } from "./sign-in.ts";
import type { SignInServer } from "./sign-in-flow.ts";

interface SignInConnectorDeps {
  readonly ownerId: string;
  readonly catalog: Pick<ServerCatalog, "find">;
  readonly pool: Pick<ServerPool, "drop">;
  readonly signIn: ServerSignIn;
}

/** Signing in to the server of a provider, as accounts are connected. `mcp` finishes any. */
export function signInConnector(
  { ownerId, catalog, pool, signIn }: SignInConnectorDeps,
  provider: string,
): Connector {
  const server = async (owner: string): Promise<SignInServer> => {
    const name = provider.slice(mcpProviderPrefix.length);
    if (owner !== ownerId) throw new BronError("not_found", `There is no MCP server ${name}.`);
    const found = asSignInServer(await catalog.find(name));
    if (!found) throw new BronError("invalid_input", "This MCP server needs no sign-in.");
    return found;
  };
  return {
    provider,
    tools: [],
    scopes: [],
    startSignIn: async (request) => await signIn.start(await server(request.ownerId), request),
    returnPathOf: (state) => signIn.returnPathOf(state),
    async finishSignIn(request) {
      const finished = await signIn.finish(request);
      await pool.drop(finished.provider.slice(mcpProviderPrefix.length));
      return finished;
    },
    async disconnect(owner) {
      const found = await server(owner);
      await signIn.remove(owner, found);
      await pool.drop(found.name);
    },
    async status(owner) {
      const grant = await signIn.status(owner, await server(owner));
      return grant && { account: grant.account, scopes: grant.scopes };
    },
  };
}

export function asSignInServer(server: UsableServer | undefined): SignInServer | undefined {
  return server?.expanded.kind === "http"
    ? { name: server.name, entry: server.expanded }
    : undefined;
}
