import type { GoogleConfig } from "./google-config.ts";

/** One of Google's APIs, as its official client provides it. */
export interface GoogleService<Client> {
  /** Display name. */
  readonly name: string;
  /** All of these are required. */
  readonly scopes: readonly string[];
  /** Connects to the endpoints for which the token was issued. */
  connect(accessToken: string, config?: GoogleConfig): Promise<Client>;
}
