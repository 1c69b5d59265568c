import { omitUndefined } from "@bron/protocol";
import { gmail, type gmail_v1 } from "@googleapis/gmail";
import { CodeChallengeMethod, OAuth2Client } from "google-auth-library";
import { startSimulator, type Simulator, type SimulatorOptions } from "./start-simulator.ts";

export const redirectUri = "http://127.0.0.1:9/callback";
export const modifyScope = "https://www.googleapis.com/auth/gmail.modify";

export function createClient({ clientId, clientSecret, googleEndpoints }: Simulator): OAuth2Client {
  return new OAuth2Client({
    clientId,
    clientSecret,
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: googleEndpoints.authUrl,
      oauth2TokenUrl: googleEndpoints.tokenUrl,
      oauth2RevokeUrl: googleEndpoints.revokeUrl,
      tokenInfoUrl: googleEndpoints.tokenInfoUrl,
    },
  });
}

interface Consent {
  readonly account?: string;
  readonly scopes?: readonly string[];
  readonly decision?: "allow" | "deny";
  readonly prompt?: string;
  /** The scopes that stay checked. Defaults to all. */
  readonly granted?: readonly string[];
}

/** Opens the consent page and submits its form like a browser. */
export async function consent(
  simulator: Simulator,
  client: OAuth2Client,
  {
    account,
    scopes = [modifyScope],
    decision = "allow",
    prompt = "consent",
    granted,
  }: Consent = {},
) {
  const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync();
  const url = client.generateAuthUrl({
    access_type: "offline",
    prompt,
    scope: [...scopes],
    state: "state-1",
    code_challenge_method: CodeChallengeMethod.S256,
    ...omitUndefined({ code_challenge: codeChallenge }),
  });
  const page = await (await fetch(url)).text();
  const form = new URLSearchParams({
    request: /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "",
    account: account ?? simulator.accounts[0]?.address ?? "",
    decision,
  });
  if (granted)
    for (const [name, value] of [
      ["granular", "1"],
      ...granted.map((scope) => ["scope", scope]),
    ] as const)
      form.append(name ?? "", value ?? "");
  const answer = await fetch(new URL(/action="([^"]+)"/.exec(page)?.[1] ?? "", simulator.url), {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  return { page, codeVerifier, redirect: new URL(answer.headers.get("location") ?? "about:blank") };
}

export interface SignedIn {
  readonly auth: OAuth2Client;
  readonly gmail: gmail_v1.Gmail;
}

export async function signIn(simulator: Simulator, options: Consent = {}): Promise<SignedIn> {
  const auth = createClient(simulator);
  const { codeVerifier, redirect } = await consent(simulator, auth, options);
  const { tokens } = await auth.getToken({
    code: redirect.searchParams.get("code") ?? "",
    codeVerifier,
  });
  auth.setCredentials(tokens);
  return {
    auth,
    gmail: gmail({ version: "v1", auth, rootUrl: simulator.googleEndpoints.rootUrl, retry: false }),
  };
}

export async function withSimulator<Result>(
  options: SimulatorOptions,
  use: (simulator: Simulator) => Promise<Result>,
): Promise<Result> {
  const simulator = await startSimulator(options);
  try {
    return await use(simulator);
  } finally {
    await simulator.close();
  }
}

/** Encodes the lines of a message for `raw`. */
export const encode = (...lines: readonly string[]) =>
  Buffer.from(lines.join("\r\n"), "utf8").toString("base64url");

export const decodeData = (data: string | null | undefined) =>
  Buffer.from(data ?? "", "base64url").toString("utf8");

interface Failure {
  readonly code?: number;
  readonly status?: number;
  readonly response?: {
    readonly status: number;
    readonly data: {
      readonly error: {
        readonly message: string;
        readonly status: string;
        readonly errors: readonly { readonly reason: string }[];
      };
    };
    readonly headers: Headers;
  };
}

/** Returns the error of a call. Throws if the call succeeded. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error as Failure,
  );
  if (outcome === undefined) throw new Error("The call did not fail.");
  return outcome;
}
