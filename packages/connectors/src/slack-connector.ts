import { requestError, type Connector, type ConnectorDeps } from "@bron/core";
import { randomUUID } from "node:crypto";
import { setupOf } from "./setup-of.ts";
import { createSignInState, readState, returnPathIn } from "./sign-in.ts";
import { createUserNames } from "./slack/names.ts";
import { createSlackAccounts } from "./slack/slack-accounts.ts";
import type { SlackConfig } from "./slack/slack-config.ts";
import { slackProvider } from "./slack/slack-error.ts";
import { defaultSlackTimes, type SlackTimes } from "./slack/slack-times.ts";
import { slackScopes } from "./slack/slack-scopes.ts";
import { watchChannel } from "./watch/watch-channel.ts";
import { slackTools } from "./slack/slack-tools.ts";

/** Provides tools that read Slack channels and post messages, and connects workspaces. */
export function slackConnector({
  config: fixed,
  fallback,
  times,
}: {
  /** Without it, the app that the owner of the server entered is used. */
  readonly config?: SlackConfig | undefined;
  /** Used while no app was entered. */
  readonly fallback?: SlackConfig | undefined;
  readonly times?: Partial<SlackTimes>;
}): (deps: ConnectorDeps) => Connector {
  return ({ vault, sign, useOnce, clock, peopleNamed, oauthClient }) => {
    const config = async () => {
      if (fixed) return fixed;
      const app = await oauthClient?.(slackProvider);
      return app ? { app } : fallback;
    };
    const accounts = createSlackAccounts({ config, vault, clock });
    return {
      provider: slackProvider,
      tools: slackTools({
        accounts,
        clock,
        peopleNamed,
        times: { ...defaultSlackTimes, ...times },
      }),
      watches: { slack: watchChannel({ accounts, clock }, createUserNames()) },
      scopes: slackScopes,
      setup: async () =>
        fixed ? "configured" : setupOf(await oauthClient?.(slackProvider), fallback),
      returnPathOf: (state) => returnPathIn(sign, slackProvider, state),
      async startSignIn({ ownerId, redirectUri, returnTo }) {
        const { state } = createSignInState(sign, {
          provider: slackProvider,
          ownerId,
          nonce: randomUUID(),
          now: clock.now(),
          returnTo,
        });
        return { url: await accounts.consentUrl({ redirectUri, state }) };
      },
      async finishSignIn({ state, code, redirectUri }) {
        const { ownerId, nonce } = readState(sign, {
          provider: slackProvider,
          state,
          now: clock.now(),
        });
        if (!(await useOnce(`slack-state:${nonce}`)))
          throw requestError("forbidden", { code: "sign_in_used" });
        const { account } = await accounts.finish({ ownerId, code, redirectUri });
        return { ownerId, account };
      },
      disconnect: accounts.disconnect,
      status: accounts.status,
    };
  };
}
