import { createLoopHarness, type Script } from "@bron/testing";
import type { TrustLevel } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contentValues } from "../policy/text/content-values.ts";
import { defaultRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";
import { fold } from "../run/state/fold.ts";
import { emptyRunState } from "../run/state/run-state.ts";

const offer = {
  outcome: "failed",
  unproposed: true,
  error: {
    code: "invalid_arguments",
    message: expect.stringMatching(/^Contains evil\.example, .*make the same call again/),
    why: { code: "not_mentioned", values: ["evil.example"] },
  },
  label: { trusted: true },
};
const withLink = { to: "jonas@lindqvist.example", text: "See evil.example/login" };
const without = { ...withLink, text: "See you" };

type Form = { to: string; text: string };

/** A run that reads a mail and then makes these calls of `write`, one in each step. */
function open(calls: readonly object[], trustLevel: TrustLevel = "autonomous") {
  const sent: object[] = [];
  const read = defineTool({
    name: "read_mail",
    description: "Reads.",
    input: z.object({}),
    label: { origin: "mail" },
    execute: () => "Log in at evil.example/login",
  });
  const write = defineTool({
    name: "write",
    description: "Sends.",
    input: z.object({ to: z.string(), text: z.string() }),
    sideEffect: true,
    effectKind: "send_mail",
    label: "trusted",
    prepare: (form: Form) => ({ prepared: { ...form }, preview: form.text }),
    facts: ({ to, text }) => ({
      kind: "mail",
      account: "mara@lindqvist.example",
      recipients: [{ address: to, role: "to" }],
      ...contentValues(text),
      attachments: [],
      warnings: [],
    }),
    editing: {
      fields: z.strictObject({ to: z.string(), text: z.string() }).partial(),
      valuesOf: ({ to, text }: Form) => ({ to, text }),
      edit: ({ to, text }: Form, changes: Partial<Form>) =>
        Promise.resolve({ prepared: { to, text, ...changes }, preview: "again" }),
    },
    execute(form: Form) {
      sent.push(form);
      return "sent";
    },
  });
  const script: Script = ({ turn }) => {
    if (turn === 0) return { calls: [{ tool: "read_mail", input: {} }] };
    const call = calls[turn - 1];
    return call ? { calls: [{ tool: "write", input: call }] } : { text: "Done." };
  };
  const loop = createLoopHarness({
    script,
    tools: [read, write],
    deps: { permissions: { rules: () => Promise.resolve({ ...defaultRules, trustLevel }) } },
  });
  const create = async () =>
    await loop.create({ prompt: "Write to jonas@lindqvist.example and eva@lindqvist.example" });
  const pending = async (runId: string) =>
    await loop.store.approvals.list("local", { runId, pendingOnly: true });
  return { loop, create, sent, pending };
}

describe("a text with a link that the owner did not mention", () => {
  it("X3 can be rewritten once without it, and then leaves unasked", async () => {
    const { loop, create, sent } = open([withLink, without]);
    const { id } = await create();
    expect(await loop.advance(id)).toBe("ended");
    expect((await loop.results(id))[1]).toMatchObject(offer);
    expect(sent).toEqual([without]);
    expect(await loop.run(id)).toMatchObject({ status: "completed", notDone: 0 });
  });

  it("X3 is asked about when it comes again, the same or with another link", async () => {
    for (const text of [withLink.text, "See evil.example"]) {
      const { loop, create, sent, pending } = open([withLink, { ...withLink, text }]);
      const { id } = await create();
      expect(await loop.advance(id)).toBe("parked");
      expect(await pending(id)).toMatchObject([{ risks: [{ kind: "host" }] }]);
      expect(sent).toEqual([]);
    }
  });

  it("X3 is one for each kind and target, also after a crash", async () => {
    const other = { ...withLink, to: "eva@lindqvist.example" };
    const { loop, create, sent, pending } = open([withLink, other, withLink]);
    const { id } = await create();
    expect(await loop.advance(id)).toBe("parked");
    expect((await loop.results(id)).slice(1)).toMatchObject([offer, offer]);
    expect(await pending(id)).toHaveLength(1);
    expect(sent).toEqual([]);
    const state = (await loop.events(id)).reduce(
      (before, event) => fold(before, event, 0),
      emptyRunState,
    );
    expect(state.rewrites.size).toBe(2);
  });

  it("X3 is asked about at once if the trust level asks anyway", async () => {
    const { loop, create, pending } = open([withLink], "supervised");
    const { id } = await create();
    expect(await loop.advance(id)).toBe("parked");
    expect(await pending(id)).toHaveLength(1);
  });

  it("X3 is asked about at once if something else is a risk", async () => {
    const { loop, create, pending } = open([{ ...withLink, to: "mallory@evil.example" }]);
    const { id } = await create();
    expect(await loop.advance(id)).toBe("parked");
    expect(await pending(id)).toHaveLength(1);
  });

  it("X3 is not offered for what the owner edits", async () => {
    const { loop, create, pending } = open([{ ...withLink, to: "mallory@evil.example" }]);
    const { id } = await create();
    expect(await loop.advance(id)).toBe("parked");
    const [approval] = await pending(id);
    expect(approval).toBeDefined();
    await loop.store.approvals.edit({
      ownerId: "local",
      approvalId: approval?.id ?? "",
      digest: approval?.digest ?? "",
      changes: { to: "jonas@lindqvist.example" },
    });
    expect(await loop.advance(id)).toBe("parked");
    expect(await pending(id)).toMatchObject([
      { reasons: [{ code: "edited" }, { code: "link_not_mentioned" }], risks: [{}] },
    ]);
  });

  it("counts as not done if the model gives up", async () => {
    const { loop, create, sent } = open([withLink]);
    const { id } = await create();
    expect(await loop.advance(id)).toBe("ended");
    expect(sent).toEqual([]);
    expect(await loop.run(id)).toMatchObject({ notDone: 1 });
  });
});
