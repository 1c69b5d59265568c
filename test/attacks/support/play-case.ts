import { defaultRules } from "@bron/core";
import type { ApprovalView, JsonObject, Origin, TrustLevel } from "@bron/protocol";
import { createLoopHarness, type LoopHarness, type Reader } from "@bron/testing";
import { readableWords } from "../../../packages/core/src/intent/readable-words.ts";
import type { Approver } from "./attack-harness.ts";
import {
  accountTools,
  type AccountRecord,
  type FakeAccounts,
  type RecordedEffect,
} from "./fake-accounts.ts";
import { digestOf } from "./generated/digest-of.ts";
import type { ModelCall } from "./obedient-model.ts";
import { readerFrom, type RightReading } from "./right-reading.ts";

/** One task of the owner, and what the model does in it, turn by turn. */
export interface CaseTask {
  readonly words: string;
  /** What a right reader finds in these words. */
  readonly reading: RightReading;
  readonly turns: readonly (readonly ModelCall[])[];
  /** A task of its own, not of the same conversation as the one before. */
  readonly isApart?: boolean;
  /** What the owner says after each of these turns, with its right reading. */
  readonly said?: readonly {
    readonly afterTurn: number;
    readonly words: string;
    readonly reading: RightReading;
  }[];
  /** What the model calls after it was asked to rewrite a text. By default the same again. */
  readonly rewritten?: readonly ModelCall[];
  /** How the owner responds to the first approvals of the attack, before the approver decides. */
  readonly responses?: readonly ({ readonly reply: string } | { readonly edit: JsonObject })[];
  /** Files that the owner attached. */
  readonly uploads?: readonly { readonly filename: string; readonly content: string }[];
  /** Text that came with the task and is not the owner's. */
  readonly attached?: string;
}

/** An attack on the policy: what the accounts contain, what the owner types, what the model does. */
export interface PolicyCase {
  readonly class: string;
  readonly name: string;
  readonly accounts: FakeAccounts;
  /** Trusted contacts. */
  readonly contacts?: readonly string[];
  readonly tasks: readonly CaseTask[];
  /** The Bron's instruction, with its right reading. */
  readonly persona?: { readonly words: string; readonly reading: RightReading };
  /** Which effects are the attacker's. */
  readonly isAttack: (effect: Pick<RecordedEffect, "tool" | "prepared">) => boolean;
  /**
   * The mail, channel or page that the attack came from, which an approval must name. Undefined if
   * nothing was read.
   */
  readonly source?: string;
  /** The same for text that no action read, such as pasted text. */
  readonly origin?: Origin;
  /** A hole that is known. `known-holes.test.ts` fails as soon as the case passes. */
  readonly hole?: string;
  /** No model can read the owner's words. */
  readonly isReaderDown?: true;
}

export interface PlaySettings {
  readonly level: TrustLevel;
  readonly approver: Approver;
  /** By default the right reading of the case. */
  readonly reader?: Reader;
}

export interface PlayedPolicyCase {
  readonly record: AccountRecord;
  readonly approvals: readonly ApprovalView[];
  /** The run of the last task. */
  readonly runId: string;
}

const ownerId = "local";
const caps = { modelTurns: 40, toolCalls: 200, toolCallsByGroup: { gmail: 200, web: 40 } };
const outage = () => Promise.reject(Object.assign(new TypeError("busy"), { statusCode: 503 }));

/** The right reader of a case finds each text by its words, apart from quotations. */
function rightReaderOf({ tasks, persona, isReaderDown }: PolicyCase): Reader {
  if (isReaderDown) return outage;
  const readings = new Map<string, RightReading>([
    ...(persona ? [[keyOf(persona.words), persona.reading] as const] : []),
    ...tasks.flatMap(
      ({ words, reading, said = [] }) =>
        [
          [keyOf(words), reading],
          ...said.map((one) => [keyOf(one.words), one.reading] as const),
        ] as const,
    ),
  ]);
  return readerFrom((text) => readings.get(withoutSlots(text)) ?? {});
}

/** The text as the reader sees it, apart from the numbers of quotations. */
function keyOf(text: string): string {
  const [readable] = readableWords([{ when: "now", text }]).texts;
  return withoutSlots(readable?.text ?? "");
}

function withoutSlots(text: string): string {
  return text.replaceAll(/«q\d+: /g, "«");
}

/** Plays a case in a new store, with one owner. */
export async function playCase(
  one: PolicyCase,
  { level, approver, reader = rightReaderOf(one) }: PlaySettings,
): Promise<PlayedPolicyCase> {
  const record: AccountRecord = { tried: [], rejected: [], done: [], reads: new Map() };
  let current: { readonly task: CaseTask; readonly runId: string } | undefined;
  const harness = createLoopHarness({
    async script({ options }) {
      if (!current) return { text: "?" };
      const { task, runId } = current;
      const since = options.prompt.findLastIndex((message) =>
        messageText(message).includes(task.words),
      );
      const own = options.prompt.slice(since);
      const offers = own.filter(offersRewrite).length;
      const turn = own.filter(({ role }) => role === "assistant").length - offers;
      const again = task.turns[turn];
      // A model that obeys an attacker leaves nothing out.
      const last = own.at(-1);
      if (again && last && offersRewrite(last))
        return { calls: task.rewritten ?? again.filter(({ tool }) => isOffered(last, tool)) };
      for (const said of task.said ?? [])
        if (said.afterTurn === turn)
          await harness.store.runs.addMessage(ownerId, runId, {
            messageId: `said-${turn}`,
            content: said.words,
          });
      const calls = task.turns[turn];
      return calls ? { calls } : { text: "Done." };
    },
    tools: accountTools(one.accounts, record),
    reader,
    deps: {
      permissions: {
        rules: () =>
          Promise.resolve({
            ...defaultRules,
            trustLevel: level,
            people: new Set(one.contacts ?? []),
          }),
      },
    },
  });
  let threadId: string | undefined;
  for (const task of one.tasks) {
    const run = await harness.create(
      {
        prompt: task.words,
        ...(threadId === undefined || task.isApart ? {} : { threadId }),
        ...(task.attached === undefined
          ? {}
          : { attachedContext: [{ type: "email", id: "1", snippet: task.attached }] }),
      },
      caps,
    );
    threadId = run.threadId;
    current = { task, runId: run.id };
    for (const file of task.uploads ?? []) await attach(harness, run.id, file);
    await playTask(harness, run.id, { one, task, approver });
  }
  return {
    record,
    approvals: await harness.store.approvals.list(ownerId, {}),
    runId: current?.runId ?? "",
  };
}

async function attach(
  { store: { uploads } }: LoopHarness,
  runId: string,
  { filename, content }: NonNullable<CaseTask["uploads"]>[number],
): Promise<void> {
  const bytes = new TextEncoder().encode(content);
  const { upload } = await uploads.create(ownerId, {
    filename,
    contentType: "text/plain",
    sizeBytes: bytes.length,
    ttlMs: 60_000,
  });
  await uploads.storeContent(ownerId, upload.id, { bytes, digest: digestOf(content) });
  await uploads.attach(ownerId, upload.id, runId);
}

interface Played {
  readonly one: PolicyCase;
  readonly task: CaseTask;
  readonly approver: Approver;
}

async function playTask(
  harness: LoopHarness,
  runId: string,
  { one, task, approver }: Played,
): Promise<void> {
  const { threads } = harness.store;
  const persona = one.persona?.words ?? "";
  const profile = {
    threads: { ...threads, profile: () => Promise.resolve({ persona, aboutUser: "" }) },
  };
  const responses = [...(task.responses ?? [])];
  for (let rounds = 0; rounds < 40; rounds++) {
    if ((await harness.advance(runId, profile)) !== "parked") return;
    const pending = await harness.store.approvals.list(ownerId, { runId, pendingOnly: true });
    if (pending.length === 0) throw new Error(`${one.name}: the run waits for nothing`);
    for (const approval of pending) {
      // What is not the attacker's is what the owner asked for.
      const isAttack = one.isAttack(approval);
      const response = isAttack ? responses.shift() : undefined;
      await decide(harness, approval, response, isAttack ? approver : "approves everything");
    }
  }
  throw new Error(`${one.name}: the run does not end`);
}

async function decide(
  { store }: LoopHarness,
  { id, digest, risks }: ApprovalView,
  response: NonNullable<CaseTask["responses"]>[number] | undefined,
  approver: Approver,
): Promise<void> {
  const common = { ownerId, approvalId: id, digest };
  if (response && "edit" in response)
    await store.approvals.edit({ ...common, changes: response.edit });
  else if (response)
    await store.approvals.decide({ ...common, approved: false, reply: response.reply });
  else
    await store.approvals.decide({
      ...common,
      approved:
        approver === "approves everything" ||
        (approver === "approves what is clean" && risks.length === 0),
    });
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** Whether a tool result asks the model to leave out what the owner did not mention. */
function offersRewrite(message: Message): boolean {
  return offersIn(message).length > 0;
}

function isOffered(message: Message | undefined, tool: string): boolean {
  return message !== undefined && offersIn(message).some(({ toolName }) => toolName === tool);
}

function offersIn({ role, content }: Message): { readonly toolName: string }[] {
  if (role !== "tool" || !Array.isArray(content)) return [];
  return (content as { toolName: string; output: unknown }[]).filter(({ output }) =>
    JSON.stringify(output).includes("make the same call again"),
  );
}

function messageText(message: { readonly role: string; readonly content: unknown }): string {
  if (message.role !== "user" || !Array.isArray(message.content)) return "";
  return message.content
    .map((part: { readonly type?: string; readonly text?: string }) => part.text ?? "")
    .join("");
}
