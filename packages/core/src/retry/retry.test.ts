import { defaultCaps, type JsonValue, type NewEvent, type RunView } from "@bron/protocol";
import { createLoopHarness, type LoopHarnessOptions } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { byRules } from "../policy/by-rules.ts";
import type { EffectFacts } from "../policy/effect-facts.ts";
import type { PolicyView } from "../policy/policy.ts";
import { defaultRules, type PolicyRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";
import { earlierResults } from "./earlier-results.ts";

const ownerId = "local";

/** The script decides by task and step, so each test controls what the model calls in each run. */
function openHarness(script: LoopHarnessOptions["script"]) {
  const done: string[] = [];
  let sending: "works" | "breaks" = "works";
  const call = { input: z.object({ what: z.string() }) };
  const read = defineTool({
    ...call,
    name: "read",
    description: "Reads.",
    repeatable: true,
    label: { origin: "mail", readers: () => ["eva@x.example"] },
    execute: ({ what }) => (done.push(`read ${what}`), { text: `what ${what} says` }),
  });
  const now = defineTool({
    ...call,
    name: "now",
    description: "The time.",
    repeatable: true,
    reuseOnRetry: false,
    label: "trusted",
    execute: ({ what }) => (done.push(`now ${what}`), "noon"),
  });
  const draft = defineTool({
    ...call,
    name: "draft",
    description: "Drafts.",
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    execute: ({ what }: { what: string }) => (done.push(`draft ${what}`), { draftId: what }),
  });
  const send = defineTool({
    ...call,
    name: "send",
    description: "Sends.",
    sideEffect: true as const,
    label: "trusted" as const,
    timeoutMs: 1_000,
    execute({ what }: { what: string }) {
      done.push(`send ${what}`);
      if (sending === "breaks") throw new BronError("tool_failed", "The line was cut.");
      return { sentMessageId: what };
    },
  });
  const views: PolicyView[] = [];
  const harness = createLoopHarness({
    script,
    tools: [read, now, draft, send],
    deps: {
      policy: ({ seenBy }, view) => {
        views.push(view);
        return {
          verdict: seenBy === "owner" || view.repeats === undefined ? "allow" : "ask",
          reasons: [view.repeats ?? "Allowed."],
        };
      },
    },
  });
  const retry = async (of: RunView, notDone: string[] = []) => {
    const { run } = await harness.store.runs.create({
      ownerId,
      input: { prompt: of.prompt, threadId: of.threadId },
      title: of.title,
      caps: defaultCaps,
      retry: { runId: of.id, notDone },
    });
    return run;
  };
  return { harness, done, views, retry, breakSending: () => (sending = "breaks") };
}

/** Rules that the owner can change between two runs. */
const deny = (...rules: readonly Partial<PolicyRules["rules"][number]>[]): PolicyRules => ({
  ...defaultRules,
  rules: rules.map((rule) => ({ tool: "read", verdict: "deny", ofBron: false, ...rule })),
});

describe("a retried run whose owner has added a rule since", () => {
  /** The run reads a mail, a page and a server, and so does its retry under the given rules. */
  async function resultsOfRetry(rulesOfRetry: () => Promise<PolicyRules>) {
    let rules = () => Promise.resolve(defaultRules);
    const made: string[] = [];
    const input = z.object({ url: z.string() });
    const read = defineTool({
      name: "read",
      description: "Reads.",
      input,
      targets: ({ url }) => [{ kind: "url", url }],
      execute: () => (made.push("read"), "private words"),
    });
    const effect = (name: string, more: object) =>
      defineTool({
        name,
        description: "Fetches.",
        input,
        sideEffect: true,
        facts: ({ url }: { url: string }): EffectFacts => ({
          kind: name === "fetch" ? "fetch" : "other",
          account: "",
          recipients: [],
          hosts: [],
          targets: [{ kind: "url", url }],
          attachments: [],
          warnings: [],
        }),
        execute: () => (made.push(name), `text of ${name}`),
        ...more,
      });
    const names = ["read", "fetch", "ask_server", "send"];
    const harness = createLoopHarness({
      script: ({ options }) =>
        options.prompt.some(({ role }) => role === "tool")
          ? { text: "Done." }
          : { calls: names.map((tool) => ({ tool, input: { url: "https://a.example/x" } })) },
      tools: [
        read,
        effect("fetch", {}),
        effect("ask_server", { server: { name: "github", tool: "search" } }),
        effect("send", {}),
      ],
      deps: {
        permissions: { rules: () => rules() },
        policy: (proposed, view) => {
          const { verdict, reasons } = byRules(proposed, view);
          return { verdict: verdict === "deny" ? "deny" : "allow", reasons };
        },
      },
    });
    const first = await harness.create();
    await harness.advance(first.id);
    expect(made.toSorted()).toEqual(names.toSorted());
    rules = rulesOfRetry;
    const { run } = await harness.store.runs.create({
      ownerId,
      input: { prompt: first.prompt, threadId: first.threadId },
      title: first.title,
      caps: defaultCaps,
      retry: { runId: first.id, notDone: [] },
    });
    await harness.advance(run.id);
    const results = await harness.results(run.id);
    return {
      outcomes: Object.fromEntries(
        results.map(({ name, outcome, reused }) => [name, reused ? "reused" : outcome]),
      ),
      made: made.slice(names.length),
    };
  }
  const reused = { read: "reused", fetch: "reused", ask_server: "reused", send: "reused" };

  it("X3 does not reuse what a rule denies now, and does not read it again", async () => {
    for (const [rules, outcomes] of [
      [[], {}],
      [[{ tool: "read" }], { read: "failed" }],
      [[{ tool: "read", host: "a.example" }], { read: "failed" }],
      [[{ tool: "read", host: "b.example" }], {}],
      [[{ tool: "fetch", host: "a.example" }], { fetch: "rejected" }],
      [[{ tool: "*", server: "github" }], { ask_server: "rejected" }],
    ] as const)
      expect(await resultsOfRetry(() => Promise.resolve(deny(...rules)))).toEqual({
        outcomes: { ...reused, ...outcomes },
        made: [],
      });
  });

  it("BR18 keeps saying that an effect was done, although a rule denies it now", async () => {
    expect(await resultsOfRetry(() => Promise.resolve(deny({ tool: "send" })))).toEqual({
      outcomes: reused,
      made: [],
    });
  });

  it("X3 reuses nothing that was read while the rules cannot be read", async () => {
    const failing = () => Promise.reject(new BronError("not_found", "No such Bron."));
    expect(await resultsOfRetry(failing)).toMatchObject({
      outcomes: { read: "failed", fetch: "reused", send: "reused" },
      made: [],
    });
  });
});

const calls = (...list: readonly (readonly [string, string])[]) => ({
  calls: list.map(([tool, what]) => ({ tool, input: { what } })),
});

describe("a retried run", () => {
  it("BR18 reuses completed calls, reports it, and makes only new calls", async () => {
    let round = 0;
    const { harness, done, retry } = openHarness(({ options }) => {
      const results = options.prompt.filter(({ role }) => role === "tool").length;
      return results === 0
        ? calls(["read", "a"], ["draft", "d"], ["now", "t"])
        : results === 1 && round > 0
          ? calls(["read", "b"])
          : { text: "Done." };
    });
    const first = await harness.create();
    await harness.advance(first.id);
    expect(done.toSorted()).toEqual(["draft d", "now t", "read a"]);
    round++;
    const second = await retry(first);
    expect(second).toMatchObject({
      retryOf: first.id,
      threadId: first.threadId,
      prompt: first.prompt,
    });
    expect(await harness.advance(second.id)).toBe("ended");
    expect(done.slice(3).toSorted()).toEqual(["now t", "read b"]);
    const [before, after] = [await harness.results(first.id), await harness.results(second.id)];
    const readOf = (list: typeof before) => list.find(({ name }) => name === "read");
    expect(readOf(after)).toMatchObject({
      outcome: "completed",
      output: readOf(before)?.output,
      label: readOf(before)?.label,
      reused: { runId: first.id, actionId: readOf(before)?.actionId },
    });
    expect(after.find(({ name }) => name === "draft")?.output).toMatchObject({
      draftId: "d",
      note: expect.stringContaining("not done again"),
    });
    const events = await harness.events(second.id);
    expect(events.flatMap((event) => (event.type === "log" ? [event.payload] : []))).toMatchObject([
      { kind: "reused", tool: "read", runId: first.id, isUnknown: false },
      { kind: "reused", tool: "draft", runId: first.id, isUnknown: false },
    ]);
    const summary = events.flatMap((event) =>
      event.type === "ui" && event.payload.kind === "RunSummaryCard" ? [event.payload.payload] : [],
    );
    expect(summary).toMatchObject([
      {
        did: expect.arrayContaining([
          { tool: "read", count: 1, reused: true },
          { tool: "draft", count: 1, reused: true },
          { tool: "read", count: 1, reused: false },
        ]),
      },
    ]);
    expect(await harness.store.runs.effects(ownerId, second.id)).toEqual([]);
  });

  it("X2 BR18 does not repeat a sent message, and asks before it sends another one", async () => {
    let what = "x";
    const { harness, done, retry } = openHarness(({ options }) =>
      options.prompt.at(-1)?.role === "user" ? calls(["send", what]) : { text: "Done." },
    );
    const first = await harness.create();
    await harness.advance(first.id);
    expect(done).toEqual(["send x"]);
    const second = await retry(first);
    expect(await harness.advance(second.id)).toBe("ended");
    expect(await harness.results(second.id)).toMatchObject([
      { outcome: "completed", output: { sentMessageId: "x", note: expect.any(String) } },
    ]);
    what = "y";
    const third = await retry(second);
    expect(await harness.advance(third.id)).toBe("parked");
    expect(done).toEqual(["send x"]);
    expect(await harness.store.approvals.list(ownerId, { runId: third.id })).toMatchObject([
      { reasons: [{ code: "done_before", isSure: true }] },
    ]);
    await harness.decide(third.id, true);
    expect(await harness.advance(third.id)).toBe("ended");
    expect(done).toEqual(["send x", "send y"]);
  });

  it("X2 BR18 remembers a sent message across an intermediate retry that did not reach it", async () => {
    let isSending = true;
    const { harness, done, retry } = openHarness(({ options }) =>
      options.prompt.at(-1)?.role === "user" && isSending
        ? calls(["send", "x"])
        : { text: "Done." },
    );
    const first = await harness.create();
    await harness.advance(first.id);
    isSending = false;
    const second = await retry(first);
    await harness.advance(second.id);
    isSending = true;
    const third = await retry(second);
    expect(await harness.advance(third.id)).toBe("ended");
    expect(done).toEqual(["send x"]);
    expect(await harness.results(third.id)).toMatchObject([
      { outcome: "completed", reused: { runId: first.id } },
    ]);
  });

  it("X2 keeps an unknown effect unknown until the owner settles it as not done", async () => {
    const { harness, done, retry, breakSending } = openHarness(({ options }) =>
      options.prompt.at(-1)?.role === "user" ? calls(["send", "x"]) : { text: "Done." },
    );
    breakSending();
    const first = await harness.create();
    await harness.advance(first.id);
    const [doubt] = await harness.results(first.id);
    expect(doubt).toMatchObject({ outcome: "unknown" });
    const second = await retry(first);
    await harness.advance(second.id);
    expect(await harness.results(second.id)).toMatchObject([
      { outcome: "unknown", reused: { runId: first.id } },
    ]);
    expect(done).toEqual(["send x"]);
    // Names the action of the run that did it, not of the run that reused it.
    const third = await retry(second, [doubt?.actionId ?? ""]);
    await harness.advance(third.id);
    expect(done).toEqual(["send x", "send x"]);
  });

  it("X4 keeps the labels of reused results", async () => {
    const { harness, views, retry } = openHarness(({ options }) => {
      const results = options.prompt.filter(({ role }) => role === "tool").length;
      return results === 0
        ? calls(["read", "a"])
        : results === 1
          ? calls(["draft", `after ${options.prompt.length}`])
          : { text: "Done." };
    });
    const first = await harness.create();
    await harness.advance(first.id);
    await harness.advance((await retry(first)).id);
    // An effect is judged when it is proposed, and by the rules alone when it starts.
    expect(views.at(-2)?.labels.untrusted.map(({ origin, tool }) => `${origin} ${tool}`)).toContain(
      "mail read",
    );
  });

  it("matches calls by tool and input, in any field order", () => {
    const tool = defineTool({
      name: "read",
      description: "Reads.",
      input: z.any(),
      execute: () => null,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (input, other) => {
        const call = { actionId: "a", callId: "c", tool: "read", input: input as JsonValue };
        const events: NewEvent[] = [
          {
            type: "step",
            payload: { phase: "end", step: 1, attempt: 1, finish: "", calls: [call] },
          },
          {
            type: "tool",
            payload: { phase: "end", actionId: "a", name: "read", outcome: "completed", output: 1 },
          },
        ];
        const earlier = earlierResults([{ runId: "r", events }], new Set());
        const turned = Object.fromEntries(Object.entries(input).toReversed()) as JsonValue;
        expect(earlier.of(tool, turned, defaultRules)).toMatchObject({
          from: { runId: "r", actionId: "a" },
        });
        const isSame = JSON.stringify(other) === JSON.stringify(input);
        if (!isSame && (typeof other !== "object" || other === null || Array.isArray(other)))
          expect(earlier.of(tool, other as JsonValue, defaultRules)).toBeUndefined();
        expect(earlier.of({ ...tool, name: "other" }, turned, defaultRules)).toBeUndefined();
      }),
    );
  });
});
