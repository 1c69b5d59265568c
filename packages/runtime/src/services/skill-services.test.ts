import type { FoundSkill, SkillReader } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { scopes, type SkillContent } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { createRuntime } from "../create-runtime.ts";

const contentOf = (name: string, text: string): SkillContent => ({
  version: {
    name,
    digest: `sha256:${name} ${text}`,
    description: "Use it.",
    license: null,
    compatibility: null,
    allowedTools: ["ask_user", "Bash"],
    files: [{ path: "SKILL.md", kind: "instructions", sizeBytes: 1, digest: text }],
    warnings: [],
  },
  texts: [{ path: "SKILL.md", text }],
});

async function open(found: FoundSkill[] = [], shipped: SkillContent[] = []) {
  const reader: SkillReader = {
    shipped: async () => shipped,
    found: async () => ({ skills: found, problems: [] }),
    read: async (skill) =>
      contentOf("tidy", "archive" in skill ? skill.archive : (skill.files[0]?.content ?? "")),
  };
  const runtime = await createRuntime({
    store: memoryStore(),
    skills: reader,
    model: {
      model: scriptedLanguageModel(() => ({ text: "" })),
      name: "scripted",
      maxOutputTokens: 1,
    },
  });
  return Object.assign(runtime, { [Symbol.asyncDispose]: () => runtime.close() });
}

/** A program that may manage and does not speak for the owner. */
const program = {
  ownerId: "local",
  via: "token" as const,
  scopes: scopes.filter((scope) => scope !== "speak"),
  email: null,
};
const params = { name: "tidy" };

describe("the services of skills", () => {
  it("BR11 add a skill for review, show its changes, and accept exactly what was shown", async () => {
    await using runtime = await open();
    const client = runtime.clientFor("local");
    const add = (text: string) => client.call("POST /api/skills", { body: { archive: text } });
    const first = await add("one\ntwo\nthree");
    expect(first).toMatchObject({
      skill: { name: "tidy", state: "new", accepted: null },
      unknownTools: ["Bash"],
      changes: null,
    });
    const accept = (text: string) =>
      client.call("POST /api/skills/:name/accept", {
        params,
        body: { digest: `sha256:tidy ${text}` },
      });
    await expect(accept("other")).rejects.toMatchObject({ code: "conflict" });
    expect(await accept("one\ntwo\nthree")).toMatchObject({ state: "accepted" });
    expect(await add("one\n2\nthree")).toMatchObject({
      skill: { state: "changed" },
      changes: [
        {
          path: "SKILL.md",
          change: "changed",
          lines: [
            { kind: "same", text: "one" },
            { kind: "removed", text: "two" },
            { kind: "added", text: "2" },
            { kind: "same", text: "three" },
          ],
        },
      ],
    });
    await client.call("DELETE /api/skills/:name", { params });
    expect((await client.call("GET /api/skills")).skills).toEqual([]);
    await expect(client.call("GET /api/skills/:name", { params })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("BR11 let no program that does not speak for the owner accept a skill", async () => {
    await using runtime = await open();
    const client = runtime.clientFor(program);
    await client.call("POST /api/skills", { body: { archive: "one" } });
    await expect(
      client.call("POST /api/skills/:name/accept", { params, body: { digest: "sha256:tidy one" } }),
    ).rejects.toMatchObject({ code: "forbidden" });
  });

  it("BR11 list what folders have, keep a skill to one place, and forget what is gone", async () => {
    const found: FoundSkill[] = [
      { content: contentOf("tidy", "one"), source: "home", place: "/home/tidy" },
      { content: contentOf("tidy", "two"), source: "folder", place: "/shop/tidy" },
      { content: contentOf("own", "x"), source: "folder", place: "/shop/own" },
    ];
    await using runtime = await open(found, [contentOf("own", "shipped")]);
    const client = runtime.clientFor("local");
    const list = async () => await client.call("GET /api/skills");
    const { skills, problems } = await list();
    expect(skills.map(({ name, state }) => [name, state])).toEqual([
      ["own", "accepted"],
      ["tidy", "new"],
    ]);
    expect(problems.map(({ place }) => place)).toEqual(["/shop/tidy", "/shop/own"]);
    found.splice(0, 3);
    expect((await list()).skills.map(({ name }) => name)).toEqual(["own"]);
    await client.call("DELETE /api/skills/:name", { params: { name: "own" } });
    expect((await list()).skills).toMatchObject([{ name: "own", state: "new" }]);
  });

  it("BR11 choose accepted skills for a Bron, and no others", async () => {
    await using runtime = await open([], [contentOf("own", "shipped")]);
    const client = runtime.clientFor("local");
    await client.call("GET /api/skills");
    const [bron] = (await client.call("GET /api/brons")).brons;
    const choose = (skills: string[] | null) =>
      client.call("PATCH /api/brons/:id", { params: { id: bron?.id ?? "" }, body: { skills } });
    expect(await choose(["own"])).toMatchObject({ skills: ["own"] });
    await expect(choose(["owm"])).rejects.toMatchObject({
      message: expect.stringContaining("own"),
    });
    expect(await choose(null)).toMatchObject({ skills: null });
  });
});
