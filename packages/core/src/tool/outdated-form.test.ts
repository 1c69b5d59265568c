import { omitUndefined } from "@bron/protocol";
import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";

type Form = { recipients: string[] };

/** The tool as released with this form version. It can read only forms that have recipients. */
function toolOf(formVersion: number | undefined, sent: string[]) {
  return defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    ...omitUndefined({ formVersion }),
    prepare: ({ to }): { prepared: Form; preview: string } => ({
      prepared: { recipients: [to] },
      preview: to,
    }),
    facts: ({ recipients }) => ({
      kind: "other",
      recipients: recipients.map((address) => ({ address, role: "to" as const })),
      account: "",
      hosts: [],
      attachments: [],
      warnings: [],
    }),
    editing: {
      fields: z.object({ to: z.string().optional() }),
      valuesOf: ({ recipients }) => ({ to: recipients.join(", ") }),
      edit: ({ recipients }, { to }) =>
        Promise.resolve({
          prepared: { recipients: to === undefined ? recipients : [to] },
          preview: to ?? "",
        }),
    },
    execute: ({ recipients }) => {
      sent.push(recipients.join(", "));
      return "sent";
    },
  });
}

/** Calls the tool until it reports that the message was sent. */
const script = ({ turn }: { turn: number }) =>
  turn < 2
    ? { calls: [{ tool: "send", input: { to: "eva@elsewhere.example" } }] }
    : { text: "Finished." };

/**
 * A run that waits for approval of a form that the given version prepared, and the tools of the
 * next version.
 */
async function parkedRun({
  before,
  after,
  forget = false,
}: {
  before: number;
  after: number;
  forget?: boolean;
}) {
  const sent: string[] = [];
  const harness = createLoopHarness({ script, tools: [toolOf(before, sent)] });
  const run = await harness.create();
  const { log } = harness.store;
  const append: typeof log.append = (request) =>
    log.append({
      ...request,
      events: request.events.map((event) =>
        event.type === "effect" ? { ...event, payload: withoutVersion(event.payload) } : event,
      ),
    });
  await harness.advance(run.id, forget ? { log: { ...log, append } } : {});
  return {
    harness,
    runId: run.id,
    sent,
    next: { tools: new Map([["send", toolOf(after, sent)]]) },
  };
}

function withoutVersion<T extends { formVersion?: number }>({
  formVersion: _,
  ...payload
}: T): Omit<T, "formVersion"> {
  return payload;
}

describe("a form that another version of the tool prepared", () => {
  it("X1 is not executed after approval: the model has to prepare it again, and the owner is asked again", async () => {
    const { harness, runId, sent, next } = await parkedRun({ before: 1, after: 2 });
    await harness.decide(runId, true);
    expect(await harness.advance(runId, next)).toBe("parked");
    expect(sent).toEqual([]);
    expect(await harness.results(runId)).toMatchObject([
      {
        outcome: "failed",
        error: { code: "form_outdated", message: expect.stringContaining("Call send again") },
      },
    ]);
    await harness.decide(runId, true);
    expect(await harness.advance(runId, next)).toBe("ended");
    expect(sent).toEqual(["eva@elsewhere.example"]);
    expect(await harness.run(runId)).toMatchObject({ status: "completed", notDone: 0 });
  });

  it("cannot be edited either", async () => {
    const { harness, runId, next } = await parkedRun({ before: 1, after: 2 });
    const [approval] = await harness.store.approvals.list("local", { runId, pendingOnly: true });
    await harness.store.approvals.edit({
      ownerId: "local",
      approvalId: approval?.id ?? "",
      digest: approval?.digest ?? "",
      changes: { to: "bob@elsewhere.example" },
    });
    await harness.advance(runId, next);
    expect(await harness.results(runId)).toMatchObject([
      { outcome: "failed", error: { code: "form_outdated" } },
    ]);
  });

  it("is executed if it has the same version", async () => {
    const { harness, runId, sent, next } = await parkedRun({ before: 2, after: 2 });
    await harness.decide(runId, true);
    await harness.advance(runId, next);
    expect(sent).toEqual(["eva@elsewhere.example"]);
  });

  it("is executed if it predates form versions and the tool can still read it", async () => {
    const { harness, runId, sent, next } = await parkedRun({ before: 1, after: 1, forget: true });
    await harness.decide(runId, true);
    await harness.advance(runId, next);
    expect(sent).toEqual(["eva@elsewhere.example"]);
  });

  it("is rejected if it predates form versions and the tool cannot read it", async () => {
    const { harness, runId, sent } = await parkedRun({ before: 1, after: 1, forget: true });
    const unreadable = {
      ...toolOf(1, sent),
      factsOf: () => {
        throw new TypeError("Cannot read properties of undefined (reading 'find')");
      },
    };
    await harness.decide(runId, true);
    await harness.advance(runId, { tools: new Map([["send", unreadable]]) });
    expect(sent).toEqual([]);
    expect(await harness.results(runId)).toMatchObject([
      { error: { code: "form_outdated" } },
      { error: { message: "Your rules could not be checked, so nothing was done." } },
    ]);
  });
});
