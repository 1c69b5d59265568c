import type { ConnectorDeps, OauthClient } from "@bron/core";
import { expect, it } from "vitest";
import { googleConnector } from "./google-connector.ts";
import { slackConnector } from "./slack-connector.ts";

const app = { clientId: "entered-id", clientSecret: "entered-secret" };
const endpoints = { authorize: "http://127.0.0.1:1/authorize", token: "", revoke: "", rootUrl: "" };

/** The owner enters the app while the program runs. */
function harness() {
  let entered: OauthClient | undefined;
  const loaded: string[] = [];
  const deps = {
    vault: { load: (_: string, key: string) => (loaded.push(key), Promise.resolve(undefined)) },
    sign: (purpose: string, text: string) => `${purpose}${text}`.length.toString(),
    useOnce: () => Promise.resolve(true),
    clock: { now: () => 0 },
    oauthClient: () => Promise.resolve(entered),
  } as unknown as ConnectorDeps;
  return { deps, loaded, enter: () => (entered = app) };
}
const request = { ownerId: "eva", redirectUri: "http://127.0.0.1/callback" };

it.each([
  ["google", googleConnector, "accounts.google.com"],
  ["slack", slackConnector, "slack.com"],
] as const)(
  "%s takes the app that its owner enters, without a restart",
  async (_, create, host) => {
    const { deps, enter } = harness();
    const connector = create({})(deps);
    expect(await connector.setup?.()).toBe("missing");
    await expect(connector.startSignIn(request)).rejects.toMatchObject({ code: "forbidden" });
    expect(await connector.status("eva")).toBeUndefined();
    enter();
    expect(await connector.setup?.()).toBe("stored");
    const url = new URL((await connector.startSignIn(request)).url);
    expect([url.hostname, url.searchParams.get("client_id")]).toEqual([host, "entered-id"]);
  },
);

it("leaves the sandbox for an entered app, and keeps their accounts apart", async () => {
  const { deps, enter, loaded } = harness();
  const fallback = { clientId: "simulated", clientSecret: "x", endpoints };
  const connector = googleConnector({ fallback })(deps);
  expect(await connector.setup?.()).toBe("simulated");
  expect((await connector.startSignIn(request)).url).toContain("http://127.0.0.1:1/authorize");
  await connector.status("eva");
  enter();
  expect((await connector.startSignIn(request)).url).toContain("https://accounts.google.com/");
  await connector.status("eva");
  expect(loaded).toEqual(["google-simulated", "google"]);
});

it("prefers the app of a variable", async () => {
  const { deps, enter } = harness();
  const connector = googleConnector({
    config: { clientId: "variable", clientSecret: "x" },
  })(deps);
  enter();
  expect(await connector.setup?.()).toBe("configured");
  expect((await connector.startSignIn(request)).url).toContain("client_id=variable");
});
