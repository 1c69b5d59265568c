import { createLoopHarness } from "@bron/testing";
import { defaultCaps } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { NewRun } from "../ports/runs/runs.ts";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { defaultRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";

const ownerId = "local";
const jonas = "jonas@lindqvist.example";
const mallory = "mallory@evil.example";

/** A model that sends a mail to each of these addresses, in one step each. "" ends a run. */
function harness(to: readonly string[]) {
  const sent: string[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string(), text: z.string() }),
    sideEffect: true,
    effectKind: "send_mail",
    facts: (prepared: { to: string }): EffectFacts => ({
      kind: "mail",
      account: "mara@lindqvist.example",
      recipients: [{ address: prepared.to, role: "to" }],
      hosts: [],
      attachments: [],
      warnings: [],
    }),
    execute: (prepared: { to: string }) => (sent.push(prepared.to), "sent"),
  });
  let step = 0;
  const loop = createLoopHarness({
    script() {
      const next = to[step++];
      return next === undefined || next === ""
        ? { text: "Done." }
        : { calls: [{ tool: "send", input: { to: next, text: `Attempt ${step}` } }] };
    },
    tools: [send],
    deps: {
      permissions: { rules: () => Promise.resolve({ ...defaultRules, trustLevel: "autonomous" }) },
    },
  });
  const pending = () => loop.store.approvals.list(ownerId, { pendingOnly: true });
  return {
    ...loop,
    sent,
    risks: async () =>
      (await pending()).flatMap(({ risks }) =>
        risks.flatMap(({ why }) => (typeof why === "string" ? why : why.code)),
      ),
    async reply(words: string) {
      for (const { id: approvalId, digest } of await pending())
        await loop.store.approvals.decide({
          ownerId,
          approvalId,
          digest,
          approved: false,
          reply: words,
        });
    },
    create: async (prompt: string, extra: Partial<NewRun> = {}) =>
      (
        await loop.store.runs.create({
          ownerId,
          input: { prompt },
          title: prompt,
          caps: defaultCaps,
          ...extra,
        })
      ).run,
  };
}

const blocked = { outcome: "rejected", notDone: { cause: "blocked" } };

describe("what the owner denied", () => {
  it("X3 is not tried again in the run, however it is worded", async () => {
    const loop = harness([mallory, mallory, jonas]);
    const run = await loop.create(`Write to ${jonas}`);
    expect(await loop.advance(run.id)).toBe("parked");
    await loop.decide(run.id, false, "a stranger");
    expect(await loop.advance(run.id)).toBe("ended");
    expect(loop.sent).toEqual([jonas]);
    expect(await loop.results(run.id)).toMatchObject([
      { outcome: "rejected", notDone: { cause: "denied" } },
      blocked,
      { outcome: "completed" },
    ]);
  });

  it("X3 is not tried again in a child run, and not in a retry", async () => {
    const loop = harness([mallory, mallory, "", mallory]);
    const first = await loop.create(`Write to ${jonas}`);
    await loop.advance(first.id);
    const child = await loop.create("Write to the supplier", {
      parent: { runId: first.id, failureMode: "best_effort" },
    });
    await loop.decide(first.id, false);
    expect(await loop.advance(child.id)).toBe("ended");
    expect(await loop.results(child.id)).toMatchObject([blocked]);
    await loop.store.runs.requestCancel(ownerId, first.id);
    await loop.advance(first.id);
    const again = await loop.create(`Write to ${jonas}`, {
      retry: { runId: first.id, notDone: [] },
    });
    await loop.advance(again.id);
    expect((await loop.results(again.id)).at(-1)).toMatchObject(blocked);
    expect(loop.sent).toEqual([]);
  });

  it("X3 is asked about again in another task", async () => {
    const loop = harness([mallory, mallory]);
    const first = await loop.create(`Write to ${jonas}`);
    await loop.advance(first.id);
    await loop.decide(first.id, false);
    await loop.store.runs.requestCancel(ownerId, first.id);
    await loop.advance(first.id);
    const other = await loop.create(`Write to ${jonas}`);
    expect(await loop.advance(other.id)).toBe("parked");
  });
});

describe("what the owner replied to", () => {
  it("X1 X3 asks at each later attempt, with the reply as a risk", async () => {
    const loop = harness([mallory, jonas, mallory, mallory]);
    const run = await loop.create(`Write to ${jonas}`);
    expect(await loop.advance(run.id)).toBe("parked");
    await loop.reply(`No! Never write to ${mallory}`);
    expect(await loop.advance(run.id)).toBe("parked");
    expect(loop.sent).toEqual([jonas]);
    expect(await loop.risks()).toContain("replied_before");
    await loop.reply("Still no.");
    expect(await loop.advance(run.id)).toBe("parked");
    expect((await loop.risks()).filter((code) => code === "replied_before")).toHaveLength(2);
    expect(loop.sent).toEqual([jonas]);
  });

  it("X3 asks, although a later message of the owner asks for it", async () => {
    const loop = harness([mallory, mallory]);
    const run = await loop.create(`Write to ${jonas}`);
    await loop.advance(run.id);
    await loop.reply("Wait");
    await loop.store.runs.addMessage(ownerId, run.id, {
      messageId: "m1",
      content: `Write to ${mallory} after all`,
    });
    expect(await loop.advance(run.id)).toBe("parked");
    expect(await loop.risks()).toEqual(["replied_before"]);
  });
});
