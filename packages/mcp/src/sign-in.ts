import { requestError, type Connector, type Grant, type TokenVault } from "@bron/core";
import { checkReturnPath, mcpProviderOf, omitUndefined, type Sign } from "@bron/protocol";
import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { openState, sealState } from "./sealed-state.ts";
import { guardedFetch } from "./sign-in-fetch.ts";
import { cannotSignIn, createFlow, type SignInServer } from "./sign-in-flow.ts";

const validMs = 10 * 60_000;
/** A token that expires within this time is renewed before it is used. */
const earlyMs = 60_000;

interface SignInDeps {
  readonly vault: TokenVault;
  readonly sign: Sign;
  readonly useOnce: (key: string) => Promise<boolean>;
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** The server of an owner. Undefined if it is gone or cannot be signed in to. */
  readonly findServer: (ownerId: string, name: string) => Promise<SignInServer | undefined>;
}

const stateSchema = z.object({
  ownerId: z.string(),
  server: z.string(),
  url: z.string(),
  nonce: z.string(),
  expiresAt: z.number(),
  returnTo: z.string().optional(),
  verifier: z.string(),
  client: z.looseObject({ client_id: z.string() }),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
});

/** What the vault keeps beside the tokens, in place of the refresh token. */
const keptSchema = z.object({
  refreshToken: z.string().nullable(),
  issuer: z.string().optional(),
  client: z.looseObject({ client_id: z.string() }),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
});

export interface ServerSignIn {
  start: Connector["startSignIn"] extends (request: infer R) => infer P
    ? (server: SignInServer, request: R) => P
    : never;
  finish(request: {
    readonly state: string;
    readonly code: string;
    readonly redirectUri: string;
  }): Promise<{ ownerId: string; account: string; provider: string }>;
  returnPathOf(state: string): string | undefined;
  /** The header for a request, renewed if it expires. Undefined without a sign-in. */
  authorization(ownerId: string, server: SignInServer): Promise<string | undefined>;
  /** Forgets the access token, so that the next request renews it. Returns false if it cannot be. */
  renew(ownerId: string, server: SignInServer): Promise<boolean>;
  status(ownerId: string, server: SignInServer): Promise<Grant | undefined>;
  remove(ownerId: string, server: SignInServer): Promise<void>;
}

/**
 * Signing in to a server by OAuth 2.1, as MCP describes it: the server names its authorization
 * server, Bron registers itself there, and the owner consents in the browser. The tokens belong to
 * the URL of the server: with another URL in the file, they are not sent.
 */
export function createServerSignIn(deps: SignInDeps): ServerSignIn {
  const { vault, sign, useOnce, now, findServer } = deps;
  const load = (ownerId: string, server: SignInServer) => vault.load(ownerId, vaultKeyOf(server));
  const read = (state: string) => {
    const parsed = stateSchema.safeParse(openState(sign, state));
    if (!parsed.success) throw requestError("forbidden", { code: "sign_in_foreign" });
    return parsed.data;
  };
  return {
    async start(server, { ownerId, redirectUri, returnTo }) {
      const flow = createFlow(server, redirectUri);
      const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
      await auth(flow.provider, {
        serverUrl: server.entry.url,
        fetchFn: guardedFetch(deps.fetch, server.entry.url),
      }).catch((error: unknown) => {
        throw cannotSignIn(server.name, error);
      });
      const { url, verifier, client, discovery } = flow.result();
      const state: z.infer<typeof stateSchema> = {
        ownerId,
        server: server.name,
        url: server.entry.url,
        nonce: randomUUID(),
        expiresAt: now() + validMs,
        ...omitUndefined({ returnTo }),
        verifier,
        client,
        ...(discovery ? { discovery: { ...discovery } } : {}),
      };
      url.searchParams.set("state", sealState(sign, state));
      return { url: url.href };
    },

    async finish({ state: sealed, code, redirectUri }) {
      const state = read(sealed);
      if (now() >= state.expiresAt) throw requestError("forbidden", { code: "sign_in_expired" });
      if (!(await useOnce(`mcp-sign-in ${state.nonce}`)))
        throw requestError("forbidden", { code: "sign_in_used" });
      const server = await findServer(state.ownerId, state.server);
      if (!server || server.entry.url !== state.url)
        throw requestError("forbidden", { code: "sign_in_foreign" });
      const flow = createFlow(server, redirectUri, state);
      const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
      await auth(flow.provider, {
        serverUrl: server.entry.url,
        authorizationCode: code,
        fetchFn: guardedFetch(deps.fetch, server.entry.url),
      }).catch((error: unknown) => {
        throw cannotSignIn(server.name, error);
      });
      const account = new URL(server.entry.url).host;
      const { tokens, client, discovery } = flow.result();
      if (!tokens) throw cannotSignIn(server.name, new Error("it sent no token"));
      const grant = toGrant(account, tokens, { client, discovery, now: now() });
      await vault.save(state.ownerId, vaultKeyOf(server), grant);
      return { ownerId: state.ownerId, account, provider: mcpProviderOf(server.name) };
    },

    returnPathOf(sealed) {
      try {
        return checkReturnPath(read(sealed).returnTo);
      } catch {
        return undefined;
      }
    },

    async authorization(ownerId, server) {
      const grant = await load(ownerId, server);
      if (!grant) return undefined;
      if (grant.expiresAt - now() > earlyMs) return `Bearer ${grant.accessToken}`;
      await renewGrant(deps, { ownerId, server, grant });
      const renewed = await load(ownerId, server);
      return renewed && `Bearer ${renewed.accessToken}`;
    },

    async renew(ownerId, server) {
      const grant = await load(ownerId, server);
      return grant !== undefined && (await renewGrant(deps, { ownerId, server, grant }));
    },
    status: load,
    remove: (ownerId, server) => vault.remove(ownerId, vaultKeyOf(server)),
  };
}

/** The tokens of one address never go to another one. */
function vaultKeyOf({ name, entry }: SignInServer): string {
  const digest = createHash("sha256").update(entry.url).digest("base64url").slice(0, 22);
  return `${mcpProviderOf(name)}.${digest}`;
}

async function renewGrant(
  { vault, fetch, now }: SignInDeps,
  { ownerId, server, grant }: { ownerId: string; server: SignInServer; grant: Grant },
): Promise<boolean> {
  const kept = keptSchema.safeParse(JSON.parse(grant.refreshToken)).data;
  if (!kept || kept.refreshToken === null) return false;
  const flow = createFlow(server, undefined, { ...kept, verifier: "" });
  const { refreshAuthorization, selectResourceURL } =
    await import("@modelcontextprotocol/sdk/client/auth.js");
  const discovery = kept.discovery as unknown as OAuthDiscoveryState | undefined;
  if (!discovery) return false;
  try {
    const resource = await selectResourceURL(
      server.entry.url,
      flow.provider,
      discovery.resourceMetadata,
    );
    const tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...(discovery.authorizationServerMetadata
        ? { metadata: discovery.authorizationServerMetadata }
        : {}),
      clientInformation: kept.client,
      refreshToken: kept.refreshToken,
      ...(resource ? { resource } : {}),
      fetchFn: guardedFetch(fetch, server.entry.url),
    });
    const { client } = flow.result();
    const renewed = toGrant(
      grant.account,
      { refresh_token: kept.refreshToken, ...tokens },
      { client, discovery, now: now() },
    );
    await vault.renew(ownerId, vaultKeyOf(server), grant, renewed);
    return true;
  } catch {
    // The owner is asked to sign in again.
    return false;
  }
}

function toGrant(
  account: string,
  tokens: OAuthTokens & { readonly issuer?: string | undefined },
  { client, discovery, now }: { client: object; discovery: object | undefined; now: number },
): Grant {
  const kept = {
    refreshToken: tokens.refresh_token ?? null,
    ...omitUndefined({ issuer: tokens.issuer }),
    client,
    ...(discovery ? { discovery } : {}),
  };
  return {
    account,
    accessToken: tokens.access_token,
    refreshToken: JSON.stringify(kept),
    // A token without an expiry is used until the server rejects it.
    expiresAt: now + (tokens.expires_in ?? 10 * 365 * 86_400) * 1_000,
    scopes: (tokens.scope ?? "").split(" ").filter((scope) => scope !== ""),
  };
}
