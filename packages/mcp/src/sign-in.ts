import { BronError, requestError, type Connector, type Grant, type TokenVault } from "@bron/core";
import { checkReturnPath, mcpProviderOf, type Sign } from "@bron/protocol";
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { isLoopback } from "./expand-variables.ts";
import { openState, sealState } from "./sealed-state.ts";
import type { HttpEntry } from "./server-entry.ts";

const validMs = 10 * 60_000;
/** A token that expires within this time is renewed before it is used. */
const earlyMs = 60_000;
const maxResponseBytes = 1024 * 1024;

export interface SignInServer {
  /** The name that rules use. */
  readonly name: string;
  readonly entry: HttpEntry;
}

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
  const load = async (ownerId: string, server: SignInServer) =>
    await vault.load(ownerId, vaultKeyOf(server));
  const renew = async (ownerId: string, server: SignInServer): Promise<boolean> => {
    const grant = await load(ownerId, server);
    return grant !== undefined && (await renewGrant(deps, { ownerId, server, grant }));
  };
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
        ...(returnTo === undefined ? {} : { returnTo }),
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

    renew,
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
    const resource = await selectResourceURL(server.entry.url, flow.provider, discovery.resourceMetadata);
    const tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...(discovery.authorizationServerMetadata
        ? { metadata: discovery.authorizationServerMetadata }
        : {}),
      clientInformation: kept.client as OAuthClientInformationMixed,
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

interface FlowStart {
  readonly client: { readonly client_id: string };
  readonly discovery?: object | undefined;
  readonly verifier: string;
}

interface Flow {
  readonly provider: OAuthClientProvider;
  result(): {
    readonly url: URL;
    readonly verifier: string;
    readonly client: { readonly client_id: string };
    readonly discovery: OAuthDiscoveryState | undefined;
    readonly tokens: OAuthTokens | undefined;
  };
}

/** One pass through the SDK's flow, which asks for and reports everything by this object. */
function createFlow(
  { name, entry }: SignInServer,
  redirectUri: string | undefined,
  before?: FlowStart,
): Flow {
  const own: OAuthClientInformationMixed | undefined = entry.oauth && {
    client_id: entry.oauth.clientId,
    ...(entry.oauth.clientSecret === undefined ? {} : { client_secret: entry.oauth.clientSecret }),
  };
  let client: OAuthClientInformationMixed | undefined =
    own ?? (before?.client as OAuthClientInformationMixed | undefined);
  let discovery = before?.discovery as OAuthDiscoveryState | undefined;
  let verifier = before?.verifier ?? "";
  let tokens: OAuthTokens | undefined;
  let url: URL | undefined;
  return {
    provider: {
      redirectUrl: redirectUri,
      clientMetadata: {
        client_name: "Bron",
        redirect_uris: redirectUri === undefined ? [] : [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        ...(entry.oauth?.scope === undefined ? {} : { scope: entry.oauth.scope }),
      },
      clientInformation: () => client,
      saveClientInformation: (saved) => void (client = saved),
      tokens: () => undefined,
      saveTokens: (saved) => void (tokens = saved),
      redirectToAuthorization: (to) => void (url = to),
      saveCodeVerifier: (saved) => void (verifier = saved),
      codeVerifier: () => verifier,
      discoveryState: () => discovery,
      saveDiscoveryState: (saved) => void (discovery = saved),
    },
    result() {
      if (!client) throw cannotSignIn(name, new Error("it did not register Bron"));
      const found = url ?? new URL("about:blank");
      if (url) checkAddress(found, entry.url);
      return { url: found, verifier, client, discovery, tokens };
    },
  };
}

function toGrant(
  account: string,
  tokens: OAuthTokens & { readonly issuer?: string | undefined },
  { client, discovery, now }: { client: object; discovery: object | undefined; now: number },
): Grant {
  const kept = {
    refreshToken: tokens.refresh_token ?? null,
    ...(tokens.issuer === undefined ? {} : { issuer: tokens.issuer }),
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

/**
 * A fetch for addresses that the server names. They must be https, except that a server on this
 * computer may name others on it. It follows no redirect and reads a limited amount.
 */
function guardedFetch(inner: typeof fetch, serverUrl: string) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    checkAddress(new URL(url), serverUrl);
    const response = await inner(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    });
    if (Number(response.headers.get("content-length") ?? 0) > maxResponseBytes)
      throw new BronError("tool_failed", "The sign-in server sent too much.");
    const bytes = await readBounded(response);
    const { status, statusText, headers } = response;
    const hasNoBody = status === 204 || status === 304 || status < 200;
    return new Response(hasNoBody ? null : bytes, { status, statusText, headers });
  };
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxResponseBytes)
      throw new BronError("tool_failed", "The sign-in server sent too much.");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function checkAddress(url: URL, serverUrl: string): void {
  const isLocal = isLoopback(new URL(serverUrl).hostname);
  const isNumeric = /^(?:\d+\.){3}\d+$|^\[/.test(url.hostname);
  if (isLocal && isLoopback(url.hostname)) return;
  if (url.protocol === "https:" && !isNumeric && !isLoopback(url.hostname)) return;
  throw new BronError("forbidden", `Its sign-in uses the address ${url.origin}, which is not allowed.`);
}

function cannotSignIn(name: string, cause: unknown): BronError {
  if (BronError.is(cause) && cause.code === "forbidden") return cause;
  const message = cause instanceof Error ? cause.message.slice(0, 500) : "";
  return requestError(
    "forbidden",
    { code: "sign_in_rejected", service: name, message },
    { cause },
  );
}
