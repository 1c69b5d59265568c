import { scopeMeaning } from "./scopes.ts";

export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state?: string;
  readonly codeChallenge: string;
  readonly isOffline: boolean;
  readonly wantsConsent: boolean;
  readonly loginHint?: string;
}

/** Google shows these errors on its own page, because it cannot trust the redirect URI. */
export interface AuthorizeRefusal {
  readonly error: string;
  readonly description: string;
}

export function readAuthorizeRequest(
  query: URLSearchParams,
  clientId: string,
): AuthorizeRequest | AuthorizeRefusal {
  const redirectUri = query.get("redirect_uri") ?? "";
  const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  const unknown = scopes.find((scope) => scopeMeaning(scope) === undefined);
  const codeChallenge = query.get("code_challenge") ?? "";
  if (query.get("client_id") !== clientId)
    return { error: "invalid_client", description: "The OAuth client was not found." };
  if (!isLoopbackUrl(redirectUri))
    return {
      error: "redirect_uri_mismatch",
      description:
        "The redirect URI must be a loopback address: http://127.0.0.1:PORT or http://localhost:PORT.",
    };
  if (query.get("response_type") !== "code")
    return {
      error: "unsupported_response_type",
      description: "Only response_type=code is served.",
    };
  if (scopes.length === 0)
    return { error: "invalid_request", description: "Missing required parameter: scope" };
  if (unknown !== undefined)
    return {
      error: "invalid_scope",
      description: `Some requested scopes were invalid: ${unknown}`,
    };
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge)) {
    return {
      error: "invalid_request",
      description: "A code_challenge with code_challenge_method=S256 is required.",
    };
  }
  const [state, loginHint] = [query.get("state"), query.get("login_hint")];
  return {
    redirectUri,
    scopes,
    codeChallenge,
    isOffline: query.get("access_type") === "offline",
    wantsConsent: (query.get("prompt") ?? "").split(" ").includes("consent"),
    ...(state === null ? {} : { state }),
    ...(loginHint === null ? {} : { loginHint }),
  };
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === "127.0.0.1" || hostname === "localhost" || hostname === "[::1]";
}

/** Browsers send "null" for a form of a page without an origin, and programs send nothing. */
export function isForeignOrigin(origin: string | string[] | undefined): boolean {
  return (
    typeof origin === "string" &&
    origin !== "null" &&
    !isLoopbackHost(URL.parse(origin)?.hostname ?? "")
  );
}

export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === "http:" &&
    isLoopbackHost(url.hostname) &&
    url.username === "" &&
    url.hash === ""
  );
}
