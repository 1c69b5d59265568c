import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defaultRules, type PolicyRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";

/** A run that calls `read_mail` twice and then ends. `calls` counts the calls that were made. */
function open(rules: () => Promise<PolicyRules>) {
  let calls = 0;
  const read = defineTool({
    name: "read_mail",
    description: "Reads.",
    input: z.object({ page: z.number() }),
    label: { origin: "mail" },
    execute: () => `mail ${++calls}`,
  });
  const loop = createLoopHarness({
    script: ({ turn }) =>
      turn < 2 ? { calls: [{ tool: "read_mail", input: { page: turn } }] } : { text: "Done." },
    tools: [read],
    deps: { permissions: { rules } },
  });
  return { loop, calls: () => calls };
}

const deny = (tool: string, ofBron = false): PolicyRules => ({
  ...defaultRules,
  rules: [{ tool, verdict: "deny", ofBron }],
});

describe("a rule about a tool that only reads", () => {
  it.each([false, true])(
    "X3 denies it before it is called, and the run goes on (rule of the Bron: %s)",
    async (ofBron) => {
      const { loop, calls } = open(() => Promise.resolve(deny("read_mail", ofBron)));
      const { id } = await loop.create();
      expect(await loop.advance(id)).toBe("ended");
      expect(calls()).toBe(0);
      const denied = {
        outcome: "failed",
        error: {
          code: "forbidden",
          message: "Blocked by your rules: Your rule doesn't allow this.",
        },
        notDone: { cause: "blocked", reasons: [{ code: "rule_denies" }] },
        label: { origin: "system", trusted: true },
      };
      expect(await loop.results(id)).toMatchObject([denied, denied]);
      // A read does not change anything, so no change is missing.
      expect(await loop.run(id)).toMatchObject({ status: "completed", notDone: 0 });
    },
  );

  it("does not deny it with a star, which is about effects, nor ask about it", async () => {
    const star = open(() => Promise.resolve(deny("read_*")));
    const { id } = await star.loop.create();
    await star.loop.advance(id);
    expect(star.calls()).toBe(2);
    const ask = open(() =>
      Promise.resolve({
        ...defaultRules,
        rules: [{ tool: "read_mail", verdict: "ask", ofBron: false }],
      }),
    );
    const { id: other } = await ask.loop.create();
    expect(await ask.loop.advance(other)).toBe("ended");
    expect(ask.calls()).toBe(2);
  });

  it("X3 counts from the next call on when the owner adds it while the run works", async () => {
    let asked = 0;
    const { loop, calls } = open(() =>
      Promise.resolve(asked++ === 0 ? defaultRules : deny("read_mail")),
    );
    const { id } = await loop.create();
    await loop.advance(id);
    expect(calls()).toBe(1);
    expect((await loop.results(id)).map(({ outcome }) => outcome)).toEqual(["completed", "failed"]);
  });

  it("X3 is found by the append of the call's start, without another query", async () => {
    let queries = 0;
    const { loop, calls } = open(() => {
      queries++;
      return Promise.resolve(defaultRules);
    });
    const { id, ownerId } = await loop.create();
    const { log, permissions } = loop.store;
    const append: typeof log.append = async (request) => {
      const isSecondStart = request.needsDenyingRules && calls() === 1;
      if (isSecondStart)
        await permissions.putRule(ownerId, { bronId: null, tool: "read_mail", verdict: "deny" });
      return await log.append(request);
    };
    expect(await loop.advance(id, { log: { ...log, append } })).toBe("ended");
    expect((await loop.results(id)).map(({ outcome }) => outcome)).toEqual(["completed", "failed"]);
    expect(queries).toBe(0);
  });

  it("X3 denies a call that begins a second after it, even if the append took that long", async () => {
    const { loop, calls } = open(() => Promise.resolve(deny("read_mail")));
    const { id } = await loop.create();
    const { log } = loop.store;
    const append: typeof log.append = async (request) => {
      const result = await log.append(request);
      if (request.needsDenyingRules) await loop.clock.sleep(1_000);
      return result;
    };
    await loop.advance(id, { log: { ...log, append } });
    expect(calls()).toBe(0);
  });

  it("X3 makes no call when the rules cannot be read", async () => {
    const { loop, calls } = open(() => Promise.reject(new BronError("not_found", "No such Bron.")));
    const { id } = await loop.create();
    await loop.advance(id);
    expect(calls()).toBe(0);
    expect((await loop.results(id))[0]).toMatchObject({
      outcome: "failed",
      error: { why: { code: "rules_not_checked" } },
    });
  });
});
