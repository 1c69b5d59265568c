import { memoryStore } from "@bron/memory-store";
import type { ChangedBron } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { expect, it } from "vitest";
import { createRuntime } from "../create-runtime.ts";

it("sets the tools and the model of a Bron, and names the nearest tools for a wrong name", async () => {
  const named = (name: string) => ({
    model: scriptedLanguageModel(() => ({ text: "" })),
    name,
    maxOutputTokens: 1,
  });
  await using runtime = await createRuntime({
    store: memoryStore(),
    model: named("scripted"),
    otherModels: [named("light")],
  }).then((made) => Object.assign(made, { [Symbol.asyncDispose]: () => made.close() }));
  const client = runtime.clientFor("local");
  const { id, tools, model } = (await client.call("GET /api/brons")).brons[0]!;
  const update = (body: ChangedBron) =>
    client.call("PATCH /api/brons/:id", { params: { id }, body });
  expect({ tools, model }).toEqual({ tools: null, model: null });
  expect(
    await update({ tools: ["output_read", "ask_user", "output_read"], model: "light" }),
  ).toMatchObject({
    tools: ["ask_user", "output_read"],
    model: "light",
  });
  await expect(update({ model: "heavy" })).rejects.toMatchObject({
    code: "invalid_input",
    details: { known: ["scripted", "light"] },
  });
  await expect(update({ tools: ["output_read", "ask_usr"] })).rejects.toMatchObject({
    code: "invalid_input",
    message: 'There is no tool "ask_usr". Did you mean ask_user?',
  });
  expect(await update({ tools: null, model: null })).toMatchObject({
    tools: null,
    model: null,
  });
});

it("lists the models with their roles, windows and prices, and whether they accept images", async () => {
  const named = (name: string) => ({
    model: scriptedLanguageModel(() => ({ text: "" })),
    name,
    maxOutputTokens: 1,
  });
  const price = { inputMicrousdPerMillion: 2_000_000, outputMicrousdPerMillion: 8_000_000 };
  await using runtime = await createRuntime({
    store: memoryStore(),
    model: { ...named("main"), contextTokens: 200_000, price, accepts: ["image/png"] },
    lightModel: named("light"),
    lastResortModel: named("last"),
    otherModels: [named("other")],
  }).then((made) => Object.assign(made, { [Symbol.asyncDispose]: () => made.close() }));
  const client = runtime.clientFor("local");
  const unknown = { contextTokens: null, price: null, acceptsImages: false };
  expect(await client.call("GET /api/models")).toEqual({
    models: [
      {
        name: "main",
        roles: ["main"],
        contextTokens: 200_000,
        price: { input: 2_000_000, cachedInput: 2_000_000, output: 8_000_000 },
        acceptsImages: true,
      },
      { name: "other", roles: [], ...unknown },
      { name: "light", roles: ["light"], ...unknown },
      { name: "last", roles: ["last_resort"], ...unknown },
    ],
  });
  const { id } = (await client.call("GET /api/brons")).brons[0]!;
  await expect(
    client.call("PATCH /api/brons/:id", { params: { id }, body: { model: "othr" } }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    message:
      'model: there is no model "othr" here. Did you mean other? Choose one of: main, other, light, last.',
  });
});
