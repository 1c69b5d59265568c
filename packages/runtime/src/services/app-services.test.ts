import type { Connector, OauthClient } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { scopes } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { expect, it } from "vitest";
import { createRuntime } from "../create-runtime.ts";
import { createAppServices } from "./app-services.ts";

const about = { version: "1", demoMail: true, demoModel: true, model: "demo", suggestions: [] };
const callerOf = (ownerId: string) => ({
  ownerId,
  via: "browser" as const,
  scopes: [...scopes],
  email: null,
});
const app = { clientId: "id-1234", clientSecret: "secret-of-the-app" };

/** The services of a server with one account, whose app the owner can enter. */
async function openServices(fixed?: OauthClient) {
  let loadApp: (() => Promise<OauthClient | undefined>) | undefined;
  const tool = {
    name: "gmail_search",
    description: "",
    sideEffect: false,
  } as Connector["tools"][number];
  const runtime = await createRuntime({
    store: memoryStore(),
    model: {
      model: scriptedLanguageModel(() => ({ text: "OK" })),
      name: "scripted",
      maxOutputTokens: 1,
    },
    modelFromKey: ({ model }) => ({
      model: scriptedLanguageModel(() => ({ text: "OK" })),
      name: `local/${model}`,
      maxOutputTokens: 1,
    }),
    connectors: [
      ({ oauthClient }) => {
        loadApp = async () => fixed ?? (await oauthClient?.("google"));
        return {
          provider: "google",
          tools: [{ ...tool, digest: () => Promise.resolve("d") }],
          scopes: [],
          setup: async () =>
            fixed ? "configured" : (await oauthClient?.("google")) ? "stored" : "missing",
          startSignIn: () => Promise.reject(new TypeError("Not used")),
          finishSignIn: () => Promise.reject(new TypeError("Not used")),
          disconnect: () => Promise.resolve(),
          status: () => Promise.resolve(undefined),
        };
      },
    ],
  });
  const services = createAppServices({
    about,
    ownerId: "local",
    runtime,
    redirectUriOf: (provider) => `http://127.0.0.1/${provider}`,
    findLocalModels: () =>
      Promise.resolve([{ id: "ollama", url: "http://127.0.0.1:1/v1", models: ["llama3.2"] }]),
  });
  const request = (ownerId: string, rest: object = {}) =>
    ({ caller: callerOf(ownerId), params: {}, query: {}, body: {}, ...rest }) as never;
  const client = runtime.clientFor("local");
  return {
    services,
    request,
    client,
    app: () => loadApp?.(),
    toolNames: async () => (await client.call("GET /api/tools")).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}

it("BR8 stores an OAuth app that the owner of the server enters, and uses it without a restart", async () => {
  await using open = await openServices();
  const { services, request } = open;
  const params = { provider: "google" };
  expect(await services["GET /api/oauth-clients"](request("local"))).toEqual({
    oauthClients: [
      {
        provider: "google",
        setup: "missing",
        clientId: null,
        updatedAt: null,
        redirectUri: "http://127.0.0.1/google",
      },
    ],
  });
  expect(await open.toolNames()).not.toContain("gmail_search");
  const stored = await services["PUT /api/oauth-clients/:provider"](
    request("local", { params, body: app }),
  );
  expect(stored).toMatchObject({ oauthClients: [{ setup: "stored", clientId: "id-1234" }] });
  expect(JSON.stringify(stored)).not.toContain("secret-of");
  expect(await open.app()).toEqual(app);
  expect(await open.toolNames()).toContain("gmail_search");
  expect(await services["GET /api/about"](request("local"))).toMatchObject({ demoMail: false });
  expect((await open.client.call("GET /api/connections")).connections).toMatchObject([
    { provider: "google", setup: "stored" },
  ]);
  expect(
    await services["DELETE /api/oauth-clients/:provider"](request("local", { params })),
  ).toMatchObject({ oauthClients: [{ setup: "missing", clientId: null }] });
  expect(await open.app()).toBeUndefined();
});

it("BR8 lets a variable win over the stored app, and says so", async () => {
  await using open = await openServices({ clientId: "variable", clientSecret: "of the variable" });
  const { services, request } = open;
  const put = { params: { provider: "google" }, body: app };
  expect(await services["PUT /api/oauth-clients/:provider"](request("local", put))).toMatchObject({
    oauthClients: [{ setup: "configured", clientId: "id-1234" }],
  });
  expect(await open.app()).toMatchObject({ clientId: "variable" });
});

it("RT12 lets only the owner of the server set it up", async () => {
  await using open = await openServices();
  const { services, request } = open;
  const params = { provider: "google" };
  for (const call of [
    () => services["GET /api/oauth-clients"](request("firebase:eva")),
    () =>
      services["PUT /api/oauth-clients/:provider"](request("firebase:eva", { params, body: app })),
    () => services["DELETE /api/oauth-clients/:provider"](request("firebase:eva", { params })),
    () =>
      services["PUT /api/oauth-clients/:provider"](
        request("local", { params: { provider: "acme" }, body: app }),
      ),
  ])
    await expect(call()).rejects.toMatchObject({ code: "not_found" });
  expect(await services["GET /api/local-models"](request("firebase:eva"))).toEqual({ servers: [] });
  await expect(
    services["PUT /api/local-models"](
      request("firebase:eva", { body: { server: "ollama", model: "llama3.2" } }),
    ),
  ).rejects.toMatchObject({ code: "invalid_input" });
});

it("BR25 offers the models of this machine, and uses one that is there", async () => {
  await using open = await openServices();
  const { services, request } = open;
  expect(await services["GET /api/local-models"](request("local"))).toMatchObject({
    servers: [{ id: "ollama", models: ["llama3.2"] }],
  });
  await expect(
    services["PUT /api/local-models"](request("local", { body: { server: "ollama", model: "x" } })),
  ).rejects.toMatchObject({ code: "invalid_input" });
  expect(
    await services["PUT /api/local-models"](
      request("local", { body: { server: "ollama", model: "llama3.2" } }),
    ),
  ).toMatchObject({ modelKeys: [{ provider: "local", hint: "ollama", state: "tested" }] });
  expect((await open.client.call("GET /api/models")).models[0]?.name).toBe("local/llama3.2");
});
