import { BronError, requestError } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
} from "@modelcontextprotocol/sdk/client/auth.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { checkAddress } from "./sign-in-fetch.ts";
import type { HttpEntry } from "./server-entry.ts";

/** A server on the web, by the name that rules use. */
export interface SignInServer {
  readonly name: string;
  readonly entry: HttpEntry;
}

interface FlowStart {
  readonly client: { readonly client_id: string };
  readonly discovery?: object | undefined;
  readonly verifier: string;
}

export interface SignInFlow {
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
export function createFlow(
  { name, entry }: SignInServer,
  redirectUri: string | undefined,
  before?: FlowStart,
): SignInFlow {
  const own: OAuthClientInformationMixed | undefined = entry.oauth && {
    client_id: entry.oauth.clientId,
    ...omitUndefined({ client_secret: entry.oauth.clientSecret }),
  };
  let client: OAuthClientInformationMixed | undefined = own ?? before?.client;
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
        ...omitUndefined({ scope: entry.oauth?.scope }),
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

export function cannotSignIn(name: string, cause: unknown): BronError {
  if (BronError.is(cause) && cause.code === "forbidden") return cause;
  const message = cause instanceof Error ? cause.message.slice(0, 500) : "";
  return requestError("forbidden", { code: "sign_in_rejected", service: name, message }, { cause });
}
