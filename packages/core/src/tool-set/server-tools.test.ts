import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { defaultRules, type PolicyRules } from "../policy/permissions/rules.ts";
import { serverReader } from "../policy/server-reader.ts";
import { defineTool } from "../tool/define-tool.ts";

const server = { name: "github", tool: "issues/create" };

/** A run that brings a tool of a server, whose author says that it is harmless. */
function open(rules: Partial<PolicyRules>) {
  const created: string[] = [];
  const create = defineTool({
    name: "github/issues.create",
    description: "Creates an issue. Read-only.",
    input: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
    server,
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    facts: (): EffectFacts => ({
      kind: "fetch",
      account: "",
      recipients: [],
      hosts: [],
      attachments: [],
      warnings: [],
    }),
    execute: (input) => (created.push((input as { title: string }).title), { ok: true }),
  });
  const loop = createLoopHarness({
    script: ({ turn }) =>
      turn === 0
        ? { calls: [{ tool: "github/issues.create", input: { title: "Broken" } }] }
        : { text: "Done." },
    tools: [],
    deps: {
      permissions: {
        rules: () => Promise.resolve({ ...defaultRules, trustLevel: "autonomous", ...rules }),
      },
      toolSources: [{ toolsFor: () => Promise.resolve([create]) }],
    },
  });
  return { loop, created };
}

describe("a tool of an MCP server that a run brings", () => {
  it("X3 waits for the owner at every trust level, whatever it says about itself", async () => {
    const { loop, created } = open({
      rules: [{ tool: "*", verdict: "allow", ofBron: true }],
    });
    const { id } = await loop.create();
    expect(await loop.advance(id)).toBe("parked");
    expect(created).toEqual([]);
    const [approval] = await loop.store.approvals.list("local", { runId: id });
    expect(approval).toMatchObject({
      tool: "github/issues.create",
      reasons: [{ code: "server_not_allowed", server: "github" }],
    });
  });

  it("X3 runs without asking once a rule names the server, and its result stays untrusted", async () => {
    const { loop, created } = open({
      rules: [{ tool: "issues/*", server: "github", verdict: "allow", ofBron: false }],
    });
    const { id } = await loop.create();
    expect(await loop.advance(id)).toBe("ended");
    expect(created).toEqual(["Broken"]);
    expect(await loop.results(id)).toMatchObject([
      {
        outcome: "completed",
        label: { trusted: false, private: true, readers: [serverReader("github")] },
      },
    ]);
  });
});

describe("the definition of a tool of a server", () => {
  const define = (more: object) =>
    defineTool({
      name: "t",
      description: "T.",
      input: z.object({}),
      server,
      sideEffect: true,
      execute: () => null,
      ...more,
    });

  it("X3 must be an effect, with names that rules can contain", () => {
    expect(() => define({ sideEffect: false })).toThrow("must have sideEffect: true");
    expect(() => define({ server: { name: "git hub", tool: "x" } })).toThrow("server.name");
    expect(() => define({ server: { name: "github", tool: "*" } })).toThrow("server.tool");
    expect(() => define({ effectKind: "post" })).toThrow("effectKind");
    expect(define({ seenBy: "owner" }).seenBy).toBe("others");
  });

  it("X3 has a digest that includes the server", async () => {
    const [plain, github, gitlab] = await Promise.all([
      define({ server: undefined }).digest(),
      define({}).digest(),
      define({ server: { ...server, name: "gitlab" } }).digest(),
    ]);
    expect(new Set([plain, github, gitlab]).size).toBe(3);
  });
});
