import type { Connector, ConnectorParts } from "@bron/core";
import { BronError } from "@bron/core";
import { randomUUID } from "node:crypto";
import { gmailTools, type Vocabulary } from "./gmail/gmail-tools.ts";
import { defaultTimes, type GmailTimes } from "./gmail/gmail-times.ts";
import { createGoogleAccounts, googleProvider } from "./google/google-accounts.ts";
import type { GoogleConfig } from "./google/google-config.ts";
import { gmailScopes } from "./google/scopes.ts";
import { beginSignIn, readState } from "./google/sign-in.ts";

export interface GoogleConnectorOptions {
  readonly config: GoogleConfig;
  readonly vocabulary?: Vocabulary;
  readonly times?: Partial<GmailTimes>;
}

/** Gmail as tools, and how an account is connected. */
export function googleConnector({ config, vocabulary, times }: GoogleConnectorOptions): (parts: ConnectorParts) => Connector {
  return ({ vault, sign, useOnce, clock }) => {
    const accounts = createGoogleAccounts({ config, vault, now: clock.now });
    return {
      provider: googleProvider,
      tools: gmailTools({ accounts, clock, times: { ...defaultTimes, ...times } }, vocabulary),
      scopes: gmailScopes,
      async begin({ ownerId, redirectUri }) {
        return { url: await accounts.consentUrl({ redirectUri, ...beginSignIn(sign, { ownerId, nonce: randomUUID(), now: clock.now() }) }) };
      },
      async finish({ state, code, redirectUri }) {
        const { ownerId, nonce, codeVerifier } = readState(sign, state, clock.now());
        if (!(await useOnce(`google-state:${nonce}`))) throw new BronError("forbidden", "This sign-in was already finished. Begin it again.");
        const { account } = await accounts.finish({ ownerId, code, codeVerifier, redirectUri });
        return { ownerId, account };
      },
      disconnect: accounts.disconnect,
      status: accounts.status,
    };
  };
}
