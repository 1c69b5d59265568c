import type { gmail_v1 } from "@googleapis/gmail";
import { clientOptions } from "./client-options.ts";
import type { GoogleConfig } from "./google-config.ts";
import type { GoogleService } from "./google-service.ts";
import { gmailScopes } from "./scopes.ts";

export interface GmailClient {
  readonly gmail: gmail_v1.Gmail;
}

export function gmailService(fixed?: GoogleConfig): GoogleService<GmailClient> {
  return {
    name: "Gmail",
    scopes: gmailScopes.map(({ scope }) => scope),
    async connect(accessToken, config = fixed) {
      const [options, google] = await Promise.all([
        clientOptions(config, accessToken),
        import("@googleapis/gmail"),
      ]);
      return { gmail: google.gmail({ version: "v1", ...options }) };
    },
  };
}
