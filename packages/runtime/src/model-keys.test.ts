import { BronError, createModelSet, type ModelKeys, type RunModel } from "@bron/core";
import { migrate, openDatabase, postgresModelKeys, type OpenDatabase } from "@bron/store";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/test-database.ts";
import { createCipher } from "./cipher.ts";
import { createModelKeys, type ModelFromKey } from "./model-keys.ts";
import { manualClock } from "./manual-clock.fixture.ts";

const secret = "a secret key for tests that is long enough";
const model: RunModel["model"] = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  supportedUrls: {},
  doGenerate: () => Promise.reject(new TypeError("Only streams are used")),
  doStream: () => Promise.resolve({ stream: new ReadableStream() }),
};
const defaultModel: RunModel = { model, name: "usual", maxOutputTokens: 100 };
/** The name of the model shows what it was created from. */
const modelFromKey: ModelFromKey = ({ provider, key, model: modelId }) => {
  if (modelId === "none") throw new BronError("model_unknown", "There is no such model.");
  return { model, name: `${provider} ${modelId ?? "default"} ${key}`, maxOutputTokens: 100 };
};

describe("model keys", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let stored: ModelKeys;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await openDatabase({ url: database.url });
    await migrate(open.db);
    stored = postgresModelKeys(open.pool);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });
  const harness = (changes: Partial<Parameters<typeof createModelKeys>[0]> = {}) => {
    const clock = manualClock();
    let asked = 0;
    const counting: ModelKeys = {
      ...stored,
      latest: (ownerId) => (asked++, stored.latest(ownerId)),
    };
    const keys = createModelKeys({
      keys: counting,
      cipher: createCipher(secret, "model-keys"),
      modelFromKey,
      models: createModelSet({ main: defaultModel }),
      clock,
      ...changes,
    });
    return {
      keys,
      clock,
      asked: () => asked,
      nameFor: async (ownerId: string) => (await keys.modelsFor(ownerId)).main.name,
    };
  };

  it("BR25 are never returned by a list, and never stored in plain text", async () => {
    const { keys } = harness();
    await keys.put("eva", "anthropic", {
      key: "  sk-ant-secret-of-eva-1234 ",
      model: "claude-opus-5",
    });
    expect(await keys.list("eva")).toEqual([
      {
        provider: "anthropic",
        hint: "1234",
        model: "claude-opus-5",
        state: "tested",
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
    const { rows } = await open.pool.query("select * from model_keys");
    expect(JSON.stringify(rows)).not.toContain("secret-of-eva");
    expect(await keys.list("mallory")).toEqual([]);
  });

  it("BR25 can't be decrypted in another owner's row, for another provider, or with another secret", async () => {
    await harness().keys.put("victim", "gemini", { key: "AIza-of-victim-9876" });
    await open.pool.query("insert into owners (id) values ('mallory') on conflict do nothing");
    await open.pool.query(
      "insert into model_keys (owner_id, provider, sealed_key, hint) select 'mallory', provider, sealed_key, hint from model_keys where owner_id = 'victim'",
    );
    const reading = async (owner: string, changes = {}) =>
      JSON.stringify(
        await (
          await harness(changes).keys.modelsFor(owner)
        ).main.model
          .doStream({ prompt: [] })
          .then(
            () => "used",
            (error: BronError) => [error.code, error.message],
          ),
      );
    expect(await reading("victim")).toContain("used");
    expect(await reading("mallory")).toBe(
      JSON.stringify([
        "model_refused",
        "Your Google Gemini key ending in 9876 can't be used: A stored secret can't be decrypted with this key.",
      ]),
    );
    expect(await reading("victim", { cipher: createCipher(`${secret}.`, "model-keys") })).toContain(
      "can't be used",
    );
    expect(await reading("victim", { cipher: createCipher(secret, "oauth-tokens") })).toContain(
      "can't be used",
    );
    await open.pool.query("update model_keys set provider = 'openai' where owner_id = 'victim'");
    expect(await reading("victim")).toContain("can't be used");
  });

  it("BR25 are tested with a short prompt, and no error contains the key", async () => {
    const key = "sk-secret-123456789";
    const refusing =
      (how: "at once" | "in the stream"): ModelFromKey =>
      () => {
        const error = Object.assign(new Error(`Incorrect API key provided: ${key}`), {
          statusCode: 401,
        });
        const stream = new ReadableStream({
          start: (controller) => (controller.enqueue({ type: "error", error }), controller.close()),
        });
        return {
          model: {
            ...model,
            doStream: () =>
              how === "at once" ? Promise.reject(error) : Promise.resolve({ stream }),
          },
          name: "x",
          maxOutputTokens: 1,
        };
      };
    for (const how of ["at once", "in the stream"] as const) {
      await expect(
        harness({ modelFromKey: refusing(how) }).keys.test("openai", { key, model: "gpt" }),
      ).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/^OpenAI rejected your key ending in 6789(?!.*secret)/),
      });
    }
    const away: ModelFromKey = () => ({
      model: { ...model, doStream: () => Promise.reject(new TypeError("fetch failed")) },
      name: "x",
      maxOutputTokens: 1,
    });
    expect(await harness({ modelFromKey: away }).keys.test("openai", { key, model: "gpt" })).toBe(
      "not_reached",
    );
  });

  it("BR25 are used for their owner's runs, the newest first, until they are removed", async () => {
    const { keys, nameFor } = harness();
    expect(await nameFor("paul")).toBe("usual");
    await keys.put("paul", "gemini", { key: "AIza-paul-1" });
    expect(await nameFor("paul")).toBe("gemini default AIza-paul-1");
    await keys.put("paul", "openai", { key: "sk-paul-22", model: "gpt-5" });
    expect(await nameFor("paul")).toBe("openai gpt-5 sk-paul-22");
    await keys.put("paul", "gemini", { key: "AIza-paul-2" });
    expect(await nameFor("paul")).toBe("gemini default AIza-paul-2");
    expect((await keys.list("paul")).map(({ provider, hint }) => [provider, hint])).toEqual([
      ["gemini", "ul-2"],
      ["openai", "l-22"],
    ]);
    await keys.remove("paul", "gemini");
    expect(await nameFor("paul")).toBe("openai gpt-5 sk-paul-22");
    await keys.remove("paul", "openai");
    expect(await nameFor("paul")).toBe("usual");
    await expect(keys.remove("paul", "openai")).rejects.toMatchObject({ code: "not_found" });
    expect(await nameFor("somebody")).toBe("usual");
  });

  it("BR25 that could not be tested are used once their owner accepts them, or a test succeeds", async () => {
    const results: ("works" | "rejected" | "away")[] = [];
    const { keys, nameFor } = harness({
      modelFromKey: (own) => ({
        ...modelFromKey(own),
        model: {
          ...model,
          async doStream() {
            const result = results.shift() ?? "works";
            if (result === "away") throw new TypeError("fetch failed");
            if (result === "rejected")
              throw Object.assign(new Error("Invalid key"), { statusCode: 401 });
            return { stream: new ReadableStream({ start: (controller) => controller.close() }) };
          },
        },
      }),
    });
    const put = () => keys.put("zoe", "gemini", { key: "AIza-zoe-1" }, "untested");
    await put();
    expect(await nameFor("zoe")).toBe("usual");
    await keys.accept("zoe", "gemini");
    expect(await nameFor("zoe")).toBe("gemini default AIza-zoe-1");
    await put();
    results.push("away");
    expect(await keys.testAgain("zoe", "gemini")).toBe("not_reached");
    expect(await nameFor("zoe")).toBe("usual");
    expect(await keys.testAgain("zoe", "gemini")).toBe("works");
    expect(await nameFor("zoe")).toBe("gemini default AIza-zoe-1");
    await put();
    results.push("rejected");
    await expect(keys.testAgain("zoe", "gemini")).rejects.toMatchObject({ code: "invalid_input" });
    expect(await keys.list("zoe")).toEqual([]);
    for (const call of [keys.accept, keys.testAgain])
      await expect(call("zoe", "gemini")).rejects.toMatchObject({ code: "not_found" });
  });

  it("BR25 offer every model of their provider, and its light model", async () => {
    const { keys } = harness({
      modelsOfKey: (provider) =>
        provider === "gemini" ? { models: ["flash", "pro"], light: "flash" } : { models: [] },
    });
    await keys.put("mia", "gemini", { key: "AIza-mia-1", model: "ultra" });
    const { main, light, byName } = await keys.modelsFor("mia");
    expect(main.name).toBe("gemini ultra AIza-mia-1");
    expect(light?.name).toBe("gemini flash AIza-mia-1");
    expect([...byName.keys()].toSorted()).toEqual(
      ["flash", "pro", "ultra"].map((name) => `gemini ${name} AIza-mia-1`),
    );
  });

  it("BR25 can be a model of this machine, which is tested first and has no key", async () => {
    let isAway = true;
    const { keys, nameFor } = harness({
      modelFromKey: (own) => ({
        ...modelFromKey(own),
        model: {
          ...model,
          doStream: () =>
            isAway
              ? Promise.reject(new TypeError("fetch failed"))
              : Promise.resolve({
                  stream: new ReadableStream({ start: (controller) => controller.close() }),
                }),
        },
      }),
    });
    const local = { server: "ollama", url: "http://127.0.0.1:1/v1", model: "llama3.2" } as const;
    await expect(keys.useLocal("lou", local)).rejects.toMatchObject({
      code: "invalid_input",
      message: "Ollama didn't answer with llama3.2. Try again.",
    });
    expect(await keys.list("lou")).toEqual([]);
    isAway = false;
    await keys.useLocal("lou", local);
    expect(await nameFor("lou")).toBe("local llama3.2 http://127.0.0.1:1/v1");
    expect(await keys.list("lou")).toMatchObject([
      { provider: "local", hint: "ollama", model: "llama3.2", state: "tested" },
    ]);
    await keys.remove("lou", "local");
    expect(await nameFor("lou")).toBe("usual");
  });

  it("BR25 are cached, and a change in another process takes effect within half a minute", async () => {
    const [here, there] = [harness(), harness()];
    await here.keys.put("two", "gemini", { key: "AIza-first" });
    const all = await Promise.all([here.nameFor("two"), here.nameFor("two"), here.nameFor("two")]);
    expect(new Set(all)).toEqual(new Set(["gemini default AIza-first"]));
    await there.keys.put("two", "gemini", { key: "AIza-second" });
    here.clock.advance(29_999);
    expect(await here.nameFor("two")).toBe("gemini default AIza-first");
    expect(here.asked()).toBe(1);
    here.clock.advance(1);
    expect(await here.nameFor("two")).toBe("gemini default AIza-second");
    expect(here.asked()).toBe(2);
  });

  it("BR25 are loaded again after the database was unavailable", async () => {
    let away = true;
    const { nameFor } = harness({
      keys: {
        ...stored,
        latest: (ownerId) =>
          away
            ? Promise.reject(new BronError("database_unreachable", "away"))
            : stored.latest(ownerId),
      },
    });
    await expect(nameFor("eva")).rejects.toMatchObject({ code: "database_unreachable" });
    away = false;
    expect(await nameFor("eva")).toContain("anthropic");
  });

  it("BR25 are stored but not used without modelFromKey", async () => {
    const { keys, nameFor } = harness({ modelFromKey: undefined });
    await keys.put("kept", "gemini", { key: "AIza-kept" });
    expect(await nameFor("kept")).toBe("usual");
  });

  it("BR25 are rejected if no model can be created from them", async () => {
    const { keys } = harness();
    const refusals: [provider: string, key: string, model: string | undefined, code: string][] = [
      ["acme", "key-of-acme", undefined, "not_found"],
      ["gemini", "short", undefined, "invalid_input"],
      ["gemini", "a key with spaces", undefined, "invalid_input"],
      ["gemini", "schlüssel-1234", undefined, "invalid_input"],
      ["gemini", "AIza-fine-1234", "none", "invalid_input"],
    ];
    for (const [provider, key, modelId, code] of refusals)
      await expect(keys.put("refused", provider, { key, model: modelId })).rejects.toMatchObject({
        code,
        message: expect.not.stringContaining(key),
      });
    await expect(keys.remove("refused", "acme\u0000")).rejects.toMatchObject({ code: "not_found" });
    expect(await keys.list("refused")).toEqual([]);
  });

  it("BR25 are recorded in the audit log with the provider and without the key", async () => {
    const { keys } = harness();
    await keys.put("audited", "gemini", { key: "AIza-audited-4321" });
    await keys.remove("audited", "gemini");
    const { rows } = await open.pool.query<{ what: string; by: string; details: unknown }>(
      "select what, by, details from audit where owner_id = 'audited' order by id desc",
    );
    expect(rows).toEqual(
      ["model_key.removed", "model_key.set"].map((what) => ({
        what,
        by: "owner",
        details: { provider: "gemini", model: null },
      })),
    );
    expect(JSON.stringify(rows)).not.toContain("4321");
  });
});
