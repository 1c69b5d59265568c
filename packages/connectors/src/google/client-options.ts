import type { OAuth2Client } from "google-auth-library";
import type { GoogleConfig } from "./google-config.ts";
import { oauthClient } from "./oauth-client.ts";

interface Abortable {
  readonly signal?: AbortSignal | null;
}

interface ClientOptions {
  readonly auth: OAuth2Client;
  readonly retry: false;
  readonly timeout: number;
  readonly adapter: <Options extends Abortable, Answer>(
    options: Options,
    ask: (options: Options) => Promise<Answer>,
  ) => Promise<Answer>;
  readonly rootUrl?: string;
}

/** Retries are ours: a client that repeats by itself would repeat a send. */
export async function clientOptions(
  config: GoogleConfig,
  accessToken: string,
): Promise<ClientOptions> {
  const auth = await oauthClient(config);
  auth.setCredentials({ access_token: accessToken });
  return {
    auth,
    retry: false,
    timeout: 25_000,
    adapter: unlessAborted,
    ...(config.endpoints ? { rootUrl: config.endpoints.rootUrl } : {}),
  };
}

/** A request with a body that is given up before it begins would throw where nobody listens, and end the process. */
const unlessAborted: ClientOptions["adapter"] = async (options, ask) => {
  options.signal?.throwIfAborted();
  return await ask(options);
};
