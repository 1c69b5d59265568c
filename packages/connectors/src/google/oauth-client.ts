import { omitUndefined } from "@bron/protocol";
import type { OAuth2Client } from "google-auth-library";
import type { GoogleConfig } from "./google-config.ts";

/**
 * Loads the library on first use, because it is large and not needed without a connected account.
 */
export async function oauthClient(
  { clientId, clientSecret, endpoints }: GoogleConfig,
  redirectUri?: string,
): Promise<OAuth2Client> {
  const google = await import("google-auth-library");
  return new google.OAuth2Client({
    clientId,
    clientSecret,
    ...omitUndefined({ redirectUri }),
    ...(endpoints
      ? {
          endpoints: {
            oauth2AuthBaseUrl: endpoints.authorize,
            oauth2TokenUrl: endpoints.token,
            oauth2RevokeUrl: endpoints.revoke,
          },
        }
      : {}),
    transporterOptions: { retry: false, timeout: 20_000 },
  });
}
