import { BronError } from "@bron/core";
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
  readonly adapter: <Options extends Abortable, Response>(
    options: Options,
    send: (options: Options) => Promise<Response>,
  ) => Promise<Response>;
  readonly rootUrl?: string;
}

/** Disables the client's own retries, because they would repeat a send. */
export async function clientOptions(
  config: GoogleConfig | undefined,
  accessToken: string,
): Promise<ClientOptions> {
  if (!config) throw new BronError("internal", "A Google service has no configuration");
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

/**
 * Checks the signal before a request starts. Otherwise a request with a body that is aborted before
 * it starts would raise an unhandled error and end the process.
 */
const unlessAborted: ClientOptions["adapter"] = async (options, send) => {
  options.signal?.throwIfAborted();
  return await send(options);
};
