import { omitUndefined } from "@bron/protocol";
import {
  googleConnector,
  slackConnector,
  type GoogleConfig,
  type SlackConfig,
} from "@bron/connectors";
import type { ConnectorDeps, Grant, TokenVault } from "@bron/core";
import { startSimulator } from "@bron/simulator";
import { systemClock } from "@bron/runtime";
import { createHmac } from "node:crypto";
import { describe, it } from "vitest";
import { submitConsentPage } from "../mail/support/consent-page.ts";
import { callerOf } from "./call-tool.ts";
import { describeGoogle, type GoogleAccount } from "./google-contract.ts";
import { memoryVault } from "./memory-vault.ts";
import { describeSlack, type SlackAccount } from "./slack-contract.ts";

const ownerId = "contract";
const times = { searchDelaysMs: [0, 200] };
const depsWith = (vault: TokenVault): ConnectorDeps => ({
  vault,
  clock: systemClock,
  contacts: { find: () => Promise.resolve([]), remember: () => Promise.resolve() },
  peopleNamed: () => Promise.resolve([]),
  useOnce: () => Promise.resolve(true),
  sign: (purpose, text) =>
    createHmac("sha256", "contract").update(`${purpose} ${text}`).digest("base64url"),
});

/** `rootUrl` is the base of plain requests that bypass the tools. */
async function openGoogle(
  config: GoogleConfig,
  vault: TokenVault,
  { rootUrl, close }: { readonly rootUrl: string; readonly close: () => Promise<void> },
): Promise<GoogleAccount> {
  const connector = googleConnector({ config, times })(depsWith(vault));
  const grant = await vault.load(ownerId, "google");
  const wrong: Grant | undefined = grant && {
    ...grant,
    accessToken: "wrong",
    refreshToken: "wrong",
  };
  return {
    account: grant?.account ?? "",
    tools: callerOf(connector, ownerId),
    refused: callerOf(googleConnector({ config, times })(depsWith(memoryVault(wrong))), ownerId),
    async api(method, path, body) {
      const { accessToken = "" } = (await vault.load(ownerId, "google")) ?? {};
      const headers = {
        authorization: `Bearer ${accessToken}`,
        ...omitUndefined({ "content-type": body === undefined ? undefined : "application/json" }),
      };
      const response = await fetch(new URL(path.slice(1), rootUrl), {
        method,
        headers,
        ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} ${response.status}`);
    },
    close,
  };
}

function openSlack(config: SlackConfig, close: () => Promise<void>): SlackAccount {
  const toolsWith = (botToken: string | undefined) =>
    callerOf(
      slackConnector({ config: { ...config, ...omitUndefined({ botToken }) } })(
        depsWith(memoryVault()),
      ),
      ownerId,
    );
  return { tools: toolsWith(config.botToken), refused: toolsWith("xoxb-wrong"), close };
}

describeGoogle("the simulated one", async () => {
  const simulator = await startSimulator({ seed: 7 });
  const {
    authUrl: authorize,
    tokenUrl: token,
    revokeUrl: revoke,
    rootUrl,
  } = simulator.googleEndpoints;
  const config: GoogleConfig = {
    clientId: simulator.clientId,
    clientSecret: simulator.clientSecret,
    endpoints: { authorize, token, revoke, rootUrl },
  };
  const vault = memoryVault();
  const connector = googleConnector({ config })(depsWith(vault));
  const redirectUri = "http://127.0.0.1:9/callback";
  const response = await submitConsentPage(
    (await connector.startSignIn({ ownerId, redirectUri })).url,
  );
  await connector.finishSignIn({
    state: response.searchParams.get("state") ?? "",
    code: response.searchParams.get("code") ?? "",
    redirectUri,
  });
  return await openGoogle(config, vault, { rootUrl, close: simulator.close });
});

describeSlack("the simulated one", async () => {
  const simulator = await startSimulator({ seed: 7 });
  return openSlack(
    {
      botToken: simulator.slackBotToken,
      endpoints: {
        authorize: simulator.slackEndpoints.authorizeUrl,
        api: simulator.slackEndpoints.apiUrl,
      },
    },
    simulator.close,
  );
});

const {
  BRON_TEST_GOOGLE_CLIENT_ID: clientId,
  BRON_TEST_GOOGLE_CLIENT_SECRET: clientSecret,
  BRON_TEST_GOOGLE_REFRESH_TOKEN: refreshToken,
  BRON_TEST_SLACK_BOT_TOKEN: botToken,
} = process.env;

if (clientId && clientSecret && refreshToken) {
  const nothing = () => Promise.resolve();
  describeGoogle("a real account", async () => {
    const scopes = ["gmail.readonly", "gmail.compose", "calendar.events"].map(
      (scope) => `https://www.googleapis.com/auth/${scope}`,
    );
    const account = process.env["BRON_TEST_GOOGLE_ACCOUNT"] ?? "";
    return await openGoogle(
      { clientId, clientSecret },
      memoryVault({ account, accessToken: "", refreshToken, expiresAt: 0, scopes }),
      { rootUrl: "https://www.googleapis.com/", close: nothing },
    );
  });
} else {
  describe("Gmail and Google Calendar: a real account", () => {
    it.skip(
      "runs when BRON_TEST_GOOGLE_CLIENT_ID, _CLIENT_SECRET, _REFRESH_TOKEN and _ACCOUNT are set (docs/connecting-google.md)",
    );
  });
}

if (botToken)
  describeSlack("a real workspace", () =>
    Promise.resolve(openSlack({ botToken }, () => Promise.resolve())),
  );
else {
  describe("Slack: a real workspace", () => {
    it.skip("runs when BRON_TEST_SLACK_BOT_TOKEN is set (docs/connecting-slack.md)");
  });
}
