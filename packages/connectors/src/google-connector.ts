import type { Connector, ConnectorDeps } from "@bron/core";
import { requestError } from "@bron/core";
import { randomUUID } from "node:crypto";
import { gmailTools, type Vocabulary } from "./gmail/gmail-tools.ts";
import { createGoogleAccounts, googleProvider, vaultKeyOf } from "./google/google-accounts.ts";
import { calendarTools } from "./calendar/calendar-tools.ts";
import { calendarService } from "./google/calendar-service.ts";
import { gmailService } from "./google/gmail-service.ts";
import type { GoogleConfig } from "./google/google-config.ts";
import { createKnownPeople } from "./google/known-people.ts";
import { createPeopleNamed } from "./google/people-named.ts";
import { defaultTimes, type GoogleTimes } from "./google/google-times.ts";
import { googleScopes } from "./google/scopes.ts";
import { setupOf } from "./setup-of.ts";
import { watchCalendar } from "./watch/watch-calendar.ts";
import { watchMail } from "./watch/watch-mail.ts";
import { createSignInState, readState, returnPathIn } from "./sign-in.ts";

export interface GoogleConnectorOptions {
  /** Without it, the OAuth app that the owner of the server entered is used. */
  readonly config?: GoogleConfig | undefined;
  /** Used while no app was entered. */
  readonly fallback?: GoogleConfig | undefined;
  readonly vocabulary?: Vocabulary;
  readonly times?: Partial<GoogleTimes>;
}

/** Provides the Gmail and Google Calendar tools, and connects accounts. */
export function googleConnector({
  config: fixed,
  fallback,
  vocabulary,
  times,
}: GoogleConnectorOptions): (deps: ConnectorDeps) => Connector {
  return ({ vault, sign, useOnce, clock, contacts, oauthClient }) => {
    const config = async () => fixed ?? (await oauthClient?.(googleProvider)) ?? fallback;
    const accounts = createGoogleAccounts({ config, vault, now: clock.now });
    const gmail = { accounts, clock, service: gmailService() };
    const toolDeps = {
      ...gmail,
      times: { ...defaultTimes, ...times },
      knownPeople: createKnownPeople({
        ...gmail,
        contacts,
        source: async () => {
          const app = await config();
          return app ? vaultKeyOf(app) : googleProvider;
        },
      }),
      peopleNamed: createPeopleNamed(gmail),
    };
    return {
      provider: googleProvider,
      peopleNamed: toolDeps.peopleNamed,
      tools: [
        ...gmailTools(toolDeps, vocabulary),
        ...calendarTools({ ...toolDeps, service: calendarService() }),
      ],
      watches: {
        gmail: watchMail(gmail),
        calendar: watchCalendar({ accounts, clock, service: calendarService() }),
      },
      scopes: googleScopes,
      setup: async () =>
        fixed ? "configured" : setupOf(await oauthClient?.(googleProvider), fallback),
      returnPathOf: (state) => returnPathIn(sign, googleProvider, state),
      async startSignIn({ ownerId, redirectUri, returnTo }) {
        return {
          url: await accounts.consentUrl({
            redirectUri,
            ...createSignInState(sign, {
              provider: googleProvider,
              ownerId,
              nonce: randomUUID(),
              now: clock.now(),
              returnTo,
            }),
          }),
        };
      },
      async finishSignIn({ state, code, redirectUri }) {
        const { ownerId, nonce, codeVerifier } = readState(sign, {
          provider: googleProvider,
          state,
          now: clock.now(),
        });
        if (!(await useOnce(`google-state:${nonce}`)))
          throw requestError("forbidden", { code: "sign_in_used" });
        const { account } = await accounts.finish({ ownerId, code, codeVerifier, redirectUri });
        return { ownerId, account };
      },
      disconnect: accounts.disconnect,
      status: accounts.status,
    };
  };
}
