import {
  askUserTool,
  BronError,
  childRunTools,
  defaultRules,
  defineClientTool,
  defineTool,
  outputReadTool,
  type AuxiliaryRequest,
  type Tool,
} from "@bron/core";
import type { Caps, CreateRun, JsonObject } from "@bron/protocol";
import type {
  LoopHarness,
  LoopHarnessOptions,
  Reader,
  Script,
  ScriptedMessage,
} from "@bron/testing";
import { z } from "zod";

export const ownerId = "local";

type Step = (loop: LoopHarness, runId: string) => Promise<unknown>;

/** How one log is made. */
export interface Recording {
  readonly messages?: readonly ScriptedMessage[];
  /** What happens before the run starts. */
  readonly begin?: Step;
  /** What happens when the run waits. */
  readonly whenParked?: Step;
  readonly send?: () => Promise<string>;
  readonly look?: () => string;
  readonly options?: (loop: () => LoopHarness) => Partial<LoopHarnessOptions>;
  readonly input?: Partial<CreateRun>;
  readonly caps?: Partial<Caps>;
}

const call = (tool: string, to?: string) => ({ calls: [{ tool, input: { to } }] });
export const proposal: readonly ScriptedMessage[] = [
  call("look", "mail"),
  call("send", "eva@elsewhere.example"),
  { text: "Done." },
];

/** The tools of every recording, unless its options have others. */
export function logTools({ send, look }: Pick<Recording, "send" | "look">): Tool[] {
  const base = { description: "For a log.", input: z.object({ to: z.string() }) };
  return [
    defineTool({ ...base, name: "look", execute: look ?? (() => "a mail") }),
    defineTool({
      ...base,
      name: "send",
      sideEffect: true,
      effectKind: "send_mail",
      execute: send ?? (() => "sent"),
    }),
    defineClientTool({
      name: "fill",
      description: "For a log.",
      input: z.object({}),
      output: z.string(),
      program: "page",
      deadlineMs: 30_000,
      ifExpired: "unknown",
    }),
    askUserTool,
    outputReadTool,
  ];
}

interface Seen {
  readonly ownerId: string;
  readonly approvalId: string;
  readonly digest: string;
}

const decide =
  (act: (loop: LoopHarness, seen: Seen, runId: string) => Promise<unknown>): Step =>
  async (loop, runId) => {
    for (const { id: approvalId, digest } of await loop.store.approvals.list(ownerId, { runId }))
      await act(loop, { ownerId, approvalId, digest }, runId);
  };
const approve = decide(({ store }, seen) => store.approvals.decide({ ...seen, approved: true }));

const take: Step = async ({ store: { clientActions } }, runId) => {
  for (const { id: actionId } of await clientActions.list(ownerId, { runId }))
    await clientActions.take(ownerId, { runId, actionId, takenBy: "tab" });
};
const finish: Step = async (loop, runId) => {
  const { clientActions } = loop.store;
  await take(loop, runId);
  for (const { id: actionId } of await clientActions.list(ownerId, { runId })) {
    const secretHash = `hash of ${actionId}`;
    await clientActions.finish(ownerId, { runId, actionId, secretHash, result: "filled" });
  }
};
const answer =
  (typed: string): Step =>
  async ({ store: { questions } }, runId) => {
    for (const { id } of await questions.list(ownerId, { runId, pendingOnly: true }))
      await questions.answer(ownerId, id, { typed });
  };
const expire: Step = async ({ clock, store }) => {
  await clock.pass(61_000);
  await store.approvals.expireDue();
  await store.questions.expireDue();
  await store.clientActions.expireDue();
};
const say: Step = ({ store }, runId) =>
  store.runs.addMessage(ownerId, runId, { messageId: "m1", content: "In blue, please." });
const ask = (input: JsonObject) => ({ calls: [{ tool: "ask_user", input }] });

const topic: AuxiliaryRequest = {
  purpose: "topic",
  instruction: "Name the topic.",
  prompt: "do it",
  schema: z.object({ topic: z.string() }),
};
const unavailable = () => {
  throw Object.assign(new TypeError("overloaded"), { statusCode: 503 });
};

/** The results that the model has seen, as text. */
const resultsIn: (options: Parameters<Script>[0]["options"]) => string[] = ({ prompt }) =>
  prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((one) =>
          one.type === "tool-result" ? [JSON.stringify(one.output)] : [],
        )
      : [],
  );

/** A task starts "child", and that starts "grandchild". Each waits for the one below it. */
const nested: Script = ({ turn, options }) => {
  const texts = JSON.stringify(options.prompt.filter(({ role }) => role === "user"));
  const below = texts.includes("part one") ? "grandchild" : "child";
  if (texts.includes("part two")) return { text: "Deep." };
  const [first = ""] = resultsIn(options);
  const runId = /"runId":"([^"]+)"/.exec(first)?.[1];
  if (turn === 0)
    return {
      calls: [
        {
          tool: "spawn_bron",
          input: { title: below, prompt: below === "child" ? "part one" : "part two" },
        },
      ],
    };
  return turn === 1 ? { calls: [{ tool: "await_bron", input: { runId } }] } : { text: "Done." };
};

/** Reads in the words that the owner asks for one email. */
const readMail: Reader = (prompt) => {
  const [{ name: text, text: words } = { name: "", text: "" }] = JSON.parse(prompt) as {
    name: string;
    text: string;
  }[];
  const mention = { text, words: "eva@elsewhere.example" };
  const people = [{ mention, means: "person" }];
  return { asks: [{ effect: "send_mail", words: { text, words }, times: "once", people }] };
};

/** Reads what was left out of a long output. */
const readRest: Script = ({ turn, options }) => {
  if (turn === 0) return call("look", "log");
  const output = /output_read with output \\*"([^"\\]+)/.exec(resultsIn(options)[0] ?? "")?.[1];
  return turn === 1
    ? { calls: [{ tool: "output_read", input: { output, from: 8_000, characters: 100 } }] }
    : { text: "Done." };
};

/** More messages than the model is shown. */
const longConversation = Array.from({ length: 40 }, (_, index) => ({
  id: String(index + 1),
  role: "user" as const,
  content: `Hello ${index}`,
  trusted: false,
}));

export const recordings: Readonly<Record<string, Recording>> = {
  approved: { whenParked: approve },
  auxiliary: {
    messages: [{ text: "Done." }],
    options: () => ({
      deps: { auxiliaryRequests: () => [topic] },
      roles: (named) => ({
        light: named("light", ({ turn }) => ({ text: turn === 0 ? "{}" : '{"topic":"work"}' })),
      }),
    }),
  },
  canceled: { whenParked: ({ store }, runId) => store.runs.requestCancel(ownerId, runId) },
  client_action: { messages: [call("fill")], whenParked: finish },
  client_action_expired: {
    messages: [call("fill")],
    whenParked: (loop, runId) => take(loop, runId).then(() => expire(loop, runId)),
  },
  denied: {
    whenParked: decide(({ store }, seen) =>
      store.approvals.decide({ ...seen, approved: false, reason: "too early" }),
    ),
  },
  denied_read: {
    messages: [call("look", "mail")],
    options: () => ({
      deps: {
        permissions: {
          rules: () =>
            Promise.resolve({
              ...defaultRules,
              rules: [{ tool: "look", verdict: "deny", ofBron: false }],
            }),
        },
      },
    }),
  },
  expired: { whenParked: expire },
  failed: { messages: [call("fly"), call("fly")] },
  invalid: { messages: [call("send"), { text: "It was wrong." }] },
  kept_output: {
    look: () => "All work and no play. ".repeat(2_000),
    options: () => ({ script: readRest }),
  },
  last_resort: {
    options: () => ({
      script: unavailable,
      roles: (named) => ({ lastResort: named("spare", () => ({ text: "Done." })) }),
    }),
  },
  nested: {
    caps: { depth: 2 },
    options: (loop) => ({
      script: nested,
      tools: childRunTools({
        runs: {
          create: (run) => loop().store.runs.create(run),
          get: (...args) => loop().store.runs.get(...args),
          events: (...args) => loop().store.runs.events(...args),
        },
      }),
    }),
  },
  not_done: {
    whenParked: approve,
    send: () => Promise.reject(new BronError("effect_not_done", "The board is full.")),
  },
  place: {
    messages: [{ text: "Done." }],
    input: { place: { machine: "laptop", folder: "/home/eva/site" } },
    begin: ({ store }, runId) => store.runs.move(ownerId, runId, null),
  },
  question: {
    messages: [ask({ question: "How many?", schema: { type: "integer", minimum: 1 } })],
    whenParked: answer("7"),
  },
  question_expired: {
    messages: [ask({ question: "Tea?", choices: ["yes", "no"], default: "no" })],
    whenParked: expire,
  },
  replied: {
    whenParked: decide(({ store }, seen) =>
      store.approvals.decide({ ...seen, approved: false, reply: "no" }),
    ),
  },
  steering: {
    messages: [ask({ question: "Which color?" })],
    whenParked: (loop, runId) => say(loop, runId).then(() => answer("You choose")(loop, runId)),
  },
  summary: {
    options: (loop) => ({
      script: ({ options }) =>
        JSON.stringify(options.prompt[0]).includes("[AUXILIARY CALL conversation]")
          ? { text: '{"summary":"They greeted."}' }
          : { text: "Done." },
      deps: {
        threads: {
          tail: () => Promise.resolve({ messages: longConversation }),
          typedBefore: (...args) => loop().store.threads.typedBefore(...args),
          profile: (...args) => loop().store.threads.profile(...args),
        },
      },
    }),
  },
  tool_removed: {
    async whenParked(loop, runId) {
      const { bronId } = await loop.run(runId);
      await loop.store.brons.change(ownerId, bronId, { tools: ["look"] });
      await approve(loop, runId);
    },
  },
  tool_set: {
    messages: [call("look", "mail"), call("brought")],
    options: () => {
      let asked = 0;
      const brought = (description: string) =>
        defineTool({ name: "brought", description, input: z.object({}), execute: () => "ok" });
      return {
        deps: {
          toolSources: [
            {
              isLive: true,
              toolsFor: () => Promise.resolve([brought(asked++ < 3 ? "For a log." : "Changed.")]),
            },
          ],
        },
      };
    },
  },
  truncated: { messages: [{ text: "This answer is cut", finish: "length" }] },
  undone: {
    whenParked: decide(async ({ store: { approvals } }, seen) => {
      await approvals.decide({ ...seen, approved: true, undoMs: 5_000 });
      await approvals.undo(ownerId, seen.approvalId);
    }),
  },
  unknown: { whenParked: approve, send: () => new Promise(() => undefined) },
  words_read: {
    input: { prompt: "Write to eva@elsewhere.example" },
    whenParked: approve,
    options: () => ({
      reader: readMail,
      deps: {
        permissions: {
          rules: () => Promise.resolve({ ...defaultRules, trustLevel: "autonomous" }),
        },
      },
    }),
  },
};
