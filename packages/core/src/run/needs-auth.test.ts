import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";

const missing = () =>
  new BronError("missing_credentials", "Gmail has never been connected.", {
    details: { provider: "google" },
  });

/** A read tool and a send tool that both need an account. */
function openHarness(connected: () => boolean) {
  const sent: string[] = [];
  const read = defineTool({
    name: "read",
    description: "Reads.",
    input: z.object({}),
    repeatable: true,
    execute() {
      if (!connected()) throw missing();
      return "mail";
    },
  });
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    prepare: (input) => ({ prepared: input, preview: `to ${input.to}` }),
    execute({ to }, { effectId }) {
      if (!connected()) throw missing();
      sent.push(`${effectId}:${to}`);
      return "sent";
    },
  });
  return { sent, tools: [read, send] };
}

describe("an account that is not connected", () => {
  it("BR20 parks the run with a card, and the tool runs once the account is connected", async () => {
    let connected = false;
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "read", input: {} }] } : { text: "Done." },
      tools: openHarness(() => connected).tools,
    });
    const run = await harness.create();
    expect(await harness.advance(run.id)).toBe("parked");
    expect(await harness.run(run.id)).toMatchObject({ status: "awaiting_auth", runnable: false });
    expect((await harness.events(run.id)).slice(-3)).toMatchObject([
      {
        type: "auth",
        payload: { state: "needed", provider: "google", reason: "Gmail has never been connected." },
      },
      { type: "ui", payload: { kind: "ReconnectCard", payload: { provider: "google" } } },
      { type: "status", payload: { status: "awaiting_auth" } },
    ]);
    connected = true;
    expect(await harness.store.runs.announceConnected("local", "google")).toBe(1);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.results(run.id)).toMatchObject([{ outcome: "completed", output: "mail" }]);
  });

  it("BR20 records the reason as data, without what a database cannot store", async () => {
    const why = { code: "connection_rejected", service: "Google", message: "gone\0" };
    const read = defineTool({
      name: "read",
      description: "Reads.",
      input: z.object({}),
      repeatable: true,
      execute() {
        throw new BronError("missing_credentials", "Not shown.", {
          details: { provider: "google", why },
        });
      },
    });
    const harness = createLoopHarness({
      script: () => ({ calls: [{ tool: "read", input: {} }] }),
      tools: [read],
    });
    const run = await harness.create();
    await harness.advance(run.id);
    const need = { provider: "google", why: { ...why, message: "gone\uFFFD" } };
    const events = await harness.events(run.id);
    expect(events.find(({ type }) => type === "auth")?.payload).toEqual({
      ...need,
      state: "needed",
      actionId: expect.any(String) as string,
    });
    expect(events.find(({ type }) => type === "ui")?.payload).toEqual({
      kind: "ReconnectCard",
      payload: need,
    });
  });

  it("BR20 stays parked when another account is connected", async () => {
    const harness = createLoopHarness({
      script: () => ({ calls: [{ tool: "read", input: {} }] }),
      tools: openHarness(() => false).tools,
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.store.runs.announceConnected("local", "slack");
    expect(await harness.advance(run.id)).toBe("parked");
    expect(await harness.run(run.id)).toMatchObject({ status: "awaiting_auth" });
  });

  it("BR20 continues without a wake when the account was connected while the tool ran", async () => {
    let tries = 0;
    const slow = defineTool({
      name: "read",
      description: "Reads.",
      input: z.object({}),
      repeatable: true,
      async execute() {
        if (++tries > 1) return "mail";
        await harness.store.runs.announceConnected("local", "google");
        throw missing();
      },
    });
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "read", input: {} }] } : { text: "Done." },
      tools: [slow],
    });
    const run = await harness.create();
    expect(await harness.advance(run.id)).toBe("ended");
    expect(tries).toBe(2);
  });

  it("BR20 X2 keeps an approved effect and does it once under the same approval", async () => {
    let connected = false;
    const { sent, tools } = openHarness(() => connected);
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "send", input: { to: "eva" } }] } : { text: "Done." },
      tools,
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("parked");
    expect(await harness.run(run.id)).toMatchObject({ status: "awaiting_auth" });
    expect(sent).toEqual([]);
    connected = true;
    await harness.store.runs.announceConnected("local", "google");
    expect(await harness.advance(run.id)).toBe("ended");
    expect(sent).toHaveLength(1);
    expect(
      (await harness.store.approvals.list("local", { runId: run.id })).map(({ state }) => state),
    ).toEqual(["used"]);
  });

  it("BR20 parks again, without looping, when the account is disconnected before the effect is prepared", async () => {
    let prepares = 0;
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({}),
      sideEffect: true,
      prepare() {
        prepares++;
        throw missing();
      },
      execute: () => "sent",
    });
    const harness = createLoopHarness({
      script: () => ({ calls: [{ tool: "send", input: {} }] }),
      tools: [send],
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.store.runs.announceConnected("local", "google");
    expect(await harness.advance(run.id)).toBe("parked");
    expect(prepares).toBe(2);
  });

  it("X1 does not use an approval that expired before the account was connected again", async () => {
    let connected = false;
    const { sent, tools } = openHarness(() => connected);
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "send", input: { to: "eva" } }] } : { text: "Done." },
      tools,
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("parked");
    await harness.clock.pass(61_000);
    connected = true;
    await harness.store.runs.announceConnected("local", "google");
    expect(await harness.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    expect(await harness.store.runs.effects("local", run.id)).toMatchObject([{ state: "expired" }]);
  });

  it("X7 lets the run be canceled while it waits", async () => {
    const harness = createLoopHarness({
      script: () => ({ calls: [{ tool: "read", input: {} }] }),
      tools: openHarness(() => false).tools,
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.store.runs.requestCancel("local", run.id);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.run(run.id)).toMatchObject({ status: "canceled" });
  });
});

describe("an effect that only the owner sees", () => {
  it("RT10 needs no approval, and is in the ledger", async () => {
    const draft = defineTool({
      name: "draft",
      description: "Drafts.",
      input: z.object({}),
      sideEffect: true,
      seenBy: "owner",
      execute: () => "drafted",
    });
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "draft", input: {} }] } : { text: "Done." },
      tools: [draft],
    });
    const run = await harness.create();
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.store.runs.effects("local", run.id)).toMatchObject([
      { tool: "draft", state: "done" },
    ]);
    expect(await harness.store.approvals.list("local", { runId: run.id })).toEqual([]);
  });
});
