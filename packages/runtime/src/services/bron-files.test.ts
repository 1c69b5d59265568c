import { memoryStore } from "@bron/memory-store";
import { scopes } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { expect, it } from "vitest";
import { bronTemplates } from "../bron-templates.ts";
import { createRuntime } from "../create-runtime.ts";

async function openRuntime() {
  const runtime = await createRuntime({
    store: memoryStore(),
    model: {
      model: scriptedLanguageModel(() => ({ text: "" })),
      name: "scripted",
      maxOutputTokens: 1,
    },
  });
  return Object.assign(runtime, { [Symbol.asyncDispose]: () => runtime.close() });
}

/** A program that may manage Brons and nothing else. */
const program = {
  ownerId: "local",
  via: "token" as const,
  scopes: scopes.filter((scope) => scope !== "approve" && scope !== "speak"),
  email: null,
};

it("duplicates a Bron without its memory, and names the copies apart", async () => {
  await using runtime = await openRuntime();
  const client = runtime.clientFor("local");
  const { id } = await client.call("POST /api/brons", {
    body: { name: "Nova", systemPrompt: "Be brief.", trustLevel: "delegated" },
  });
  await client.call("PATCH /api/brons/:id", {
    params: { id },
    body: { tools: ["ask_user"], model: "scripted", memorySummary: "Likes tea." },
  });
  const copy = () => client.call("POST /api/brons/:id/duplicate", { params: { id }, body: {} });
  const first = await copy();
  expect(first).toMatchObject({
    name: "Nova copy",
    systemPrompt: "Be brief.",
    memorySummary: "",
    trustLevel: "delegated",
    tools: ["ask_user"],
    model: "scripted",
    isDefault: false,
  });
  expect((await copy()).name).toBe("Nova copy 2");
  await expect(
    runtime.clientFor(program).call("POST /api/brons/:id/duplicate", { params: { id }, body: {} }),
  ).rejects.toMatchObject({ code: "forbidden" });
});

it("leaves archived Brons out of lists unless they are wanted", async () => {
  await using runtime = await openRuntime();
  const client = runtime.clientFor("local");
  const { id } = await client.call("POST /api/brons", { body: { name: "Nova" } });
  const namesOf = async (archived?: "include" | "only") =>
    (await client.call("GET /api/brons", { query: { archived } })).brons
      .map(({ name }) => name)
      .toSorted();
  await client.call("POST /api/brons/:id/archive", { params: { id }, body: {} });
  expect(await namesOf()).toEqual(["Assistant"]);
  expect(await namesOf("include")).toEqual(["Assistant", "Nova"]);
  expect(await namesOf("only")).toEqual(["Nova"]);
  await expect(
    client.call("POST /api/runs", { body: { prompt: "x", bronId: id } }),
  ).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining("archived") });
  await client.call("POST /api/brons/:id/restore", { params: { id }, body: {} });
  expect(await namesOf()).toEqual(["Assistant", "Nova"]);
});

it("creates Brons from templates, which start supervised", async () => {
  await using runtime = await openRuntime();
  const client = runtime.clientFor("local");
  const { templates } = await client.call("GET /api/bron-templates");
  expect(templates.map(({ id }) => id)).toEqual(bronTemplates.map(({ id }) => id));
  for (const template of templates) {
    expect(await client.call("POST /api/brons", { body: { template: template.id } })).toMatchObject(
      {
        name: template.name,
        systemPrompt: template.systemPrompt,
        tools: template.tools,
        trustLevel: "supervised",
      },
    );
    expect(template.tools).toEqual([...new Set(template.tools)].toSorted());
  }
  expect(
    await client.call("POST /api/brons", { body: { template: "researcher", name: "Rex" } }),
  ).toMatchObject({ name: "Rex" });
  for (const body of [{ template: "pirate" }, {}])
    await expect(client.call("POST /api/brons", { body })).rejects.toMatchObject({
      code: "invalid_input",
    });
});

it("exports a Bron, and imports it as supervised with a list of what is missing", async () => {
  await using runtime = await openRuntime();
  const client = runtime.clientFor("local");
  const { id } = await client.call("POST /api/brons", {
    body: { name: "Nova", systemPrompt: "Be brief.", trustLevel: "autonomous" },
  });
  await client.call("PATCH /api/brons/:id", {
    params: { id },
    body: { tools: ["ask_user"], memorySummary: "Likes tea." },
  });
  const file = await client.call("GET /api/brons/:id/export", { params: { id } });
  expect(file).toEqual({
    format: "bron-export-1",
    name: "Nova",
    avatarColor: expect.stringMatching(/^#/),
    systemPrompt: "Be brief.",
    trustLevel: "autonomous",
    tools: ["ask_user"],
    model: null,
  });
  const same = { ...file, tools: [...file.tools!] };
  expect(await client.call("POST /api/brons/import", { body: { bron: same } })).toMatchObject({
    bron: { name: "Nova", systemPrompt: "Be brief.", trustLevel: "supervised", memorySummary: "" },
    missing: { tools: [], model: null },
  });
  expect(
    await client.call("POST /api/brons/import", {
      body: {
        bron: { ...same, tools: ["ask_user", "fly"], model: "other" },
        keepTrustLevel: true,
      },
    }),
  ).toMatchObject({
    bron: { trustLevel: "autonomous", tools: ["ask_user", "fly"], model: null },
    missing: { tools: ["fly"], model: "other" },
  });
});

it("X3 keeps whose words a persona is, until the owner types or confirms it", async () => {
  await using runtime = await openRuntime();
  const client = runtime.clientFor("local");
  const typed = await client.call("POST /api/brons", {
    body: { name: "Nova", systemPrompt: "Mail me a report." },
  });
  expect(typed.personaSource).toBe("typed");
  const params = { id: typed.id };
  const file = await client.call("GET /api/brons/:id/export", { params });
  expect(file).not.toHaveProperty("personaSource");
  const { bron } = await client.call("POST /api/brons/import", {
    body: { bron: { ...file, tools: null } },
  });
  expect(bron.personaSource).toBe("imported");
  const change = (body: object) =>
    client.call("PATCH /api/brons/:id", { params: { id: bron.id }, body });
  const duplicate = () =>
    client.call("POST /api/brons/:id/duplicate", { params: { id: bron.id }, body: {} });
  expect((await change({ name: "Ada", memorySummary: "x" })).personaSource).toBe("imported");
  expect((await duplicate()).personaSource).toBe("imported");
  const sameText = { systemPrompt: bron.systemPrompt };
  await expect(
    runtime.clientFor(program).call("PATCH /api/brons/:id", { params, body: sameText }),
  ).rejects.toMatchObject({ code: "forbidden" });
  expect(await change(sameText)).toMatchObject({ personaSource: "typed", ...sameText });
  expect((await duplicate()).personaSource).toBe("typed");
});

it("X3 takes the persona of a template for its own text", async () => {
  await using runtime = await openRuntime();
  const client = runtime.clientFor("local");
  const create = async (body: object) =>
    (await client.call("POST /api/brons", { body: { template: "researcher", ...body } }))
      .personaSource;
  expect(await create({})).toBe("template");
  expect(await create({ systemPrompt: "Be brief." })).toBe("typed");
});

it("imports a persona only for a caller that speaks for the owner, and trust only with approve", async () => {
  await using runtime = await openRuntime();
  const file = {
    format: "bron-export-1" as const,
    name: "Nova",
    avatarColor: "#336699",
    systemPrompt: "",
    trustLevel: "autonomous" as const,
    tools: null,
    model: null,
  };
  const importAs = (body: object) =>
    runtime.clientFor(program).call("POST /api/brons/import", { body: body as never });
  await expect(importAs({ bron: { ...file, systemPrompt: "Obey." } })).rejects.toMatchObject({
    code: "forbidden",
  });
  await expect(importAs({ bron: file, keepTrustLevel: true })).rejects.toMatchObject({
    code: "forbidden",
  });
  expect((await importAs({ bron: file })).bron.trustLevel).toBe("supervised");
  for (const wrong of [
    { ...file, format: "bron-export-2" },
    { ...file, key: "sk-1" },
    { name: "x" },
  ])
    await expect(importAs({ bron: wrong })).rejects.toMatchObject({ code: "invalid_input" });
});
