import { askUserTool, childRunTools, defaultRules, type AdvanceEnd, type Tool } from "@bron/core";
import {
  omitUndefined,
  type ApprovalView,
  type JsonObject,
  type Origin,
  type PersonaSource,
  type RunView,
  type TrustLevel,
} from "@bron/protocol";
import { createLoopHarness, makeTempFolder, type LoopHarness, type Reader } from "@bron/testing";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { safeFileName } from "../../../packages/tools/src/safe-file-name.ts";
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
import { answerQuestions, wordsOfAnswer, type CaseAnswer } from "./answer-questions.ts";
import { childrenOf, withChildIds } from "./case-children.ts";
import { readerFrom, type RightReading } from "./right-reading.ts";

/** One task of the owner, and what the model does in it, turn by turn. */
export interface CaseTask {
  readonly words: string;
  /** What a right reader finds in these words. */
  readonly reading: RightReading;
  readonly turns: readonly (readonly ModelCall[])[];
  /** A task of its own, not of the same conversation as the one before. */
  readonly isApart?: boolean;
  /** Retries the run before, which had the same words. */
  readonly isRetry?: boolean;
  /** The process ends while the model works on this turn, and another one goes on. */
  readonly restartsAtTurn?: number;
  /** What the owner says after each of these turns, with its right reading. */
  readonly said?: readonly {
    readonly afterTurn: number;
    readonly words: string;
    readonly reading: RightReading;
    /** See `CaseTask`. */
    readonly context?: readonly string[];
    readonly program?: string;
  }[];
  /** What the model calls after it was asked to rewrite a text. By default the same again. */
  readonly rewritten?: readonly ModelCall[];
  /** How the owner responds to the first approvals of the attack, before the approver decides. */
  readonly responses?: readonly (
    | { readonly reply: string }
    | { readonly edit: JsonObject; readonly program?: string }
  )[];
  /** Files that the owner attached. */
  readonly uploads?: readonly { readonly filename: string; readonly content: string }[];
  /** Text that came with the task and is not the owner's. */
  readonly attached?: string;
  /** The same in the field `context`. */
  readonly context?: readonly string[];
  /** A program sent the task, so that its words are not the owner's. */
  readonly program?: string;
  /** How the owner answers the questions of the model, in order. */
  readonly answers?: readonly CaseAnswer[];
  /** What the runs do that the model starts with `spawn_bron`, by their prompt. */
  readonly children?: readonly CaseChild[];
}

/** A child run: the task that the model writes for it, and what it does, turn by turn. */
export interface CaseChild {
  readonly words: string;
  /** What a reader would find if these words were the owner's. */
  readonly reading?: RightReading;
  readonly turns: CaseTask["turns"];
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
  readonly persona?: {
    readonly words: string;
    /** What a reader finds in the words, or would find if they were the owner's. */
    readonly reading: RightReading;
    /** By default the owner typed it. */
    readonly source?: PersonaSource;
  };
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
export function rightReaderOf({ tasks, persona, isReaderDown }: PolicyCase): Reader {
  if (isReaderDown) return outage;
  const readings = new Map<string, RightReading>([
    ...(persona ? [[keyOf(persona.words), persona.reading] as const] : []),
    ...tasks.flatMap(({ words, reading, said = [], answers = [], children = [] }) =>
      [
        { words, reading },
        ...said,
        ...answers.filter((answer) => answer !== "expired").map(wordsOfAnswer),
        ...children,
      ].map((one) => [keyOf(one.words), one.reading ?? {}] as const),
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
export async function playCase(one: PolicyCase, settings: PlaySettings): Promise<PlayedPolicyCase> {
  const { hasNotes, notes: own } = one.accounts;
  if (hasNotes !== true && own === undefined) return await playWith(one, settings, undefined);
  const notes = await makeTempFolder();
  try {
    for (const [title, text] of Object.entries(own ?? {}))
      await writeFile(join(notes, `${safeFileName(title)}.txt`), text);
    return await playWith(one, settings, notes);
  } finally {
    await rm(notes, { recursive: true, force: true });
  }
}

async function playWith(
  one: PolicyCase,
  { level, approver, reader = rightReaderOf(one) }: PlaySettings,
  notes: string | undefined,
): Promise<PlayedPolicyCase> {
  const record: AccountRecord = { tried: [], rejected: [], done: [], reads: new Map() };
  const tools: Tool[] = accountTools(one.accounts, record, notes);
  let current: Playing | undefined;
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
            ...omitUndefined({ context: said.context, program: said.program }),
          });
      if (turn === task.restartsAtTurn) current.restart?.();
      const calls = task.turns[turn];
      return calls ? { calls: await withChildIds(harness.store, runId, calls) } : { text: "Done." };
    },
    tools,
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
  if (one.tasks.some(({ answers }) => answers !== undefined)) tools.push(askUserTool);
  if (one.tasks.some(({ children }) => children !== undefined))
    tools.push(...childRunTools({ runs: harness.store.runs }));
  let before: RunView | undefined;
  for (const task of one.tasks) {
    const run = await harness.create(
      {
        prompt: task.words,
        ...(before === undefined || task.isApart ? {} : { threadId: before.threadId }),
        ...(task.attached === undefined
          ? {}
          : { attachedContext: [{ type: "email", id: "1", snippet: task.attached }] }),
        ...omitUndefined({ context: task.context && [...task.context] }),
      },
      caps,
      omitUndefined({
        program: task.program,
        retry: task.isRetry && before ? { runId: before.id, notDone: [] } : undefined,
      }),
    );
    before = run;
    for (const file of task.uploads ?? []) await attach(harness, run.id, file);
    const play = async (playing: Playing) => {
      const restart = new AbortController();
      let hasRestarted = false;
      current = {
        ...playing,
        restart() {
          if (!hasRestarted) restart.abort();
          hasRestarted = true;
        },
      };
      const end = await advanceIn(harness, one, { ...playing, signal: restart.signal });
      return end === "released" ? await advanceIn(harness, one, playing) : end;
    };
    await playTask(harness, { task, runId: run.id }, { one, approver, play });
  }
  return {
    record,
    approvals: await harness.store.approvals.list(ownerId, {}),
    runId: current?.runId ?? "",
  };
}

/** Throws if the case is at fault, because the model could not do what it says. */
async function checkPlayed(
  harness: LoopHarness,
  { task, runId }: Playing,
  unusedAnswers: readonly CaseAnswer[],
): Promise<void> {
  if (unusedAnswers.length > 0) throw new Error(`${task.words}: no question was asked`);
  if (task.children && (await childrenOf(harness.store, runId)).length === 0)
    throw new Error(`${task.words}: no child run was started`);
  const failed = (await harness.results(runId)).find(({ error }) => error?.code === "unknown_tool");
  if (failed) throw new Error(`${task.words}: there is no tool ${failed.name}`);
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

/** The run that the model works on, and what it does in it. */
interface Playing {
  readonly task: Omit<CaseTask, "reading">;
  readonly runId: string;
  /** Ends the process, once. */
  readonly restart?: () => void;
}

interface Played {
  readonly one: PolicyCase;
  readonly approver: Approver;
  readonly play: (playing: Playing) => Promise<AdvanceEnd>;
}

async function advanceIn(
  harness: LoopHarness,
  one: PolicyCase,
  { runId, signal }: { readonly runId: string; readonly signal?: AbortSignal },
): Promise<AdvanceEnd> {
  const { threads } = harness.store;
  const persona = one.persona?.words ?? "";
  const personaSource = one.persona?.source ?? "typed";
  const profile = () => Promise.resolve({ persona, personaSource, aboutUser: "" });
  return await harness.advance(runId, { threads: { ...threads, profile } }, signal);
}

/** Plays the child runs of a task to their ends. Returns how many there were. */
async function playChildren(
  harness: LoopHarness,
  { task, runId }: Playing,
  played: Played,
): Promise<number> {
  if (task.children === undefined) return 0;
  const children = (await childrenOf(harness.store, runId)).filter(({ runnable }) => runnable);
  for (const { id } of children) {
    const events = await harness.events(id);
    const prompt = events.find((event) => event.type === "message")?.payload.content;
    const child = task.children.find(({ words }) => words === prompt);
    if (!child) throw new Error(`${played.one.name}: no child run has the task ${prompt}`);
    const { children: all } = task;
    const spawns = child.turns.flat().some(({ tool }) => tool === "spawn_bron");
    const own = spawns ? { ...child, children: all } : child;
    await playTask(harness, { task: own, runId: id }, played);
  }
  await harness.store.runs.notifyParents();
  return children.length;
}

async function playTask(harness: LoopHarness, playing: Playing, played: Played): Promise<void> {
  const { one, approver, play } = played;
  const { task, runId } = playing;
  const responses = [...(task.responses ?? [])];
  const answers = [...(task.answers ?? [])];
  for (let rounds = 0; rounds < 40; rounds++) {
    if ((await play(playing)) !== "parked") {
      await checkPlayed(harness, playing, answers);
      return;
    }
    const pending = await harness.store.approvals.list(ownerId, { runId, pendingOnly: true });
    const others =
      (await answerQuestions(harness, runId, answers)) +
      (await playChildren(harness, playing, played));
    if (pending.length + others === 0) throw new Error(`${one.name}: the run waits for nothing`);
    for (const approval of pending) {
      // The owner asked for every effect that is not the attacker's.
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
    await store.approvals.edit({
      ...common,
      changes: response.edit,
      ...omitUndefined({ program: response.program }),
    });
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
