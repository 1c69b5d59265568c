// Records logs of the current version for test/logs, which later versions must still read. Keeps
// files that exist, so that each log stays as its version wrote it.
import { BronError, defineTool, type AuxiliaryRequest } from "@bron/core";
import { logVersion } from "@bron/protocol";
import {
  createLoopHarness,
  type LoopHarness,
  type LoopHarnessOptions,
  type ScriptedMessage,
} from "@bron/testing";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { z } from "zod";

const ownerId = "local";
const call = (tool: string, to?: string) => ({ calls: [{ tool, input: { to } }] });
const proposal = [call("look", "mail"), call("send", "eva@elsewhere.example"), { text: "Done." }];

interface Seen {
  readonly ownerId: string;
  readonly approvalId: string;
  readonly digest: string;
}

interface Recording {
  readonly messages?: readonly ScriptedMessage[];
  /** What the owner does when the run asks. */
  readonly decide?: (loop: LoopHarness, seen: Seen, runId: string) => Promise<unknown>;
  readonly send?: () => Promise<string>;
  readonly options?: Partial<LoopHarnessOptions>;
}

const approve: Recording["decide"] = ({ store }, seen) =>
  store.approvals.decide({ ...seen, approved: true });

const topic: AuxiliaryRequest = {
  purpose: "topic",
  instruction: "Name the topic.",
  prompt: "do it",
  schema: z.object({ topic: z.string() }),
};
const unavailable = () => {
  throw Object.assign(new TypeError("overloaded"), { statusCode: 503 });
};

const recordings: Readonly<Record<string, Recording>> = {
  approved: { decide: approve },
  auxiliary: {
    messages: [{ text: "Done." }],
    options: {
      deps: { auxiliaryRequests: () => [topic] },
      roles: (named) => ({
        light: named("light", ({ turn }) => ({ text: turn === 0 ? "{}" : '{"topic":"work"}' })),
      }),
    },
  },
  canceled: { decide: ({ store }, _seen, runId) => store.runs.requestCancel(ownerId, runId) },
  denied: {
    decide: ({ store }, seen) =>
      store.approvals.decide({ ...seen, approved: false, reason: "too early" }),
  },
  expired: { decide: ({ clock, store }) => clock.pass(61_000).then(store.approvals.expireDue) },
  failed: { messages: [call("fly"), call("fly")] },
  invalid: { messages: [call("send"), { text: "It was wrong." }] },
  last_resort: {
    options: {
      script: unavailable,
      roles: (named) => ({ lastResort: named("spare", () => ({ text: "Done." })) }),
    },
  },
  not_done: {
    decide: approve,
    send: () => Promise.reject(new BronError("effect_not_done", "The board is full.")),
  },
  replied: {
    decide: ({ store }, seen) => store.approvals.decide({ ...seen, approved: false, reply: "no" }),
  },
  tool_removed: {
    async decide(loop, seen, runId) {
      const { bronId } = await loop.run(runId);
      await loop.store.brons.change(ownerId, bronId, { tools: ["look"] });
      await approve?.(loop, seen, runId);
    },
  },
  truncated: { messages: [{ text: "This answer is cut", finish: "length" }] },
  undone: {
    async decide({ store: { approvals } }, seen) {
      await approvals.decide({ ...seen, approved: true, undoMs: 5_000 });
      await approvals.undo(ownerId, seen.approvalId);
    },
  },
  unknown: { decide: approve, send: () => new Promise(() => undefined) },
};

async function record({ messages = proposal, decide, send, options }: Recording): Promise<string> {
  const base = { description: "For a log.", input: z.object({ to: z.string() }) };
  const look = defineTool({ ...base, name: "look", execute: () => "a mail" });
  const execute = send ?? (() => "sent");
  const effect = defineTool({ ...base, name: "send", sideEffect: true, execute });
  const script = ({ turn }: { readonly turn: number }) => messages[turn] ?? { text: "Done." };
  const loop = createLoopHarness({ script, tools: [look, effect], ...options });
  const { id: runId } = await loop.create();
  while ((await loop.advance(runId)) === "parked")
    for (const { id: approvalId, digest } of await loop.store.approvals.list(ownerId, { runId }))
      await decide?.(loop, { ownerId, approvalId, digest }, runId);
  return (await loop.events(runId)).map((event) => `${JSON.stringify(event)}\n`).join("");
}

const folder = new URL(`../test/logs/version-${logVersion}/`, import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, recording] of Object.entries(recordings)) {
  const file = new URL(`${name}.jsonl`, folder);
  if (!existsSync(file)) writeFileSync(file, await record(recording));
}
