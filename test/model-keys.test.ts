import type { RunModel } from "@bron/core";
import { chooseModel, type ChosenModel } from "@bron/models";
import { startDemoModel, type DemoModelServer } from "@bron/demo-model";
import { modelProviderNames, modelProviders } from "@bron/protocol";
import { createRuntime, type Runtime } from "@bron/runtime";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const secretKey = "a secret key for tests that is long enough";

/** A provider that rejects every key with its own error, which repeats the key. */
const refusals: Record<string, (key: string) => { status: number; body: object }> = {
  anthropic: (key) => ({
    status: 401,
    body: {
      type: "error",
      error: { type: "authentication_error", message: `invalid x-api-key ${key}` },
    },
  }),
  openai: (key) => ({
    status: 401,
    body: {
      error: {
        message: `Incorrect API key provided: ${key}.`,
        type: "invalid_request_error",
        code: "invalid_api_key",
      },
    },
  }),
  gemini: (key) => ({
    status: 400,
    body: {
      error: {
        code: 400,
        message: `API key not valid: ${key}. Please pass a valid API key.`,
        status: "INVALID_ARGUMENT",
      },
    },
  }),
};

describe("an owner's model keys, over the real wire", () => {
  let database: TestDatabase;
  let usual: DemoModelServer;
  let theirs: DemoModelServer;
  /** Whether the providers that reject keys are down. */
  let isDown = false;
  let refusing: Server;
  let runtime: Runtime;
  const runModel = ({ model, provider, modelId, maxOutputTokens }: ChosenModel): RunModel => ({
    model,
    name: `${provider}/${modelId}`,
    maxOutputTokens,
  });

  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    usual = await startDemoModel({ script: () => ({ text: "From the usual model." }) });
    theirs = await startDemoModel({ script: () => ({ text: "From a model of their own." }) });
    refusing = createServer((request, response) => {
      const [, provider = ""] = (request.url ?? "").split("/");
      const { headers } = request;
      const key = String(
        headers["x-api-key"] ??
          headers["x-goog-api-key"] ??
          headers.authorization?.replace("Bearer ", ""),
      );
      const { status, body } = isDown ? { status: 503, body: {} } : refusals[provider]!(key);
      request
        .resume()
        .on("end", () =>
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(JSON.stringify(body)),
        );
    });
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
    const refusingUrl = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey,
      model: runModel(chooseModel({ demoBaseUrl: usual.url })),
      modelFromKey: ({ provider, key, model }) =>
        runModel(
          chooseModel({
            model: `${provider}/${model ?? "some-model"}`,
            geminiApiKey: key,
            anthropicApiKey: key,
            openaiApiKey: key,
            geminiBaseUrl: key.startsWith("good") ? theirs.url : `${refusingUrl}/gemini`,
            anthropicBaseUrl: `${refusingUrl}/anthropic`,
            openaiBaseUrl: `${refusingUrl}/openai`,
          }),
        ),
    });
  });
  afterAll(async () => {
    await runtime.close();
    await Promise.all([usual.close(), theirs.close()]);
    refusing.closeAllConnections();
    await new Promise((resolve) => refusing.close(resolve));
    await database.drop();
  });

  const finish = async (ownerId: string) => {
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/runs", { body: { prompt: "say something" } });
    const events = [];
    for await (const event of runtime.logs.events(ownerId, id, {
      signal: AbortSignal.timeout(20_000),
    }))
      events.push(event);
    return {
      run: await client.call("GET /api/runs/:id", { params: { id } }),
      log: JSON.stringify(events),
    };
  };

  it("BR25 are used for their owner's runs only", async () => {
    const client = runtime.clientFor("eva");
    const params = { provider: "gemini" };
    expect(
      await client.call("PUT /api/model-keys/:provider", {
        params,
        body: { key: "good-key-of-eva", model: "gemini-9" },
      }),
    ).toMatchObject({ tried: "works", modelKeys: [{ provider: "gemini", model: "gemini-9" }] });
    const [eva, paul] = [await finish("eva"), await finish("paul")];
    expect(eva.run).toMatchObject({ status: "completed", summary: "From a model of their own." });
    expect(eva.log).toContain("gemini/gemini-9");
    expect(eva.log).not.toContain("good-key-of-eva");
    expect(paul.run).toMatchObject({ status: "completed", summary: "From the usual model." });
    await client.call("DELETE /api/model-keys/:provider", { params });
    expect((await finish("eva")).run.summary).toBe("From the usual model.");
  });

  it.each(modelProviders)(
    "BR25 RT13 that %s rejects end the run at once, with an error that names the provider and does not repeat the key",
    async (provider) => {
      const ownerId = `owner of ${provider}`;
      const name = modelProviderNames[provider];
      const client = runtime.clientFor(ownerId);
      const storeKey = () =>
        client.call("PUT /api/model-keys/:provider", {
          params: { provider },
          body: { key: "wrong-key-9753" },
        });
      await expect(storeKey()).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(new RegExp(`^${name} rejected your key ending in 9753`)),
      });
      expect((await client.call("GET /api/model-keys")).modelKeys).toEqual([]);
      isDown = true;
      expect(await storeKey()).toMatchObject({
        tried: "not_reached",
        modelKeys: [{ provider, state: "untested" }],
      });
      expect((await finish(ownerId)).run.summary).toBe("From the usual model.");
      const accepted = await client.call("POST /api/model-keys/:provider/accept", {
        params: { provider },
        body: {},
      });
      expect(accepted.modelKeys).toMatchObject([{ provider, state: "accepted" }]);
      isDown = false;
      const { run, log } = await finish(ownerId);
      expect(run).toMatchObject({ status: "failed", error: { code: "model_refused" } });
      expect(run.error?.message).toMatch(
        new RegExp(
          `^${name} rejected your key ending in 9753 \\(40[01]\\)\\. Replace or remove it under Connections, then try again\\. ${name} said: .*…`,
        ),
      );
      expect(log).not.toContain("wrong-key-9753");
      expect(JSON.stringify(await runtime.clientFor(ownerId).list("GET /api/audit"))).not.toContain(
        "9753",
      );
    },
  );
});
