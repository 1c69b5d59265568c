import { requestError, type Connector, type ConnectorDeps } from "@bron/core";
import { randomUUID } from "node:crypto";
import { createSignInState, readState } from "./sign-in.ts";
import { createSlackAccounts } from "./slack/slack-accounts.ts";
import type { SlackConfig } from "./slack/slack-config.ts";
import { slackProvider } from "./slack/slack-error.ts";
import { defaultSlackTimes, type SlackTimes } from "./slack/slack-times.ts";
import { slackScopes } from "./slack/slack-scopes.ts";
import { slackTools } from "./slack/slack-tools.ts";

/** Provides tools that read Slack channels and post messages, and connects workspaces. */
export function slackConnector({
  config,
  times,
}: {
  readonly config: SlackConfig;
  readonly times?: Partial<SlackTimes>;
}): (deps: ConnectorDeps) => Connector {
  return ({ vault, sign, useOnce, clock, peopleNamed }) => {
    const accounts = createSlackAccounts({ config, vault, clock });
    return {
      provider: slackProvider,
      tools: slackTools({
        accounts,
        clock,
        peopleNamed,
        times: { ...defaultSlackTimes, ...times },
      }),
      scopes: slackScopes,
      startSignIn({ ownerId, redirectUri }) {
        const { state } = createSignInState(sign, {
          provider: slackProvider,
          ownerId,
          nonce: randomUUID(),
          now: clock.now(),
        });
        return Promise.resolve({ url: accounts.consentUrl({ redirectUri, state }) });
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
